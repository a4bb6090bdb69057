"""Why a run has failed: the text of the error and its reason, its place, and the values there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ti99tools.app.consoles import started, where_now
from ti99tools.app.run_drives import FolderDrive, RunDrives
from ti99tools.app.target import Target, near_place
from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place
from ti99tools.base.tokens import QUOTED
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.evaluating import mentioned
from ti99tools.computer.interp.compile.units import COMMAND
from ti99tools.computer.interp.run.locating import spots_of
from ti99tools.computer.numbers.radix import Value
from ti99tools.hardware.machine.drives import DISK_DEVICES, DRIVES
from ti99tools.hardware.machine.ports import known
from ti99tools.language.lint.call_arguments import why_failed
from ti99tools.language.listing.listing import scan
from ti99tools.language.listing.numbered import to_text
from ti99tools.language.listing.sourcemap import SourceNames
from ti99tools.language.program.judgement import explained
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import NAME_FORM, is_legal_name

_OPENED = {
    "CS1": "CS1 takes FIXED records, for INPUT or for OUTPUT",
    "CS2": "CS2 takes FIXED records for OUTPUT",
}
_NO_DEVICE, _REFUSED = 0, 3
_NOT_FOUND = (2, 7, 72, 77)
"""How OPEN and DELETE fail that do not find a file, or take its name for none."""


@dataclass(frozen=True)
class Failure:
    """The uncaught error of a target on a console, with `images` in its drives."""

    target: Target
    console: AnyConsole
    images: Mapping[str, DiskImage]

    def text(self) -> str:
        """The error, with the meaning of its digits and the reason for it at this statement."""
        error = self.console.error
        assert error is not None
        spot, lines, why = self._spot, self._lines, ""
        if spot is not None and lines:
            # The most specific reason first.
            why = why_failed(error.code, lines, *spot)
            disks = self.console.machine.drives.images()
            folders = self.images.folders if isinstance(self.images, RunDrives) else {}
            why = why or _why_refused(error, self._tokens, disks, folders)
            why = why or explained(lines, *spot, self.target.basic)
            why = why or self._compiled_sub(self._tokens)
            why = why or self._names_of_sub(spot[0], lines)
        why = why or to_text(error.detail)
        if spot is not None and error.code == xb.NEXT_WITHOUT_FOR:
            why += self._other_loop(spot[0], lines)
        # The index of a table is the position in a text.
        elif spot is not None and error.code in (xb.BAD_VALUE, xb.BAD_ARGUMENT):
            table = self.target.table_at(*spot) if self._where(*spot).line else ""
            why += f"; is the index of the table {table} right?" if table else ""
        notes = "; ".join(filter(None, (error.meaning, why)))
        return f"{error} ({notes})" if notes else str(error)

    def _compiled_sub(self, tokens: bytes) -> str:
        """Where a compiled SUB has failed; empty for a statement that is no CALL of one."""
        from ti99tools.app.compiled_subs import failed_statement
        from ti99tools.computer.console.session import Console

        game, console = self.target.game, self.console
        name = _linked(tokens)
        if game is None or not isinstance(console, Console) or not name:
            return ""
        place = failed_statement(game, console, name)
        if place is None:
            return ""
        return f"in the compiled SUB, {Place(near_place(place.file), place.line, place.column)}"

    def _names_of_sub(self, line: int, lines: Mapping[int, bytes]) -> str:
        """Why a handler of the main program has no names after an error in a SUB; or empty."""
        error, execution = self.console.error, self.console.execution
        if error is None or execution is None or error.code != xb.SYNTAX_ERROR:
            return ""
        sub = execution.active.scope.name
        subs = (
            number for number, row in lines.items() if any(e.token == tk.SUB for e in scan(row))
        )
        if not sub or line >= min(subs, default=0):
            return ""
        return (
            f"the error came in SUB {sub}: until RETURN, a handler has no names but those of {sub}"
        )

    def _other_loop(self, line: int, lines: Mapping[int, bytes]) -> str:
        """Where a FOR below a NEXT has its variable, and so may have ended its loop; or empty."""
        pairs = [(number, pairwise(scan(row))) for number, row in lines.items() if number >= line]
        mine: set[str] = set()
        for number, words in pairs:
            for word, name in words:
                if word.token == tk.SUB and number > line:
                    return ""
                if word.token == tk.NEXT and number == line:
                    mine.add(name.text)
                elif word.token == tk.FOR and number > line and name.text in mine:
                    place = self.target.where(number, word.start)
                    return f"; FOR {name.text} at {place} may have ended it: rename its variable"
        return ""

    def place(self) -> Place | None:
        """Where the statement that failed was written; None if it is not in a program."""
        spot = self._spot
        return None if spot is None else self._where(*spot)

    @property
    def unconnected(self) -> str:
        """The port that the statement names and that nothing is connected to; empty otherwise."""
        error = self.console.error
        assert error is not None
        return (known(_name_in(self._tokens)) or "") if error.io_code == _NO_DEVICE else ""

    @property
    def _tokens(self) -> bytes:
        """The tokens of the line that failed from the statement on; none if they are not known."""
        return self._lines.get(self._spot[0], b"")[self._spot[1] :] if self._spot else b""

    @cached_property
    def _lines(self) -> Mapping[int, bytes]:
        """The tokens of the lines of the program in memory, by their numbers; empty if there is
        none, or if the source of a compiled one is not known.
        """
        program = self.console.program
        if self.target.symbols is not None and started(self.target, self.console) is None:
            program = self.target.symbols.program
        return {} if program is None else {line.number: line.tokens for line in program.lines}

    @cached_property
    def _spot(self) -> tuple[int, int] | None:
        """The number of the line that failed and the offset of the statement in its tokens."""
        console = self.console
        if console.error is None or console.error.line is None:
            return None
        number, offset = console.error.line, console.failed_offset
        if console.execution is not None:
            for unit, place in spots_of(console.execution.compiler, console.error)[-1:]:
                number, offset = unit.number(place), place[1]
        return number, offset

    def variables(self) -> Mapping[str, Value]:
        """The values of the variables in the line that failed."""
        execution, error, spot = self.console.execution, self.console.error, self._spot
        if execution is None or error is None or spot is None:
            return {}
        number, offset = spot
        spots = spots_of(execution.compiler, error)
        if spots:
            unit, place = spots[0]
            number, offset = unit.number(place), place[1]
        # A command at the prompt is in no line.
        if number == COMMAND or number not in execution.listing.index:
            return {}
        place = execution.listing.index[number], offset
        values = mentioned(execution, place, self._line_at)
        written = self._names_at(number, offset).written({_bare(name) for name in values})
        return {
            written.get(_bare(name), _bare(name)) + name[len(_bare(name)) :]: value
            for name, value in values.items()
        }

    def _names_at(self, number: int, offset: int) -> SourceNames:
        """What names mean at a statement of the program."""
        source, execution = self.target.source, self.console.execution
        if source is None or source.sourcemap is None or execution is None:
            return SourceNames()
        sub = execution.scope.name
        row = source.where(number, offset).row
        routines = source.sourcemap.routines
        here = None if sub else next((each for each in routines if row in each.rows), None)
        return SourceNames(routines, here=here, sub=sub)

    def _line_at(self, number: int, offset: int) -> object:
        """The line of the source at an offset in a program's line; without a source its number."""
        return self.target.where(number, offset).line or number

    def _where(self, line: int, offset: int = 0) -> Place:
        return where_now(self.target, self.console, line, offset)


