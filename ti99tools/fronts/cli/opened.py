"""Which options a project's file may set: those that cannot reach outside its folder.

A project's file lies in a folder that may come from a stranger, and counts as soon as a command
runs there. So every option is closed to it until it stands in `OPENED`. Closed are outputs,
`--replace` and what else changes files in another way than was asked for, wires and cassettes,
emulators and clusters, what runs a game's Python where the command alone does not (`build
--report`), and what only makes sense for one run. The paths of open options stay in the folder of
the file, links followed.

What the user's own file sets is as good as typed: nothing is closed to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ti99tools.base.errors import Place, TIError

_OF_A_RUN = "basic disk keys max-seconds script seed until"
OPENED: Mapping[str, frozenset[str]] = {
    name: frozenset(options.split())
    for name, options in {
        "new": "json",
        "build": "check fast json no-optimize passes",
        "package": "games jobs json no-page no-proof",
        "generate": "define from join json map no-pack optimize start step",
        "tokenize": "code format join json name protect tifiles",
        "assemble": "base format json name relaxed tifiles",
        "compile": "json no-banks no-words pace report show title",
        "list": "json width",
        "lint": "basic caret format join json quiet",
        "lsp": "basic",
        "disk new": "boot form geometry json name",
        "disk convert": "form geometry json",
        "disk repair": "json",
        "disk ls": "json long volume volumes",
        "disk show": "hex json sector volume",
        "disk check": "json volume",
        "disk add": "json name protect recl type",
        "disk get": "form json volume",
        "disk rm": "json",
        "disk rename": "json",
        "disk protect": "json",
        "disk copy": "json",
        "disk undelete": "json",
        "tape write": "json",
        "tape list": "json",
        "tape read": "damaged form internal json unit",
        "run": f"{_OF_A_RUN} codes debug fps json randomize scale screen show-code vars",
        "play": "basic debug disk joystick scale script terminal turbo",
        "debug": _OF_A_RUN,
        "web": "json",
        "profile": f"{_OF_A_RUN} code json real-drives top",
        "verify": "budget form games jobs json seed shrink stage",
        "challenge": "json month",
        "board": "all json match move",
        "conformance": "area diff form id jobs json known",
        "hosts": "json",
    }.items()
}
"""Command → the options, without dashes, that a project's file may set."""


def may_set(command: str, option: str) -> bool:
    """Tell whether a project's file may set an option of a command."""
    return option in OPENED.get(command, ())


def may_set_for_all(option: str) -> bool:
    """Tell whether a project's file may set an option for all commands."""
    return any(option in options for options in OPENED.values())


def closed(place: Place, option: str, has: bool = True) -> TIError:
    """The error for a value that a project's file may not set.

    `has` tells whether the command that is run has that option.
    """
    whose = "" if has else " of the commands that have it"
    remedy = f"use --{option} on the command line{whose}, or a file of your own (docs/projects.md)"
    return TIError(f"a project's file may not set {option}", remedy=remedy, place=place)


def inside(folder: Path, given: Path, place: Callable[[], Place], option: str) -> Path:
    """A path in a project's file, from its folder.

    `~` is not expanded: the home of a user is never part of a project. Raises TIError when the
    path leaves the folder, links followed; `place`, which may take long, is only asked for then.
    """
    file = folder / given
    try:
        stays = file.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        # A circle of links, or a name that no file can have, leads nowhere.
        stays = False
    if begins_at_home(given) or not stays:
        raise TIError(
            f"{file} is outside the folder of this file, where a project may not reach",
            remedy=f"move it there, or use --{option} on the command line",
            place=place(),
        )
    return file


def begins_at_home(path: Path) -> bool:
    """Tell whether a path begins with a user's home folder, `~` or `~NAME`."""
    return path.parts != () and path.parts[0].startswith("~")
