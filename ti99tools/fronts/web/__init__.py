"""The studio in a web page: our package in a browser's Python, and the page around it.

The page's workers call `bridge`, which has a run (`page_run`, a console that works in slices), the
answers for the editor, disks (`page_disks`) and `proving`. `page/` is the page itself, in
JavaScript. `site/` makes the static folder of both; it does not run in a browser.
"""
