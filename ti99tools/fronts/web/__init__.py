"""The studio in a web page: our package in a browser's Python, and the page around it.

`bridge` is what the page's workers call: it has a run (`page_run`, a console that works in slices),
what an editor asks, disks (`page_disks`) and `proving`. `page/` is the page itself, in JavaScript.
`site/` makes the static folder of both; it runs at home, not in a browser.
"""
