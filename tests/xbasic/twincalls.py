"""A game's SUBs and their twins in machine code, called by a program that waits for keys."""

from ti99tools import Console, Program
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import Twins
from ti99tools.language.dialect import generate
from ti99tools.language.program.editor import with_code


def waiting(game: Manifest, source: str, native: bool) -> Console:
    """A console on which a source runs with the game's files; `native`: by the twins."""
    twins = Twins(game.folder)
    listing = generate(source, root=game.folder, native=twins.entered if native else None)
    console = Console(max_seconds=1e9)
    console.load(with_code(Program.from_listing(listing.text), twins.code))
    console.start()
    console.wait(900)
    assert console.error is None
    return console
