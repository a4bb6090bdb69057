"""`ti99tools run`: a program on the headless console."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.cli.options import examples

if TYPE_CHECKING:
    from ti99tools.build.manifest import Seed
    from ti99tools.cli.target import Target
    from ti99tools.console.session import Console
    from ti99tools.disk.image import DiskImage
    from ti99tools.hosts.virtual import Session
    from ti99tools.machine.picture import Snapshot

GIF_FRAMES = 6
"""Frames between two looks for the animation: ten pictures a second."""
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    epilog=examples(
        "ti99tools run game.xb --screen",
        'ti99tools run d5000 --seed 7 --keys "12HBOB\\nHANN\\n" --until "S TURN" --screen',
        "ti99tools run disk.dsk --script keys.txt --png screen.png --save-disk after.dsk",
    )
)
@click.argument("target")
@click.option(
    "--keys", metavar="TEXT", help=r"Keys to type, one when each is asked for; \n: ENTER."
)
@click.option("--script", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="A key script: until, type, press, wait, snap.")  # fmt: skip
@click.option("--until", "until_text", metavar="TEXT", help="Stop when TEXT is on the screen.")
@click.option("--screen", is_flag=True, help="Print the last screen, and every snap of the script.")
@click.option("--png", type=FILE, help="Write the last picture.")
@click.option("--gif", type=FILE, help="Write an animation of the whole run.")
@click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), default=600.0,
              show_default=True, metavar="N", help="Machine time after which it ends.")  # fmt: skip
@click.option("--disk", "disks", multiple=True, metavar="DSKn=FILE", help="An image for a drive.")
@click.option("--save-disk", "saves", multiple=True, metavar="[DSKn=]FILE",
              help="Write the image of a drive (default DSK1) at the end.")  # fmt: skip
@click.option("--show-code", is_flag=True, help="Print the Python that was run for the program.")
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Answer a game's seed.")
def command(
    target: str,
    keys: str | None,
    script: Path | None,
    until_text: str | None,
    screen: bool,
    png: Path | None,
    gif: Path | None,
    max_seconds: float,
    disks: tuple[str, ...],
    saves: tuple[str, ...],
    show_code: bool,
    seed: int | None,
) -> None:
    """Run TARGET without a window: a source, a program file, a disk image, or a game.

    A program runs from memory, a disk starts as DSK1 does. Without a disk DSK1 is blank. The run
    goes on to the end of the program, to TEXT of --until, or to the end of the script. The exit
    code is 1 when the program stops with an error, needs more keys, or takes too long.
    """
    from ti99tools.cli.target import find_target, mounted
    from ti99tools.console.session import Console
    from ti99tools.hosts.virtual import Session

    found = find_target(target)
    images = mounted(found, disks)
    console = Console(images, max_seconds=max_seconds)
    session = Session(console, max_seconds, _answer(found, seed))
    recording = _record(console) if gif else []
    _start(console, found)
    problem = _follow(session, script, keys, until_text)
    if screen:
        for name, rows in session.screens.items():
            click.echo(f"--- {name}")
            _print_rows(rows)
        _print_rows(console.screen.rows)
    if show_code:
        _print_code(console)
    _write(console, images, png, gif, recording, saves)
    sys.exit(_report(console, found, problem))


def _start(console: Console, target: Target) -> None:
    if target.program is None:
        console.boot()
    else:
        console.load(target.program)
        console.start()


def _answer(target: Target, seed: int | None) -> Callable[[Console], None] | None:
    """What types the seed once the game asks for it."""
    if seed is None:
        return None
    if target.seed is None:
        raise TIError(f"{target.name} asks for no seed", remedy="leave out --seed")
    return Answer(target.seed, seed)


class Answer:
    """Types the seed whenever the game's question stands on the screen anew."""

    def __init__(self, question: Seed, seed: int) -> None:
        self._question = question
        self._keys = question.keys(seed)
        self._shown = False

    def __call__(self, console: Console) -> None:
        """Look at the screen; type the answer when the question has just appeared."""
        shown = any(self._question.prompt in row for row in console.screen.rows)
        if shown and not self._shown:
            console.type(self._keys)
        self._shown = shown


def _follow(session: Session, script: Path | None, keys: str | None, until: str | None) -> str:
    from ti99tools.trace.keyscript import Type, Until, parse, unescape

    steps = parse(script.read_text(encoding="utf-8"), str(script)) if script else []
    if keys is not None:
        steps.append(Type(unescape(keys)))
    if until is not None:
        steps.append(Until(until))
    problem = session.follow(steps)
    if problem or until is not None or (script is not None and keys is None):
        return problem
    return session.to_end()


def _record(console: Console) -> list[tuple[Snapshot, int]]:
    """Take pictures while the clock runs; the list fills as time passes."""
    from ti99tools.machine.clock import CPU_HZ, FRAME
    from ti99tools.machine.picture import Snapshot

    recording: list[tuple[Snapshot, int]] = []
    step = GIF_FRAMES * FRAME

    def look() -> None:
        console.machine.sync()
        snapshot = Snapshot.of(console.machine.vdp)
        if recording and recording[-1][0] == snapshot:
            recording[-1] = snapshot, recording[-1][1] + 1000 * step // CPU_HZ
        else:
            recording.append((snapshot, 1000 * step // CPU_HZ))
        console.clock.schedule(console.clock.cycles + step, look)

    console.clock.schedule(0, look)
    return recording


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
    recording: list[tuple[Snapshot, int]],
    saves: tuple[str, ...],
) -> None:
    from ti99tools.cli.target import drive_name
    from ti99tools.machine.picture import save_gif, save_png

    if png is not None:
        console.machine.sync()
        save_png(console.machine.vdp, png)
    if gif is not None:
        save_gif(recording, gif)
    for save in saves:
        drive, _, file = save.rpartition("=")
        name = drive_name(drive or "DSK1")
        if name not in images:
            raise TIError(f"no disk in {name}", remedy=f"give one with --disk {name}=FILE")
        images[name].save(file)


def _report(console: Console, target: Target, problem: str) -> int:
    """Say on standard error how the run went; the exit code."""
    seconds = f"{console.clock.seconds:.1f} seconds of machine time"
    if console.error is not None:
        line = console.error.line
        place = str(target.where(line)) if line is not None else ""
        click.echo(f"{place + ': ' if place else ''}{console.error}", err=True)
        return 1
    if problem:
        click.echo(f"{problem}; after {seconds}", err=True)
        return 1
    click.echo(f"{'still running' if console.running else 'ended'} after {seconds}", err=True)
    return 0
