"""A debugged run in a terminal, and one for an editor as its launch configuration describes it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from ti99tools.app.consoles import MAX_SECONDS
from ti99tools.app.debug.debugging import Recipe
from ti99tools.app.debug.sources import StatementLines
from ti99tools.app.debug.timeline import Timeline
from ti99tools.app.project import basic_in
from ti99tools.app.run import RunRequest
from ti99tools.base.errors import TIError, near
from ti99tools.fronts.debug.adapter import Begin, DebugAdapter
from ti99tools.fronts.debug.commands import TerminalFront, streams
from ti99tools.language.listing.laterprofiles import profile_of


def debug_in_terminal(recipe: Recipe) -> None:
    """Debug with commands from standard input."""
    source, out = streams()
    front = TerminalFront(source, out, recipe.main)
    front.timeline = Timeline(recipe.begin, front)
    with ctrl_c(front):
        front.timeline.run()


@contextmanager
def ctrl_c(front: TerminalFront) -> Iterator[None]:
    """Make Ctrl-C pause the program while the body runs."""

    def pause(_number: int, _frame: FrameType | None) -> None:
        front.pause()

    before = signal.signal(signal.SIGINT, pause)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


LAUNCH: dict[str, Any] = {
    "program": str,
    "start": str,
    "keys": str,
    "script": str,
    "until": str,
    "seed": int,
    "maxSeconds": (int, float),
    "disks": dict,
    "basic": str,
    "stopOnEntry": bool,
    "cwd": str,
}
"""Setting of a launch configuration → its type."""


def launched(arguments: Mapping[str, Any], basic: str = "") -> tuple[Begin, StatementLines | None]:
    """What begins the run of a launch configuration, and its program if known. Raises TIError.

    `basic` is the profile for programs without one of their own.
    """
    _check(arguments)
    if "cwd" in arguments:
        try:
            os.chdir(arguments["cwd"])
        except OSError as error:
            raise TIError(f"cwd {arguments['cwd']}: {error.strerror}") from error
    script = arguments.get("script")
    keys, until = arguments.get("keys"), arguments.get("until")
    keys = None if keys is None else keys.replace("\n", "\\n")  # JSON has its own escapes
    disks = [(str(drive).upper(), Path(file)) for drive, file in arguments.get("disks", {}).items()]
    folder = Path(arguments["program"]).absolute().parent
    request = RunRequest(
        arguments.get("start"),
        keys,
        Path(script) if script else None,
        until,
        float(arguments.get("maxSeconds", MAX_SECONDS)),
        disks,
        arguments.get("seed"),
        arguments.get("basic") or basic or basic_in(folder),
    )
    recipe = Recipe.of(arguments["program"], request)
    return recipe.begin, recipe.main


def _check(arguments: Mapping[str, Any]) -> None:
    """Raise TIError for missing, unknown, mistyped or contradictory settings."""
    if not arguments.get("program"):
        raise TIError("the launch configuration has no program", remedy='add "program": "game.xb"')
    for name, value in arguments.items():
        kind = LAUNCH.get(name)
        if kind is None and (meant := near(name, LAUNCH, 0.8)):
            raise TIError(f"{name} in the launch configuration", remedy=f"did you mean {meant}?")
        if kind is not None and (
            not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)
        ):
            raise TIError(
                f"{name} in the launch configuration is {value!r}",
                remedy=f"it is written as {_EXAMPLES[kind]}",
            )


_EXAMPLES: dict[Any, str] = {
    str: 'a text: "…"',
    int: "a whole number",
    (int, float): "a number",
    bool: "true or false",
    dict: '{"DSK2": "data.dsk"}',
}


def serve_editor(basic: str) -> None:
    """Run a Debug Adapter on standard input and output; `basic`: see `launched`. Raises TIError."""
    profile_of(basic)
    launch = partial(launched, basic=basic)
    DebugAdapter(sys.stdin.buffer, sys.stdout.buffer, launch).serve()
