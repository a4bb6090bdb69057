"""All passes in order: from SUBs of a program to relocatable code, with the runtime they use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place, SourceError, Where, together
from ti99tools.compiler import ir
from ti99tools.compiler.graph import measure_depths, prune
from ti99tools.compiler.linking import EQUATES as CONSOLE
from ti99tools.compiler.refusing import Refused, located
from ti99tools.compiler.runtimefiles import RuntimePart, needed, parts, runtime_source
from ti99tools.compiler.subs.allowed import Found, refused_calls, refused_in, refused_statements
from ti99tools.compiler.subs.arguments import is_set
from ti99tools.compiler.subs.gosubs import Gosubs
from ti99tools.compiler.subs.lookups import with_lookups
from ti99tools.compiler.subs.stub import pass_anything, stub_of
from ti99tools.compiler.subs.subdata import refused_data
from ti99tools.compiler.subs.subemitter import SubCode, SubEmitter
from ti99tools.compiler.subs.subkinds import SubKinds
from ti99tools.compiler.subs.submemory import WORKSPACE, Room, SubMemory, laid_out
from ti99tools.compiler.subs.subranges import SubRanges
from ti99tools.compiler.tables import TEXT_BYTES
from ti99tools.compiler.used import names_in, used_rows
from ti99tools.hardware.assembler.assembling import Assembled, assemble
from ti99tools.language.program.program import Program

_OTHER = frozenset({"WS", "RWS", "OWES", "HOSTWD", "GPLSTK", "HEAPLO", "VALTXT", "VIDTOP"})
"""Addresses that a whole program has to itself."""
EQUATES = f"""\
WS     EQU  >{WORKSPACE:04X}
NUMASG EQU  >2008
NUMREF EQU  >200C
STRASG EQU  >2010
STRREF EQU  >2014
XMLLNK EQU  >2018
SCANS  EQU  >201C
ERR    EQU  >2034
CIF    EQU  >0020
VALTXT EQU  >0820    in video memory: the line that is being read, which waits for no key now
""" + "".join(row for row in CONSOLE.splitlines(True) if row.split()[0] not in _OTHER)
"""Addresses of Extended BASIC and of the console; LINK has set the workspace GPLWS."""
CODES = {
    xb.NUMERIC_OVERFLOW: 2, xb.SYNTAX_ERROR: 3, xb.STRING_NUMBER_MISMATCH: 7, xb.MEMORY_FULL: 11,
    xb.STRING_TRUNCATED: 19, xb.BAD_SUBSCRIPT: 20, xb.LINE_NOT_FOUND: 22, xb.BAD_ARGUMENT: 28,
    xb.BAD_VALUE: 30, xb.DATA_ERROR: 33,
}  # fmt: skip
"""Error → the code for it that the utility ERR takes (recorded)."""
MARK_BYTES = 40
"""Where up to 19 texts begin that are being made."""
PACKAGE = "ti99tools.compiler.subs"
_ERROR = re.compile(r"X(\d+)$")


@dataclass(frozen=True)
class LinkedSubs:
    """The SUBs of a program: relocatable code that begins with its first SUB.

    `entries`: SUB → the label at which LINK enters it.
    """

    assembled: Assembled
    source: str
    entries: dict[str, str]
    size: int
    sizes: dict[str, int]
    """SUB → the bytes of its code and tables."""
    call_cycles: dict[str, int]
    """SUB → what a CALL takes besides what the SUB does."""
    memory: SubMemory
    marks: tuple[tuple[str, ir.Spot], ...]
    """Label of the code of a statement → the statement, in the order of their addresses."""
    ends: tuple[str, ...]
    """The labels where the code of the SUBs ends."""

    def statements(self, base: int) -> list[tuple[int, ir.Spot | None]]:
        """Address where the code of a statement begins → the statement; None: code of none."""
        at = self.assembled.address_of
        found: list[tuple[int, ir.Spot | None]] = [
            (at(label, base), spot) for label, spot in self.marks
        ]
        return sorted(
            [*found, *((at(label, base), None) for label in self.ends)], key=itemgetter(0)
        )


def link_subs(codes: Sequence[tuple[str, str, SubCode]], room: Room) -> LinkedSubs:
    """Put SUBs together; each with its name and the suffix of its labels."""
    used = set().union(*(code.used for _, _, code in codes))
    errors = sorted(int(found[1]) for name in used if (found := _ERROR.match(name)))
    # What a part of its own defines comes before the same of the runtime of whole programs.
    among = (*parts(), *parts(PACKAGE))
    roots = {name for name in used if not _ERROR.match(name)}
    if "TNEW" in roots:
        roots.add("HLEN")  # SUBIN then sets the registers of texts under way
    own = [f"{code.rows}END{suffix}\n" for _, suffix, code in codes]
    for error in errors:
        own.append(f"X{error:<5} LI   R0,M{error}\n       B    @XFAIL\n")
    named = roots | names_in(row for rows in own for row in rows.splitlines())
    chosen = needed(roots, among)
    runtime = used_rows(runtime_source(chosen).splitlines(), named)
    named |= names_in(runtime)
    memory = _laid_out(codes, chosen, named, room)
    rows = [EQUATES]
    rows += [f"M{error:<5} EQU  >{CODES[error]:02X}00\n" for error in CODES]
    rows += [memory.equates, *own, "       EVEN\n", memory.blocks]
    rows += ["RTBEG\n", *(f"{row}\n" for row in runtime), "RTEND\n"]
    rows.append("       END\n")
    source = "".join(rows)
    assembled = assemble(source, "compiled SUBs")
    at = assembled.address_of
    return LinkedSubs(
        assembled,
        source,
        {name: f"ENT{suffix}" for name, suffix, _ in codes},
        at("RTEND"),
        {name: at(f"END{suffix}") - at(f"ENT{suffix}") for name, suffix, _ in codes},
        {name: code.call_cycles for name, _, code in codes},
        memory,
        tuple(mark for _, _, code in codes for mark in code.marks),
        tuple(f"ARG{suffix}" for _, suffix, _ in codes),
    )


def _laid_out(
    codes: Sequence[tuple[str, str, SubCode]],
    chosen: Sequence[RuntimePart],
    named: set[str],
    room: Room,
) -> SubMemory:
    """The memory of all SUBs, and of the parts of the runtime where something is `named`."""
    scratch = [(label, int(size)) for part in chosen for label, size in part.memory]
    words, cells = (max(code.temporary[n] for _, _, code in codes) for n in (0, 1))
    scratch += [("TW", 2 * words), ("TC", 8 * cells), ("TSECND", 2)]
    scratch += [("MARKS", MARK_BYTES), ("TXTBUF", TEXT_BYTES)]
    scratch = [(label, size) for label, size in scratch if label in named]
    scratch += [one for _, _, code in codes for one in code.scratch]
    scratch.append(("SHADOW", 2 * max(1, *(code.shadow for _, _, code in codes))))
    lasting = [one for _, _, code in codes for one in code.memory]
    texts = "HEAPTK" in named
    if texts:
        lasting.append(("HEAPTK", 2))
    return laid_out(lasting, scratch, texts, room)


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
