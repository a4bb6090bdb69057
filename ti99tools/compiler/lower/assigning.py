"""LET, READ, RESTORE and RANDOMIZE: storing values, and the items of DATA.

These are numbers where nothing else is read. Otherwise READ goes through the tokens of the lines
with DATA, as Extended BASIC does: after an error it goes on within an item, and at last in the line
that lies above in memory, the one before.
"""

from __future__ import annotations

from collections.abc import Sequence

from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.language import COSTS, DATA_LOOKED_AT
from ti99tools.compiler import ir
from ti99tools.compiler.actions import expression_fails
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.pacing import note_more
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Number, overflowed
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st


@lowers(st.Let)
def _let(low: Context, node: st.Let) -> None:
    """A,B(I)=value."""
    if node.value is None:
        for target in node.targets:
            values.place(low, target)
        return
    mismatch = any(target.is_string != node.value.is_string for target in node.targets)
    places = [values.place(low, target) for target in node.targets]
    # All subscripts are calculated before the value, and this before the first is assigned.
    if mismatch or len(places) > 1:
        places = [settled(low, place, f"{at}.") for at, place in enumerate(places)]
    if mismatch:
        values.of_any_type(low, node.value)
        fail(xb.STRING_NUMBER_MISMATCH, "assign a string to a string variable")
    if node.value.is_string:
        _let_texts(low, places, values.text(low, node.value))
        return
    value = values.number(low, node.value)
    if len(places) > 1 and value.op not in ("const", "var"):
        value = low.held("each target", value)
    for place in places:
        store_in(low, place, value)


def _let_texts(low: Context, places: Sequence[ir.Target], value: ir.Expr) -> None:
    """A$,B$(I)=value: made once, and copied."""
    first, *others = places
    if others and isinstance(first, tuple) and not _stays(value):
        hidden = low.held("each target$", value)
        last = others.pop()
        for place in (first, *others):
            low.blocks.store_at(place, hidden)
        low.blocks.store_at(last, ir.moved(hidden))
        return
    low.blocks.store_at(first, value)
    for place in others:
        low.blocks.store_at(place, values.held(first) if isinstance(first, str) else value)


def _stays(value: ir.Expr) -> bool:
    """Tell whether a text is as it was once a place has been assigned it, and takes no RND."""
    steady = (position.args[0].op in ("const", "var") for position in value.args)
    return value.op in ("text", "var") or (value.op == "elem" and all(steady))


def store(low: Context, target: nd.Target, value: ir.Expr) -> None:
    """Assign to a variable or an element."""
    store_in(low, values.place(low, target), value)


def store_in(low: Context, place: ir.Target, value: ir.Expr) -> None:
    """Assign to a place, within its RANGE."""
    low.blocks.store_at(place, within_range(low, place, value))


def within_range(low: Context, place: ir.Target, value: ir.Expr) -> ir.Expr:
    """A value for a place, or an error where it is not within its RANGE."""
    limits = low.declared.get(place if isinstance(place, str) else place[0])
    return value if limits is None else ir.Expr("round", (value,), (*limits, xb.BAD_VALUE))


def settled(low: Context, place: ir.Target, word: str = "") -> ir.Target:
    """A place whose subscripts have been evaluated; `word`: of which of a statement's places."""
    if isinstance(place, str):
        return place
    positions = (_settled(low, f"{word}{at}", one) for at, one in enumerate(place[1]))
    return place[0], tuple(positions)


def _settled(low: Context, at: str, position: ir.Expr) -> ir.Expr:
    if position.args[0].op == "const" and not expression_fails(position):
        return position
    # Where all numbers are cells, the variable has to be rounded to be a position.
    return ir.Expr(position.op, (low.held(f"subscript {at}", position),), position.data)


