"""Compiled programs for people: `run`, `play`, `profile` and `debug` of a cartridge."""

import json
from pathlib import Path

import pytest

from tests.cli.invoking import invoke
from ti99tools.app.compile import compiled_again
from ti99tools.app.consoles import console_for, with_source
from ti99tools.app.realtime import Stage
from ti99tools.app.target import find_target
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.pace import Pace
from ti99tools.computer.console import standingalone
from ti99tools.computer.console.variables import UnknownVariable, WrongValue
from ti99tools.computer.numbers.forms import to_str
from ti99tools.language.program.program import Program

LISTING = """\
100 DIM A(3)
105 A(2)=2.5
110 FOR I=1 TO 20::S=S+I::NEXT I
120 GOSUB 200
125 CALL T(S,A(2))
130 CALL KEY(0,K,T)::IF T=0 THEN 130
150 PRINT "KEY";K;S
160 END
200 U=U+1
210 RETURN
300 SUB T(Q,Z)
310 Q=Q+1::W=W+Z
320 SUBEND
"""


@pytest.fixture
def cartridge(tmp_path: Path) -> Path:
    path = tmp_path / "game_8.bin"
    path.write_bytes(compile_program(Program.from_listing(LISTING), "GAME").cartridge)
    (tmp_path / "game.xb").write_text(LISTING)
    return path


def test_time_by_lines(cartridge: Path) -> None:
    code, output = invoke("profile", cartridge, "--keys", "A", "--json")
    assert code == 0, output
    data = json.loads(output.partition("\n}\n")[0] + "}")
    rows = {row["line"]: row for row in data["lines"]}
    assert rows[110]["text"].startswith("FOR I=1 TO 20")
    assert "game.xb:3" in rows[110]["from"]
    assert (rows[210]["times"], rows[150]["times"]) == (1, 1)
    assert data["seconds"] < 1
    assert not data["waited"]


def test_a_cursor_that_blinks_is_no_news(tmp_path: Path) -> None:
    path = tmp_path / "ask_8.bin"
    path.write_bytes(compile_program(Program.from_listing("100 INPUT A\n"), "ASK").cartridge)
    _, output = invoke("profile", path, "--json", "--max-seconds", "9")
    data = json.loads(output.partition("\n}\n")[0] + "}")
    assert data["seconds"] < 0.5 < data["waited"]


def test_a_cartridge_without_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    data = bytearray(8192)
    data[:16] = bytes.fromhex("aa010100 0000 600c 0000 0000 0000 0000")[:16]
    data[12:24] = bytes.fromhex("0000 6016 05") + b"OTHER" + bytes((0x10, 0xFF))
    path.write_bytes(data)
    code, output = invoke("profile", path, "--max-seconds", "0.1")
    assert code == 2
    assert "no program of ti99tools compile ran" in output
    data[6:8] = bytes(2)
    path.write_bytes(data)
    code, output = invoke("run", path)
    assert code == 2
    assert "no program in the cartridge's menu" in output


COMMANDS = """\
break 200
c
where
back
c
break 310
c
print Q+W
vars
c
wait 60
type A
registers
peek 8348 2
screen
print A(2)+U
quit
"""


def test_the_debugger_is_that_of_listings(cartridge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standingalone, "PATIENCE", 0.5)
    code, output = invoke("debug", cartridge, given=COMMANDS)
    assert code == 0, output
    for part in (
        "breakpoint 1: ",
        f"  {cartridge.with_name('game.xb')}:9 (line 200) GOSUB\n",
        "Q+W = 210",
        "in SUB T, statement ",
        "the program waits for a key: give it one",
        "KEY 65  211",
        "00 00",
        "R15=>",
        "A(2)+U = 3.5",
    ):
        assert part in output, part
    # One step back from the breakpoint in line 200 is the GOSUB.
    assert "\n>    4 | 120 GOSUB 200\n" in output


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("pace", list(Pace))
def test_its_source_is_found_however_it_was_compiled(
    words: bool, pace: Pace, tmp_path: Path
) -> None:
    listing = "100 CALL KEY(0,K,S)::N=N+1::GOTO 100\n"
    source = tmp_path / "count.bas"
    source.write_text(listing)
    result = compile_program(Program.from_listing(listing), "COUNT", words, pace=pace)
    found = compiled_again(str(source), result.cartridge)
    assert found is not None
    assert bool(found[1].code.paced) == (pace is Pace.BASIC)
    assert found[1].code.whole == (pace is Pace.ALL)


