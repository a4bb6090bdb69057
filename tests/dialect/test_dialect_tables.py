"""Constant tables: every value is found again in each form, and the smallest form is taken."""

import random

import pytest

from tests.dialect.dialectrun import mistakes, printed_rows
from ti99tools.language.dialect import generate


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("uses", [1, 3, 9])
@pytest.mark.parametrize("where", ["main", "sub"])
def test_every_value_is_found(seed: int, uses: int, where: str) -> None:
    """A program adds up all differences between a table and its values, asked for in turn."""
    rng = random.Random(seed)
    top = rng.choice((3, 60, 126, 999, 30000))
    low = rng.choice((0, -top, 40))
    count = rng.randint(1, 9)
    values = [rng.randint(min(low, top), top) for _ in range(count)]
    first = rng.choice((0, 1))
    bounds = f"0 TO {count - 1}" if first == 0 else ""
    given = ",".join(map(str, values))
    asked = "".join(
        f"  IF T(I{'' if use % 2 else '+0'})<>V(I) THEN PRINT {use}\n" for use in range(uses)
    )
    loop = (
        f"DIM V(9)\nRESTORE own\nFOR I={first} TO {first + count - 1}\nREAD V(I)\n{asked}NEXT I\n"
    )
    data = f'PRINT "DONE"\nown: DATA {given}\n'
    head = f"CONST T({bounds})={given}\n"
    if where == "main":
        assert printed_rows(head + loop + data) == ["DONE"]
        return
    calls = "".join(f"CALL S({first + i},{value})\n" for i, value in enumerate(values))
    asked = asked.replace("V(I)", "W")
    assert printed_rows(f'{head}{calls}PRINT "DONE"\nSUB S(I,W)\n{asked}SUBEND\n') == ["DONE"]


def test_a_constant_index_gives_the_value() -> None:
    source = 'CONST N=2, T()=5,N*4,7\nCONST D$()="MON","TUE"\nPRINT T(N);T(1+2);D$(1)\n'
    assert generate(source).text == '100 PRINT 8;7;"MON"\n'


def test_few_uses_take_a_text_and_many_an_array() -> None:
    numbers = "CONST T()=1000,2,30,4,5000\n"
    once = generate(numbers + "PRINT T(I)\n").text
    assert once == '100 PRINT VAL(SEG$("1000   2  30   45000",I*4-3,4))\n'
    often = generate(numbers + "PRINT " + ";".join(["T(I)"] * 9) + "\n" + "A=T(J)\n" * 9).text
    assert "DATA 1000,2,30,4,5000" in often
    assert "T(I);T(I)" in often
    assert len(often.encode()) < 400


def test_a_text_used_again_is_kept() -> None:
    values = ",".join(str(i * 7 % 90) for i in range(50))
    text = generate(f"CONST T()={values}\nA=T(I)\nB=T(J)\nC=T(K)\n").text
    assert text.count("_T$") == 4
    assert "DATA" not in text


def test_own_data_are_read_as_without_a_table() -> None:
    source = """
    CONST T$()="ONE","THREE","FIFTEEN"
    READ A$
    RESTORE
    READ B$
    FOR I=1 TO 3
      PRINT T$(I);A$;B$
    NEXT I
    DATA OWN
    """
    assert printed_rows(source) == ["ONEOWNOWN", "THREEOWNOWN", "FIFTEENOWNOWN"]


def test_tables_go_through_tables_and_procs() -> None:
    source = """
    CONST NEXT_ONE()=3,1,2
    CONST NM$()="A","B","C"
    FOR I=1 TO 3
      IF NEXT_ONE(I)=1 THEN CALL SHOW(NEXT_ONE(NEXT_ONE(I)))
    NEXT I
    PROC SHOW(N)
      PRINT NM$(N)
    END PROC
    """
    assert printed_rows(source) == ["C"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("CONST T()=1,2\nPRINT T(3)\n", "2:7: T(3) is not in the table; it has T(1) to T(2)"),
        ("CONST T()=1,2\nPRINT T(0)\n", "2:7: T(0) is not in the table"),
        ("CONST T()=1,2\nPRINT T\n", "2:7: T is a table; write T(1)"),
        ("CONST T(3)=1,2\n", "1:9: a table without TO; write T() for 1 to 2, or T(0 TO 1)"),
        ("CONST T(0 TO 5)=1,2\n", "1:9: T has 2 values; write T()"),
        ("CONST T(3 TO 4)=1,2\n", "1:9: a table that does not begin at 0 or 1"),
        ('CONST T()=1,"A"\n', "1:13: T gets a value of the other type"),
        ("CONST T()=1,A\n", "no constant value at A"),
        ("CONST T=1\nCONST T()=1,2\n", "2:7: the constant T has a value already"),
        ("A=T(1)\nCONST T()=1,2\n", "2:7: the constant T is used before"),
        ("CONST T()=1,2\nT(1)=4\n", "2:1: T is a table: its values do not change"),
        (
            'CONST T$()="A","BC"\nCALL S(1)\nSUB S(I)\nPRINT T$(I)\nSUBEND\n',
            "cannot be used in a SUB",
        ),
    ],
)
def test_what_is_wrong_is_told(source: str, message: str) -> None:
    assert message in mistakes(source)[0]


@pytest.mark.parametrize(
    "names", [("T", "T$"), ("LONGTABLENAMEA", "LONGTABLENAMEB$"), ("T1", "T1$")]
)
def test_kept_texts_have_names_of_their_own(names: tuple[str, str]) -> None:
    one, other = names
    numbers = ",".join(str(i * 7 % 90) for i in range(40))
    texts = ",".join(f'"{chr(65 + i % 26)}{i:03}"' for i in range(25))
    source = f"CONST {one}()={numbers}\nCONST {other}()={texts}\nI=3\n"
    source += f"PRINT {one}(I);{other}(I)\n" * 3
    made = generate(source).text
    assert made.count("DATA") == 0
    assert printed_rows(source) == ["14 C002"] * 3
