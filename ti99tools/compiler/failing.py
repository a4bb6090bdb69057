"""Which actions and ends of blocks can fail: RETURN from ON ERROR goes on at or after these."""

from __future__ import annotations

from ti99tools.compiler import ir

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
