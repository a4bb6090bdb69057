"""Machine code compiled to Python, trace by trace: three times as fast, the same to the cycle.

`compiled.CompiledProcessor` runs it, `traces` finds what is compiled together, `translating` and
`tracetext` write the Python.
"""
