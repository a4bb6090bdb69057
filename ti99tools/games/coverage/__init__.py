"""From the counts of a run to the statements of the source: totals, lcov, JSON, text.

What lives here: which statements a program has and where they were written, counts added up over
runs, and the forms in which other tools read them. What does not: counting (computer/interp),
pages (report).
"""
