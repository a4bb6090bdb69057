"""A compiled game as a host of matches: the cartridge plays, with the game's disk in DSK1."""

from __future__ import annotations

from ti99tools.compiler.compiling import Compiled
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.player import HASTY, ScriptPlayer
from ti99tools.games.hosts.disklog import with_files
from ti99tools.games.hosts.host import FINAL, Job, Played

RETURN_OF_SCAN = 0x839A
"""R7 of the runtime: where its scan of the keyboard goes back to."""
LONGEST = 160
"""Bytes of KEY, and of the loop in which a line is typed."""
IN_VAIN = 300
"""Looks without a key after which a program is taken to ask for one, not to pause."""


class Asking:
    """Tells that a program asks for a key: KEY or the line editor have long looked in vain.

    SOUND scans the keyboard, too, and a joystick's button is a key of a half of it.
    """

    def __init__(self, program: Compiled, console: CartridgeConsole) -> None:
        self._bus = console.engine.bus
        assembled = program.linked.assembled
        labels = [label for label in ("KEY0", "EDIT") if label in assembled.symbols]
        self._asking = [range(at := assembled.address_of(label), at + LONGEST) for label in labels]
        self._looks = 0

    def asks(self, half: bool) -> bool:
        """See `KeyQuestions`."""
        back = self._bus.word_at(RETURN_OF_SCAN)
        if half or not any(back in part for part in self._asking):
            return False
        self._looks += 1
        return self._looks >= IN_VAIN

    def given(self) -> None:
        """See `KeyQuestions`."""
        self._looks = 0


class CartridgeHost:
    """A `Host` of one game."""

    name = "cartridge"

    def __init__(self, program: Compiled) -> None:
        self._program = program
        self._data = program.cartridge

    def missing(self) -> str:
        """Empty: it can run everywhere."""
        return ""

    def play(self, job: Job) -> Played:
        """Choose the game in the menu and do the steps."""
        image = with_files(job.disk, job.files)
        console = CartridgeConsole(self._data, disks={"DSK1": image}, max_seconds=job.max_seconds)
        console.machine.keyboard.ask(Asking(self._program, console))
        player = ScriptPlayer(console, job.max_seconds, look=HASTY)
        console.choose()
        end = player.follow(job.steps)
        player.snap(FINAL)
        console.close_files()
        records = image.read(job.log).records if job.log in image else None
        return Played(records, player.screens, console.clock.seconds, str(end), disk=image)
