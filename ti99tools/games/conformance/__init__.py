"""Cases and vectors recorded from the original ROMs, compared with our machine.

The recorded data are in tests/conformance.
"""
