"""One match on a host: the session is played, the log and some screens are compared."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from ti99tools.base.errors import HostError, TIError
from ti99tools.base.record import Record
from ti99tools.computer.console.asking import HOST_WORD
from ti99tools.computer.console.keyscript import Asked, Snap, Step
from ti99tools.games.hosts.disklog import filled
from ti99tools.games.hosts.host import FINAL, Endless, Host, Job, Played
from ti99tools.games.hosts.matrix import differences
from ti99tools.games.models.certificate import on_screen
from ti99tools.games.models.model import LEFT, Match, Setup
from ti99tools.games.models.playlog import MAGIC, Event, PlayLog, read_all
from ti99tools.games.verify.adapter import BLANK_SEED, TROUBLE, WARM_UP, Adapter, room_of
from ti99tools.games.verify.branches import watching
from ti99tools.games.verify.judging import (
    CONTEXT,
    NOTHING,
    compare_logs,
    compare_numbers,
    follow,
    unread,
)
from ti99tools.games.verify.loading import model_modules
from ti99tools.games.verify.result import MatchResult, Mismatch, plain_row
from ti99tools.games.verify.scenario import Scenario, expected, greedy, key_steps, run_model

if TYPE_CHECKING:
    from ti99tools.games.verify.compiled import CompiledGame

END_SCREEN = "end"
CERTIFICATE = "certificate"
CURSOR = "\x1e"
SLOWER, GRACE = 3.0, 180.0
"""A host may take this multiple of the reference's machine time, and this many seconds more."""
OTHER_MATCH = 10.0
"""The multiple for a host that chooses the seed itself, so that its match is a different one."""


class Look(Record):
    """A moment of a match at which screens are compared, by keys pressed and events logged."""

    keys: int
    events: int

    @property
    def name(self) -> str:
        """The name of the screen."""
        return f"after key {self.keys}"


class Course(Record):
    """A scenario by the rules: its log, the moments to look, and the match before it, if any."""

    scenario: Scenario
    log: PlayLog
    looks: tuple[Look, ...]
    first: Scenario | None


def course_of(adapter: Adapter, scenario: Scenario) -> Course:
    """Play a scenario on the model."""
    run = run_model(adapter, scenario)
    looks = tuple(Look(*point) for point in run.looks(adapter.looks))
    return Course(scenario, run.log, looks, _warm_up(adapter, scenario))


def _warm_up(adapter: Adapter, scenario: Scenario) -> Scenario | None:
    """The match to play first, by cautious players, if the setup asks for one."""
    setup = scenario.setup
    if WARM_UP not in setup.options:
        return None
    # The first match gets a fixed seed, and has itself no match before it.
    dropped = (WARM_UP, BLANK_SEED)
    options = {name: text for name, text in setup.options.items() if name not in dropped}
    first = replace(setup, seed=int(setup.options[WARM_UP]), options=options)
    match = Match(adapter.model(first))
    random = Random(first.seed)
    keys: list[int] = []
    while match.ask is not None:
        keys.append(greedy(match.ask, random))
        match.press(keys[-1])
    return Scenario(scenario.game, first, tuple(keys))


def steps_of(adapter: Adapter, course: Course) -> tuple[Step, ...]:
    """The session: title, setup, the match's keys and, for a whole match, the way out."""
    setup, first = course.scenario.setup, course.first
    closing = _closing(adapter, course.log)
    if first is None:
        opening: Sequence[Step] = adapter.opening(setup)
    else:
        opening = [
            *adapter.opening(first.setup),
            *key_steps(first.keys),
            *adapter.again(setup),
        ]
    return (*opening, *_match_steps(course), *closing)


def _closing(adapter: Adapter, log: PlayLog) -> Sequence[Step]:
    if log.events[-1:] == (Event.of(LEFT),):
        return adapter.after_leaving()
    return adapter.closing() if log.complete else ()


