"""D5000's table: the SUBs of table.xb and their twins give the same, on the screen too."""

import random
from collections.abc import Iterator

import pytest

from tests.xbasic.twincalls import waiting
from ti99tools.app.twin_proof import Case
from ti99tools.games.making.finding import find_game
from ti99tools.hardware.machine.vdp import MOTION, SPRITES

GAME = find_game("d5000")
SOURCE = """
CONST DICEROW=14, BARROW=18, KEYROW=19, STATUS=12, UPLINE=40, OLDBAR=43, BAR=47, INK=64, FLYING=140
CONST TABLE=139, TABLE$=CHR$(TABLE), SHADOW$=TABLE$&CHR$(137)&CHR$(137)&TABLE$&TABLE$
CONST LEFT=1, PTS=2, KIND=3, KEPT=4, BEST=5, ASIDE=6, FLAGS=7, ROLLED=8
CONST COMMENT=9, BANKED=10, PLAYER=0
  A$,B$=""
  CALL CLEAR
  CALL HCHAR(13,1,TABLE,224)
  CALL INIT
  CALL GLYPHS
  CALL MAGNIFY(3)
ask:
  CALL KEY(3,KY,S)
  IF S<1 THEN ask
  FOR J=0 TO 5
    LL$(J)="old"
  NEXT J
  IF KY=68 THEN CALL DICE(I,V(),K(),Z(),LL$()) ELSE CALL FLY(K(),Z(),FW,VX())
  DONE=DONE+1
  GOTO ask
#include "dice.xb"
#include "table.xb"
"""
PATIENCE = 3000


class Table:
    """The console with a program that calls DICE for the key D, FLY for F."""

    def __init__(self, native: bool) -> None:
        self.console = waiting(GAME, SOURCE, native)
        self.done = 0

    def call(self, key: str, case: Case) -> tuple[object, ...]:
        """All that may have changed: arrays, the picture, the sprites."""
        variables = self.console.variables
        for name, value in case.items():
            variables[name] = value
        self.done += 1
        self.console.press(key, hold=2, gap=2)
        for _ in range(PATIENCE):
            assert self.console.error is None, (self.console.error, case)
            if self.console.running and self._rounds() == self.done:
                break
            self.console.wait(1)
        else:
            raise AssertionError(f"{key} does not come back: {case}")
        return self.state()

    def _rounds(self) -> object:
        try:
            return self.console.variables["DONE"]
        except KeyError:
            return None

    def state(self) -> tuple[object, ...]:
        """Arrays, texts, screen, motion, and which sprites there are."""
        console = self.console
        sizes = {"V": 6, "K": 6, "Z": 11}
        numbers = [
            console.variables[f"{a}({i})"] for a, size in sizes.items() for i in range(1, size)
        ]
        numbers += [console.variables["Z(0)"]]
        texts = [console.variables[f"LL$({i})"] for i in range(6)]
        ram = console.machine.vdp.ram
        sprites = [tuple(ram[SPRITES + 4 * n : SPRITES + 4 * n + 4]) for n in range(28)]
        there = [sprite[2:] for sprite in sprites]
        moving = [tuple(ram[MOTION + 4 * n : MOTION + 4 * n + 2]) for n in range(28)]
        return numbers, texts, tuple(console.screen.rows), console.screen.codes, there, moving


def cases(seed: int, count: int) -> Iterator[tuple[str, Case]]:
    """Rolls, picks and flights, from any state of the dice."""
    dice = random.Random(seed)
    for _ in range(count):
        case: dict[str, int | float | str] = {}
        few = dice.choice((range(1, 7), range(1, 7), (1, 5), (2, 3), (5,), (7, 1)))
        values = [dice.choice(list(few)) for _ in range(5)]
        if dice.random() < 0.15:
            values = dice.sample((1, 2, 3, 4, 5), 5) if dice.random() < 0.5 else [6, 5, 4, 3, 2]
        kinds = dice.choice(((0,), (0, 2), (0, 1), (0, 1, 2), (0, 1, 2, 3)))
        for die in range(1, 6):
            case[f"V({die})"] = values[die - 1]
            case[f"K({die})"] = dice.choice(kinds)
            case[f"VX({die})"] = dice.randint(-30, 30)
        aside, points = dice.choice((0, 50, 1150, 7950)), dice.choice((50, 100, 650, 1500))
        numbers = (dice.randrange(7), 0, points, 0, dice.choice((50, 100, 350)), 0, aside)
        for index, value in enumerate(numbers):
            case[f"Z({index})"] = value
        case |= {"Z(7)": dice.randrange(4), "Z(8)": 0, "Z(9)": dice.randint(1, 24)}
        case |= {"Z(10)": dice.choice((0, 500, 4950)), "VX(0)": -dice.randint(1, 9)}
        case |= {"I": dice.choice((0, 0, 1, 2, 3, 4, 5)), "FW": dice.choice((0, 2, 16))}
        yield dice.choice("DDF"), case


def compared(seed: int, count: int) -> None:
    basic, native = Table(native=False), Table(native=True)
    assert basic.state()[2:] == native.state()[2:]
    before = basic.console.machine.vdp.patterns, native.console.machine.vdp.patterns
    assert before[0] == before[1]
    for key, case in cases(seed, count):
        assert basic.call(key, case) == native.call(key, case), (key, case)


def test_the_twins_do_as_the_subs_say() -> None:
    compared(1, 60)


@pytest.mark.slow
def test_the_twins_do_as_the_subs_say_thousands_of_times() -> None:
    compared(2, 4000)


def test_the_twins_are_eight_times_as_fast() -> None:
    seconds = []
    for native in (False, True):
        table = Table(native)
        begin = table.console.clock.seconds
        for key, case in cases(3, 12):
            if key == "D":
                table.call(key, {**case, "I": 0, "Z(7)": 3})
        seconds.append(table.console.clock.seconds - begin)
    assert seconds[1] < seconds[0] / 8
