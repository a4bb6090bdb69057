"""A session in a window or a text terminal: played and recorded, its disks saved."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.app.consoles import console_for
from ti99tools.app.realtime import Stage
from ti99tools.app.run import Connections, origins_of, steps_of
from ti99tools.app.run_drives import Mounts, check_saves, mounted, save_disks
from ti99tools.app.source import OutputKind, keep_others, spare
from ti99tools.app.target import Target, find_target
from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.base.interrupts import heed_termination
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.keyscript import Step, Wait, write
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.fronts.play.terminal import Terminal
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME
from ti99tools.media.disk.image import DiskImage

if TYPE_CHECKING:
    from ti99tools.fronts.play.window import Window


MORE_SECONDS = 600.0
"""Machine time that a script may take besides its waits before the player begins."""
EMPTY = "Extended BASIC"
"""The title of a console without a program."""


@dataclass
class PlaySession:
    """A target on the stage; `record` and `saves` are written when it is over."""

    target: Target
    console: AnyConsole
    stage: Stage
    images: Mapping[str, DiskImage]
    saves: Mounts = ()
    record: Path | None = None
    connections: Connections | None = None

    @classmethod
    def of(
        cls,
        name: str | None,
        disks: Mounts = (),
        saves: Mounts = (),
        record: Path | None = None,
        *,
        turbo: bool = False,
        scale: int = 3,
        connections: Connections | None = None,
        program: str | None = None,
        basic: str = "",
        replace: bool = False,
        script: Path | None = None,
    ) -> PlaySession:
        """Open a target and start it on a console; None: a console without a program.

        `program` is one on a disk or a cartridge. The player goes on where `script` ends, a key
        script which is carried out at once. With `replace` the files written may replace any
        others. Raises TIError.
        """
        steps = steps_of(script, None, None)
        target = Target(EMPTY, basic=basic)
        if name is not None:
            target = find_target(name, program, basic)
        images = mounted(target, disks)
        check_saves(target, images, saves, replace)
        if name is not None:
            spare(Path(name), record)
        keep_others(record, kind=OutputKind.KEYS, replace=replace)
        console = console_for(target, images, connected=connections)
        target.start(console)
        _carry_out(steps, console, script)
        stage = Stage(console, Path(target.name).name, turbo, scale)
        stage.pilot.take_over(steps)
        return cls(target, console, stage, images, saves, record, connections)

    def play(self, *, terminal: bool = False, scale: int = 3, joystick: bool = False) -> None:
        """Play until the player leaves; the files are written even after an error."""
        heed_termination()
        front = Terminal(self.stage) if terminal else window_of(self.stage, scale, joystick)
        # The last comes first; each is done even if another one fails.
        with ExitStack() as ending:
            if self.connections is not None:
                ending.callback(self.connections.write)
            ending.callback(save_disks, self.images, self.saves)
            if self.record is not None:
                ending.callback(self._write_script, self.record)
            with suppress(KeyboardInterrupt):
                front.run()

    def _write_script(self, record: Path) -> None:
        head = f"# {self.target.name}, recorded by ti99tools play\n"
        write_atomically(record, head + write(self.stage.pilot.finish()))


def _carry_out(steps: list[Step], console: AnyConsole, script: Path | None) -> None:
    """Carry out a script before the player begins. Raises TIError for a step that fails."""
    if script is None:
        return
    waits = sum(step.frames for step in steps if isinstance(step, Wait)) * FRAME / CPU_HZ
    end = ScriptPlayer(console, console.clock.seconds + waits + MORE_SECONDS).follow(steps)
    if end.step is not None:
        raise TIError(
            f"{origins_of(script)[end.step]}: {end}",
            remedy=f"shorten the script, or look at it with run --script {script.name}",
        )


def window_of(stage: Stage, scale: int, joystick: bool) -> Window:
    """The window that shows a stage. Raises TIError if pygame is not installed."""
    # Before pygame is imported, or it greets on standard output.
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        from ti99tools.fronts.play.window import Window
    except ModuleNotFoundError as error:
        if error.name != "pygame":
            raise
        raise TIError("pygame-ce is not installed", remedy=Remedy.INSTALL_PLAY) from error
    return Window(stage, scale, joystick)