def _bare(name: str) -> str:
    """The name of a variable without subscripts."""
    return name.partition("(")[0]


def _linked(tokens: bytes) -> str:
    """The name that a statement passes to CALL LINK; empty for any other statement."""
    found = scan(tokens)[:4]
    linked = len(found) == 4 and found[0].token == tk.CALL and found[1].text == "LINK"
    return found[3].text if linked and found[3].token == QUOTED else ""


def _why_refused(
    error: XBError,
    tokens: bytes,
    disks: Mapping[str, DiskImage],
    folders: Mapping[str, FolderDrive],
) -> str:
    """Why the device that a statement names did not open; empty where nothing is known of it.

    `tokens` begin with the statement. A name that is not a constant is not known. `disks` are in
    the drives, of which some hold `folders`.
    """
    device, _, file = _name_in(tokens).partition(".")
    if error.io_code == _NO_DEVICE:
        return _no_device(device)
    if error.io_code == _REFUSED:
        return _OPENED.get(device, "")
    if device not in DISK_DEVICES or error.io_code not in _NOT_FOUND:
        return ""
    if device in DRIVES and device not in disks:
        return f"no disk is in {device}"
    if file and not is_legal_name(file.rpartition(".")[2]):
        return f"a file's name has {NAME_FORM}"
    hidden = folders[device].hidden.get(file) if device in folders else None
    return f"{hidden.place}: {hidden.problem}" if hidden is not None and hidden.place else ""


def _name_in(tokens: bytes) -> str:
    """The first text of a statement; empty without one."""
    return next((element.text for element in scan(tokens) if element.token == QUOTED), "")


def _no_device(device: str) -> str:
    """Why there is no such device."""
    # The recorded controller has three drives; DSK4 exists only with a disk in it.
    if device == "DSK4":
        return "DSK4 is there when a disk is in it"
    if port := known(device):
        return f"nothing is connected to {port}"
    capitals = device.upper()
    if capitals != device and (capitals in DISK_DEVICES or known(capitals)):
        return f"write {capitals}, in capitals"
    return "devices are DSK1 to DSK3, PIO, RS232, CS1 and CS2" if device else ""
