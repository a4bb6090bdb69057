"""The pytest fixtures, used as a project that tests its own programs would."""

import json
from importlib.metadata import entry_points

import pytest

from ti99tools import DiskImage, Program
from ti99tools.media.disk.tifile import DiskFile

pytest_plugins = ["pytester"]

INSTALLED = any(found.name == "ti99tools" for found in entry_points(group="pytest11"))
LOAD = () if INSTALLED else ("-p", "ti99tools.fronts.pytest_plugin")

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


COVERED = """
    def test_low(ti99_console, ti99_program):
        ti99_console.load(ti99_program("halves.xb"))
        ti99_console.run()

    def test_again(ti99_console, ti99_program):
        ti99_console.load(ti99_program("halves.xb"))
        ti99_console.run()
"""
HALVES = "  N=N+1\n  IF N=7 THEN PRINT N\n"


def counted(pytester: pytest.Pytester) -> list[int]:
    """How often each statement ran."""
    data = json.loads((pytester.path / "c.json").read_text())
    return [row["hits"] for row in data["files"][0]["statements"]]


def test_coverage_of_sources(pytester: pytest.Pytester) -> None:
    pytester.makefile(".xb", halves=HALVES)
    pytester.makepyfile(COVERED)
    found = pytester.runpytest(*LOAD, "--xb-cov=json=c.json", "--xb-cov")
    found.assert_outcomes(passed=2)
    found.stdout.fnmatch_lines(["wrote c.json", "halves.xb:2:*: the condition never held"])
    assert counted(pytester) == [2, 2, 0]


def test_coverage_adds_up_over_workers(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # three processes would load them all
    pytester.makefile(".xb", halves=HALVES)
    pytester.makepyfile(COVERED)
    plugins = ("-p", "xdist.plugin", "-p", "ti99tools.fronts.pytest_plugin")
    found = pytester.runpytest_subprocess(*plugins, "-n2", "--xb-cov=json=c.json")
    found.assert_outcomes(passed=2)
    assert counted(pytester) == [2, 2, 0]


@pytest.mark.parametrize("disk", ["halves.xb", "game.dsk"])
def test_coverage_of_a_program_on_a_disk(pytester: pytest.Pytester, disk: str) -> None:
    pytester.makefile(".xb", halves=HALVES)
    image = DiskImage.new(name="GAME")
    saved = Program.open(pytester.path / "halves.xb").saved()
    assert isinstance(saved.content, bytes)
    image.add(DiskFile.program("LOAD", saved.content))
    image.save(pytester.path / "game.dsk")
    pytester.makepyfile(
        f"""
        import pytest

        @pytest.mark.ti99_disk({disk!r})
        def test_boots(ti99_console):
            ti99_console.boot()
            ti99_console.resume()
        """
    )
    source = [] if disk == "halves.xb" else ["--xb-cov-source=halves.xb"]
    found = pytester.runpytest(*LOAD, "--xb-cov=json=c.json", *source)
    found.assert_outcomes(passed=1)
    assert counted(pytester) == [1, 1, 0]


@pytest.mark.parametrize("option", ["--xb-cov=xml", "--xb-cov-source=nowhere.xb"])
def test_coverage_that_cannot_be_had_is_told(pytester: pytest.Pytester, option: str) -> None:
    found = pytester.runpytest(*LOAD, "--xb-cov=text", option)
    assert found.ret == pytest.ExitCode.USAGE_ERROR


MARKS = [
    "",
    "None",
    "7",
    "'a.dsk', 'DSK1', 3",
    "'a.dsk', drive=1",
    "'a.dsk', drive='DSK9'",
    "disk='a.dsk'",
    "'a.dsk', file='b.dsk', more=1",
    "'missing.dsk'",
    "''",
]


def test_marks_and_programs_of_another_form_have_a_remedy(pytester: pytest.Pytester) -> None:
    DiskImage.new(name="A").save(pytester.path / "a.dsk")
    lines = ["import pytest", "from ti99tools.base.errors import TIError"]
    for number, mark in enumerate(MARKS):
        lines += [f"@pytest.mark.ti99_disk({mark})", f"def test_{number}(ti99_console): pass"]
    lines += ["@pytest.mark.parametrize('given', [None, 7, b'100 END', ['100 END'], ''])"]
    lines += ["def test_program(ti99_program, given): ti99_program(given)"]
    pytester.makepyfile("\n".join(lines))
    result = pytester.runpytest(*LOAD, "--tb=line")
    result.assert_outcomes(errors=len(MARKS), failed=5)
    output = result.stdout.str()
    assert "TypeError" not in output
    assert "AttributeError" not in output
    assert output.count("TIError") + output.count("DiskError") >= len(MARKS) + 5
    assert "ti99_disk(7) names no disk; write @pytest.mark.ti99_disk" in output


def test_a_failed_program_is_placed_in_its_source(pytester: pytest.Pytester) -> None:
    pytester.makefile(".xb", fails="CALL CLEAR\nFOR I=10 TO 12\n  A(I)=1\nNEXT I\n")
    pytester.makepyfile(
        """
        def test_runs(ti99_console, ti99_program):
            ti99_console.load(ti99_program("fails.xb"))
            assert ti99_console.run() == "ready"

        def test_text(ti99_console, ti99_program):
            ti99_console.load(ti99_program("100 A(11)=1"))
            assert ti99_console.run() == "ready"

        def test_path(ti99_program):
            ti99_program("failed.xb")

        def test_removed(ti99_console, ti99_program, tmp_path):
            path = tmp_path / "gone.bas"
            path.write_text("100 A(12)=1")
            ti99_console.load(ti99_program(path))
            path.unlink()
            assert ti99_console.run() == "ready"
        """
    )
    result = pytester.runpytest(*LOAD)
    result.assert_outcomes(failed=4)
    output = result.stdout.str()
    assert "fails.xb:3:3: BAD SUBSCRIPT IN 100 (11 is not 0 to 10)" in output
    assert "\nBAD SUBSCRIPT IN 100\n" in output
    assert "failed.xb: no such file or directory; did you mean fails.xb?" in output
    assert "hostio.py" not in output, "the way of an error through the package"
