"""How large programs become: code by kind of statement, constants, data, runtime.

`python -m tests.compiler.sizes [NAME …]` prints the table for games or sources (without names: for
our four games). What is compiled is measured. A statement that is refused is estimated as calls of
the runtime with the addresses of their operands after them: `MODEL`.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from ti99tools.app.compile import program_of
from ti99tools.compiler import ir
from ti99tools.compiler.certain import ranges_of
from ti99tools.compiler.compiling import nowhere
from ti99tools.compiler.emit.assembly import bytes_of
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.emitter import Emitter
from ti99tools.compiler.graph import measure_depths, prune
from ti99tools.compiler.heat import HOTTEST, heat_of
from ti99tools.compiler.kinds import WORD, Kinds, Places
from ti99tools.compiler.linking import HighMemory
from ti99tools.compiler.lower.lowering import Lowering
from ti99tools.compiler.short.bytecode import shorten
from ti99tools.compiler.tables import tables
from ti99tools.language.analysis.flow import Node
from ti99tools.language.program.program import Program
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax import statements as st

GAMES = ("d5000", "dicerack", "lambo", "dimraw")
MODEL = {"call": 4, "operand": 2, "result": 2, "jump": 4}
"""Bytes: a call of the runtime, the address of an operand and of a result, a jump that depends."""
LINE = 6
"""Bytes of a line besides its tokens."""
WORD_BYTES, CELL_BYTES = 2, 8


@dataclass
class Sizes:
    """The sizes of a program in bytes."""

    tokens: int = 0
    kinds: dict[tuple[str, bool], Counter[str]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    """Kind of statement, and whether it is hot → statements, tokens, code, estimated code."""
    subs: Counter[str] = field(default_factory=Counter)
    constants: int = 0
    data: int = 0
    tables: int = 0
    templates: int = 0
    """With byte code: what its bytes stand for."""
    runtime: int = 0
    labels: set[str] = field(default_factory=set)
    """What the runtime defines."""
    memory: int = 0
    refused: int = 0

    @property
    def code(self) -> int:
        """All code, measured and estimated."""
        return sum(each["code"] + each["estimated"] for each in self.kinds.values())

    @property
    def total(self) -> int:
        """All that high memory holds."""
        tables = self.tables + self.templates
        return self.code + self.constants + self.data + tables + self.runtime


ALL_COLD = HOTTEST + 1
"""No statement is as hot as this."""


def sizes_of(program: Program, *hot_from: int, short: bool = False) -> list[Sizes]:
    """The sizes of a program, for each heat from which on statements are quick.

    `short`: the others are byte code.
    """
    lowering = Lowering(program.analysis, nowhere, program.ranges)
    code = lowering.lowered()
    prune(code)
    measure_depths(code)
    kinds = Kinds(code, ranges_of(code))
    refused = {spot for _, spot in lowering.low.refused}
    heat = heat_of(program.analysis)
    found = []
    for hot in hot_from:
        emission = Emitter(code, kinds, Places(code, kinds), heat, hot).run()
        hot_spots = {spot for spot, own in heat.items() if own >= hot}
        if short:
            shorten(emission, hot_spots)
        found.append(_sizes(program, emission, refused, hot_spots))
    return found


def _sizes(program: Program, emission: Emission, refused: set[ir.Spot], hot: set[ir.Spot]) -> Sizes:
    measured = _measured(emission)
    found = Sizes(sum(len(line.tokens) + LINE for line in program.lines))
    texts: set[str] = set(emission.constants.texts)
    for node in program.analysis.flow.nodes[1:]:
        spot = (node.line, node.statement.at)
        kind = found.kinds[kind_of(node), spot in hot]
        kind["statements"] += 1
        kind["tokens"] += _tokens(node.statement)
        if spot in refused:
            own = _modelled(node.statement)
            kind["estimated"] += own
            texts |= {part.text for part in st.parts(node.statement) if isinstance(part, nd.String)}
        else:
            own = measured[spot]
            kind["code"] += own
        found.subs[node.scope] += own
    found.refused = len(refused)
    _rest(found, emission, program, texts)
    return found


def _rest(found: Sizes, emission: Emission, program: Program, texts: set[str]) -> None:
    """All but the code."""
    constants = emission.constants
    found.constants = WORD_BYTES * len(constants.words) + CELL_BYTES * len(constants.cells)
    found.constants += sum(_even(1 + len(text)) for text in texts)
    width = WORD_BYTES if emission.kinds.data == WORD else CELL_BYTES
    for node in program.analysis.flow.nodes:
        if isinstance(node.statement, st.Data):
            items = node.statement.items
            found.data += sum(_even(1 + len(t)) if _is_text(t) else width for t, _ in items)
    section = emission.out.section
    found.tables = bytes_of(tables(emission, section))
    if section.short is not None:
        found.templates = bytes_of(section.short.tables)
    runtime = HighMemory(emission).source.partition("RTBEG\n")[2].partition("RTEND\n")[0]
    found.runtime = bytes_of(runtime)
    found.labels = {row.split()[0] for row in runtime.splitlines() if not row.startswith(" ")}
    labels = (*emission.places.labels, *emission.places.array_sizes)
    found.memory = sum(size for _, size in labels)


def _is_text(text: str) -> bool:
    """Tell whether an item of DATA is not a number."""
    return any(c not in "0123456789.+-E " for c in text)


def _even(size: int) -> int:
    return size + (size & 1)


def _measured(emission: Emission) -> Counter[ir.Spot]:
    """The bytes of each statement's code."""
    spots = {mark.label: mark.spot for mark in emission.out.section.marks}
    found: Counter[ir.Spot] = Counter()
    spot: ir.Spot = (0, 0)
    for row in emission.out.listing.rows:
        spot = spots.get(row.label, spot)
        found[spot] += row.size
    if emission.out.section.short is not None:
        for mark, size in emission.out.section.short.sizes.items():
            found[spots[mark]] += size
    return found