def _match_steps(course: Course) -> Iterator[Step]:
    """The match's keys, with looks at the screen in between.

    If the match is not over, the steps end when the last key has had its effect.
    """
    keys = course.scenario.keys
    done = 0
    for look in course.looks:
        yield from key_steps(keys[done : look.keys])
        yield from (Asked(), Snap(look.name))
        done = look.keys
    yield from key_steps(keys[done:])
    # A match that goes on shows no end to wait for, so wait for its next question.
    if not course.log.complete and done < len(keys):
        yield Asked()


def play(
    adapter: Adapter,
    host: Host,
    disk: bytes,
    scenario: Scenario,
    trace: bool = False,
    reference: Host | None = None,
    count: bool = False,
    max_seconds: float | None = None,
    compiled: CompiledGame | None = None,
) -> MatchResult:
    """Play a scenario on the model and on the host, and compare.

    The game is started from its disk, which may be that of a `compiled` game; or from a cartridge,
    and then its disk is in DSK1.

    With `trace` the result has the branches of the model that were taken; that takes longer. A
    `reference` host plays the match first. Its machine time limits that of the host, the places
    where it waits for keys are those where the host's screens are captured, and the screens and VDP
    memories of both are compared. With `count` the result has how often each statement of the
    program ran, on the reference if there is one. `max_seconds` of machine time are the most that
    the match may take.
    """
    start = time.perf_counter()
    # Only the model's part is watched: tracing slows down everything in the block.
    with watching(*model_modules(adapter)) if trace else nullcontext() as branches_taken:
        course = course_of(adapter, scenario)
    job = _job(adapter, course, disk, compiled)
    if max_seconds is not None:
        job = replace(job, max_seconds=min(job.max_seconds, max_seconds))
    known: Played | None = None
    mismatch: Mismatch | None = None
    screens = 0
    if reference is not None:
        known, mismatch = _guarded(reference, replace(job, watched=True), "our console")
        job = _measured(job, scenario, known)
    played = Played(None, {}, 0.0)
    if mismatch is None:
        played, mismatch = _guarded(host, job, "the host")
    if mismatch is None:
        mismatch, screens = compare(adapter, course, played)
    if reference is not None and known is not None:
        if mismatch is None:
            alike = same_match(adapter, course, played, job, reference) or known
            mismatch = compare_hosts(alike, played)
        elif mismatch.where == "run":
            mismatch = _with_last_screen(mismatch, played)
    return MatchResult(
        scenario=scenario,
        events=len(course.log.events),
        screens=screens,
        keys=len(scenario.keys),
        seconds=played.seconds,
        mismatch=mismatch,
        lines=played.lines,
        branches=frozenset(branches_taken.names if branches_taken else ()),
        # The reference is our console, which can count statements; other hosts cannot.
        hits=(played if known is None else known).hits if count else None,
        keys_taken=played.keys_taken,
        spared=played.spared,
        wall=time.perf_counter() - start,
        unread=unread(course.log, adapter.model) if trace and mismatch is None else "",
    )


def _measured(job: Job, scenario: Scenario, known: Played) -> Job:
    """The job with the time limit and the asking lines that follow from the reference."""
    factor = OTHER_MATCH if BLANK_SEED in scenario.setup.options else SLOWER
    most = known.seconds * factor + GRACE
    return replace(job, max_seconds=most, steps=asked_where(job, known))


def _with_last_screen(mismatch: Mismatch, played: Played) -> Mismatch:
    """The mismatch with the last screen if the run broke off: it helps most to see why."""
    last_rows = (row.rstrip() for row in map(plain_row, played.screens.get(FINAL, ())))
    rows = tuple(row for row in last_rows if row.strip(" ."))
    return replace(mismatch, context=(*mismatch.context, *rows))


def _guarded(host: Host, job: Job, name: str) -> tuple[Played, Mismatch | None]:
    """As `_played`; an exception other than the host's own error becomes a mismatch."""
    try:
        return _played(host, job), None
    except HostError:
        raise
    except Exception as error:
        # The last three entries name the place and the error.
        last = "".join(traceback.format_exception(error)[-3:]).splitlines()
        mismatch = Mismatch("run", f"no fault of {name}", last[-1], 0, tuple(last))
        return Played(None, {}, 0.0), mismatch


