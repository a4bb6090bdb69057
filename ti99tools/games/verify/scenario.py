"""A scenario: a game, its setup and every key; how scenarios are generated and saved.

A policy knows only the question (`Ask`) and its own random generator, so the same policies play
every game. `clumsy` mixes in keys that a game refuses.

A scenario is saved as a key script whose first line contains it, so that the same file is played by
`ti99tools run --script` and checked by `ti99tools verify --replay`. Generated scenarios take a
setup and policies from a seed, and their keys from a match on the model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random

from ti99tools.base import codes
from ti99tools.base.codes import ENTER, KEY_NAMES
from ti99tools.base.errors import BuildError, Place, ScriptError
from ti99tools.base.record import Record
from ti99tools.base.tables import json_value
from ti99tools.computer.console.keyscript import Press, Step, Type, write
from ti99tools.games.models.model import CODES, Ask, Match, Player, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.loading import blaming

Policy = Callable[[Ask, Random], int]

REFUSABLE = (
    *range(ord(" "), ord("`")),
    codes.ENTER,
    codes.AID,
    codes.DELETE,
    codes.INSERT,
    codes.REDO,
    codes.ERASE,
    codes.LEFT,
    codes.RIGHT,
    codes.DOWN,
    codes.UP,
    codes.PROCEED,
    codes.BEGIN,
    codes.BACK,
)
"""Keys that a game may get at any time: all except CLEAR and QUIT, which end a program, and the
characters that CALL KEY(3) cannot return: small letters, braces, bar, tilde, grave accent."""


def legal(ask: Ask, random: Random) -> int:
    """Press any key that is allowed, with equal chances."""
    return random.choice(ask.keys)


def greedy(ask: Ask, random: Random) -> int:
    """Secure the gains at once; go on where that is not allowed."""
    if ask.safe is not None:
        return ask.safe
    return ask.bold if ask.bold is not None else legal(ask, random)


def restless(ask: Ask, random: Random) -> int:
    """Go on as long as possible, to the limits of the rules; never secure anything."""
    if ask.bold is not None and random.random() < 0.6:
        return ask.bold
    rest = [key for key in ask.keys if key != ask.safe]
    return random.choice(rest or ask.keys)


def steady(ask: Ask, random: Random) -> int:
    """Be greedy half of the time, else press anything that is allowed."""
    return greedy(ask, random) if random.random() < 0.5 else legal(ask, random)


def clumsy(ask: Ask, random: Random) -> int:
    """Play like `steady`, but with a third of the keys from the whole keyboard."""
    return random.choice(REFUSABLE) if random.random() < 0.33 else steady(ask, random)


def stubborn(ask: Ask, random: Random) -> int:
    """Try keys that the rules refuse just now, and go on otherwise."""
    if ask.tempting and random.random() < 0.5:
        return random.choice(ask.tempting)
    return restless(ask, random) if random.random() < 0.5 else greedy(ask, random)


POLICIES: dict[str, Policy] = {
    "legal": legal,
    "greedy": greedy,
    "restless": restless,
    "steady": steady,
    "clumsy": clumsy,
    "stubborn": stubborn,
}


MARK = "# scenario: "
_KEY_NAMES = {code: name for name, code in KEY_NAMES.items()}


class Scenario(Record):
    """A scenario. `keys`: the codes pressed in the match, in order; `policies`: who chose them."""

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
        data = json_value(text)
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
"""Keys or events after which every player becomes greedy, so that the log fits on a disk."""
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
            keys.append(_key_of(name, own[name](match.model, match.ask, random)))
        else:
            keys.append(POLICIES[name](match.ask, random))
        match.press(keys[-1])
    return Scenario(adapter.name, setup, tuple(keys), policies), log_of(adapter, setup, match)


def _key_of(player: str, key: object) -> int:
    """The key that a game's own player presses. Raises BuildError for what is none."""
    if isinstance(key, int) and key in CODES:
        return key
    raise BuildError(f"the player {player} presses {key!r}", remedy="return the code of a key")


def log_of(adapter: Adapter, setup: Setup, match: Match) -> PlayLog:
    """The log of a match; complete when the match is over."""
    model = adapter.model
    return PlayLog(model.game, model.version, setup.seed, tuple(match.log), match.ask is None)


class ModelRun(Record):
    """A scenario played on the model.

    `points`: numbers of keys pressed and events logged, whenever the match waits for another key.
    """

    log: PlayLog
    points: tuple[tuple[int, int], ...]
    used: int

    def looks(self, number: int) -> list[tuple[int, int]]:
        """`number` of the points, spread over the match; fewer if there are not enough."""
        step = max(1, len(self.points) // max(1, number))
        return list(self.points[step // 2 :: step][:number])


def run_model(adapter: Adapter, scenario: Scenario) -> ModelRun:
    """Play a scenario on the model."""
    with MODELS:
        return _run(adapter, scenario)


def _run(adapter: Adapter, scenario: Scenario) -> ModelRun:
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
    return ModelRun(log_of(adapter, scenario.setup, match), tuple(points), used)


def expected(adapter: Adapter, scenario: Scenario) -> tuple[PlayLog, int]:
    """The log that the model writes for a scenario, and how many of the keys the match takes."""
    run = run_model(adapter, scenario)
    return run.log, run.used


OUT = (codes.BACK, ord("Y"))
"""The keys that lead out of a match: BACK asks whether to leave or to resign."""
CONFIRMED = (ord("N"), ENTER)
"""Keys that may lead back from a question within a match to one where BACK leaves."""


def led_out(adapter: Adapter, scenario: Scenario) -> Scenario:
    """The scenario with keys that end a match that its own keys leave in the middle.

    That is the game's own way out, or else cautious players play on. Raises BuildError if a match
    does not end.
    """
    with MODELS, blaming(adapter):
        match = _played(adapter, scenario)
        ways = ((*first, *OUT) for first in ((), *((key,) for key in CONFIRMED)))
        if match.ask is None:
            return scenario
        for way in ways:
            longer = scenario.with_keys((*scenario.keys, *way))
            if _played(adapter, longer).ask is None:
                return longer
        return scenario.with_keys((*scenario.keys, *_greedy_end(adapter, match, scenario)))


def _played(adapter: Adapter, scenario: Scenario) -> Match:
    """The match of a scenario on the model, as far as its keys go."""
    match = Match(adapter.model(scenario.setup))
    for key in scenario.keys:
        if match.ask is None:
            break
        match.press(key)
    return match


def _greedy_end(adapter: Adapter, match: Match, scenario: Scenario) -> Iterator[int]:
    """The keys with which cautious players end a match."""
    random = Random(scenario.setup.seed)
    for _ in range(TOO_MANY_KEYS):
        if match.ask is None:
            return
        key = greedy(match.ask, random)
        yield key
        match.press(key)
    raise BuildError(f"{adapter.name}: a match does not end", remedy="check the rules of its model")
