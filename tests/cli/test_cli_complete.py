"""What the shell completes words to."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from ti99tools import DiskImage
from ti99tools.fronts.cli.main import COMMANDS, cli
from ti99tools.media.disk.tifile import DiskFile


def completed(*words: str) -> list[str]:
    asked = ShellComplete(cli, {}, "ti99tools", "_TI99TOOLS_COMPLETE")
    return [item.value for item in asked.get_completions(list(words[:-1]), words[-1])]


@pytest.fixture
def disk(tmp_path: Path) -> str:
    image = DiskImage.new(name="D")
    for name in ("GAME", "GATE", "NOTES"):
        image.add(DiskFile.display_var(name, (b"X",), 80))
    image.save(tmp_path / "d.dsk")
    return str(tmp_path / "d.dsk")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("pl",), ["play"]),
        (("disk", "re"), ["rename", "repair"]),
        (("run", "d5"), ["d5000", "d5"]),
        (("play", "lam"), ["lambo", "lam"]),
        (("lint", "dim"), ["dimraw", "dim"]),
        (("list", "dice"), ["dicerack", "dice"]),
        (("generate", "d5"), ["d5000", "d5"]),
        (("tokenize", "d5"), ["d5000", "d5"]),
        (("build", "d5000", "lam"), ["lambo", "lam"]),
        (("verify", "lam"), ["lambo", "lam"]),
        (("disk", "new", "x.dsk", "--geometry", "dsd"), ["DSDD", "DSDD16", "DSDD80"]),
        (("disk", "convert", "--geometry", "C"), ["CF"]),
        (("disk", "get", "{disk}", "ga"), ["GAME", "GATE"]),
        (("disk", "show", "{disk}", "N"), ["NOTES"]),
        (("disk", "rm", "{disk}", "GAME", "N"), ["NOTES"]),
        (("run", "{disk}", "GAM"), ["GAME"]),
        (("run", "d5000", "--disk", "dsk"), ["DSK1=", "DSK2=", "DSK3=", "DSK4=", "dsk"]),
        (("disk", "get", "missing.dsk", "G"), []),
        (("disk", "get", "{noise}", "G"), []),
        (("lint", "x.xb", "--format", "g"), ["github"]),
    ],
)
def test_words_are_completed(
    disk: str, tmp_path: Path, words: tuple[str, ...], found: list[str]
) -> None:
    noise = tmp_path / "noise"
    noise.write_bytes(b"\0\1\2")
    assert completed(*(word.format(disk=disk, noise=noise) for word in words)) == found


def test_every_command_is_offered() -> None:
    assert set(completed("")) == {name for section in COMMANDS.values() for name in section}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_printed(shell: str) -> None:
    variables = {**os.environ, "_TI99TOOLS_COMPLETE": f"{shell}_source", "PATH": os.environ["PATH"]}
    found = subprocess.run(
        [sys.executable, "-m", "ti99tools"], env=variables, capture_output=True, text=True
    )
    assert "_TI99TOOLS_COMPLETE" in found.stdout, found.stderr
