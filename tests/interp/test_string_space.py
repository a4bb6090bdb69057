"""POS that looks past its string, at what lies in video memory there."""

from __future__ import annotations

import pytest

from tests.interp.programs import console, printed, run
from ti99tools.computer.console.session import Console
from ti99tools.computer.interp.run.heap import Heap, StringSpace

LAST = 0x831C


def heap(console: Console) -> Heap:
    """The memory of strings of a program that has run."""
    assert console.execution is not None
    return console.execution.heap


def values(listing: str) -> list[int]:
    """The numbers that a program printed."""
    return [int(word) for row in printed(listing) for word in row.split()]


def test_recorded_starts_find_the_strings_of_earlier_rounds() -> None:
    listing = '100 FOR I=254 TO 275::PRINT POS("ABCDEFABCDEF","C",I);::NEXT I\n'
    found = [0] * 3 + [256] * 6 + [264, 266, 268] + [256] * 10
    assert values(listing) == found


@pytest.mark.parametrize(
    ("item", "makes"),
    [("I", [" {}"]), ('"CC"', ["CC"]), ("CHR$(67)", ["C"]), ('"A"&"C"', ["A", "C", "AC"])],
)
def test_what_a_round_makes_besides_moves_what_is_found(item: str, makes: list[str]) -> None:
    """Held against the strings written one below the other by hand."""
    listing = f"""100 FOR I=251 TO 268
110 X=POS("ABCDEFABCDEF","C",I):: PRINT {item};:: PRINT X :: NEXT I
"""
    below, expected = "", []
    for start in range(251, 269):
        for text in ("ABCDEFABCDEF", "C"):
            below = f"..{chr(len(text))}{text}{chr(len(text))}{below}"
        offset = start - 1
        at = below.index("ABCDEFABCDEF") + offset
        length = max(12 - (offset & 255), 0)
        found = below[at : at + length].find("C") if offset > 255 else -1
        expected.append(offset + found + 1 if found >= 0 else offset & 0xFF00)
        for text in [*(form.format(start) for form in makes), f" {expected[-1]}"]:
            below = f"..{chr(len(text))}{text}{chr(len(text))}{below}"
    assert max(expected) > 256
    assert [int(row.split()[-1].lstrip("AC")) for row in printed(listing)] == expected


@pytest.mark.parametrize(
    ("statement", "size"),
    [
        ('A$="12345"', 9),
        ('A$="12345"&"67"', 9 + 6 + 11),
        ('A$="5" :: B$=A$', 5 + 5),
        ('A$="" :: B$=A$&""', 0),
        ('A$,B$="12345"', 9 + 9),
        ("A$=STR$(-12.5)", 9),
        ("A$=CHR$(65)", 5),
        ('A$=RPT$("AB",3)', 6 + 10),
        ('A$=SEG$("ABCDEF",2,3)', 10 + 7),
        ('A$=SEG$("ABC",9,3)', 7),
        ('A=VAL("12")', 6 + 7),
        ('IF "A"="BC" THEN 120', 5 + 6),
        ("READ A$", 9),
        ('CALL S("AB")', 6),
        ('A$="AB" :: CALL S((A$))', 6 + 6),
        ('A$="AB" :: CALL S(A$)', 6),
        ('PRINT 255;-6;"ABC";A$', 8 + 6 + 7),
        ('DISPLAY AT(1,1):12;"AB"', 7 + 6),
        ('PRINT USING "##":5', 6 + 7),
        ('U$="##" :: PRINT USING U$:5', 6 + 7),
        ("READ A", 10),
        ('A$=F$("AB")', 6 + 6 + 5 + 7),
        ('B$="AB" :: A$=F$(B$)', 6 + 6 + 6 + 5 + 7),
    ],
)
def test_bytes_that_strings_take(statement: str, size: int) -> None:
    listing = f"""100 DATA 12345
105 DEF F$(Q$)=Q$&"C"
110 {statement}
120 P=POS(E$,E$,P+1)
130 SUB S(P$):: SUBEND
"""
    space = heap(run(listing)).space
    assert space is not None
    assert space.used == size


@pytest.mark.parametrize(("variable", "size"), [("X", 5 + 6), ("X$", 5)])
def test_accept_makes_strings_of_a_number(variable: str, size: int) -> None:
    computer = console(f'100 ACCEPT AT(3,3):{variable}\n110 IF E$<>"" THEN P=POS(E$,E$,P+1)\n')
    computer.machine.keyboard.type("5\n")
    assert computer.run() == "ready"
    space = heap(computer).space
    assert space is not None
    assert space.used == size


