"""Lambo's board against the rules' vectors and the published picture."""

from itertools import product
from random import Random

import pytest

from tests.models.lambo_positions import BOTH, EXAMPLE, at, position
from xbasic.lambo.board import DARK, FIELD, LIGHT, Board, Cell, Group, Point, render, turned

PICTURE = r"""
              .--oo
             /    oo
        .--ooooo    `--oo
       / ooo   ooo   ooo \
  .--ooooo    .  ooooo    `--oo
 o   oo     oo    oo    oo   oo\
ooo  oo .  ooooo    .  oooo  oo `--oo
 o   oo     oo ooo o   ooo   oo     oo
  )  ooooo    .  oooo  oo .  ooooo    )
 o   oo  ooo   ooo o   ooo   oo  ooo /
ooo  oo .  ooooo    .  oooo  oo .--oo
 o   oo  ooo      oo    oo   oo/
  `--ooooo    .--ooooo    .--oo
       \    oo     \ ooo /
        `--oo       `--oo
""".strip("\n")
"""The example of the game's help page at gamerz.net, by Cameron Browne."""
SINGLE = {
    1: "  .--oo\n o   oo\\\nooo  oo )\n o   oo/\n  `--oo",
    2: "  .--oo\n /    oo\noooo    )\n \\ ooo /\n  `--oo",
    3: "  .--oo\n / ooo \\\noooo    )\n \\    oo\n  `--oo",
}


def closed(board: Board) -> list[tuple[str, int]]:
    return [
        (group.colour, group.bridges)
        for colour in (DARK, LIGHT)
        for group in board.groups(colour)
        if group.closed
    ]


def test_the_start_has_eighteen_placements() -> None:
    board = position("(0,0):1")
    assert len(board.frontier()) * 3 == 18
    assert board.frontier() == [at(0, -2), at(1, -1), at(1, 1), at(0, 2), at(-1, 1), at(-1, -1)]
    assert [cell.name for cell in board.frontier()] == ["M12", "N13", "N14", "M14", "L14", "L13"]


@pytest.mark.parametrize(
    ("tiles", "groups"),
    [
        ("(0,0):3 (0,2):2 (1,1):1", [(DARK, 0)]),
        ("(0,0):1 (0,2):1 (1,1):1", []),
        ("(0,0):1 (0,-2):3 (1,-1):1 (0,2):2 (1,1):1", [(DARK, 1)]),
        (EXAMPLE, [(DARK, 1), (LIGHT, 0)]),
        (BOTH, []),
        (f"{BOTH} (0,0):1", [(DARK, 1), (LIGHT, 1)]),
        (f"{BOTH} (0,0):2", []),
        (f"{BOTH} (0,0):3", []),
    ],
)
def test_closed_groups(tiles: str, groups: list[tuple[str, int]]) -> None:
    assert closed(position(tiles)) == groups


def test_all_orientations_of_five_cells() -> None:
    cells = [at(0, 0), at(0, -2), at(1, -1), at(0, 2), at(1, 1)]
    found = [
        closed(Board(dict(zip(cells, turns, strict=True))))
        for turns in product((1, 2, 3), repeat=5)
    ]
    assert len(found) == 243
    assert [
        sum(group in groups for groups in found) for group in ((DARK, 1), (DARK, 0), (LIGHT, 0))
    ] == [1, 18, 9]


def test_the_published_example() -> None:
    board = position(EXAMPLE)
    assert render(board) == PICTURE
    assert (len(board.frontier()), board.largest(DARK), board.largest(LIGHT)) == (17, 9, 10)


@pytest.mark.parametrize("orientation", [1, 2, 3])
def test_a_single_tile(orientation: int) -> None:
    assert render(Board({Cell.of("M13"): orientation})) == SINGLE[orientation]


