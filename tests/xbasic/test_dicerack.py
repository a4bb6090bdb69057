"""Dice Rack's program on the console: its scoring routine, the rules' vectors, what a match shows.

Whole games are compared with the rules by `ti99tools verify`; here is what that does not reach.
"""

import re
from itertools import product

from tests.xbasic.gamedriver import image_of
from tests.xbasic.rackdriver import GAME, Game
from ti99tools import Console, DiskImage, Program
from ti99tools.games.models.certificate import on_screen
from ti99tools.language.dialect import generate
from xbasic.dicerack.model import hand

EVERY_LINE = """
#include "hand.xb"
OPEN #1:"DSK1.OUT",OUTPUT,VARIABLE 254
FOR A=0 TO 6
FOR B=0 TO 6
FOR C=0 TO 6
  A$=""
  FOR D=0 TO 6
  FOR E=0 TO 6
    CALL HAND(A,B,C,D,E,P)
    Q=INT(P/20)
    A$=A$&CHR$(48+Q)&CHR$(48+P-20*Q)
  NEXT E
  NEXT D
  PRINT #1:A$
NEXT C
NEXT B
NEXT A
CLOSE #1
"""
"""A record holds the points of 49 lines, two characters each: twenties and the rest."""

WHOLE_RACK = """
#include "hand.xb"
DATA 1,2,3,0,6,5,2,3,4,6,5,2,6,4,1,5,2,6,3,1,3,2,6,3,1
DIM G(5,5)
FOR R=1 TO 5
  FOR C=1 TO 5
    READ G(R,C)
  NEXT C
NEXT R
FOR I=1 TO 5
  CALL HAND(G(1,I),G(2,I),G(3,I),G(4,I),G(5,I),P)
  CALL HAND(G(I,1),G(I,2),G(I,3),G(I,4),G(I,5),Q)
  PRINT P;Q
NEXT I
"""


def run(source: str) -> Console:
    console = Console(disks={"DSK1": DiskImage.new("DSSD")}, max_seconds=1e6)
    console.load(Program.from_listing(generate(source, root=GAME.folder).text))
    assert console.run() == "ready", console.error
    return console


def test_every_line_scores_as_the_rules_say() -> None:
    records = image_of(run(EVERY_LINE)).read("OUT").records
    points: dict[tuple[int, ...], int] = {}
    for start, record in zip(product(range(7), repeat=3), records, strict=True):
        assert len(record) == 2 * 49
        for index, end in enumerate(product(range(7), repeat=2)):
            twenties, rest = record[2 * index] - 48, record[2 * index + 1] - 48
            points[start + end] = 20 * twenties + rest
    assert {line: got for line, got in points.items() if got != hand(line)} == {}
    full = [got for line, got in points.items() if all(line)]
    assert (len(full), sum(full), full.count(0)) == (7776, 176310, 240)
    every = list(points.values())
    assert (len(every), sum(every), every.count(0)) == (16807, 252300, 3211)


def test_a_seven_counts_like_any_other_value() -> None:
    lines = ((7, 7, 7, 1, 1), (7, 6, 5, 4, 7), (7, 7, 7, 7, 7), (3, 4, 5, 6, 7))
    calls = "".join(f"CALL HAND({str(line)[1:-1]},P)\nPRINT P\n" for line in lines)
    words = run(f'#include "hand.xb"\n{calls}').screen.text.split()
    assert [int(word) for word in words if word.isdigit()] == [hand(line) for line in lines]


def test_the_rack_of_the_rules() -> None:
    rows = [row.split() for row in run(WHOLE_RACK).screen.rows]
    pairs = [tuple(map(int, row)) for row in rows if len(row) == 2 and row[0].isdigit()]
    assert pairs == [(45, 0), (100, 50), (75, 0), (28, 0), (75, 6)]


def test_falling_out_adds_three_times_the_value() -> None:
    """Seed 3035: padding 4, then 4, 6, 2."""
    game = Game()
    game.play(3035, " ")
    assert game.rack() == ["00400", "00000", "00000", "00000", "00000"]
    game.console.type("C ")
    assert game.rack() == ["00600", "00400", "00000", "00000", "00000"]
    assert game.number("goal now") == "104"
    game.console.type(" ")
    assert game.rack() == ["00600", "00400", "00000", "00000", "00000"]
    assert game.number("goal now") == "110"
    assert game.number("fallen out") == "2"


def test_a_column_settles_once() -> None:
    """Seed 474335: 5, 1, 1, 3, 6, 2, 4 into column 3, its gates opened one by one."""
    game = Game()
    game.play(474335, "C H M R ")
    assert game.rack() == ["00000", "00300", "00100", "00100", "00500"]
    goal = int(str(game.number("goal now")))
    game.console.type(" ")
    assert game.rack() == ["00000", "00600", "00300", "00100", "00100"]
    assert (game.number("goal now"), game.number("Red Row")) == (str(goal + 10), "00500")
    game.console.type(" ")
    assert game.rack()[0] == "00200"
    assert game.number("goal now") == str(goal + 10)
    game.console.type(" ")
    assert game.rack()[0] == "00200"
    assert game.number("goal now") == str(goal + 22)


def test_shifts_go_round_both_edges_and_all_dice_may_fall_out() -> None:
    game = Game()
    game.log_on()
    game.play(7, ", , , . " + " " * 21)
    game.see("PLAY AGAIN")
    shifts = [line for line in game.log() if line.startswith("SHIFT")]
    assert shifts == ["SHIFT L 2", "SHIFT L 1", "SHIFT L 5", "SHIFT R 1"]
    assert len(str(game.number("fallen out"))) == 22


def test_a_lost_round_tells_the_score_the_goal_and_the_game() -> None:
    game = Game()
    game.play(14, "C  H  M  R  A  B  L  T  " + " " * 9)
    game.see("YOU MADE")
    result, goal = game.number("result"), game.number("goal now")
    assert game.console.screen.rows[21].split() == ["YOU", "MADE", result, "OF", goal]
    game.see("PLAY AGAIN")
    rows = game.console.screen.rows
    code = on_screen(rows)
    assert code is not None
    assert rows[21].strip() == f"GAME 14 {code}"
    assert (game.number("result"), game.number("goal now")) == (result, goal)


def test_a_score_below_zero_stands_apart() -> None:
    game = Game()
    game.play(1, " , " + " " * 23)
    game.see("YOU MADE")
    game.console.wait(2)  # the scene clears the row and the rack soon
    assert re.fullmatch(r" *YOU MADE -\d+ OF \d+ *", game.console.screen.rows[21])
    game.see("PLAY AGAIN")
    assert int(str(game.number("result"))) < 0
