"""A scenario: a game, its setup and every key of the match, enough to play it again anywhere.

It is saved as a key script whose first line has the scenario, so that the same file is played by
`ti99tools run --script` and judged by `ti99tools verify --replay`. Generated scenarios take a setup
and policies from a seed, and their keys from a match on the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from ti99tools.base.codes import ENTER, KEY_NAMES
from ti99tools.base.errors import BuildError, Place, ScriptError
from ti99tools.computer.console.keyscript import Press, Step, Type, write
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.loading import blaming
from ti99tools.games.verify.policies import POLICIES, greedy

MARK = "# scenario: "
_KEY_NAMES = {code: name for name, code in KEY_NAMES.items()}


@dataclass(frozen=True)
class Scenario:
    """`keys` are the codes pressed in the match, in order; `policies` say who chose them."""

    game: str
    setup: Setup
    keys: tuple[int, ...] = ()
    policies: tuple[str, ...] = ()

    def with_keys(self, keys: Iterable[int]) -> Scenario:
        """The same match with other keys."""
        return replace(self, keys=tuple(keys))

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it back."""
        setup = self.setup
        return json.dumps(
            {
                "game": self.game,
                "seed": setup.seed,
                "players": [[player.kind, player.name] for player in setup.players],
                "options": dict(setup.options),
                "keys": list(self.keys),
                "policies": list(self.policies),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Scenario:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError for other texts."""
        data = json.loads(text)
        players = tuple(Player(kind, name) for kind, name in data["players"])
        setup = Setup(int(data["seed"]), players, dict(data["options"]))
        return cls(data["game"], setup, tuple(map(int, data["keys"])), tuple(data["policies"]))


def key_steps(keys: Iterable[int]) -> Iterator[Step]:
    """Key codes as steps of a script: runs of characters typed, other keys pressed by name."""
    text = ""
    for key in keys:
        if key == ENTER:
            text += "\n"
        elif 32 <= key < 127:
            text += chr(key)
        else:
            if text:
                yield Type(text)
            text = ""
            yield Press(_KEY_NAMES[key])
    if text:
        yield Type(text)


def to_script(scenario: Scenario, steps: Iterable[Step], remarks: Iterable[str] = ()) -> str:
    """The text of a replayable file: scenario, remarks, and the steps of the whole session."""
    lines = [f"{MARK}{scenario.to_json()}", *(f"# {remark}" for remark in remarks)]
    return "\n".join(lines) + "\n" + write(steps)


def from_script(text: str, file: str) -> Scenario:
    """The scenario of a replayable file. Raises ScriptError when the file has none."""
    first = text.splitlines()[0] if text else ""
    if not first.startswith(MARK):
        raise ScriptError(
            "no scenario in this file",
            remedy=f"its first line must begin with '{MARK.strip()}', as verify writes it",
            place=Place(file, 1),
        )
    try:
        return Scenario.from_json(first.removeprefix(MARK))
    except (ValueError, KeyError, TypeError) as error:
        raise ScriptError(
            f"a damaged scenario: {error}",
            remedy="let verify write the file again",
            place=Place(file, 1),
        ) from error


MANY_KEYS = 400
MANY_EVENTS = 2500
"""After so many keys or events every player becomes greedy, so that the log fits on a disk."""
TOO_MANY_KEYS = 20_000


def make(adapter: Adapter, seed: int) -> tuple[Scenario, PlayLog]:
    """A scenario and the log that the model writes for it; the same for the same seed."""
    with MODELS, blaming(adapter):
        return _make(adapter, seed)


def _make(adapter: Adapter, seed: int) -> tuple[Scenario, PlayLog]:
    random = Random(f"{adapter.name} {seed}")
    setup = adapter.setup(random)
    own = adapter.players
    policies = tuple(
        random.choice([*POLICIES, *own]) if player.kind == "H" else "computer"
        for player in setup.players
    )
    match = Match(adapter.model(setup))
    keys: list[int] = []
    while match.ask is not None:
        name = policies[match.ask.player]
        if len(keys) >= TOO_MANY_KEYS:
            problem = f"{adapter.name}: the match with seed {seed} does not end"
            remedy = f"let the rules of its model come to an end within {TOO_MANY_KEYS} keys"
            raise BuildError(problem, remedy=remedy)
        if len(keys) >= MANY_KEYS or len(match.log) >= MANY_EVENTS:
            keys.append(greedy(match.ask, random))
        elif name in own:
            keys.append(own[name](match.model, match.ask, random))
        else:
            keys.append(POLICIES[name](match.ask, random))
        match.press(keys[-1])
    return Scenario(adapter.name, setup, tuple(keys), policies), log_of(adapter, setup, match)


def log_of(adapter: Adapter, setup: Setup, match: Match) -> PlayLog:
    """The log of a match; complete when the match is over."""
    model = adapter.model
    return PlayLog(model.game, model.version, setup.seed, tuple(match.log), match.ask is None)


@dataclass(frozen=True)
class Run:
    """A scenario played on the model.

    `points`: keys pressed and events told whenever the match waits for a further key.
    """

    log: PlayLog
    points: tuple[tuple[int, int], ...]
    used: int

    def looks(self, number: int) -> list[tuple[int, int]]:
        """So many of the points, spread over the match; fewer if there are not enough."""
        step = max(1, len(self.points) // max(1, number))
        return list(self.points[step // 2 :: step][:number])


def run_model(adapter: Adapter, scenario: Scenario) -> Run:
    """Play a scenario on the model."""
    with MODELS:
        return _run(adapter, scenario)


def _run(adapter: Adapter, scenario: Scenario) -> Run:
    match = Match(adapter.model(scenario.setup))
    points = []
    used = 0
    for key in scenario.keys:
        if match.ask is None:
            break
        match.press(key)
        used += 1
        if match.ask is not None:
            points.append((used, len(match.log)))
    return Run(log_of(adapter, scenario.setup, match), tuple(points), used)


def expected(adapter: Adapter, scenario: Scenario) -> tuple[PlayLog, int]:
    """The log that the model writes for a scenario, and how many of its keys it takes."""
    run = run_model(adapter, scenario)
    return run.log, run.used
