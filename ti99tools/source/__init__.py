"""Program text: structured dialect, numbered listing, tokenize, list, syntax, lint, source map.

No program files (program/) and no execution (interp/). Imports base.
"""
