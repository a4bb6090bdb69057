"""Errors that a user can cause: one family, with place, problem and remedy.

Whatever is wrong with a source, a program, a disk image or a command line is raised as a `TIError`:
one line that says what is wrong, where, and what to do. The command line prints it and exits with
status 2. A traceback is always our bug.

A remedy may differ between front ends: Python passes an argument where the command line has an
option. `Remedy` names the meaning. Its members hold the wording for Python, with `{name}` filled in
by `Remedy.of`; the command line has its own wording in `cli/group`.

`near` and `near_file` suggest a name for a misspelt one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from pathlib import Path
from typing import Self

from ti99tools.base.record import Record


class Remedy(Enum):
    """A remedy that Python and the command line word differently."""

    ADD_TO_DISK = "put it on a disk first"
    ADD_ROMS = "name one in TI99_ROMS or in the config file"
    BUILD_DISK = "build the game in {folder}, whose disk has its program"
    BUILD_DRIVER = "its driver has to be built with the sources of ti99sim (docs/prove.md)"
    CARD_FORM = "convert the disk to the form cf7, which enlarges it"
    CHECK_DISK = "check the disk: a repair may fix it"
    CHECK_HOST = "check the host {host} step by step"
    CHECK_LOG = "check it as a log"
    CHECK_ROMS = "check the folder"
    CHOOSE_CASES = "choose another area or name"
    DAMAGED_BLOCKS = "record it again, louder or from another player, or allow damaged blocks"
    DISK_FOR_DRIVE = "put one into {drive}"
    FEWER_WORKERS = "start it again, with fewer jobs if memory is short"
    FORCE = "convert the disk with force: what could be read is kept"
    FORCE_OR_GEOMETRY = "give the disk a larger geometry first, or drop the data by force"
    FORM = "use the form {form}"
    GET_FILES = "take the file off the disk first"
    INSTALL_NPM = "install Node.js 20 or newer, which brings npm"
    INSTALL_PLAY = "pip install 'ti99tools[play]', or play in a text terminal"
    JOIN = "its lines may be wrapped after {width} characters: join them"
    LABELLED = "write {label}; a source for xbas99 must be made a numbered listing first"
    LIST_TAPE = "look at the list of the tape"
    LIST_FILES = "look at the catalog of the disk"
    LIST_OR_TIFILES = "use the form listing for a program, tifiles for any file"
    LOAD_CODE = "put it on a disk, from where CALL LOAD reads it"
    LONGER_RECORDS = "break the line, or use longer records (at most 254 bytes, FIXED 255)"
    NAME_FILE = "give it another name: {rule}"
    NAME_ROMS = "no folder of ROM dumps is named (TI99_ROMS, or the config file)"
    NAME_WITH_SLASH = "give it the name {name}"
    NEW_DISK = "make a new disk"
    NEW_GAME = "choose the folder of a game, or make one"
    NPM_OFFLINE = "npm has to reach its registry once; or give a folder node_modules from elsewhere"
    NOT_TEXT = "leave out the form text"
    NO_RECORDS = "it has only programs: take one as a program"
    NO_SEED = "leave out the seed"
    NO_SPACES = "write it without spaces: one ends the operands, unless the source is relaxed"
    NO_VOLUME = "leave out the volume"
    NO_VOLUMES = "open it as a single disk"
    ONLY_FIRST = "leave out some, or put only the first into the menu"
    OTHER_FOLDER = "choose another folder"
    PLAYERS = "change the players"
    PROVE_CERTIFICATE = "tell its match: a log, a script, or the game with seed and keys"
    READ_TAPE = "the command line reads tapes"
    RECORDS = "take records as a file"
    RECORD = "record it on a host with the original ROMs"
    RECORD_LENGTH = "give the right record length"
    REPAIR_DISK = "repair the disk"
    REPLACE = "choose another name, or allow it to be replaced"
    REPLACE_VOLUME = "choose another volume, or allow it to be replaced"
    RESHAPE = "give the disk {geometry} first"
    RUN_CARTRIDGE = "run {path} as it is; its source is another file"
    SHOW_DISK = "open it as a disk image"
    SHOW_PROGRAM = "open it as a program"
    TAKE_AS_TEXT = "give the form text if it is a text"
    TERMINAL = "play in a text terminal"
    TEXT_OR_RAW = "give its form: text or raw"
    TYPE = "give its type"
    UNIT = "choose one by its number"
    UNPROTECT_DISK = "take the protection off the disk first"
    UNPROTECT_FILE = "take the protection off the file first"
    VIRTUAL_HOST = "use the host virtual"
    VOLUME = "choose one from 1 to {count}"
    WINDOW = "play in a window"

    def of(self, **fields: object) -> Advice:
        """The remedy with its fields filled in."""
        return Advice(self, **fields)


class Advice(str):
    """A remedy in the wording for Python that knows its meaning and its fields."""

    __slots__ = ("fields", "meaning")

    meaning: Remedy
    fields: dict[str, object]

    def __new__(cls, meaning: Remedy, **fields: object) -> Advice:
        advice = super().__new__(cls, meaning.value.format(**fields))
        advice.meaning, advice.fields = meaning, fields
        return advice

    def __getnewargs_ex__(self) -> tuple[tuple[Remedy], dict[str, object]]:
        """Return the arguments of `__new__` for copying and pickling."""
        return (self.meaning,), self.fields


class Place(Record):
    """Where in a file something is: 1-based line and column, None where unknown."""

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

    @property
    def row(self) -> Place:
        """The whole row in which it is."""
        return Place(self.file, self.line)


Where = Callable[[int, int], Place]
"""Line number and offset of a token in the line → where that was written."""


class TIError(Exception):
    """An error that the user can correct.

    `problem` is a phrase without a full stop, `remedy` says what to do about it (may be empty),
    `place` says where it is. The remedy is an `Advice` where Python and the command line differ.
    """

    def __init__(
        self, problem: str, *, remedy: str | Remedy = "", place: Place | None = None
    ) -> None:
        self.problem = problem
        self.remedy = remedy.of() if isinstance(remedy, Remedy) else remedy
        self.place = place or Place()
        super().__init__(str(self))

    def __str__(self) -> str:
        return self.with_wording(self.remedy)

    @property
    def meaning(self) -> Remedy | None:
        """The meaning of the remedy; None when its text is the same everywhere."""
        return self.remedy.meaning if isinstance(self.remedy, Advice) else None

    def with_wording(self, remedy: str) -> str:
        """The error on one line, with this wording of its remedy."""
        where = str(self.place)
        text = f"{where}: {self.problem}" if where else self.problem
        return f"{text}; {remedy}" if remedy else text

    def at(self, file: str, line: int | None = None, column: int | None = None) -> Self:
        """The same error with its place filled in where it was unknown."""
        place = Place(
            self.place.file or file,
            self.place.line if self.place.line is not None else line,
            self.place.column if self.place.column is not None else column,
        )
        # Not by the constructor: those of some kinds take what the error is made of.
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__, place=place)
        made.args = (str(made),)
        return made


class SourceError(TIError):
    """A source text that cannot be generated, tokenized or parsed.

    `others` are the further errors of the same source, so that one run reports them all.
    """

    others: tuple[SourceError, ...] = ()


def together(errors: Sequence[SourceError]) -> SourceError:
    """The first of several errors in a source (at least one), with the others attached."""
    first, *others = errors
    first.others = tuple(others)
    return first


class ProgramError(TIError):
    """A program file that is damaged, of unknown form, or too large for the machine."""


class DiskError(TIError):
    """A disk image or file container that is damaged, full, protected or of unknown form."""


class BuildError(TIError):
    """A game whose manifest and parts do not fit together."""


class ScriptError(TIError):
    """A key script or play log that cannot be read."""


class HostError(TIError):
    """A host (emulator, log) that cannot run here; the text says what is missing."""


_ALIKE = 0.8
"""Similarity required of file names, from 0 to 1: high, since a folder has many names."""


def near(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """The name in `known` most similar to `name`, ignoring case; empty for none.

    `alike` is the similarity required, from 0 (any name) to 1 (the same letters).
    """
    from difflib import get_close_matches

    spelled = {each.casefold(): each for each in sorted(known)}
    matches = get_close_matches(name.casefold(), spelled, 1, alike)
    return spelled[matches[0]] if matches else ""


def suggestion(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """What to do about a name that is not `known`: a question for the most similar one, or else
    `otherwise`.
    """
    meant = near(name, known)
    return f"did you mean {meant}?" if meant else otherwise


def near_file(path: str | os.PathLike[str]) -> str:
    """The path of an existing file whose name is almost that of a missing one; empty for none."""
    missing = Path(path)
    try:
        names = [entry.name for entry in os.scandir(missing.parent) if entry.is_file()]
    except OSError:
        # A folder that cannot be listed offers no suggestion; the first error is the one to report.
        return ""
    name = near(missing.name, names, _ALIKE)
    return str(missing.with_name(name)) if name else ""
