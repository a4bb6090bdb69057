"""A session in a window or a text terminal: played and recorded, its disks saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.app.consoles import console_for
from ti99tools.app.realtime import Stage
from ti99tools.app.run import Connections
from ti99tools.app.run_drives import Mounts, check_saves, mounted, save_disks
from ti99tools.app.source import OutputKind, keep_others, spare
from ti99tools.app.target import Target, find_target
from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.keyscript import write
from ti99tools.fronts.play.terminal import Terminal
from ti99tools.media.disk.image import DiskImage

if TYPE_CHECKING:
    from ti99tools.fronts.play.window import Window


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
        basic: str = "",
        replace: bool = False,
    ) -> PlaySession:
        """Open a target and start it on a console; None: a console without a program.

        With `replace` the files written may replace any others. Raises TIError.
        """
        target = Target(EMPTY, basic=basic) if name is None else find_target(name, basic=basic)
        images = mounted(target, disks)
        check_saves(target, images, saves, replace)
        if name is not None:
            spare(Path(name), record)
        keep_others(record, kind=OutputKind.KEYS, replace=replace)
        console = console_for(target, images, connected=connections)
        target.start(console)
        stage = Stage(console, Path(target.name).name, turbo, scale)
        return cls(target, console, stage, images, saves, record, connections)

    def play(self, *, terminal: bool = False, scale: int = 3, joystick: bool = False) -> None:
        """Play until the player leaves; the files are written even after an error."""
        front = Terminal(self.stage) if terminal else window_of(self.stage, scale, joystick)
        try:
            front.run()
        except KeyboardInterrupt:
            pass
        finally:
            if self.record is not None:
                head = f"# {self.target.name}, recorded by ti99tools play\n"
                write_atomically(self.record, head + write(self.stage.pilot.finish()))
            save_disks(self.images, self.saves)
            if self.connections is not None:
                self.connections.write()


def window_of(stage: Stage, scale: int, joystick: bool) -> Window:
    """The window that shows a stage. Raises TIError if pygame is not installed."""
    try:
        from ti99tools.fronts.play.window import Window
    except ModuleNotFoundError as error:
        if error.name != "pygame":
            raise
        raise TIError("pygame-ce is not installed", remedy=Remedy.INSTALL_PLAY) from error
    return Window(stage, scale, joystick)
