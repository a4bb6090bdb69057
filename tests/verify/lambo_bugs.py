"""Bugs put into Lambo's source, each with a made-up match that finds it.

`python tests/verify/lambo_bugs.py` looks for the first such match of each and prints a table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ti99tools.games.artefacts import build_game
from ti99tools.games.finding import find_game
from ti99tools.games.manifest import read_manifest
from ti99tools.hosts.virtual import host
from ti99tools.verify.loading import adapter
from ti99tools.verify.matches import play
from ti99tools.verify.result import MatchResult
from ti99tools.verify.scenario_maker import make

MOST = 400


class Bug(NamedTuple):
    """What is wrong, the file, its text and the text instead, and the seed of a match."""

    name: str
    file: str
    old: str
    new: str
    seed: int


BUGS = (
    Bug("tip and bridge swapped in orientation B", "groups.xb",
        "X=Z2 :: Z=Z3 :: Y=Z1 :: N1=3 :: N2=1", "X=Z1 :: Z=Z3 :: Y=Z2 :: N1=3 :: N2=2", 0),
    Bug("liberty not removed", "groups.xb",
        "IF Y=1 THEN LB$(Z)=SEG$(U$,2,255) ELSE", "IF Y=1 THEN LB$(Z)=U$ ELSE", 0),
    Bug("united groups keep the bridges of one", "groups.xb",
        "SL(Z)=SL(Z)+128*N", "SL(Z)=SL(Z)+0*N", 1),
    Bug("liberties of united groups lost", "groups.xb",
        "FOR I1=1 TO LEN(U$)", "FOR I1=2 TO LEN(U$)", 0),
    Bug("groups without a bridge win", "groups.xb",
        "IF SL(Z) THEN\n    IF T THEN WL=Z", "IF NX THEN\n    IF T THEN WL=Z", 4),
    Bug("judged by the turn, not by the tile", "match.xb",
        "  IF WD+WL THEN closedgroup\n  M=M-1\n",
        "  M=M-1\n  IF WD+WL>0 AND M=0 THEN closedgroup\n", 0),
    Bug("groups of both colors win for the mover", "match.xb",
        "WP=3-PT\n    H$", "WP=PT\n    H$", 7),
    Bug("LARGEST counts points", "match.xb", "F2=N :: WL=Z", "F2=N+1 :: WL=Z", 1),
    Bug("odd and even columns swapped", "human.xb",
        "K=27*C+R+INT((C+1)/2)", "K=27*C+R+INT(C/2)", 0),
    Bug("ADJACENT ignored", "human.xb",
        "IF AD=0 OR M>PR THEN RETURN\n  V=ABS", "IF AD>=0 OR M>PR THEN RETURN\n  V=ABS", 8),
    Bug("hole rule ignored", "groups.xb",
        "  NEXT I1\n  F=1\n  RETURN\n", "  NEXT I1\n  RETURN\n", 8),
    Bug("hole rule for the second tile too", "groups.xb",
        "IF AD=0 OR M<=PR OR PR=0 THEN", "IF AD=0 OR PR=0 THEN", 174),
    Bug("UNDO leaves the liberties", "groups.xb", " :: LB$(Z)=UL$(I1)", "", 3),
    Bug("UNDO leaves the frontier", "groups.xb",
        '    GC$(ABS(KK(I1)))=""\n', '    GC$(0)=""\n', 3),
    Bug("UNDO leaves the points", "groups.xb", '=0 THEN PG$(B+D)=""', '=1 THEN PG$(B+D)=""', 4),
    Bug("UNDO leaves the tile for the next view", "human.xb", "  GOSUB stampboth\n", "", 48),
    Bug("row 26 can be typed", "human.xb", '90012345"', '90123456"', 100),
    Bug("two tiles in the first turn", "match.xb", "  PR=0\n\nnextturn", "  PR=1\n\nnextturn", 0),
    Bug("two tiles when one is left", "match.xb",
        "IF SZ-NT=1 THEN PR=0", "IF SZ-NT=0 THEN PR=0", 1),
    Bug("a threat of the other's is worth what one's own is", "tables.xb",
        "FT(OTHERS+1),FT(OTHERS+2)=60000", "FT(OTHERS+1),FT(OTHERS+2)=3600", 61),
    Bug("EASY draws a cell too far", "think.xb", "INT(RG*NP/6075)", "INT(RG*NP/6076)", 80),
    Bug("a finish with the wrong end", "think.xb",
        "IF (Z1=X)=(N=1) THEN", "IF (Z1=X)=(N=2) THEN", 3),
    Bug("the nearest group is forgotten after a finish that fails", "think.xb",
        "    IF F THEN RETURN\n    GOSUB nearest\n", "    IF F THEN RETURN\n", 9_000_008),
    Bug("a liberty that two groups share counts twice", "weigh.a99",
        "       JNE  OTHERS1\n       DEC  R6\n", "       JNE  OTHERS1\n", 61),
    Bug("a group that is gone keeps its place", "groups.xb", "  NS(T)=NS(T)-1\n", "", 9),
    Bug("the last turn's tiles stay yellow", "match.xb", "FOR J=HT TO NT-1", "FOR J=HT TO NT-2", 0),
    Bug("the bag shows one too many", "match.xb", '"BAG";SZ-NT', '"BAG";SZ-NT+1', 0),
)  # fmt: skip


def disk(bug: Bug) -> bytes:
    """The disk of the game with a bug in it."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "lambo"
        copytree(find_game("lambo").folder, folder)
        path = folder / bug.file
        text = path.read_text(encoding="utf-8")
        assert text.count(bug.old) == 1, f"{bug.name}: {text.count(bug.old)} times in {bug.file}"
        path.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
        return build_game(read_manifest(folder)).image.to_bytes()


def match(image: bytes, seed: int) -> MatchResult:
    """The made-up match of a seed on a disk."""
    game = adapter("lambo")
    return play(game, host(), image, make(game, seed)[0])


def found(bug: Bug) -> Iterator[tuple[int, MatchResult]]:
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
        seed, result = next(found(bug), (-1, None))
        told = result.mismatch if result else None
        shown = (told.expected, told.got) if told else ("not found", "")
        print(f"| {bug.name} | {seed} | {shown[0]} | {shown[1]} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
