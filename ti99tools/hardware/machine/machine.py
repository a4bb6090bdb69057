"""The console's hardware in one place: clock, video, keyboard, sound, sprites, drives, devices.

Devices are found by name: disk drives, cassette recorders, and what is connected to the interface.
"""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.base.cycles.language import SCROLL_CYCLES, SCROLL_UNSERVED
from ti99tools.base.errors import TIError
from ti99tools.hardware.machine import ports
from ti99tools.hardware.machine.clock import Clock
from ti99tools.hardware.machine.cpu_memory import MODE, Cell, Memory
from ti99tools.hardware.machine.drives import Drives
from ti99tools.hardware.machine.interrupts import Interrupts
from ti99tools.hardware.machine.keyboard import Keyboard
from ti99tools.hardware.machine.pab import (
    ILLEGAL_OPERATION,
    Conversations,
    DeviceFile,
    IOFailure,
    OpenRequest,
)
from ti99tools.hardware.machine.ports import PORTS, Port, PortFile
from ti99tools.hardware.machine.recorder import Recorder
from ti99tools.hardware.machine.screen import Screen
from ti99tools.hardware.machine.soundchip import SoundChip
from ti99tools.hardware.machine.sprites import Sprites
from ti99tools.hardware.machine.vdp import (
    VDP,
    Snapshot,
    reset_patterns,
    restore_colors,
    restore_patterns,
)
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.tape.cassette import Cassette

RECORDERS = ("CS1", "CS2")


class Peripherals:
    """The devices of a console; a port with nothing connected does not exist."""

    def __init__(
        self,
        drives: Drives,
        recorders: Mapping[str, Recorder],
        connected: Mapping[str, Port],
        clock: Clock,
    ) -> None:
        self._drives = drives
        self._recorders = recorders
        self._ports = connected
        self._clock = clock

    def recorder(self, name: str) -> Recorder | None:
        """The recorder of a device name; None for another device."""
        return self._recorders.get(name.partition(".")[0])

    def open(self, name: str, request: OpenRequest) -> DeviceFile:
        """Open a file; a recorder begins a conversation. Raises IOFailure."""
        recorder = self.recorder(name)
        if recorder is not None:
            return recorder.open(request)
        port = self._port(name)
        if port is not None:
            return PortFile(name, port, self._clock, request)
        return self._drives.open(name, request)

    def delete(self, name: str) -> None:
        """Delete a file, if it exists. Raises IOFailure."""
        recorder = self.recorder(name)
        if recorder is not None:
            recorder.delete()
        elif self._port(name) is None:
            self._drives.delete(name)

    def load_program(self, name: str) -> bytes:
        """The bytes of a PROGRAM file of a disk. Raises IOFailure."""
        if self._port(name) is not None:
            raise IOFailure(ILLEGAL_OPERATION)
        return self._drives.load_program(name)

    def save_program(self, name: str, data: bytes) -> None:
        """Write a PROGRAM file; a recorder begins a conversation. Raises IOFailure."""
        recorder = self.recorder(name)
        if recorder is not None:
            recorder.save(data)
        elif self._port(name) is not None:
            raise IOFailure(ILLEGAL_OPERATION)
        else:
            self._drives.save_program(name, data)

    def has_port(self, name: str) -> bool:
        """Tell whether something is connected to the port of a device name."""
        return self._port(name) is not None

    def _port(self, name: str) -> Port | None:
        device = ports.known(name)
        return None if device is None else self._ports.get(device)


Connected = Mapping[str, Cassette | Port]
"""What is at CS1, CS2, PIO, RS232 and RS232/2."""


class Machine:
    """A TI-99/4A with Extended BASIC's video layout, just switched on.

    `disks` maps DSK1, DSK2, … to the images in the drives, which turn or answer at once.
    `expansion` is the 32K memory expansion.
    """

    def __init__(
        self,
        disks: Mapping[str, DiskImage] | None = None,
        turning_drives: bool = False,
        connected: Connected | None = None,
        expansion: bool = True,
    ) -> None:
        """Raises TIError for what cannot be connected."""
        self.clock = Clock()
        self.vdp = VDP()
        self.screen = Screen(self.vdp, self._scrolled)
        self.sprites = Sprites(self.vdp, self.clock)
        self.keyboard = Keyboard(self.clock)
        self.sound = SoundChip(self.clock)
        self.memory = Memory(self.clock, self.sprites, self.keyboard, self.sound, expansion)
        self.memory.cells[MODE] = Cell(lambda: self.vdp.mode, self._set_mode)
        self.keyboard.when_found = self._show_mode
        self.drives = Drives(disks, self.clock, turning_drives)
        self.conversations = Conversations(self.clock, self.keyboard)
        self.devices = self._peripherals(connected or {})
        self.interrupts = Interrupts(self.clock, self.sprites, self.sound)
        self.screen.fill(32)
        reset_patterns(self.vdp)
        self.reset_graphics()

    def _peripherals(self, connected: Connected) -> Peripherals:
        for name, thing in connected.items():
            if not isinstance(thing, Cassette if name in RECORDERS else Port):
                raise TIError(f"{thing!r} cannot be at {name}", remedy="give a Cassette or a Port")
            if name not in (*RECORDERS, *PORTS):
                names = ", ".join((*RECORDERS, *PORTS))
                raise TIError(f"no device {name}", remedy=f"devices are {names}")
        recorders = {
            name: Recorder(
                name,
                tape if isinstance(tape := connected.get(name), Cassette) else None,
                self.clock,
                self.screen,
                self.sound,
                self.conversations,
            )
            for name in RECORDERS
        }
        at_ports = {name: thing for name, thing in connected.items() if isinstance(thing, Port)}
        return Peripherals(self.drives, recorders, at_ports, self.clock)

    def reset_graphics(self) -> None:
        """Reset the picture as the return to the prompt does; the screen's text stays.

        Characters 32–126 get their standard patterns back, all colour sets are black on
        transparent, the screen colour is cyan, sprites and magnification are gone.
        """
        restore_patterns(self.vdp)
        restore_colors(self.vdp)
        self.vdp.reset_registers()
        self.sprites.reset()

    def _set_mode(self, value: int) -> None:
        self.vdp.mode = value

    def _show_mode(self) -> None:
        """Update register 1 after a scan has found a key: it gets what the console keeps for it."""
        self.vdp.registers[1] = self.vdp.mode

    def _scrolled(self, besides: int) -> None:
        """Take the time of a scroll; interrupts wait meanwhile."""
        cycles = SCROLL_CYCLES + besides
        moving = min(SCROLL_UNSERVED, cycles)
        self.interrupts.work(moving)
        self.clock.work(cycles - moving)

    def picture(self) -> Snapshot:
        """The picture as it is seen now: sprites where they are, the cursor as it blinks."""
        self.sync()
        cursor = self.screen.cursor
        if cursor is None or cursor.is_lit(self.clock.cycles):
            return Snapshot.of(self.vdp)
        character = self.screen.get(cursor.row, cursor.column)
        self.screen.put(cursor.row, cursor.column, cursor.beneath)
        snapshot = Snapshot.of(self.vdp)
        self.screen.put(cursor.row, cursor.column, character)
        return snapshot

    def sync(self) -> None:
        """Bring what follows the clock up to date: sprites in video RAM, the sound chip."""
        self.sprites.sync()
        self.sound.sync()
