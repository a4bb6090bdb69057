"""How strong the tests are: sixty faults, each seeded into a copy of the sources and played.

    python -m tests.mutants [FAULT] … [--reach FILE] [--seconds N] [--json FILE]
    python -m tests.mutants --draw 42 --lines coverage.json

`by_hand` has thirty faults written by hand over the nine wings, `drawn` thirty that `drawing` drew
from lines that the tests run. `reach` finds out which tests come to each fault, `playing` runs
them, the shortest first, until one fails.
"""
