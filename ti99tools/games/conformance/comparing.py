"""What a machine did in a case, compared with its recording.

The rules (cursor, `loose`, `ignore`) are those of tests/conformance/README.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ti99tools.base.basic import AUTOSTART
from ti99tools.hardware.machine.screen import CURSOR_TEXT, EDGE_TEXT, side_by_side


class Sides(NamedTuple):
    """What the recording, and the machine that is compared with it, are called."""

    theirs: str
    ours: str

    def lines(self, theirs: object, ours: object) -> tuple[str, str]:
        """A value on either side, below each other."""
        width = max(map(len, self))
        return f"{self.theirs:{width}} {theirs}", f"{self.ours:{width}} {ours}"

    def both(self, theirs: object, ours: object) -> str:
        """A value on either side, in one line."""
        return f"{self.theirs} {theirs}, {self.ours} {ours}"


HERE = Sides("original ROMs", "ours")
"""The ROMs, run by an emulation of the hardware, and our console."""


def on_host(name: str) -> Sides:
    """The sides where an emulator with the user's ROMs plays what was recorded."""
    return Sides("recording", name)


@dataclass(frozen=True)
class Difference:
    """One thing that differs: its place (`final screen`, `file OUT`), and lines that show it."""

    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class CaseSnapshot:
    """A snapshot of the console, in the form of the recordings.

    `rows` are 24 strings of 32 code points, with the cursor as 1Eh; `beneath` is the character
    that it covers; `captures` holds patterns, colors, sprites, motion and vregs.
    """

    rows: tuple[str, ...]
    beneath: str = " "
    captures: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Observed:
    """Everything that a case can compare after its script; `cycles` count from power-on."""

    final: CaseSnapshot
    snaps: Mapping[str, CaseSnapshot]
    files: Mapping[str, Mapping[str, Any]]
    sound: bytes
    notes: tuple[str, ...] = ()
    cycles: int = 0


def differences(
    case: Mapping[str, Any], observed: Observed, sides: Sides = HERE
) -> list[Difference]:
    """Everything in which a console case differs from its recording; empty when it agrees."""
    expect = case["expect"]
    loose = {"places": case.get("area") in _MOTION_AREAS, **(case.get("loose") or {})}
    found: list[Difference] = []
    for name, snap in (expect.get("snaps") or {}).items():
        if name in observed.snaps:
            found.extend(_snapshot(f"screen at {name}", snap, observed.snaps[name], loose, sides))
        else:
            found.append(Difference(f"screen at {name}", ("the script never came to it",)))
    found.extend(_snapshot("final screen", expect["final"], observed.final, loose, sides))
    found.extend(_files(case, expect, observed.files, sides))
    if "sound" in expect:
        found.extend(_sound(bytes(expect["sound"]), observed.sound, sides))
    # The script's notes only help to explain a difference.
    if found and observed.notes:
        found.append(Difference("script", observed.notes))
    return found


def _snapshot(
    where: str, expect: Mapping[str, Any], got: CaseSnapshot, loose: Mapping[str, Any], sides: Sides
) -> Iterator[Difference]:
    # A recording without rows has nothing to compare them with.
    rows = expect.get("rows", got.rows)
    wrong = [
        row
        for row, (theirs, ours) in enumerate(zip(rows, got.rows, strict=True))
        if not _same_row(theirs, ours, got.beneath)
    ]
    if wrong and not (loose.get("places") and _same_places(rows, got.rows)):
        yield Difference(where, tuple(side_by_side(rows, got.rows, set(wrong), sides)))
    for name in ("patterns", "colors", "sprites", "motion", "vregs"):
        if name in expect and name in got.captures:
            lines = _capture(name, expect[name], got.captures[name], loose, sides)
            if lines:
                yield Difference(f"{name} ({where})", tuple(lines))


def _same_row(theirs: str, ours: str, beneath: str) -> bool:
    """Tell whether two rows agree; the cursor may have blinked on or off in the recording."""
    return all(
        a == b or (b == CURSOR_TEXT and a in (" ", beneath))
        for a, b in zip(theirs, ours, strict=True)
    )


def _capture(
    name: str, theirs: Any, ours: Any, loose: Mapping[str, Any], sides: Sides
) -> list[str]:
    if name == "patterns":
        return [
            f"character {code}: {sides.both(theirs[code], ours.get(code))}"
            for code in theirs
            if theirs[code] != ours.get(code)
        ]
    a = bytes(theirs) if name == "vregs" else bytes.fromhex(theirs)
    b = bytes(ours)[: len(a)]
    if name == "sprites":
        holes = _places(loose.get("sprite_pos", ()))
    elif name == "motion" and loose.get("motion_aux"):
        # The console uses the third and fourth byte of a motion entry for itself.
        holes = {n for n in range(len(a)) if n % 4 >= 2}
    else:
        holes = set()
    # A sprite has four bytes; eight in a line suit the others.
    size = 4 if name in ("sprites", "motion") else 8
    return [
        f"bytes {at}–{at + size - 1}: "
        + sides.both(*(table[at : at + size].hex() for table in (a, b)))
        for at in range(0, len(a), size)
        if any(a[n : n + 1] != b[n : n + 1] for n in range(at, at + size) if n not in holes)
    ]


