"""The processor at work along the console's clock, with interrupts, until the code returns.

After an interrupt of the console its hook is called. The console's entries are traps. Code returns
by the address that it finds in R11, or by the GPL interpreter at >0070. Code that goes anywhere
else in the console's ROM is an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import NoReturn

from ti99tools.base.basic import CODE_NAME
from ti99tools.base.cycles.code import BLWP_COUNTED
from ti99tools.computer.machinecode import addresses
from ti99tools.computer.machinecode.addresses import CodeError, Quit, Returned
from ti99tools.computer.machinecode.cards import Cards
from ti99tools.computer.machinecode.consoleroutines import ConsoleCru
from ti99tools.computer.machinecode.entries import Entries, ReturningGrom
from ti99tools.computer.machinecode.interrupts import Interrupts
from ti99tools.computer.machinecode.utilities import SKIPPED, TABLE, LinkArgument, coded, kscan
from ti99tools.hardware.cpu.bus import GROM_READ as GROM_PORT
from ti99tools.hardware.cpu.bus import ROM_END, SOUND, VDP_READ, VDP_WRITE, Bus
from ti99tools.hardware.cpu.core import EVEN, Core
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import FREQUENCY
from ti99tools.hardware.cpu.rounds import Rounds
from ti99tools.hardware.machine.cpu_memory import MOVING_SPRITES, SoundPort, VideoPort
from ti99tools.hardware.machine.machine import Machine

HOOK_PATIENCE = 10 * FREQUENCY
"""Most cycles of a hook."""
PATIENCE = 120 * FREQUENCY
"""Most cycles of code in which nobody can stop it; see `Engine.patience`."""
_MOST_REMARKS = 20
"""A program that does something without effect mostly does it all the time."""
_NO_SPRITE = 0x1F
"""The status without an interrupt: its low five bits name no sprite."""
_KEPT = slice(addresses.UTILITY_WORKSPACE + 26 >> 1, addresses.UTILITY_WORKSPACE + 32 >> 1)
"""The words of memory where the utilities find the caller's context."""
_OWN_VECTORS = [
    word
    for number in range(len(addresses.UTILITIES))
    for word in (addresses.UTILITY_WORKSPACE, addresses.UTILITY_CODE + 4 * number)
]
"""The utilities' vectors as CALL INIT leaves them."""


def named(bus: Bus, name: bytes) -> int | None:
    """The address that a name of the table has, the newest first; None without it."""
    for place in range(bus.word_at(addresses.LAST_FREE), addresses.NAMES_END, addresses.ENTRY):
        if bus.bytes_at(place, CODE_NAME) == name:
            return bus.word_at(place + CODE_NAME)
    return None


class Remarks(list[str]):
    """What programs used that is not modelled here."""

    def add(self, text: str) -> None:
        """Keep a remark once, and 20 at most."""
        if text not in self and len(self) < _MOST_REMARKS:
            self.append(text)


