"""Cassettes: what CS1 writes, as bits and as sound, and back from worn tapes.

A tape is a row of units: a program, or one record of a file. `biphase` knows the changes of level
that bits are, `wav` the sound, `recovery` the units and what a worn tape still holds of them;
`cassette` is a tape in a recorder. The source of all figures is a recording of the console's own
tapes.
"""
