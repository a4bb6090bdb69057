"""SUBs and their twins in machine code: the same results on random arguments."""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ti99tools.app.twin_proof import Case, Harness, mismatches
from ti99tools.base.errors import TIError
from ti99tools.language.dialect import generate

pytestmark = pytest.mark.long

LAMBO = Path(__file__).parents[2] / "xbasic" / "lambo"
DIMRAW = LAMBO.parent / "dimraw"
TILES = 'CONST STARTCELL=371, BAD=-500000, WHIM=3000\nOP,K,O,F=0\nC$=""'
TILE = "CALL BOARD(OP,K,O,F,C$)"
STARTED, TRIED, CHOSEN, ALLOWED, UNDONE, NEARLY, LARGEST, SHOWN = range(1, 9)
MEN = 'DIM B(19)\nOP,P,RA,RB,F,T,N,J=0\nH$=""'
MAN = "CALL BOARD(OP,P,RA,RB,B(),F,T,N,J,H$)"


def lambo(native: bool) -> Harness:
    return Harness(LAMBO / "board.xb", TILES, TILE, native=native)


def whole(value: object) -> int:
    return int(float(str(value)))


def compared_matches(seed: int, count: int) -> int:
    """Play matches of Lambo on both, any tiles; how many calls were compared."""
    dice, both, calls = random.Random(seed), (lambo(False), lambo(True)), 0
    for _ in range(count):
        adjacent, tiles, stage, wins = dice.randrange(2), 1, 0, 0
        operation, cell, turn = STARTED, dice.randrange(6075), adjacent
        near = [371]
        while tiles < 48:
            case = {"OP": operation, "K": cell, "O": turn, "F": stage}
            found = [harness.run(case, ("K", "O", "F", "C$")) for harness in both]
            assert found[0] == found[1], case
            calls += 1
            if operation in (TRIED, CHOSEN) and whole(found[0][2]) >= 0:
                tiles += 1
                near.append(whole(found[0][0]))
                wins = whole(found[0][2])
            elif operation == UNDONE:
                tiles -= 1
                near.pop()
            if wins and operation == SHOWN:
                break
            kinds = (TRIED,) * 4 + (CHOSEN,) * 3 + (ALLOWED, UNDONE, NEARLY, LARGEST)
            operation = dice.choice(kinds) if not wins else SHOWN
            if operation == UNDONE and tiles == 1:
                operation = CHOSEN
            cell = dice.choice(near[-6:]) + dice.choice((-28, -27, -1, 1, 27, 28))
            cell, turn = max(29, min(cell, 713)), dice.randint(1, 3)
            stage = dice.randrange(3) if tiles > 1 else 0
            if operation == CHOSEN:
                cell, turn = dice.randint(1, 2), dice.randint(1, 2)
                stage *= stage != 1 or not adjacent
            elif operation == SHOWN:
                cell = wins // 100 or wins % 100
    return calls


def test_the_board_of_lambo() -> None:
    assert compared_matches(1, 3) > 50
    assert compared_matches(2, 1) > 25


@pytest.mark.slow
def test_the_board_of_lambo_thousands_of_times() -> None:
    assert compared_matches(2, 150) > 3000


def men(seed: int, count: int) -> Iterator[Case]:
    """Boards of Dimraw of any filling, and an operation on each."""
    dice = random.Random(seed)
    for _ in range(count):
        full = dice.random()
        board = [dice.choice((1, 2)) if dice.random() < full else 0 for _ in range(20)]
        side, operation = dice.choice((1, 2)), dice.choice((1, 2, 3, 3, 4))
        start, target = dice.randrange(21), dice.randrange(20)
        if operation == 1:
            board[target] = side
            if start < 20:
                board[start] = 0 if start != target else side
        if operation == 4 and start < 20:
            board[start] = side
        case: dict[str, int | float | str] = {f"B({n})": man for n, man in enumerate(board)}
        case |= {"OP": operation, "P": side, "F": start, "T": target, "N": dice.randrange(4)}
        yield case | {"RA": dice.randrange(2), "RB": dice.randrange(2), "J": dice.randrange(6075)}


def compared_men(seed: int, count: int) -> None:
    given = list(men(seed, count))
    for operation in (1, 2, 3, 4):
        cases = [case for case in given if case["OP"] == operation]
        wanted = ("P", "RA", "RB", "F", "T", "N", "J", "H$", "B(0)", "B(19)")
        found = list(mismatches(DIMRAW / "board.xb", MEN, MAN, cases, wanted))
        assert not found, found[0]


def test_the_board_of_dimraw() -> None:
    compared_men(1, 100)


