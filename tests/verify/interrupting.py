"""`verify` interrupted in all ways, by a process that prints what became of it.

    python -m tests.verify.interrupting FOLDER

FOLDER is that of a game. The package is loaded once: each case is a fork, in a process group of its
own as a terminal makes one.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import ti99tools.__main__ as entry
from ti99tools.fronts.cli.streams import Streams
from ti99tools.games.verify.campaign import verify_game

PATIENCE = 30.0
"""Seconds after which a process that does not end counts as hanging, and is killed."""
HANGS = -1


class Case(NamedTuple):
    """Who gets which signal, with how many workers, and after how many matches."""

    number: signal.Signals
    group: bool
    jobs: int
    matches: int


CASES = (
    *(Case(signal.SIGINT, group, jobs, 2) for group in (False, True) for jobs in (1, 2)),
    *(Case(signal.SIGINT, group, 2, 0) for group in (False, True)),
    Case(signal.SIGKILL, False, 2, 2),
)


class Listening(Streams):
    """The beginning of the tool's own work: a signal that came before is taken now."""

    def __init__(self) -> None:
        super().__init__()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def begun(case: Case, folder: Path, place: Path) -> int:
    """Start a run that would last for hours; returns the number of its process."""
    child = os.fork()
    if child:
        return child
    os.setsid()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(place / name, os.O_WRONLY | os.O_CREAT), number)
    sys.argv = ["ti99tools", "verify", str(folder), "--games", "5000", "--jobs", str(case.jobs)]
    sys.argv += ["--resume", str(place / "journal"), "--save", str(place / "saved")]
    code = 1
    setattr(entry, "Streams", Listening)  # noqa: B010
    try:
        entry.main()
    except SystemExit as end:
        code = int(end.code or 0)
    # As Python does when it ends: a signal may have come before the entry had streams to close.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def wait_for_matches(count: int, place: Path) -> int:
    """Wait until the journal has so many matches after its head; for none, until it can listen.

    Returns the lines that the journal had then.
    """
    end = time.monotonic() + PATIENCE
    journal = place / "journal"
    lines = 0
    while time.monotonic() < end:
        lines = journal.read_bytes().count(b"\n") if journal.exists() else 0
        if lines > count if count else (place / "err").exists():
            break
        time.sleep(0.002)
    return lines


def ended(child: int) -> int:
    """The exit code of a process, or the negative number of its signal; `HANGS` if it hangs."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    return HANGS


def are_gone(group: int) -> bool:
    """Wait until no process of a group is left; kill those that stay."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    os.killpg(group, signal.SIGKILL)
    return False


def outcome(case: Case, folder: Path, place: Path) -> dict[str, Any]:
    """Interrupt a run, and tell what became of it and of its workers."""
    place.mkdir()
    child = begun(case, folder, place)
    seen = wait_for_matches(case.matches, place)
    (os.killpg if case.group else os.kill)(child, case.number)
    code = ended(child)
    gone = are_gone(child)
    journal = place / "journal"
    return {
        "code": code,
        "gone": gone,
        "seen": seen,
        "out": (place / "out").read_text() if (place / "out").exists() else "",
        "err": (place / "err").read_text() if (place / "err").exists() else "",
        "journal": journal.read_text() if journal.exists() else "",
        "saved": sorted(path.name for path in (place / "saved").glob("*")),
    }


if __name__ == "__main__":
    game = Path(sys.argv[1]).resolve()
    # What a match needs is loaded and built once.
    verify_game(game, 1)
    print(json.dumps([outcome(c, game, game.parent / f"case{n}") for n, c in enumerate(CASES)]))
