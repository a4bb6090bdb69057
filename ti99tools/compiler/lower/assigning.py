"""LET and RANDOMIZE, and READ and RESTORE with the items of DATA."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.flow import block_of_line
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import STRING_VARIABLE, refuse
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.computer.numbers.radix import Radix
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement


@lowers(st.Let)
def _let(low: Context, node: st.Let) -> None:
    """A,B(I)=value."""
    if node.value is None:
        refuse("it is not an assignment", "correct it")
    if node.value.is_string or any(target.is_string for target in node.targets):
        refuse(STRING_VARIABLE)
    value = values.number(low, node.value)
    # Calculated once: RND or a changed variable would give each target another value.
    if len(node.targets) > 1 and value.op not in ("const", "var"):
        kept = low.names.hidden("each target")
        low.blocks.assign(kept, value)
        value = ir.var(kept)
    for target in node.targets:
        store(low, target, value)


def store(low: Context, target: nd.Target, value: ir.Expr) -> None:
    """Assign to a variable or an element."""
    place = values.place(low, target)
    limits = low.declared.get(place if isinstance(place, str) else place[0])
    if limits is not None:
        value = ir.Expr("round", (value,), (*limits, xb.BAD_VALUE))
    low.blocks.store_at(place, value)


def collect_data(low: Context) -> None:
    """Collect the items of all DATA."""
    for number, statements in low.program.parsed.items():
        for statement in every_statement(statements):
            if isinstance(statement, st.Data):
                low.items.first.setdefault(number, len(low.blocks.code.data))
                for text, quoted in statement.items:
                    _item(low, text, quoted)


def _item(low: Context, text: str, quoted: bool) -> None:
    try:
        value = parse_number(text)
        if quoted or (isinstance(value, Radix) and value.overflow):
            raise ValueError
    except ValueError:
        low.items.bad[len(low.blocks.code.data)] = text
        value = 0
    low.blocks.code.data.append(value)


@lowers(st.Read)
def _read(low: Context, node: st.Read) -> None:
    """READ of numbers."""
    if any(target.is_string for target in node.targets):
        refuse(STRING_VARIABLE)
    # Which item a READ meets shows only as the program runs: all of them have to be numbers.
    if low.items.bad:
        text = next(iter(low.items.bad.values()))
        refuse(f'DATA holds "{text}", which is not a number')
    if low.scan.first_data is None:
        refuse("it fails with DATA ERROR: the pre-scan has met no DATA", "add DATA")
    for target in node.targets:
        place = values.place(low, target)
        if isinstance(place, str) and place not in low.declared:
            low.blocks.do("read", results=(place,))
            continue
        kept = low.names.hidden("item read")
        low.blocks.do("read", results=(kept,))
        store(low, target, ir.var(kept))


@lowers(st.Restore)
def _restore(low: Context, node: st.Restore) -> None:
    """RESTORE: the items from a line on; DATA ERROR comes at READ where none follows."""
    if node.line is not None:
        block_of_line(low, node.line)
    line = 0 if node.line is None else node.line
    places = [at for number, at in low.items.first.items() if number >= line]
    low.blocks.do("restore", data=min(places, default=len(low.blocks.code.data)))


@lowers(st.Randomize)
def _randomize(low: Context, node: st.Randomize) -> None:
    """RANDOMIZE [seed]."""
    if node.seed is None:
        low.blocks.do("randomize by chance")
    elif node.seed.is_string:
        refuse("it fails with STRING-NUMBER MISMATCH", "use a number")
    else:
        low.blocks.do("randomize", values.number(low, node.seed))
