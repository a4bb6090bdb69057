"""Programs as byte code do what they do in Extended BASIC."""

import re
from pathlib import Path
from random import Random

import pytest

from tests.compiler.bothforms import check
from tests.compiler.randomerrors import maker
from tests.compiler.randomprograms import Maker
from tests.compiler.test_compiled_programs import PROGRAMS
from ti99tools.app import compile
from ti99tools.compiler import linking
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.compiler.kinds import CHARACTER, TEXT
from ti99tools.compiler.short.bytecode import Video
from ti99tools.compiler.symbols import symbols_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.compiled import Symbols, bare_symbols
from ti99tools.computer.console.compiledmemory import NOWHERE, Spot
from ti99tools.computer.console.following import Follower
from ti99tools.language.program.program import Program

pytestmark = pytest.mark.long

MIXED = 1
"""Loops stay native."""
FORMS = (ALL_SHORT, MIXED)


@pytest.mark.parametrize("seed", range(2))
def test_random_programs(seed: int) -> None:
    check(Maker(seed).program(), (seed % 2 == 0,), short=FORMS[seed % 2])


@pytest.mark.parametrize("seed", range(2))
def test_random_programs_with_errors(seed: int) -> None:
    check(maker(seed).program(), (seed % 2 == 1,), short=FORMS[seed % 2], video=Video(seed))


@pytest.mark.parametrize("name", ["control", "subs"])
def test_ways_between_both(name: str) -> None:
    check(PROGRAMS[name], (True,), short=MIXED)


