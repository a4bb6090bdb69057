"""Compiled programs for people: `play`, `profile` and `debug` of a cartridge."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.cartridge import Debugger, line_times, opened
from ti99tools.app.play.realtime import Stage
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.keyscript import Press
from ti99tools.fronts.cli.main import cli
from ti99tools.language.program.program import Program

LISTING = """\
100 FOR I=1 TO 20
110 S=S+I
120 NEXT I
130 CALL KEY(0,K,T)
140 IF T=0 THEN 130
150 PRINT "KEY";K;S
"""


@pytest.fixture
def cartridge(tmp_path: Path) -> Path:
    path = tmp_path / "game.bin"
    path.write_bytes(compile_program(Program.from_listing(LISTING), "GAME").cartridge)
    (tmp_path / "game.xb").write_text(LISTING)
    return path


def test_time_by_lines(cartridge: Path) -> None:
    found = line_times(str(cartridge), [Press("A")], 30)
    run, rows = found.run, found.lines
    times = {row.line: row.times for row in rows}
    assert run.done and not found.waited
    assert rows[0].text.startswith(f"{rows[0].line} ") and "game.xb:" in rows[0].text
    assert (times[110], times[150]) == (20, 1)
    assert sum(row.seconds for row in rows) < run.console.clock.seconds


def test_a_cartridge_without_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    data = bytearray(8192)
    data[:16] = bytes.fromhex("aa010100 0000 600c 0000 0000 0000 0000")[:16]
    data[12:24] = bytes.fromhex("0000 6016 05") + b"OTHER" + bytes((0x10, 0xFF))
    path.write_bytes(data)
    with pytest.raises(TIError, match="no program of ti99tools compile"):
        line_times(str(path), [], 0.1)


def test_stops_at_lines(cartridge: Path) -> None:
    said: list[str] = []
    commands = [
        "break 120",
        "c",
        "c",
        "delete 120",
        "step",
        "break 999",
        "break 150",
        "wait 60",
        "type A",
        "c",
        "peek 8348 2",
        "nonsense",
        "c",
        "screen",
        "quit",
        "step",
    ]
    Debugger(str(cartridge), said.append).run(commands)
    assert said[0].startswith("100 FOR I=1 TO 20  (")
    assert [text[:3] for text in said[1:4]] == ["120", "120", "110"]
    assert "line 999 has no code" in said[4]
    assert "line 130 waits for a key" in said[6]
    assert said[7].startswith('150 PRINT"KEY";K;S') or said[7].startswith("150 PRINT")
    assert said[8] == "00 00"
    assert said[9] == "unknown command nonsense; the commands are:"
    assert said[10].startswith("break 120")
    assert said[11] == "the program has ended"
    assert "KEY 65  210" in said[-1]


def test_the_debugger_keeps_to_the_machine_time(tmp_path: Path) -> None:
    image = tmp_path / "endless.bin"
    source = tmp_path / "endless.xb"
    source.write_text("100 I=I+1\n110 GOTO 100\n")
    assert CliRunner().invoke(cli, ["compile", str(source), "-o", str(image)]).exit_code == 0
    words = ["debug", str(image), "--max-seconds", "0.2"]
    orders = "continue\nwait 9999999\npeek A000 99999999\nstep\nc\n"
    told = CliRunner().invoke(cli, words, input=orders)
    assert told.stdout.count("the machine time is over") == 4 and told.exit_code == 0
    refused = CliRunner().invoke(cli, [*words, "--keys", "A"])
    assert refused.exit_code == 2 and "not with a cartridge" in refused.stderr
    script = tmp_path / "keys.txt"
    script.write_text("wait 3\nwait 3000\nwait 1\n")
    run = CliRunner().invoke(cli, ["run", str(image), "--script", str(script), *words[2:]])
    assert run.exit_code == 1 and "still running after 1.1 seconds of machine time" in run.stderr


def test_a_player_plays_it(cartridge: Path) -> None:
    clock = [0.0]
    stage = Stage(opened(cartridge), "game.bin", now=lambda: clock[0])
    for frame in range(200):
        clock[0] += 1 / 60
        stage.frames()
        if frame == 100:
            stage.down("A")
        if frame == 110:
            stage.pilot.up("A")
    assert "KEY 65  210" in opened_text(stage)


def opened_text(stage: Stage) -> str:
    rows = [bytes(stage.picture.vdp().ram[at : at + 32]) for at in range(0, 768, 32)]
    return "\n".join("".join(chr((code - 0x60) & 0x7F) for code in row) for row in rows)


def test_the_commands(cartridge: Path) -> None:
    runner = CliRunner()
    made = runner.invoke(cli, ["profile", str(cartridge), "--keys", "A", "--json"])
    assert made.exit_code == 0
    assert '"line": 110' in made.output
    made = runner.invoke(cli, ["debug", str(cartridge)], input="break 120\nc\nquit\n")
    assert "100 FOR I=1 TO 20" in made.output
