"""Lambo's groups and weighing on the console, against the model's, in many positions."""

from random import Random

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.games.finding import find_game
from ti99tools.source.dialect import generate
from xbasic.lambo.board import DARK, LIGHT, Board, Cell
from xbasic.lambo.computer import Place

GAME = find_game("lambo")
START = Cell.of("M13")

WEIGH = """
CONST BAD=-500000, SAYROW=23
CONST STARTCELL$=CHR$(45)&CHR$(77)
#include "tables.xb"
  OPEN #1:"DSK1.OUT",OUTPUT,VARIABLE 254
  PT={seat}
  OW=50*(2-PT)
  GOSUB clearboard
  RESTORE tiles
  FOR W9=1 TO {count}
    READ X$,O
    GOSUB around
    GOSUB place
  NEXT W9
  W9$=FR$
  FOR W9=1 TO LEN(W9$) STEP 2
    X$=SEG$(W9$,W9,2)
    GOSUB around
    GOSUB weighall
    PRINT #1:X$;V(1);V(2);V(3)
  NEXT W9
  FOR B=0 TO 50 STEP 50
    FOR I=B+1 TO NG(B*.06)
      IF P(I)=0 THEN PRINT #1:SEG$("DL",B/50+1,1);BR(I);LEN(LB$(I))/2
    NEXT I
  NEXT B
  CLOSE #1
  END
tiles:
{tiles}
#include "groups.xb"
#include "think.xb"
"""


def code(cell: Cell) -> str:
    return chr(32 + cell.column) + chr(64 + cell.row)


def random_board(random: Random, tiles: int) -> Board:
    board = Board({START: 1})
    while len(board.tiles) < tiles:
        cells = board.frontier()
        near = sorted(cells, key=lambda cell: (abs(cell.column - 13), abs(cell.height - 27)))
        board.place(random.choice(near[: random.choice((4, 40))]), random.randint(1, 3))
    return board


def records(board: Board, seat: int) -> list[str]:
    placed = list(board.tiles.items())[1:]
    data = "\n".join(f'DATA "{code(cell)}",{turn}' for cell, turn in placed)
    source = WEIGH.format(seat=seat, count=len(placed), tiles=data)
    console = Console(disks={"DSK1": DiskImage.new("DSSD")}, max_seconds=1e6)
    console.load(Program.from_listing(generate(source, root=GAME.folder).text))
    assert console.run() == "ready", console.error
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    return [record.decode() for record in image.read("OUT").records]


@pytest.mark.parametrize("seed", range(12))
def test_groups_and_worth_agree(seed: int) -> None:
    random = Random(seed)
    board = random_board(random, random.randint(2, 40))
    seat = seed % 2 + 1
    lines = records(board, seat)
    place = Place(board, LIGHT if seat == 1 else DARK, 2)
    cells = board.frontier()
    got = [(line[:2], *map(int, line[2:].split())) for line in lines[: len(cells)]]
    assert got == [(code(cell), *(place.worth(cell, turn) for turn in (1, 2, 3))) for cell in cells]
    groups = [
        (colour, group.bridges, len(group.liberties))
        for colour in (DARK, LIGHT)
        for group in board.groups(colour)
    ]
    found = lines[len(cells) :]
    assert [(line[0], *map(int, line[1:].split())) for line in found] == groups
