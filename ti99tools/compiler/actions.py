"""What the runtime does for a program: each action with its entry and the ranges of its results.

Words are given to an entry in R1 to R4, results come in R0 and R1. Actions that take anything else
have a function in `emit.actions`.
"""

from __future__ import annotations

from ti99tools.language.analysis.intervals import TRUTH, WORD_HIGH, Interval

ENTRIES: dict[str, str] = {
    "clear": "CLEAR", "put": "PUT", "hchar": "HCHAR", "vchar": "VCHAR", "gchar": "GCHAR",
    "charset": "CHRSET", "color": "COLOR", "screen": "SCREEN", "key": "KEY", "joyst": "JOYST",
    "print": "PRINT", "display at": "DSPAT", "display in": "DSPIN", "comma": "PCOMMA",
    "new line": "PCOLON", "line end": "PCOLON", "tab": "PTAB", "print done": "PDONE",
    "field end": "PFIELD", "beep": "BEEP", "delay": "DELAY", "randomize by chance": "RNDANY",
    "sound begin": "SNDNEW", "sound play": "SNDPLY",
    "sprite pattern": "SPRPAT", "sprite color": "SPRCOL", "sprite place": "SPRPLC",
    "sprite motion": "SPRMOT", "sprite position": "SPRPOS", "sprite hide": "SPRHID",
    "sprites off": "SPROFF", "magnify": "MAGNFY", "coinc all": "COIALL", "coinc at once": "COINOW",
    "accept": "ACBEG", "accept below": "ACBELO", "accept at": "ACAT", "accept size": "ACSIZE",
    "accept beep": "ACBEEP", "prompt tone": "PTONE",
    "display size": "DSPSIZ", "field open": "PFOPEN", "new row": "PNEWRW",
    "file comma": "FCOMMA", "file new line": "FCOLON", "file tab": "FTAB",
    "file line end": "FEOL", "file print done": "FDONE", "file print begin": "FPBEG",
    "file items begin": "FINBEG",
    "file record": "FSEEK", "find file": "FCHECK", "file rewind": "FREWIN", "file more": "FMORE",
    "open number": "FOPNUM", "open length": "FOPLEN", "open records": "FOPREC",
    "using comma": "USCOMA", "using done": "USDONE", "coinc sprites": "COISPR",
    "coinc place": "COIPLC", "distance sprites": "DISSPR", "distance place": "DISPLC",
}  # fmt: skip
"""Action → entry of the runtime that takes words only."""

RESULTS: dict[str, tuple[Interval, ...]] = {
    "key": (Interval(-1, 255), Interval(-1, 1)), "joyst": (Interval(-4, 4), Interval(-4, 4)),
    "gchar": (Interval(0, 255),), "sprite position": (Interval(0, 256), Interval(0, 256)),
    "coinc all": (TRUTH,), "coinc at once": (TRUTH,),
    "coinc sprites": (TRUTH,), "coinc place": (TRUTH,),
    "distance sprites": (Interval(0, WORD_HIGH),), "distance place": (Interval(0, WORD_HIGH),),
    "error": (Interval(0, 255), Interval(-1, 0), Interval(0, 9), Interval(0, WORD_HIGH)),
}  # fmt: skip
"""Action → the ranges of its results."""

CHANGES_SPRITES = frozenset({
    "sprite pattern", "sprite color", "sprite place", "sprite motion", "sprite hide", "sprites off",
})  # fmt: skip
