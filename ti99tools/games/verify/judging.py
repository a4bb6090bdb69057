"""Whether a play log follows the rules of its game: logs compared line by line, keys replayed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ti99tools.games.models.model import LEFT, Match, Model
from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.verify.result import Mismatch
from ti99tools.games.verify.returns import wrong_result

CONTEXT = 4
NOTHING = "(nothing)"
SAME_VERSION = "the model's version must be that of game.toml"


def compare_logs(expected: PlayLog, got: PlayLog) -> Mismatch | None:
    """The first line in which two logs differ; lines missing from a truncated log do not count."""
    for what in ("game", "version", "seed"):
        a, b = getattr(expected, what), getattr(got, what)
        if a != b:
            context = (SAME_VERSION,) if what == "version" else ()
            return Mismatch("log", f"{what} {a}", f"{what} {b}", -2, context)
    return compare_events(expected.events, got.events, expected.complete and got.complete)


def compare_events(
    expected: Sequence[Event], got: Sequence[Event], complete: bool, first: int = 0
) -> Mismatch | None:
    """The first event from `first` on that differs; unless `complete`, either may end early."""
    for index, (a, b) in enumerate(
        zip(expected[first:], got[first : len(expected)], strict=False), first
    ):
        if a != b:
            return _at(index, str(a), str(b), expected)
    index = min(len(expected), len(got))
    if complete and len(expected) != len(got):
        theirs, ours = (
            str(side[index]) if index < len(side) else NOTHING for side in (expected, got)
        )
        return _at(index, theirs, ours, expected)
    return None


def _at(index: int, a: str, b: str, expected: Sequence[Event]) -> Mismatch:
    context = tuple(map(str, expected[max(0, index - CONTEXT) : index]))
    return Mismatch("log", a, b, index, context)


def compare_numbers(
    where: str, expected: Mapping[str, object], got: Mapping[str, object]
) -> Mismatch | None:
    """The first of the expected numbers that a screen shows differently.

    The number 5 and the string "5" are equal: a screen shows both alike.
    """
    for name, value in expected.items():
        if got.get(name) != value and (name not in got or str(got[name]) != str(value)):
            return Mismatch("screen", f"{name} {value}", f"{name} {got.get(name)}", 0, (where,))
    return None


def _pressed(match: Match, event: Event) -> bool:
    """Press the keys of an event until the model logs something; returns whether it did.

    Raises BuildError when `keys_of` of the model returns no codes of keys.
    """
    before = len(match.log)
    try:
        keys: object = match.model.keys_of(event) or ()
        # One with `yield` gives its keys only once.
        keys = tuple(keys) if isinstance(keys, Iterable) else keys
    except (ValueError, LookupError):
        return False  # words are missing in the line, or are not numbers
    if not (isinstance(keys, tuple) and all(isinstance(key, int) for key in keys)):
        raise wrong_result(match.model.keys_of, keys, "a list of key codes")
    for key in keys:
        match.press(key)
        if match.ask is None or len(match.log) > before:
            return True
    return False


def begins(log: PlayLog, model: type[Model]) -> bool:
    """Tell whether a log contains the options and the players of its match."""
    try:
        model(model.setup_of(log.seed, log.events))
    except (ValueError, LookupError):
        return False
    return True


def judge(log: PlayLog, model: type[Model]) -> Mismatch | None:
    """Check a log from anywhere: extract its keys and see whether the rest follows from them."""
    return follow(log, model)[1]


def unread(log: PlayLog, model: type[Model]) -> str:
    """The line at which a log that the model itself has written does not give its match back."""
    wrong = judge(log, model)
    return "" if wrong is None else wrong.got


def follow(log: PlayLog, model: type[Model]) -> tuple[Match | None, Mismatch | None]:
    """The match that a log records, as far as it follows the rules, and where it does not.

    A match may be left wherever the model allows it; the events before that count.
    """
    if model.may_leave and log.complete and log.events[-1:] == (Event.of(LEFT),):
        log = replace(log, events=log.events[:-1], complete=False)
    try:
        match = Match(model(model.setup_of(log.seed, log.events)))
    except (ValueError, LookupError) as error:
        first = str(log.events[0]) if log.events else NOTHING
        return None, Mismatch("log", str(error), first)
    index = 0
    while match.ask is not None:
        wrong = compare_events(match.log, log.events, complete=False, first=index)
        index = len(match.log)
        if wrong is not None:
            return match, wrong
        if index > len(log.events) or (index == len(log.events) and not log.complete):
            return match, compare_events(match.log, log.events, log.complete)
        if index == len(log.events):
            return match, _at(index, "a key of the player", NOTHING, match.log)
        if not _pressed(match, log.events[index]):
            return match, _at(index, "a key of the player", str(log.events[index]), match.log)
    return match, compare_events(match.log, log.events, log.complete)
