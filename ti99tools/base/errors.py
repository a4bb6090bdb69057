"""Errors that a user can cause: one family, with place, problem and what to do.

What to do about an error, as a meaning: each front end has its own words for the way there.

The value of a member is the words of Python; `{name}` in it is filled in by `Remedy.of`. The
command line has its own in `cli/words`.

The one family of errors that a user can cause.

Whatever is wrong with a source, a program, a disk image or a command line is raised as a
`TIError`: one line that says what is wrong, where, and what to do. The command line prints it and
exits with 2; a traceback is only ever a fault of ours.

Names spelled like one that is not there: what to say about a misspelt one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from enum import Enum
from pathlib import Path

from ti99tools.base.record import Record


class Remedy(Enum):
    """What a user can do, where Python and the command line have different ways to do it."""

    ADD_TO_DISK = "put it on a disk first"
    ADD_ROMS = "name one in TI99_ROMS or in the config file"
    BUILD_DRIVER = "its driver has to be built with the sources of ti99sim (docs/prove.md)"
    CARD_FORM = "convert the disk to the form cf7, which enlarges it"
    CHECK_DISK = "check the disk: a repair may fix it"
    CHECK_HOST = "check the host {host} step by step"
    CHECK_ROMS = "check the folder"
    CHOOSE_CASES = "choose another area or name"
    DISK_FOR_DRIVE = "put one into {drive}"
    FEWER_WORKERS = "start it again, with fewer jobs if memory is short"
    FORCE = "convert the disk with force: what could be read is kept"
    FORCE_OR_GEOMETRY = "give the disk a larger geometry first, or drop the data by force"
    FORM = "use the form {form}"
    GET_FILES = "take the file off the disk first"
    INSTALL_NPM = "install Node.js 20 or newer, which brings npm"
    INSTALL_PLAY = "pip install 'ti99tools[play]', or play in a text terminal"
    LIST_FILES = "look at the catalog of the disk"
    LIST_OR_TIFILES = "use the form listing for a program, tifiles for any file"
    LONGER_RECORDS = "break the line, or use longer records (at most 254 bytes)"
    NAME_FILE = "give it another name: {rule}"
    NAME_ROMS = "no folder of ROM dumps is named (TI99_ROMS, or the config file)"
    NEW_DISK = "make a new disk"
    NEW_GAME = "choose the folder of a game, or make one"
    NPM_OFFLINE = "npm has to reach its registry once; or give a folder node_modules from elsewhere"
    NO_SEED = "leave out the seed"
    NO_VOLUME = "leave out the volume"
    NO_VOLUMES = "open it as a single disk"
    OTHER_FOLDER = "choose another folder"
    PLAYERS = "change the players"
    PROVE_CERTIFICATE = "tell its match: a log, a script, or the game with seed and keys"
    RECORD = "record it on a host with the original ROMs"
    RECORD_LENGTH = "give the right record length"
    REPAIR_DISK = "repair the disk"
    REPLACE = "choose another name, or allow it to be replaced"
    REPLACE_VOLUME = "choose another volume, or allow it to be replaced"
    RESHAPE = "give the disk {geometry} first"
    SHOW_DISK = "open it as a disk image"
    SHOW_PROGRAM = "open it as a program"
    TERMINAL = "play in a text terminal"
    TYPE = "give its type"
    UNPROTECT_DISK = "take the protection off the disk first"
    UNPROTECT_FILE = "take the protection off the file first"
    VIRTUAL_HOST = "use the host virtual"
    VOLUME = "choose one from 1 to {count}"
    WINDOW = "play in a window"

    def of(self, **fields: object) -> Advice:
        """The remedy with its fields filled in."""
        return Advice(self, **fields)


class Advice(str):
    """A remedy in the words of Python, which knows its meaning and its fields."""

    __slots__ = ("fields", "meaning")

    meaning: Remedy
    fields: dict[str, object]

    def __new__(cls, meaning: Remedy, **fields: object) -> Advice:
        advice = super().__new__(cls, meaning.value.format(**fields))
        advice.meaning, advice.fields = meaning, fields
        return advice

    def __getnewargs_ex__(self) -> tuple[tuple[Remedy], dict[str, object]]:
        """What copies and other processes make it from."""
        return (self.meaning,), self.fields


class Place(Record):
    """Where in a file something is: 1-based line and column, None where not known."""

    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        if not self.file:
            parts = [
                (f"{name} {value}")
                for name, value in (("line", self.line), ("column", self.column))
                if value is not None
            ]
            return ", ".join(parts)
        parts = [self.file]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)


class TIError(Exception):
    """Something the user can mend.

    `problem` is a phrase without a full stop, `remedy` says what to do about it (may be empty),
    `place` where it was found. Where the way to do it differs between Python and the command line
    the remedy is an `Advice`.
    """

    def __init__(
        self, problem: str, *, remedy: str | Remedy = "", place: Place | None = None
    ) -> None:
        self.problem = problem
        self.remedy = remedy.of() if isinstance(remedy, Remedy) else remedy
        self.place = place or Place()
        super().__init__(str(self))

    def __str__(self) -> str:
        return self.told(self.remedy)

    @property
    def meaning(self) -> Remedy | None:
        """What the remedy means; None when its words say all there is."""
        return self.remedy.meaning if isinstance(self.remedy, Advice) else None

    def told(self, remedy: str) -> str:
        """The error in one line, its remedy in these words."""
        where = str(self.place)
        text = f"{where}: {self.problem}" if where else self.problem
        return f"{text}; {remedy}" if remedy else text

    def at(self, file: str, line: int | None = None, column: int | None = None) -> TIError:
        """The same error with its place filled in where it was unknown."""
        place = Place(
            self.place.file or file,
            self.place.line if self.place.line is not None else line,
            self.place.column if self.place.column is not None else column,
        )
        return type(self)(self.problem, remedy=self.remedy, place=place)


class SourceError(TIError):
    """A source text that cannot be generated, tokenized or parsed.

    `others` are what else is wrong with the same source: one look tells all of its mistakes.
    """

    others: tuple[SourceError, ...] = ()

    def at(self, file: str, line: int | None = None, column: int | None = None) -> TIError:
        """As `TIError.at`; the others are kept."""
        error = super().at(file, line, column)
        assert isinstance(error, SourceError)
        error.others = self.others
        return error


def together(errors: Sequence[SourceError]) -> SourceError:
    """The first of several mistakes in a source (at least one), which knows the others."""
    first, *others = errors
    first.others = tuple(others)
    return first


class ProgramError(TIError):
    """A program file that is damaged, of no known form, or too large for the machine."""


class DiskError(TIError):
    """A disk image or file container that is damaged, full, protected or of no known form."""


class BuildError(TIError):
    """A game's manifest or its parts do not fit together."""


class ScriptError(TIError):
    """A key script or play log that cannot be read."""


class HostError(TIError):
    """A host (emulator, log) that cannot run here; the text says what is missing."""


_ALIKE = 0.8
"""How alike the names of files must be, from 0 to 1: there are many of them."""


def near(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """The name of `known` that is most like `name`, in capitals or not; empty for none.

    `alike` is from 0, any name, to 1, the same letters.
    """
    from difflib import get_close_matches

    spelled = {each.casefold(): each for each in sorted(known)}
    found = get_close_matches(name.casefold(), spelled, 1, alike)
    return spelled[found[0]] if found else ""


def near_file(path: str | os.PathLike[str]) -> str:
    """The path of the file beside a missing one that has almost its name; empty for none."""
    missing = Path(path)
    try:
        names = [entry.name for entry in os.scandir(missing.parent) if entry.is_file()]
    except OSError:
        return ""
    found = near(missing.name, names, _ALIKE)
    return str(missing.with_name(found)) if found else ""