def _places(sprites: Iterable[int]) -> set[int]:
    """The offsets of the y and x bytes of sprites, numbered from 1, or from 0 if a 0 occurs."""
    numbers = set(sprites)
    # Case files number sprites from 1, and some from 0.
    first = 0 if 0 in numbers else 1
    return {n for s in numbers for n in (4 * (s - first), 4 * (s - first) + 1)}


def _sound(theirs: bytes, ours: bytes, sides: Sides) -> Iterator[Difference]:
    if theirs == ours:
        return
    same = next((n for n, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), None)
    at = min(len(theirs), len(ours)) if same is None else same
    # Four bytes before the first difference show where it is.
    first = max(0, at - 4)
    before = "… " if first else ""
    a, b = (before + sound[first : at + 24].hex(" ") for sound in (theirs, ours))
    counts = f"bytes: {sides.both(len(theirs), len(ours))}; different from byte {at}"
    yield Difference("sound", (counts, *sides.lines(a, b)))


def _files(
    case: Mapping[str, Any],
    expect: Mapping[str, Any],
    ours: Mapping[str, Mapping[str, Any]],
    sides: Sides,
) -> Iterator[Difference]:
    before = case.get("disk_in") or {}
    written = expect.get("files") or {}
    ignore = expect.get("ignore") or {}
    # Files that were written in the recording must be here, and the same.
    for name, theirs in written.items():
        if name not in ours:
            yield Difference(f"file {name}", ("not on the disk here",))
            continue
        holes = Holes(
            frozenset((ignore.get("unwritten") or {}).get(name, ())),
            tuple(map(tuple, (ignore.get("zero_tail") or {}).get(name, ()))),
        )
        lines = list(file_lines(theirs, ours[name], holes, "used_sectors" in case, sides))
        if lines:
            yield Difference(f"file {name}", tuple(lines))
    # Others must be as they were before the program ran; LOAD is the program itself.
    for name in sorted(ours.keys() - written.keys() - {AUTOSTART}):
        if name not in before:
            yield Difference(f"file {name}", ("not on the disk in the recording",))
        elif list(file_lines(before[name], ours[name], Holes())):
            yield Difference(f"file {name}", ("changed here, not in the recording",))
    if "remaining" in expect:
        gone = sorted(set(expect["remaining"]) - ours.keys() - written.keys())
        left = sorted((ours.keys() & before.keys()) - {*expect["remaining"], AUTOSTART})
        if gone or left:
            yield Difference("disk", (f"missing here: {gone}, still here: {left}",))


@dataclass(frozen=True)
class Holes:
    """Content of a file that is undefined: whole records, and (record, offset, length)."""

    records: frozenset[int] = frozenset()
    parts: tuple[tuple[int, ...], ...] = ()

    def blank(self, index: int, record: bytes) -> bytes:
        """The record with its undefined bytes as zeros."""
        if index in self.records:
            # A record that was never written has no defined content at all.
            return b""
        for number, offset, length in self.parts:
            if number == index:
                tail = record[offset + length :]
                record = record[:offset] + bytes(len(record[offset : offset + length])) + tail
        return record


def file_lines(
    theirs: Mapping[str, Any],
    ours: Mapping[str, Any],
    holes: Holes,
    placed: bool = False,
    sides: Sides = HERE,
) -> Iterator[str]:
    """Lines that describe how a file differs; none when it does not.

    Its place on the disk is compared only with `placed`.
    """
    if "problem" in ours:
        yield f"cannot be read here: {ours['problem']}"
        return
    for key in ("type", "recl"):
        if key in theirs and theirs[key] != ours.get(key):
            yield f"{key}: {sides.both(theirs[key], ours.get(key))}"
    if "data" in theirs and theirs["data"] != ours.get("data"):
        yield from sides.lines(theirs["data"], ours.get("data"))
    if "records" in theirs:
        internal = str(theirs.get("type", "")).startswith("INT")
        records = theirs["records"], ours.get("records", [])
        yield from _record_lines(*records, holes, internal, sides)
    if "fdr" in theirs and "fdr" in ours:
        both = bytes.fromhex(theirs["fdr"]), bytes.fromhex(ours["fdr"])
        yield from _descriptor_lines(*both, placed, sides)


