"""What docs/stability.md promises for 1.x is there: names of Python, commands, options, files.

`python -m tests.test_promises` adds to promises.json what is new; nothing is ever taken out.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

import ti99tools
from ti99tools.fronts.cli.main import cli

FILE = Path(__file__).with_name("promises.json")
Names = dict[str, list[str]]
MODULES = {
    "base.errors": ("Place", "TIError"),
    "computer.console.keyscript": (
        *("Asked", "Hold", "Joystick", "Press", "Release", "Rest"),
        *("Snap", "Tap", "Type", "Until", "Wait"),
    ),
    "games.models.model": ("Ask", "Flow", "Model", "Player", "Setup"),
    "games.models.playlog": ("Event", "PlayLog"),
    "games.verify.adapter": ("Adapter",),
    "games.verify.campaign": ("verify_game",),
}
"""Modules that the documentation shows, and their promised names."""


def public(thing: object) -> list[str]:
    return sorted(name for name in dir(thing) if not name.startswith("_"))


def python_names() -> Names:
    """Public members of the promised classes, and the names of promised modules."""
    found = {name: public(getattr(ti99tools, name)) for name in ti99tools.__all__ if name[0] != "_"}
    for module, names in MODULES.items():
        place = import_module(f"ti99tools.{module}")
        found[module] = [name for name in names if hasattr(place, name)]
    return found


def options() -> Names:
    """Commands with their options, `disk new` as such."""
    found: Names = {}

    def add(name: str, command: click.Command) -> None:
        found[name] = sorted({o for p in command.params for o in (*p.opts, *p.secondary_opts)
                              if o.startswith("-")})  # fmt: skip
        if isinstance(command, click.Group):
            context = click.Context(command)
            for inner in command.list_commands(context):
                below = command.get_command(context, inner)
                assert below is not None
                add(f"{name} {inner}".strip(), below)

    add("", cli)
    return found


def present() -> dict[str, Names]:
    from ti99tools.fronts.cli.defaults import SHARED
    from ti99tools.fronts.debug.sessions import LAUNCH

    files = {"launch configuration": sorted(LAUNCH), "ti99tools.toml": sorted(SHARED)}
    return {"python": python_names(), "commands": options(), "files": files}


def missing(promised: dict[str, Names], there: dict[str, Names]) -> list[str]:
    """What was promised and is not there."""
    return [
        f"{kind}: {owner} {name}".replace("  ", " ").strip()
        for kind, owners in promised.items()
        for owner, names in owners.items()
        for name in (names or [""])
        if owner not in there[kind] or (name and name not in there[kind][owner])
    ]


def test_nothing_that_was_promised_is_missing() -> None:
    gone = missing(json.loads(FILE.read_text()), present())
    assert gone == [], "see docs/stability.md: what was promised stays until 2.0"


@pytest.mark.parametrize(
    ("kind", "owner", "name"),
    [
        ("python", "Console", "boot"),
        ("commands", "run", "--basic"),
        ("files", "ti99tools.toml", "seed"),
    ],
)
def test_a_name_that_is_dropped_is_noticed(kind: str, owner: str, name: str) -> None:
    there = present()
    there[kind][owner].remove(name)
    assert missing(json.loads(FILE.read_text()), there) == [f"{kind}: {owner} {name}"]


def test_a_command_that_is_dropped_is_noticed() -> None:
    there = present()
    del there["commands"]["board"]
    assert missing(json.loads(FILE.read_text()), there)


def test_what_is_new_is_promised_too() -> None:
    assert missing(present(), json.loads(FILE.read_text())) == [], "python -m tests.test_promises"


def test_play_logs_are_of_the_promised_form() -> None:
    from ti99tools.games.models.playlog import FORM, MAGIC

    assert (MAGIC, str(FORM)) == ("TI99LOG", "1")


def main() -> None:
    """Promise what is new, and keep all that was promised."""
    known: dict[str, Any] = json.loads(FILE.read_text()) if FILE.exists() else {}
    for kind, owners in present().items():
        for owner, names in owners.items():
            before = known.setdefault(kind, {}).get(owner, [])
            known[kind][owner] = sorted({*before, *names})
    FILE.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