def _played(host: Host, job: Job) -> Played:
    """The result of a job on a host; a job that does not end fails the match, not the campaign."""
    try:
        return host.play(job)
    except Endless as error:
        return Played(None, {}, 0.0, str(error))


def asked_where(job: Job, known: Played) -> tuple[Step, ...]:
    """The steps of a job, with the lines in which the reference waited for keys."""
    lines = iter(known.asked_in)
    return tuple(Asked(next(lines, ())) if isinstance(step, Asked) else step for step in job.steps)


def same_match(
    adapter: Adapter, course: Course, played: Played, job: Job, reference: Host
) -> Played | None:
    """The same match on the reference, if the host chose the seed itself; None if it did not."""
    scenario = course.scenario
    options = {k: v for k, v in scenario.setup.options.items() if k != BLANK_SEED}
    logs = _logs(played.records or (), TROUBLE in options)
    if len(options) == len(scenario.setup.options) or not logs:
        return None
    as_logged = replace(
        scenario, setup=replace(scenario.setup, seed=logs[-1].seed, options=options)
    )
    steps = steps_of(adapter, course_of(adapter, as_logged))
    return _played(reference, replace(job, steps=steps, watched=True))


def _job(
    adapter: Adapter, course: Course, disk: bytes, compiled: CompiledGame | None = None
) -> Job:
    return job_for(adapter, course.scenario.setup, disk, steps_of(adapter, course), compiled)


def job_for(
    adapter: Adapter,
    setup: Setup,
    disk: bytes,
    steps: Sequence[Step],
    compiled: CompiledGame | None,
) -> Job:
    """What a host has to do for a match: the disk, steps, and the cartridge if there is one."""
    room = room_of(setup)
    job = Job(
        disk if room is None else filled(disk, room),
        tuple(steps),
        adapter.log_file,
        pace=adapter.pace,
        files=adapter.files(setup),
    )
    if compiled is None:
        return job
    cartridge, deciding = compiled.cartridge, compiled.deciding
    return replace(job, cell=HOST_WORD, cartridge=cartridge, deciding=deciding)


def compare_hosts(known: Played, got: Played) -> Mismatch | None:
    """The first difference of a host from the reference: on a screen, else in VDP memory."""
    return compare_screens(known.screens, got.screens) or compare_video(known, got)


def compare_screens(
    known: Mapping[str, Sequence[str]], got: Mapping[str, Sequence[str]]
) -> Mismatch | None:
    """The first row in which a host differs from the reference at the same moment.

    The cursor blinks, so its cell is not compared.
    """
    for name, rows in known.items():
        if len(got.get(name, ())) != len(rows):
            expected_rows = f"{len(rows)} rows"
            return Mismatch("screen", expected_rows, NOTHING, 0, (f"the screen: {name}",))
        for number, (ours, theirs) in enumerate(zip(rows, got[name], strict=True), 1):
            # Leave out a cell with the cursor on either side.
            if any(a != b for a, b in zip(ours, theirs, strict=True) if CURSOR not in (a, b)):
                place = f"the screen: {name}, row {number}"
                other = tuple(got[name])
                known_row, row = plain_row(ours), plain_row(theirs)
                return Mismatch("screen", known_row, row, 0, (place,), other=other, moment=name)
    return None


def compare_video(known: Played, got: Played) -> Mismatch | None:
    """The first difference between the VDP memories of a host and the reference at a look."""
    for name in known.video:
        # After the session the machine is at BASIC's prompt, where memory does not matter.
        if name == FINAL:
            continue
        if name not in got.video:
            return Mismatch("video", "video memory", NOTHING, 0, (f"video memory: {name}",))
        both = known.video[name], got.video[name]
        for what, ours, theirs in differences(*both, known.restless):
            place = f"video memory: {name}, {what}"
            rows = got.screens.get(name, ())
            return Mismatch("video", ours, theirs, 0, (place,), other=rows, moment=name)
    return None


