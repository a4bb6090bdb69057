"""`ti99tools board`: positions as plain text, from a log too; boards in reports of mismatches."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.verify import judge_logs
from ti99tools.fronts.cli.main import cli
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.judging import compare_logs
from ti99tools.games.verify.loading import adapter

START = "  .--oo\n o   oo\\\nooo  oo )\n o   oo/\n  `--oo\n"
LOG = """TI99LOG 1 LAMBO 1.0
SEED 5
SIZE 48
ADJACENT 0
PLAYER 1 H P1
PLAYER 2 H P2
TURN 1 47
TILE M12B
TURN 2 46
TILE M14A
UNDO
TILE M14C
"""


def board(*args: str) -> str:
    result = CliRunner().invoke(cli, ["board", *args])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_board_at_the_start() -> None:
    assert board("lambo") == f"the start\n{START}"
    lines = board("dimraw").splitlines()
    assert (lines[1], lines[2], lines[7]) == (
        "R-----------S-----------T",
        "| \\         |         / |",
        "I---J   |       |   K---L",
    )


def test_the_positions_of_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(LOG)
    assert board("lambo", str(path), "--move", "0") == f"the start\n{START}"
    data = json.loads(board("lambo", str(path), "--all", "--json"))
    events = [each["event"] for each in data]
    assert events == [None, "TILE M12B", "TILE M14A", "UNDO", "TILE M14C"]
    assert data[1]["board"] == data[3]["board"] != data[4]["board"]
    assert board("lambo", str(path)).startswith("move 4: TILE M14C\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["d5000"], "no board as text"),
        (["lambo", "LOG", "--move", "9"], "there is no move 9: the last is 4"),
        (["dimraw", "LOG"], "no match 1 of dimraw"),
        (["lambo", "LOG", "--match", "2"], "no match 2 of lambo"),
    ],
)
def test_what_there_is_not(tmp_path: Path, args: list[str], message: str) -> None:
    path = tmp_path / "log.txt"
    path.write_text(LOG)
    names = [str(path) if arg == "LOG" else arg for arg in args]
    result = CliRunner().invoke(cli, ["board", *names])
    assert result.exit_code == 2
    assert message in result.stderr


def test_men_of_dimraw() -> None:
    game = adapter("dimraw")
    players = (Player("H", "A"), Player("H", "B"))
    match = Match(game.model(Setup(1, players)))
    for key in "AT":
        match.press(ord(key))
    lines = game.board(match.log, match.model.setup).splitlines()
    assert (lines[0][-1], lines[12][0]) == ("2", "1")


def test_a_wrong_log_is_told_with_its_board(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(LOG.replace("TURN 2 46", "TURN 2 45"))
    (verdict,) = judge_logs(path)
    assert verdict.mismatch is not None
    lines = verdict.mismatch.lines()
    assert lines[0].strip() == ".--oo"
    assert len(verdict.mismatch.board.splitlines()) == 9
    log = PlayLog("LAMBO", "1.0", 5, ())
    other = compare_logs(log, PlayLog("LAMBO", "1.1", 5, ()))
    assert other is not None
    assert other.board == ""
