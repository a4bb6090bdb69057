"""Cases and vectors recorded from the original ROMs, held against ours.

Recorded data are not here (tests/conformance).
"""
