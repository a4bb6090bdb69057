"""What the machine does with a program between RUN and its first statement: the one pre-scan.

RUN, the memory report and lint all use `scanner`. It enters names into the tables of `symbols`,
which also count the memory taken and the work done.
"""

from ti99tools.language.prescan.scanner import Prescan, Scan

__all__ = ["Prescan", "Scan"]
