"""A project's defaults: where they are looked for, what they say, what is wrong with them."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.invoking import command
from ti99tools import DiskImage


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TI99TOOLS_CONFIG", raising=False)
    (tmp_path / "wait.xb").write_text("again: GOTO again\n")
    (tmp_path / "read.xb").write_text(
        'OPEN #1:"DSK2.NOTES",INPUT\nLINPUT #1:A$\nPRINT A$\nCLOSE #1\n'
    )
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes.txt").write_text("FROM THE PROJECT\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "head"), [("ti99tools.toml", ""), ("pyproject.toml", "[tool.ti99tools]\n")]
)
def test_options_have_the_values_of_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str, head: str
) -> None:
    prefix = "tool.ti99tools." if head else ""
    (project / name).write_text(
        f'{head}drives = ["DSK2=work"]\nseconds = 5\ngeometry = "DSSD"\n'
        f"[{prefix}run]\nscreen = true\n[{prefix}disk.new]\nname = 'MINE'\n"
    )
    assert "FROM THE PROJECT" in command("run", "read.xb").stdout
    assert "still running in line 100 after 5.0 seconds" in command("run", "wait.xb").stderr
    assert "after 2.0 seconds" in command("run", "wait.xb", "--max-seconds", 2).stderr
    assert command("disk", "new", "x.dsk").exit_code == 0
    disk = DiskImage.open("x.dsk")
    assert (disk.name, disk.geometry.name) == ("MINE", "DSSD")
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    assert "FROM THE PROJECT" in command("run", "../read.xb").stdout


def test_a_missing_drive_is_told_where_it_is_named(project: Path) -> None:
    (project / "ti99tools.toml").write_text('seconds = 5\ndrives = ["DSK2=gone"]\n')
    result = command("run", "read.xb")
    assert result.exit_code == 2
    assert "ti99tools.toml:2: gone: no such file or folder; make it, or correct" in result.stderr
    assert command("run", "read.xb", "--disk", "DSK2=work").exit_code == 0


def test_other_projects_have_none(project: Path) -> None:
    (project / "pyproject.toml").write_text('[project]\nname = "x"\n')
    assert "I/O ERROR" in command("run", "read.xb").stderr


def test_the_environment_names_another_file_or_none(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "ti99tools.toml").write_text("max-seconds = 5\n")
    (project / "other.toml").write_text("max-seconds = 3\n")
    monkeypatch.setenv("TI99TOOLS_CONFIG", "other.toml")
    assert "after 3.0 seconds" in command("run", "wait.xb").stderr
    monkeypatch.setenv("TI99TOOLS_CONFIG", "")
    assert "after 9.0 seconds" in command("run", "wait.xb", "--max-seconds", 9).stderr
    monkeypatch.setenv("TI99TOOLS_CONFIG", "missing.toml")
    result = command("run", "wait.xb")
    assert (result.exit_code, result.stderr) == (
        2,
        "error: missing.toml: no such file or directory; correct TI99TOOLS_CONFIG\n",
    )


@pytest.mark.parametrize("name", ["ti99tools.toml", "pyproject.toml"])
def test_a_file_found_by_search_that_cannot_be_read(
    project: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (project / name).touch()
    opened = open

    def refused(path: Any, *rest: Any, **more: Any) -> Any:
        if Path(str(path)).name == name:
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **more)

    monkeypatch.setattr("builtins.open", refused)
    done = command("run", "wait.xb")
    assert done.exit_code == 2
    assert f"{name}: permission denied; make it readable" in done.stderr


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("max-second = 5", "no option max-second for all commands; did you mean max-seconds?"),
        ("[runn]\nscreen = true", "no command runn; did you mean run?"),
        ("[run]\nscren = true", "run has no option scren; did you mean screen?"),
        ("[disk.neww]\nname = 'X'", "no command disk neww; did you mean new?"),
        ("[disk.new]\nnam = 'X'", "disk new has no option nam; did you mean name?"),
        ("[run]\nscript = ['a', 'b']", "--script takes one value; write it without [ ]"),
        ("max-seconds = ", "not TOML: "),
        (f"x = 1\na{'.a' * 1001} = 1", "not TOML: line 2 has more than 1000 dots; correct it"),
        ("max-seconds = 'long'", "'long' is not a number"),
        ("drives = ['DSK9=x']", "DSK9: no drive; drives are"),
    ],
)
def test_what_is_wrong_is_told_with_the_file(project: Path, text: str, message: str) -> None:
    (project / "ti99tools.toml").write_text(text + "\n")
    for words in (("run", "wait.xb"), ("disk", "new", "y.dsk")):
        result = command(*words)
        if result.exit_code == 2:
            assert message in result.stderr
            break
    else:
        raise AssertionError("nobody minds")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('screen = "maybe"', "--screen is on or off; write true or false"),
        ("screen = 1", "--screen is on or off; write true or false"),
        ("seconds = true", "--max-seconds is no switch; give it a value"),
        ("fps = 3.5", "'3.5' is not a whole number"),
        ("[run]\nscript = 5", "5: no such file or directory"),
    ],
)
def test_a_value_of_the_wrong_kind_is_told_in_one_line(
    project: Path, text: str, message: str
) -> None:
    (project / "ti99tools.toml").write_text(text + "\n")
    result = command("run", "wait.xb")
    assert isinstance(result.exception, SystemExit)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