def test_as_much_is_looked_through_as_the_low_byte_leaves() -> None:
    listing = """100 A$=RPT$("A",100)&"Q"
110 B$=RPT$("B",100)
120 C$=RPT$("C",60)
130 FOR I=257 TO 307 STEP 10 :: PRINT POS(C$,"Q",I):: NEXT I
"""
    # After C$ come RPT$'s "C", B$, RPT$'s "B", and A$ with its Q as the last one.
    offset = (60 + 1) + 5 + (100 + 4) + 5 + 3 + 100
    assert values(listing) == [offset + 1] * 3 + [256] * 3


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ('POS("ABC","",300)', 256),
        ('POS(RPT$("A",45),"",300)', 300),
        ('POS("","A",257)', 256),
        ('POS("ABC","A",32767)', 32512),
        ('POS("ABC","ABCD",257)', 256),
    ],
)
def test_where_nothing_is_found_the_high_byte_of_the_offset_is_the_value(
    call: str, found: int
) -> None:
    assert values(f"100 PRINT {call}\n") == [found]


def test_strings_in_use_move_up_where_memory_is_full() -> None:
    held: list[str] = []
    room = 300
    space = StringSpace(lambda text: text, lambda: room + 64, lambda: held)
    held.append(space.kept("A" * 100 + "Q"))
    space.made("X" * 90)
    held.append(space.kept("B" * 50))
    assert (space.used, space.collections) == (105 + 94 + 54, 0)
    # 44 bytes of 47 fit.
    last = space.made("C" * 40)
    assert (space.used, space.collections) == (297, 0)
    assert space.beyond(last, 256)[:1] == "A"
    held.append(space.kept("D" * 60))
    assert (space.used, space.collections) == (105 + 54 + 64, 1)
    # Below A's text lie its length and word, B's string, and D's last length.
    window = space.beyond(held[2], 256)
    assert len(window) == 60
    assert window == "\0" * 60
    assert space.beyond(last, 256) == "\0" * 40


def test_a_program_goes_on_after_a_collection() -> None:
    listing = """100 A$="FIRST" :: FOR I=1 TO 70 :: B$=RPT$("X",200):: NEXT I :: C$="-"
110 PRINT POS(C$,"A",257);A$
"""
    console = run(listing)
    space = heap(console).space
    assert space is not None
    assert space.collections == 1
    assert console.machine.memory.word(LAST) == 0x37D7 - heap(console).fixed - space.used + 4
    assert "256 FIRST" in console.screen.text


@pytest.mark.parametrize(
    ("start", "placed"),
    [
        ("1", False),
        ("256", False),
        ("(2)", False),
        ("LEN(A$)+1", False),
        ('POS(A$,",",1)+1', False),
        ("257", True),
        ("I+1", True),
        ("LEN(A$)+2", True),
        ("1.5", True),
        ("A(1)+1", True),
    ],
)
def test_only_programs_that_may_look_past_keep_the_bytes(start: str, placed: bool) -> None:
    console = run(f'100 A$="A,B" :: PRINT POS(A$,"B",{start})\n')
    assert (heap(console).space is not None) == placed


@pytest.mark.parametrize(
    ("arguments", "placed"),
    [
        ("-31975,A,B", True),
        ("-31988,A", True),
        ("-31990,A,B,C", True),
        ("-31990,A,B", False),
        ("-31970,A", False),
        ("8192,A", False),
        ("N,A", False),
    ],
)
def test_programs_that_peek_the_pointers_keep_the_bytes(arguments: str, placed: bool) -> None:
    assert (heap(run(f"100 CALL PEEK({arguments})\n")).space is not None) == placed


def test_the_pointers_count_what_expressions_make() -> None:
    listing = """100 CALL PEEK(-31974,A,B):: IF "AB"<"CD" THEN C$="X"&STR$(5)
110 CALL PEEK(-31974,C,D):: PRINT A*256+B-C*256-D
"""
    assert values(listing) == [6 + 6 + 5 + 5 + 6]


@pytest.mark.parametrize(
    "line", ['DEF P(X)=POS(A$,"B",X)', 'IF X THEN PRINT POS(A$,"B",X) ELSE PRINT']
)
def test_pos_in_a_function_and_in_a_branch_counts(line: str) -> None:
    assert heap(run(f"100 {line}\n")).space is not None


def test_typed_lines_see_the_strings_of_the_program() -> None:
    console = run('100 A$=RPT$("A",100)&"Q" :: B$=RPT$("B",200):: D=POS(A$,"A",I+1)\n')
    console.command('PRINT POS(B$,"Q",267)')
    assert " 310" in console.screen.text
