"""A console with a cartridge in its port: switch on, choose in the menu, press keys, look.

There is no Extended BASIC in it. The title screen is skipped: the first key is that of the menu.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property

from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.anyconsole import AnyConsole, RunEnd, StoppingWarning
from ti99tools.computer.console.collected import is_cut
from ti99tools.computer.console.compiled import CompiledView, Symbols, bare_symbols, beginning
from ti99tools.computer.console.compiledmemory import Spot, has_lines
from ti99tools.computer.console.following import Follower
from ti99tools.computer.console.standingalone import ReportedQuestions, StandingAlone
from ti99tools.computer.interp.run.execution import Execution
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.computer.machinecode.addresses import Quit
from ti99tools.computer.machinecode.cartridges import Cartridge, CartridgeEngine, MenuEntry
from ti99tools.computer.machinecode.running import Remarks
from ti99tools.hardware.machine.clock import Pause
from ti99tools.hardware.machine.machine import Connected, Machine
from ti99tools.media.disk.image import DiskImage


class CartridgeConsole(AnyConsole):
    """A TI-99/4A with a ROM cartridge; `expansion` is the 32K memory expansion.

    `disks`, `real_drives`, `connected`, `max_seconds` and `step` are those of `Console`. `symbols`
    returns what is known of a compiled program, apart from the lines that it tells itself. `entry`
    is the program of the menu, from 0 on, that `start` chooses.
    """

    def __init__(
        self,
        data: bytes,
        expansion: bool = True,
        disks: Mapping[str, DiskImage] | None = None,
        real_drives: bool = False,
        connected: Connected | None = None,
        max_seconds: float = 600.0,
        step: Stepper | None = None,
        symbols: Callable[[], Symbols | None] = lambda: None,
        entry: int = 0,
    ) -> None:
        """Raises TIError for data that is not a cartridge, or a compiled one that is cut off."""
        self.cartridge = Cartridge(data)
        if is_cut(data):
            raise TIError(
                f"the cartridge is cut off: its programs go on after its {len(data):,} bytes",
                remedy="copy it again, or compile it again",
            )
        machine = Machine(disks, real_drives, connected, expansion)
        super().__init__(machine, self, max_seconds)
        self._remarks = Remarks()
        self._engine = CartridgeEngine(machine, self.cartridge, self._remarks.add)
        questions = ReportedQuestions(machine, lambda: self.engine.bus, self._is_compiled)
        machine.keyboard.ask(questions)
        self.ended = False
        """Set when the program has gone back to the title screen."""
        self._program = StandingAlone(self, lambda: self.engine.bus, lambda: self.ended)
        self._find_symbols = symbols
        self._entry = entry
        self._views: dict[bytes, CompiledView | None] = {}
        """The beginning of a program in memory → the view of it."""
        self._step = step
        if step is not None:
            Follower(self.engine, symbols(), self._entered)

    @cached_property
    def _known(self) -> Symbols | None:
        return self._find_symbols()

    @property
    def _view(self) -> CompiledView | None:
        """A view of the program in memory: the chosen one, or another one that RUN has started."""
        bus = self.engine.bus
        begins, ram = beginning(bus), self.machine.vdp.ram
        if begins not in self._views:
            symbols = self._known
            if symbols is None or symbols.begins != begins:
                symbols = bare_symbols(bus, ram, self.cartridge.banks)
            self._views[begins] = None if symbols is None else CompiledView(symbols, bus, ram)
        return self._views[begins]

    def _entered(self, spot: Spot) -> None:
        """Tell the stepper that a statement begins."""
        view = self._view
        assert view is not None and self._step is not None, "its lines are known"
        self._step(*view.index(spot))

    def __repr__(self) -> str:
        names = ", ".join(entry.name for entry in self.menu)
        return f"<CartridgeConsole with {names or 'no program'} after {self.clock.seconds:.1f} s>"

    # -- looking --------------------------------------------------------------------------

    @property
    def menu(self) -> list[MenuEntry]:
        """The programs that the menu shows, from key 2 on."""
        return self.cartridge.programs

    @property
    def engine(self) -> CartridgeEngine:
        """The processor, and what it finds of the console."""
        return self._engine

    @property
    def waiting_line(self) -> int:
        """The line that waits for a key; 0: none does."""
        return self._program.waiting_line

    @property
    def line(self) -> int | None:
        """As `waiting_line`; None for none."""
        return self.waiting_line or None

    @property
    def over(self) -> bool:
        """Tell whether a compiled program has ended: its prompt stands in the last row."""
        return self._program.over

    @property
    def running(self) -> bool:
        """Tell whether the program has not ended."""
        return not self.over

    @property
    def error(self) -> XBError | None:
        """The error by which a compiled program has ended, as its message says."""
        return self._program.error

    @property
    def stopped_at(self) -> int | None:
        """The line in which CLEAR has stopped a compiled program."""
        return self._program.stopped_at

    @property
    def stopping_warning(self) -> StoppingWarning | None:
        """The warning that ended a compiled program, under ON WARNING STOP."""
        return self._program.stopping_warning

    @property
    def failed_offset(self) -> int:
        """As `AnyConsole.failed_offset`; 0 without the source."""
        error, view = self.error, self._view
        if error is None or error.line is None or view is None or self.ended:
            return 0
        return view.failed_offset(error.line, len(self.cartridge.banks))

    @property
    def remarks(self) -> list[str]:
        """One text for each thing that the program used and this console lacks."""
        return self._remarks

    def _is_compiled(self) -> bool:
        return has_lines(self.engine.bus, self.cartridge.banks)

    @property
    def execution(self) -> Execution | None:
        """What a compiled program has in memory, as an execution of its source to look at.

        None for another program, and before it has been copied to memory.
        """
        if not self._is_compiled():
            return None
        return None if self._view is None else self._view.execution

    # -- acting ---------------------------------------------------------------------------

    def start(self) -> None:
        """Choose the program in the menu. Raises TIError where there is none."""
        if not self.menu:
            raise TIError("no program in the cartridge's menu", remedy="give another cartridge")
        self.choose(2 + self._entry)

    def choose(self, number: int = 2) -> None:
        """Press a number in the menu. Raises TIError for a number without an entry."""
        if not 2 <= number < 2 + len(self.menu):
            raise TIError(f"the menu has no {number}", remedy="see `menu`")
        self.engine.begin(self.menu[number - 2])

    def close_files(self) -> None:
        """Close the files that the program has open, so that the disk has all that was written."""
        self.engine.cards.close_files()

    def work(self) -> None:
        """Let the program work. Raises Pause."""
        if self.ended:
            raise Pause
        with suppress(Quit):
            self.engine.go_on()
        # It has gone back to the console, whose title screen is not here.
        self.ended = True

    def _look_for(self, text: str | None, limit: int, step: int, base: int) -> int | None:
        def reached() -> bool:
            return self.over if text is None else self.screen.shows(text)

        seen = self._time.work_until(lambda: self.ended or reached(), limit, step, base)
        return seen if reached() else None

    def resume(self, seconds: float | None = None) -> RunEnd:
        """Go on to the end of the program; returns as `Console.run` does.

        See `StandingAlone.resume` for when a key is required.
        """
        return self._program.resume(self._limit(seconds))

    def take_keys(self, seconds: float | None = None) -> bool:
        """Work until all keys have been taken; see `Console.take_keys`.

        False also when the program ends without them: the prompt of a compiled program takes no
        keys but goes back to the title screen.
        """
        return self._program.take_keys(self._limit(seconds))
