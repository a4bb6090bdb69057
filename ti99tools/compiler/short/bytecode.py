"""The code of a program in runs: they stay native, or become byte code where they are cold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum

from ti99tools.compiler.emit.assembly import AssemblyListing, AssemblyRow, byte_rows
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.sections import ShortCode
from ti99tools.compiler.ir import Spot
from ti99tools.compiler.short.encoding import Encoded, Operands, encoded
from ti99tools.compiler.short.idioms import with_calls
from ti99tools.compiler.short.places import place_table
from ti99tools.compiler.short.templates import (
    BLWP,
    Piece,
    Segment,
    Shape,
    Step,
    Table,
    pieces,
    templates,
    used,
)

_SCOPE_END = re.compile(r"Z\d+$")
_NEVER_BACK = frozenset({
    "FAIL", "RETURN", "LEAVE", "RETLIN", "RETNXT", "RETBAD", "VMB0", "VMENT", "AGAIN", "CHAIN",
    "RUNFAL",
})  # fmt: skip
"""Entries of the runtime that do not come back to where they are called."""


@dataclass
class Run:
    """Rows that belong to one statement, from its mark on."""

    mark: str
    rows: list[AssemblyRow] = field(default_factory=list)
    short: bool = False

    @property
    def falls_through(self) -> bool:
        """Tell whether control may come to what follows."""
        code = [row for row in self.rows if row.operation]
        if not code or self.rows[-1].label:
            return True
        last = code[-1]
        if last.operation == "DATA":
            calls = [row for row in code if row.operation != "DATA"]
            last = calls[-1] if calls else last
        if last.operation == "BLWP":
            return last.operands[1:] not in _NEVER_BACK
        return last.operation not in ("B", "JMP", "BL")


@dataclass
class ScopeEnd:
    """The label of the end of a scope."""

    label: str


def parted(rows: Iterable[AssemblyRow], marks: set[str]) -> Iterator[Run | ScopeEnd]:
    """The runs of a program in their order, and the ends of scopes."""
    run: Run | None = None
    labels: list[AssemblyRow] = []
    for row in rows:
        if not row.label:
            if run is None:
                run = Run("")
            run.rows += [*labels, row]
            labels.clear()
        elif _SCOPE_END.match(row.label):
            if run is not None or labels:
                run = run or Run("")
                run.rows += labels
                labels.clear()
                yield run
            yield ScopeEnd(row.label)
            run = None
        elif row.label in marks:
            if run is not None and run.rows:
                # Labels of blocks name what follows.
                while labels and not labels[0].label.startswith("B_"):
                    run.rows.append(labels.pop(0))
                yield run
            run = Run(row.label)
            labels.append(row)
        else:
            labels.append(row)
    if run is not None:
        run.rows += labels
        yield run


def chosen(
    runs: Iterable[Run | ScopeEnd], spots: Mapping[str, Spot], hot: Container[Spot]
) -> list[Run | ScopeEnd]:
    """The runs, those of all but hot statements marked to become bytes."""
    found = list(runs)
    for run in found:
        if isinstance(run, Run):
            run.short = bool(run.mark) and spots[run.mark] not in hot
    return found


_NAMES = re.compile(r"[A-Z][A-Z0-9_]*")
_JUMP = AssemblyRow("", "JMP", "", 2)
SCOPE_END = "B"
"""Ends the label of the end of a scope in byte code."""


IN_CPU = frozenset({"@FLOOK", "@INPUT", "@ACWORD", "@USING"})
"""Entries of the runtime that take constant texts from the processor's memory only."""


class Video(IntEnum):
    """What video memory has beside the table of places. PACKED: both texts and DATA, in fewer bytes
    before the program begins."""

    PLACES, TEXTS, DATA, PACKED = range(4)


