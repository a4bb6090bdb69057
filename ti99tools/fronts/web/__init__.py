"""The studio in a web page: our package in a browser's Python, and the page around it.

`bridge` is what the page's workers call: it has an `engine` (a console that runs in slices), what
an editor asks, `drives` (disks) and `proving`. `page/` is the page itself, in JavaScript. `site/`
makes the static folder of both; it runs at home, not in a browser.
"""
