"""Pictures of a run: an animation of the whole, the picture at each snap, the last one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from ti99tools.base.hostio import write_atomically
from ti99tools.console.session import Console
from ti99tools.machine.clock import CPU_HZ, FRAME
from ti99tools.render.animation import Animation
from ti99tools.render.picture import save_png

GIF_FRAMES = 6
"""Frames between two looks for the animation: ten pictures a second."""


def record(console: Console) -> Animation:
    """Take pictures while the clock runs; the animation grows as time passes."""
    recording = Animation()
    step = GIF_FRAMES * FRAME

    def look() -> None:
        recording.add(console.machine.picture(), 1000 * step // CPU_HZ)
        console.clock.schedule(console.clock.cycles + step, look)

    console.clock.schedule(0, look)
    return recording


def write_animation(console: Console, recording: Animation, path: Path) -> None:
    """Write what was recorded as GIF."""
    if recording.empty:
        # A program that fails before its first statement takes no time.
        recording.add(console.machine.picture(), 1000)
    write_atomically(path, recording.data())


def write_picture(console: Console, path: Path) -> None:
    """Write the picture that is shown now as PNG."""
    save_png(console.machine.picture().vdp(), path)


def snaps_into(console: Console, folder: Path) -> Callable[[str], None]:
    """What writes the picture of a snap into `folder`; codes that a host may not take as %XX."""
    folder.mkdir(parents=True, exist_ok=True)

    def save(name: str) -> None:
        write_picture(console, folder / f"{quote(name, safe=' ')}.png")

    return save
