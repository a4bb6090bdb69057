"""What the machine does with a program between RUN and its first statement: the one pre-scan.

RUN, the memory report and lint all go through `scanner`. It enters names into the tables of
`symbols` and takes memory for them by `taken`, whose sizes stand in `sizes`. `remedies` says what
to do about an error found here. Imports base and the parser beside it.
"""

from ti99tools.source.prescan.scanner import Prescan, Scan

__all__ = ["Prescan", "Scan"]