def shorten(emission: Emission, hot: Container[Spot], video: Video = Video.PLACES) -> None:
    """Make byte code of all but hot statements, whose code stays in the section's listing.

    The program has no banks. `video`: what is in video memory; each with what comes before it.
    """
    section = emission.out.section
    moved = _movable_texts(emission) if video >= Video.TEXTS else {}
    for text in moved:
        del emission.constants.texts[text]
    spots = {mark.label: mark.spot for mark in section.marks}
    labels = {row.label for row in section.listing.rows if row.label}
    runs = chosen(parted(section.listing.rows, set(spots)), spots, hot)
    native, found = _divided(runs, labels)
    here = {piece for piece in found if isinstance(piece, str)}
    _reach_bytes(native, here)
    native.relax()
    groups = _grouped(found, _referred(native.rows, found) | set(spots))
    segments = [group for group in groups if isinstance(group, list)]
    own = templates(segments)
    texts = _texts_used_once(emission, segments)
    operands = Operands(used(segments), texts)
    result = encoded(list(_flat(groups)), own, operands)
    section.listing = native
    offsets = _offsets(native, result)
    # By address: native code comes first.
    section.marks.sort(key=lambda mark: offsets[mark.label])
    section.scopes += [(label + SCOPE_END, scope) for label, scope in section.scopes]
    end = sum(row.size for row in native.rows) + len(result.data)
    data = video >= Video.DATA and bool(emission.code.data_lines)
    places, index = place_table(emission, offsets, end)
    section.short = ShortCode(
        _code(result),
        _tables(result, own, operands),
        places,
        moved,
        data,
        video >= Video.PACKED and bool(moved or data),
        index,
        _sizes(result, spots),
    )
    own_parts = {"VMGO", "VMROW"} if "CAUGHT" in emission.out.used else {"VMGO"}
    if moved:
        own_parts.add("VTEXT")
    if section.short.data:
        own_parts.add("VDATA")
    if section.short.packed:
        own_parts.add("VPACK")
    emission.out.used |= own_parts | _entries(found)


def _divided(
    runs: Sequence[Run | ScopeEnd], labels: set[str]
) -> tuple[AssemblyListing, list[Piece]]:
    """Native code, and the pieces of byte code; each goes on in the other where it must."""
    native, found = AssemblyListing(), list[Piece]()
    before: Run | None = None
    for run in runs:
        if isinstance(run, ScopeEnd):
            native.label(run.label)
            found.append(run.label + SCOPE_END)
            before = None
            continue
        if before is None:
            crosses = run.short and not native.rows
        else:
            crosses = run.short is not before.short and before.falls_through
        if crosses and run.short:
            native.out("BLWP", "@VMENT")
            native.out("DATA", run.mark)
        elif crosses:
            found += pieces([replace(_JUMP, operands=run.mark)], labels)
        if run.short:
            found += pieces(with_calls([*map(_fresh, run.rows)]), labels)
        else:
            native.rows += map(_fresh, run.rows)
        before = run
    return native, found


def _fresh(row: AssemblyRow) -> AssemblyRow:
    """A row as it was before jumps became long; a way that is calculated may lead to byte code."""
    if row.operation == "B" and row.operands == "*R0":
        return AssemblyRow("", "BLWP", "@VMB0", 4)
    return replace(row, size=2, far=False) if row.jumps else row


def _reach_bytes(native: AssemblyListing, here: set[str]) -> None:
    """Let jumps of native code to byte code go over a call of the runtime."""
    ways: dict[str, str] = {}
    for at, row in enumerate(native.rows):
        to = row.operands.removeprefix("@")
        if to in here and (row.jumps or row.operation == "B"):
            way = ways.setdefault(to, f"U{len(ways)}")
            native.rows[at] = AssemblyRow(
                "", row.operation, row.operands.replace(to, way), row.size
            )
    for to, way in ways.items():
        native.label(way)
        native.out("BLWP", "@VMENT")
        native.out("DATA", to)


def _referred(native: Sequence[AssemblyRow], found: Sequence[Piece]) -> set[str]:
    """The labels at which control may arrive, or whose addresses tables have."""
    operands = [row.operands for row in native]
    for piece in found:
        if isinstance(piece, Step):
            operands += [piece.target, *piece.operands]
        elif isinstance(piece, Table):
            operands.append(piece.words)
    blocks = {piece for piece in found if isinstance(piece, str) and piece[0] in "BZ"}
    return blocks | {name for each in operands for name in _NAMES.findall(each)}


