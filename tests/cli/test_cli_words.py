"""Python says what to do, the command line with which command; neither speaks like the other."""

import ast
import pickle
import re
from copy import copy
from pathlib import Path
from string import Formatter

import click
import pytest
from click.testing import CliRunner

import ti99tools
from tests.house import parsed
from ti99tools.base.errors import Advice, DiskError, Remedy, TIError
from ti99tools.fronts.cli.group import WORDS, message_of, worded
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

PACKAGE = Path(ti99tools.__file__).parent
COMMAND_SIGNS = re.compile("--|`ti99tools|`disk|`hosts|say")
"""What a module's source has if one of its texts has command words, however they are broken."""
COMMAND_WORDS = re.compile(r"(?<![\w-])--[a-z]|`ti99tools |`disk [a-z]|`hosts |\bsay --")


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def texts(path: Path) -> list[tuple[int, str]]:
    """The texts of a module that are no docstrings; none without a sign of commands."""
    source = path.read_text(encoding="utf-8")
    if not COMMAND_SIGNS.search(source):  # reading all modules takes long
        return []
    tree = parsed(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


@pytest.mark.parametrize("remedy", Remedy)
def test_the_command_line_has_words_for_every_remedy(remedy: Remedy) -> None:
    assert fields(WORDS[remedy]) == fields(remedy.value)


def test_the_words_are_commands_and_options_that_there_are() -> None:
    context = click.Context(cli)
    groups = {"": cli, **{name: cli.get_command(context, name) for name in ("disk", "tape")}}
    names = {name for group in groups.values() for name in group.list_commands(context)}  # type: ignore[union-attr]
    options = set()
    for group in groups.values():
        assert isinstance(group, click.Group)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            options |= {option for param in command.params for option in param.opts}
    for words in WORDS.values():
        assert set(re.findall(r"--[a-z]+", words)) <= options, words
        for command_name in re.findall(r"`(?:ti99tools )?(?:disk )?([a-z]+)", words):
            assert command_name in names, words


FRONTS = ("fronts", "__main__.py", "pytest_plugin.py")
"""What has commands and options; those of the plug-in are pytest's."""


def test_only_the_command_line_speaks_of_commands() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in FRONTS
        for line, text in texts(path)
        if COMMAND_WORDS.search(text)
    ]
    assert not found


@pytest.mark.parametrize(
    "text", ["use --replace", "`ti99tools list` shows it", "`disk check` tells more"]
)
def test_command_words_are_recognised(text: str) -> None:
    assert COMMAND_WORDS.search(text)


def test_an_error_is_told_in_two_ways(tmp_path: Path) -> None:
    image = DiskImage.new(name="X")
    image.add(DiskFile.display_var("A", [b"1"]))
    with pytest.raises(DiskError) as caught:
        image.add(DiskFile.display_var("A", [b"1"]))
    error = caught.value
    assert error.meaning is Remedy.REPLACE
    assert str(error) == "A already exists; choose another name, or allow it to be replaced"
    assert message_of(error) == "A already exists; choose another name or use --replace"
    assert message_of(error.at("x.dsk")) == f"x.dsk: {message_of(error)}"
    image.save(tmp_path / "x.dsk")
    (tmp_path / "a.txt").write_text("1\n")
    result = CliRunner().invoke(cli, ["disk", "add", f"{tmp_path}/x.dsk", f"{tmp_path}/a.txt"])
    assert result.stderr == f"error: {message_of(error)}\n"


def test_advice_keeps_its_meaning() -> None:
    advice = Remedy.VOLUME.of(count=5)
    assert advice == "choose one from 1 to 5"
    assert worded(advice).endswith("with --volume")
    for other in (copy(advice), pickle.loads(pickle.dumps(advice))):
        assert isinstance(other, Advice)
        assert other == advice
        assert (other.meaning, other.fields) == (Remedy.VOLUME, {"count": 5})
    assert worded("fix it") == "fix it"
    assert TIError("x", remedy="fix it").meaning is None
