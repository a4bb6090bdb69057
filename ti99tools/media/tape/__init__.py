"""Cassettes: what CS1 writes, as bits and as sound, and what worn tapes still hold.

A tape is a sequence of units: a program, or one record of a file. `biphase` turns bits into changes
of level and back, `wav` is the file format of sound, `hearing` finds the changes in a recording,
`recovery` finds the units and repairs what a worn tape lost; `cassette` is a tape in a recorder.
The source of all figures is a recording of the console's own tapes.
"""