def _grouped(found: Sequence[Piece], barriers: set[str]) -> list[Segment | Piece]:
    """The pieces, steps that always run one after the other together."""
    result: list[Segment | Piece] = []
    for piece in found:
        if not isinstance(piece, Step):
            if not isinstance(piece, str) or piece in barriers:
                result.append(piece)
        elif result and isinstance(result[-1], list):
            result[-1].append(piece)
        else:
            result.append([piece])
    return result


def _flat(groups: Sequence[Segment | Piece]) -> Iterator[Piece]:
    for group in groups:
        if isinstance(group, list):
            yield from group
        else:
            yield group


def _movable_texts(emission: Emission) -> dict[str, str]:
    """The constant texts that may be in video memory, with their labels."""
    there: set[str] = set()
    calls = ""
    for row in emission.out.section.listing.rows:
        if row.operation == "BLWP":
            calls = row.operands
        elif row.operation == "DATA" and calls in IN_CPU:
            there |= set(row.operands.split(","))
    own = emission.constants.texts
    return {text: label for text, label in own.items() if label not in there}


def _texts_used_once(emission: Emission, segments: Sequence[Segment]) -> dict[str, bytes]:
    """Texts that go into the byte code, by their labels: constants with one use."""
    here = used(segments)
    names = {label: text for text, label in emission.constants.texts.items()}
    rows = emission.out.section.listing.rows
    uses = Counter(name for row in rows for name in _NAMES.findall(row.operands) if name in names)
    once = {label for label, count in here.items() if label in names and uses[label] == count == 1}
    for label in once:
        del emission.constants.texts[names[label]]
    return {label: bytes((len(names[label]), *names[label].encode("latin-1"))) for label in once}


def _entries(found: Sequence[Piece]) -> set[str]:
    """The entries of the runtime that steps call."""
    shapes = {piece.shape for piece in found if isinstance(piece, Step)}
    return {shape.words[1] or "" for shape in shapes if shape.words[0] == BLWP}


def _code(result: Encoded) -> str:
    """The region of byte code."""
    names = [f"{name:<6} EQU  BCBEG+{at}" for name, at in result.labels.items()]
    return "\n".join(["BCBEG", *names, *byte_rows(result.data), "BCEND", "       EVEN", ""])


def _tables(result: Encoded, own: Sequence[Shape], operands: Operands) -> str:
    """The templates, the operands, the ways of each ON."""
    addresses = [f"O{n}+1" if shape.jumps else f"O{n}" for n, shape in enumerate(own)]
    rows = ["VMTAB", *(f"       DATA {address}" for address in ["VMESC", "VMPAGE", *addresses])]
    for n, shape in enumerate(own):
        bits = "".join("1" if word is None else "0" for word in shape.words) + "1"
        given = f">{int(bits.ljust(16, '0'), 2):04X}"
        words = [given, *(word for word in shape.words if word is not None)]
        rows.append(f"O{n:<5} DATA {','.join(words)}")
    rows += ["OPTAB", *(f"       DATA {word}" for word in operands.numbers)]
    rows += [f"{table.label:<6} DATA {table.words}" for table in result.tables]
    return "\n".join(rows) + "\n"


def _sizes(result: Encoded, marks: Container[str]) -> dict[str, int]:
    """The bytes from each mark to the next one."""
    places = {name: at for name, at in result.labels.items() if name in marks}
    ends = [*places.values(), len(result.data)][1:]
    return {name: end - at for (name, at), end in zip(places.items(), ends, strict=False)}


def _offsets(native: AssemblyListing, result: Encoded) -> dict[str, int]:
    """The offset of each label from the beginning of the code."""
    at, found = 0, {}
    for row in native.rows:
        if row.label:
            found[row.label] = at
        at += row.size
    return found | {label: at + offset for label, offset in result.labels.items()}
