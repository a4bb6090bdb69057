"""A project's defaults for options: ti99tools.toml, or [tool.ti99tools] in pyproject.toml.

    drives = ["DSK2=work.dsk"]      --disk, for every command that has it
    seconds = 60                    --max-seconds

    [run]                           for `run` alone; `disk new` is [disk.new]
    screen = true

The file is looked for in the current folder and those above it; the nearest one counts. Options on
the command line take precedence. Paths are relative to the folder of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from ti99tools.app.project import defaults_in, project_file
from ti99tools.base.errors import Place, TIError
from ti99tools.fronts.cli.options import DriveFile


def defaults_for(name: str, command: click.Command, known: Iterable[str]) -> dict[str, Any]:
    """The defaults of a command, as click's `default_map` requires them.

    `known` are the names of all commands. Raises TIError for an unreadable file, and for unknown
    options.
    """
    path = project_file(Path.cwd())
    if path is None:
        return {}
    table = defaults_in(path)
    shared = {key: value for key, value in table.items() if not isinstance(value, dict)}
    for key in table:
        if isinstance(table[key], dict) and key not in set(known):
            raise _unknown(path, f"no command {key}", key, known)
    for key in shared:
        if key not in SHARED:
            raise _unknown(path, f"no option {key} for all commands", key, SHARED)
    return _of(command, table.get(name, {}), shared, path, name)


SHARED = tuple(
    """
    basic coverage drives fps geometry jobs join max-seconds out quiet replace save-disk scale
    screen script seconds seed terminal top turbo
    """.split()
)
"""Options that may stand outside a command's table."""
_ALIASES = {"drives": "disk", "seconds": "max-seconds"}
"""Name here → option: `disk` cannot be used, since it is the table of a command."""


def _of(
    command: click.Command, own: Mapping[str, Any], shared: Mapping[str, Any], path: Path, name: str
) -> dict[str, Any]:
    options = {
        opt.removeprefix("--"): param
        for param in command.params
        if isinstance(param, click.Option)
        for opt in param.opts
        if opt.startswith("--")
    }
    found: dict[str, Any] = {}
    subcommands = command.commands if isinstance(command, click.Group) else {}
    for given, value in {**shared, **own}.items():
        key = _ALIASES.get(given, given)
        if given == "drives" and key in options and not isinstance(options[key].type, DriveFile):
            # The `--disk` of `disk rename` is a different option.
            continue
        if key in options:
            param = options[key]
            found[param.name or key] = _value(param, value, path)
        elif isinstance(value, dict) and key not in subcommands:
            raise _unknown(path, f"no command {name} {key}", key, subcommands)
        elif given in own and not isinstance(value, dict):
            raise _unknown(path, f"{name} has no option {key}", key, options)
    for key, sub in subcommands.items():
        table = own.get(key, {})
        if not isinstance(table, dict):
            raise TIError(f"{path}: {key} is not a table", remedy=f"write [{name}.{key}]")
        found[key] = _of(sub, table, shared, path, f"{name} {key}")
    return found


def _value(param: click.Option, value: Any, path: Path) -> Any:
    """A value as on the command line, with paths relative to the folder of the file."""
    if param.multiple:
        values = value if isinstance(value, list) else [value]
        return [_located(param, each, path) for each in values]
    if isinstance(value, list):
        raise TIError(f"{path}: --{param.name} takes one value", remedy="write it without [ ]")
    return _located(param, value, path)


def _located(param: click.Option, value: Any, path: Path) -> Any:
    if param.is_flag != isinstance(value, bool):
        remedy = "write true or false" if param.is_flag else "give it a value"
        kind = "is on or off" if param.is_flag else "is no switch"
        raise TIError(f"{path}: {param.opts[0]} {kind}", remedy=remedy)
    if isinstance(value, bool):
        return value
    value = str(value)
    if isinstance(param.type, DriveFile):
        drive, equals, file = value.rpartition("=")
        return f"{drive}{equals}{_beside(path, file)}"
    return str(_beside(path, value)) if isinstance(param.type, click.Path) else value


def _beside(path: Path, file: str) -> Path:
    found = path.parent / Path(file).expanduser()
    return found.relative_to(Path.cwd()) if found.is_relative_to(Path.cwd()) else found


def _unknown(path: Path, problem: str, key: str, known: Iterable[str]) -> TIError:
    from difflib import get_close_matches

    names = sorted(known)
    near = get_close_matches(key, names, 1)
    remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
    return TIError(problem, remedy=remedy, place=Place(str(path)))
