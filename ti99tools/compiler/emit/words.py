"""Words, calculated in the registers R1 to R5; R0 holds short-lived values.

What is calculated as a word into R`r`, and stored; registers from there on, and R0, may change.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler.emit import values
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.values import word_of
from ti99tools.compiler.kinds import CELL, WORD, Typed, order_matters
from ti99tools.language.analysis.intervals import WORD_HIGH, WORD_LOW

LAST = 4
"""The last register that a value may be calculated in: products take one more."""
_DIRECT = {"add": "A", "sub": "S", "or": "SOC"}
_STEPS = {1: "INC", -1: "DEC", 2: "INCT", -2: "DECT"}


"""Generates code for words."""


def address_of(e: Emission, t: Typed) -> str:
    """The address of the word of a variable or constant; empty for anything else."""
    if t.constant is not None:
        return e.constants.word(t.constant)
    if t.op == "var":
        return e.places.address(t.data)
    return ""


def in_memory(e: Emission, t: Typed, r: int) -> str:
    """The address of a word, calculated by R`r` if it must be."""
    place = address_of(e, t)
    if not place:
        values.word(e, t, r)
        place = e.keep(f"R{r}")
    return place


# -- operations -----------------------------------------------------------------------------


@word_of("elem")
def _element(e: Emission, t: Typed, r: int) -> None:
    values.index(e, t.args[0], r, 2)
    e.out.op("MOV", f"@{e.array_label(t.data)}(R{r}),R{r}")


_OF_ONE = {"not": "INV", "neg": "NEG", "abs": "ABS"}


@word_of(*_OF_ONE)
def _of_one(e: Emission, t: Typed, r: int) -> None:
    values.word(e, t.args[0], r)
    e.out.op(_OF_ONE[t.op], f"R{r}")


@word_of("randint")
def _random(e: Emission, t: Typed, r: int) -> None:
    if t.args[0].constant is not None:
        e.out.op("LI", f"R0,{t.args[0].constant}")
    else:
        values.word(e, t.args[0], r)
        e.out.op("MOV", f"R{r},R0")
    e.out.call("RNDINT")
    e.out.op("MOV", f"R0,R{r}")


@word_of("sgn")
def _sign(e: Emission, t: Typed, r: int) -> None:
    e.out.call("CSGN", values.cell(e, t.args[0], r))
    e.out.op("MOV", f"R0,R{r}")


@word_of("toword")
def _rounded(e: Emission, t: Typed, r: int) -> None:
    """A cell as a word; a small constant is added to the word where that is quicker."""
    low, high, error = t.data
    inner = t.args[0]
    by = inner.args[1].constant if inner.op in ("add", "sub") else None
    # The negative of -32768 is not a word.
    if e.hot and by is not None and by != WORD_LOW:
        place = values.cell(e, inner.args[0], r)
        sign = by if inner.op == "add" else -by
        _to_word(e, place, low, high, error, sign, inner)
    else:
        _to_word(e, values.cell(e, inner, r), low, high, error)
    e.out.op("MOV", f"R0,R{r}")


def _to_word(
    e: Emission,
    place: str,
    low: int,
    high: int,
    error: int,
    by: int = 0,
    whole: Typed | None = None,
) -> None:
    """A cell as a word in R0, in place where it holds a small integer within the limits.

    `by` is added to it; `whole` is then the sum.
    """
    limits = e.constants.limit(low, high, error)
    if not e.hot:
        e.out.call("CTOW", place, limits)
        return
    slow = e.out.aside(lambda: None)
    back = e.out.fresh()
    e.out.op("MOV", f"@{place},R0")
    e.out.jump("JNE", slow)
    e.out.op("MOV", f"@{place}+2,R0")
    if by:
        step(e, "R0", by)
        e.out.jump_if_over(slow)
    if (low, high) != (WORD_LOW, WORD_HIGH):
        _within(e, low, high, slow)
    e.out.label(back)

    def work() -> None:
        e.out.call("CTOW", place if whole is None else _whole(e, place, whole), limits)
        e.out.jump("JMP", back)

    e.out.redo(slow, work)


def _within(e: Emission, low: int, high: int, out: str) -> None:
    """Jump where R0 is outside its limits; from 0 on one unsigned comparison does."""
    e.out.op("CI", f"R0,{high}")
    if low == 0:
        e.out.jump("JH", out)
    else:
        e.out.jump("JGT", out)
        e.out.op("CI", f"R0,{low}")
        e.out.jump("JLT", out)


def _whole(e: Emission, place: str, whole: Typed) -> str:
    """The sum of a cell and a small constant, by the runtime; where it lies."""
    constant = whole.args[1].constant
    assert constant is not None
    total = e.temps.cell()
    entry = "CADD" if whole.op == "add" else "CSUB"
    e.out.call(entry, place, e.constants.cell(constant), total)
    return total


@word_of("check")
def _check(e: Emission, t: Typed, r: int) -> None:
    """An error where a word is outside its limits."""
    values.word(e, t.args[0], r)
    low, high, error = t.data
    own = t.args[0].range
    one_sided = low == 0 or own.low >= low or own.high <= high
    if not (e.hot or (e.near_checks and one_sided)):
        if r:
            e.out.op("MOV", f"R{r},R0")
        e.out.call("WCHECK", e.constants.limit(low, high, error))
        return
    bad = e.out.failing(error)
    # Read without a sign a negative word is above the limit: one comparison finds both.
    if low == 0 and own.low < 0 and high < WORD_HIGH:
        e.out.op("CI", f"R{r},{high}")
        e.out.jump("JH", bad)
        return
    if own.high > high:
        e.out.op("CI", f"R{r},{high}")
        e.out.jump("JGT", bad)
    if own.low < low:
        if low == 0 and own.high <= high:
            e.out.op("MOV", f"R{r},R{r}")
        else:
            e.out.op("CI", f"R{r},{low}")
        e.out.jump("JLT", bad)


@word_of("wrapped")
def _wrap(e: Emission, t: Typed, r: int) -> None:
    """A row or column counted from 0: below 1 is the first; beyond the last it starts again."""
    values.word(e, t.args[0], r)
    first, done = e.out.fresh(), e.out.fresh()
    own = t.args[0].range
    if own.low < 1:
        e.out.op("MOV", f"R{r},R{r}")
        good = e.out.fresh()
        e.out.jump("JGT", good)
        e.out.op("CLR", f"R{r}")
        e.out.jump("JMP", done)
        e.out.label(good)
    e.out.op("DEC", f"R{r}")
    if own.high > t.data:
        e.out.label(first)
        e.out.op("CI", f"R{r},{t.data}")
        e.out.jump("JLT", done)
        e.out.op("AI", f"R{r},-{t.data}")
        e.out.jump("JMP", first)
    e.out.label(done)


@word_of("add", "sub", "or")
def _binary(e: Emission, t: Typed, r: int) -> None:
    left, right = t.args
    if t.op == "add" and left.constant is not None:
        left, right = right, left
    constant = right.constant
    if constant is not None and t.op != "or":
        values.word(e, left, r)
        step(e, f"R{r}", constant if t.op == "add" else -constant)
        return
    source = values.source(e, right)
    if source is not None:
        values.word(e, left, r)
        e.out.op(_DIRECT[t.op], f"{source},R{r}")
    elif t.op == "add" and values.source(e, left) is not None:
        values.word(e, right, r)
        e.out.op("A", f"{values.source(e, left)},R{r}")
    else:
        other = both(e, left, right, r)
        e.out.op(_DIRECT[t.op], f"{other},R{r}")


def both(e: Emission, left: Typed, right: Typed, r: int) -> str:
    """Calculate both; the left one is in R`r`, the operand of the right one is returned."""
    values.word(e, left, r)
    if r < LAST:
        values.word(e, right, r + 1)
        return f"R{r + 1}"
    slot = e.keep(f"R{r}")
    values.word(e, right, r)
    e.out.op("MOV", f"R{r},R0")
    e.out.op("MOV", f"@{slot},R{r}")
    return "R0"


def step(e: Emission, operand: str, by: int) -> None:
    """Add a constant to a word."""
    by = ((by + 0x8000) & 0xFFFF) - 0x8000
    if by in _STEPS:
        e.out.op(_STEPS[by], operand)
    elif by and operand[0] == "R":
        e.out.op("AI", f"{operand},{by}")
    elif by:
        e.out.op("A", f"@{e.constants.word(by)},{operand}")


@word_of("and", "xor")
def _bits(e: Emission, t: Typed, r: int) -> None:
    left, right = t.args
    if left.constant is not None:
        left, right = right, left
    if t.op == "and" and right.constant is not None:
        values.word(e, left, r)
        e.out.op("ANDI", f"R{r},{right.constant & 0xFFFF}")
        return
    other = both(e, left, right, r)
    if t.op == "xor":
        e.out.op("XOR", f"{other},R{r}")
    else:
        e.out.op("INV", f"R{r}")
        # AND of two operands: the processor only clears in one the bits that the other has.
        e.out.op("SZC", f"R{r},{other}")
        e.out.op("MOV", f"{other},R{r}")


@word_of("mul")
def _product(e: Emission, t: Typed, r: int) -> None:
    left, right = t.args
    if left.constant is not None:
        left, right = right, left
    factor = right.constant
    if factor is not None and factor > 0 and factor & (factor - 1) == 0:
        values.word(e, left, r)
        if factor > 1:
            e.out.op("SLA", f"R{r},{factor.bit_length() - 1}")
        return
    source = f"@{e.constants.word(factor)}" if factor is not None else values.source(e, right)
    if source is None:
        source = both(e, left, right, r)
        if source != "R0":
            e.out.op("MOV", f"{source},R0")
        source = "R0"
    else:
        values.word(e, left, r)
    # The product has two words; the low one is the same with and without a sign.
    e.out.op("MPY", f"{source},R{r}")
    e.out.op("MOV", f"R{r + 1},R{r}")


@word_of("quot", "mod")
def _quotient(e: Emission, t: Typed, r: int) -> None:
    left, right = t.args
    divisor = right.constant
    power = divisor is not None and divisor & (divisor - 1) == 0
    if power:
        assert divisor is not None
        values.word(e, left, r)
        if t.op == "mod":
            # Masking and shifting round down, as INT does: both are right for negative numbers.
            e.out.op("ANDI", f"R{r},{divisor - 1}")
        elif divisor > 1:
            e.out.op("SRA", f"R{r},{divisor.bit_length() - 1}")
        return
    place = in_memory(e, right, r)
    # DIV knows no sign.
    if left.range.low < 0:
        values.word(e, left, r)
        e.out.op("MOV", f"R{r},R0")
        e.out.call("WQUOT" if t.op == "quot" else "WMOD", place)
        e.out.op("MOV", f"R0,R{r}")
        return
    values.word(e, left, r)
    e.out.op("MOV", f"R{r},R{r + 1}")
    e.out.op("CLR", f"R{r}")
    e.out.op("DIV", f"@{place},R{r}")
    if t.op == "mod":
        e.out.op("MOV", f"R{r + 1},R{r}")


@word_of("max", "min")
def _larger(e: Emission, t: Typed, r: int) -> None:
    done = e.out.fresh()
    other = both(e, t.args[0], t.args[1], r)
    e.out.op("C", f"R{r},{other}")
    e.out.jump("JGT" if t.op == "max" else "JLT", done)
    e.out.op("MOV", f"{other},R{r}")
    e.out.label(done)


# -- assignments ----------------------------------------------------------------------


def assign(e: Emission, target: str, t: Typed) -> None:
    """Assign to a word variable; in place where that is possible."""
    own = e.places.operand(target)
    if t.constant is not None:
        _set(e, own, t.constant)
        return
    if t.kind == WORD and t.op in ("add", "sub") and _in_place(e, target, own, t):
        return
    source = values.source(e, t)
    if source is not None:
        if source != own:
            e.out.op("MOV", f"{source},{own}")
        return
    as_word(e, t, 1)
    e.out.op("MOV", f"R1,{own}")


def _set(e: Emission, operand: str, value: int) -> None:
    if value in (0, -1):
        e.out.op("CLR" if value == 0 else "SETO", operand)
    elif operand[0] == "R":
        e.out.op("LI", f"{operand},{value}")
    else:
        e.out.op("MOV", f"@{e.constants.word(value)},{operand}")


def _in_place(e: Emission, target: str, own: str, t: Typed) -> bool:
    left, right = t.args
    if t.op == "add" and right.op == "var" and right.data == target:
        left, right = right, left
    if left.op != "var" or left.data != target:
        return False
    if right.constant is not None:
        step(e, own, right.constant if t.op == "add" else -right.constant)
        return True
    source = values.source(e, right)
    if source is None:
        values.word(e, right, 1)
        source = "R1"
    e.out.op("A" if t.op == "add" else "S", f"{source},{own}")
    return True


def as_word(e: Emission, t: Typed, r: int) -> None:
    """A value that is proven to be a word, whatever its kind."""
    if t.kind == CELL:
        t = Typed("toword", WORD, (t,), (WORD_LOW, WORD_HIGH, xb.BAD_VALUE), t.range)
    values.word(e, t, r)


def store(e: Emission, array: str, index: Typed, t: Typed) -> None:
    """Assign to an element of an array of words."""
    place = e.array_label(array)
    if index.constant is not None:
        as_word(e, t, 1)
        e.out.op("MOV", f"R1,@{place}+{2 * index.constant}")
        return
    plain = t.constant in (0, -1) or values.source(e, t) is not None
    if not plain:
        # The runtime changes registers: what comes first is kept in memory.
        if order_matters(index, t):
            values.index(e, index, 1, 2)
            slot = e.keep("R1")
            as_word(e, t, 2)
            e.out.op("MOV", f"@{slot},R1")
            e.out.op("MOV", f"R2,@{place}(R1)")
            return
        if t.kind == CELL or _calls(t):
            as_word(e, t, 2)
            slot = e.keep("R2")
            values.index(e, index, 1, 2)
            e.out.op("MOV", f"@{slot},@{place}(R1)")
            return
        values.index(e, index, 1, 2)
        values.word(e, t, 2)
        e.out.op("MOV", f"R2,@{place}(R1)")
        return
    values.index(e, index, 1, 2)
    if t.constant is not None:
        _set(e, f"@{place}(R1)", t.constant)
    else:
        e.out.op("MOV", f"{values.source(e, t)},@{place}(R1)")


def _calls(t: Typed) -> bool:
    """Tell whether calculating a word calls the runtime."""
    called = t.op in ("toword", "randint", "sgn", "len", "asc", "pos", "passed", "eof", "rec")
    return called or t.kind == CELL or any(map(_calls, t.args))
