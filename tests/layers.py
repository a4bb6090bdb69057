"""Who may import whom: the one table of wings, and the picture of the house made from it.

`python -m tests.layers` prints the picture that is in CONTRIBUTING.md.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from tests.house import PACKAGE, Module, ours

WINGS = (
    "base",
    "media",
    "hardware",
    "language",
    "computer",
    "compiler",
    "games",
    "app",
    "fronts",
)
"""From the ground up: a module may import its own wing and those before it."""
ROOF = {"__init__": set(WINGS), "__main__": {"base", "fronts"}, "kept": set[str]()}
"""Modules above all wings, and the wings that they may import."""
NARROWER = {
    "hardware.cpu": set[str](),
    "hardware.assembler": {"base", "hardware.cpu"},
    "language.findings": {"base"},
    "language.syntax": {"base"},
    "language.listing": {"base", "language.findings", "language.syntax"},
    "language.prescan": {"base", "language.listing", "language.syntax"},
    "language.analysis": {"base", "language.listing", "language.syntax", "language.prescan"},
    "language.remedies": {
        "base",
        "language.findings",
        "language.listing",
        "language.syntax",
    },
    "language.dialect": {
        "base",
        "language.findings",
        "language.listing",
        "language.syntax",
        "language.remedies",
    },
    "language.lint": {
        "base",
        "hardware.assembler",
        "language.findings",
        "language.listing",
        "language.syntax",
        "language.prescan",
        "language.analysis",
        "language.remedies",
        "language.dialect",
    },
    "language.program": {
        "base",
        "media.disk",
        "language.analysis",
        "language.dialect",
        "language.findings",
        "language.lint",
        "language.listing",
        "language.prescan",
        "language.remedies",
        "language.syntax",
    },
    "language.optimize": {
        "base",
        "language.listing",
        "language.syntax",
        "language.prescan",
        "language.analysis",
    },
    "computer.numbers": {"base"},
    "computer.machinecode": {"base", "hardware", "media.disk.geometry", "computer.numbers"},
    "computer.interp": {
        "base",
        "hardware.machine",
        "language.syntax",
        "language.prescan",
        "language.analysis",
        "computer.numbers",
        "computer.machinecode",
    },
    "computer.interp.io": {"base", "hardware.machine", "language", "computer.numbers"},
    "computer.interp.subprograms": {
        "base",
        "hardware.machine",
        "computer.numbers",
        "computer.machinecode",
        "computer.interp.io",
    },
    "computer.interp.compile": {
        "base",
        "hardware.machine",
        "language",
        "computer.numbers",
    },
    "games.making": {"base", "compiler.subs", "media", "hardware.assembler", "language"},
    "games.models": {"base"},
    "games.hosts": {
        "base",
        "media",
        "language.listing",
        "language.program",
        "hardware.machine",
        "computer.console.asking",
        "computer.console.keyscript",
        "games.models",
    },
    "games.hosts.mame": {
        "base",
        "compiler.cartridge",
        "games.hosts",
    },
    "games.hosts.cartridge": {"base", "computer", "games.hosts", "hardware", "media"},
    "games.hosts.virtual": {"base", "computer", "games", "hardware", "language", "media"},
    "games.report": {
        "games.verify.shipped.flaws",
        "base",
        "language.program.coverage",
        "games.hosts.host",
        "games.verify.result",
    },
    "fronts.cli": {
        "base",
        "app",
        "media",
        "games",
        "fronts.debug",
        "fronts.lsp",
        "fronts.play",
        "fronts.web.site",
        "hardware.machine.drives",
        "language.findings",
        "language.program.coverage",
        "language.program.hostfile",
        "language.program.memory_report",
    },
    "fronts.lsp": {"base", "app", "language", "fronts.wire"},
}
"""Rooms and modules that may import less than their wing → what they may, besides themselves."""
LIBRARIES = {
    "PIL": {"hardware.render", "language.dialect.drawings"},
    "construct": {"media", "language.program"},
    "click": {"fronts.cli"},
    "rich": {"fronts.cli", "fronts.play", "app.terminal_picture", "games.report"},
    "markdown_it": {"app.manual_page"},
    "pygame": {"fronts.play"},
    "pytest": {"fronts.pytest_plugin", "app.cover"},
    "hypothesis": set(),
}
"""Libraries of others → the rooms that may import them. Other rooms use the standard library."""
PUBLIC = "ti99tools"
"""The package itself: its public names are for users, its version for all."""


@cache
def modules() -> dict[str, Module]:
    """The modules of the package by their dotted name in it; an `__init__` has its room's name."""
    return {
        name.removeprefix(f"{PUBLIC}.") if name != PUBLIC else "__init__": module
        for name, module in ours().items()
    }


def _within(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def _table(name: str) -> set[str]:
    """What a module may import, by the narrowest row of the table."""
    row = _row(name)
    if row:
        return NARROWER[row] | {row}
    wing = name.partition(".")[0]
    if wing in ROOF:
        return ROOF[wing]
    return set(WINGS[: WINGS.index(wing) + 1])


def forbidden(name: str, imported: Iterable[str]) -> set[str]:
    """What a module imports against the table; `name` and the results are without `ti99tools.`."""
    allowed = _table(name)
    wrong = set()
    for full in imported:
        inside = full.removeprefix("ti99tools.")
        if inside == full:
            library = full.partition(".")[0]
            rooms = LIBRARIES.get(library)
            if rooms is not None and not any(_within(name, room) for room in rooms):
                wrong.add(full)
        elif inside.split(".")[0] in WINGS and not any(_within(inside, room) for room in allowed):
            wrong.add(inside)
        elif inside.split(".")[0] not in {*WINGS, *ROOF} and inside != "__version__":
            # The package's public names are for its users, and for the fronts.
            wrong |= {inside} if name.partition(".")[0] != "fronts" else set()
    return wrong


def unused() -> dict[str, set[str]]:
    """Row of `NARROWER` → what it permits, but no module of the row imports."""
    imports: dict[str, set[str]] = defaultdict(set)
    for name, module in modules().items():
        row = _row(name)
        if row:
            imports[row] |= {full.removeprefix(f"{PUBLIC}.") for full in module.imports}
    return {
        row: left
        for row, allowed in NARROWER.items()
        if (
            left := {
                room for room in allowed if not any(_within(name, room) for name in imports[row])
            }
        )
    }


def _row(name: str) -> str | None:
    """The narrowest row that a module has."""
    return max((room for room in NARROWER if _within(name, room)), key=len, default=None)


def sign(room: str) -> str:
    """The first line of the docstring of a room or wing."""
    doc = ast.get_docstring(modules()[room].tree) or ""
    return doc.partition("\n")[0]


def rooms(wing: str) -> list[str]:
    """The rooms of a wing, by name."""
    folder = PACKAGE / wing
    return sorted(path.parent.name for path in folder.glob("*/__init__.py"))


def picture() -> str:
    """The house as text: wings from the roof down, each with its rooms and their signs."""
    lines = []
    for wing in reversed(WINGS):
        lines.append(f"{wing + '/':12}{sign(wing)}")
        lines.extend(f"  {room + '/':14}{sign(f'{wing}.{room}')}" for room in rooms(wing))
    return "\n".join(lines)


if __name__ == "__main__":
    print(picture())
