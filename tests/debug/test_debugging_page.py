"""What docs/debugging.md shows: its session, its settings of editors, its commands."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.debug.dapclient import Client
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.debug.command_table import command_named
from ti99tools.fronts.debug.sessions import LAUNCH

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "debugging.md").read_text()
EXTENSION = ROOT / "editors" / "vscode"


def block(kind: str) -> str:
    """The first block of a kind; the empty kind is the session."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return next(str(text) for name, text in found if name == kind)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.xb").write_text(block("xb"))
    return tmp_path


def test_the_session_is_as_shown(folder: Path) -> None:
    first, *rows = block("").splitlines()
    commands = [row.removeprefix("(debug) ") for row in rows if row.startswith("(debug) ")]
    result = CliRunner().invoke(cli, shlex.split(first)[2:], input="\n".join(commands))
    assert result.stdout.splitlines() == rows, "the machine's times are those of the page, too"


def test_every_command_is_on_the_page() -> None:
    table = PAGE.partition("## Commands")[2].partition("\n\nBeginnings")[0]
    named = {
        command_named(words.split()[0]).name
        for words in re.findall(r"`([^`]+)`", table)
        if words.split()[0].isalpha()
    }
    from ti99tools.fronts.debug.command_table import COMMANDS

    assert named == {command.name for command in COMMANDS}


def configuration(folder: Path) -> dict[str, object]:
    text = block("json").replace("${file}", str(folder / "game.xb"))
    (launch,) = json.loads(text.replace("${workspaceFolder}", str(folder)))["configurations"]
    return dict(launch)


def test_the_configuration_for_vs_code_launches(folder: Path) -> None:
    with Client() as client:
        client.launch({str(folder / "game.xb"): [14]}, **configuration(folder))
        assert client.stop() == ("entry", "game.xb:3")
        assert client.go("continue") == ("breakpoint", "game.xb:14")
        assert client.go("stepBack") == ("step", "game.xb:13")
        client.ask("disconnect")


def test_the_extension_offers_the_settings_that_there_are() -> None:
    package = json.loads((EXTENSION / "package.json").read_text())
    (debugger,) = package["contributes"]["debuggers"]
    launch = debugger["configurationAttributes"]["launch"]
    assert set(launch["properties"]) == set(LAUNCH)
    assert launch["required"] == ["program"]
    assert json.loads(block("json"))["configurations"][0]["type"] == debugger["type"]
    settings = PAGE.partition("| setting |")[2].partition("\n\n")[0]
    named = {
        name
        for row in re.findall(r"^\| (`.*?) \|", settings, re.M)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert named == set(LAUNCH)
    for configuration_ in debugger["initialConfigurations"]:
        assert set(configuration_) - {"type", "request", "name"} <= set(LAUNCH)


def test_the_configuration_for_neovim_launches(folder: Path) -> None:
    lua = block("lua")
    adapter = re.search(r'command = "(\w+)", args = \{ (.*?) \}', lua)
    fields = re.search(r"dap.configurations.xb = \{\n  \{ (.*?) \},", lua)
    assert adapter
    assert fields
    assert adapter[1] == "ti99tools"
    arguments = [text.strip('" ') for text in adapter[2].split(",")]
    pairs = (part.split(" = ") for part in fields[1].split(", "))
    launch = {name: json.loads(value) for name, value in pairs}
    launch["program"] = launch["program"].replace("${file}", str(folder / "game.xb"))
    assert set(launch) - {"type", "request", "name"} <= set(LAUNCH)
    with Client([sys.executable, "-m", "ti99tools", *arguments]) as client:
        client.launch(**launch)
        assert client.stop() == ("entry", "game.xb:3")
