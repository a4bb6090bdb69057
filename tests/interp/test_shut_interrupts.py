"""Which parts of statements let no interrupt in, and how far sprites move meanwhile."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.computer.interp.compile.shut import of_statement
from ti99tools.computer.interp.compile.timing import Timing
from ti99tools.computer.interp.compile.units import Listing
from ti99tools.language.listing.tokenize import tokenize_line


def shut(text: str) -> list[tuple[int, int]]:
    _, tokens = tokenize_line(f"10 {text}")
    return of_statement(Timing(), Listing([(10, tokens)]).statements(0)[0])


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("A=B+C", 0),
        ("A=B*C+B*C-B/C", 1),
        ("A=SIN(B)", 1),
        ("A=B^C", 1),
        ("A=RND", 0),
        ("A=SIN(RND)+COS(B)", 1),
        ("A=SIN(B)+RND+COS(B)", 2),
        ("CALL HCHAR(SIN(A),COS(B),42)", 2),
        ("CALL HCHAR(A,B,42)", 0),
        ("PRINT SIN(A)", 0),
    ],
)
def test_pieces_that_matter(text: str, pieces: int) -> None:
    """Those longer than a frame, or as long as their values say; PRINT tells item by item."""
    assert len(shut(text)) == pieces


def test_a_piece_ends_where_the_next_statement_begins() -> None:
    ((since, cycles),) = shut("A=B*C+B*C-B/C")
    assert (
        since
        == cycles
        == Timing().statement(
            Listing([(10, tokenize_line("10 A=B*C+B*C-B/C")[1])]).statements(0)[0]
        )
    )


def moved(statement: str, rounds: int = 10) -> int:
    """How far a sprite of one dot a frame moves in a loop."""
    console = Console()
    console.load(
        Program.from_listing(
            "100 CALL SPRITE(#1,65,2,50,1,0,16)\n"
            f"110 FOR I=1 TO {rounds}::{statement}::NEXT I\n"
            "120 CALL POSITION(#1,A,B)\n"
        )
    )
    assert console.run() == "ready"
    value = console.variables["B"]
    assert isinstance(value, int)
    return value


@pytest.mark.parametrize(
    ("statement", "least", "most"),
    [("A=LOG(2)", 10, 18), ("A=2^.5", 10, 16), ("A=SIN(1)", 10, 18), ("PRINT", 20, 30)],
)
def test_sprites_stand_still_while_numbers_are_worked_out(
    statement: str, least: int, most: int
) -> None:
    """Recorded (random4-interrupts): 15 rounds of LOG(2) 20 dots, 8 of 2^.5 12."""
    assert least <= moved(statement) <= most


def test_rnd_lets_sprites_move() -> None:
    assert moved("A=RND") > 40
