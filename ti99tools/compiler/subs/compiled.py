"""All passes in order: from a program to the machine code of some of its SUBs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ti99tools.base.errors import Place, SourceError, Where, together
from ti99tools.compiler.graph import measure_depths, prune
from ti99tools.compiler.refusing import Refused, located
from ti99tools.compiler.subs.allowed import Found, refused_calls, refused_in, refused_statements
from ti99tools.compiler.subs.arguments import is_set
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.compiler.subs.lookups import with_lookups
from ti99tools.compiler.subs.stub import pass_anything, stub_of
from ti99tools.compiler.subs.subdata import refused_data
from ti99tools.compiler.subs.subemitter import SubCode, SubEmitter
from ti99tools.compiler.subs.subkinds import SubKinds
from ti99tools.compiler.subs.sublinking import LinkedSubs, link_subs
from ti99tools.compiler.subs.submemory import Room
from ti99tools.compiler.subs.subranges import SubRanges
from ti99tools.language.program.program import Program


def compile_subs(program: Program, names: Sequence[str], where: Where, room: Room) -> LinkedSubs:
    """Compile SUBs of a program, with memory in `room`. Raises SourceError."""
    errors: list[SourceError] = []
    codes: list[tuple[str, str, SubCode]] = []
    for number, name in enumerate(names):
        try:
            codes.append((name, f"_{number}", _compiled(program, name, where, f"_{number}")))
        except SourceError as error:
            errors += [error, *error.others]
    if errors:
        raise together(errors)
    return link_subs(codes, room)


def _compiled(program: Program, name: str, where: Where, suffix: str) -> SubCode:
    """Compile a SUB. Raises SourceError with all that is refused."""
    analysis = program.analysis
    scope = analysis.scan.subs[name]
    refused = list(refused_statements(analysis, scope))
    try:
        stub = stub_of(program, name, where)
    except SourceError as error:
        _refuse(refused, where, (error, *error.others))
        raise
    with_lookups(stub.code)
    prune(stub.code)
    measure_depths(stub.code)
    gosubs = Gosubs(stub.code, stub.entry)
    _refuse([*refused, *refused_in(stub, gosubs)], where)
    _refuse(refused_data(analysis, analysis.scan.subs[name], gosubs), where)
    changed = {one.number for one in stub.parameters if is_set(stub.code, gosubs.own, one.name)}
    _refuse(refused_calls(analysis, analysis.scan.subs[name], changed), where)
    pass_anything(stub, gosubs.kept)
    ranges = SubRanges(stub.code, gosubs).run()
    passed = {one.name for one in stub.parameters}
    kinds = SubKinds(stub.code, ranges, passed)
    emitter = SubEmitter(stub, kinds, gosubs, suffix)
    try:
        return emitter.run()
    except Refused as refused:
        spot = emitter.spot if emitter.spot[0] else stub.spot
        raise located(refused, spot[0], where(*spot)) from refused


def _refuse(found: Iterable[Found], where: Where, others: Iterable[SourceError] = ()) -> None:
    """Raise SourceError if anything is refused, one for each statement, in their order.

    Of a statement the first that is found is reported: it says best what the statement is.
    """
    errors: dict[Place, SourceError] = {}
    for error in (*(located(one, spot[0], where(*spot)) for one, spot in found), *others):
        errors.setdefault(error.place, error)
    if errors:
        raise together(sorted(errors.values(), key=_in_order))


def _in_order(error: SourceError) -> tuple[str, int, int]:
    place = error.place
    return place.file or "", place.line or 0, place.column or 0