def test_without_its_source_it_has_line_numbers(cartridge: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(cartridge.read_bytes())
    (tmp_path / "other.xb").write_text("100 PRINT\n")
    code, output = invoke("debug", other, given="break 200\nc\nwhere\nvars\nprint S\nquit\n")
    assert code == 0, output
    assert "no source beside it gives this cartridge" in output
    assert "other.bin:200 (line 200) program" in output
    assert "no variables" in output
    assert "no variable S" in output


def test_a_disk_that_loads_a_compiled_program_is_told(tmp_path: Path) -> None:
    source, disk = tmp_path / "count.bas", tmp_path / "count.dsk"
    source.write_text("100 PRINT 1\n")
    assert invoke("compile", source, "-o", disk)[0] == 0
    code, output = invoke("debug", disk, given="quit\n")
    assert code == 0, output
    assert "these are the lines of LOAD, which loads a compiled program" in output
    plain = tmp_path / "plain.dsk"
    assert invoke("disk", "new", plain, source)[0] == 0
    assert "loads a compiled" not in invoke("debug", plain, given="quit\n")[1]


def test_the_debugger_keeps_to_the_machine_time(tmp_path: Path) -> None:
    image = tmp_path / "endless.bin"
    source = tmp_path / "endless.xb"
    source.write_text("100 I=I+1\n110 GOTO 100\n")
    assert invoke("compile", source, "-o", image)[0] == 0
    words = ["debug", image, "--max-seconds", "1.1"]
    output = invoke(*words, given="continue\nwait 9999999999\nwait 1\nquit\n")[1]
    assert "the run is over: more than 1.1 seconds of machine time" in output
    assert "9999999999 is not a number of frames" in output
    script = tmp_path / "keys.txt"
    script.write_text("wait 3\nwait 60\nwait 1\n")
    code, output = invoke("run", image, "--script", script, "--max-seconds", 60)
    assert code == 0 and "still running after 2.1" in output, output


def test_variables_are_those_of_the_source(cartridge: Path) -> None:
    target = with_source(find_target(str(cartridge)))
    console = console_for(target, {})
    assert dict(console.variables) == {}
    target.start(console)
    assert console.resume() == "keys"
    everything = console.variables.everything()
    assert list(map(to_str, everything["A()"])) == ["0", "0", "2.5", "0"]
    assert everything["S"] == 211
    console.variables["S"], console.variables["A(2)"] = 7, 1.25
    assert console.variables["S"] == 7
    assert console.variables["A(2)"] == 1.25
    console.variables["A(3)"] = 3
    assert console.variables["A(3)"] == 3
    with pytest.raises(WrongValue, match="K is a word here and cannot be 40000"):
        console.variables["K"] = 40000
    with pytest.raises(UnknownVariable):
        console.variables["W"]
    console.type("B")
    assert console.resume() == "ready"
    assert console.screen.shows("KEY 66  7")


STRINGS = """\
100 DIM N$(2)::A$="A"&STR$(5)::B$="CONSTANT"::C$="Q"::N$(1)=A$&B$
110 CALL KEY(0,K,S)::IF S=0 THEN 110
120 FOR I=1 TO 99::D$=A$&RPT$("Z",200)::NEXT I::PRINT A$;B$;C$;N$(2)
"""


def test_strings_are_read_and_set(tmp_path: Path) -> None:
    path = tmp_path / "words_8.bin"
    path.write_bytes(compile_program(Program.from_listing(STRINGS), "WORDS").cartridge)
    (tmp_path / "words.xb").write_text(STRINGS)
    target = with_source(find_target(str(path)))
    console = console_for(target, {})
    target.start(console)
    assert console.resume() == "keys"
    found = console.variables.everything()
    assert [found[name] for name in ("A$", "B$", "C$", "D$")] == ["A5", "CONSTANT", "Q", ""]
    assert found["N$()"] == ["", "A5CONSTANT", ""]
    for name, text in (("A$", "LONGER"), ("B$", ""), ("C$", "*"), ("N$(2)", "TWO")):
        console.variables[name] = text
        assert console.variables[name] == text
    with pytest.raises(WrongValue, match="no room"):
        for _ in range(99):
            console.variables["B$"] = "A" * 255
    console.variables["B$"] = "!"
    console.type("B")
    assert console.resume() == "ready"
    assert console.screen.shows("LONGER!*TWO")


def test_a_player_plays_it(cartridge: Path) -> None:
    clock = [0.0]
    target = find_target(str(cartridge))
    console = console_for(target, {})
    target.start(console)
    stage = Stage(console, "game.bin", now=lambda: clock[0])
    for frame in range(200):
        clock[0] += 1 / 60
        stage.frames()
        if frame == 100:
            stage.down("A")
        if frame == 110:
            stage.pilot.up("A")
    assert "KEY 65  211" in opened_text(stage)


def opened_text(stage: Stage) -> str:
    rows = [bytes(stage.picture.vdp().ram[at : at + 32]) for at in range(0, 768, 32)]
    return "\n".join("".join(chr((code - 0x60) & 0x7F) for code in row) for row in rows)


def test_an_error_is_at_its_statement(tmp_path: Path) -> None:
    """Of a source several statements are in one line of the program."""
    (tmp_path / "game.xb").write_text("DIM A(3)\nINPUT B\nC=B*2\nA(C)=1\nPRINT B\n")
    assert invoke("compile", tmp_path / "game.xb", "-o", tmp_path / "game_8.bin")[0] == 0
    code, output = invoke("run", tmp_path / "game_8.bin", "--keys", "5\\n")
    assert code == 1
    assert "game.xb:4:1: BAD SUBSCRIPT IN 100" in output


@pytest.mark.parametrize("key", ["CLEAR", "FCTN-4"])
@pytest.mark.parametrize("waits", ["INPUT A", "CALL KEY(0,K,S)::GOTO 100"])
def test_clear_stops_it_and_is_taken(tmp_path: Path, waits: str, key: str) -> None:
    listing, script = tmp_path / "game.bas", tmp_path / "p.keys"
    listing.write_text(f"90 PRINT 1\n100 {waits}\n")
    script.write_text(f"wait 100\npress {key}\n")
    assert invoke("compile", listing, "-o", tmp_path / "game_8.bin")[0] == 0
    for program in (listing, tmp_path / "game_8.bin"):
        code, output = invoke("run", program, "--script", script)
        assert code == 0, output
        assert "a break stopped the program in line 100" in output


@pytest.mark.parametrize(
    ("listing", "told"),
    [
        ('100 OPEN #1:"PIO"', "nothing is connected to PIO)\n  --pio FILE connects a file to it"),
        ('100 OPEN #1:"DSK3.X",INPUT', "no disk is in DSK3"),
        ("100 N=5\n110 CALL HCHAR(N,33,42)", "HCHAR takes no column 33"),
        (
            '100 DIM N$(3)\n110 N$(2)="HI"::CALL S(2,N$(2))\n120 SUB S(X,T$)\n'
            '130 U$=T$&"!"::PRINT SEG$(U$,-X,X)\n140 SUBEND',
            'with U$="HI!", X=2, T$="HI"',
        ),
    ],
)
def test_a_failure_is_explained_as_that_of_the_listing(
    tmp_path: Path, listing: str, told: str
) -> None:
    source, cartridge = tmp_path / "game.bas", tmp_path / "game_8.bin"
    source.write_text(f"{listing}\n")
    assert invoke("compile", source, "-o", cartridge)[0] == 0
    for program in (source, cartridge):
        code, output = invoke("run", program)
        assert code == 1
        assert told in output, program


def test_a_cartridge_that_is_cut_off_is_named(tmp_path: Path) -> None:
    listing, cartridge = tmp_path / "game.bas", tmp_path / "game_8.bin"
    listing.write_text("100 PRINT 1\n")
    assert invoke("compile", listing, "-o", cartridge)[0] == 0
    cartridge.write_bytes(cartridge.read_bytes()[:1000])
    code, output = invoke("run", cartridge)
    assert code == 2
    assert f"{cartridge}: the cartridge is cut off" in output


def test_a_warning_that_stops_it_is_told(tmp_path: Path) -> None:
    listing, cartridge = tmp_path / "game.bas", tmp_path / "game_8.bin"
    listing.write_text("100 ON WARNING STOP\n110 A=1E99*1E99\n")
    assert invoke("compile", listing, "-o", cartridge)[0] == 0
    code, output = invoke("run", cartridge)
    assert code == 0, output
    assert "the warning NUMERIC OVERFLOW in line 110 stopped the program" in output
    listing.write_text("110 A=1E99*1E99\n")
    assert invoke("compile", listing, "-o", cartridge, "--replace")[0] == 0
    assert "ended after" in invoke("run", cartridge)[1], "the last words are those of a warning"


def test_a_key_that_a_program_does_not_take_is_told(tmp_path: Path) -> None:
    listing, script = tmp_path / "game.bas", tmp_path / "p.keys"
    listing.write_text("90 PRINT 1\n")
    assert invoke("compile", listing, "-o", tmp_path / "game_8.bin")[0] == 0
    script.write_text("wait 100\npress CLEAR\n")
    code, output = invoke("run", tmp_path / "game_8.bin", "--script", script)
    assert code == 1
    assert "the program has ended, and nobody takes the key CLEAR" in output


def test_an_error_under_work_is_no_caller(tmp_path: Path) -> None:
    listing = (
        '100 ON ERROR 900\n110 GOSUB 130\n120 END\n130 A=VAL("X")\n140 RETURN\n900 RETURN NEXT\n'
    )
    path = tmp_path / "game_8.bin"
    path.write_bytes(compile_program(Program.from_listing(listing)).cartridge)
    (tmp_path / "game.bas").write_text(listing)
    code, output = invoke("debug", path, given="break 900\nc\nwhere\nquit\n")
    assert code == 0, output
    source = tmp_path / "game.bas"
    assert f"  {source}:6 (line 900) GOSUB\n  {source}:2 (line 110)" in output


def test_a_cursor_that_blinks_is_rest(tmp_path: Path) -> None:
    path = tmp_path / "game_8.bin"
    path.write_bytes(compile_program(Program.from_listing("100 INPUT A\n110 PRINT A")).cartridge)
    (tmp_path / "keys").write_text("rest 90\ntype 7\\n\nuntil 7\n")
    code, output = invoke("run", path, "--script", tmp_path / "keys", "--max-seconds", 20)
    assert code == 0, output
