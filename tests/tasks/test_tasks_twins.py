"""SUBs and their twins in machine code: the same results on random arguments."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ti99tools.base.errors import TIError
from ti99tools.source.dialect import generate
from ti99tools.tasks.twins import Case, Harness, mismatches

LAMBO = Path(__file__).parents[2] / "xbasic" / "lambo"
DIMRAW = LAMBO.parent / "dimraw"
BEFORE = """CONST OTHERS=52, LIGHTS=742
DIM PG$(1483),LB$(99),GC$(741),SL(99),FT(103)"""
CALL = "CALL WEIGH(K,OC,BOTH,PG$(),LB$(),GC$(),SL(),FT(),V1,V2,V3)"
WANTED = ("V1", "V2", "V3")
HERE = 371
NEAR = (-55, -54, -28, -27, -1, 0, 1, 27, 28, 54, 55)


def worths() -> Case:
    """The table of worth, as tables.xb makes it."""
    table = {f"FT({n})": 1800 // n for n in range(3, 52)}
    table |= {f"FT({52 + n})": 1800 // n for n in range(3, 52)}
    return table | {
        "FT(0)": 1_000_000, "FT(52)": 4_000_000, "FT(1)": 3600, "FT(2)": 3600, "FT(53)": 60_000,
        "FT(54)": 60_000, "FT(3)": 1800, "FT(55)": 1800, "FT(4)": 720, "FT(56)": 720,
    }  # fmt: skip


def boards(seed: int, count: int) -> Iterator[Case]:
    """Surroundings of a cell with groups at its points: any, also such as no match comes to."""
    dice = random.Random(seed)
    for number in range(count):
        case: dict[str, int | float | str] = dict(worths()) if not number else {}
        case |= {"K": HERE, "OC": dice.randrange(2), "BOTH": dice.randrange(2)}
        cells = dice.sample(range(1, 151), len(NEAR))
        for place, cell in zip(NEAR, cells, strict=True):
            case[f"GC$({HERE + place})"] = chr(cell) if dice.random() < 0.7 else ""
        groups = dice.sample(range(1, 50), 4)
        for first in (0, 50):
            roots = [first + group for group in groups]
            for group in roots:
                libs = dice.sample(cells, dice.randint(1, len(cells)))
                libs += dice.sample(range(151, 250), dice.randint(0, 12))
                case[f"LB$({group})"] = "".join(map(chr, libs))
                case[f"SL({group})"] = 0 if dice.random() < 0.3 else dice.randrange(128, 6000)
            case[f"SL({roots[3]})"] = -roots[dice.randrange(3)]
            base, step = (HERE, 1) if not first else (HERE + 742, -1)
            for offset in (0, 27 * step, 28 * step):
                group = dice.choice(roots)
                case[f"PG$({base + offset})"] = chr(group) if dice.random() < 0.75 else ""
        yield case


def compared(seed: int, count: int) -> None:
    found = list(mismatches(LAMBO / "weigh.xb", BEFORE, CALL, boards(seed, count), WANTED))
    assert not found, found[0]


def test_weighing_in_lambo() -> None:
    compared(1, 150)


@pytest.mark.slow
def test_weighing_in_lambo_thousands_of_times() -> None:
    compared(2, 5000)


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
    call = "CALL BOARD(OP,P,RA,RB,B(),F,T,N,J,H$)"
    for operation, wanted in ((1, "N J H$"), (2, "F T"), (3, "F T"), (4, "H$")):
        cases = [case for case in given if case["OP"] == operation]
        before = 'DIM B(19)\nOP,P,RA,RB,F,T,N,J=0\nH$=""'
        found = list(mismatches(DIMRAW / "board.xb", before, call, cases, wanted.split()))
        assert not found, found[0]


def test_the_board_of_dimraw() -> None:
    compared_men(1, 100)


@pytest.mark.slow
def test_the_board_of_dimraw_thousands_of_times() -> None:
    compared_men(2, 4000)


def test_the_twin_is_faster() -> None:
    cases = list(boards(3, 20))
    times = []
    for native in (False, True):
        harness = Harness(LAMBO / "weigh.xb", BEFORE, CALL, native=native)
        for case in cases:
            harness.run(case, WANTED)
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
    made = [
        generate(text, native=lambda _: "CALL INIT::CALL LOAD(8196,0)").text
        for text in (source, source.replace("CALL INIT\n", ""))
    ]
    assert made[0].index('PRINT"A"') < made[0].index("CALL LOAD(8196,0)") < made[0].index('"GO"')
    assert made[0].count("CALL INIT") == 1
    assert made[1].index("CALL LOAD(8196,0)") < made[1].index('PRINT"A"')
