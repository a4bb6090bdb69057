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

FRAMES_A_SECOND = 60
GIF_RATE = 10
"""Looks for the animation in a second of the machine's 60 frames, unless others are asked for."""
PNG_SCALE = 2
"""Pixels that a dot of a picture is wide."""


def record(console: Console, rate: int = GIF_RATE, scale: int = 1) -> Animation:
    """Take `rate` pictures a second while the clock runs; the animation grows as time passes."""
    recording = Animation(scale)
    step = FRAMES_A_SECOND * FRAME // rate
    taken = 0

    def look() -> None:
        nonlocal taken
        taken += 1
        # GIF counts hundredths of a second: what is cut off a picture is added to a later one.
        shown = 10 * (100 * step * taken // CPU_HZ - 100 * step * (taken - 1) // CPU_HZ)
        recording.add(console.machine.picture(), shown)
        console.clock.schedule(console.clock.cycles + step, look)

    console.clock.schedule(0, look)
    return recording


def write_animation(console: Console, recording: Animation, path: Path) -> None:
    """Write what was recorded as GIF."""
    if recording.empty:
        # A program that fails before its first statement takes no time.
        recording.add(console.machine.picture(), 1000)
    write_atomically(path, recording.data())


def write_picture(console: Console, path: Path, scale: int = PNG_SCALE) -> None:
    """Write the picture that is shown now as PNG."""
    save_png(console.machine.picture().vdp(), path, scale)


def snaps_into(console: Console, folder: Path) -> Callable[[str], None]:
    """What writes the picture of a snap into `folder`; codes that a host may not take as %XX."""
    folder.mkdir(parents=True, exist_ok=True)

    def save(name: str) -> None:
        write_picture(console, folder / f"{quote(name, safe=' ')}.png")

    return save
