"""What the machine does with a program between RUN and its first statement: the one pre-scan.

RUN, the memory report and lint all go through `scanner`. It enters names into the tables of
`symbols`, which also tell the memory taken for them and the work that it was.
"""

from ti99tools.language.prescan.scanner import Prescan, Scan

__all__ = ["Prescan", "Scan"]
