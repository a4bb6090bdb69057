"""The pytest fixtures, used as a project that tests its own programs would."""

from importlib.metadata import entry_points

import pytest

from ti99tools import DiskImage, Program
from ti99tools.disk.tifile import DiskFile

pytest_plugins = ["pytester"]

INSTALLED = any(found.name == "ti99tools" for found in entry_points(group="pytest11"))
LOAD = () if INSTALLED else ("-p", "ti99tools.pytest_plugin")

LISTING = '100 INPUT "NAME? ":N$\n110 PRINT "HI ";N$\n'


def test_console_and_program(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        def test_greets(ti99_console, ti99_program):
            ti99_console.load(ti99_program({LISTING!r}))
            assert ti99_console.run() == "keys"
            ti99_console.type("BOB\\n")
            assert ti99_console.run_until("HI BOB")
            assert ti99_console.variables["N$"] == "BOB"

        def test_another_console(ti99_console):
            assert "HI BOB" not in ti99_console.screen.text
        """
    )
    pytester.runpytest(*LOAD).assert_outcomes(passed=2)


def test_programs_from_files(pytester: pytest.Pytester) -> None:
    pytester.makefile(".xb", loop="  FOR I=1 TO 3\n    PRINT I\n  NEXT I\n")
    pytester.makefile(".bas", hello='100 PRINT "HELLO"\n')
    pytester.makepyfile(
        """
        from pathlib import Path

        def test_path(ti99_program):
            one, other = ti99_program("hello.bas"), ti99_program(Path("hello.bas"))
            assert one.listing() == other.listing() == '100 PRINT "HELLO"\\n'

        def test_structured(ti99_console, ti99_program):
            ti99_console.load(ti99_program("loop.xb"))
            assert ti99_console.run() == "ready"
            assert ti99_console.variables["I"] == 4
        """
    )
    pytester.runpytest(*LOAD).assert_outcomes(passed=2)


def test_disks_are_mounted_as_copies(pytester: pytest.Pytester) -> None:
    image = DiskImage.new(name="GAME")
    saved = Program.from_listing('100 OPEN #1:"DSK1.OUT",OUTPUT\n110 PRINT "BOOTED"\n').saved()
    assert isinstance(saved.content, bytes)
    image.add(DiskFile.program("LOAD", saved.content))
    image.save(pytester.path / "game.dsk")
    before = (pytester.path / "game.dsk").read_bytes()
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.ti99_disk("game.dsk")
        @pytest.mark.ti99_disk("game.dsk", drive="DSK2")
        def test_boots(ti99_console):
            ti99_console.boot()
            assert ti99_console.run_until("BOOTED", seconds=60)
        """
    )
    result = pytester.runpytest(*LOAD, "--strict-markers")
    result.assert_outcomes(passed=1)
    assert (pytester.path / "game.dsk").read_bytes() == before


def test_a_failure_shows_the_screen(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_fails(ti99_console, ti99_program):
            ti99_console.load(ti99_program('100 PRINT "LOOK AT ME"'))
            ti99_console.run()
            assert False
        """
    )
    result = pytester.runpytest(*LOAD)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*screen of ti99_console*", "*LOOK AT ME*"])


def test_files_lie_beside_the_test(pytester: pytest.Pytester) -> None:
    folder = pytester.mkdir("tests")
    (folder / "loop.xb").write_text('again: N=N+1\nIF N<3 THEN again\nPRINT "DONE"\n')
    (folder / "test_it.py").write_text(
        """
import pytest

def test_path(ti99_console, ti99_program):
    ti99_console.load(ti99_program("loop.xb"))
    assert ti99_console.run() == "ready"
    assert ti99_console.variables["N"] == 3

def test_text(ti99_console, ti99_program):
    ti99_console.load(ti99_program("CONST A=5\\nB=A*A\\n"))
    ti99_console.run()
    assert ti99_console.variables["B"] == 25

@pytest.mark.ti99_disk("loop.xb")
@pytest.mark.ti99_disk("loop.xb", drive="DSK2")
def test_disk(ti99_console):
    ti99_console.boot()
    assert ti99_console.run_until("DONE", seconds=60)
    ti99_console.command('RUN "DSK2.LOAD"')
    assert ti99_console.run_until("DONE", seconds=60)
"""
    )
    pytester.runpytest(*LOAD, "--strict-markers", "tests").assert_outcomes(passed=3)
