"""What the editor of Extended BASIC refuses: the console's error, where, and what to do."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place, Remedy, SourceError
from ti99tools.language.listing.habits import ANYWHERE

MAX_NAME = 15
"""Characters of a variable's name, `$` included. Names after CALL and SUB have no limit."""
MAX_LINE_NUMBER = 32767
_REMEDIES = {
    xb.SYNTAX_ERROR: "the editor does not take this here",
    xb.UNMATCHED_QUOTES: 'close the text with "',
    xb.NAME_TOO_LONG: f"use at most {MAX_NAME} characters",
    xb.UNRECOGNIZED_CHARACTER: ANYWHERE,
    xb.BAD_LINE_NUMBER: f"use a number from 1 to {MAX_LINE_NUMBER}",
    xb.LINE_TOO_LONG: "split the line",
    xb.COMMAND_ILLEGAL_IN_PROGRAM: "choose another name",
}


class EntryError(SourceError):
    """A line that the editor refuses; `problem` begins with the console's message.

    `xb_code` is the error's number as `XBError` has it, 0 when the console has no such error.
    `number` is the line's; None where it is unknown or itself the mistake.
    """

    def __init__(
        self,
        problem: str,
        *,
        remedy: str | Remedy = "",
        place: Place | None = None,
        xb_code: int = 0,
        number: int | None = None,
    ) -> None:
        super().__init__(problem, remedy=remedy, place=place)
        self.xb_code = xb_code
        self.number = number

    def moved(self, place: Place, remedy: str | None = None) -> EntryError:
        """The same refusal at another place, perhaps with another remedy."""
        said = self.remedy if remedy is None else remedy
        return EntryError(
            self.problem, remedy=said, place=place, xb_code=self.xb_code, number=self.number
        )

    def at(self, file: str, line: int | None = None, column: int | None = None) -> EntryError:
        """As `TIError.at`; the numbers are kept."""
        error = self.moved(super().at(file, line, column).place)
        error.others = self.others
        return error


def refuse(code: int, index: int, remedy: str = "") -> EntryError:
    """The console's refusal `code` at character `index` (0-based) of the line."""
    remedy = remedy or _REMEDIES.get(code, "")
    return EntryError(xb.TEXTS[code], remedy=remedy, place=Place(column=index + 1), xb_code=code)
