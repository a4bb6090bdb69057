"""Helpers of the interpreter's tests: run listings, look at what they leave."""

from __future__ import annotations

from typing import Any

from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program


def console(listing: str, **options: Any) -> Console:
    """A console with a program in memory."""
    console = Console(**options)
    console.load(Program.from_listing(listing, strict=False))
    return console


def started(listing: str) -> Console:
    """A console whose program has been told to run."""
    computer = console(listing)
    computer.start()
    return computer


def run(listing: str, expect: str = "ready") -> Console:
    """Run a program to its end, which must be the expected one."""
    computer = console(listing)
    outcome = computer.run()
    assert outcome == expect, f"{outcome}: {computer.error}\n{computer.screen.text}"
    return computer


def printed(listing: str, expect: str = "ready") -> list[str]:
    """What a program printed on the screen, row by row, the message at its end too."""
    return rows(run(listing, expect))


def rows(console: Console) -> list[str]:
    """The screen's rows that hold anything, without margins and the prompt."""
    found = [row[2:30].strip() for row in console.screen.text.split("\n")]
    return [row for row in found if row and row != "* READY *"]
