"""Recorded cases compared with our console or another host, and the hosts available.

Games can be verified on the same hosts. Some of these need the user's own ROM dumps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.games.conformance import known, runner
from ti99tools.games.conformance.cases import Case, CaseKind, load
from ti99tools.games.conformance.known import Kind
from ti99tools.games.conformance.on_hosts import KINDS, record
from ti99tools.games.conformance.outcome import Summary
from ti99tools.games.hosts import mame, ti99sim, virtual
from ti99tools.games.hosts.emulator import Emulator
from ti99tools.games.hosts.host import Host, host_named, refusal
from ti99tools.games.hosts.roms import RomSet, search, setting


def chosen_cases(
    paths: Iterable[Path],
    area: str | None,
    name: str | None,
    left_out: list[TIError] | None = None,
) -> list[Case]:
    """The cases in files and folders, limited to an area and a name. Raises TIError if none match.

    `area` and `name` may be prefixes, or contain `*`. With `left_out`, unreadable files are skipped
    and their errors appended there; if no case remains, the first of these errors is raised.
    """
    chosen = [case for case in load(paths, left_out) if case.chosen(area, name)]
    if not chosen and left_out:
        raise left_out[0]
    if not chosen:
        raise TIError("no case is chosen", remedy=Remedy.CHOOSE_CASES)
    return chosen


def known_failures(
    paths: Iterable[Path], file: Path | None, cartridge: bool = False
) -> dict[str, str]:
    """Known failures → reasons, from `file`, or else from the list beside the cases.

    `cartridge`: those of programs that are compiled.
    """
    path = file or known.beside(paths, known.NAME_AS_CARTRIDGE if cartridge else known.NAME)
    return known.read(path) if path else {}


def known_kinds(paths: Iterable[Path], file: Path | None) -> list[Kind]:
    """Kinds of differences known on emulators, from `file`, or the list beside the cases."""
    path = file or known.beside(paths, known.NAME_FOR_HOSTS)
    return known.read_kinds(path) if path else []


def hold(
    cases: list[Case],
    listed: dict[str, str],
    jobs: int,
    tick: Callable[[int], object] = id,
    host: str = "",
    kinds: Sequence[Kind] = (),
    cartridge: bool = False,
) -> Summary:
    """Run the cases in `jobs` processes; `tick` gets the number run since its last call.

    `host` names an emulator that plays them instead of our console, and `kinds` are the differences
    known there. `cartridge`: their programs are compiled. Raises TIError for a case without a
    recorded result.
    """
    for case in cases:
        if case.kind is CaseKind.CONSOLE and "expect" not in case.data:
            raise TIError(f"{case.id}: nothing is recorded of this case", remedy=Remedy.RECORD)
    summary = Summary(listed)
    for outcomes in runner.run(cases, jobs, host=host, cartridge=cartridge):
        for outcome in outcomes:
            summary.add(outcome)
        tick(1)
    if kinds:
        names = [outcome.id for outcome in summary.failures]
        summary.known, summary.exceeded = known.explained(kinds, names)
    return summary


def playable(
    cases: Iterable[Case], host: str, cartridge: bool = False
) -> tuple[list[Case], dict[str, int]]:
    """The cases that an emulator can play, and how many of each kind it cannot.

    `cartridge`: only cases that are programs; `host` may be empty then, for our console. Raises
    HostError when the emulator cannot run here.
    """
    place = host_named(host) if host else None
    if place is not None and place.missing():
        raise refusal(place)
    for_host: list[Case] = []
    others: dict[str, int] = {}
    for case in cases:
        if case.kind is CaseKind.CONSOLE if cartridge else case.kind in KINDS:
            for_host.append(case)
        else:
            others[case.kind.value] = others.get(case.kind.value, 0) + 1
    return for_host, others


def record_cases(
    cases: Iterable[Case], host: str, file: Path, tick: Callable[[int], object]
) -> tuple[int, list[str]]:
    """Record cases on an emulator into a file: their number, and those whose two runs differ.

    `tick` gets the number played since its last call. Raises TIError when the emulator cannot play.
    """
    chosen = [case for case in playable(cases, host)[0] if case.kind is CaseKind.CONSOLE]
    lines: list[str] = []
    unsure: list[str] = []
    for case, recording in record(host_named(host), chosen):
        if recording is None:
            unsure.append(case.id)
        else:
            lines.append(json.dumps(recording, ensure_ascii=False) + "\n")
        tick(1)
    write_atomically(file, "".join(lines))
    return len(lines), unsure


def hosts() -> list[Host]:
    """All hosts; the `missing` of each says what it lacks on this computer."""
    return [virtual.host(), mame.host(), ti99sim.host()]


def emulator(name: str) -> Emulator:
    """The emulator `mame` or `ti99sim`."""
    return mame.host() if name == "mame" else ti99sim.host()


def build_driver(source: Path, tick: Callable[[str], object]) -> Path:
    """Compile the driver of ti99sim with its sources in a folder; returns the driver's path.

    `tick` gets the name of each file. Raises TIError when it does not compile.
    """
    from ti99tools.games.hosts.ti99sim import build

    return build(source, tick)


def prepare_dumps(into: Path) -> RomSet:
    """Find the ROM dumps in the configured folder and write them to the folder `into`.

    Raises TIError when no folder is configured, it does not exist, or it has no dumps.
    """
    folder = setting("roms")
    if folder is None:
        raise TIError("no folder of ROM dumps is named", remedy=Remedy.ADD_ROMS)
    if not Path(folder).is_dir():
        raise TIError(f"{folder}: no such folder of ROM dumps", remedy=Remedy.CHECK_ROMS)
    dumps = search(Path(folder))
    if not dumps.pieces:
        damaged = f" ({', '.join(dumps.damaged)} cannot be read)" if dumps.damaged else ""
        problem = f"{folder}: none of the ROM dumps is here{damaged}"
        raise TIError(problem, remedy=Remedy.CHECK_ROMS)
    dumps.lay_out(into)
    return dumps
