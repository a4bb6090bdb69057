"""Bugs put into Lambo's source, each with a made-up match that finds it.

`python tests/verify/lambo_bugs.py` looks for the first such match of each and prints a table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.verify.earlyend import ends_where_the_log_differs
from ti99tools.games.hosts.virtual import host
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.result import MatchResult
from ti99tools.games.verify.scenario import Scenario, make

MOST = 400


class Bug(NamedTuple):
    """What is wrong, the file, its text and the text instead, and the seed of a match."""

    name: str
    file: str
    old: str
    new: str
    seed: int


BUGS = (
    Bug(
        "tip and bridge swapped in orientation B",
        "groups.a99",
        "the ends of the bridge\n",
        "\n       CI   R1,2\n       JNE  BUG\n       CLR  R1\nBUG    EQU  $\n",
        11,
    ),
    Bug("liberty not removed", "groups.a99", "       SZC  R4,*R2\n", "", 11),
    Bug(
        "united groups keep the bridges of one",
        "groups.a99",
        "       AB   @BR(R8),@BR(R5)\n",
        "",
        8,
    ),
    Bug(
        "liberties of united groups lost",
        "groups.a99",
        "UNITE2 SOC  *R1,*R2+\n",
        "UNITE2 INCT R2\n",
        29,
    ),
    Bug(
        "groups without a bridge win",
        "groups.a99",
        "CHANG1 MOVB @BR(R5),R0\n       JEQ  CHANG2\n",
        "CHANG1 EQU  $\n",
        38,
    ),
    Bug(
        "judged by the turn, not by the tile",
        "match.xb",
        "  IF F THEN closedgroup\n  M=M-1\n",
        "  M=M-1\n  IF F>0 AND M=0 THEN closedgroup\n",
        11,
    ),
    Bug(
        "groups of both colors win for the mover", "match.xb", "WP=3-PT\n    H$", "WP=PT\n    H$", 7
    ),
    Bug(
        "LARGEST counts points",
        "match.xb",
        "  CALL BOARD(LARGEST,K,O,F,C$)\n",
        "  CALL BOARD(LARGEST,K,O,F,C$)\n  O=O+1\n",
        8,
    ),
    Bug(
        "odd and even columns swapped", "human.xb", "K=27*C+R+INT((C+1)/2)", "K=27*C+R+INT(C/2)", 10
    ),
    Bug(
        "ADJACENT ignored",
        "board.a99",
        "       MOV  @AD,R2\n       JEQ  MAYBE1\n",
        "       JMP  MAYBE1\n",
        8,
    ),
    Bug(
        "hole rule ignored",
        "groups.a99",
        "       JNE  HOLE1\n       LI   R0,1\n",
        "       JNE  HOLE1\n       CLR  R0\n",
        8,
    ),
    Bug(
        "hole rule for the second tile too",
        "board.a99",
        "       CI   R1,2\n       JNE  ROOM1\n",
        "       MOV  R1,R1\n       JEQ  ROOM1\n",
        174,
    ),
    Bug(
        "UNDO leaves the liberties", "groups.a99", "       CI   R1,TK\n", "       CI   R1,LB\n", 299
    ),
    Bug("UNDO leaves the frontier", "groups.a99", "       MOV  R1,@NP\n", "", 8),
    Bug(
        "UNDO leaves the points",
        "groups.a99",
        "CLEAR1 CLR  *R1+\n",
        "CLEAR1 CI   R1,PG\n       JNE  BUG\n       LI   R1,BR\nBUG    CLR  *R1+\n",
        8,
    ),
    Bug(
        "UNDO leaves the tile in the picture",
        "human.xb",
        "  HT=NT+1\n  GOSUB view\n",
        "  HT=NT+1\n",
        3,
    ),
    Bug("row 26 can be typed", "human.xb", '90012345"', '90123456"', 100),
    Bug("two tiles in the first turn", "match.xb", "  PR=0\n\nnextturn", "  PR=1\n\nnextturn", 10),
    Bug(
        "two tiles when one is left", "match.xb", "IF SZ-NT=1 THEN PR=0", "IF SZ-NT=0 THEN PR=0", 1
    ),
    Bug(
        "a threat of the other's is worth what one's own is",
        "board.a99",
        ">0900,0,60000,0,60000",
        ">0900,0,3600,0,3600",
        61,
    ),
    Bug(
        "a draw among too many",
        "think.a99",
        "PART   MOV  @RANDOM,R0\n       MPY  R3,R0\n       LI   R2,6075\n",
        "PART   MOV  @RANDOM,R0\n       MPY  R3,R0\n       LI   R2,6076\n",
        80,
    ),
    Bug(
        "a finish with the wrong end",
        "think.a99",
        "       JEQ  FINIS9\n",
        "       JEQ  FINIS9\n       LI   R1,3\n       XOR  R1,R0\n",
        11,
    ),
    Bug(
        "HARD goes on after the group of its last turn",
        "think.a99",
        "       CLR  @KEYA\n       CLR  @KEYZ\n",
        "",
        3,
    ),
    Bug(
        "a tile's own cell counts as a liberty",
        "weigh.a99",
        "       A    @EXTRA,R0\n       DEC  R0\n",
        "       A    @EXTRA,R0\n",
        61,
    ),
    Bug(
        "a liberty that two groups share is lost",
        "weigh.a99",
        "INTO1  SOC  *R2+,*R1+\n",
        "INTO1  MOV  *R2+,*R1+\n",
        61,
    ),
    Bug("a group that is gone keeps its points", "groups.a99", "       MOVB R0,@PA(R8)\n", "", 8),
    Bug(
        "the last turn's tiles stay yellow",
        "match.xb",
        "IF M>PR THEN HT=NT",
        "IF M>PR THEN HT=NT-1",
        10,
    ),
    Bug("the bag shows one too many", "match.xb", '"BAG";SZ-NT', '"BAG";SZ-NT+1', 10),
)


def disk(bug: Bug) -> bytes:
    """The disk of the game with a bug in it."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "lambo"
        copytree(find_game("lambo").folder, folder)
        path = folder / bug.file
        text = path.read_text(encoding="utf-8")
        assert text.count(bug.old) == 1, f"{bug.name}: {text.count(bug.old)} times in {bug.file}"
        path.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
        return build_game(read_manifest(folder), passes=()).image.to_bytes()


@cache
def made_up_match(seed: int) -> tuple[Scenario, PlayLog]:
    """The made-up match of a seed, and its log by the rules."""
    return make(adapter("lambo"), seed)


def match(image: bytes, seed: int) -> MatchResult:
    """The made-up match of a seed on a disk, up to the first line that differs."""
    game = adapter("lambo")
    scenario, log = made_up_match(seed)
    with ends_where_the_log_differs(scenario, log):
        return play(game, host(), image, scenario)


def matches_that_find(bug: Bug) -> Iterator[tuple[int, MatchResult]]:
    """The matches that find a bug, and their seeds."""
    image = disk(bug)
    for seed in range(MOST):
        result = match(image, seed)
        if result.mismatch is not None:
            yield seed, result


def main(names: list[str]) -> None:
    """Print a table of the bugs whose names contain one of some texts, by default all."""
    print("| bug | match | rules | game |\n|---|---|---|---|")
    for bug in BUGS:
        if names and not any(name in bug.name for name in names):
            continue
        seed, result = next(matches_that_find(bug), (-1, None))
        mismatch = result.mismatch if result else None
        pair = (mismatch.expected, mismatch.got) if mismatch else ("not found", "")
        print(f"| {bug.name} | {seed} | {pair[0]} | {pair[1]} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
