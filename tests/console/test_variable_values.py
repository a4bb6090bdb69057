"""Values of variables in Python: numbers that are not whole, and those that are too large."""

import pytest

from ti99tools import Console, Program
from ti99tools.computer.console.variables import WrongValue
from ti99tools.computer.numbers.forms import parse_number


@pytest.fixture
def console() -> Console:
    console = Console()
    console.load(Program.from_listing("100 DIM B(2)::A=.5::B(1)=1/3::C=-1.25E20::INPUT N\n"))
    console.run()
    return console


def test_a_number_that_is_not_whole_is_a_float(console: Console) -> None:
    variables = console.variables
    assert variables["A"] == 0.5
    assert f"{variables['A']:.2f}" == "0.50"
    assert variables["B(1)"] == pytest.approx(1 / 3)
    assert repr(variables) == "{'A': 0.5, 'C': -1.25e+20, 'N': 0}"


@pytest.mark.parametrize(
    "value", [0.1, 1e-128, -9.9999999999999e127, 12345678901.234, 1 / 3, 2.5e-7]
)
def test_a_float_is_there_again_with_the_digits_of_the_machine(
    console: Console, value: float
) -> None:
    console.variables["A"] = value
    again = console.variables["A"]
    assert again == pytest.approx(value, rel=1e-12)
    console.variables["A"] = again
    assert console.variables["A"] == again
    number = parse_number(repr(again).upper())
    assert number == again
    assert again == number
    assert hash(number) == hash(again)


@pytest.mark.parametrize("value", [1e128, -1e200, 10**128, -(10**400)])
def test_a_number_beyond_those_of_the_machine_is_refused(console: Console, value: float) -> None:
    with pytest.raises(WrongValue, match=r"at most 9\.9999999999999e\+127"):
        console.variables["A"] = value
    assert console.variables["A"] == 0.5
