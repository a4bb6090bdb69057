"""Defaults for options: a project's ti99tools.toml or pyproject.toml, and a file of the user's own.

    drives = ["DSK2=work.dsk"]      --disk, for every command that has it
    seconds = 60                    --max-seconds

    [run]                           for `run` alone; `disk new` is [disk.new]
    screen = true

The project's file is looked for in the current folder and those above it; the nearest one counts.
It may come from a stranger, so it may set only what `OPENED` lists. The user's own file is the one
that TI99TOOLS_CONFIG names, in place of a project's, and the table [options] of config.toml, which
a project's file can override; what it sets is as good as typed. Options on the command line take
precedence. Paths are relative to the folder of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from errno import ELOOP
from pathlib import Path
from typing import Any

import click

from ti99tools.app.project import Defaults, own_defaults, project_defaults
from ti99tools.base.errors import Place, TIError, suggestion
from ti99tools.fronts.cli.options import DriveFile, Located

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
"""Command → the options, without dashes, that a project's file may set.

The file counts as soon as a command runs in its folder. So every option is closed to it until it
stands here. Closed are outputs, `--replace` and what else changes files in another way than was
asked for, wires and cassettes, emulators and clusters, what runs a game's Python where the command
alone does not (`build --report`), and what only makes sense for one run. The paths of open options
stay in the folder of the file, links followed.
"""


def may_set(command: str, option: str) -> bool:
    """Tell whether a project's file may set an option of a command."""
    return option in OPENED.get(command, ())


def closed(place: Place, option: str, has: bool = True) -> TIError:
    """The error for a value that a project's file may not set.

    `has` tells whether the command that is run has that option.
    """
    whose = "" if has else " of the commands that have it"
    remedy = f"use --{option} on the command line{whose}, or a file of your own (docs/projects.md)"
    return TIError(f"a project's file may not set {option}", remedy=remedy, place=place)


def _is_circle(file: Path) -> bool:
    """Tell whether links lead from a file to itself: from Python 3.13 on `resolve` takes them."""
    try:
        file.stat()
    except OSError as error:
        return error.errno == ELOOP
    return False


def inside(folder: Path, given: Path, place: Callable[[], Place], option: str) -> Path:
    """A path in a project's file, from its folder.

    `~` is not expanded: the home of a user is never part of a project. Raises TIError when the
    path leaves the folder, links followed; `place`, which may take long, is only asked for then.
    """
    file = folder / given
    try:
        stays = file.resolve().is_relative_to(folder.resolve()) and not _is_circle(file)
    except (OSError, RuntimeError, ValueError):
        # A circle of links, or a name that no file can have, leads nowhere.
        stays = False
    if str(given).startswith("~") or not stays:
        raise TIError(
            f"{file} is outside the folder of this file, where a project may not reach",
            remedy=f"move it there, or use --{option} on the command line",
            place=place(),
        )
    return file


def defaults_for(name: str, command: click.Command, known: Iterable[str]) -> dict[str, Any]:
    """The defaults of a command, as click's `default_map` requires them.

    `known` are the names of all commands. Raises TIError for an unreadable file, for unknown
    options, and for those that a project's file may not set.
    """
    defaults_of_both: dict[str, Any] = {}
    for defaults in (own_defaults(), project_defaults(Path.cwd())):
        if defaults is not None:
            _merge(defaults_of_both, _Reader(defaults).read(name, command, set(known)))
    return defaults_of_both