def compare(adapter: Adapter, course: Course, played: Played) -> tuple[Mismatch | None, int]:
    """The first difference between a session and the rules, and the number of screens compared."""
    log = _compare_matches(adapter, course, played)
    if isinstance(log, Mismatch):
        return log, 0
    if played.problem:
        return Mismatch("run", "the session goes to its end", played.problem), 0
    return _compare_looks(adapter, course, log, played.screens)


def _compare_matches(adapter: Adapter, course: Course, played: Played) -> PlayLog | Mismatch:
    """The log of the course's match by the rules, or the first difference in the logs."""
    trouble = TROUBLE in course.scenario.setup.options
    # With trouble a missing log is allowed: the drive may not exist.
    if played.records is None and not trouble:
        return Mismatch("run", "a play log", played.problem or "no log on the disk")
    try:
        logs = _logs(played.records or (), trouble)
    except TIError as error:
        return Mismatch("log", "a play log", str(error))
    matches = [match for match in (course.first, course.scenario) if match is not None]
    if len(logs) > len(matches) and not trouble:
        return Mismatch("log", NOTHING, f"a log of match {len(matches) + 1}")
    log = course.log
    for number, match in enumerate(matches):
        if number >= len(logs):
            missing = Mismatch("log", f"a log of match {number + 1}", played.problem or NOTHING)
            return course.log if trouble else missing
        log = course.log
        # A seed that the game chose is known only from its log.
        if match is not course.scenario or BLANK_SEED in match.setup.options:
            log, _ = expected(adapter, _with_seed(match, logs[number].seed))
        wrong = _compare_log(log, logs[number], trouble)
        # If the log stops because the run broke off, report that.
        if wrong is not None and wrong.got == NOTHING and played.problem:
            return replace(wrong, where="run", got=played.problem)
        if wrong is not None:
            board = adapter.board(log.events[: max(0, wrong.index)], match.setup)
            return replace(wrong, board=board)
    return log


def _compare_looks(
    adapter: Adapter, course: Course, log: PlayLog, screens: Mapping[str, Sequence[str]]
) -> tuple[Mismatch | None, int]:
    """The first screen that differs from what the log implies, and how many were compared."""
    setup = course.scenario.setup
    compared = 0
    points = [(look.name, look.events) for look in course.looks]
    for name, events in [*points, (END_SCREEN, len(log.events))]:
        if name in screens:
            compared += 1
            visible = dict(adapter.shown(screens[name], setup))
            implied = dict(adapter.implied(log.events[:events], setup))
            if name == END_SCREEN and adapter.model.letter:
                visible[CERTIFICATE] = on_screen(screens[name])
                implied[CERTIFICATE] = _certificate(log, adapter)
            wrong = compare_numbers(f"the screen: {name}", implied, visible)
            if wrong is not None:
                board = adapter.board(log.events[:events], setup)
                return replace(wrong, board=board), compared
    return None, compared


def _certificate(log: PlayLog, adapter: Adapter) -> str | None:
    """The certificate that the end of a match must show according to its log."""
    match, _ = follow(log, adapter.model)
    return None if match is None else str(match.model.certificate())


def _logs(records: Sequence[bytes], trouble: bool) -> list[PlayLog]:
    """The logs in a file; with `trouble` there may be none, or only the first line of the last."""
    if trouble and records and records[-1].startswith(MAGIC.encode()):
        records = records[:-1]
    return [] if trouble and not records else read_all(records)


def _with_seed(scenario: Scenario, logged: int) -> Scenario:
    """The scenario with the logged seed, if the game was to choose one."""
    if BLANK_SEED not in scenario.setup.options:
        return scenario
    return replace(scenario, setup=replace(scenario.setup, seed=logged))


def _compare_log(model: PlayLog, got: PlayLog, may_stop: bool) -> Mismatch | None:
    wrong = compare_logs(model, got)
    # A truncated log has no difference, but a complete match must be logged to its end.
    if wrong is None and model.complete and not got.complete and not may_stop:
        missing = len(got.events)
        line = str(model.events[missing]) if missing < len(model.events) else "END"
        before = tuple(map(str, model.events[max(0, missing - CONTEXT) : missing]))
        return Mismatch("log", line, NOTHING, missing, before)
    return wrong