def test_light_corners_by_the_tiles_round_them() -> None:
    """Two of the three cells of a corner: what stands at it."""
    column = render(Board({at(0, 0): 1, at(0, -2): 1, at(0, 2): 1})).splitlines()
    assert [row[2] for row in column[4:9:4]] == [")", ")"]
    assert [row[8] for row in column[2:11:4]] == [")", ")", ")"]
    northeast = render(Board({at(0, 0): 1, at(1, -1): 1})).splitlines()
    southeast = render(Board({at(0, 0): 1, at(1, 1): 1})).splitlines()
    assert (northeast[4][8], southeast[2][8]) == (".", "`")


@pytest.mark.parametrize("name", ["A01", "Y25", "M13", "L02"])
def test_names_and_neighbours(name: str) -> None:
    cell = Cell.of(name)
    assert cell.name == name
    assert cell.inside
    for way, beside in enumerate(cell.neighbours()):
        assert beside.neighbour((way + 3) % 6) == cell
        assert abs(beside.height - cell.height) + abs(beside.column - cell.column) == 2
    assert {cell.column, cell.row} <= set(FIELD)


def test_odd_columns_lie_lower() -> None:
    assert [cell.name for cell in Cell.of("B02").neighbours()] == [
        "B01",
        "C01",
        "C02",
        "B03",
        "A02",
        "A01",
    ]
    assert [cell.name for cell in Cell.of("C02").neighbours()] == [
        "C01",
        "D02",
        "D03",
        "C03",
        "B03",
        "B02",
    ]


def random_board(seed: int, tiles: int) -> Board:
    random = Random(seed)
    board = Board({Cell.of("M13"): random.randint(1, 3)})
    while len(board.tiles) < tiles:
        board.place(random.choice(board.frontier()), random.randint(1, 3))
    return board


def closing_tiles(board: Board, group: Group) -> int:
    """How many tiles close a group, by the orientation that the corners it touches ask for."""
    count = 0
    while group.liberties:
        cell = min(group.liberties)
        touched = [point in group.points for point in cell.points(group.colour)]
        turn = {1: touched.index(True), 2: touched.index(False) if False in touched else 0}
        board = board.with_tile(cell, turn.get(sum(touched), 0) + 1)
        point = next(iter(group.points))
        group = next(g for g in board.groups(group.colour) if point in g.points)
        count += 1
    return count


@pytest.mark.parametrize("seed", range(25))
def test_a_group_is_closed_by_as_many_tiles_as_it_has_liberties(seed: int) -> None:
    board = random_board(seed, 20)
    for colour in (DARK, LIGHT):
        for group in board.groups(colour):
            if all(cell.inside for cell in group.liberties):
                assert closing_tiles(board, group) == len(group.liberties)


@pytest.mark.parametrize("seed", range(10))
def test_groups_part_the_points_and_count_each_bridge(seed: int) -> None:
    board = random_board(seed, 48)
    for colour in (DARK, LIGHT):
        groups = board.groups(colour)
        points = [point for group in groups for point in group.points]
        assert len(points) == len(set(points))
        assert set(points) == {point for cell in board.tiles for point in cell.points(colour)}
        assert sum(group.bridges for group in groups) == 48


def test_groups_come_in_the_order_of_their_first_points() -> None:
    for seed in range(10):
        board = random_board(seed, 30)
        for colour in (DARK, LIGHT):
            points = [point for cell in board.tiles for point in ordered(board, cell, colour)]
            firsts = [min(map(points.index, group.points)) for group in board.groups(colour)]
            assert firsts == sorted(firsts)


def ordered(board: Board, cell: Cell, colour: str) -> list[Point]:
    """A tile's points of a colour, the bridge's first."""
    tip, one, other = turned(cell.points(colour), board.tiles[cell])
    return [one, other, tip]


def test_a_point_at_the_edge_is_never_finished() -> None:
    corner = Cell.of("A01")
    board = Board(dict.fromkeys((corner, *filter(lambda c: c.inside, corner.neighbours())), 1))
    assert not any(group.closed for group in board.groups_at(corner, LIGHT) if group.bridges)
    assert not board.is_hole(Cell.of("A03"))
    assert board.is_hole(corner)
