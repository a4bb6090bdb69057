"""`ti99tools run`: a program on the headless console."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.cli.options import OutputFile, examples, saves_option, session_options

if TYPE_CHECKING:
    from ti99tools.console.session import Console
    from ti99tools.disk.image import DiskImage
    from ti99tools.render.animation import Animation

GIF_FRAMES = 6
"""Frames between two looks for the animation: ten pictures a second."""


@click.command(
    epilog=examples(
        "ti99tools run game.xb --screen",
        'ti99tools run d5000 --seed 7 --keys "12HBOB\\nHANN\\n" --until "S TURN" --screen',
        "ti99tools run disk.dsk --script keys.txt --png screen.png --save-disk after.dsk",
    )
)
@session_options
@click.option("--screen", is_flag=True, help="Print the last screen, and every snap of the script.")
@click.option("--png", type=OutputFile(), help="Write the last picture as PNG.")
@click.option("--gif", type=OutputFile(), help="Write an animation of the whole run as GIF.")
@click.option(
    "--snaps", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Write the picture of every snap of the script as DIR/NAME.png.",
)  # fmt: skip
@saves_option
@click.option("--show-code", is_flag=True, help="Print the Python that was run for the program.")
def command(
    target: str,
    keys: str | None,
    script: Path | None,
    until_text: str | None,
    screen: bool,
    png: Path | None,
    gif: Path | None,
    snaps: Path | None,
    max_seconds: float,
    disks: tuple[str, ...],
    saves: tuple[str, ...],
    show_code: bool,
    seed: int | None,
) -> None:
    """Run TARGET without a window: a source, a program file, a disk image, or a game.

    A program runs from memory, a disk starts as DSK1 does. Without a disk DSK1 is blank.

    The steps of --script are done first, then the keys of --keys are typed, then TEXT of --until is
    waited for. Where that ends with a step that waits or looks (until, wait, rest, snap), the run
    stops there; where it ends with keys, or nothing is given, the program goes on to its end. The
    exit code is 0 when the run comes so far, and 1 when before that the program stops with an
    error, waits for a key that nobody gives, or takes more than --max-seconds.

    Keys follow each other as fast as the console's keyboard takes them: each stays down until the
    program has seen it, so that a program that computes loses none (`hold` and `release` give no
    such help). With --seed each key is
    given only when the program looks for one, so that the question for the seed is seen and
    answered in time; keys for a program that looks for them at its own pace may do other things
    with and without --seed.

    \b
    A key script has one step a line; # begins a remark:
      until PLAYERS?          go on when this text stands in a row of the screen
      until ready             go on when the program has ended
      type BOB\\n              type characters; \\n is ENTER, \\\\ a backslash
      press LEFT              press a key: LEFT RIGHT UP DOWN ENTER SPACE CLEAR
                              ERASE REDO BACK DEL INS PROCEED AID BEGIN,
                              CTRL-A and the like, or one character
      press A hold 30 gap 10  hold it for 30 frames (60 a second), then wait 10
      hold E                  keep a key down while others are pressed
      release E               let it go
      joystick 1 UP FIRE      move a joystick; it stays so
      joystick 1 CENTER       let it go
      wait 60                 let so many frames pass
      rest 60                 go on when the screen has stayed the same so long
      snap board              remember the screen, for --screen and --snaps
    """
    from ti99tools.cli.headless import Headless
    from ti99tools.tasks.drives import check_saves
    from ti99tools.tasks.sources import spare

    headless = Headless.of(target, disks, max_seconds, seed)
    check_saves(headless.target, headless.images, saves)
    spare(Path(target), png, gif)
    console, player = headless.console, headless.player
    recording = _record(console) if gif else None
    if snaps is not None:
        player.when_snapped = _pictures(console, snaps)
    headless.target.start(console)
    end = headless.follow(script, keys, until_text)
    if screen:
        for name, rows in player.screens.items():
            click.echo(f"--- {name}")
            _print_rows(rows)
        last = tuple(console.screen.rows)
        if not player.screens or list(player.screens.values())[-1] != last:
            if player.screens:
                click.echo("---")
            _print_rows(last)
    if show_code:
        _print_code(console)
    _write(console, headless.images, png, gif, recording, saves)
    sys.exit(headless.report(end))


def _record(console: Console) -> Animation:
    """Take pictures while the clock runs; the animation grows as time passes."""
    from ti99tools.machine.clock import CPU_HZ, FRAME
    from ti99tools.machine.vdp import Snapshot
    from ti99tools.render.animation import Animation

    recording = Animation()
    step = GIF_FRAMES * FRAME

    def look() -> None:
        console.machine.sync()
        recording.add(Snapshot.of(console.machine.vdp), 1000 * step // CPU_HZ)
        console.clock.schedule(console.clock.cycles + step, look)

    console.clock.schedule(0, look)
    return recording


def _pictures(console: Console, folder: Path) -> Callable[[str], None]:
    """What writes the picture of a snap into `folder`; codes that a host may not take as %XX."""
    from urllib.parse import quote

    from ti99tools.render.picture import save_png

    folder.mkdir(parents=True, exist_ok=True)

    def save(name: str) -> None:
        console.machine.sync()
        save_png(console.machine.vdp, folder / f"{quote(name, safe=' ')}.png")

    return save


def _print_rows(rows: Sequence[str]) -> None:
    for row in rows:
        click.echo("".join(c if " " <= c <= "~" else " " for c in row).rstrip())


def _print_code(console: Console) -> None:
    if console.execution is None:
        return
    for unit in console.execution.compiler.files.values():
        click.echo(f"# {unit.name}\n{unit.source}")


def _write(
    console: Console,
    images: Mapping[str, DiskImage],
    png: Path | None,
    gif: Path | None,
    recording: Animation | None,
    saves: tuple[str, ...],
) -> None:
    from ti99tools.base.hostio import write_atomically
    from ti99tools.machine.vdp import Snapshot
    from ti99tools.render.picture import save_png
    from ti99tools.tasks.drives import save_disks

    console.machine.sync()
    if png is not None:
        save_png(console.machine.vdp, png)
    if gif is not None and recording is not None:
        if recording.empty:
            # A program that fails before its first statement takes no time.
            recording.add(Snapshot.of(console.machine.vdp), 1000)
        write_atomically(gif, recording.data())
    save_disks(images, saves)
