"""Where a disk can run: our console, MAME, a log brought from elsewhere.

No comparison (verify/). Imports trace, disk, base (virtual also console).
"""
