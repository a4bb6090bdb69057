"""Games that start from an image: the picture is taken from our console."""

from __future__ import annotations

from dataclasses import replace

from ti99tools.base.errors import BuildError
from ti99tools.console.session import Console
from ti99tools.disk.image import DiskImage
from ti99tools.games.artefacts import SIZES, Built, disk_artefacts, packed_disk
from ti99tools.games.faststart import PICTURE, Picture, fast_start
from ti99tools.games.loader import FIRST_LINE, drawing
from ti99tools.games.manifest import Manifest
from ti99tools.machine.vdp import COLORS
from ti99tools.program.program import Program

DRAWING = 60.0
"""Seconds of machine time that a picture may take."""
_DRAWN = "CALL KEY(0,K,S)"


def picture_of(manifest: Manifest) -> Picture:
    """The game's picture as it stands in video memory. Raises BuildError when it does not end."""
    lines = [*drawing(manifest), _DRAWN, "STOP"]
    listing = "".join(f"{number} {line}\n" for number, line in enumerate(lines, FIRST_LINE))
    console = Console(max_seconds=DRAWING)
    console.load(Program.from_listing(listing, "picture"))
    seen: list[Picture] = []

    def look() -> None:
        vdp = console.machine.vdp
        colors = bytes(vdp.ram[COLORS : COLORS + 32])
        seen.append(Picture(bytes(vdp.ram[:PICTURE]), colors, vdp.backdrop))

    console.machine.keyboard.tell_look(look)
    console.run()
    if not seen:
        raise BuildError(
            f"{manifest.game}: its picture does not come to its end",
            remedy="picture.xb draws and does nothing else",
        )
    return seen[0]


def fast_disk(built: Built) -> DiskImage:
    """The game's disk with a `LOAD` that starts it from an image. Raises TIError."""
    manifest = built.manifest
    files = fast_start(manifest, built.program, picture_of(manifest))
    everything = [files.load, *files.parts, *built.files]
    return packed_disk(manifest.game, manifest.disk, everything, SIZES)


def fast_name(game: str) -> str:
    """What the files of the game's fast disk are called, without an ending."""
    return f"{game}-fast"


def with_fast_disk(built: Built) -> Built:
    """The game with its fast disk among what is built."""
    made = disk_artefacts(fast_name(built.name), fast_disk(built))
    return replace(built, artefacts=(*built.artefacts, *made))
