"""Programs as byte code do what they do in Extended BASIC."""

from pathlib import Path

import pytest

from tests.compiler.bothforms import check
from tests.compiler.randomerrors import maker
from tests.compiler.randomprograms import Maker
from tests.compiler.test_compiled_programs import PROGRAMS
from ti99tools.app import compile
from ti99tools.compiler import linking
from ti99tools.compiler.compiling import ALL_SHORT, compile_program
from ti99tools.compiler.symbols import symbols_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.compiled import Symbols, bare_symbols
from ti99tools.computer.console.compiledbanks import NOWHERE, Spot
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
    check(maker(seed).program(), (seed % 2 == 1,), short=FORMS[seed % 2])


@pytest.mark.parametrize("name", ["control", "subs"])
def test_ways_between_both(name: str) -> None:
    check(PROGRAMS[name], (True,), short=MIXED)


@pytest.mark.slow
def test_many_random_programs() -> None:
    for seed in range(1000, 1300):
        check(Maker(seed).program(), (seed % 2 == 0,), short=FORMS[seed // 2 % 2])
        check(maker(seed).program(), (seed % 2 == 1,), short=FORMS[seed // 2 % 2])


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
