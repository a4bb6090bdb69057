"""Lambo's groups and weighing on the console, against the model's, in many positions."""

from random import Random

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.games.finding import find_game
from ti99tools.games.twins import Twins
from ti99tools.program.embedding import with_code
from ti99tools.source.dialect import generate
from xbasic.lambo.board import DARK, LIGHT, Board, Cell
from xbasic.lambo.computer import Place

GAME = find_game("lambo")
START = Cell.of("M13")

WEIGH = """
CONST BAD=-500000, WHIM=3000, SAYROW=23, STARTCELL=371
#include "arrays.xb"
  DIM CP(2),NM$(2),TU$(6),TL$(6),FS$(52)
  GOSUB tables
  OPEN #1:"DSK1.OUT",OUTPUT,VARIABLE 254
  PT={seat}
  OC=2-PT :: DT=99
  GOSUB clearboard
  RESTORE tiles
  FOR W9=1 TO {count}
    READ K,O
    GOSUB place
  NEXT W9
  FOR W9=1 TO NP
    K=KK(W9)
    IF K>0 THEN
      GOSUB weighall
      PRINT #1:K;V1;V2;V3
    END IF
  NEXT W9
  FOR T=0 TO 1
    FOR W9=1 TO NG(T)
      Z=W9+50*T
      IF SL(Z)>=0 THEN PRINT #1:SEG$("DL",T+1,1);INT(SL(Z)/128);LEN(LB$(Z))
    NEXT W9
  NEXT T
  CLOSE #1
  END
tiles:
{tiles}
#include "tables.xb"
  RETURN
#include "groups.xb"
#include "think.xb"
#include "find.xb"
#include "weigh.xb"
"""


def code(cell: Cell) -> int:
    return 27 * cell.column + cell.row + (cell.column + 1) // 2


def random_board(random: Random, tiles: int) -> Board:
    board = Board({START: 1})
    while len(board.tiles) < tiles:
        cells = board.frontier()
        near = sorted(cells, key=lambda cell: (abs(cell.column - 13), abs(cell.height - 27)))
        board.place(random.choice(near[: random.choice((4, 40))]), random.randint(1, 3))
    return board


def records(board: Board, seat: int, native: bool) -> list[str]:
    placed = list(board.tiles.items())[1:]
    data = "\n".join(f"DATA {code(cell)},{turn}" for cell, turn in placed)
    source = WEIGH.format(seat=seat, count=len(placed), tiles=data)
    console = Console(disks={"DSK1": DiskImage.new("DSSD")}, max_seconds=1e6)
    twins = Twins(GAME.folder)
    listing = generate(source, root=GAME.folder, native=twins.entered if native else None)
    console.load(with_code(Program.from_listing(listing.text), twins.code))
    assert console.run() == "ready", console.error
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    return [record.decode() for record in image.read("OUT").records]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_groups_and_worth_agree(seed: int, native: bool) -> None:
    random = Random(seed)
    board = random_board(random, random.randint(2, 40))
    seat = seed % 2 + 1
    lines = records(board, seat, native)
    place = Place(board, LIGHT if seat == 1 else DARK, 2)
    cells = board.frontier()
    got = [tuple(map(int, line.split())) for line in lines[: len(cells)]]
    assert got == [(code(cell), *(place.worth(cell, turn) for turn in (1, 2, 3))) for cell in cells]
    groups = [
        (colour, group.bridges, len(group.liberties))
        for colour in (DARK, LIGHT)
        for group in board.groups(colour)
    ]
    found = lines[len(cells) :]
    assert [(line[0], *map(int, line[1:].split())) for line in found] == groups
