"""A console with a cartridge in its port: switch on, choose in the menu, press keys, look.

There is no Extended BASIC and no disk in it. The title screen is skipped: the first key is that of
the menu.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.errors import TIError
from ti99tools.computer.machinecode.addresses import Quit
from ti99tools.computer.machinecode.cartridges import Cartridge, CartridgeEngine, MenuEntry
from ti99tools.hardware.machine.clock import CPU_HZ, FRAME, Clock, Pause
from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.render.picture import Display

HOST_WORD = 0x8348
"""The line of the statement that waits for a key, as compiled programs report it; 0: none does."""
TABLE, TABLE_MARK = 0xA004, 0x5842
"""Where a compiled program says that it has a table of its lines, and the mark for it."""


class CartridgeConsole:
    """A TI-99/4A with a ROM cartridge; `expansion` is the 32K memory expansion."""

    def __init__(self, data: bytes, expansion: bool = True) -> None:
        """Raises TIError for data that is not a cartridge."""
        self.cartridge = Cartridge(data)
        self.machine = Machine(expansion=expansion)
        self.remarks: list[str] = []
        self.engine = CartridgeEngine(self.machine, self.cartridge, self.remarks.append)
        self.screen = Display(self.machine.vdp, self.machine.picture)
        self.ended = False
        """Set when the program has gone back to the title screen."""

    @property
    def clock(self) -> Clock:
        """Machine time."""
        return self.machine.clock

    @property
    def loading_cycles(self) -> int:
        """0: nothing is loaded from disks."""
        return 0

    @property
    def menu(self) -> list[MenuEntry]:
        """The programs that the menu shows, from key 2 on."""
        return self.cartridge.programs

    @property
    def waiting_line(self) -> int:
        """The line that waits for a key; 0: none does."""
        return self.engine.bus.word_at(HOST_WORD)

    def choose(self, number: int = 2) -> None:
        """Press a number in the menu. Raises TIError for a number without an entry."""
        if not 2 <= number < 2 + len(self.menu):
            raise TIError(f"the menu has no {number}", remedy="see `menu`")
        self.engine.begin(self.menu[number - 2])

    def advance_to(self, cycle: int) -> None:
        """Let the program work until the clock has reached a cycle."""
        clock = self.clock
        if self.ended:
            clock.advance_to(cycle)
            return
        clock.schedule(cycle, clock.request_pause)
        try:
            self.engine.go_on()
        except Pause:
            pass  # the clock has reached the cycle
        except Quit:
            self.ended = True

    def wait(self, frames: int) -> None:
        """Let frames pass."""
        self.advance_to(self.clock.cycles + frames * FRAME)

    def run_until(self, text: str, seconds: float = 600.0, look: int = 1) -> bool:
        """Let time pass until a text is on the screen; False when the time is over."""
        return self._wait_until(lambda: self.screen.shows(text), seconds, look)

    def run(self, seconds: float = 600.0) -> bool:
        """Let time pass until the program has ended: its prompt stands in the last row."""
        return self._wait_until(lambda: self.over, seconds, look=4)

    def _wait_until(self, reached: Callable[[], bool], seconds: float, look: int) -> bool:
        """Let time pass until `reached`, which is asked every `look` frames.

        False when the time is over, or the program has gone without it.
        """
        limit = self.clock.cycles + int(seconds * CPU_HZ)
        while not reached():
            if self.clock.cycles >= limit or self.ended:
                return False
            self.wait(look)
        return True

    @property
    def over(self) -> bool:
        """Tell whether a compiled program has ended."""
        # `>` and the cursor, at the start of the last row.
        return self.ended or self.screen.codes[23 * 32 + 1 : 23 * 32 + 3] == b">\x1e"

    def hold(self, key: str) -> None:
        """Press a key and keep it down."""
        self.machine.keyboard.key_down(key)

    def release(self, key: str) -> None:
        """Release a key."""
        self.machine.keyboard.key_up(key)

    def joystick(self, unit: int, x: int, y: int, fire: bool = False) -> None:
        """Move joystick 1 or 2: each axis −4, 0 or 4, right and up positive."""
        self.machine.keyboard.set_joystick(unit, x, y, fire)

    @property
    def lines(self) -> list[tuple[int, int]]:
        """Address and number of the lines of a compiled program, ascending; none for another
        program.

        The program must have been copied to memory, which is so once it has shown or done
        something.
        """
        bus = self.engine.bus
        if bus.word_at(TABLE) != TABLE_MARK:
            return []
        found, at = [], bus.word_at(TABLE + 2)
        while (address := bus.word_at(at)) != 0xFFFF and at < 0xFFFC:
            found.append((address, bus.word_at(at + 2)))
            at += 4
        return found

    def press(self, key: str) -> None:
        """Press a key, which is kept until it is read."""
        self.machine.keyboard.press(key)
