"""What the runtime does for a program: each action with its entry and the ranges of its results.

Words are given to an entry in R1 to R4, results come in R0 and R1. Actions that take anything else
have a function in `emit.actions`. RETURN from ON ERROR goes on at or after what can fail.
"""

from __future__ import annotations

from ti99tools.compiler import ir
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
    "break": "BREAKS", "warn of overflow": "WARNOV",
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
SURE = frozenset({
    "const", "var", "elem", "add", "sub", "mul", "div", "neg", *ir.COMPARISONS, "and", "or", "xor",
    "not", "int", "abs", "sgn", "max", "min", "exp", "atn", "rnd", "randint", "quot", "mod",
    "within", "wrapped", "passed", "caught", "len", "text",
    *(f"t{name}" for name in ir.COMPARISONS),
})  # fmt: skip
"""Operations that never fail; some of them give warnings."""
SURE_ACTIONS = frozenset({
    "clear", "put", "hchar", "vchar", "gchar", "charset", "color", "screen", "key", "joyst",
    "print", "comma", "new line", "line end", "tab", "print done", "field end", "beep", "delay",
    "display at", "display in", "show number", "show text", "restore", "randomize by chance",
    "sprite pattern", "sprite color", "sprite motion", "sprite hide", "sprites off", "magnify",
    "look for break", "mark line", "warn", "break", "error", "calculate", "trace", "trace line",
    "on error", "pop loop", "drop loop", "on warning", "on break", "warn of overflow",
    "empty stack", "aim", "pace", "pace begin", "pace shut", "pace sum", "stand still", "run other",
})  # fmt: skip
"""Actions that never fail if their arguments do not."""
NO_VOLUME = -1
"""The volume of a sound's voice of which only the frequency is checked."""


def expression_fails(expr: ir.Expr) -> bool:
    """Tell whether calculating an expression can fail."""
    return any(part.op not in SURE and not _fits(part) for part in ir.walk(expr))


def _fits(expr: ir.Expr) -> bool:
    """Tell whether this is a constant that is rounded to a number within its limits."""
    if expr.op != "round" or expr.args[0].op != "const":
        return False
    low, high, _ = expr.data
    value = expr.args[0].data
    return isinstance(value, int) and low <= value <= high


def can_fail(action: ir.Action | ir.End) -> bool:
    """Tell whether an action or the end of a block can fail."""
    if any(map(expression_fails, ir.expressions(action))):
        return True
    match action:
        case ir.Assign() | ir.Store() | ir.Jump() | ir.Branch() | ir.Leave() | ir.Rerun():
            return False
        case ir.Do(name):
            return name not in SURE_ACTIONS
        case ir.Switch(back=None):
            return False
        case ir.Stop(code=None):
            return False
    return True


def spots_that_fail(block: ir.Block) -> set[ir.Spot]:
    """The statements of a block that can fail."""
    assert block.end is not None
    return {one.spot for one in (*block.body, block.end) if can_fail(one)}
