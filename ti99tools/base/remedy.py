"""What to do about an error, as a meaning: each front end has its own words for the way there.

The value of a member is the words of Python; `{name}` in it is filled in by `Remedy.of`. The
command line has its own in `cli/words`.
"""

from __future__ import annotations

from enum import Enum


class Remedy(Enum):
    """What a user can do, where Python and the command line have different ways to do it."""

    ADD_TO_DISK = "put it on a disk first"
    ADD_ROMS = "name one in TI99_ROMS or in the config file"
    CARD_FORM = "convert the disk to the form cf7, which enlarges it"
    CHECK_DISK = "check the disk: a repair may fix it"
    CHECK_HOST = "check the host step by step"
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
