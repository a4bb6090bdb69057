"""Programs that take all the time of Extended BASIC: sprites in motion are where they are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from ti99tools.base.cycles.console import SCAN
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.wholetime import first_statement
from ti99tools.computer.console.anyconsole import AnyConsole, RunEnd
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.compile.timing import scanning
from ti99tools.games.conformance.as_cartridge import compiled_case, play
from ti99tools.games.conformance.playback import disk, machine
from ti99tools.games.conformance.playback import play as play_in_basic
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.program.program import Program

QUICK = """\
100 CALL CLEAR::H=5
110 CALL SPRITE(#1,42,2,50,1,0,30,#2,42,3,9,9,-13,77)
120 FOR I=1 TO 60::NEXT I::CALL POSITION(#1,A,B)::PRINT A;B
130 FOR I=1 TO 9::CALL COINC(#1,#2,8,C)::H=H+1::NEXT I::CALL POSITION(#2,A,B)::PRINT A;B;H
140 X=SQR(2)::CALL LOCATE(#1,9,9)::CALL HCHAR(3,3,32,99)
150 CALL POSITION(#1,A,B,#2,C,D)::PRINT A;B;C;D::PRINT "END!"
"""


def shown(rows: Sequence[str]) -> list[str]:
    """The words that a program has shown until its end."""
    words = " ".join(rows).replace("\x1f", " ").split()
    return words[: words.index("END!")]


@pytest.mark.parametrize("words", [True, False])
def test_sprites_are_where_they_are_in_extended_basic(words: bool) -> None:
    case = {"source": QUICK.splitlines(), "script": [{"until": {"text": "END!"}}]}
    there = play_in_basic(case).final
    here = play({**case, "expect": {}}, compiled_case(case, words, pace=Pace.ALL)).final
    assert shown(here.rows) == shown(there.rows)
    assert len(shown(here.rows)) > 8


@pytest.mark.parametrize("lines", [5, 400])
def test_a_program_begins_when_it_does_in_extended_basic(lines: int) -> None:
    """Long ones are loaded by records."""
    source = [f'{100 + n} PRINT "ABCDEFGHIJKLMNOPQRSTUVWXYZ";{n}' for n in range(lines)]
    program = Program.from_listing("\n".join(source))
    case = {"source": source}
    console = machine(case, disk(case))
    console.boot()
    after_run = scanning(program.analysis.scan.work) - SCAN["RUN"]
    assert first_statement(program) == console.computer.began + after_run


def test_a_slow_loop_that_only_looks_for_a_key_waits_for_one() -> None:
    """A look counts once with all the time of Extended BASIC, as there, not for each column."""
    loop = "100 CALL KEY(0,K,S)::A=SIN(1)+COS(1)::IF S=0 THEN 100\n"
    program = Program.from_listing(loop)
    basic = Console()
    basic.load(program)
    assert basic.run(60) is RunEnd.KEYS
    compiled = CartridgeConsole(compile_program(program, "LOOP", pace=Pace.ALL).cartridge)
    compiled.choose()
    assert compiled.resume(60) is RunEnd.KEYS


PROMPT, HONK = ">\x1e", b"\x80\x20\x90"
ENDINGS = (
    'PRINT "GO"',
    'PRINT "GO"::CALL FOO',
    'PRINT "GO"::BREAK',
    'PRINT "GO"::X=1/0::X=A(20)',
    'ON WARNING STOP::PRINT "GO"::X=1/0',
)


def frames_to_the_prompt(console: AnyConsole) -> float:
    """Frames from a text to the prompt of a program's end."""
    return frames_between(console, "GO", PROMPT)


def frames_between(console: AnyConsole, *texts: str) -> float:
    """Frames from one text to another."""
    times = []
    for text in texts:
        assert console.run_until(text, seconds=60, look=1)
        times.append(console.clock.cycles / FRAME)
    return times[1] - times[0]


def begun(case: dict[str, Any]) -> tuple[AnyConsole, AnyConsole]:
    """Where a case's program begins in Extended BASIC, and compiled."""
    there = machine(case, disk(case))
    there.boot()
    here = CartridgeConsole(compiled_case(case, pace=Pace.ALL).cartridge)
    here.choose()
    return there, here


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_prompt_comes_as_late_as_in_extended_basic(ending: str) -> None:
    case: dict[str, Any] = {"source": [f"100 CALL CLEAR::{ending}"], "script": []}
    there, here = begun(case)
    assert abs(frames_to_the_prompt(there) - frames_to_the_prompt(here)) < 5


def test_keys_are_lost_while_the_tone_of_a_refused_one_sounds() -> None:
    """A tone waits for the end of the one before; a key that comes and goes meanwhile is lost."""
    case: dict[str, Any] = {
        "source": ["100 ACCEPT AT(1,1)VALIDATE(DIGIT):A$", "110 PRINT A$"],
        "script": [{"wait": 200}, {"type": "XXXXXXXXXXXXXXXX7\n"}, {"wait": 120}],
        "expect": {},
    }
    there = play_in_basic(case)
    here = play(case, compiled_case(case, pace=Pace.ALL))
    assert here.final.rows == there.final.rows
    assert here.sound.count(HONK) == there.sound.count(HONK)
    assert 5 < here.sound.count(HONK) < 16


def assert_as_long(source: list[str]) -> None:
    """A program takes from GO to END! what it takes in Extended BASIC."""
    case: dict[str, Any] = {"source": source, "script": []}
    there, here = begun(case)
    frames = [frames_between(console, "GO", "END!") for console in (there, here)]
    assert abs(frames[0] - frames[1]) < 3, frames


READS = (
    "110 FOR I=1 TO 90::READ A::NEXT I",
    "110 FOR I=1 TO 90::READ A$::NEXT I",
    "110 FOR I=1 TO 30::READ A,B,C::NEXT I::RESTORE::READ A",
    "110 FOR I=1 TO 9::RESTORE 300::READ A,B,C,A,B,C::NEXT I",
    "105 ON ERROR 130\n110 FOR I=1 TO 20::READ A$::NEXT I::RESTORE 230::READ A$,B$,C$",
)
DATA = "\n".join(f"{200 + 10 * n} DATA {n},{n + 1},{n + 2}\n{205 + 10 * n} REM" for n in range(30))


@pytest.mark.parametrize("reads", READS)
def test_the_next_data_is_looked_for_as_long_as_in_extended_basic(reads: str) -> None:
    source = f'100 PRINT "GO"\n{reads}\n120 PRINT "END!"\n130 END\n{DATA}'
    assert_as_long(source.splitlines())


TEXTS = (
    "A$=STR$(W)&STR$(K)",
    "PRINT K;W",
    "DISPLAY AT(1,1):W",
    "PRINT USING 80:W,1",
    "PRINT USING A$:W;",
    'A$=SEG$(L$,3,60)&SEG$("X"&L$,3,60)',
    'A=POS(L$,"BB",1)+POS("X"&L$,"D",1)',
    'A$=RPT$("AB",40)',
)


@pytest.mark.parametrize("statement", TEXTS)
def test_texts_are_made_and_shown_in_the_time_of_extended_basic(statement: str) -> None:
    source = f"""\
80 IMAGE "THE VALUE IS ###.##"
90 W=-123.456::K=40000::A$="###.##"::L$=RPT$("AB",40)
100 PRINT "GO"
110 FOR I=1 TO 20
120 {statement}
130 NEXT I
140 PRINT "END!"
"""
    assert_as_long(source.splitlines())


@pytest.mark.parametrize("length", ["-50", "L", "A(1)"])
def test_a_sound_that_stops_another_takes_the_time_of_that(length: str) -> None:
    sounds = f"L,A(1)=-50::FOR I=1 TO 40::CALL SOUND({length},440,2)::NEXT I"
    assert_as_long([f'100 PRINT "GO"::{sounds}::PRINT "END!"'])


@pytest.mark.parametrize("arguments", ['"",900', '"A",65536'])
def test_rpt_takes_no_time_for_what_is_beyond_255_characters(arguments: str) -> None:
    rows = ["90 ON ERROR 130::ON WARNING NEXT", '100 PRINT "GO"', f"110 A$=RPT$({arguments})"]
    here = CartridgeConsole(
        compiled_case(
            {"source": [*rows, '130 PRINT "END!"'], "script": []}, pace=Pace.ALL
        ).cartridge
    )
    here.choose()
    assert frames_between(here, "GO", "END!") < 60


SUMS = (
    "SQR(I+.5)+LOG(I)+TAN(I)",
    "EXP(I/7)+SIN(I)+COS(I)+ATN(I/5)+ATN(.1)+SIN(I-I)",
    "1.7^I+I^3+I^-2+N^N+A(1)^2+(-I)^3",
    "2^3+2^-3+1.5^3+2^2",
    "I^.5+(I-1)^1.5",
)


@pytest.mark.parametrize("terms", SUMS)
def test_functions_and_powers_take_their_time_in_which_no_interrupt_is_served(terms: str) -> None:
    rows = f"""\
100 N=2::A(1)=3.7::CALL SPRITE(#1,65,2,50,1,0,16)
110 PRINT "GO"::FOR I=1 TO 3::X={terms}::NEXT I
120 CALL POSITION(#1,R,C)::PRINT C::PRINT "END!"
"""
    case: dict[str, Any] = {"source": rows.splitlines(), "script": [{"until": {"text": "END!"}}]}
    there, here = begun(case)
    frames = [frames_between(console, "GO", "END!") for console in (there, here)]
    assert abs(frames[0] - frames[1]) < 2, frames
    columns = [int(shown(console.screen.rows)[-1]) for console in (there, here)]
    assert abs(columns[0] - columns[1]) < 3, columns
