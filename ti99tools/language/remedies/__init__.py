"""What to do about mistakes: a table of slips, words of other BASICs, lines that are refused.

`statements` is asked about a statement that fails and looks into `table`, whose patterns `patterns`
explains; `entries` is asked about a line that the editor refuses. `words` and `slips` work out what
a pattern cannot say, `otherbasics` has the words of other BASICs.
"""
