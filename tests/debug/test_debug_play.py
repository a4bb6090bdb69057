"""`play --debug`: commands while a game is played, and the same play again after going back."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

TYPING = """CALL CLEAR
again:
  CALL KEY(0,K,S)
  IF S<1 THEN again
  N=N+1
  PRINT CHR$(K);N
  GOTO again
"""


class Screen:
    """A program on a pseudo terminal."""

    def __init__(self, *command: str) -> None:
        self.ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (30, 100))
        self.before = termios.tcgetattr(theirs)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ti99tools", *command],
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            env={**os.environ, "TERM": "xterm", "COLORTERM": ""},
        )
        self._theirs = theirs
        self._new = ""

    def until(self, text: str) -> str:
        """What comes up to a text, that included."""
        end = time.monotonic() + 30
        while text not in self._new:
            ready, _, _ = select.select([self.ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"never shown: {text}\n{self._new}"
            self._new += os.read(self.ours, 65536).decode(errors="replace")
        before, text_, self._new = self._new.partition(text)
        return before + text_

    def send(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self._theirs)
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture
def game(tmp_path: Path) -> Iterator[tuple[Screen, Path]]:
    source = tmp_path / "typing.xb"
    source.write_text(TYPING)
    script = tmp_path / "typing.keys"
    screen = Screen("play", str(source), "--terminal", "--debug", "--record", str(script))
    try:
        yield screen, script
    finally:
        screen.close()


def test_a_game_is_stopped_gone_back_in_and_played_on(game: tuple[Screen, Path]) -> None:
    screen, script = game
    screen.until("(debug) ")
    screen.send("break :6 if N=2\rc\r")
    screen.until("\x1b[?1049h")
    screen.send("a")
    screen.until("A 1")
    screen.send("b")
    output = screen.until("(debug) ")
    assert "breakpoint 1, N=2" in output
    assert "PRINT CHR$(K);N" in output
    screen.send("print CHR$(K)\r")
    assert '= "B"' in screen.until("(debug) ")
    screen.send("back\r")
    assert "N=N+1" in screen.until("(debug) ")
    screen.send("print N\r")
    assert "N = 1" in screen.until("(debug) "), "the first key was pressed again"
    screen.send("c\r")
    assert "breakpoint 1, N=2" in screen.until("(debug) "), "and the second"
    screen.send("delete\rc\r")
    screen.until("B 2")
    screen.send("\x1b[21~")  # F10
    assert "a pause was asked for" in screen.until("(debug) ")
    screen.send("c\r")
    screen.until("\x1b[?1049h")
    screen.send("\x03")
    assert "you have left the game" in screen.until("(debug) ")
    screen.send("q\r")
    assert screen.process.wait(30) == 0
    assert termios.tcgetattr(screen.ours)[3] == screen.before[3]
    held = [row for row in script.read_text().splitlines() if row.startswith("hold")]
    assert held == ["hold a", "hold b"]
