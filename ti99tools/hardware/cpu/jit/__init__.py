"""Machine code compiled to Python, trace by trace: three times as fast, identical to the cycle.

`compiled.CompiledProcessor` runs it, `traces` chooses what is compiled together, `translating` and
`tracetext` write the Python.
"""
