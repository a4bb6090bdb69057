"""A game on a console, driven by what it shows: what the tests of all games share."""

from collections.abc import Sequence
from typing import Self

from tests.shipped import shipped
from ti99tools import Console, DiskImage
from ti99tools.games.hosts.disklog import filled


def image_of(console: Console) -> DiskImage:
    """The disk in DSK1 as it is now."""
    return console.disks["DSK1"]


def lines_of(console: Console, name: str) -> list[str]:
    """The lines of a file on that disk."""
    return [record.decode() for record in image_of(console).read(name).records]


def full_disk(built: DiskImage, sectors: int) -> DiskImage:
    """A copy of the disk with so many sectors free."""
    image = DiskImage.from_bytes(filled(built.to_bytes(), sectors))
    assert image.free_sectors == sectors
    return image


def looks(console: Console) -> tuple[int, bytes]:
    """What a player hears and sees: sounds so far, and the first sprite."""
    return len(console.sound.written), bytes(console.machine.vdp.ram[0x300:0x304])


def check_answers(console: Console, keys: Sequence[str], rest: int) -> None:
    """Check that each key, pressed after a rest in frames, is answered within a second."""
    for key in keys:
        console.wait(rest)
        before = looks(console)
        console.machine.keyboard.press(key)
        start = console.clock.cycles
        while looks(console) == before:
            console.wait(1)
            assert console.clock.cycles - start < 3_000_000, key


class DrivenGame:
    """A game that has started from its disk, or from a copy of it that it finds in DSK1."""

    NAME: str
    """Name of the game."""
    PASSES: tuple[str, ...] | None = None
    """Passes of `optimize` that it is built with, those of its manifest by default."""
    READY: str
    """What its title shows when keys count."""
    LOG: str
    """The file of its play log, unless another one is named."""
    SECONDS = 600.0
    """Machine time of one step, at most."""

    def __init__(self, image: DiskImage | None = None, *, protected: bool = False) -> None:
        disk = image or shipped(self.NAME, self.PASSES).image
        self.console = Console(disks={"DSK1": disk}, max_seconds=self.SECONDS)
        if protected:
            drives = self.console.machine.drives
            drives.mount("DSK1", drives.images()["DSK1"], write_protected=True)
        self.console.boot()
        self.see(self.READY)

    @classmethod
    def without_disk(cls) -> Self:
        """The game started from memory, with no disk in a drive."""
        game = cls.__new__(cls)
        game.console = Console(max_seconds=cls.SECONDS)
        game.console.load(shipped(cls.NAME, cls.PASSES).program)
        game.console.start()
        return game

    def log_on(self) -> None:
        self.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"), ("PLAY LOG: ON", ""))

    def log(self, name: str = "") -> list[str]:
        return lines_of(self.console, name or self.LOG)

    def see(self, text: str) -> None:
        """Let time pass until a text is on the screen."""
        seen = self.console.run_until(text=text, seconds=3000)
        assert seen, f"no {text} but\n{self.console.screen.text}"

    def answer(self, *pairs: tuple[str, str]) -> None:
        """Wait for each text, then type the keys that go with it."""
        for text, keys in pairs:
            self.see(text)
            self.console.wait(60)
            self.console.type(keys)
