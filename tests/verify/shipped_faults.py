"""Faults that the games have had, or could have, on a machine with people: put back into copies.

    python -m tests.verify.shipped_faults [NAME] …

Run by hand it prints which matches of the stage find each of them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from unittest.mock import patch

from ti99tools.app.shipped import shipment
from ti99tools.base.basic import CLEAN
from ti99tools.base.cache import nothing_kept
from ti99tools.games.hosts.host import OURS
from ti99tools.games.making.finding import games_root
from ti99tools.games.verify.shipped.flaws import FlawKind, StageMatch
from ti99tools.games.verify.shipped.series import Series
from ti99tools.language.dialect.reader import library_folder

MOST = 5
"""Matches that may be needed: those of the suite."""
LIBRARY = "lib/"
"""What names of files of the library begin with."""


@dataclass(frozen=True)
class Edit:
    """A text of a file that becomes another one."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Fault:
    """A fault in a game; `match` of the stage finds it, as one of `kind` whose text has `message`.

    `load` is what `LOAD` begins with. The `quick` ones are looked for in every run of the tests.
    """

    name: str
    game: str
    edits: tuple[Edit, ...]
    match: int
    kind: FlawKind
    message: str = ""
    load: str = CLEAN
    quick: bool = False


BY_STATUS = (
    Edit(
        "dimraw.xb",
        "  IF KY<>KB THEN\n    KB=KY\n    IF KY>0 THEN pressed\n  END IF\n",
        "  IF S=1 THEN pressed\n",
    ),
    Edit("stick.xb", 'SUB STICK(X) ASM "stick.a99"', "SUB STICK(X)"),
)
"""Dimraw's question as it was: the joystick's look takes the key's newness away."""

UNNAMED = Edit(
    "lib/log.a99",
    "LOGBAD LI   R0,PABAT-2      its byte 2 is the number, and the card's block begins with byte 4"
    "\n       MOV  R0,@>8304\n       LI   R0,>2400        I/O ERROR\n",
    "LOGBAD LI   R0,>2400\n",
)
"""The play log's I/O error as it was: >8304 names no block."""

FAULTS = (
    Fault(
        "1 Lambo keeps the colours of LOAD",
        "lambo",
        (Edit("draw.a99", "       LI   R2,15\n", "       LI   R2,1\n"),),
        0,
        FlawKind.SCREEN,
        "colours",
        quick=True,
    ),
    Fault(
        "1 Lambo and LOAD keep characters and sprites",
        "lambo",
        (Edit("draw.a99", "       BL   @CLEAN\n", ""),),
        0,
        FlawKind.SCREEN,
        "dots",
        "CALL CLEAR",
    ),
    Fault(
        "1 the menu keeps colours and characters",
        "lambo",
        (
            Edit("menu/menu.xb", "FOR I=0 TO 14", "FOR I=9 TO 14"),
            Edit("menu/menu.xb", "  CALL CHARSET ", "! "),
        ),
        2,
        FlawKind.SCREEN,
        "colours",
    ),
    Fault(
        "2 Dimraw trusts the status of CALL KEY", "dimraw", BY_STATUS, 3, FlawKind.LOST, quick=True
    ),
    Fault(
        "3 FCTN-4 ends Lambo",
        "lambo",
        (Edit("lambo.xb", "  ON BREAK NEXT\n", ""),),
        0,
        FlawKind.ENDED,
        "BREAKPOINT",
        quick=True,
    ),
    Fault(
        "3 FCTN-4 ends Dimraw",
        "dimraw",
        (Edit("dimraw.xb", "  ON BREAK NEXT\n", ""),),
        0,
        FlawKind.ENDED,
        "BREAKPOINT",
    ),
    Fault(
        "3 FCTN-= ends Lambo",
        "lambo",
        (Edit("lambo.xb", "  CALL LOAD(-31806,16) ", "! "),),
        0,
        FlawKind.ENDED,
    ),
    Fault(
        "4 the menu runs without a look at the disk",
        "lambo",
        (Edit("menu/menu.xb", "  ON ERROR nodisk ", "  GOTO start ! "),),
        2,
        FlawKind.MENU,
        "SUBPROGRAM NOT FOUND",
        quick=True,
    ),
    Fault(
        "4 the menu goes on after a RUN that failed",
        "lambo",
        (
            Edit("menu/menu.xb", "  ON ERROR nodisk ", "  ON ERROR failed :: GOTO start ! "),
            Edit("menu/menu.xb", "  RUN lost\n", "  RETURN begin\n"),
        ),
        2,
        FlawKind.MENU,
    ),
    Fault(
        "5 a key of before answers the next question",
        "dimraw",
        (
            Edit("lib/keys.xb", "  IF KB THEN CALL KEY(3,KB,S)\n", ""),
            Edit("lib/keys.xb", "  IF KY=KB THEN scankey\n", "  IF S=0 THEN scankey\n"),
        ),
        0,
        FlawKind.SURPRISE,
    ),
    Fault(
        "6 a full disk changes the mode of Dice Rack's picture",
        "dicerack",
        (UNNAMED,),
        2,
        FlawKind.SCREEN,
        "bitmap mode",
        quick=True,
    ),
    Fault(
        "6 a full disk changes the mode of D5000's picture",
        "d5000",
        (UNNAMED,),
        2,
        FlawKind.SCREEN,
        "bitmap mode",
    ),
)
"""Numbers are those of the faults that the disks of 1.0 were shipped with, played on the original
machine; what has 5 could be, 6 was there in 1.1."""


