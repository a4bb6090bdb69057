"""A game on a console, driven by what it shows: what the tests of all games share."""

from ti99tools import Console, DiskImage


def image_of(console: Console) -> DiskImage:
    """The disk in DSK1 as it is now."""
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    return image


class DrivenGame:
    """A game that has started from its disk, or from a copy of it that it finds in DSK1."""

    BUILT: DiskImage
    """The game's disk as it was built."""
    READY: str
    """What its title shows when keys count."""
    SECONDS = 600.0
    """Machine time of one step, at most."""

    def __init__(self, image: DiskImage | None = None, *, protected: bool = False) -> None:
        disk = image or DiskImage.from_bytes(self.BUILT.to_bytes())
        self.console = Console(disks={"DSK1": disk}, max_seconds=self.SECONDS)
        if protected:
            drives = self.console.machine.drives
            drives.mount("DSK1", drives.images()["DSK1"], write_protected=True)
        self.console.boot()
        self.see(self.READY)

    def see(self, text: str) -> None:
        """Let time pass until a text is on the screen."""
        shown = self.console.run_until(text=text, seconds=3000)
        assert shown, f"no {text} but\n{self.console.screen.text}"

    def answer(self, *pairs: tuple[str, str]) -> None:
        """Wait for each text, then type the keys that go with it."""
        for text, keys in pairs:
            self.see(text)
            self.console.wait(60)
            self.console.type(keys)
