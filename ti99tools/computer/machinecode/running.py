"""The processor at work: along the console's clock, with interrupts, until the code returns.

There are traps at the entries that code knows. Code returns by the address that it finds in R11, or
by the GPL interpreter at >0070. Code that goes anywhere else in the console's ROM is an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from ti99tools.base.cycles import BLWP_COUNTED
from ti99tools.computer.machinecode import places
from ti99tools.computer.machinecode.consoleroutines import ConsoleCru
from ti99tools.computer.machinecode.diskcard import DiskCard
from ti99tools.computer.machinecode.interrupts import Interrupts
from ti99tools.computer.machinecode.places import CodeError, Quit, Returned
from ti99tools.computer.machinecode.utilities import SKIPPED, TABLE, Argument, kscan
from ti99tools.hardware.cpu.bus import GROM_READ as GROM_PORT
from ti99tools.hardware.cpu.bus import SOUND, VDP_READ, VDP_WRITE
from ti99tools.hardware.cpu.core import EVEN, Core
from ti99tools.hardware.cpu.jit.compiled import CompiledProcessor
from ti99tools.hardware.cpu.processor import FREQUENCY
from ti99tools.hardware.machine.codeports import GromPort, SoundPort, VideoPort
from ti99tools.hardware.machine.cpu_memory import MOVING_SPRITES
from ti99tools.hardware.machine.machine import Machine

HOOK_PATIENCE = 10 * FREQUENCY
"""Most cycles of a hook."""
PATIENCE = 120 * FREQUENCY
"""Most cycles of code that nobody can stop."""
_NO_SPRITE = 0x1F
_KEPT = slice(places.UTILITY_WORKSPACE + 26 >> 1, places.UTILITY_WORKSPACE + 32 >> 1)
"""The words of memory where the utilities find the caller's context."""
_OWN_VECTORS = [
    word
    for number in range(len(places.UTILITIES))
    for word in (places.UTILITY_WORKSPACE, places.UTILITY_CODE + 4 * number)
]
"""The utilities' vectors as CALL INIT leaves them."""


