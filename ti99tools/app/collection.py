"""Compiling several targets for one cartridge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ti99tools.app.compile import (
    check_title,
    content,
    figures,
    report,
    report_data,
    suited,
    summary,
    wanted,
)
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import Collected, Wanted, compile_programs
from ti99tools.compiler.pace import Pace
from ti99tools.games.making.artefacts import Artefact
from ti99tools.games.making.collection import Collection
from ti99tools.games.making.manifest import Manifest
from ti99tools.media.disk.tifile import NAME_RULE


def wanted_programs(names: Sequence[str], title: str | None, first: bool) -> list[Wanted]:
    """The programs that are to be compiled. Raises TIError for what cannot lie side by side.

    `first`: only the first is in the menu, with this title.
    """
    check_title(title)
    if first and len(names) == 1:
        raise TIError(f"{names[0]} is the only program", remedy="name those that it RUNs, too")
    if title is not None and not first and len(names) > 1:
        problem = "each of several programs has its name as its title"
        raise TIError(problem, remedy="leave out the title")
    programs = [wanted(name, title if first and not at else None) for at, name in enumerate(names)]
    known: dict[str, Wanted] = {}
    for each in programs:
        if not each.name:
            raise _nameless(each.given)
        other = known.setdefault(each.name, each)
        if other is not each:
            raise TIError(
                f"{other.given} and {each.given} are both called {each.name}",
                remedy="give one of them another name",
            )
    return programs


def _nameless(given: str) -> TIError:
    """The error for a program whose file's name is none of the machine, so that nothing RUNs it."""
    problem = f"{given}: RUN has no name for it"
    return TIError(problem, remedy=f"rename the file: {NAME_RULE}")


def collected(
    programs: Sequence[Wanted], first: bool, words: bool, pace: str, banks: bool
) -> Collected:
    """Compile the programs: see `compile_programs`; `pace` is the value of a `Pace`.

    Raises SourceError, TIError.
    """
    return compile_programs(programs, first, words, pace=Pace(pace), banks=banks)


def with_cartridge(built: Collection, games: Sequence[Manifest]) -> Collection:
    """The collection of games with a cartridge of all of them, or with the reason why not."""
    try:
        programs = wanted_programs([str(game.folder) for game in games], None, False)
        data = collected(programs, False, True, Pace.BASIC.value, True).cartridge
    except TIError as error:
        return replace(built, no_cartridge=error.problem)
    names = (f"{suited(built.name)}.bin", f"{built.name}.rpk")
    files = tuple(Artefact(name, content(data, Path(name))) for name in names)
    return replace(built, compiled=files)


def reports(programs: Sequence[Wanted], result: Collected) -> Iterator[str]:
    """The report on each program, with its name above."""
    for number, (each, compiled) in enumerate(zip(programs, result.programs, strict=True)):
        yield f"{each.name}\n{report(compiled, each.program, result, number)}"


def data_of(programs: Sequence[Wanted], result: Collected, reported: bool) -> dict[str, Any]:
    """What `--json` tells of the cartridge and of each program; all sizes are in bytes."""
    rows = []
    for number, (each, compiled) in enumerate(zip(programs, result.programs, strict=True)):
        own = {key: value for key, value in figures(compiled).items() if key != "cartridge"}
        more = report_data(compiled, each.program, result, number) if reported else {}
        rows.append({"name": each.name, "in_menu": number < len(result.titles)} | own | more)
    return {"programs": rows, "cartridge": len(result.cartridge)}


def summaries(programs: Sequence[Wanted], result: Collected, output: Path) -> Iterator[str]:
    """The figures as sentences, one for the cartridge and one for each program."""
    count, size = len(programs), len(result.cartridge) // 1024
    menu = "all in the menu" if count == len(result.titles) else f"{programs[0].name} in the menu"
    yield f"{output}: {count} programs, {menu}, {size} KB"
    for each, compiled in zip(programs, result.programs, strict=True):
        yield f"  {each.name}: {summary(compiled).partition(', ')[2]}"
