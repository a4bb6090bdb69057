"""Counts of statements: what a watched program notes, by line number and token offset."""

from __future__ import annotations

import pytest

from ti99tools import Console, Program
from ti99tools.base.counts import FAILED, RAN, THEN, USED, Hits, total
from ti99tools.language.syntax import parse_line
from ti99tools.language.syntax.statements import every_statement


def ran(listing: str, keys: str = "") -> tuple[Hits, dict[int, list[int]]]:
    """What was counted, and of each line how often each of its statements ran."""
    console = Console(watched=True)
    program = Program.from_listing(listing)
    console.load(program)
    console.run()
    if keys:
        console.type(keys)
        console.resume()
    hits = console.hits[program.lines]
    places = {
        line.number: [node.at for node in every_statement(parse_line(line.tokens))]
        for line in program.lines
    }
    return hits, {
        number: [hits.get((number, at, RAN), 0) for at in sorted(offsets)]
        for number, offsets in places.items()
    }


@pytest.mark.parametrize(
    ("listing", "counts"),
    [
        ("100 A=1::B=2::PRINT A\n", {100: [1, 1, 1]}),
        ("100 FOR I=1 TO 5::A=A+I::NEXT I\n", {100: [1, 5, 5]}),
        ("100 FOR I=3 TO 1\n110 A=A+I\n120 NEXT I\n", {100: [1], 110: [0], 120: [0]}),
        (
            "100 FOR I=1 TO 9\n110 IF I<4 THEN A=A+1::B=B+1 ELSE C=C+1\n120 NEXT I\n",
            {100: [1], 110: [9, 3, 3, 6], 120: [9]},
        ),
        (
            "100 FOR I=1 TO 9::IF I=5 THEN 130\n120 A=A+1\n130 NEXT I\n",
            {100: [1, 9], 120: [8], 130: [9]},
        ),
        (
            "100 FOR I=1 TO 9\n110 IF I=5 THEN B=B+1::GOTO 130\n120 A=A+1\n130 NEXT I\n",
            {100: [1], 110: [9, 1, 1], 120: [8], 130: [9]},
        ),
        (
            "100 GOSUB 200::GOSUB 200::PRINT A\n110 END\n200 A=A+1\n210 RETURN\n",
            {100: [1, 1, 1], 110: [1], 200: [2], 210: [2]},
        ),
        (
            "100 I=I+1::IF I<7 THEN 100 ELSE 120\n110 A=1\n120 END\n",
            {100: [7, 7], 110: [0], 120: [1]},
        ),
        (
            "100 CALL X(3)::CALL X(4)\n110 SUB X(N)::FOR I=1 TO N::A=A+1::NEXT I\n120 SUBEND\n",
            {100: [1, 1], 110: [1, 2, 7, 7], 120: [2]},
        ),
        (
            '100 ON ERROR 200\n110 A=1::B=ASC("")::C=1\n120 D=1\n130 END\n200 RETURN NEXT\n',
            {100: [1], 110: [1, 1, 1], 120: [1], 130: [1], 200: [1]},
        ),
        ('100 A=1::B=ASC("")::C=1::D=1\n', {100: [1, 1, 0, 0]}),
        (
            '100 FOR I=1 TO 4::A=1/(I-3)::B=ASC(SEG$("XXX",I,1))::C=C+1::NEXT I\n',
            {100: [1, 4, 4, 3, 3]},
        ),
    ],
    ids=range(12),
)
def test_every_statement_is_counted_as_often_as_it_runs(
    listing: str, counts: dict[int, list[int]]
) -> None:
    assert ran(listing)[1] == counts


def test_input_counts_once_however_long_it_waits() -> None:
    hits, counts = ran("100 INPUT A::PRINT A\n110 ACCEPT AT(3,3):B$\n", "12\nX\n")
    assert counts == {100: [1, 1], 110: [1]}
    assert not [spot for spot in hits if spot[2] == FAILED]


def test_ways_of_an_if_that_jumps_and_uses_of_a_function() -> None:
    hits, _ = ran(
        "100 DEF F(X)=X*2\n110 FOR I=1 TO 9\n120 IF F(I)>6 THEN 140\n130 A=A+1\n140 NEXT I\n"
        "150 IF A=3 THEN 170\n160 PRINT 1\n170 IF A=4 THEN 100 ELSE 180\n180 END\n"
    )
    ways = {number: count for (number, _, what), count in hits.items() if what == THEN}
    assert ways == {120: 6, 150: 1, 170: 0}
    assert hits[100, 0, USED] == 9


def test_a_failed_statement_is_told_of() -> None:
    hits, _ = ran('100 A=1\n110 IF ASC("")=1 THEN PRINT 1\n')
    assert hits[110, 0, FAILED] == 1


def test_several_runs_add_up_and_programs_are_apart() -> None:
    console = Console(watched=True)
    first, other = (Program.from_listing(f"{n} A=A+1\n") for n in (100, 200))
    for program in (first, first, other):
        console.load(program)
        console.run()
    assert console.hits == {first.lines: {(100, 0, RAN): 2}, other.lines: {(200, 0, RAN): 1}}
    assert total(console.hits.values()) == {(100, 0, RAN): 2, (200, 0, RAN): 1}
    assert total([{(1, 0, RAN): 2}, {(1, 0, RAN): 3}]) == {(1, 0, RAN): 5}


def test_a_typed_line_counts_nothing() -> None:
    console = Console(watched=True)
    program = Program.from_listing("100 DEF F(X)=X*2\n110 A=F(2)\n")
    console.load(program)
    console.run()
    console.command("B=F(3)::C=4")
    assert console.hits[program.lines] == {(100, 0, RAN): 1, (100, 0, USED): 1, (110, 0, RAN): 1}


def test_counting_takes_no_machine_time_and_changes_no_blocks() -> None:
    listing = "100 FOR I=1 TO 400\n110 IF I>7 THEN 130\n120 A=A+1::B=B+1\n130 NEXT I\n"
    times = []
    for watched in (False, True):
        console = Console(watched=watched)
        console.load(Program.from_listing(listing))
        console.run()
        times.append(console.clock.cycles)
    assert times[0] == times[1]
