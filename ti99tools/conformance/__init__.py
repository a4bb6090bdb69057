"""Cases and vectors recorded on the real console, held against ours.

Recorded data are not here (tests/conformance).
Imports console, cpu, program, disk, numbers, trace, base.
"""
