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
        "DATA 0,5,6,2,3,2,1,2,3,1", "DATA 0,5,6,2,3,2,1,2,1,2", 1),
    Bug("liberty not removed", "groups.xb",
        "IF J THEN LB$(Z)=SEG$(LB$(Z),1,J-1)", "IF J>9 THEN LB$(Z)=SEG$(LB$(Z),1,J-1)", 0),
    Bug("united groups keep the bridges of one", "groups.xb",
        "BR(Z)=BR(Z)+BR(Y)", "BR(Z)=BR(Z)", 1),
    Bug("liberties of united groups lost", "groups.xb",
        "FOR I=1 TO LEN(A$) STEP 2", "FOR I=3 TO LEN(A$) STEP 2", 2),
    Bug("groups without a bridge win", "groups.xb",
        "IF BR(Z) THEN\n    IF B THEN WL=Z", "IF NX THEN\n    IF B THEN WL=Z", 4),
    Bug("judged by the turn, not by the tile", "lambo.xb",
        "  IF WD+WL THEN closedgroup\n  M=M-1\n",
        "  M=M-1\n  IF WD+WL>0 AND M=0 THEN closedgroup\n", 3),
    Bug("groups of both colors win for the mover", "lambo.xb",
        "WP=3-PT\n    H$", "WP=PT\n    H$", 7),
    Bug("LARGEST counts points", "lambo.xb",
        "E=BR(I) :: WL=I", "E=BR(I)+1 :: WL=I", 1),
    Bug("odd and even columns swapped", "groups.xb",
        "THEN D$=B$ ELSE C$=B$", "THEN C$=B$ ELSE D$=B$", 0),
    Bug("ADJACENT ignored", "human.xb",
        "IF M<=PR THEN F=POS(X1$,X$,1)", "IF M<PR THEN F=POS(X1$,X$,1)", 8),
    Bug("hole rule ignored", "groups.xb", "  F=1\n  RETURN\n", "  RETURN\n", 8),
    Bug("hole rule for the second tile too", "groups.xb",
        "IF AD=0 OR M<=PR THEN RETURN", "IF AD=0 THEN RETURN", 108),
    Bug("UNDO leaves the liberties", "groups.xb",
        "KE(Z)=UK(I) :: LB$(Z)=US$(I)", "KE(Z)=UK(I)", 33),
    Bug("UNDO leaves the frontier", "groups.xb", "  FR$=UF$\n", "", 4),
    Bug("row 26 can be typed", "human.xb", '90012345"', '90123456"', 100),
    Bug("two tiles in the first turn", "lambo.xb", "  PR=0\n\nnextturn", "  PR=1\n\nnextturn", 0),
    Bug("two tiles when one is left", "lambo.xb",
        "IF SZ-NT=1 THEN PR=0", "IF SZ-NT=0 THEN PR=0", 1),
    Bug("a threat of the other's is worth what one's own is", "tables.xb",
        "FT(1,1),FT(1,2)=60000", "FT(1,1),FT(1,2)=3600", 222),
    Bug("EASY draws a cell too far", "think.xb",
        "2*INT(RG*LEN(F$)/12150)+1", "2*INT(RG*LEN(F$)/12151)+1", 176),
    Bug("a finish with the wrong end", "think.xb", "=(N=-1) THEN EXIT", "=(N=-2) THEN EXIT", 3),
    Bug("the last turn's tiles stay yellow", "lambo.xb", "FOR J=HT TO NT-1", "FOR J=HT TO NT-2", 0),
    Bug("the bag shows one too many", "lambo.xb", '"BAG";SZ-NT', '"BAG";SZ-NT+1', 0),
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
