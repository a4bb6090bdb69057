"""The work of `verify` and `board`: games chosen, logs checked, failures replayed and examined.

`board` shows the positions of a match as plain text. `verify` chooses games, checks logs from
elsewhere, replays failures and saves scripts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

from ti99tools.app.cover import path_from_here
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_text, write_atomically
from ti99tools.computer.console.keyscript import Asked, Snap, Step
from ti99tools.games.hosts.disklog import FoundLog, read_logs
from ti99tools.games.hosts.host import OURS, Evidence, Job, host_named
from ti99tools.games.hosts.virtual import LogLineSearch, witness
from ti99tools.games.making.finding import all_games, find_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.scaffold import left_as_made
from ti99tools.games.models.model import Setup
from ti99tools.games.models.playlog import MAGIC, Event, LogKind, PlayLog
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.judging import begins, judge
from ti99tools.games.verify.loading import adapter_of, blaming, by_log_name
from ti99tools.games.verify.matches import course_of, job_for, steps_of
from ti99tools.games.verify.result import XB, Failure, LogVerdict, Mismatch, Verdict
from ti99tools.games.verify.scenario import Scenario, from_script, key_steps
from ti99tools.games.verify.subject import Subject, subject_of

BEFORE, AFTER = "before", "after"
HEAD = 2
"""Lines of a log before the first event."""


def witnessed(subject: Subject, failure: Failure) -> Failure:
    """The failure, replayed for pictures of the screen and its place in the source."""
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


def _sought(job: Job, mismatch: Mismatch) -> LogLineSearch | None:
    """The line in which game and model differ, in the log that the game writes."""
    if mismatch.where != "log":
        return None
    lines = [record.decode("latin-1") for record in host_named(OURS).play(job).records or ()]
    starts = [at for at, line in enumerate(lines) if line.startswith(MAGIC)]
    return LogLineSearch(lines, (starts[-1] if starts else 0) + mismatch.index + HEAD)


def _around(game: Adapter, scenario: Scenario) -> Iterable[Step]:
    """The session up to the last key, which shows the difference; snaps before and after it."""
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
    return job_for(game, scenario.setup, subject.disk, steps, subject.compiled)


def _places(subject: Subject, seen: Evidence) -> Iterable[Place]:
    spots = subject.plan.spots if subject.plan is not None else ()
    known = {(spot.number, spot.offset): spot.place for spot in spots}
    return (known[call] for call in seen.calls if call in known)


@dataclass(frozen=True)
class Position:
    """A position: its number (0: the start), the event that led to it, if any, and the board."""

    number: int
    event: Event | None
    board: str


def positions(game: str, path: Path | None = None, match: int = 1) -> list[Position]:
    """The positions of a match: the start, and one for each event that changes the board.

    `path` is a disk image, a TIFILES file or a text with play logs; `match` chooses among the logs
    of this game, from 1. Without `path` there is only the start. Raises TIError for a game without
    a board, and if no such log exists.
    """
    adapter = adapter_of(find_game(game))
    events, setup = ((), Setup(0, ())) if path is None else _match(adapter, path, match)
    found = list(_positions(adapter, events, setup))
    if not found[0].board:
        raise TIError(
            f"{adapter.name} has no board as text", remedy="write the method board of its adapter"
        )
    return found


def board_of(adapter: Adapter, log: PlayLog, events: int) -> str:
    """The board after the first `events` events of a log; empty if it is not known."""
    try:
        setup = adapter.model.setup_of(log.seed, log.events)
        return adapter.board(log.events[: max(0, events)], setup)
    except (ValueError, LookupError):
        return ""


def _match(adapter: Adapter, path: Path, match: int) -> tuple[Sequence[Event], Setup]:
    logs = [entry.log for entry in read_logs(path) if entry.log is not None]
    logs = [log for log in logs if log.game == adapter.model.game]
    if not 1 <= match <= len(logs):
        raise TIError(
            f"{path}: there is no match {match} of {adapter.name} here; logs: {len(logs)}"
        )
    log = logs[match - 1]
    try:
        return log.events, adapter.model.setup_of(log.seed, log.events)
    except (ValueError, LookupError) as error:
        raise TIError(f"{path}: {error}") from error


def _positions(adapter: Adapter, events: Sequence[Event], setup: Setup) -> Iterator[Position]:
    yield Position(0, None, before := adapter.board((), setup))
    number = 0
    for index, event in enumerate(events, 1):
        try:
            board = adapter.board(events[:index], setup)
        except (ValueError, LookupError) as error:
            raise TIError(f"event {index} of the log, {event}, cannot be read") from error
        if board != before:
            number += 1
            before = board
            yield Position(number, event, board)


SETUP = 8
"""The most events before the first turn: options and players."""


def subjects(names: Sequence[str], host: str, form: str = XB) -> Iterator[Subject | Verdict]:
    """Games by name or folder, built for verification in a form; without names all games.

    Without names, a game that cannot be verified gives a verdict that says why. Raises TIError when
    a named game is unknown or broken.
    """
    if names:
        yield from (subject_of(find_game(name), form) for name in names)
        return
    manifests, problems = all_games()
    for manifest in manifests:
        if not manifest.model:
            yield Verdict(manifest.game, "", host, not_run="there is no model of its rules")
        else:
            yield _subject_or_why(manifest, host, form)
    for name, error in problems.items():
        yield Verdict(name, "", host, not_run=str(error), broken=True)


def _subject_or_why(manifest: Manifest, host: str, form: str) -> Subject | Verdict:
    try:
        return subject_of(manifest, form)
    except TIError as error:
        return Verdict(manifest.game, "", host, not_run=str(error), broken=True)


def judge_logs(path: Path, games: Sequence[str] = (), machine: str = "") -> list[LogVerdict]:
    """Check all play logs in a disk image, a TIFILES file or a text with the models of these games.

    Without `games` each log is checked with the game that it names. `machine` says where they were
    played. Raises TIError for a file without a log.
    """
    manifests = [find_game(name) for name in games] or all_games()[0]
    return [replace(_judged(entry, manifests), machine=machine) for entry in read_logs(path)]


def _judged(entry: FoundLog, manifests: Sequence[Manifest]) -> LogVerdict:
    log = entry.log
    if log is None:
        error = entry.error
        kind = LogKind.FOREIGN if error is None else error.kind
        return LogVerdict(entry.file, None, problem=str(error), found=kind)
    try:
        adapter = by_log_name(log.game, manifests)
    except TIError as error:
        return LogVerdict(entry.file, log, problem=str(error), found=LogKind.FOREIGN)
    with blaming(adapter):
        mismatch = judge(log, adapter.model)
    if mismatch is not None:
        mismatch = replace(mismatch, board=board_of(adapter, log, mismatch.index))
    if not log.complete and len(log.events) <= SETUP and not begins(log, adapter.model):
        problem = "it breaks off before the match begins"
        return LogVerdict(entry.file, log, problem=problem, found=LogKind.TRUNCATED)
    problem = of_another_version(log, adapter, mismatch is None)
    if problem:
        return LogVerdict(entry.file, log, problem=problem, found=LogKind.FOREIGN)
    return LogVerdict(entry.file, log, mismatch)


def of_another_version(log: PlayLog, adapter: Adapter, follows: bool) -> str:
    """Why a log is of another version of its game; empty when it is not.

    A log of an earlier version counts as long as it follows these rules.
    """
    ours = adapter.model.version
    known = (ours, *adapter.model.earlier) if follows else (ours,)
    if log.version in known:
        return ""
    return f"it is of version {log.version}, the rules here are of {ours}"


def replay(
    path: Path, host: str, games: Sequence[str] = (), look: bool = False, form: str = XB
) -> Verdict:
    """Replay the match of a saved script, with the game named here, or else in the script.

    With `look` the statements of the source are counted, and a failure is examined; those of a
    cartridge are not counted. Raises TIError when script or game is missing, and for several games.
    """
    if len(games) > 1:
        raise TIError("a script is of one match", remedy="name one game")
    script = read_text(path)
    scenario = from_script(script, str(path))
    manifest = find_game(games[0]) if games else _game_of(scenario.game, path)
    subject = subject_of(manifest, form)
    campaign = Campaign(subject, host, count=look and form == XB)
    result = campaign.replay(scenario)
    verdict = campaign.verdict()
    verdict.add(result)
    if result.mismatch is not None:
        verdict.failures = [Failure(result.mismatch, scenario, script)]
    if look and subject.plan is not None:
        verdict.coverage = subject.plan.coverage(result.hits or {})
    if look:
        witness_failures(verdict, subject)
    return verdict


def _game_of(name: str, script: Path) -> Manifest:
    try:
        return find_game(name)
    except TIError as error:
        raise TIError(
            f"this match is of {name}, and there is no game of that name",
            remedy="name the game's folder too",
            place=Place(str(script)),
        ) from error


def save_failures(verdict: Verdict, folder: Path) -> list[Path]:
    """Write the scripts that replay the failures; returns their paths. Creates the folder."""
    paths = []
    for number, failure in enumerate(verdict.failures, 1):
        folder.mkdir(parents=True, exist_ok=True)
        paths.append(folder / f"{verdict.game}-{number}.keys")
        write_atomically(paths[-1], failure.script)
    return paths


def remark_on_new(adapter: Adapter, failures: Sequence[Failure]) -> str:
    """What to do when a program never shows the title of an adapter that `new` made; or empty.

    Such a program is another one than the adapter and the model are made for.
    """
    unshown = f"never showed {adapter.title}"
    if not any(unshown in failure.mismatch.got for failure in failures):
        return ""
    untouched = left_as_made(adapter.manifest.folder)
    if not untouched:
        return ""
    verb, pronoun = ("is", "that") if len(untouched) == 1 else ("are", "those")
    text = f"the program {unshown}: {' and '.join(untouched)} {verb} {pronoun} of a new game"
    return f"{text}; write yours, or delete [verify] in game.toml"


def witness_failures(verdict: Verdict, subject: Subject) -> None:
    """Examine the failures: add pictures of the screen, and places in the source."""
    verdict.failures = [_witnessed(failure, subject) for failure in verdict.failures]


def _witnessed(failure: Failure, subject: Subject) -> Failure:
    try:
        with_witness = witnessed(subject, failure)
    except Exception:  # whatever made the match fail may make the replay fail too
        return failure
    calls = (replace(place, file=path_from_here(place.file or "")) for place in with_witness.calls)
    return replace(with_witness, calls=tuple(calls))


CLUSTER_SECONDS = 10
"""How long a scheduler may take to answer."""


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """An executor on a Dask cluster: `dask:tcp://HOST:PORT`. Raises TIError."""
    kind, _, where = address.partition(":")
    if kind != "dask" or not where:
        raise TIError(f"unknown executor: {address}", remedy="write dask:tcp://HOST:PORT")
    try:
        client_class: Any = import_module("distributed").Client
    except ImportError as error:
        raise TIError(
            "Dask is not installed", remedy="install the extra `cluster`: ti99tools[cluster]"
        ) from error
    try:
        client = client_class(where, timeout=CLUSTER_SECONDS)
    except (OSError, ValueError) as error:
        raise TIError(f"no Dask scheduler at {where}", remedy="start one there") from error
    try:
        yield client.get_executor()
    finally:
        client.close()
