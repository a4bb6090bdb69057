"""What each optimization pass of a game saves, and which names its main program looks up most.

Savings are measured in bytes, seconds to the title, and seconds of a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ti99tools.base.counts import RAN
from ti99tools.base.errors import TIError
from ti99tools.computer.console.keyscript import Until
from ti99tools.computer.console.session import Console
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import Built
from ti99tools.games.making.keeping import kept_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import Scenario, make
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.language.optimize import PASSES
from ti99tools.language.optimize.flow import looked_up
from ti99tools.language.optimize.rows import rows_of
from ti99tools.language.syntax.statements import every_statement
from ti99tools.media.disk.image import DiskImage

HOT, HOT_MATCHES = 30, 3
"""How many names are reported, and from how many matches."""
STANDARD_SEED = 1
"""The seed of a game's standard match."""
PATIENCE = 300.0
"""Seconds of machine time within which a title must come."""


@dataclass(frozen=True, slots=True)
class Saving:
    """A game after some passes.

    `lines` and `size` (bytes) are the program's. `start` is the machine time in seconds from
    choosing Extended BASIC to the game's first screen, `load` and `prescan` the parts of it that
    these take, `match` that of the standard match after it. Times are None for a game without a
    model.
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
    """The plain game, then with one more pass each time. Raises TIError as `build_game` does."""
    adapter = adapter_of(manifest) if manifest.model else None
    scenario = make(adapter, STANDARD_SEED)[0] if adapter else None
    chosen: list[str] = []
    before: Built | None = None
    # Passes that the manifest leaves out are not measured.
    wanted = PASSES if manifest.passes is None else manifest.passes
    for name in ("plain", *(name for name in PASSES if name in wanted)):
        chosen += [name] if name in PASSES else []
        built = kept_game(manifest, passes=tuple(chosen))
        changed = before is None or built.program != before.program
        before = built
        size = built.program.size
        yield Saving(
            name, changed, len(built.program.lines), size, *_timed(adapter, scenario, built)
        )


def _timed(
    adapter: Adapter | None, scenario: Scenario | None, built: Built
) -> tuple[float | None, float | None, float | None, float | None]:
    """Seconds to the title, of these for loading and for the pre-scan, and seconds of a match."""
    nothing = None, None, None, None
    if adapter is None or scenario is None:
        return nothing
    title = next((s.text for s in adapter.opening(scenario.setup) if isinstance(s, Until)), None)
    if title is None:
        return nothing
    # Reading back from bytes gives a copy: the run must not change the built disk.
    console = Console({"DSK1": DiskImage.from_bytes(built.image.to_bytes())}, max_seconds=PATIENCE)
    console.boot()
    if not console.run_until(title):
        return nothing
    start = console.clock.seconds
    prescan = console.computer.workspace.scan_cycles
    # Loading includes the pre-scan, which is shown on its own.
    load = console.loading_cycles - prescan
    played = play(adapter, host(), built.image.to_bytes(), scenario)
    return start, load / CPU_HZ, prescan / CPU_HZ, played.seconds - start


def hottest(manifest: Manifest) -> list[str]:
    """The names in a game's main program, most often looked up in some matches first.

    Raises TIError for a game without a model.
    """
    if not manifest.model:
        raise TIError(
            f"{manifest.game} has no model to play it by", remedy="see docs/games.md, The rules"
        )
    adapter, built = adapter_of(manifest), kept_game(manifest, passes=())
    parsed = built.program.analysis.parsed
    statements = {
        row.key: {each.at: each for each in every_statement(parsed[row.key])}
        for row in rows_of(built.program.lines).main
    }
    matches_with: Counter[str] = Counter()
    for seed in range(STANDARD_SEED, STANDARD_SEED + HOT_MATCHES):
        scenario = make(adapter, seed)[0]
        played = play(adapter, host(), built.image.to_bytes(), scenario, count=True)
        for (number, at, what), times in (played.hits or {}).items():
            statement = statements.get(number, {}).get(at)
            if what == RAN and statement is not None:
                matches_with.update(dict.fromkeys(looked_up(statement), times))
    return [name for name, _ in matches_with.most_common(HOT)]
