"""Observations compared with recordings, and the outcome of each case.

The report has counts by area, failures, differences, and a closing line.

A list of known failures has lines of an id, a tab and the reason; `#` begins a comment line. A case
on the list may fail without making the run fail. One that passes is reported, so that it is taken
off the list.

The rules (cursor, `loose`, `ignore`) are those of tests/conformance/README.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_text
from ti99tools.hardware.machine.screen import CURSOR_TEXT, side_by_side

NAME = "known_failures.txt"


def read(path: Path) -> dict[str, str]:
    """Read a list: id → reason. Raises TIError for a line without a reason or a repeated id."""
    known: dict[str, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, reason = line.partition("\t")
        place = Place(str(path), number)
        if not reason.strip():
            raise TIError(f"{name}: no reason", remedy="write id, tab, reason", place=place)
        if name in known:
            raise TIError(f"{name}: listed twice", remedy="keep one line", place=place)
        known[name] = reason.strip()
    return known


def beside(paths: Iterable[Path]) -> Path | None:
    """The list in one of the folders of cases, or next to a file of cases; None without one."""
    for path in paths:
        for folder in (path, path.parent):
            if (folder / NAME).is_file():
                return folder / NAME
    return None


@dataclass(frozen=True)
class Difference:
    """One thing that differs: its place (`final screen`, `file OUT`), and lines that show it."""

    where: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class CaseOutcome:
    """A case compared with the console.

    `passed` and `failed` count values: a case is one, a line of vectors has several. `inexact`
    counts vector values that pass by their displayed digits but differ in bits. `off` is how much
    longer our time is than the recorded one, as a fraction of it; None where no time is compared.
    """

    id: str
    area: str
    passed: int
    failed: int
    differences: tuple[Difference, ...] = ()
    inexact: int = 0
    seconds: float = 0.0
    off: float | None = None

    @property
    def ok(self) -> bool:
        """Nothing differs."""
        return self.failed == 0


@dataclass
class Summary:
    """Counts of many outcomes by area, and how they agree with the list of known failures."""

    known: dict[str, str]
    areas: dict[str, list[int]] = field(default_factory=dict)
    inexact: dict[str, int] = field(default_factory=dict)
    failures: list[CaseOutcome] = field(default_factory=list)
    risen: list[str] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
    """Area → how far the times of its cases are off."""

    def add(self, outcome: CaseOutcome) -> None:
        """Count one outcome."""
        counts = self.areas.setdefault(outcome.area, [0, 0])
        counts[0] += outcome.passed
        counts[1] += outcome.failed
        if outcome.inexact:
            self.inexact[outcome.area] = self.inexact.get(outcome.area, 0) + outcome.inexact
        if outcome.off is not None:
            self.times.setdefault(outcome.area, []).append(outcome.off)
        if not outcome.ok:
            self.failures.append(outcome)
        elif outcome.id in self.known:
            self.risen.append(outcome.id)

    @property
    def passed(self) -> int:
        """Values that agree."""
        return sum(counts[0] for counts in self.areas.values())

    @property
    def failed(self) -> int:
        """Values that differ, listed or not."""
        return sum(counts[1] for counts in self.areas.values())

    @property
    def unexpected(self) -> list[CaseOutcome]:
        """Failures that are not on the list."""
        return [outcome for outcome in self.failures if outcome.id not in self.known]


MOST_LISTED = 200
"""The most failures that are named without their differences; further ones are only counted."""


def areas(summary: Summary) -> Iterator[str]:
    """A table of counts by area."""
    width = max([len(area) for area in summary.areas], default=4)
    for area, (passed, failed) in summary.areas.items():
        inexact = summary.inexact.get(area, 0)
        note = f"  {inexact} by displayed digits only" if inexact else ""
        if area in summary.times:
            note += f"  {spread(summary.times[area])}"
        yield f"{area:{width}}  {passed:6} passed  {failed:5} failed{note}".rstrip()


def spread(shares: Sequence[float]) -> str:
    """How far times are off: the median, the 90th percentile, and the worst."""
    off = sorted(map(abs, shares))
    nine = off[math.ceil(0.9 * len(off)) - 1]
    return f"off by {median(off):.1%} (median), {nine:.1%} (nine in ten), {off[-1]:.1%} (worst)"


def failures(summary: Summary, diff: bool) -> Iterator[str]:
    """The failures; with `diff` all of them and their differences; known ones with the reason."""
    listed = summary.failures if diff else summary.failures[:MOST_LISTED]
    for outcome in listed:
        yield from failure(outcome, summary.known.get(outcome.id), diff)
    if len(listed) < len(summary.failures):
        yield f"… and {len(summary.failures) - len(listed)} more, which are shown with differences"


def failure(outcome: CaseOutcome, known: str | None, diff: bool) -> Iterator[str]:
    """One failure: a line, or with `diff` a block."""
    places = ", ".join(difference.where for difference in outcome.differences)
    note = f" (known: {known})" if known else ""
    yield f"FAILED {outcome.id}: {places}{note}"
    if diff:
        for difference in outcome.differences:
            yield f"  {difference.where}:"
            yield from (f"    {line}" for line in difference.lines)
        yield ""


def verdict(summary: Summary) -> Iterator[str]:
    """The lines about known failures, and the closing line."""
    for name in summary.risen:
        yield f"PASSED {name}: listed as a known failure ({summary.known[name]}); take it off"
    known = len(summary.failures) - len(summary.unexpected)
    if known:
        yield f"{known} of the failures are listed as known"
    yield f"{summary.passed} passed, {summary.failed} failed"


def data(summary: Summary) -> dict[str, object]:
    """The outcomes as JSON values."""
    return {
        "passed": summary.passed,
        "failed": summary.failed,
        "areas": summary.areas,
        "times_off": summary.times,
        "failures": [
            {
                "id": outcome.id,
                "area": outcome.area,
                "known": summary.known.get(outcome.id),
                "differences": {d.where: d.lines for d in outcome.differences},
            }
            for outcome in summary.failures
        ],
        "passed_though_listed": summary.risen,
    }


NAMES = ("original ROMs", "ours")
"""The two sources of a screen: the ROMs, run by an emulation of the hardware, and our console."""


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


def differences(case: Mapping[str, Any], observed: Observed) -> list[Difference]:
    """Everything in which a console case differs from its recording; empty when it agrees."""
    expect = case["expect"]
    loose = case.get("loose") or {}
    found: list[Difference] = []
    for name, snap in (expect.get("snaps") or {}).items():
        if name in observed.snaps:
            found.extend(_snapshot(f"screen at {name}", snap, observed.snaps[name], loose))
        else:
            found.append(Difference(f"screen at {name}", ("the script never came to it",)))
    found.extend(_snapshot("final screen", expect["final"], observed.final, loose))
    found.extend(_files(case, expect, observed.files))
    if "sound" in expect:
        found.extend(_sound(bytes(expect["sound"]), observed.sound))
    # The script's notes only help to explain a difference.
    if found and observed.notes:
        found.append(Difference("script", observed.notes))
    return found


def _snapshot(
    where: str, expect: Mapping[str, Any], got: CaseSnapshot, loose: Mapping[str, Any]
) -> Iterator[Difference]:
    # A recording without rows has nothing to compare them with.
    rows = expect.get("rows", got.rows)
    wrong = [
        row
        for row, (theirs, ours) in enumerate(zip(rows, got.rows, strict=True))
        if not _same_row(theirs, ours, got.beneath)
    ]
    if wrong:
        yield Difference(where, tuple(side_by_side(rows, got.rows, set(wrong), NAMES)))
    for name in ("patterns", "colors", "sprites", "motion", "vregs"):
        if name in expect and name in got.captures:
            lines = _capture(name, expect[name], got.captures[name], loose)
            if lines:
                yield Difference(f"{name} ({where})", tuple(lines))


def _same_row(theirs: str, ours: str, beneath: str) -> bool:
    """Tell whether two rows agree; the cursor may have blinked on or off in the recording."""
    # Eight bytes per line suit a pattern; a sprite has four.
    return all(
        a == b or (b == CURSOR_TEXT and a in (" ", beneath))
        for a, b in zip(theirs, ours, strict=True)
    )


def _capture(name: str, theirs: Any, ours: Any, loose: Mapping[str, Any]) -> list[str]:
    if name == "patterns":
        return [
            f"character {code}: original ROMs {theirs[code]}, ours {ours.get(code)}"
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
    size = 4 if name in ("sprites", "motion") else 8
    return [
        f"bytes {at}–{at + size - 1}: original ROMs {a[at : at + size].hex()}, "
        f"ours {b[at : at + size].hex()}"
        for at in range(0, len(a), size)
        if any(a[n : n + 1] != b[n : n + 1] for n in range(at, at + size) if n not in holes)
    ]


def _places(sprites: Iterable[int]) -> set[int]:
    """The offsets of the y and x bytes of sprites, numbered from 1, or from 0 if a 0 occurs."""
    numbers = set(sprites)
    # Case files number sprites from 1, and some from 0.
    first = 0 if 0 in numbers else 1
    return {n for s in numbers for n in (4 * (s - first), 4 * (s - first) + 1)}


def _sound(theirs: bytes, ours: bytes) -> Iterator[Difference]:
    if theirs == ours:
        return
    same = next((n for n, (a, b) in enumerate(zip(theirs, ours, strict=False)) if a != b), None)
    at = min(len(theirs), len(ours)) if same is None else same
    # Four bytes before the first difference show where it is.
    first = max(0, at - 4)
    yield Difference(
        "sound",
        (
            f"{len(theirs)} bytes from the ROMs, {len(ours)} from ours; different from byte {at}",
            f"original ROMs {'… ' if first else ''}{theirs[first : at + 24].hex(' ')}",
            f"ours          {'… ' if first else ''}{ours[first : at + 24].hex(' ')}",
        ),
    )


def _files(
    case: Mapping[str, Any], expect: Mapping[str, Any], ours: Mapping[str, Mapping[str, Any]]
) -> Iterator[Difference]:
    before = case.get("disk_in") or {}
    written = expect.get("files") or {}
    ignore = expect.get("ignore") or {}
    # Files that the ROMs wrote must be here, and the same.
    for name, theirs in written.items():
        if name not in ours:
            yield Difference(f"file {name}", ("not on the disk here",))
            continue
        holes = Holes(
            frozenset((ignore.get("unwritten") or {}).get(name, ())),
            tuple(map(tuple, (ignore.get("zero_tail") or {}).get(name, ()))),
        )
        lines = list(file_lines(theirs, ours[name], holes, "used_sectors" in case))
        if lines:
            yield Difference(f"file {name}", tuple(lines))
    # Others must be as they were before the program ran; LOAD is the program itself.
    for name in sorted(ours.keys() - written.keys() - {"LOAD"}):
        if name not in before:
            yield Difference(f"file {name}", ("not on the disk of the original ROMs",))
        elif list(file_lines(before[name], ours[name], Holes())):
            yield Difference(f"file {name}", ("changed here, unchanged by the original ROMs",))
    if "remaining" in expect:
        gone = sorted(set(expect["remaining"]) - ours.keys() - written.keys())
        left = sorted((ours.keys() & before.keys()) - {*expect["remaining"], "LOAD"})
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
    theirs: Mapping[str, Any], ours: Mapping[str, Any], holes: Holes, placed: bool = False
) -> Iterator[str]:
    """Lines that describe how a file differs; none when it does not.

    Its place on the disk is compared only with `placed`.
    """
    if "problem" in ours:
        yield f"cannot be read here: {ours['problem']}"
        return
    for key in ("type", "recl"):
        if key in theirs and theirs[key] != ours.get(key):
            yield f"{key}: original ROMs {theirs[key]}, ours {ours.get(key)}"
    if "data" in theirs and theirs["data"] != ours.get("data"):
        yield f"original ROMs {theirs['data']}"
        yield f"ours          {ours.get('data')}"
    if "records" in theirs:
        internal = str(theirs.get("type", "")).startswith("INT")
        yield from _record_lines(theirs["records"], ours.get("records", []), holes, internal)
    if "fdr" in theirs and "fdr" in ours:
        both = bytes.fromhex(theirs["fdr"]), bytes.fromhex(ours["fdr"])
        yield from _descriptor_lines(*both, placed)


def _record_lines(
    theirs: list[str], ours: list[str], holes: Holes, internal: bool
) -> Iterator[str]:
    if len(theirs) != len(ours):
        yield f"{len(theirs)} records from the original ROMs, {len(ours)} here"
    for index in range(max(len(theirs), len(ours))):
        a = bytes.fromhex(theirs[index]) if index < len(theirs) else None
        b = bytes.fromhex(ours[index]) if index < len(ours) else None
        if a is None or b is None or not _same_record(index, a, b, holes, internal):
            yield f"record {index}: original ROMs {shown(a)}"
            yield f"record {index}: ours          {shown(b)}"


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


def shown(record: bytes | None) -> str:
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


def _descriptor_lines(theirs: bytes, ours: bytes, placed: bool) -> Iterator[str]:
    # A descriptor may be recorded without its trailing zeros.
    a, b = (raw.ljust(256, b"\0") for raw in (theirs, ours))
    for name, start, end in DESCRIPTOR:
        if a[start:end] != b[start:end]:
            both = f"original ROMs {a[start:end].hex()}, ours {b[start:end].hex()}"
            yield f"descriptor, {name}: {both}"
    if placed and a[CLUSTERS:] != b[CLUSTERS:]:
        theirs, ours = (raw[CLUSTERS:].rstrip(b"\0") for raw in (a, b))
        yield f"descriptor, clusters: original ROMs {theirs.hex()}, ours {ours.hex()}"
    elif _last_sector(a) != _last_sector(b):
        yield f"descriptor, last sector: original ROMs {_last_sector(a)}, ours {_last_sector(b)}"


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
