"""Where a failure shows: its match played again up to there on our console, with pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from ti99tools.base.errors import Place
from ti99tools.computer.console.keyscript import Asked, Snap, Step
from ti99tools.games.hosts.disklog import filled
from ti99tools.games.hosts.host import Evidence, Job
from ti99tools.games.hosts.names import OURS, host_named
from ti99tools.games.hosts.witness import Sought, witness
from ti99tools.games.models.playlog import MAGIC
from ti99tools.games.verify.adapter import Adapter, room_of
from ti99tools.games.verify.campaign import Subject
from ti99tools.games.verify.matches import course_of, steps_of
from ti99tools.games.verify.result import Failure, Mismatch
from ti99tools.games.verify.scenario import Scenario, key_steps

BEFORE, AFTER = "before", "after"
HEAD = 2
"""Lines of a log before the first event."""


def witnessed(subject: Subject, failure: Failure) -> Failure:
    """The failure with pictures of the screen and its place in the source."""
    game, mismatch = subject.adapter(), failure.mismatch
    if mismatch.other:
        titles = {mismatch.moment: "Our console"}
        steps = _up_to(steps_of(game, course_of(game, failure.scenario)), mismatch.moment)
    elif mismatch.where == "log":
        titles = {AFTER: "A second after the line in which they differ"}
        steps = list(steps_of(game, course_of(game, failure.scenario)))
    else:
        titles = {BEFORE: "Before the last key", AFTER: "After the last key"}
        steps = list(_around(game, failure.scenario))
    job = _job(game, subject, failure.scenario, steps)
    seen = witness(job, titles, _sought(job, mismatch), mismatch.other)
    calls = tuple(_places(subject, seen))
    own = (at for at, place in enumerate(calls) if not (place.file or "").startswith("<"))
    return replace(failure, evidence=seen, calls=calls, own=next(own, 0))


def _sought(job: Job, mismatch: Mismatch) -> Sought | None:
    """The line of the log in which they differ, in the log that the game writes."""
    if mismatch.where != "log":
        return None
    lines = [record.decode("latin-1") for record in host_named(OURS).play(job).records or ()]
    starts = [at for at, line in enumerate(lines) if line.startswith(MAGIC)]
    return Sought(lines, (starts[-1] if starts else 0) + mismatch.index + HEAD)


def _around(game: Adapter, scenario: Scenario) -> Iterable[Step]:
    """The session up to the last key, which shows what differs, with looks before and after it."""
    keys = scenario.keys
    if keys:
        yield from steps_of(game, course_of(game, scenario.with_keys(keys[:-1])))
        yield from (Asked(), Snap(BEFORE), *key_steps(keys[-1:]))
    else:
        yield from steps_of(game, course_of(game, scenario))
    yield from (Asked(), Snap(AFTER))


def _up_to(steps: Iterable[Step], name: str) -> list[Step]:
    return [*takewhile(lambda step: step != Snap(name), steps), Snap(name)]


def _job(game: Adapter, subject: Subject, scenario: Scenario, steps: list[Step]) -> Job:
    setup = scenario.setup
    room = room_of(setup)
    disk = subject.disk if room is None else filled(subject.disk, room)
    return Job(disk, tuple(steps), game.log_file, pace=game.pace, files=game.files(setup))


def _places(subject: Subject, seen: Evidence) -> Iterable[Place]:
    spots = subject.plan.spots if subject.plan is not None else ()
    known = {(spot.number, spot.offset): spot.place for spot in spots}
    return (known[call] for call in seen.calls if call in known)
