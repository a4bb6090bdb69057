"""Lambo's SUB for the board, in BASIC and in machine code, against the model, in many positions."""

from random import Random

import pytest

from ti99tools.app.twin_proof import Harness
from ti99tools.games.making.finding import find_game
from xbasic.lambo.board import DARK, LIGHT, Board, Cell, Group
from xbasic.lambo.computer import EASY, HARD, Computer, Place

pytestmark = pytest.mark.long

BOARD = find_game("lambo").folder / "board.xb"
BEFORE = 'CONST STARTCELL=371, BAD=-500000, WHIM=3000\nOP,K,O,F=0\nC$=""'
CALL = "CALL BOARD(OP,K,O,F,C$)"
START = Cell.of("M13")
STARTING, TRYING, CHOOSING, UNDOING, NEARLY, LARGEST, SHOWN = 1, 2, 3, 5, 6, 7, 8
LEVELS = {1: EASY, 2: HARD}
Answer = tuple[int, int, int, str]


def code(cell: Cell) -> int:
    return 27 * cell.column + cell.row + (cell.column + 1) // 2


def answer_to(
    harness: Harness, operation: int, cell: int = 0, turn: int = 1, stage: int = 0
) -> Answer:
    """What an operation answers: K, O, F and C$."""
    case = {"OP": operation, "K": cell, "O": turn, "F": stage}
    numbers = harness.run(case, ("K", "O", "F", "C$"))
    *found, text = numbers
    return (*(int(float(str(number))) for number in found), str(text))  # type: ignore[return-value]


def text_of(groups: list[Group]) -> str:
    return "".join(f"{group.colour}{chr(group.bridges)}" for group in groups)


def next_tile(random: Random, board: Board) -> tuple[Cell, int]:
    """A tile that does not end the match, near the others."""
    while True:
        cells = board.frontier()
        near = sorted(cells, key=lambda cell: (abs(cell.column - 13), abs(cell.height - 27)))
        cell, turn = random.choice(near[: random.choice((4, 40))]), random.randint(1, 3)
        if not any(group.bridges for group in Board(board.tiles).place(cell, turn)):
            return cell, turn


def nearly(board: Board) -> set[tuple[int, int]]:
    """Liberties of groups with at most two: 1 Dark or 2 Light, cell."""
    return {
        (1 + (colour == LIGHT), code(cell))
        for colour in (DARK, LIGHT)
        for group in board.groups(colour)
        if group.bridges and len(group.liberties) < 3
        for cell in group.liberties
        if cell.inside
    }


def check_choices(harness: Harness, board: Board, adjacent: int, computer: Computer) -> None:
    """Both players, both colours and all stages of a turn choose what the model does."""
    last = list(board.tiles)[-1]
    for seat, colour in ((1, LIGHT), (2, DARK)):
        for level in LEVELS:
            for stage in (0, 1, 2):
                beside = last if adjacent and stage == 1 else None
                place = Place(
                    board, colour, 1 + (stage == 2), beside, bool(adjacent and stage == 2)
                )
                if not any(place.allowed(cell) for cell in place.cells()):
                    continue
                wanted, turn = computer.tile(place, LEVELS[level])
                cell, found, won, closed = answer_to(harness, CHOOSING, seat, level, stage)
                assert (cell, found) == (code(wanted), turn)
                groups = Board(board.tiles).place(wanted, turn)
                assert closed == text_of(groups)
                assert bool(won) == any(g.bridges for g in groups)
                answer_to(harness, UNDOING)


@pytest.mark.sampled(3, seconds=6)
@pytest.mark.parametrize("seed", range(6))
def test_the_board_in_basic_is_that_of_the_rules(seed: int) -> None:
    check_board(seed, native=False)


@pytest.mark.parametrize("seed", range(6))
def test_the_board_is_that_of_the_rules(seed: int) -> None:
    check_board(seed, native=True)


def check_board(seed: int, native: bool) -> None:
    random = Random(seed)
    harness = Harness(BOARD, BEFORE, CALL, native=native)
    board, adjacent = Board({START: 1}), seed % 2
    assert answer_to(harness, STARTING, seed, adjacent) == (code(START), 1, 0, "")
    count = random.randint(2, 36)
    for _ in range(count):
        cell, turn = next_tile(random, board)
        wrong = random.choice(list(board.tiles))
        assert answer_to(harness, TRYING, code(wrong), turn)[2] == -1
        closed = text_of(board.place(cell, turn))
        assert answer_to(harness, TRYING, code(cell), turn) == (code(cell), turn, 0, closed)
    *largest, groups, _ = answer_to(harness, LARGEST)
    assert largest == [board.largest(DARK), board.largest(LIGHT)]
    for colour, number in ((DARK, groups // 100), (LIGHT, groups % 100)):
        tiles = {ord(character) for character in answer_to(harness, SHOWN, number)[3]}
        rows = [list(board.tiles)[tile - 1] for tile in sorted(tiles)]
        group = next(
            group for group in board.groups(colour) if group.bridges == board.largest(colour)
        )
        points = group.points
        assert rows == [cell for cell in board.tiles if points & set(cell.points(colour))]
    text = answer_to(harness, NEARLY)[3]
    found = [(ord(a), 256 * ord(b) + ord(c)) for a, b, c in zip(*[iter(text)] * 3, strict=True)]
    assert set(found) == nearly(board)
    check_choices(harness, board, adjacent, Computer(seed))
