"""The SUB alone: in a program that calls it again and again, with anything as arguments.

What a SUB's own statements prove of its variables holds in whatever program it is. Only the sizes
of arrays that are passed come from the CALLs of the program.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Where
from ti99tools.compiler import ir
from ti99tools.compiler.lower.lowering import Lowering
from ti99tools.compiler.refusing import Refused, located
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.flow import all_statements
from ti99tools.language.analysis.intervals import Interval
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.prescan.symbols import AUTOMATIC_SUBSCRIPT, Scope
from ti99tools.language.program.program import Program
from ti99tools.language.syntax import statements as st

MOST_ARGUMENTS = 15
"""Of a LINK, besides the name."""
_LINE = 1


@dataclass(frozen=True)
class Parameter:
    """A parameter: its name in the intermediate form, elements of an array, and its RANGE.

    `elements` is 0 for a variable; `first` is the number of an array's first element for NUMREF.
    """

    number: int
    name: str
    elements: int
    first: int
    limits: tuple[int, int] | None


@dataclass(frozen=True)
class Stub:
    """The intermediate form of a SUB with its stub; `entry` is the SUB's first block."""

    name: str
    code: ir.Code
    parameters: tuple[Parameter, ...]
    entry: str
    spot: ir.Spot
    """The SUB statement."""


def calls_of(analysis: Analysis, name: str) -> Iterator[tuple[str, ir.Spot, st.Call]]:
    """All CALLs of a SUB, each with the scope that it is in and its place."""
    for number, node in all_statements(analysis.parsed, analysis.tokens):
        if isinstance(node, st.Call) and node.name == name:
            scope = analysis.flow.nodes[analysis.flow.first[number]].scope
            yield scope, (number, node.at), node


def stub_of(program: Program, name: str, where: Where) -> Stub:
    """Take a SUB out of its program. Raises SourceError with all that is refused."""
    analysis = program.analysis
    scope = analysis.scan.subs[name]
    first = analysis.lines[scope.first_statement[0]][0]
    try:
        extents = _extents(analysis, scope)
        if len(scope.parameters) > MOST_ARGUMENTS:
            raise Refused(
                f"SUB {name} has more than {MOST_ARGUMENTS} parameters", "LINK takes no more"
            )
    except Refused as refused:
        raise located(refused, first, where(first, 0)) from refused
    own = [
        (number, tokens)
        for number, tokens in analysis.lines
        if analysis.flow.nodes[analysis.flow.first[number]].scope == name
    ]
    names = [
        f"@{at}$" if ir.is_text_name(one.name) else f"@{at}"
        for at, one in enumerate(scope.parameters)
    ]
    calling = _calling(name, scope, names, extents, analysis.scan.base)
    stub = Program.from_listing(f"{_LINE} {calling}\n", limit=10_000, strict=False)
    lines = (*((line.number, line.tokens) for line in stub.lines), *own)
    ranges = [one for one in program.ranges if one.scope == name]
    limits = {one.name: one for one in ranges}
    arrays = [
        Declared("", names[at], found.low, found.high, found.place)
        for at, one in enumerate(scope.parameters)
        if one.dimensions and (found := limits.get(one.name))
    ]
    lowering = Lowering(Analysis(lines), where, (*ranges, *arrays))
    lowering.low.draws_numbers = True  # the program goes on with the X that the SUB leaves
    code = lowering.run()
    parameters = []
    for at, one in enumerate(scope.parameters):
        found = limits.get(one.name)
        elements = 1
        for extent in extents[at]:
            elements *= extent
        parameters.append(
            Parameter(
                at + 1,
                names[at] if one.dimensions else f"{name}.{one.name}",
                elements if one.dimensions else 0,
                analysis.scan.base if one.dimensions else 0,
                (found.low, found.high) if found else None,
            )
        )
    for block in code.blocks.values():
        block.body = [
            one for one in block.body if not (isinstance(one, ir.Do) and one.name == "pace")
        ]
    return Stub(name, code, tuple(parameters), f"SUB {name}", (first, 0))


def _calling(
    name: str, scope: Scope, names: list[str], extents: list[tuple[int, ...]], base: int
) -> str:
    """The program that calls the SUB."""
    parts = ["OPTION BASE 1"] if base else []
    passed = []
    for own, one, sizes in zip(names, scope.parameters, extents, strict=True):
        if one.dimensions:
            highest = ",".join(str(size - 1 + base) for size in sizes)
            parts.append(f"DIM {own}({highest})")
        passed.append(own + ("(" + "," * (one.dimensions - 1) + ")" if one.dimensions else ""))
    parts.append(f"CALL {name}" + (f"({','.join(passed)})" if passed else ""))
    return "::".join(parts)


def pass_anything(stub: Stub, read: Container[str]) -> None:
    """Let the stub pass any number that a RANGE allows, where it is `read`, and call for ever."""
    code = stub.code
    block = code.blocks[code.first]
    enter = block.end
    assert isinstance(enter, ir.Enter)
    block.body = []
    for one in stub.parameters:
        if ir.is_text_name(one.name) or not (one.elements or one.name in read):
            continue
        # Of what goes into an array, only words are checked.
        known = one.limits and (not one.elements or Interval(*one.limits).is_word)
        value = ir.Expr("argument", (), one.limits if known else None)
        if one.elements:
            extents = code.arrays[one.name].extents
            zero = ir.Expr(
                "round", (ir.const(one.first),), (one.first, one.first, xb.BAD_SUBSCRIPT)
            )
            block.body.append(ir.Store(one.name, (zero,) * len(extents), value, enter.spot))
        else:
            block.body.append(ir.Assign(one.name, value, enter.spot))
    back = code.blocks[enter.back]
    back.body, back.end = [], ir.Jump(code.first, enter.spot)


def _extents(analysis: Analysis, scope: Scope) -> list[tuple[int, ...]]:
    """The extents of the arrays that the CALLs pass for each parameter. Raises Refused."""
    found: list[tuple[int, ...]] = [() for _ in scope.parameters]
    base = analysis.scan.base
    for caller, _, call in calls_of(analysis, scope.name):
        for at, argument in enumerate(call.arguments or ()):
            if at >= len(found) or not isinstance(argument, st.WholeArray):
                continue
            own = analysis.scan.subs.get(caller, analysis.scan.main)
            symbol = own.symbols.get(argument.name)
            if symbol is None or any(one.name == argument.name for one in own.parameters):
                raise Refused(
                    f"a SUB passes its parameter {argument.name}() to {scope.name}",
                    "call it from the main program, where DIM says how large the array is",
                )
            extents = symbol.extents(base)
            if found[at] not in ((), extents):
                raise Refused(
                    f"{scope.name} gets arrays of different sizes for "
                    f"{scope.parameters[at].name}()",
                    "give them the same DIM",
                )
            found[at] = extents
    default = AUTOMATIC_SUBSCRIPT + 1 - base
    return [
        sizes or (default,) * one.dimensions
        for sizes, one in zip(found, scope.parameters, strict=True)
    ]
