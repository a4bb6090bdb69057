"""Dice Rack's rack and Dealer: the SUBs of rack.xb, prepare.xb, dealer.xb and stage.xb and their
twins do the same, on the screen too."""

import random
from itertools import combinations_with_replacement

import pytest

from tests.xbasic.twincalls import waiting
from ti99tools.computer.console.variables import UnknownVariable
from ti99tools.games.making.finding import find_game
from ti99tools.hardware.machine.vdp import COLORS, OFFSET, PATTERNS
from xbasic.dicerack.model import REMARKS, best_hand

GAME = find_game("dicerack")
TEXT = (GAME.folder / "dicerack.xb").read_text("utf-8")
CONSTANTS = "\n".join(line for line in TEXT.splitlines() if line.startswith("CONST "))
SOURCE = f"""
{CONSTANTS}
#include "glove.xb"
  OP,A,B,I=0
  L$=""
  CALL CLEAR
  CALL INIT
  CALL GLYPHS
  CALL MAGNIFY(3)
ask:
  CALL KEY(3,KY,S)
  IF S<1 THEN ask
  IF OP=NEWRACK THEN CALL CLEAR
  IF KY=67 THEN CALL LETTER
  IF KY=68 THEN CALL DEALER(OP,A,B)
  IF KY=71 THEN CALL DRESS(A)
  IF KY=82 THEN CALL RACK(OP,A,B)
  IF KY=83 THEN CALL SAYS(OP,A,B,L$)
  IF KY=76 THEN CALL RTEXT(L$)
  IF KY=77 THEN CALL MOOD(A)
  IF KY=78 THEN CALL NEXTD(OP,A,B,I,0)
  IF KY=80 THEN CALL POKER(H(1),H(2),H(3),H(4),H(5),A,B)
  DONE=DONE+1
  GOTO ask
#include "rack.xb"
#include "prepare.xb"
#include "dealer.xb"
#include "stage.xb"
"""
PATIENCE = 3000
HAND_NAME = 15
NEW, TOGGLE, FALL, DROP, SETTLE, LOOK, HAND, SUMS, CELL, FLY = range(1, 11)


class Rack:
    """The console with a program that calls RACK for the key R, RTEXT for L and so on."""

    def __init__(self, native: bool) -> None:
        self.console = waiting(GAME, SOURCE, native)
        self.done = 0

    def call(self, key: str, **given: int) -> tuple[str, ...]:
        """A, B and L$ afterwards, and the screen."""
        variables = self.console.variables
        for name, value in given.items():
            variables[name] = value
        self.console.press(key, hold=2, gap=2)
        self.done += 1
        for _ in range(PATIENCE):
            self.console.wait(2)
            if self._rounds() == self.done:
                break
        assert self.console.error is None, self.console.error
        found = (str(variables[name]).strip() for name in ("A", "B", "L$"))
        return (*found, *self.console.screen.rows)

    def _rounds(self) -> int | None:
        try:
            return int(str(self.console.variables["DONE"]))
        except UnknownVariable:
            return None  # within the SUB

    def patterns(self) -> bytes:
        at = PATTERNS + 8 * (37 + OFFSET)
        return bytes(self.console.machine.vdp.ram[at : PATTERNS + 8 * (144 + OFFSET)])


@pytest.fixture(scope="module")
def both() -> list[Rack]:
    return [Rack(False), Rack(True)]


def same(both: list[Rack], key: str, **given: int) -> list[int]:
    """Call both; A and B, which must be the same."""
    basic, native = (rack.call(key, **given) for rack in both)
    assert basic == native, (key, given)
    return [int(number) for number in native[:2]]


