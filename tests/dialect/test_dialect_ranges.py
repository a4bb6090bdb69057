"""RANGE: told of the source, held against the run, and what is refused."""

import pytest

from ti99tools.base.errors import SourceError, TIError
from ti99tools.computer.console.session import Console
from ti99tools.language.dialect import generate
from ti99tools.language.program.program import Program

SOURCE = """\
RANGE N=1 TO 24, T()=-5 TO 5
DIM T(9)
READ N
DATA {first}
T(3)=N-{less}
FOR I=1 TO 3
  CALL S(I)
NEXT I
SUB S(A)
  RANGE N=0 TO {most}
  N=A*2
SUBEND
"""


def run(first: str = "24", less: str = "20", most: str = "6") -> None:
    text = SOURCE.format(first=first, less=less, most=most)
    console = Console()
    console.load(Program.from_source(text, "game.xb"))
    assert console.run() == "ready"


def test_values_within_their_ranges() -> None:
    run()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"first": "25"}, "N gets 25 in line 100, its RANGE is 1 TO 24"),
        ({"first": "1.5"}, "N gets 1.5"),
        ({"less": "18"}, "T gets 6"),
        ({"most": "5"}, "N gets 6"),
    ],
)
def test_values_outside(values: dict[str, str], message: str) -> None:
    with pytest.raises(TIError, match=message) as caught:
        run(**values)
    assert caught.value.place.file == "game.xb"


PASSED = """\
RANGE N=0 TO 6, T()=0 TO 4
DIM T(2)::A=1.5::N=2::T(1)=1
CALL {call}
SUB ONE(X)
  RANGE X=1 TO 3
  Z=X
SUBEND
SUB TIMES(Y,Z)
  Y=Y*Z
SUBEND
"""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("ONE(2)", ""),
        ("ONE(N)", ""),
        ("ONE(5)", "X gets 5 in line 100, its RANGE is 1 TO 3"),
        ("ONE(A)", "X gets 1.5 in line 100"),
        ("TIMES(N,3)", ""),
        ("TIMES(N,4)", "N gets 8 in line 120, its RANGE is 0 TO 6"),
        ("TIMES(T(1),5)", "T gets 5 in line 120"),
    ],
)
def test_what_is_passed_and_what_comes_back(call: str, message: str) -> None:
    console = Console()
    console.load(Program.from_source(PASSED.format(call=call), "game.xb"))
    if not message:
        assert console.run() == "ready"
        return
    with pytest.raises(TIError, match=message):
        console.run()


@pytest.mark.parametrize(
    "loop",
    [
        "FOR N=1 TO 5\nA=A+1\nNEXT N\n",
        "FOR N=-1 TO -9 STEP -2\nA=A+1\nNEXT N\n",
        "FOR N=1 TO 5\nIF N>9 THEN skip\nA=A+1\nGOSUB other\nskip: NEXT N\nEND\nother: RETURN\n",
        "FOR N=1 TO 5\nA=A+1\nGOTO far\nfar: NEXT N\n",
    ],
)
def test_a_round_outside_is_found(loop: str) -> None:
    console = Console()
    console.load(Program.from_source("RANGE N=-3 TO 3\n" + loop, "game.xb"))
    with pytest.raises(TIError, match=r"N gets (4|-5) in line 1.0, its RANGE is -3 TO 3"):
        console.run()
    assert console.variables["A"] in (2, 3)
    console = Console()
    console.load(Program.from_source(f"RANGE N=-9 TO 5\n{loop}", "game.xb"))
    assert console.run() == "ready", "a loop may leave its variable outside"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("RANGE N", "1:7: RANGE without a name and its values"),
        ("RANGE N=1", "1:7: RANGE without a name and its values"),
        ("RANGE N$=1 TO 2", "1:7: RANGE of N\\$, whose values are texts"),
        ("RANGE N=1.5 TO 2", "1:9: RANGE of N without a whole number"),
        ("RANGE N=1 TO 3000000000", "1:14: RANGE of N beyond -2147483647 to 2147483647"),
        ("RANGE N=1 TO 4,M=1 TO 2,N=0 TO 3", "1:25: N has a RANGE at game.xb:1:7 already"),
        ("RANGE N=A TO 4", "1:9: RANGE of N without a whole number"),
    ],
)
def test_refused(line: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        generate(line + "\nPRINT 1\n", "game.xb")


def test_names_of_a_proc_and_variables_called_range() -> None:
    generated = generate("RANGE=5\nCALL P(1)\nPROC P(N)\nRANGE N=1 TO 3\nPRINT N\nEND PROC\n")
    assert generated.text.startswith("100 RANGE=5::")
    assert [(message.scope, message.name) for message in generated.sourcemap.ranges] == [
        ("", "N_1")
    ]