def _record_lines(
    theirs: list[str], ours: list[str], holes: Holes, internal: bool, sides: Sides
) -> Iterator[str]:
    if len(theirs) != len(ours):
        yield f"records: {sides.both(len(theirs), len(ours))}"
    for index in range(max(len(theirs), len(ours))):
        a = bytes.fromhex(theirs[index]) if index < len(theirs) else None
        b = bytes.fromhex(ours[index]) if index < len(ours) else None
        if a is None or b is None or not _same_record(index, a, b, holes, internal):
            yield from (
                f"record {index}: {line}" for line in sides.lines(record_text(a), record_text(b))
            )


def _same_record(index: int, a: bytes, b: bytes, holes: Holes, internal: bool) -> bool:
    a, b = holes.blank(index, a), holes.blank(index, b)
    return a == b or (internal and plain_zeros(a) == plain_zeros(b))


def plain_zeros(record: bytes) -> bytes:
    """An INTERNAL record with every number 0 as eight zero bytes.

    A number is 0 when its first word is, whatever the machine left in the other six bytes.
    """
    plain = bytearray(record)
    at = 0
    while at < len(plain):
        length = plain[at]
        # A number has eight bytes after its length; so has a string of eight characters.
        if length == 8 and plain[at + 1 : at + 3] == b"\0\0":
            plain[at + 1 : at + 9] = bytes(len(plain[at + 1 : at + 9]))
        at += 1 + length
    return bytes(plain)


def record_text(record: bytes | None) -> str:
    """A record as text when it is printable, else as hexadecimal."""
    if record is None:
        return "(none)"
    if all(32 <= byte < 127 for byte in record):
        return repr(record.decode("ascii"))
    return record.hex(" ")


DESCRIPTOR = (
    ("name", 0x00, 0x0A),
    ("extended record length", 0x0A, 0x0C),
    ("flags", 0x0C, 0x0D),
    ("records a sector", 0x0D, 0x0E),
    ("sectors", 0x0E, 0x10),
    ("end of file", 0x10, 0x11),
    ("record length", 0x11, 0x12),
    ("records or sectors (L3)", 0x12, 0x14),
    ("times", 0x14, 0x1C),
)


CLUSTERS = 0x1C


def _descriptor_lines(theirs: bytes, ours: bytes, placed: bool, sides: Sides) -> Iterator[str]:
    # A descriptor may be recorded without its trailing zeros.
    a, b = (raw.ljust(256, b"\0") for raw in (theirs, ours))
    for name, start, end in DESCRIPTOR:
        if a[start:end] != b[start:end]:
            yield f"descriptor, {name}: {sides.both(a[start:end].hex(), b[start:end].hex())}"
    if placed and a[CLUSTERS:] != b[CLUSTERS:]:
        clusters = (raw[CLUSTERS:].rstrip(b"\0").hex() for raw in (a, b))
        yield f"descriptor, clusters: {sides.both(*clusters)}"
    elif _last_sector(a) != _last_sector(b):
        yield f"descriptor, last sector: {sides.both(_last_sector(a), _last_sector(b))}"


def _last_sector(descriptor: bytes) -> int | None:
    """The cumulative sector offset of the last cluster; the sectors used depend on the disk."""
    last = None
    for at in range(CLUSTERS, 0x100, 3):
        first, middle, high = descriptor[at : at + 3]
        # An empty cluster ends the list.
        if not first and not middle & 0x0F:
            break
        last = middle >> 4 | high << 4
    return last


_MOTION_AREAS = frozenset(("random-sprmove", "random4-interrupts"))
"""The areas whose cases show places of sprites that moved until then (CALL POSITION)."""
_WITHIN = 2
_LAST_PLACE = 256
"""Rows and columns go from 1 to this, and on from there to 1."""


def _same_places(theirs: Sequence[str], ours: Sequence[str]) -> bool:
    """Tell whether two screens show the same words, and the same places within two dots.

    The recordings themselves, started some frames later, differ by as much. Screens are compared
    word by word, since a number of fewer digits moves what follows it: whole numbers from 1 to 256,
    which may be places, within two dots, all other words exactly. Spaces between words do not
    count.
    """
    ours_words, theirs_words = _words(ours), _words(theirs)
    return len(ours_words) == len(theirs_words) and all(map(_same, ours_words, theirs_words))


def _words(rows: Sequence[str]) -> list[str]:
    return " ".join(rows).replace(EDGE_TEXT, " ").split()


def _same(a: str, b: str) -> bool:
    return a == b or (_is_place(a) and _is_place(b) and _apart(int(a), int(b)) <= _WITHIN)


def _is_place(word: str) -> bool:
    return word.isascii() and word.isdigit() and 1 <= int(word) <= _LAST_PLACE


def _apart(a: int, b: int) -> int:
    return min((a - b) % _LAST_PLACE, (b - a) % _LAST_PLACE)
