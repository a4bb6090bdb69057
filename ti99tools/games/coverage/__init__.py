"""From the counts of a run to the statements of the source: totals, lcov, JSON, text.

Here: which statements a program has and where they were written, counts added up over runs, and the
forms that other tools read. Elsewhere: counting (computer/interp), pages (report).
"""