@pytest.mark.slow
def test_the_board_of_dimraw_thousands_of_times() -> None:
    compared_men(2, 4000)


def test_the_joystick_of_dimraw() -> None:
    both = [Harness(DIMRAW / "stick.xb", "X=0", "CALL STICK(X)", native=n) for n in (False, True)]
    for x, y, fire in itertools.product((-4, 0, 4), (-4, 0, 4), (False, True)):
        found = []
        for harness in both:
            harness.joystick(x, y, fire)
            found.append(harness.run({"X": 5}, ("X",)))
        assert found[0] == found[1], (x, y, fire)


def test_the_twin_is_faster() -> None:
    cases = [case for case in men(3, 60) if case["OP"] in (2, 3)]
    times = []
    for native in (False, True):
        harness = Harness(DIMRAW / "board.xb", MEN, MAN, native=native)
        for case in cases:
            harness.run(case, ("F", "T"))
        times.append(harness.seconds)
    assert times[1] < times[0] / 3


def test_a_twin_that_differs_is_found(tmp_path: Path) -> None:
    (tmp_path / "twice.xb").write_text('SUB TWICE(A,B) ASM "twice.a99"\n  B=2*A\nSUBEND\n')
    code = """NUMREF EQU >200C
NUMASG EQU >2008
XMLLNK EQU >2018
       DEF  TWICE
TWICE  MOV  R11,R9
       CLR  R0
       LI   R1,1
       BLWP @NUMREF
       BLWP @XMLLNK
       DATA >12B8
       SLA  @>834A,1
       BLWP @XMLLNK
       DATA >0020
       CLR  R0
       LI   R1,2
       BLWP @NUMASG
       B    *R9
       END
"""
    code = code.replace("SLA  @>834A,1", "A    @>834A,@>834A")
    (tmp_path / "twice.a99").write_text(code)
    cases = [{"A": value, "B": 0} for value in (1, -5, 16_000, 20_000)]
    found = list(mismatches(tmp_path / "twice.xb", "B=0", "CALL TWICE(A,B)", cases, ("B",)))
    assert [(m.basic, m.native) for m in found] == [((40_000,), (-25_536,))]


def test_twins_that_cannot_be(tmp_path: Path) -> None:
    source = tmp_path / "x.xb"
    code = tmp_path / "x.a99"
    code.write_text("       DEF  OTHER\nOTHER  B    *R11\n       END\n")
    for sub, problem in (
        ('SUB GO ASM "x.a99"\nSUBEND\n', "does not define GO"),
        ('SUB GO ASM "../x.a99"\nSUBEND\n', "outside the game's folder"),
        ('SUB GO ASM "none.a99"\nSUBEND\n', "none.a99"),
        ('SUB TOOLONG ASM "x.a99"\nSUBEND\n', "more than 6 letters"),
        ("SUB GO\nSUBEND\n", "has no SUB with a twin"),
    ):
        source.write_text(sub)
        with pytest.raises(TIError, match=problem):
            Harness(source, "A=0", "CALL GO" if "GO" in sub else "CALL TOOLONG", native=True)


def test_the_names_are_entered_where_the_program_has_its_init() -> None:
    source = 'PRINT "A"\nCALL INIT\nCALL GO\nEND\nSUB GO ASM "go.a99"\nSUBEND\n'
    listings = [
        generate(text, native=lambda _: "CALL INIT::CALL LOAD(8196,0)").text
        for text in (source, source.replace("CALL INIT\n", ""))
    ]
    assert (
        listings[0].index('PRINT"A"')
        < listings[0].index("CALL LOAD(8196,0)")
        < listings[0].index('"GO"')
    )
    assert listings[0].count("CALL INIT") == 1
    assert listings[1].index("CALL LOAD(8196,0)") < listings[1].index('PRINT"A"')


def test_a_twin_called_before_the_names_are_entered_is_told() -> None:
    def generated(program: str) -> str:
        source = program + 'END\nSUB GO ASM "go.a99"\nSUBEND\n'
        return generate(source, "go.xb", native=lambda _: "CALL INIT::CALL LOAD(8196,0)").text

    with pytest.raises(TIError, match="CALL GO comes before CALL INIT") as caught:
        generated('PRINT "A"\nIF A THEN\n  CALL GO\nEND IF\nCALL INIT\nCALL GO\n')
    assert caught.value.place.line == 3
    assert "put CALL INIT first" in str(caught.value.remedy)
    assert generated("GOTO BEGIN\nAGAIN:\nCALL GO\nEND\nBEGIN:\nCALL INIT\nGOTO AGAIN\n")
