"""Compiled programs on our console: the machine of a job, who presses its keys, and when.

A program reports the line of a statement that has looked for a key twice in a row in vain. That may
be a pause, which a key would end, and a loop may look at two places in turn. So the rule of
`asking` is applied to each look, as in Extended BASIC.
"""

from __future__ import annotations

from collections.abc import Callable

from ti99tools.base.codes import KEY_UNIT
from ti99tools.computer.console.asking import (
    MOST_OWED,
    Deciding,
    Look,
    Loops,
    Question,
    Span,
    shown_memory,
)
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.compiled import STACK_POINTER
from ti99tools.computer.console.keyscript import AT_REST
from ti99tools.computer.console.player import DONE, HASTY, ScriptEnd, ScriptPlayer
from ti99tools.computer.console.session import Console
from ti99tools.games.hosts.host import Job
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.machine.keyboard import HALVES, Keyboard
from ti99tools.hardware.machine.machine import Machine
from ti99tools.media.disk.image import DiskImage

STILL = 90
"""Frames without a change of the screen after which a program that asks for a key waits for it."""


class CompiledPlayer(ScriptPlayer):
    """Plays a script with a compiled program, of which `deciding` is known."""

    def __init__(
        self, console: Console | CartridgeConsole, max_seconds: float, deciding: Deciding
    ) -> None:
        super().__init__(console, max_seconds, look=HASTY)
        self._deciding = deciding
        console.machine.keyboard.ask(self._questions())

    def _questions(self) -> CartridgeQuestions:
        return CartridgeQuestions(self.console.machine, self._bus, self._deciding)

    def _bus(self) -> Bus | None:
        """The memory of the program; none while Extended BASIC loads it."""
        console = self.console
        loading = isinstance(console, Console) and not console.alone
        return None if loading or console.engine is None else console.engine.bus

    def until_asked(self) -> ScriptEnd:
        """Let time pass until the program asks for a key; the lines that look are not noted.

        Where somebody watches what changes meanwhile, that takes as long as for any program.
        """
        if self.when_resting is not None:
            return super().until_asked()
        console = self.console
        while self._left > 0:
            asking = _Asking(console.machine.keyboard, self._bus, self._questions())
            still, codes = 0, console.screen.codes
            while console.screen.codes == codes and self._left > 0:
                if still >= (STILL if asking.found else AT_REST):
                    asking.end()
                    self.asked_in.append(())
                    return DONE
                console.wait(HASTY)
                still += HASTY
        return self._late()


class _Asking:
    """Looks at each scan whether the program asks for a key, until it has."""

    def __init__(
        self, keyboard: Keyboard, bus: Callable[[], Bus | None], questions: CartridgeQuestions
    ) -> None:
        self.found = False
        self._bus, self._keyboard, self._questions = bus, keyboard, questions
        keyboard.tell_look(self._look)

    def _look(self) -> None:
        bus = self._bus()
        half = bus is not None and bus.peek(KEY_UNIT) in HALVES
        self.found = self._questions.asks(half)
        if not self.found:
            self._keyboard.tell_look(self._look)

    def end(self) -> None:
        """Leave the scans that follow alone."""
        self._keyboard.tell_look(lambda: None)


def player_for(console: Console | CartridgeConsole, job: Job) -> ScriptPlayer:
    """Who presses the keys of a job."""
    if job.deciding is not None:
        return CompiledPlayer(console, job.max_seconds, job.deciding)
    return ScriptPlayer(console, job.max_seconds, look=HASTY)


def machine_for(job: Job, image: DiskImage) -> Console | CartridgeConsole:
    """Our console with a disk in DSK1, and the cartridge of a job instead of Extended BASIC.

    Raises TIError if that is not a cartridge.
    """
    if job.cartridge is None:
        return Console({"DSK1": image}, max_seconds=job.max_seconds, watched=True)
    return CartridgeConsole(job.cartridge, disks={"DSK1": image}, max_seconds=job.max_seconds)


def switch_on(console: Console | CartridgeConsole) -> None:
    """Start DSK1.LOAD in Extended BASIC, or the first program of a cartridge."""
    if isinstance(console, Console):
        console.boot()
    else:
        console.choose()


RUNTIME = 0x838C
"""The workspace of the runtime."""
SCANNED, CALLED = RUNTIME + 2 * 7, RUNTIME + 2 * 14
"""Its R7, where the scan of the keyboard returns to, and R14, where the program goes on."""


class CartridgeQuestions:
    """The `KeyQuestions` of a compiled program."""

    def __init__(self, machine: Machine, bus: Callable[[], Bus | None], deciding: Deciding) -> None:
        """`bus` leads to its memory, to none before it runs."""
        self._machine = machine
        self._bus = bus
        self._deciding = deciding
        self._question = Question()

    @property
    def deaf(self) -> bool:
        """Tell whether a scan that begins is none of the program's own for a key."""
        bus = self._bus()
        return bus is not None and not self._reads(bus.word_at(SCANNED))

    def _reads(self, back: int) -> bool:
        return any(_within(back, code) for code in self._deciding.readers)

    def asks(self, half: bool) -> bool:
        """Note a look that finds no key; tell whether the program asks for one there."""
        bus = self._bus()
        if bus is None:
            return False
        back, deciding = bus.word_at(SCANNED), self._deciding
        if not self._reads(back):
            return False
        # Of the looks of one CALL KEY the last counts.
        if _within(back, deciding.patient) and 0 < bus.word_at(deciding.owed) <= MOST_OWED:
            return False
        return self._question.asks(self._look(bus, half))

    def given(self) -> None:
        """A key was given."""
        self._question.forget()

    def _look(self, bus: Bus, half: bool) -> Look:
        machine = self._machine
        machine.sync()
        vdp = machine.vdp
        top = bus.word_at(STACK_POINTER)
        loops: Loops = tuple((span, bus.bytes_at(*span)) for span in self._deciding.loops)
        return Look(
            place=(bus.word_at(CALLED), top, *bus.words_at(top - 4, 2)),
            cycle=machine.clock.cycles,
            sight=(shown_memory(vdp.ram), bytes(vdp.registers), len(machine.sound.written)),
            loops=loops,
            counted=tuple(bus.bytes_at(*span) for span in self._deciding.values),
            half=half,
        )


def _within(address: int, span: Span) -> bool:
    return span[0] <= address < span[0] + span[1]