def _merge(defaults: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Add defaults to others, which they override; those of subcommands one by one."""
    for key, value in more.items():
        if isinstance(value, dict):
            _merge(defaults.setdefault(key, {}), value)
        else:
            defaults[key] = value


SHARED = tuple(
    """
    basic coverage drives fps geometry jobs join max-seconds out quiet replace save-disk scale
    screen script seconds seed terminal top turbo
    """.split()
)
"""Options that may stand outside a command's table."""
_ALIASES = {"drives": "disk", "seconds": "max-seconds"}
"""Name here → option: `disk` cannot be used, since it is the table of a command."""
MOST_VALUES = 256
"""The most values of one option. A machine has nine drives; a list needs far fewer."""


class _Reader:
    """Takes the defaults of one command from a file."""

    def __init__(self, defaults: Defaults) -> None:
        self.file = defaults
        self.path = defaults.path

    def read(self, name: str, command: click.Command, known: set[str]) -> dict[str, Any]:
        """The defaults of the command in the file."""
        table = self.file.table
        shared = {key: value for key, value in table.items() if not isinstance(value, dict)}
        for key in table:
            if isinstance(table[key], dict) and key not in known:
                raise self.unknown(f"no command {key}", (key,), known)
        for key in shared:
            if key not in SHARED:
                raise self.unknown(f"no option {key} for all commands", (key,), SHARED)
            option = _ALIASES.get(key, key)
            if not (self.file.own or any(option in options for options in OPENED.values())):
                raise closed(self.place((key,)), option, _has(command, option))
        own = table.get(name, {})
        return self.of_command(command, own, shared, name)

    def of_command(
        self, command: click.Command, own: Mapping[str, Any], shared: Mapping[str, Any], name: str
    ) -> dict[str, Any]:
        """The defaults of a command or subcommand: those of its table, else those for all."""
        options = options_of(command)
        defaults: dict[str, Any] = {}
        subcommands = command.commands if isinstance(command, click.Group) else {}
        for given, value in {**shared, **own}.items():
            key = _ALIASES.get(given, given)
            keys = (*name.split(), given) if given in own else (given,)
            if (
                given == "drives"
                and key in options
                and not isinstance(options[key].type, DriveFile)
            ):
                # The `--disk` of `disk rename` is a different option.
                continue
            if key in options:
                if not (self.file.own or may_set(name, key)):
                    raise closed(self.place(keys), key)
                param = options[key]
                defaults[param.name or key] = self.value(param, value, keys)
            elif isinstance(value, dict) and key not in subcommands:
                raise self.unknown(f"no command {name} {key}", keys, subcommands)
            elif given in own and not isinstance(value, dict):
                raise self.unknown(f"{name} has no option {key}", keys, options)
        for key, sub in subcommands.items():
            table = own.get(key, {})
            if not isinstance(table, dict):
                raise self.error(f"{key} is not a table", f"write [{name}.{key}]", (name, key))
            defaults[key] = self.of_command(sub, table, shared, f"{name} {key}")
        return defaults

    def value(self, param: click.Option, value: Any, keys: tuple[str, ...]) -> Any:
        """A value as on the command line, with paths relative to the folder of the file."""
        if param.multiple:
            values = value if isinstance(value, list) else [value]
            if len(values) > MOST_VALUES:
                problem = f"{len(values)} values for {param.opts[0]}"
                raise self.error(problem, f"give at most {MOST_VALUES}", keys)
            return [self.located(param, each, keys) for each in values]
        if isinstance(value, list):
            raise self.error(f"--{param.name} takes one value", "write it without [ ]", keys)
        return self.located(param, value, keys)

    def located(self, param: click.Option, value: Any, keys: tuple[str, ...]) -> Any:
        if param.is_flag != isinstance(value, bool):
            remedy = "write true or false" if param.is_flag else "give it a value"
            kind = "is on or off" if param.is_flag else "is no switch"
            raise self.error(f"{param.opts[0]} {kind}", remedy, keys)
        if isinstance(value, bool):
            return value
        value = str(value)
        if isinstance(param.type, DriveFile):
            drive, equals, file = value.rpartition("=")
            beside = f"{drive}{equals}{self.beside(file, param, keys)}"
            return Located.at(beside, lambda: self.place(keys))
        return str(self.beside(value, param, keys)) if isinstance(param.type, click.Path) else value

    def beside(self, file: str, param: click.Option, keys: tuple[str, ...]) -> Path:
        """A path relative to the folder of the file, seen from the current folder."""
        folder, given = self.path.parent, Path(file)
        if self.file.own:
            path = folder / self.expanded(given, keys)
        else:
            option = param.opts[0].removeprefix("--")
            path = inside(folder, given, lambda: self.place(keys), option)
        return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path

    def expanded(self, file: Path, keys: tuple[str, ...]) -> Path:
        """A path of the user's own with `~` expanded."""
        try:
            return file.expanduser()
        except (RuntimeError, ValueError) as error:
            problem = f"no home folder is known for {file.parts[0]}"
            raise self.error(problem, "write the whole path", keys) from error

    def error(self, problem: str, remedy: str, keys: tuple[str, ...]) -> TIError:
        """An error at the line of a value."""
        return TIError(problem, remedy=remedy, place=self.place(keys))

    def place(self, keys: tuple[str, ...]) -> Place:
        """The file and the line of a value."""
        return Place(str(self.path), self.file.line(keys))

    def unknown(self, problem: str, keys: tuple[str, ...], known: Iterable[str]) -> TIError:
        """The error for a key that is not known, with a similar one."""
        names = sorted(known)
        remedy = suggestion(keys[-1], names, f"there are {', '.join(names) or 'none'}")
        return self.error(problem, remedy, keys)


def options_of(command: click.Command) -> dict[str, click.Option]:
    """The options of a command by their long names, without the dashes."""
    return {
        opt.removeprefix("--"): param
        for param in command.params
        if isinstance(param, click.Option)
        for opt in param.opts
        if opt.startswith("--")
    }


def _has(command: click.Command, option: str) -> bool:
    """Tell whether a command or one of its subcommands has an option."""
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return option in options_of(command) or any(_has(each, option) for each in below)
