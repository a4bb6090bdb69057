"""Makes the static folder of the studio: our package, Python for browsers, and the page.

None of this runs in the page.
"""
