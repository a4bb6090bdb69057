"""The keys of a match from the first question on, one by one, and what comes between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from ti99tools.base.codes import CLEAR, KEY_NAMES, QUIT
from ti99tools.computer.console.keyscript import Press, Step, Type, Until
from ti99tools.games.models.model import Match
from ti99tools.games.verify.adapter import BLANK_SEED, TROUBLE, WARM_UP, Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.matches import Course, course_of, steps_of
from ti99tools.games.verify.policies import greedy
from ti99tools.games.verify.scenario import TOO_MANY_KEYS, Scenario, make
from ti99tools.games.verify.shipped.situation import Situation, Trouble

MOST_KEYS = 45
"""Keys of a match in this stage: the way to them is what matters."""
TRIES, APART = 30, 7919
"""Matches made to find a short one, and the distance of their seeds."""
CLEARS = 3
"""How often FCTN-4 is a key of the match."""
ENDING = (CLEAR, QUIT)
"""Keys that end a program unless it disables them: FCTN-4 and FCTN-=."""
_DROPPED = (WARM_UP, BLANK_SEED, TROUBLE)
"""Options of a setup that the stage cannot use: it makes trouble of its own, and a seed that the
game chooses depends on the moment of a key.
"""


@dataclass(frozen=True)
class RouteKey:
    """A key of the route, and the steps before it that are not keys.

    `match` is its number among the keys of the match, from 0; None before and after it.
    """

    before: tuple[Step, ...]
    key: str
    match: int | None = None


@dataclass(frozen=True)
class Route:
    """All keys from the first one that the game, or the menu, waits for; the steps after them."""

    course: Course
    keys: tuple[RouteKey, ...]
    rest: tuple[Step, ...]


def scenario_of(adapter: Adapter, seed: int, situation: Situation) -> Scenario:
    """The match of a seed, a short one, made fit for a situation."""
    for number in range(TRIES):
        scenario, _ = make(adapter, seed + number * APART)
        if len(scenario.keys) <= MOST_KEYS and (scenario.keys or not number):
            break
    options = {k: v for k, v in scenario.setup.options.items() if k not in _DROPPED}
    if situation.trouble is Trouble.FULL:
        options[TROUBLE] = str(situation.room)
    elif situation.trouble is not Trouble.NONE:
        options[TROUBLE] = situation.trouble
    scenario = replace(scenario, setup=replace(scenario.setup, options=options))
    if not (situation.clear and scenario.keys):
        return scenario
    random = Random(f"{adapter.name} {seed} clear")
    keys = list(scenario.keys)
    for key in (*[CLEAR] * CLEARS, *[QUIT] * adapter.keeps_quit):
        keys.insert(random.randrange(len(keys)), key)
    return _whole(adapter, scenario.with_keys(keys))


def _whole(adapter: Adapter, scenario: Scenario) -> Scenario:
    """The match with the keys that it takes, played to its end where they are too few."""
    with MODELS:
        match = Match(adapter.model(scenario.setup))
        given = iter(scenario.keys)
        random = Random(scenario.setup.seed)
        keys: list[int] = []
        while match.ask is not None and len(keys) < TOO_MANY_KEYS:
            key = next(given, None)
            keys.append(greedy(match.ask, random) if key is None else key)
            match.press(keys[-1])
    return scenario.with_keys(keys)


def route_of(adapter: Adapter, scenario: Scenario, menu_key: str = "") -> Route:
    """The way through a match; `menu_key` is pressed first."""
    course = course_of(adapter, scenario)
    opening = _key_by_key(adapter.opening(scenario.setup))
    first = sum(isinstance(step, Press) for step in opening)
    pressed = 0
    keys = [RouteKey((), menu_key)] if menu_key else []
    before: list[Step] = []
    for step in _key_by_key(steps_of(adapter, course)):
        if not isinstance(step, Press):
            before.append(step)
            continue
        number = pressed - first
        inside = 0 <= number < len(scenario.keys)
        keys.append(RouteKey(tuple(before), step.key, number if inside else None))
        pressed += 1
        before = []
    return Route(course, tuple(keys), tuple(before))


def leaving(adapter: Adapter) -> tuple[Step, ...]:
    """From the start of a game to its end: from its title, or by a short match if it has none."""
    scenario = scenario_of(adapter, 0, Situation())
    if Until(adapter.title) in adapter.opening(scenario.setup):
        return tuple(adapter.after_leaving())
    return steps_of(adapter, course_of(adapter, scenario))


def _key_by_key(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        if isinstance(step, Type):
            yield from (Press(character) for character in step.text)
        else:
            yield step


def named(key: str) -> str:
    """A key as a message names it."""
    return {"\n": "ENTER", " ": "SPACE"}.get(key, key)


def is_ending(key: str) -> bool:
    """Tell whether a key is FCTN-4 or FCTN-=, which no game asks for."""
    return KEY_NAMES.get(key) in ENDING
