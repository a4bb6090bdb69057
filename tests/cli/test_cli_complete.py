"""What the shell completes words to."""

import os
import select
import shutil
import subprocess
import sys
import time
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
        (("run", "d5"), ["d5000"]),
        (("play", "lam"), ["lambo"]),
        (("lint", "dim"), ["dimraw"]),
        (("list", "dice"), ["dicerack"]),
        (("generate", "d5"), ["d5000"]),
        (("tokenize", "d5"), ["d5000"]),
        (("build", "d5000", "lam"), ["lambo"]),
        (("verify", "lam"), ["lambo"]),
        (("disk", "new", "x.dsk", "--geometry", "dsd"), ["DSDD", "DSDD16", "DSDD80"]),
        (("disk", "convert", "--geometry", "C"), ["CF"]),
        (("disk", "get", "{disk}", "ga"), ["GAME", "GATE"]),
        (("disk", "show", "{disk}", "N"), ["NOTES"]),
        (("disk", "rm", "{disk}", "GAME", "N"), ["NOTES"]),
        (("run", "{disk}", "GAM"), ["GAME"]),
        (("run", "d5000", "--disk", "dsk"), ["DSK1=", "DSK2=", "DSK3=", "DSK4="]),
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


def test_files_are_offered_beside_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bash gets names only: told to look for files as well, it forgets the names."""
    (tmp_path / "lamp").mkdir()
    (tmp_path / "lam.xb").touch()
    (tmp_path / ".lam").touch()
    monkeypatch.chdir(tmp_path)
    assert completed("run", "lam") == ["lambo", "lam.xb", "lamp"]
    assert completed("build", "lam") == ["lambo", "lamp"]
    assert completed("run", "./lam") == ["./lam"]
    assert completed("run", "")[-2:] == ["lam.xb", "lamp"]


def test_every_command_is_offered() -> None:
    assert set(completed("")) == {name for section in COMMANDS.values() for name in section}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_is_printed(shell: str) -> None:
    variables = {**os.environ, "_TI99TOOLS_COMPLETE": f"{shell}_source", "PATH": os.environ["PATH"]}
    process = subprocess.run(
        [sys.executable, "-m", "ti99tools"], env=variables, capture_output=True, text=True
    )
    assert "_TI99TOOLS_COMPLETE" in process.stdout, process.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_a_game_at_the_key_tab(tmp_path: Path) -> None:
    """A bash on a terminal of its own: the script is loaded, and TAB pressed."""
    program = tmp_path / "ti99tools"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ti99tools "$@"\n')
    program.chmod(0o755)
    settings = tmp_path / "settings"
    settings.touch()
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    variables = {
        **os.environ,
        "PATH": path,
        "PS1": "ready> ",
        "TERM": "dumb",
        "INPUTRC": str(settings),
    }
    ours, theirs = os.openpty()
    shell = subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=variables,
        cwd=tmp_path,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        _shown(ours, "ready> ")
        os.write(ours, b'eval "$(_TI99TOOLS_COMPLETE=bash_source ti99tools)"\n')
        seen = _shown(ours, "ready> ")
        os.write(ours, b"ti99tools play lam\t")
        _shown(ours, "play lambo ", seen)
    finally:
        shell.kill()
        shell.wait()
        os.close(ours)


def _shown(terminal: int, text: str, before: str = "", seconds: float = 30) -> str:
    """Read from a terminal until it shows a text; what it showed. `before`: told if it does not."""
    seen, limit = "", time.monotonic() + seconds
    while text not in seen:
        ready, _, _ = select.select([terminal], [], [], max(limit - time.monotonic(), 0))
        assert ready, before + seen
        seen += os.read(terminal, 4096).decode(errors="replace")
    return seen
