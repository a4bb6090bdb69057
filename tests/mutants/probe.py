"""What runs inside the copy of the sources: which tests come to a fault, and how long each takes.

As a plug-in of pytest (`-p tests.mutants.probe`) it plays the tests of a list in that list's order,
and ends the process where a test takes far longer than it should. Its orders are in the variable
MUTANTS of the environment: a folder for notes of processes, and for the list.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

FOLDER = Path(os.environ.get("MUTANTS", "."))
CHOSEN = "chosen.json"
"""The list: test → seconds of processor time that it takes at most, in the order of play."""
HANGS = 99
"""The exit code of a test that took longer."""

_met: set[tuple[int, str]] = set()


def hit(fault: int) -> None:
    """Note that the test of this moment has come to a fault."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and (fault, test) not in _met:
        _met.add((fault, test))
        _note("hit", [fault, test])


def _note(kind: str, value: object) -> None:
    with open(FOLDER / f"{kind}-{os.getpid()}", "a", encoding="utf-8") as notes:
        notes.write(json.dumps(value) + "\n")


def _seconds() -> float:
    return sum(os.times()[:4])


def _limits() -> dict[str, float]:
    path = FOLDER / CHOSEN
    found: dict[str, float] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


LIMITS = _limits()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the list, in its order."""
    if LIMITS:
        order = {test: at for at, test in enumerate(LIMITS)}
        chosen = [item for item in items if item.nodeid in order]
        items[:] = sorted(chosen, key=lambda item: order[item.nodeid])


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure a test, and end the process where it takes longer than its limit."""
    limit = LIMITS.get(item.nodeid, 0.0)

    def stop(number: int, frame: FrameType | None) -> None:
        _note("fail", [item.nodeid, _seconds()])
        os._exit(HANGS)

    if limit:
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, limit)
    before = _seconds()
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    _note("took", [item.nodeid, _seconds() - before])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note the tests that fail."""
    if report.failed:
        _note("fail", [report.nodeid, _seconds()])


def notes(folder: Path, kind: str) -> Iterator[list[object]]:
    """The notes of a kind that all processes have left."""
    for path in sorted(folder.glob(f"{kind}-*")):
        for line in path.read_text("utf-8").splitlines():
            yield json.loads(line)
