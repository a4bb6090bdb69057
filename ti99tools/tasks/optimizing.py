"""What each optimization pass saves a game: bytes, seconds to the title, seconds of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.base.hits import RAN
from ti99tools.console.session import Console
from ti99tools.disk.image import DiskImage
from ti99tools.games.artefacts import Built, as_program, build_game, optimized
from ti99tools.games.manifest import Manifest
from ti99tools.hosts.virtual import host
from ti99tools.machine.clock import CPU_HZ
from ti99tools.optimize import PASSES
from ti99tools.optimize.frequency import looked_up
from ti99tools.optimize.rows import rows_of
from ti99tools.source.dialect import Generated
from ti99tools.source.syntax import parse_line
from ti99tools.source.syntax.walk import every_statement
from ti99tools.trace.keyscript import Until
from ti99tools.verify.adapter import Adapter
from ti99tools.verify.loading import adapter_of
from ti99tools.verify.matches import play
from ti99tools.verify.scenario import Scenario
from ti99tools.verify.scenario_maker import make

HOT, HOT_MATCHES = 30, 3
"""So many names are told, of so many matches."""
STANDARD_SEED = 1
"""The scenario that is the standard match of a game."""
PATIENCE = 300.0
"""Seconds of machine time in which a title must come."""


@dataclass(frozen=True, slots=True)
class Saving:
    """A game after some passes.

    `lines` and `size` (bytes) of the program; `start`: seconds of machine time from choosing
    Extended BASIC to the game's first screen, `load` and `prescan` what these take of it; `match`:
    seconds of the standard match after that. None where the game has no model to play it by.
    """

    name: str
    applied: bool
    lines: int
    size: int
    start: float | None = None
    load: float | None = None
    prescan: float | None = None
    match: float | None = None


def savings(manifest: Manifest) -> Iterator[Saving]:
    """The plain game, then with one pass more each time. Raises TIError as `build_game`."""
    adapter = adapter_of(manifest) if manifest.model else None
    scenario = make(adapter, STANDARD_SEED)[0] if adapter else None
    chosen: list[str] = []
    before: Built | None = None
    wanted = PASSES if manifest.passes is None else manifest.passes
    for name in ("plain", *(name for name in PASSES if name in wanted)):
        chosen += [name] if name in PASSES else []
        built = build_game(manifest, passes=tuple(chosen))
        changed = before is None or built.program != before.program
        before = built
        size = built.program.size
        yield Saving(
            name, changed, len(built.program.lines), size, *_timed(adapter, scenario, built)
        )


def _timed(
    adapter: Adapter | None, scenario: Scenario | None, built: Built
) -> tuple[float | None, float | None, float | None, float | None]:
    """Seconds to the title, what loading and the pre-scan take of it, seconds of a match."""
    nothing = None, None, None, None
    if adapter is None or scenario is None:
        return nothing
    title = next((s.text for s in adapter.opening(scenario.setup) if isinstance(s, Until)), None)
    if title is None:
        return nothing
    console = Console({"DSK1": DiskImage.from_bytes(built.image.to_bytes())}, max_seconds=PATIENCE)
    console.boot()
    if not console.run_until(title):
        return nothing
    start = console.clock.seconds
    prescan = console.computer.workspace.scan_cycles
    load = console.loading_cycles - prescan
    played = play(adapter, host(), built.image.to_bytes(), scenario)
    return start, load / CPU_HZ, prescan / CPU_HZ, played.seconds - start


def hottest(manifest: Manifest, matches: int = HOT_MATCHES) -> list[str]:
    """The names of a game's main program by how often they were looked up in some matches.

    Raises TIError for a game without a model.
    """
    if not manifest.model:
        raise TIError(
            f"{manifest.game} has no model to play it by", remedy="see xbasic/GAMES.md, The rules"
        )
    adapter, built = adapter_of(manifest), build_game(manifest, passes=())
    lines = [(line.number, line.tokens) for line in built.program.lines]
    statements = {
        row.key: {each.at: each for each in every_statement(parse_line(row.tokens))}
        for row in rows_of(lines).main
    }
    found: Counter[str] = Counter()
    for seed in range(STANDARD_SEED, STANDARD_SEED + matches):
        scenario = make(adapter, seed)[0]
        played = play(adapter, host(), built.image.to_bytes(), scenario, count=True)
        for (number, at, what), times in (played.hits or {}).items():
            statement = statements.get(number, {}).get(at)
            if what == RAN and statement is not None:
                found.update(dict.fromkeys(looked_up(statement), times))
    return [name for name, _ in found.most_common(HOT)]


def optimized_listing(generated: Generated, path: Path) -> Generated:
    """A listing after all passes; `path` is named in errors. Raises SourceError."""
    return optimized(generated, as_program(generated, path), None)[0]