def _tokens(statement: st.Statement) -> int:
    """The bytes of a statement's tokens, without those in the branches of an IF."""
    size = statement.end - statement.at
    if isinstance(statement, st.If):
        for branch in (statement.then, statement.otherwise):
            if isinstance(branch, tuple):
                size -= branch[-1].end - branch[0].at
    return size


def _modelled(statement: st.Statement) -> int:
    """The bytes of a statement that is not compiled yet."""
    size = MODEL["call"] + MODEL["jump"] * isinstance(statement, st.If)
    for part in st.parts(statement):
        if isinstance(part, nd.Binary | nd.Unary | nd.Function):
            size += MODEL["call"] + MODEL["result"]
        elif isinstance(part, nd.Element):
            size += MODEL["call"] + MODEL["operand"] + MODEL["result"]
        elif isinstance(part, nd.Variable | nd.String | nd.Number | st.WholeArray):
            size += MODEL["operand"]
        elif isinstance(part, st.Clause | st.Tab | st.Separator | st.Attribute | st.Using):
            size += MODEL["call"]
    return size


_GROUPS = {
    "LET": (st.Let,),
    "IF": (st.If,),
    "FOR, NEXT": (st.For, st.Next),
    "GOTO, GOSUB, ON, RETURN": (st.Goto, st.Gosub, st.OnGo, st.Return, st.Subend, st.Subexit),
    "PRINT, DISPLAY": (st.Print, st.Display),
    "INPUT, ACCEPT": (st.Input, st.Linput, st.Accept),
    "files": (st.Open, st.Close, st.RestoreFile, st.Delete),
    "READ, RESTORE": (st.Read, st.Restore),
}


def kind_of(node: Node) -> str:
    """The kind of a statement, as the table has it."""
    statement = node.statement
    if isinstance(statement, st.Call):
        return "CALL of its SUBs" if node.enters else "CALL of built-ins"
    if isinstance(statement, st.Print | st.Input | st.Linput) and statement.file is not None:
        return "files"
    if isinstance(statement, st.Let) and any(one.is_string for one in statement.targets):
        return "LET of strings"
    return next((name for name, own in _GROUPS.items() if isinstance(statement, own)), "others")


HIGH, LOW = 24_576, 8_192
"""Bytes of memory for a program, and for its variables."""


def by_kind(found: Sizes) -> str:
    """The code of a program by kind of statement, hot and cold."""
    rows = ["| statements | hot: tokens | code | cold: tokens | code |", "|---|---|---|---|---|"]
    for name in dict.fromkeys(name for name, _ in sorted(found.kinds)):
        cells = [name]
        for hot in (True, False):
            kind = found.kinds[name, hot]
            cells += [f"{kind['tokens']:,}", _shown(kind)]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _shown(kind: Counter[str]) -> str:
    total = f"{kind['code'] + kind['estimated']:,}"
    return f"{total} ({kind['estimated']:,} estimated)" if kind["estimated"] else total


def summary(all_of_them: dict[str, Sizes]) -> str:
    """The table of programs."""
    heads = "tokens", "code, hot", "cold", "constants", "data", "tables", "runtime"
    rows = [f"| | {' | '.join(heads)} | of {HIGH:,} | of {LOW:,} |", "|---" * 10 + "|"]
    for name, own in all_of_them.items():
        hot, cold = (
            sum(each["code"] + each["estimated"] for (_, h), each in own.kinds.items() if h is heat)
            for heat in (True, False)
        )
        figures = (
            own.tokens, hot, cold, own.constants, own.data, own.tables + own.templates,
            own.runtime, own.total, own.memory,
        )  # fmt: skip
        rows.append(f"| {name} | {' | '.join(f'{each:,}' for each in figures)} |")
    return "\n".join(rows)


def main(names: list[str]) -> None:
    """Print the tables."""
    found: dict[str, Sizes] = {}
    for name in names or GAMES:
        program = program_of(name)
        hot, cold = sizes_of(program, 1, ALL_COLD)
        (short,) = sizes_of(program, ALL_COLD, short=True)
        found |= {name: hot, f"{name}, all cold": cold, f"{name}, byte code": short}
    print(summary(found))
    for name, own in found.items():
        most = own.subs.most_common(5)
        largest = ", ".join(f"{sub or 'main program'} {size:,}" for sub, size in most)
        print(f"\n{name}: {own.refused} statements estimated; largest: {largest}\n")
        print(by_kind(own))


if __name__ == "__main__":
    main(sys.argv[1:])
