"""`ti99tools play`: its options, and what it says when it cannot play."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.fronts.cli.main import cli


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "x.xb"
    path.write_text("100 GOTO 100\n")
    return str(path)


def play(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["play", *arguments])


def test_help_tells_the_keys_and_has_examples() -> None:
    text = play("--help").output
    for words in ("F1 to F9", "FCTN", "--record", "turbo", "ti99tools play d5000"):
        assert words in text


def test_without_pygame_it_says_what_to_install(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "ti99tools.fronts.play.window", raising=False)
    monkeypatch.setitem(sys.modules, "pygame", None)
    script = tmp_path / "x.keys"
    result = play(source, "--record", str(script))
    assert result.exit_code == 2
    assert "pygame-ce is not installed; pip install 'ti99tools[play]'" in result.output
    assert not script.exists()


def test_pygame_does_not_greet(source: str) -> None:
    pytest.importorskip("pygame")
    unseen = {"SDL_VIDEODRIVER": "x11", "DISPLAY": ":none"}
    process = subprocess.run(
        [sys.executable, "-m", "ti99tools", "play", source],
        env={k: v for k, v in os.environ.items() if k != "PYGAME_HIDE_SUPPORT_PROMPT"} | unseen,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "no window" in process.stderr
    assert process.stdout == ""


def test_one_file_cannot_take_two_outputs(source: str, tmp_path: Path) -> None:
    file = str(tmp_path / "x.keys")
    result = play(source, "--record", file, "--pio", file)
    assert result.exit_code == 2
    assert "x.keys is named twice; use two files" in result.output


def test_a_terminal_is_needed_for_terminal(source: str) -> None:
    result = play(source, "--terminal")
    assert result.exit_code == 2
    assert "there is no terminal to play in; leave out --terminal" in result.output


def test_terminals_have_no_joystick(source: str) -> None:
    result = play(source, "--terminal", "--joystick")
    assert result.exit_code == 2
    assert "leave out --joystick" in result.output


def test_a_missing_folder_is_told_before_the_game(source: str, tmp_path: Path) -> None:
    result = play(source, "--record", str(tmp_path / "nowhere" / "x.keys"))
    assert result.exit_code == 2
    assert "no such folder" in result.output


def test_unknown_targets() -> None:
    result = play("nonesuch")
    assert result.exit_code == 2
    assert "nonesuch: no such file, and no such game" in result.output
