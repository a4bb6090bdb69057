"""The text terminal: what it sends for keys, what is drawn, and a session on a pseudo terminal."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from rich.color import ColorSystem

from ti99tools.app.realtime import Control
from ti99tools.computer.console.session import Console
from ti99tools.fronts.play.terminal import KeyReader, LeaveKey, Painter
from ti99tools.hardware.machine.vdp import Snapshot
from ti99tools.language.program.program import Program

ASKING = '100 CALL CLEAR\n110 INPUT "NAME? ":A$\n120 PRINT "HI ";A$\n130 GOTO 110\n'


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        (b'aB7"', ["a", "B", "7", '"']),
        (b" \r\n", ["SPACE", "ENTER", "ENTER"]),
        (b"\x7f\x08", ["LEFT", "LEFT"]),
        (b"\x01\x1a", ["CTRL-A", "CTRL-Z"]),
        (b"A\x00B", ["A", "B"]),  # Ctrl and SPACE: no key of the console
        (b"\x03", [LeaveKey.LEAVE]),
        (b"\t", [Control.TURBO]),
        (b"\x1b[A\x1b[B\x1b[C\x1b[D", ["UP", "DOWN", "RIGHT", "LEFT"]),
        (b"\x1bOA\x1bOB\x1bOC\x1bOD", ["UP", "DOWN", "RIGHT", "LEFT"]),
        (b"\x1b[1;5A", ["UP"]),
        (b"\x1bOP\x1bOQ\x1bOR\x1bOS", ["DEL", "INS", "ERASE", "CLEAR"]),
        (b"\x1b[11~\x1b[14~\x1b[15~\x1b[17~", ["DEL", "CLEAR", "BEGIN", "PROCEED"]),
        (b"\x1b[[A\x1b[[E", ["DEL", "BEGIN"]),
        (b"\x1b[20~\x1b[21~\x1b[23~\x1b[24~", ["BACK", *Control]),
        (b"\x1b[2~\x1b[3~\x1b[5~\x1b[H", ["INS", "DEL"]),
        (b"\x1b4\x1bp\x1bs\x1b=", ["CLEAR", '"', "LEFT"]),
        (b"\x1b\x1b", ["BACK"]),
        ("äx".encode(), ["x"]),
    ],
)
@pytest.mark.parametrize("cut", [False, True])
def test_keys(sent: bytes, keys: list[object], cut: bool) -> None:
    reader = KeyReader()
    pieces = [bytes((byte,)) for byte in sent] if cut else [sent]
    got = [key for piece in pieces for key in reader.read(piece)]
    assert got == keys
    assert not reader.waiting


@pytest.mark.parametrize(
    ("sent", "key"), [(b"\x1b", ["BACK"]), (b"\x1bO", ["'"]), (b"\x1b[", []), (b"\x1b[1;", [])]
)
def test_keys_that_might_have_gone_on(sent: bytes, key: list[str]) -> None:
    reader = KeyReader()
    assert reader.read(sent) == []
    assert reader.waiting
    assert reader.give_up() == key
    assert not reader.waiting


def snapshot(program: str) -> Snapshot:
    console = Console()
    console.load(Program.from_listing(program))
    console.run(1)
    return Snapshot.of(console.machine.vdp)


COLORFUL = """
100 CALL CLEAR
110 CALL SCREEN(5)
120 CALL COLOR(5,16,7)
130 CALL CHAR(96,"FFFFFFFFFFFFFFFF")
140 DISPLAY AT(1,1):"ABC `"
150 GOTO 150
"""


def painted(colors: ColorSystem | None, columns: int, rows: int = 30) -> list[str]:
    out: list[str] = []
    painter = Painter(out.append, colors)
    painter.resize(columns, rows)
    painter.paint(snapshot(COLORFUL), ["panel line"])
    return out


def test_rows_with_colours_border_and_panel() -> None:
    clear, text = painted(ColorSystem.TRUECOLOR, 100)
    assert clear == "\x1b[2J"
    first = text.split("\x1b[2;1H")[0]
    assert first == (
        "\x1b[1;1H\x1b[38;2;84;85;237;48;2;84;85;237m  "
        "\x1b[38;2;0;0;0;48;2;84;85;237m  "
        "\x1b[38;2;255;255;255;48;2;212;82;77mABC"
        "\x1b[38;2;0;0;0;48;2;84;85;237m █"
        + " " * 25
        + "\x1b[38;2;84;85;237;48;2;84;85;237m  \x1b[0m  panel line\x1b[K"
    )
    assert text.count(";1H") == 24


@pytest.mark.parametrize(
    ("colors", "code"),
    [(ColorSystem.EIGHT_BIT, "38;5;"), (ColorSystem.STANDARD, "\x1b[30;104m"), (None, "ABC █")],
)
def test_terminals_with_fewer_colours(colors: ColorSystem | None, code: str) -> None:
    assert code in painted(colors, 100)[1]


def test_narrow_and_low_terminals() -> None:
    text = painted(None, 32)[1]
    assert text.startswith("\x1b[1;1H  ABC █" + " " * 25 + "\x1b[0m\x1b[2;1H")
    assert "panel" not in text
    assert "panel line" not in painted(None, 46)[1]
    assert "panel li" in painted(None, 46)[1]
    assert painted(None, 40, rows=10)[1].count(";1H") == 10


def test_only_rows_that_change_are_sent() -> None:
    out: list[str] = []
    painter = Painter(out.append, None)
    painter.resize(80, 24)
    picture = snapshot(COLORFUL)
    painter.paint(picture, ["a", "b"])
    painter.paint(picture, ["a", "c"])
    painter.paint(picture, ["a", "c"])
    assert len(out) == 3
    assert re.findall(r"\x1b\[(\d+);1H", out[2]) == ["2"]


def playing(slave: int, folder: Path, *options: str) -> subprocess.Popen[bytes]:
    """A process that plays a program which asks for a name; its script is asking.keys."""
    source = folder / "asking.xb"
    source.write_text(ASKING)
    command = [sys.executable, "-m", "ti99tools", "play", str(source), "--terminal", *options]
    return subprocess.Popen(
        [*command, "--record", str(folder / "asking.keys")],
        stdin=slave,
        stdout=slave,
        stderr=subprocess.PIPE,
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": ""},
    )


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM], ids=str)
def test_what_was_played_is_kept_when_the_terminal_is_closed(tmp_path: Path, number: int) -> None:
    script, disk = tmp_path / "asking.keys", tmp_path / "after.dsk"
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (30, 100))
    # Whoever runs the tests by nohup ignores SIGHUP, and so would the process.
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        process = playing(slave, tmp_path, "--save-disk", str(disk))
    finally:
        signal.signal(signal.SIGHUP, before)
    os.close(slave)
    output = b""
    try:
        while b"NAME?" not in output:
            ready, _, _ = select.select([master], [], [], 30)
            assert ready, output
            output += os.read(master, 65536)
        # The terminal is still open, so that nothing but the signal ends the session.
        process.send_signal(number)
        process.wait(30)
    finally:
        process.kill()
        process.wait()
        os.close(master)
    assert "asking.xb, recorded by ti99tools play" in script.read_text()
    assert disk.stat().st_size == 92_160


def test_a_session_on_a_pseudo_terminal(tmp_path: Path) -> None:
    script = tmp_path / "asking.keys"
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (30, 100))
    before = termios.tcgetattr(slave)
    process = playing(slave, tmp_path)
    output = ""

    def until(text: str) -> None:
        nonlocal output
        end = time.monotonic() + 30
        while text not in output:
            ready, _, _ = select.select([master], [], [], max(0, end - time.monotonic()))
            assert ready, f"never shown: {text}\n{output}"
            output += os.read(master, 65536).decode(errors="replace")

    try:
        until("NAME?")
        os.write(master, b"bobb\x7f\x1b[3~\r")
        until("HI BOB")
        os.write(master, b"\x03")
        until("\x1b[?1049l")
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
    assert output.startswith("\x1b[?1049h\x1b[?25l\x1b[?7l")
    assert "38;5;" in output
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
    assert process.stderr is not None
    assert process.stderr.read().startswith(f"wrote {script}".encode())
    process.stderr.close()
    presses = re.findall(r"^hold (\S+)", script.read_text(), re.M)
    assert presses == ["b", "o", "b", "b", "LEFT", "DEL", "ENTER"]


def test_a_screen_with_drawings_takes_two_columns_a_cell_where_there_is_room() -> None:
    drawn = """100 CALL CLEAR
110 CALL CHAR(128,"7FFFC7C7C7FFFCFC",129,"FCFEC6C6C6FE7E7E")
120 DISPLAY AT(1,1):"ABC";CHR$(128);CHR$(129)
130 GOTO 130
"""
    written: list[str] = []
    for columns, letters in ((64, "A B C "), (63, "ABC")):
        painter = Painter(written.append, None)
        painter.resize(columns, 24)
        painter.paint(snapshot(drawn), ())
        assert letters in written[-1]
    painter = Painter(written.append, None)
    painter.resize(64, 24)
    painter.paint(snapshot('100 CALL CLEAR\n110 PRINT "ABC"\n120 GOTO 120\n'), ())
    assert "ABC" in written[-1]
    painter.paint(snapshot(drawn), ())
    painter.paint(snapshot('100 CALL CLEAR\n110 PRINT "ABC"\n120 GOTO 120\n'), ())
    assert "A B C " in written[-1], "a game does not change its size in between"