@pytest.mark.slow
def test_many_random_programs() -> None:
    for seed in range(1000, 1300):
        form, video = FORMS[seed // 2 % 2], Video(seed % len(Video))
        check(Maker(seed).program(), (seed % 2 == 0,), short=form, video=video)
        check(maker(seed).program(), (seed % 2 == 1,), short=form, video=video)
        check(without_next(maker(seed).program(), seed), (True,), short=(0, form)[seed % 2])


def without_next(listing: str, seed: int) -> str:
    """A program of `maker` that has no RETURN NEXT: its tables need not say where that goes on."""
    numbers = [row.split()[0] for row in listing.splitlines()]
    ways = Random(seed)
    within = [number for number in numbers if 110 <= int(number) < 890]
    return re.sub("RETURN NEXT", lambda _: f"RETURN {ways.choice(within)}", listing)


IN_A_DEF = """\
100 ON ERROR 200
110 DEF G(X)=LOG(X)
120 A=G(B)
130 PRINT "NO"::END
200 CALL ERR(A,B,C,D)::PRINT A;D::RETURN 210
210 PRINT "END"
"""


def test_an_error_in_a_def_at_the_beginning_of_a_statement_is_of_its_line() -> None:
    check(IN_A_DEF, (False,), short=ALL_SHORT)


def test_a_statement_without_code_may_be_the_last() -> None:
    check("100 DEF A(X)=A(X)\n110 PRINT A(1)\n", (True,), short=ALL_SHORT)


def test_on_error_where_nothing_can_fail() -> None:
    check('100 ON ERROR 120::PRINT "OK"\n110 END\n120 PRINT "NO"\n', (True,), short=ALL_SHORT)


WITHOUT_RETURN_NEXT = """\
100 ON ERROR 200
110 DATA 5,X,7,1E200
120 FOR I=1 TO 4::IF I>1 THEN READ A ELSE READ A,A$::PRINT A$
130 PRINT A::NEXT I
140 CALL S(A)::PRINT "BACK";A
150 A=LOG(A-9)::END
200 CALL ERR(A,B,C,D)::PRINT A;D::IF D=150 THEN RETURN 220
210 IF D>800 THEN A=A+1::Q=1::RETURN ELSE ON ERROR 200::RETURN 130
220 PRINT "END"
800 SUB S(A)::ON ERROR 200::IF Q THEN A=4 ELSE A=SQR(-A)
810 SUBEND
"""


def test_errors_without_return_next() -> None:
    check(WITHOUT_RETURN_NEXT, short=ALL_SHORT)
    check(WITHOUT_RETURN_NEXT, (False,))


VIDEO = """\
100 DIM A$(3),N(4)
110 DATA "QUOTED",PLAIN,3,,5E3,X,"",-1.5
120 READ A$(0),A$(1),N(0),A$(2),N(1),A$(3)
130 A$(2)="QUOTED"::IF A$(2)=A$(0) THEN PRINT A$(0)&" "&A$(1);N(0);N(1):A$(3);"*"
140 READ B$,N(2)::PRINT LEN(B$);N(2)::RESTORE 110::READ B$,C$::B$=B$&C$
150 CALL CHAR(65,"FF81818181FF",66,"")::CALL CHARPAT(65,C$)::PRINT C$
160 D$="TEXT"::E$=D$::D$="LONG"::PRINT D$;E$;SEG$("SEGMENT",2,3);POS("POSITION","I",2)
170 FOR I=1 TO 90::E$=RPT$("AB",I)&D$::F$=E$::NEXT I::PRINT LEN(E$);F$=E$;ASC("Z")
180 PRINT USING "##.# OF ####":1.5,B$::DISPLAY AT(1,1):"SHOWN";"TWICE";"SHOWN"
190 CALL T(D$,"GIVEN")::PRINT D$::READ N(3)
200 SUB T(A$,B$)::A$=B$&A$::SUBEND
"""


@pytest.mark.parametrize("video", Video)
def test_texts_and_data_in_video_memory(video: Video) -> None:
    check(VIDEO, short=ALL_SHORT, video=video)


CHARACTERS = """\
100 DIM A$(5),B$(3)
110 FOR I=0 TO 5::A$(I)=CHR$(65+I)::NEXT I
120 A$(2)=""::A$(3)="*"::IF A$(2)="" AND A$(3)="*" THEN PRINT A$(0);A$(1);A$(5);LEN(A$(2))
130 FOR I=3 TO 4::PRINT ASC(A$(I));A$(0)&A$(I);POS("XBE*",A$(I),1);SEG$(A$(I),1,1)::NEXT I
140 C$=A$(5)::CALL S(A$(),(A$(1)))::PRINT C$;A$(1);A$(0)<A$(1);A$(4)=A$(4);A$(2)<A$(2)
150 B$(1)=A$(0)::A$(0)=""::A$(1),B$(2),A$(2)=""::PRINT B$(1);A$(0);B$(2);RPT$(A$(4),3)
160 CALL HCHAR(9,9,ASC(A$(5)))::A$(0)=CHR$(0)::PRINT LEN(A$(0));ASC(A$(0))
800 SUB S(X$(),Y$)::PRINT X$(1);Y$::X$(1)="Q"::SUBEND
"""


def test_arrays_of_single_characters() -> None:
    check(CHARACTERS, short=ALL_SHORT)
    made = compile_program(Program.from_listing(CHARACTERS), short=ALL_SHORT)
    assert [made.kinds.array(name) for name in ("A$", "B$")] == [CHARACTER, TEXT]


LINES = """\
100 A=A+1.5
110 GOSUB 140
120 IF A<4 THEN 100
130 PRINT A::END
140 B=A
150 RETURN
"""


def test_statements_are_followed() -> None:
    assert entered(ALL_SHORT) == entered(0)
    assert [line for line, _ in entered(ALL_SHORT)[:6]] == [100, 110, 140, 150, 120, 100]


def entered(short: int) -> list[Spot]:
    """The statements that are entered, found by the cartridge's own table."""
    program = compile_program(Program.from_listing(LINES), short=short)
    console = CartridgeConsole(program.cartridge)
    found: list[Spot] = []
    Follower(console.engine, None, found.append)
    console.choose()
    console.resume(5)
    symbols = bare_symbols(console.engine.bus, console.machine.vdp.ram)
    assert isinstance(symbols, Symbols)
    assert bool(symbols.fetches) is bool(short)
    return [spot for spot in found if spot != NOWHERE]


LONG = "\n".join([
    "10 B=2::C=6::DIM A(10)",
    *(f"{100 + n} A({n % 7})=B*{n % 9}.5+A(C-{n % 5})-SQR(D+{n % 3})" for n in range(60)),
]) + "\n"  # fmt: skip


def sizes(program: Program) -> list[int]:
    """The bytes of a program without byte code, and as byte code."""
    return [len(compile_program(program, short=short).linked.image) for short in (0, ALL_SHORT)]


def test_a_program_that_does_not_fit_becomes_byte_code(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program.from_listing(LONG)
    native, short = sizes(program)
    assert short < 0.7 * native
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + short)
    assert "bytes.a99" in compile_program(program, banks=False).linked.parts
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + native // 2)
    assert compile_program(program).linked.banks
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + short - 2)
    missing = "2 bytes are missing; the largest parts: main program"
    with pytest.raises(linking.TooLarge, match=missing):
        compile_program(program, banks=False)


def test_the_source_of_a_cartridge_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.xb"
    path.write_text(LONG)
    native, _ = sizes(Program.from_listing(LONG))
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + native // 2)
    made = compile.compiled(str(path), None, True, banks=False)
    again = compile.compiled_again(str(path), made.cartridge)
    assert again is not None
    symbols = symbols_of(again[1], Program.from_listing(LONG))
    assert symbols.fetches == made.linked.assembled.address_of("VMOP")
