"""`ti99tools play`: a program in a window, or in a text terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import (
    OutputFile,
    Whole,
    basic_option,
    connect_options,
    disks_option,
    examples,
    names_cartridge,
    on_image,
    path_option,
    saves_option,
    targets,
)
from ti99tools.fronts.cli.run_report import warn

if TYPE_CHECKING:
    from ti99tools.app.run import Wires


@click.command(
    epilog=examples(
        "ti99tools play d5000",
        "ti99tools play game.xb --terminal",
        "ti99tools play --disk DSK2=work.dsk",
        "ti99tools play --cs1 tape.wav",
        "ti99tools play d5000 --record match.keys --save-disk after.dsk",
        "ti99tools play d5000 --script match.keys --record longer.keys",
        "ti99tools run d5000 --script match.keys --screen",
    )
)
@click.argument("target", required=False, shell_complete=targets)
@click.argument("program", required=False, shell_complete=on_image)
@click.option("--terminal", is_flag=True, help="Play in this text terminal, without sound.")
@click.option("--turbo", is_flag=True, help="Begin as fast as this computer can.")
@click.option(
    "--scale",
    type=Whole(1, 16),
    default=3,
    show_default=True,
    help="Pixels that a dot of the picture is wide.",
)
@click.option("--joystick", is_flag=True, help="The arrow keys are joystick 1, Ctrl its button.")
@click.option(
    "--record", type=OutputFile(), help="Write the session as a key script, for run --script."
)
@path_option("--script", help="Go on where this key script ends, such as one of --record.")
@click.option(
    "--debug",
    is_flag=True,
    help="Begin with the debugger; F10 and Pause come back to it. See `debug --help`.",
)
@basic_option
@disks_option
@saves_option
@connect_options
def command(
    target: str | None,
    program: str | None,
    terminal: bool,
    turbo: bool,
    scale: int,
    joystick: bool,
    record: Path | None,
    script: Path | None,
    debug: bool,
    disks: tuple[tuple[str, Path], ...],
    saves: tuple[tuple[str, Path], ...],
    wires: Wires,
    basic: str,
) -> None:
    """Play TARGET: a source, a program file, a disk image, or a game.

    A program runs from memory, a disk starts as DSK1 does, or with the PROGRAM that you name; so
    does a cartridge with several programs. Without TARGET an empty console waits
    at its prompt, with what --disk puts into the drives (DSK1.LOAD would start). It goes on
    at the prompt of Extended BASIC when the program ends; close the window (in a terminal press
    Ctrl-C) to leave.

    In a terminal of 64 columns or more, drawings such as dice and sprites show as they are, at half
    size; in a smaller one each takes one character.

    As on the machine, a key is lost if the program does not look for one while it is down: hold it
    until it is seen.

    \b
    Characters   as they are typed here; ALPHA LOCK is down
    Enter        ENTER
    F1 to F9     FCTN-1 to FCTN-9: DEL, INS, ERASE, CLEAR, BEGIN,
                 PROC'D, AID, REDO, BACK (F4, CLEAR, stops a program)
    Alt and key  FCTN and that key (the left Alt key; Option on a Mac)
    Ctrl and key CTRL and that key
    Arrows       FCTN-S, D, E, X; with --joystick joystick 1,
                 Ctrl being its button
    Backspace    LEFT; Delete DEL, Insert INS, Esc BACK
    F10, Pause   pause
    F11          turbo on and off; Tab: turbo while it is held
                 (in a terminal on and off)
    F12          save the picture as a PNG file in this folder
    """
    from ti99tools.app.source import apart
    from ti99tools.fronts.play.playing import PlaySession

    if terminal and joystick:
        raise TIError("a terminal does not tell when keys go up", remedy="leave out --joystick")
    if names_cartridge(target):
        basic = ""
    if debug and target is None:
        raise TIError("nothing to debug", remedy="name what is to be debugged")
    if debug and script is not None:
        raise TIError("--debug begins at the start", remedy="leave out --script")
    apart(*wires.files, record, *(file for _, file in saves))
    connections = wires.connect(None if target is None else Path(target), bool(record or saves))
    if debug and connections:
        raise TIError("--debug goes back in time, a cassette does not", remedy="leave out one")
    if debug and target is not None:
        from ti99tools.fronts.debug.debugplay import debug_play

        debug_play(
            target,
            disks,
            saves,
            record,
            terminal=terminal,
            turbo=turbo,
            scale=scale,
            joystick=joystick,
            program=program,
            basic=basic,
            replace=wires.replace,
        )
        return
    sitting = PlaySession.of(
        target,
        disks,
        saves,
        record,
        turbo=turbo,
        scale=scale,
        connections=connections,
        program=program,
        basic=basic,
        replace=wires.replace,
        script=script,
    )
    warn(sitting.target)
    sitting.play(terminal=terminal, scale=scale, joystick=joystick)