def planted(fault: Fault, folder: Path) -> Path:
    """The games' folder, with this game only, with a fault in it, as a folder in another one."""
    root = folder / "xbasic"
    for name in (fault.game, "menu"):
        copytree(games_root() / name, root / name)
    game = root / fault.game
    for edit in fault.edits:
        path = game / edit.file
        if edit.file.startswith(LIBRARY):
            name = edit.file.removeprefix(LIBRARY)
            path = game / name
            if not path.exists():
                path.write_bytes((library_folder() / name).read_bytes())
                _include(game, name)
        elif "/" in edit.file:
            path = root / edit.file
        text = path.read_text(encoding="utf-8")
        assert text.count(edit.old) == 1, f"{fault.name}: {text.count(edit.old)} in {edit.file}"
        path.write_text(text.replace(edit.old, edit.new), encoding="utf-8")
    return root


def _include(game: Path, name: str) -> None:
    """Let a game include a file of its own in the place of the library's."""
    for path in (*game.glob("*.xb"), *game.glob("*.a99")):
        text = path.read_text(encoding="utf-8")
        name_there = f'"<{name}>"' if path.suffix == ".a99" else f"<{name}>"
        path.write_text(text.replace(name_there, f'"{name}"'), encoding="utf-8")


def series(fault: Fault, folder: Path) -> Series:
    """The stage of the game with the fault."""
    with patch("ti99tools.games.making.artefacts.CLEAN", fault.load), nothing_kept():
        found = shipment([fault.game], OURS, planted(fault, folder))
    return next(found.series(OURS, MOST, 0))


def main(names: list[str]) -> None:
    """Print what finds the faults whose names contain one of some texts, by default all."""
    for fault in FAULTS:
        if names and not any(name in fault.name for name in names):
            continue
        with TemporaryDirectory() as folder:
            stage = series(fault, Path(folder))
            print(fault.name, flush=True)
            for number in range(MOST):
                print(f"  {number}: {_told(stage.play(number))}", flush=True)


def _told(match: StageMatch) -> str:
    if not match.flaws:
        return "right"
    first = " ".join(match.flaws[0].lines())
    return f"{match.situation}: {match.flaws[0].kind.name}: {first[:150]}"


if __name__ == "__main__":
    main(sys.argv[1:])
