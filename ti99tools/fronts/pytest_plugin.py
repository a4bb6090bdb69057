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

`ti99_console` is a `Console` with an empty disk in DSK1, or with the images that
`@pytest.mark.ti99_disk(FILE, drive="DSK1")` names (copies: the files do not change). FILE may
be a source: it becomes a new disk with the program as LOAD, which `boot()` starts.
`ti99_program` makes a `Program` from a source's text, or from a path to a source of either kind or
to a program file. Files are looked for beside the test file, then in the current folder.
When a test fails, the console's last screen is shown with it, and where its program has failed.

`pytest --xb-cov=FORM[=FILE]` reports which statements ran on `ti99_console`: those of the sources
that the fixtures have read, and of those that `--xb-cov-source` names, whose programs may be on
disks. Forms are text, lcov, html and json. With pytest-xdist the counts of all workers add up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ti99tools.base.basic import AUTOSTART

if TYPE_CHECKING:
    from ti99tools import Console, DiskImage, Program
    from ti99tools.app.cover import Collector

_CONSOLE = pytest.StashKey[Any]()
_COLLECTOR = pytest.StashKey["Collector | None"]()
_READ = pytest.StashKey[list[Path]]()
"""The sources and programs that a test has read."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin to those of pytest."""
    group = parser.getgroup("ti99tools")
    group.addoption(
        "--xb-cov",
        action="append",
        nargs="?",
        const="text",
        default=[],
        metavar="FORM[=FILE]",
        help="coverage of Extended BASIC: text (the default), lcov, html or json",
    )
    group.addoption(
        "--xb-cov-source",
        action="append",
        default=[],
        metavar="SOURCE",
        help="a source file, or a game's folder, whose program the tests run from a disk",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark, and the sources whose statements are counted."""
    config.stash[_COLLECTOR] = _collector(config)
    config.addinivalue_line(
        "markers",
        "ti99_disk(file, drive='DSK1'): a disk image, or a source that becomes one, in a drive",
    )


def _collector(config: pytest.Config) -> Collector | None:
    if not config.option.xb_cov:
        return None
    from ti99tools.app.cover import Collector, parse_form
    from ti99tools.base.errors import TIError

    collector = Collector()
    try:
        for text in config.option.xb_cov:
            parse_form(text)
        for name in config.option.xb_cov_source:
            collector.know_target(name)
    except TIError as error:
        raise pytest.UsageError(str(error)) from error
    return collector


@pytest.fixture
def ti99_console(request: pytest.FixtureRequest) -> Iterator[Console]:
    """A console with its disks in the drives: call `boot()`, or `load()` and `run()`."""
    from ti99tools import Console, DiskImage

    disks = {"DSK1": DiskImage.new(name="TEST")}
    for mark in request.node.iter_markers("ti99_disk"):
        file, drive = _disk(*mark.args, **mark.kwargs)
        path = _beside(request.path, file)
        disks[drive] = _image(path)
        _know(request, path)
    collector = request.config.stash[_COLLECTOR]
    console = Console(disks, watched=collector is not None)
    request.node.stash[_CONSOLE] = console
    yield console
    if collector is not None:
        collector.look_at(console)


def _know(request: pytest.FixtureRequest, path: Path) -> None:
    """Keep what a test has read; count the statements of a source."""
    from ti99tools.base.basic import SOURCES

    request.node.stash.setdefault(_READ, []).append(path)
    collector = request.config.stash[_COLLECTOR]
    if collector is not None and path.suffix.lower() in SOURCES:
        collector.know_target(path)


def _disk(*args: object, **kwargs: object) -> tuple[str | Path, str]:
    """The file and the drive of the mark `ti99_disk`. Raises TIError for other arguments."""
    from ti99tools.base.errors import TIError

    given = dict(zip(("file", "drive"), args, strict=False)) | kwargs
    file, drive = given.get("file"), given.get("drive", "DSK1")
    known = len(args) <= 2 and given.keys() <= {"file", "drive"}
    if not known or not isinstance(file, str | Path) or not isinstance(drive, str):
        arguments = ", ".join([*map(repr, args), *(f"{key}={kwargs[key]!r}" for key in kwargs)])
        raise TIError(
            f"ti99_disk({arguments}) names no disk",
            remedy='write @pytest.mark.ti99_disk("game.dsk", drive="DSK1")',
        )
    return file, drive


def _image(path: Path) -> DiskImage:
    """The disk image in a file, or a new one with the program of a source as LOAD."""
    from ti99tools import DiskImage, Program
    from ti99tools.base.basic import SOURCES
    from ti99tools.media.disk.tifile import DiskFile, FileType

    if path.suffix.lower() not in SOURCES:
        return DiskImage.open(path)
    saved = Program.open(path).saved()
    image = DiskImage.new(name="TEST")
    if isinstance(saved.content, bytes):
        image.add(DiskFile.program(AUTOSTART, saved.content))
    else:
        image.add(DiskFile(AUTOSTART, FileType.from_label(saved.type), saved.recl, saved.content))
    return image


def _beside(test: Path, file: str | Path) -> Path:
    """The path of a file beside the test file if it exists, else the path as given."""
    near = test.parent / file
    return near if near.exists() else Path(file)


@pytest.fixture
def ti99_program(request: pytest.FixtureRequest) -> Callable[[str | Path], Program]:
    """A function that makes a program from a path, or from the text of a source.

    A string that begins with a digit, or has more than one line, is a text, any other a path.
    """

    def program(source: str | Path) -> Program:
        """Make a program. Raises TIError."""
        from ti99tools.base.errors import TIError

        # A report shows the line of the test and the error, not how the source was read.
        __tracebackhide__ = True
        if not isinstance(source, str | Path):
            raise TIError(
                f"ti99_program({source!r}) names no program",
                remedy='write ti99_program("game.xb"), or give the text of a source',
            )
        try:
            return _program(request, source)
        except TIError as error:
            raise error.with_traceback(None) from None

    return program


def _program(request: pytest.FixtureRequest, source: str | Path) -> Program:
    """The program of a path, or of the text of a source."""
    from ti99tools import Program

    if isinstance(source, str) and (source[:1].isdecimal() or "\n" in source):
        return Program.from_source(source)
    path = _beside(request.path, source)
    _know(request, path)
    return Program.open(path)


def _failed(console: Console, read: list[Path]) -> str:
    """Where and why the console's program has failed, if it is one of those that were `read`."""
    from ti99tools.app.failure import Failure
    from ti99tools.app.target import find_target
    from ti99tools.base.errors import TIError

    lines = None if console.program is None else console.program.lines
    for path in read:
        # The test may have removed or changed the file since.
        with suppress(TIError):
            target = find_target(str(path))
            if target.program is not None and target.program.lines == lines:
                failure = Failure(target, console, console.disks)
                return f"{failure.place()}: {failure.text()}"
    return str(console.error)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the screen of a failed test's console, and the error that its program ended with."""
    report = yield
    console = item.stash.get(_CONSOLE, None)
    if report.when == "call" and report.failed and console is not None:
        if console.error is not None:
            reason = _failed(console, item.stash.get(_READ, []))
            report.sections.append(("error in ti99_console", reason))
        rows = "\n".join(row.rstrip() for row in console.screen.rows)
        text = "".join(c if c == "\n" or " " <= c <= "~" else " " for c in rows)
        report.sections.append(("screen of ti99_console", text))
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker of pytest-xdist, send its counts to the main process."""
    output = getattr(session.config, "workeroutput", None)
    collector = session.config.stash[_COLLECTOR]
    if output is not None and collector is not None:
        output["ti99_coverage"] = collector.data


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the counts of a worker of pytest-xdist."""
    collector = node.config.stash[_COLLECTOR]
    data = getattr(node, "workeroutput", {}).get("ti99_coverage")
    if collector is not None and data is not None:
        collector.add(data)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Write the counts in the requested forms."""
    collector = config.stash[_COLLECTOR]
    if collector is None:
        return
    from ti99tools.app.cover import parse_form, write
    from ti99tools.games.report.annotated import coverage_page

    terminalreporter.section("coverage of Extended BASIC")
    for text in config.option.xb_cov:
        form, path = parse_form(text)
        summary = write(collector.coverage, form, path, coverage_page)
        terminalreporter.write(summary or f"wrote {path}\n")
