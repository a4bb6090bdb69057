"""Names in generated code: BASIC's are never taken for those of the machinery, and each block has a
file name of its own.
"""

from __future__ import annotations

from types import CodeType

from hypothesis import given
from hypothesis import strategies as some

from tests.interp.programs import run
from ti99tools import Program
from ti99tools.computer.console.workspace import compiler_of
from ti99tools.computer.interp.compile.units import python_name, python_of
from ti99tools.computer.numbers.forms import parse_number
from ti99tools.language.prescan.symbols import Symbol

NAMES = some.text("ABLINE019_@[]\\", min_size=1, max_size=12)


def test_names_that_look_like_ours() -> None:
    listing = """
100 LINE100=5::T1=2::RT=7::L110=1::XBERROR=3::A_S=8::A$="A"::A_A(1)=9::A(1)=4
110 PRINT LINE100+T1*2;RT*3;L110;XBERROR;A_S;A$;A_A(1);A(1)::GOTO 120
120 LINE120=LINE100+1
"""
    console = run(listing)
    assert "9  21  1  3  8 A 9  4" in console.screen.text
    assert console.variables["LINE120"] == 6


@given(some.lists(some.tuples(NAMES, some.booleans(), some.integers(0, 2)), unique=True))
def test_different_symbols_have_different_python_names(
    names: list[tuple[str, bool, int]],
) -> None:
    symbols = {
        python_of(Symbol(name + "$" * string, min(dimensions, 1)))
        for name, string, dimensions in names
    }
    assert len(symbols) == len({(name, string, min(d, 1)) for name, string, d in names})
    assert all(symbol.isidentifier() for symbol in symbols)


def test_every_character_of_a_name_counts() -> None:
    assert python_name("A@") != python_name("A[") != python_name("AX40")


LITERALS = ("1E-20", "1E+20", "1E20", ".5", "0.5", "1.5E-5", "1.5E+15", "1.5E15", "1E-05")


def test_constants_that_differ_in_signs_and_points_only() -> None:
    lines = [f"{100 + n} V({n})={text}" for n, text in enumerate(LITERALS)]
    console = run("\n".join(lines) + "\n")
    for n, text in enumerate(LITERALS):
        assert console.variables[f"V({n})"] == parse_number(text), text


def test_blocks_with_one_source_have_their_own_file_names() -> None:
    """An error leads from the file name to the unit, and so to the line of its own program."""
    units = []
    for last in ("PRINT 1", "PRINT 2"):
        text = f"100 CALL SOUND(100,110,B(2),B(3),4)::GOTO 200\n200 {last}\n"
        compiler = compiler_of(tuple(Program.from_listing(text).lines))
        units.append(compiler.unit(compiler.scan.main, (0, 0, 0)))
    one, other = units
    assert one.source == other.source
    assert one.code.co_filename != other.code.co_filename
    for unit in units:
        codes = [unit.code, *unit.makers.values()]
        codes += [c for code in codes for c in code.co_consts if isinstance(c, CodeType)]
        assert len(codes) > 3
        assert {code.co_filename for code in codes} == {unit.code.co_filename}


def test_a_quotient_within_a_subscript_has_the_names_of_one_dividend() -> None:
    console = run("100 DIM V(5)\n110 V(4)=9::V(2)=7::A=V(INT((Y+V(4))/4))\n")
    assert console.variables["A"] == 7
