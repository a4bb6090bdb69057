"""Listings of public collections, compiled and compared with Extended BASIC.

    python -m tests.compiler.listings                 # fetches them from the web
    python -m tests.compiler.listings --folder DIR    # files of these names, fetched before

Nothing of them is in this repository. Both forms run the same lines, with a fixed seed in place of
RANDOMIZE. Whenever both wait for a key, screen, patterns, colours, sprites and registers are
compared; then both get the same key, ten times or until the program ends. A game that never waits
has no such moment.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.request import urlopen

from tests.compiler.bothforms import Left
from ti99tools.app.target import find_target
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import compile_program
from ti99tools.computer.console.anyconsole import RunEnd
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.screen import CURSOR_TEXT
from ti99tools.language.program.program import Program

ADDRESS = "https://raw.githubusercontent.com/{repository}/HEAD/{path}"
MOMENTS = 10
KEYS = ("ENTER", "Y", "1", "ENTER", "2", "SPACE", "N", "5", "ENTER", "3")
"""What is pressed at the moments, in turn."""
PATIENCE = 120.0
"""Seconds of machine time until a form waits for a key."""
AT_REST = 60
"""Frames in which tones end and screens come to rest."""


@dataclass(frozen=True)
class Listing:
    """A program of a repository; `name`: its file, where it has been fetched before."""

    repository: str
    path: str

    @property
    def name(self) -> str:
        """The name of its file."""
        return Path(self.path).name

    def text(self, folder: Path | None) -> Path:
        """Its file, in a folder, or fetched into the folder of the cache."""
        if folder is not None:
            return folder / self.name
        cache = Path.home() / ".cache" / "ti99tools-listings"
        cache.mkdir(parents=True, exist_ok=True)
        file = cache / self.name
        if not file.exists():
            with urlopen(ADDRESS.format(repository=self.repository, path=self.path)) as answer:
                file.write_bytes(answer.read())
        return file


LISTINGS = (
    Listing("seanwo/ti994a", "battleship.bas"),
    Listing("seanwo/ti994a", "blackjack.bas"),
    Listing("seanwo/ti994a", "blackjack.original.bas"),
    Listing("tursilion/spacefight", "ti/spacefight.bas"),
    Listing("tursilion/stranger", "TIBASIC/stranger.bas"),
    Listing("tursilion/stranger", "TIBASIC/strange_sp.bas"),
    Listing("unhuman/ti99", "BloxoTIz.txt"),
    Listing("unhuman/ti99", "DragonStorm.txt"),
    Listing("unhuman/ti99", "Piranha.txt"),
    Listing("rcmolina/TI994A", "Tisudoku-XB.bin"),
)
"""More than 150 lines each."""


def program_of(file: Path) -> Program:
    """The program in a file, with a fixed seed. Raises TIError."""
    target = find_target(str(file))
    program = target.program or Program.of(target.source) if target.source else target.program
    assert program is not None
    text = re.sub(r"\bRANDOMIZE\b(?=\s*(?:$|::|!))", "RANDOMIZE 1", program.listing(), flags=re.M)
    return Program.from_listing(text)


class Basic:
    """The program in Extended BASIC."""

    def __init__(self, program: Program) -> None:
        self.console = Console(max_seconds=10_000)
        self.console.load(program)
        self.started = False

    def rest(self) -> bool:
        """Run until it waits for a key; False at its end, or if it goes on and on."""
        end = self.console.resume(PATIENCE) if self.started else self.console.run(PATIENCE)
        self.started = True
        return end == RunEnd.KEYS

    def press(self, key: str) -> None:
        """Press a key."""
        self.console.press(key)


class Compiled:
    """The program as a cartridge."""

    def __init__(self, program: Program) -> None:
        self.console = CartridgeConsole(compile_program(program, "TEST").cartridge)
        self.console.choose()

    def rest(self) -> bool:
        """As `Basic.rest`."""
        return self.console.resume(PATIENCE) == RunEnd.KEYS

    def press(self, key: str) -> None:
        """Press a key, and let the program take it."""
        self.console.press(key)
        self.console.take_keys(PATIENCE)


def moments(program: Program) -> Iterator[str]:
    """What is found at each moment: empty if both forms agree."""
    forms = Basic(program), Compiled(program)
    for number in range(MOMENTS):
        waiting = [form.rest() for form in forms]
        for form in forms:
            form.console.wait(AT_REST)
        basic, compiled = (Left.of(form.console) for form in forms)
        basic = under_the_cursor(forms[0].console, basic, compiled)
        if waiting[0] != waiting[1]:
            yield f"waits: {waiting}"
        running = [form.console.running for form in forms]
        if not any(waiting) and any(running):
            # It never waits: there is no moment at which both must look the same.
            if not all(running):
                yield f"runs on: {running}"
            return
        yield "" if basic == compiled else "\n".join(differing(basic, compiled))
        if not all(waiting):
            return
        for form in forms:
            form.press(KEYS[number])


def under_the_cursor(console: Console, basic: Left, compiled: Left) -> Left:
    """What Extended BASIC leaves, with the other form's character where the cursor is.

    There the cursor covers it all the time, in a compiled program half of it.
    """
    rows = [
        "".join(
            other if cursor == CURSOR_TEXT else one
            for one, cursor, other in zip(*three, strict=True)
        )
        for three in zip(basic.rows, console.screen.rows, compiled.rows, strict=True)
    ]
    return replace(basic, rows=tuple(rows))


def differing(basic: Left, compiled: Left) -> Iterator[str]:
    """What differs, row by row."""
    for row, (one, other) in enumerate(zip(basic.rows, compiled.rows, strict=True), 1):
        if one != other:
            yield f"row {row}: {one!r} {other!r}"
    if basic.memory != compiled.memory:
        places = [
            at
            for at, (a, b) in enumerate(zip(basic.memory, compiled.memory, strict=True))
            if a != b
        ]
        yield f"patterns, colours, sprites: {places[:8]}"
    if basic.registers != compiled.registers:
        yield f"registers: {basic.registers.hex()} {compiled.registers.hex()}"


def main() -> None:
    """Compare all, or those whose names are given."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=Path)
    words = parser.parse_args()
    for listing in LISTINGS:
        if words.names and listing.name not in words.names:
            continue
        try:
            program = program_of(listing.text(words.folder))
            found = list(moments(program))
        except TIError as error:
            print(f"{listing.repository} {listing.path}: refused: {error}")
            continue
        equal = sum(not one for one in found)
        counts = f"{len(program.lines)} lines, {equal} of {len(found)} moments equal"
        print(f"{listing.repository} {listing.path}: {counts}", flush=True)
        for number, one in enumerate(found, 1):
            if one:
                print(f"  moment {number}:\n    " + one.replace("\n", "\n    "))


if __name__ == "__main__":
    main()
