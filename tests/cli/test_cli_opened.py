"""A stranger's folder: its file of defaults cannot reach outside it, whatever option it sets."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from tests.cli.test_projects_page import commands
from ti99tools.app import project
from ti99tools.base.errors import TIError
from ti99tools.base.tables import toml_table
from ti99tools.fronts.cli.defaults import (
    MOST_VALUES,
    OPENED,
    SHARED,
    defaults_for,
    may_set,
    options_of,
)
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.cli.options import DriveFile, OutputFile
from ti99tools.fronts.cli.run_report import FormOption

COMMANDS = commands()
OPTIONS = [
    (name, key, param) for name, command in COMMANDS.items() for key, param in
    options_of(command).items()
]  # fmt: skip
NEVER = (
    *("output", "out", "to", "save", "save-disk", "snaps", "html", "record", "resume", "prepare"),
    *("replace", "force", "fix", "executor", "host", "roms", "build", "modules"),
    *("cs1", "cs2", "pio", "rs232", "rs232-in"),
)
"""Options that no project's file may set, of whatever command."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stranger's folder, which is the current one, in a home folder with a file."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("TI99TOOLS_CONFIG", raising=False)
    (tmp_path / "mine").write_text("MINE\n")
    strange = tmp_path / "strange"
    strange.mkdir()
    monkeypatch.chdir(strange)
    (strange / "p.xb").write_text('OPEN #1:"RS232.LF",OUTPUT\nPRINT #1:"THEIRS"\n')
    return strange


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def defaults(name: str) -> dict[str, Any]:
    """The defaults of a command in the current folder."""
    top, _, sub = name.partition(" ")
    command = cli.get_command(click.Context(cli), top)
    assert command is not None
    found = defaults_for(top, command, {each.partition(" ")[0] for each in COMMANDS})
    return found[sub] if sub else found


def some_value(param: click.Option) -> str:
    """A value of the option's kind, as TOML."""
    return "true" if param.is_flag else '"inside"'


def test_what_is_open_exists_and_is_harmless() -> None:
    known = {(name, key) for name, key, _ in OPTIONS}
    assert {(name, key) for name, keys in OPENED.items() for key in keys} <= known
    for name, key, param in OPTIONS:
        if may_set(name, key):
            assert key not in NEVER and not isinstance(param.type, OutputFile | FormOption), name


def test_what_stands_for_all_commands_is_open_for_all_or_for_none() -> None:
    for key in SHARED:
        each = {may_set(name, known) for name, known, _ in OPTIONS if known == key}
        assert len(each) < 2, key


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_takes_what_is_open_and_refuses_the_rest(folder: Path, name: str) -> None:
    for _, key, param in (each for each in OPTIONS if each[0] == name):
        text = f"# defaults\n[{name.replace(' ', '.')}]\n{key} = {some_value(param)}\n"
        (folder / "ti99tools.toml").write_text(text)
        if may_set(name, key):
            assert param.name in defaults(name)
        else:
            with pytest.raises(TIError, match=rf"toml:3: .* may not set {key};"):
                defaults(name)


@pytest.mark.parametrize("key", ["coverage", "out", "replace", "save-disk"])
def test_nor_may_it_set_them_for_all_commands(folder: Path, key: str) -> None:
    (folder / "pyproject.toml").write_text(f'[tool.ti99tools]\n"{key}" = "x"\n')
    result = run("list", "p.xb")
    assert result.exit_code == 2
    assert f"pyproject.toml:2: a project's file may not set {key};" in result.stderr
    # `list` writes over files and has no others of these options.
    of_others = " of the commands that have it" * (key != "replace")
    assert f"use --{key} on the command line{of_others}, or" in result.stderr
    assert run("list", "--help").exit_code == 0
    assert run("list", "--", "--help").exit_code == 2


PATHS = [
    (name, key, param)
    for name, key, param in OPTIONS
    if may_set(name, key) and isinstance(param.type, click.Path | DriveFile)
]


def test_paths_of_all_kinds_are_tried() -> None:
    assert {key for _, key, _ in PATHS} == {"boot", "code", "disk", "known", "script"}


OUTSIDE = (
    "~/mine",
    "~nosuchuser/x",
    "./~",
    "../mine",
    "sub/../../mine",
    "link",
    "sub/link",
    "around/strange/link",
    "round",
)


@pytest.mark.parametrize(("name", "key", "param"), PATHS, ids=lambda value: str(value))
def test_no_path_leaves_the_folder(folder: Path, name: str, key: str, param: click.Option) -> None:
    (folder / "sub").mkdir()
    for link, target in (("link", "../mine"), ("sub/link", "../../mine"), ("around", "..")):
        (folder / link).symlink_to(target)
    (folder / "round").symlink_to("round")
    (folder / "inner").symlink_to("sub")
    drive = "DSK2=" if isinstance(param.type, DriveFile) else ""
    file = folder / "ti99tools.toml"
    table = f"[{name.replace(' ', '.')}]\n{key} = "
    for path in (*OUTSIDE, str(folder.parent / "mine")):
        value = f'[\n  "{drive}{path}",\n]' if drive else f'"{path}"'
        file.write_text(f"{table}{value}\n")
        with pytest.raises(TIError, match=r"toml:2: .* outside the folder of this file"):
            defaults(name)
    for path in ("sub/new", "inner", "./p.xb", str(folder / "p.xb"), "sub/../p.xb"):
        file.write_text(f'{table}"{drive}{path}"\n')
        assert defaults(name)[param.name or ""]


