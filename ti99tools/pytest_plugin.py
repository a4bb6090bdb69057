"""Fixtures to test Extended BASIC programs with pytest; installed with the package.

    def test_greets(ti99_console, ti99_program):
        ti99_console.load(ti99_program('100 INPUT "NAME? ":N$\\n110 PRINT "HI ";N$'))
        ti99_console.run()
        ti99_console.type("BOB\\n")
        assert ti99_console.run_until("HI BOB")
        assert ti99_console.variables["N$"] == "BOB"

    @pytest.mark.ti99_disk("game.dsk")
    def test_boots(ti99_console):
        ti99_console.boot()
        assert ti99_console.run_until("PRESS ANY KEY", seconds=60)

`ti99_console` is a `Console` with a blank disk DSK1 in its drive, or the images that
`@pytest.mark.ti99_disk(FILE, drive="DSK1")` names (copies: the files stay as they are).
`ti99_program` makes a `Program` of a numbered listing's text, or of a path to a source of either
kind or to a program file.
When a test fails, the console's last screen is shown with it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from ti99tools import Console, Program

_CONSOLE = pytest.StashKey[Any]()


def pytest_configure(config: pytest.Config) -> None:
    """Announce the mark."""
    config.addinivalue_line(
        "markers", "ti99_disk(file, drive='DSK1'): a disk image in a drive of ti99_console"
    )


@pytest.fixture
def ti99_console(request: pytest.FixtureRequest) -> Console:
    """A console with its disks in the drives: call `boot()`, or `load()` and `run()`."""
    from ti99tools import Console, DiskImage

    disks = {"DSK1": DiskImage.new(name="TEST")}
    for mark in request.node.iter_markers("ti99_disk"):
        disks[_drive(*mark.args[1:], **mark.kwargs)] = DiskImage.open(mark.args[0])
    console = Console(disks)
    request.node.stash[_CONSOLE] = console
    return console


def _drive(drive: str = "DSK1") -> str:
    return drive


@pytest.fixture
def ti99_program() -> Callable[[str | Path], Program]:
    """A function that makes a program of a path, or of the text of a numbered listing.

    What begins with a digit is a text, anything else a path.
    """
    return _program


def _program(source: str | Path) -> Program:
    from ti99tools import Program
    from ti99tools.program.sourcefile import read_source

    if isinstance(source, str) and source[:1].isdigit():
        return Program.from_listing(source)
    return read_source(source).program()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the screen of a failed test's console."""
    report = yield
    console = item.stash.get(_CONSOLE, None)
    if report.when == "call" and report.failed and console is not None:
        rows = "\n".join(row.rstrip() for row in console.screen.rows)
        text = "".join(c if c == "\n" or " " <= c <= "~" else " " for c in rows)
        report.sections.append(("screen of ti99_console", text))
    return report