def compared_round(both: list[Rack], dice: random.Random) -> int:
    """A round of any drops and gates; how many columns settled."""
    same(both, "R", OP=NEW, A=0, B=0)
    settled = 0
    for gate in dice.sample(range(20), 14):
        same(both, "R", OP=TOGGLE, A=gate, B=0)
    for _ in range(25):
        for _ in range(dice.choice((0, 0, 1, 2))):
            if same(both, "R", OP=TOGGLE, A=dice.randrange(20), B=0)[0]:
                same(both, "R", OP=FALL, A=0, B=0)
        row, red = same(both, "R", OP=DROP, A=dice.randint(1, 5), B=dice.randint(1, 7))
        if red:
            settled += 1
            same(both, "R", OP=SETTLE, A=1, B=1)
        elif not row:
            same(both, "R", OP=FLY, A=dice.choice((8, 10, 12)), B=dice.choice((21, 23, 27)))
        else:
            same(both, "R", OP=LOOK, A=0, B=0)
        same(both, "L")
        same(both, "R", OP=HAND, A=dice.randint(1, 10), B=0)
        same(both, "R", OP=CELL, A=8 * dice.randint(1, 5) + dice.randint(1, 5), B=0)
    same(both, "R", OP=SUMS, A=0, B=0)
    return settled


def test_a_round_is_the_same_in_machine_code(both: list[Rack]) -> None:
    assert sum(compared_round(both, random.Random(seed)) for seed in (1, 2)) > 0


@pytest.mark.slow
def test_hundreds_of_rounds_are_the_same_in_machine_code(both: list[Rack]) -> None:
    dice = random.Random(3)
    assert sum(compared_round(both, dice) for _ in range(200)) > 100


def test_the_drawings_and_the_faces_are_the_same(both: list[Rack]) -> None:
    same(both, "D", OP=3, A=12, B=4)
    for mood in (1, 2, -5, -1, 5, 11, 13, -8, -4, 3, 6, 8, 14):
        same(both, "M", A=mood, B=0)
        assert both[0].patterns() == both[1].patterns(), mood


def test_the_next_die_is_shown_in_the_same_way(both: list[Rack]) -> None:
    for column, number, value, after in ((3, 1, 6, 2), (5, 10, 1, 7), (1, 25, 4, 0)):
        same(both, "N", OP=column, A=number, B=value, I=after)
        rows = [rack.console.sprite(1) for rack in both]
        assert rows[0] == rows[1] == (1, 24 * column + 1)


def test_the_dealer_stands_and_is_dressed_in_the_same_way(both: list[Rack]) -> None:
    for row, column, rows in ((3, 12, 4), (11, 25, 4), (10, 25, 2), (12, 5, 3)):
        same(both, "R", OP=NEW, A=0, B=0)
        same(both, "D", OP=row, A=column, B=rows)
        assert both[0].patterns() == both[1].patterns()
        seen = [[rack.console.sprite(number) for number in (3, 4)] for rack in both]
        assert seen[0] == seen[1]
    for what in (2, 3, 4, 1):
        same(both, "G", A=what, B=0)
        assert both[0].patterns() == both[1].patterns(), what


def test_all_remarks_are_the_same(both: list[Rack]) -> None:
    for kind, many in enumerate(REMARKS.values(), 1):
        number = 0
        remarks = set()
        for hand in (*range(min(many, 8)), 8):
            number = same(both, "S", OP=kind, A=number, B=hand)[0]
            remarks.add(both[0].call("X")[2])
        assert len(remarks) == min(many, 8) + 1 - (many < 9 and kind < 13)
        assert same(both, "S", OP=kind, A=many, B=0)[0] == 1, "from the first one again"
    for hand in range(9):
        row = both[0].console.screen.rows[19]
        same(both, "S", OP=HAND_NAME, A=3, B=hand)
        assert both[0].console.screen.rows[19] == row, "a name is not said"


def test_the_colors_are_the_same(both: list[Rack]) -> None:
    for rack in both:
        rack.call("C")
    tables = [rack.console.machine.vdp.ram[COLORS + 15 : COLORS + 30] for rack in both]
    assert tables[0] == tables[1]


def test_every_hand_is_that_of_the_model(both: list[Rack]) -> None:
    hands = list(combinations_with_replacement(range(7), 5))
    for line in random.Random(4).sample(hands, 120):
        variables = both[1].console.variables
        for place, die in enumerate(line, 1):
            variables[f"H({place})"] = die
        points, name = (int(number) for number in both[1].call("P")[:2])
        assert (points, name) == best_hand(line), line