class Engine:
    """Processor, ports and traps on a machine's memory."""

    def __init__(self, machine: Machine, remark: Callable[[str], None]) -> None:
        self.machine = machine
        self.bus = machine.memory.bus
        self.arguments: list[Argument] = []
        self.running = False
        """Tell whether code of a LINK is at work, or paused."""
        self.patience = PATIENCE
        """Cycles that code may take without an interrupt or a look at the keyboard."""
        self._reached_at = 0
        """When somebody could last have influenced the code."""
        self._serving = 0
        """Interrupts whose hook has not returned."""
        self._remark = remark
        self._flag = False
        self._due = 0
        self.card = DiskCard(machine, self.bus)
        cru = ConsoleCru(self.card, machine.keyboard, lambda: self._flag, self.looked)
        self.cpu = CompiledProcessor(self.bus, cru)
        self.cpu.on_illegal = self._illegal
        self.execute: Callable[[int], None] = self.cpu.run
        """Executes code until the clock has reached a cycle; a profiler puts its own here."""
        self.interrupts = Interrupts(machine, self.bus)
        self._connect()
        self._set_traps()

    # -- the machine around the processor -------------------------------------------------

    def _connect(self) -> None:
        video = VideoPort(self.machine.vdp, self._status)
        grom = GromPort(self._grom)
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
        for number, name in enumerate(places.UTILITIES):
            code = places.UTILITY_CODE + 4 * number
            traps[code] = self._utility(name, code >> 1, 0)
            traps.returning[code] = SKIPPED.get(name, 0)
        for back in (places.RETURNED, places.GPL_RESET, places.GPL, places.SERVED):
            traps[back] = self._back
        traps[places.SERVICE] = self._serve
        traps[places.HOOK_RETURNED] = self._end_service
        traps[places.KEY_SCAN] = self._key_scan
        traps[places.RESET + 0x24] = self._reset
        for entry in self.card.entries():
            traps[entry] = self.card.serve
        for vector, workspace, code in (
            (places.RESET, places.GPL_WORKSPACE, places.RESET + 0x24),
            (places.INTERRUPT_VECTOR, places.INTERRUPT_WORKSPACE, places.SERVICE),
        ):
            self.bus.load(vector, workspace.to_bytes(2, "big") + code.to_bytes(2, "big"))

    def _utility(self, name: str, sign: int, expected: int) -> Callable[[Core], None]:
        """The trap of a utility, as long as a word of memory has its expected value."""
        work, bus, words, clock = TABLE[name], self.bus, self.bus.words, self.machine.clock

        def trap(cpu: Core) -> None:
            if words[sign] != expected:
                del self.cpu.traps[cpu.pc]
                return
            if clock.cycles < bus.cycles:
                clock.cycles = bus.cycles
            cycles = work(self)
            bus.cycles = clock.cycles + cycles - BLWP_COUNTED
            if cpu.wp == places.UTILITY_WORKSPACE:
                wp, pc, cpu.st = words[_KEPT]
                cpu.wp, cpu.pc = wp & EVEN, pc & EVEN
            else:
                cpu.restore()

        return trap

    def _find_utilities(self) -> None:
        """Trap the utilities that vectors point to which this console did not write.

        Code that was saved from another machine with all of low memory brings its own copy of them,
        which relies on ROM.
        """
        if self.bus.words_at(places.VECTORS, len(_OWN_VECTORS)) == _OWN_VECTORS:
            return
        ours = range(places.UTILITY_CODE, places.UTILITY_CODE + 4 * len(places.UTILITIES))
        for number, name in enumerate(places.UTILITIES):
            vector = places.VECTORS + 4 * number
            workspace, code = self.bus.words_at(vector, 2)
            inside = ours.start <= code < places.UTILITY_END and code not in ours
            if workspace == places.UTILITY_WORKSPACE and inside:
                self.cpu.traps[code] = self._utility(name, vector + 2 >> 1, code)
                self.cpu.traps.returning[code] = SKIPPED.get(name, 0)

    def _at_its_time(self, cpu: Core, work: Callable[[], int]) -> None:
        """Do something with the console's clock at the processor's time."""
        clock = self.machine.clock
        clock.cycles = max(clock.cycles, cpu.bus.cycles)
        cycles = work()
        cpu.bus.cycles = clock.cycles + cycles

    def _key_scan(self, cpu: Core) -> None:
        """BL @>000E."""
        self._at_its_time(cpu, lambda: kscan(self))
        cpu.pc = self.bus.word_at(cpu.at(11)) & 0xFFFE

    def looked(self) -> None:
        """Note that the code looks at the keyboard."""
        self._reached_at = self.bus.cycles

    def _reset(self, cpu: Core) -> None:
        raise Quit

    def _back(self, cpu: Core) -> None:
        raise Returned

    def _illegal(self, instruction: int) -> None:
        at = (self.cpu.pc - 2) & 0xFFFF
        if at < places.ROM_END or places.CARD <= at < places.CARTRIDGE_END:
            self._astray(at)

    @staticmethod
    def _astray(at: int) -> NoReturn:
        where = "the console's ROM" if at < places.ROM_END else "a card or cartridge"
        raise CodeError(
            f"machine code goes on at >{at:04X} in {where}, where nothing is here",
            remedy="call only the entries that docs/machine-code.md lists",
        )

    def _grom(self, address: int) -> None:
        self._remark(f"machine code read GROM at >{address:04X}: no GROM is here, it got 0")

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
            self._call_hook(places.HOOK_RETURNED)
        else:
            cpu.restore()

    def _end_service(self, cpu: Core) -> None:
        if not self._serving:
            self._astray(cpu.pc)
        self._serving -= 1
        cpu.wp = places.INTERRUPT_WORKSPACE
        cpu.restore()

    def _call_hook(self, back: int) -> None:
        cpu = self.cpu
        cpu.wp, cpu.pc, cpu.st = places.GPL_WORKSPACE, self.interrupts.hook, 0
        self._set_register(11, back)

    def _set_register(self, number: int, value: int) -> None:
        self.bus.load(self.cpu.wp + 2 * number, value.to_bytes(2, "big"))

    def hook_once(self) -> int:
        """Run the hook between statements; returns its cycles. CodeError if it does not end."""
        start = self.bus.cycles = self.machine.clock.cycles
        self._call_hook(places.SERVED)
        try:
            self.cpu.run(start + HOOK_PATIENCE)
        except Returned:
            return self.bus.cycles - start
        raise CodeError(
            f"the interrupt routine at >{self.interrupts.hook:04X} does not come back",
            remedy="let it end with B *R11, its R11 and workspace >83E0 as it found them",
        )

    # -- LINK -----------------------------------------------------------------------------

    def start(self, entry: int, arguments: list[Argument]) -> None:
        """Stop before the code of a LINK."""
        machine, cpu, bus = self.machine, self.cpu, self.bus
        self.arguments = arguments
        machine.sprites.hold()
        machine.sound.hold()
        cpu.pending = cpu.request = None
        self._flag = False
        cpu.wp, cpu.pc, cpu.st = places.GPL_WORKSPACE, entry & 0xFFFE, 0
        for number, value in (
            (11, places.RETURNED),
            (13, places.GROM_READ),
            (15, places.VIDEO_ADDRESS),
        ):
            self._set_register(number, value)
        bus.load(places.ARGUMENT_COUNT, (len(arguments),))
        bus.load(places.ARGUMENT_KINDS, [argument.kind for argument in arguments])
        self._find_utilities()
        self.interrupts.begin()
        self._due = machine.clock.next_interrupt
        self._reached_at = machine.clock.cycles
        self._serving = 0
        self.running = True

    def go_on(self) -> None:
        """Run the code until it returns. Raises Pause when one is due; call it again to go on.

        CodeError when it goes on for longer than `patience` while nobody can stop it.
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
        """The video processor requests an interrupt at the end of each frame."""
        cycles = self.machine.clock.cycles
        if cycles < self._due:
            return
        self._due = self.machine.clock.next_interrupt
        self._flag = True
        self.cpu.request = 1

    def stop(self) -> None:
        """End the code: BASIC serves the interrupt that waits."""
        self.running = False
        self.arguments = []
        if self._flag:
            self.machine.sprites.moving = self.bus.peek(MOVING_SPRITES)
            self.machine.sprites.step()
            self.machine.sound.step()
            self._flag = False
        self.interrupts.settle()
        self.machine.sprites.let_go()
        self.machine.sound.let_go()
