"""The records of built-in subprograms and their implementations: each has the other."""

from __future__ import annotations

import pytest

from tests.interp.subcalls import EVERY, Console, Sprite, Var
from ti99tools import Console as BasicConsole
from ti99tools import Program
from ti99tools.base.cycles.language import BUILT_IN, BUILT_IN_LIKELY, BUILT_IN_MEASURED
from ti99tools.computer.console.profiling import profiling
from ti99tools.computer.interp.compile.outline import int_ranges
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.computer.interp.subprograms import SUBPROGRAMS as IMPLEMENTED
from ti99tools.language.listing.builtins import ALL, SPRITE, SUBPROGRAMS, Argument
from ti99tools.language.listing.tokenize import tokenize_line


def test_each_record_has_an_implementation_and_each_implementation_a_record() -> None:
    assert IMPLEMENTED.keys() == SUBPROGRAMS.keys()


def test_every_record_has_one_time_measured_or_estimated() -> None:
    assert BUILT_IN.keys() == SUBPROGRAMS.keys()
    assert not BUILT_IN_MEASURED.keys() & BUILT_IN_LIKELY.keys()


FORMS = [
    pytest.param(record.name, list(form.arguments(kinds)), id=f"{record.name}({form.text})-{kinds}")
    for record in SUBPROGRAMS.values()
    for form in record.forms
    for kinds in ("", "vvvvvv", "hvvvvvvhvvvvvv")
    if not kinds or form.text.startswith("#") == kinds.startswith("h")
]


def argument(meant: Argument) -> object:
    if meant.kind == ALL:
        return EVERY
    if meant.kind == SPRITE:
        return Sprite(1)
    value = meant.values[-1][0] if meant.values else 33
    return Var("X$", "ABCD") if meant.string else Var("X", value)


@pytest.mark.parametrize(("name", "meant"), FORMS)
def test_the_console_takes_and_stores_what_the_record_says(
    name: str, meant: list[Argument]
) -> None:
    kinds = "".join(each.kind for each in meant)
    given = [argument(each) for each in meant]
    assert SUBPROGRAMS[name].takes(kinds)
    assert Console().call(name, *given) is None
    stored = [isinstance(each, Var) and bool(each.history) for each in given]
    assert stored == SUBPROGRAMS[name].stored(kinds)


def listing(*lines: str) -> Listing:
    return Listing([tokenize_line(line) for line in lines])


def test_a_loop_variable_that_a_subprogram_only_takes_stays_whole() -> None:
    loop = ("10 FOR I=1 TO 9", "20 CALL HCHAR(I,I,42)", "30 NEXT I")
    assert "I" in int_ranges(listing(*loop))
    later = listing("10 PRINT I", "20 FOR I=5 TO 9", "30 NEXT I")
    assert int_ranges(later)["I"][0] == 0, "it is 0 before its loop"
    assert "I" not in int_ranges(listing(*loop, "40 CALL KEY(0,K,I)"))
    assert "I" in int_ranges(listing(*loop, "40 CALL KEY(I,K,S)"))


def test_a_sub_that_hides_a_built_in_one_may_store_into_its_arguments() -> None:
    own = ("40 SUB HCHAR(A,B,C)", "50 A=A+.5", "60 SUBEND")
    loop = ("10 FOR I=1 TO 9", "20 CALL HCHAR(I,I,42)", "30 NEXT I")
    assert "I" not in int_ranges(listing(*loop, *own))


def cost(text: str, *lines: str) -> int:
    console = BasicConsole()
    console.load(Program.from_listing("\n".join((f"10 {text}", "20 END", *lines)) + "\n"))
    console.start()
    with profiling(console) as profile:
        assert console.resume() == "ready"
    return next(cycles for number, cycles, _ in profile.by_line() if number == 10)


def test_time_grows_with_cells_and_digits() -> None:
    for call in ("HCHAR", "VCHAR"):
        cells = [cost(f"N={count} :: CALL {call}(1,1,42,N)") for count in (11, 21, 31)]
        assert 30_000 < cells[1] - cells[0] == cells[2] - cells[1] < 50_000


def test_the_time_of_char_is_that_of_its_digits_be_they_constant_or_not() -> None:
    """As measured: 15 digits more than 1, the 17th, and the place of the digits."""
    for make in ('CALL CHAR(96,"{}")', 'A$="{}" :: CALL CHAR(96,A$)'):
        one, most, next_one = (cost(make.format(("A5" * 9)[:n])) for n in (1, 15, 17))
        assert most - one == pytest.approx(21_399, rel=0.05)
        assert next_one - most == pytest.approx(204_215, rel=0.01)


def test_char_takes_its_time_for_each_pair() -> None:
    pair = '9{},"A5A5A5A5A5A5A5A5"'
    one, three = (cost(f"CALL CHAR({','.join(map(pair.format, range(n)))})") for n in (1, 3))
    assert three - one == pytest.approx(2 * 244_950, rel=0.004)


def test_a_call_that_is_refused_has_not_the_time_of_its_work() -> None:
    refused = cost("ON ERROR 20 :: CALL CHARSET(1)")
    assert refused < cost("ON ERROR 20 :: CALL CHARSET") - 400_000


def test_a_sub_of_the_program_has_not_the_time_of_the_built_in_one() -> None:
    own = ("30 SUB {}", "40 SUBEND")
    clear, other = (
        cost(f"CALL {name}", *(line.format(name) for line in own)) for name in ("CLEAR", "MYOWN")
    )
    assert clear == other < cost("CALL CLEAR")
