"""The attributes of OPEN, word by word, into the request that a device understands.

Words come in any order, at most one of each kind: mode (INPUT, OUTPUT, UPDATE, APPEND), type
(DISPLAY, INTERNAL), organisation (SEQUENTIAL [n], RELATIVE [n]), record kind (VARIABLE [n],
FIXED [n]) and PERMANENT. Without them: UPDATE, DISPLAY, SEQUENTIAL, VARIABLE; RELATIVE makes
FIXED the default. Source: the recorded files-* cases; for SEQUENTIAL n the user's reference guide.
"""

from __future__ import annotations

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.machine.pab import Mode, OpenRequest
from ti99tools.numbers.convert import to_integer
from ti99tools.numbers.radix import Number

MODES = {
    t.INPUT: Mode.INPUT,
    t.OUTPUT: Mode.OUTPUT,
    t.UPDATE: Mode.UPDATE,
    t.APPEND: Mode.APPEND,
}
KINDS = {
    **dict.fromkeys(MODES, "mode"),
    t.DISPLAY: "type",
    t.INTERNAL: "type",
    t.SEQUENTIAL: "organisation",
    t.RELATIVE: "organisation",
    t.VARIABLE: "records",
    t.FIXED: "records",
    t.PERMANENT: "life",
}
MAX_RECORD_LENGTH = 255


class OpenBuilder:
    """Collects OPEN's words in their order; `request` is the outcome."""

    def __init__(self) -> None:
        self._words: dict[str, tuple[int, int]] = {}

    def word(self, token: int, number: Number | None = None) -> None:
        """Add an attribute and the number after it.

        Raises SYNTAX ERROR for a second word of a kind and for a record length outside 1–255,
        BAD VALUE for a number of records outside 0–32767, or where either is no integer of 16
        bits.
        """
        kind = KINDS[token]
        if kind in self._words:
            raise XBError(xb.SYNTAX_ERROR)
        value = 0 if number is None else to_integer(number)
        if number is not None:
            if not -32768 <= value <= 32767:
                raise XBError(xb.BAD_VALUE)
            if kind == "records" and not 1 <= value <= MAX_RECORD_LENGTH:
                raise XBError(xb.SYNTAX_ERROR)
            if kind == "organisation" and not 0 <= value <= 32767:
                raise XBError(xb.BAD_VALUE)
        self._words[kind] = (token, value)

    def request(self) -> OpenRequest:
        """What the words ask for."""
        mode, _ = self._words.get("mode", (t.UPDATE, 0))
        form, _ = self._words.get("type", (t.DISPLAY, 0))
        organisation, initial = self._words.get("organisation", (t.SEQUENTIAL, 0))
        relative = organisation == t.RELATIVE
        records, length = self._words.get("records", (t.FIXED if relative else t.VARIABLE, 0))
        return OpenRequest(
            mode=MODES[mode],
            internal=form == t.INTERNAL,
            variable=records == t.VARIABLE,
            relative=relative,
            record_length=length,
            initial=initial,
        )