class Engine:
    """Processor, ports and traps on a machine's memory."""

    def __init__(self, machine: Machine, remark: Callable[[str], None]) -> None:
        self.machine = machine
        self.bus = machine.memory.bus
        self.arguments: list[LinkArgument] = []
        self.running = False
        """Set while code of a LINK is at work, or paused."""
        self.patience = PATIENCE
        """Cycles that code may take without an interrupt or a look at the keyboard."""
        self._reached_at = 0
        """The cycle at which code last had an interrupt served or looked at the keyboard."""
        self._serving = 0
        """Interrupts whose hook has not returned."""
        self.alone = False
        """Set while a program runs that needs no Extended BASIC, and has overwritten it."""
        self.when_alone: Callable[[], None] = lambda: None
        """Called when such a program begins."""
        self._remark = remark
        self._rom_reads: deque[int] = deque(maxlen=2)
        """The addresses in ROM that code read last, as data or to go there."""
        self._grom_next = -1
        """The address in GROM after the one that code read last."""
        self._flag = False
        self._due = 0
        self.cards = Cards(machine, self.bus)
        self.bus.tell_rom(self._rom)
        cru = ConsoleCru(
            self.cards, machine.keyboard, lambda: self._flag, self.looked, self._column
        )
        self.cpu = CompiledProcessor(self.bus, cru)
        self.cpu.on_illegal = self._illegal
        self.execute: Callable[[int], None] = self.cpu.run
        """Executes code until the clock has reached a cycle; a profiler puts its own here."""
        self.interrupts = Interrupts(machine, self.bus)
        self.rounds = Rounds(self.cpu, self)
        self._connect()
        self._set_traps()

    # -- the machine around the processor -------------------------------------------------

    def _connect(self) -> None:
        video = VideoPort(self.machine.vdp, self._status)
        grom = ReturningGrom(self._grom)
        for address, port in (
            (VDP_READ, video),
            (VDP_WRITE, video),
            (SOUND, SoundPort(self.machine.sound)),
            (GROM_PORT, grom),
            (GROM_PORT + 0x400, grom),
        ):
            self.bus.connect(address, port)

    def _set_traps(self) -> None:
        traps = self.cpu.traps
        for number, name in enumerate(addresses.UTILITIES):
            code = addresses.UTILITY_CODE + 4 * number
            trap = self._utility(name, code >> 1, 0)
            traps[code] = self.rounds.from_trap(trap, (code >> 1,)) if name == "KSCAN" else trap
            traps.returning[code] = SKIPPED.get(name, 0)
        for back in (addresses.RETURNED, addresses.GPL_RESET, addresses.GPL, addresses.SERVED):
            traps[back] = self._back
        traps[addresses.SERVICE] = self._serve
        traps[addresses.HOOK_RETURNED] = self._end_service
        traps[addresses.KEY_SCAN] = self.rounds.from_trap(self._key_scan)
        traps[addresses.RESET_CODE] = self._reset
        for entry in self.cards.entries():
            traps[entry] = self.cards.serve
        self.entries = entries = Entries(
            self.machine, self.bus, self._at_its_time, self.interrupts.sounded
        )
        for entry, trap in entries.traps().items():
            traps[entry] = trap
        self._rom_words = {*entries.words()}
        for address, word in entries.words().items():
            self.bus.load_word(address, word)
        for vector in range(addresses.RESET, addresses.RESET + 8, 2):
            traps[vector] = self._lost
        traps[addresses.NAME_SEARCH] = self._search
        traps[addresses.ERROR_EXIT] = self._fail
        for vector, workspace, code in (
            (addresses.RESET, addresses.GPL_WORKSPACE, addresses.RESET_CODE),
            (addresses.INTERRUPT_VECTOR, addresses.INTERRUPT_WORKSPACE, addresses.SERVICE),
        ):
            self.bus.load(vector, workspace.to_bytes(2, "big") + code.to_bytes(2, "big"))

    def _utility(self, name: str, sign: int, expected: int) -> Callable[[Core], None]:
        """The trap of a utility; removed once the word of index `sign` is not as `expected`."""
        work, bus, words, clock = TABLE[name], self.bus, self.bus.words, self.machine.clock

        def trap(cpu: Core) -> None:
            if words[sign] != expected:
                del self.cpu.traps[cpu.pc]
                return
            if clock.cycles < bus.cycles:
                clock.cycles = bus.cycles
            cycles = work(self)
            bus.cycles = clock.cycles + cycles - BLWP_COUNTED
            if cpu.wp == addresses.UTILITY_WORKSPACE:
                wp, pc, cpu.st = words[_KEPT]
                cpu.wp, cpu.pc = wp & EVEN, pc & EVEN
            else:
                cpu.restore()

        return trap

    def _find_utilities(self) -> None:
        """Trap utilities whose vectors this console did not write.

        Code that was saved from another machine with all of low memory brings its own copy of them,
        which relies on ROM.
        """
        if self.bus.words_at(addresses.VECTORS, len(_OWN_VECTORS)) == _OWN_VECTORS:
            return
        ours = range(addresses.UTILITY_CODE, addresses.UTILITY_CODE + 4 * len(addresses.UTILITIES))
        for number, name in enumerate(addresses.UTILITIES):
            vector = addresses.VECTORS + 4 * number
            workspace, code = self.bus.words_at(vector, 2)
            first = addresses.UTILITY_WORKSPACE + 32
            inside = first <= code < addresses.UTILITY_END and code not in ours
            if workspace == addresses.UTILITY_WORKSPACE and inside:
                self.cpu.traps[code] = self._utility(name, vector + 2 >> 1, code)
                self.cpu.traps.returning[code] = SKIPPED.get(name, 0)

    def _at_its_time(self, cpu: Core, work: Callable[[], int]) -> None:
        """Do something, with the console's clock set to the processor's time."""
        clock = self.machine.clock
        clock.cycles = max(clock.cycles, cpu.bus.cycles)
        cycles = work()
        cpu.bus.cycles = clock.cycles + cycles

    def _key_scan(self, cpu: Core) -> None:
        """BL @>000E."""
        self._at_its_time(cpu, lambda: kscan(self))
        cpu.pc = self.bus.word_at(cpu.at(11)) & 0xFFFE

    def _search(self, cpu: Core) -> None:
        """Go where the name in FAC leads; if nowhere, to the error. Code that is here now runs."""
        bus = self.bus
        if bus.word_at(addresses.NAME_SEARCH) != addresses.SEARCHES:
            del self.cpu.traps[cpu.pc]
            return
        address = named(bus, bus.bytes_at(addresses.FAC, CODE_NAME))
        cpu.pc = addresses.NOT_FOUND if address is None else address & 0xFFFE

    def _fail(self, _cpu: Core) -> None:
        """End the LINK with the error whose code is in >8322."""
        error = coded(self, self.bus.peek(addresses.ERROR_CODE))
        if error is None:
            raise Returned
        raise error

    @property
    def standing(self) -> Hashable | None:
        """What a scan of the keyboard depends on; see `Rounds`."""
        keyboard = self.machine.keyboard.standing
        return None if keyboard is None else (self._serving, keyboard)

    @property
    def counts(self) -> tuple[int, ...]:
        """The scans that have found nothing; see `Rounds`."""
        return (self.machine.keyboard.idle_scans,)

    def count(self, more: Iterable[int]) -> None:
        """Count scans that have not been executed."""
        (scans,) = more
        self.machine.keyboard.idle_scans += scans

    def looked(self) -> None:
        """Note that the code looks at the keyboard."""
        self._reached_at = self.bus.cycles

    def _column(self, number: int) -> int:
        """A column of the keyboard; the hook of a program without BASIC only looks for CLEAR."""
        keyboard = self.machine.keyboard
        aside = self._serving and self.alone
        return keyboard.column_aside(number) if aside else keyboard.column(number)

    def _begin_alone(self, cpu: Core) -> None:
        """Note that a compiled program begins, if it is one; its first instruction runs now."""
        del self.cpu.traps[cpu.pc]
        if self.bus.word_at(addresses.COMPILED_TABLE) in addresses.COMPILED_MARKS:
            self.alone = True
            self.when_alone()

    def _reset(self, _cpu: Core) -> None:
        raise Quit

    def _back(self, _cpu: Core) -> None:
        raise Returned

    def _illegal(self, _instruction: int) -> None:
        at = (self.cpu.pc - 2) & 0xFFFF
        if at < ROM_END or addresses.CARD <= at < addresses.CARTRIDGE_END:
            self._astray(at)

    def _astray(self, at: int) -> NoReturn:
        where = "the console's ROM" if at < ROM_END else "a card or cartridge"
        caller = self.bus.word_at(self.cpu.at(11))
        data = [read for read in self._rom_reads if read & EVEN != at]
        because = f", and it has read ROM at >{data[-1]:04X} as data" if data else ""
        remedy = "call only the entries that docs/machine-code.md lists"
        if not (at or self.cpu.wp):
            because = ", and so is the workspace: BLWP found nothing at its address"
            remedy += ", not those of Editor/Assembler"
        raise CodeError(
            f"machine code goes on at >{at:04X} in {where}, which this console does not have "
            f"(R11 is >{caller:04X}{because})",
            remedy=remedy,
        )

    def _lost(self, cpu: Core) -> None:
        self._astray(cpu.pc)

    def _grom(self, address: int) -> None:
        # Code that copies a table reads hundreds of bytes one after the other.
        if address != self._grom_next:
            self._remark(
                f"machine code read GROM from >{address:04X} on: no GROM is here, it got 0"
            )
        self._grom_next = address + 1

    def _rom(self, address: int) -> None:
        at = address & EVEN
        if at == self.cpu.pc:
            return
        # A branch reads the word that it goes to. That of the reset is read as data, too.
        here = at in self.cpu.traps or at in self._rom_words
        if not here or at == addresses.RESET_CODE:
            self._rom_reads.append(address)
            self._remark(f"machine code read ROM at >{address:04X}: no ROM is here, it got 0")

    # -- interrupts -----------------------------------------------------------------------

    def _status(self) -> int:
        """The video processor's status; reading it withdraws the interrupt."""
        flag, self._flag = self._flag, False
        self.cpu.request = None
        return self.machine.memory.video_status() if flag else _NO_SPRITE

    def _serve(self, cpu: Core) -> None:
        """The interrupt routine."""
        self._flag = False
        self.cpu.request = None
        self._reached_at = cpu.bus.cycles
        self._at_its_time(cpu, self.interrupts.serve)
        if self.interrupts.hook:
            self._serving += 1
            self._call_hook(addresses.HOOK_RETURNED)
        else:
            cpu.restore()

    def _end_service(self, cpu: Core) -> None:
        if not self._serving:
            self._astray(cpu.pc)
        self._serving -= 1
        cpu.wp = addresses.INTERRUPT_WORKSPACE
        cpu.restore()

    def _call_hook(self, back: int) -> None:
        cpu = self.cpu
        cpu.wp, cpu.pc, cpu.st = addresses.GPL_WORKSPACE, self.interrupts.hook, 0
        self._set_register(11, back)

    def _set_register(self, number: int, value: int) -> None:
        self.bus.load_word((self.cpu.wp + 2 * number) & EVEN, value)

    def hook_once(self) -> int:
        """Run the hook between statements; returns its cycles. CodeError if it does not end."""
        start = self.bus.cycles = self.machine.clock.cycles
        self._call_hook(addresses.SERVED)
        try:
            self.cpu.run(start + HOOK_PATIENCE)
        except Returned:
            return self.bus.cycles - start
        raise CodeError(
            f"the interrupt routine at >{self.interrupts.hook:04X} does not come back",
            remedy="let it end with B *R11, its R11 and workspace >83E0 as it found them",
        )

    # -- LINK -----------------------------------------------------------------------------

    def start(self, entry: int, arguments: list[LinkArgument]) -> None:
        """Prepare the code of a LINK; `go_on` runs it."""
        machine, cpu, bus = self.machine, self.cpu, self.bus
        self.arguments = arguments
        machine.sprites.hold()
        machine.sound.hold()
        cpu.pending = cpu.request = None
        self._flag = False
        cpu.wp, cpu.pc, cpu.st = addresses.GPL_WORKSPACE, entry & 0xFFFE, 0
        for number, value in (
            (11, addresses.RETURNED),
            (13, addresses.GROM_READ),
            (15, addresses.VIDEO_ADDRESS),
        ):
            self._set_register(number, value)
        bus.load_word(addresses.GPL_STACKS, addresses.STACKS_AT_LINK)
        bus.load_byte(addresses.ARGUMENT_COUNT, len(arguments))
        bus.load(addresses.ARGUMENT_KINDS, [argument.kind for argument in arguments])
        self._find_utilities()
        self.cpu.traps[addresses.COMPILED] = self._begin_alone
        self.interrupts.begin()
        self._due = machine.clock.next_interrupt
        self._reached_at = machine.clock.cycles
        self._serving = 0
        self.running = True

    def go_on(self) -> None:
        """Run the code until it returns. Raises Pause when one is due; call it again to go on.

        Raises CodeError when nobody could stop it for longer than `patience`.
        """
        clock, bus = self.machine.clock, self.bus
        try:
            while True:
                if clock.cycles >= clock.next_event:
                    clock.service()
                self._frame()
                bus.cycles = clock.cycles
                try:
                    self.execute(min(self._due, max(clock.next_event, clock.cycles + 1)))
                finally:
                    clock.cycles = max(clock.cycles, bus.cycles)
                if clock.cycles - self._reached_at > self.patience:
                    self._give_up()
        except Returned:
            pass

    def _give_up(self) -> NoReturn:
        raise CodeError(
            f"machine code at >{self.cpu.pc:04X} goes on and on: for "
            f"{self.patience / FREQUENCY:g} seconds of the machine it has served no interrupt and "
            "not looked at the keyboard",
            remedy="let it return, call KSCAN or LIMI 2 now and then, or give it more code_seconds",
        )

    def _frame(self) -> None:
        """Request an interrupt if a frame has ended, as the video processor does."""
        cycles = self.machine.clock.cycles
        if cycles < self._due:
            return
        self._due = self.machine.clock.next_interrupt
        self._flag = True
        self.cpu.request = 1

    def stop(self) -> None:
        """End the code: BASIC serves the interrupt that waits."""
        self.running = self.alone = False
        self.arguments = []
        if self._flag:
            self.machine.sprites.moving = self.bus.peek(MOVING_SPRITES)
            self.machine.sprites.step()
            self.machine.sound.step()
            self._flag = False
        self.interrupts.settle()
        self.machine.sprites.let_go()
        self.machine.sound.let_go()
