"""Makes the static folder of the studio: our package, Python for browsers, and the page.

`packing` puts our package into an archive, `bundling` lets npm and esbuild make one file of the
page's modules, `making` writes the folder. None of this is in the page. Imports base, and the words
of source for the editor's colours.
"""
