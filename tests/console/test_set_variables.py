"""Variables from outside: names that are not there, and values that are set."""

from collections.abc import Iterable

import pytest

from ti99tools import Console, Program
from ti99tools.base.errors import SourceError, TIError, suggestion
from ti99tools.computer.console import variables as variables_of
from ti99tools.computer.console.variables import UnknownVariable, WrongValue
from ti99tools.computer.numbers.forms import parse_number

SOURCE = """
OPTION BASE 1
DIM BOARD(3,2),N$(3)
SCORE=1
NAME$="BOB"
DEF TWICE(X)=X*2
INPUT A
FOR I=1 TO 3
  SUM=SUM+BOARD(I,2)
NEXT I
PRINT SCORE;NAME$;SUM;TWICE(A)
"""


def waiting(source: str = SOURCE) -> Console:
    console = Console()
    console.load(Program.from_source(source))
    assert console.run() == "keys"
    return console


def test_the_program_goes_on_with_values_that_were_set() -> None:
    console = waiting()
    variables = console.variables
    variables["SCORE"], variables["NAME$"] = 7, "ANN"
    for row in (1, 2, 3):
        variables[f"BOARD({row},2)"] = row * 0.5
    console.type("4\n")
    assert console.resume() == "ready"
    assert console.screen.shows("7 ANN 3  8")


def test_numbers_are_those_of_the_machine() -> None:
    variables = waiting().variables
    for given, held in ((0.1, "0.1"), (10**20, "1e+20"), (-3, "-3"), (2.0, "2"), (1e-200, "0")):
        variables["A"] = given
        assert repr(variables["A"]) == held, given


def test_a_parameter_that_is_an_element_is_set_in_its_array() -> None:
    console = waiting("DIM A(3)\nCALL S(A(2))\nPRINT A(2)\nSUB S(X)\nINPUT B\nSUBEND\n")
    console.variables["X"] = 9
    assert console.variables["X"] == 9
    console.type("1\n")
    console.resume()
    assert console.variables["A(2)"] == 9


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SCORES", "no variable SCORES; did you mean SCORE?"),
        ("score", "no variable score; did you mean SCORE?"),
        ("NAME", "no variable NAME; did you mean NAME$?"),
        ("QQ", "no variable QQ; there are A, BOARD, I, N$, NAME$, SCORE, SUM"),
        ("BOARD", "BOARD is an array; write BOARD(1,1)"),
        ("BOARD(1)", "BOARD has 2 subscripts, not 1; correct the name"),
        ("BOARD(0,1)", "BOARD(0,1) is not in the array; subscripts go from 1 to 3 here"),
        ("SCORE(1)", "SCORE has no subscript, not 1; correct the name"),
        ("TWICE", "TWICE is a function of DEF; look at what it uses"),
    ],
)
def test_a_name_that_is_not_there_is_told_with_one_that_is(name: str, message: str) -> None:
    variables = waiting().variables
    with pytest.raises(UnknownVariable) as read:
        variables[name]
    with pytest.raises(KeyError) as written:
        variables[name] = 1
    assert str(read.value) == str(written.value) == message
    assert name not in variables
    assert isinstance(read.value, TIError)


def test_the_remedy_for_a_name_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def counted(name: str, known: Iterable[str], otherwise: str) -> str:
        looked.append(name)
        return suggestion(name, known, otherwise)

    monkeypatch.setattr(variables_of, "suggestion", counted)
    variables = waiting().variables
    for _ in range(3):
        with pytest.raises(UnknownVariable):
            variables["ELSEWHERE"]
    assert looked == ["ELSEWHERE"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("SCORE", "5", "SCORE holds numbers, not '5'; give a number"),
        ("SCORE", True, "SCORE holds numbers, not True; write -1 for true and 0 for false"),
        ("SCORE", None, "SCORE holds numbers, not None; give a number"),
        ("SCORE", float("nan"), "SCORE cannot be nan; give a number"),
        ("NAME$", 5, 'NAME$ holds texts, not 5; write "5"'),
        ("NAME$", "X" * 256, "NAME$ cannot hold 256 characters; give at most 255"),
        ("NAME$", "€", "the console has no €; use character codes up to 255"),
        ("I", 0.5, "I is counted by FOR and cannot be 0.5; set it to a whole number of the loop"),
        (
            "I",
            parse_number("1.5"),
            "I is counted by FOR and cannot be 1.5; set it to a whole number of the loop",
        ),
    ],
)
def test_a_value_that_a_variable_cannot_hold_is_told(
    name: str, value: object, message: str
) -> None:
    variables = waiting().variables
    before = variables[name]
    with pytest.raises(WrongValue) as caught:
        variables[name] = value  # type: ignore[assignment]
    assert str(caught.value) == message
    assert variables[name] == before


def test_before_any_run_there_is_none() -> None:
    with pytest.raises(
        UnknownVariable, match=r"no program has run, so there is no A; call run\(\)"
    ):
        Console().variables["A"]


def test_a_text_of_either_kind_is_a_program() -> None:
    listing = '100 PRINT "HI"\n'
    assert Program.from_source(listing) == Program.from_source('PRINT "HI"\n')
    assert Program.from_source("A=B", defines={"B": 3}).listing() == "100 A=3\n"
    with pytest.raises(SourceError, match=r"my\.xb:1:6: no label LOOP"):
        Program.from_source("GOTO loop\n", "my.xb")


def test_whether_there_is_one_is_told_as_reading_tells_it() -> None:
    console = Console()
    assert "B" not in console.variables
    listing = '100 DIM A(3)\n110 B=5\n120 DEF F(X)=X\n130 C$="X"\n140 STOP\n150 SUB S\n160 Q=1\n'
    console.load(Program.from_listing(listing + "170 SUBEND\n"))
    console.run()
    names = ("B", "C$", "A(1)", "A(9)", "A(1,1)", "A", "F", "Q", "X.Y", "")
    assert [name for name in names if name in console.variables] == ["B", "C$", "A(1)"]
    for name in ("A(9)", "A(1,1)", "A", "F", "Q", "X.Y", ""):
        with pytest.raises(UnknownVariable):
            console.variables[name]
    assert 5 not in console.variables  # type: ignore[comparison-overlap]