@lowers(st.Randomize)
def _randomize(low: Context, node: st.Randomize) -> None:
    """RANDOMIZE [seed]."""
    if node.seed is None:
        low.blocks.do("randomize by chance")
        return
    seed = values.number(low, node.seed)
    # Nothing but RND depends on the seed.
    low.blocks.do("randomize" if low.draws_numbers else "calculate", seed)


def collect_data(low: Context) -> None:
    """Collect the items of all DATA."""
    items: list[tuple[str, bool]] = []
    read: list[nd.Target] = []
    for number, statement in low.statements:
        if isinstance(statement, st.Data):
            low.data_lines.setdefault(number, (len(items), statement.at + 1))
            items += statement.items
        elif isinstance(statement, st.Read):
            read += statement.targets
    found = [item_number(*item) for item in items]
    low.blocks.code.data = [_kept(value) for value in found if value is not None]
    low.blocks.code.data_items = items
    low.blocks.code.data_begins = [begin for begin, _ in low.data_lines.values()]
    numbers = [number for number, _ in low.program.lines]
    low.blocks.code.data_sought = [
        _sought(low, numbers.index(number) + 1) for number in low.data_lines
    ]
    texts = any(target.is_string for target in read)
    if read and (texts or not all(value is not None and not overflowed(value) for value in found)):
        _collect_lines(low)


def _sought(low: Context, line: int) -> int:
    """Cycles that Extended BASIC takes to find the first DATA from a line on, by its index."""
    after = (number for number, _ in low.program.lines[line:])
    looked_at = next((n for n, number in enumerate(after, 1) if number in low.data_lines), None)
    return DATA_LOOKED_AT * (len(low.program.lines) - line if looked_at is None else looked_at)


def _collect_lines(low: Context) -> None:
    """Take the lines with DATA as they are; in programs with ON ERROR those before them too."""
    code = low.blocks.code
    lines = low.program.lines
    for at, (number, tokens) in enumerate(lines):
        data = low.data_lines.get(number)
        after = lines[at + 1][0] if at + 1 < len(lines) else None
        if data is not None or (low.handling and after in low.data_lines):
            code.data_lines.append((tokens, None if data is None else data[1]))
    code.data_wander = low.handling
    first = low.scan.first_data
    begins = lines[first][0] if first is not None else 0
    code.first_data = sum(number < begins for number in low.data_lines)


def item_number(text: str, quoted: bool) -> Number | None:
    """An item as a number, if it is one."""
    try:
        return None if quoted else parse_number(text)
    except ValueError:
        return None


def _kept(value: Number) -> Number:
    return value.value_after_warning if overflowed(value) else value


@lowers(st.Read)
def _read(low: Context, node: st.Read) -> None:
    for target in node.targets:
        place = settled(low, values.place(low, target))
        if low.scan.first_data is None:
            fail(xb.DATA_ERROR, "add DATA that the pre-scan meets")
        if target.is_string:
            low.blocks.store_at(place, ir.Expr("item"))
        elif isinstance(place, str) and place not in low.declared:
            low.blocks.do("read", results=(place,))
        else:
            hidden = low.names.hidden("item read")
            low.blocks.do("read", results=(hidden,))
            store_in(low, place, ir.var(hidden))


@lowers(st.Restore)
def _restore(low: Context, node: st.Restore) -> None:
    """RESTORE: the items from a line on; DATA ERROR comes at READ where none follows."""
    if node.line is not None and node.line > low.program.lines[-1][0]:
        fail(xb.DATA_ERROR, "name a line that is there")
    line = 0 if node.line is None else node.line
    before = sum(number < line for number, _ in low.program.lines)
    note_more(low, COSTS["line before"] * before + _sought(low, before))
    later = [n for n, number in enumerate(low.data_lines) if number >= line]
    entry = min(later, default=len(low.data_lines))
    if not low.blocks.code.data_lines:
        firsts = [first for first, _ in low.data_lines.values()]
        entry = [*firsts, len(low.blocks.code.data)][entry]
    low.blocks.do("restore", data=entry)