def test_a_link_to_the_project_is_no_way_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "ti99tools.toml").write_text('[run]\nscript = "keys"\n')
    (folder / "keys").write_text("wait 1\n")
    (folder.parent / "way").symlink_to(folder)
    monkeypatch.chdir(folder.parent / "way")
    assert defaults("run") == {"script": "keys"}


def test_the_file_of_a_stranger_writes_nothing(folder: Path) -> None:
    (folder / "ti99tools.toml").write_text('[run]\nreplace = true\nrs232 = "~/mine"\n')
    result = run("run", "p.xb")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "ti99tools.toml:2: a project's file may not set replace; use --replace" in result.stderr
    assert (folder.parent / "mine").read_text() == "MINE\n"


@pytest.mark.parametrize("way", ["config", "variable"])
def test_a_file_of_the_users_own_may_set_everything(
    folder: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    mine = folder.parent / "config" / "ti99tools" / "config.toml"
    mine.parent.mkdir(parents=True)
    table = "options." if way == "config" else ""
    mine.write_text(f'[{table}run]\nreplace = true\nrs232 = "~/mine"\n')
    if way == "variable":
        monkeypatch.setenv("TI99TOOLS_CONFIG", str(mine))
    assert run("run", "p.xb").exit_code == 0
    assert (folder.parent / "mine").read_text() == "THEIRS\n"


def test_a_project_overrides_what_the_user_has_set_for_all(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = folder.parent / "config" / "ti99tools" / "config.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text('roms = "/roms"\n[options]\nseconds = 3\n[options.disk.new]\nname = "ONE"\n')
    assert defaults("run") == {"max_seconds": "3"}
    (folder / "ti99tools.toml").write_text("seconds = 5\n[disk.new]\ngeometry = 'DSSD'\n")
    assert defaults("run") == {"max_seconds": "5"}
    assert defaults("disk new") == {"name": "ONE", "geometry": "DSSD"}
    monkeypatch.setenv("TI99TOOLS_CONFIG", "")
    assert defaults("run") == {}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("replace = true", 1),
        ("\n\n  'replace' = true # x", 3),
        ("drives = [\n  'DSK1=x', # ]\n  \"y\",\n]\nreplace = true", 5),
        ("[run]\nkeys = '''\nreplace = true\n'''\n[list]\nreplace = true\n", 6),
        ("list.replace = true", 1),
        ("[disk]\nls.long = true\n[list]\nwidth = 28\nreplace = true", 5),
        ("list = { replace = true }", 1),
        ("[list.replace]\n", 1),
        ("[[list.replace]]\n", 1),
    ],
)
def test_the_line_is_where_the_value_is_set(folder: Path, text: str, line: int) -> None:
    (folder / "ti99tools.toml").write_text(text)
    assert f"ti99tools.toml:{line}: " in run("list", "p.xb").stderr


def test_a_line_that_takes_long_to_find_is_not_searched(folder: Path) -> None:
    size = 0

    def counted(text: str) -> dict[str, Any]:
        nonlocal size
        size += len(text)
        return toml_table(text)

    text = "drives = [\n" + ("'DSK2=a'," * 500 + "\n") * 190 + "]\nreplace = true\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(project, "toml_table", counted)
        assert project._line_of(text, ("replace",)) is None
    assert 0 < size < 5_000_000


def test_a_place_is_only_looked_for_when_something_is_wrong(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[tuple[str, ...]] = []
    monkeypatch.setattr(project.Defaults, "line", lambda _, keys: looked.append(keys))
    values = ", ".join(['"DSK2=a"'] * MOST_VALUES)
    file = folder / "ti99tools.toml"
    file.write_text(f"[run]\ndrives = [{values}]\n")
    assert len(defaults("run")["disks"]) == MOST_VALUES
    assert looked == []
    file.write_text(f'[run]\ndrives = [{values}, "DSK2=a"]\n')
    with pytest.raises(TIError, match=f"257 values for --disk; give at most {MOST_VALUES}"):
        defaults("run")
    assert looked == [("run", "drives")]


@pytest.mark.parametrize("name", ["~nosuchuser", "~\\u0000"])
def test_an_unknown_home_in_a_file_of_ones_own_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    mine = folder.parent / "mine.toml"
    mine.write_text(f'[run]\nscript = "{name}/x"\n')
    monkeypatch.setenv("TI99TOOLS_CONFIG", str(mine))
    with pytest.raises(TIError, match=r"mine\.toml:2: no home folder is known for ~.*whole path"):
        defaults("run")


def test_defaults_of_pictures_do_not_ask_for_one(folder: Path) -> None:
    (folder / "p.xb").write_text("PRINT 1\n")
    (folder / "ti99tools.toml").write_text("fps = 20\nscale = 2\n")
    assert run("run", "p.xb").exit_code == 0
