"""A TI-99/4A with Extended BASIC: power, the program in memory, the command line.

The one place where machine, interpreter and command mode meet.
"""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.base.cycles import BOOT_CYCLES, FRAME_LEFT
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.command import Commands
from ti99tools.computer.console.workspace import Workspace
from ti99tools.computer.interp.io.lineeditor import LineEditor
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.hardware.machine.machine import Connected, Machine
from ti99tools.media.disk.image import DiskImage


class Computer:
    """The computer with its disks in the drives; works only as far as it is asked to."""

    def __init__(
        self,
        disks: Mapping[str, DiskImage],
        watched: bool = False,
        turning_drives: bool = False,
        step: Stepper | None = None,
        connected: Connected | None = None,
        expansion: bool = True,
        basic: str = "",
    ) -> None:
        self.machine = Machine(disks, turning_drives, connected, expansion)
        self.workspace = Workspace(self.machine, watched, step, basic)
        self.commands = Commands(self.workspace)

    @property
    def running(self) -> bool:
        """Tell whether a program runs, or a line typed without a number."""
        return self.workspace.running

    @property
    def busy(self) -> bool:
        """Tell whether a program runs or a command is under way."""
        return self.running or self.commands.busy

    @property
    def editor(self) -> LineEditor | None:
        """The line being typed: in INPUT or ACCEPT, or at the prompt."""
        return self.workspace.runtime.screenio.editor or self.commands.editor

    def boot(self) -> None:
        """Switch on and choose Extended BASIC; DSK1.LOAD starts if it is there."""
        self.machine.clock.phase = FRAME_LEFT
        self.machine.clock.advance(BOOT_CYCLES)
        try:
            self.workspace.load("DSK1.LOAD")
        except XBError:
            self.show_ready()
            return
        self.start()

    def start(self) -> None:
        """RUN: scan the program and stop before its first statement."""
        self.workspace.start()
        self._come_back()

    def show_ready(self) -> None:
        """Show `* READY *` and the prompt."""
        self.workspace.show_ready()
        self.commands.show_prompt()

    def work(self) -> None:
        """Run the program until it ends, or take one line at the prompt. Raises Pause."""
        if self.running:
            self.workspace.run()
            self._come_back()
        else:
            self.commands.run()

    def _come_back(self) -> None:
        """Show the prompt when nothing is running any more."""
        if not self.running:
            self.commands.show_prompt()
