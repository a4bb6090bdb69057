"""Operand fields: expressions from left to right, registers, strings, and their values.

Numbers: 123, >7B, :1111011 (binary), 'A', 'AB' and '' (characters; none is 0). `$` is the address
of the line, in DATA and BYTE that of the operand. The operators + - * / have equal precedence. A
minus may precede a number or symbol. Results are taken modulo 65536; a division takes its operands
as -32768 to 32767. Source: object files of TI's Editor/Assembler.

A value knows how often the start of relocatable code is in it. Places in memory and words of the
output are here, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from ti99tools.base.errors import Remedy, SourceError
from ti99tools.hardware.assembler.source_lines import LOCAL, NAME, NO_LOCAL, AssemblyLine


class Segment(Enum):
    """What addresses are counted from."""

    ABSOLUTE = "absolute"
    RELOCATABLE = "relocatable"
    DUMMY = "dummy"
    """Absolute addresses without output (DORG)."""
    DUMMY_RELOCATABLE = "dummy relocatable"
    """The same, from an address in relocatable code."""

    # The hash of an Enum is a function in Python, and each word that is written asks for it.
    __hash__ = object.__hash__

    def __init__(self, kind: str) -> None:
        self.moves = "relocatable" in kind
        """Whether its addresses count from the start of the relocatable code."""
        self.written = "dummy" not in kind
        """Whether it produces output."""


class Value(NamedTuple):
    """A number, how often the start of relocatable code is in it, and an external symbol.

    `known` is False while one of its symbols is still undefined (first pass).
    """

    number: int
    bases: int = 0
    external: str = ""
    known: bool = True

    @property
    def absolute(self) -> bool:
        """Tell whether it is a plain number."""
        return not self.bases and not self.external


class Word(NamedTuple):
    """A word of output: its value, whether the start of the code is added, or the REF it stands
    for.
    """

    value: int
    relocatable: bool = False
    external: str = ""


class Spot(NamedTuple):
    """An address in a segment."""

    address: int
    segment: Segment

    @property
    def value(self) -> Value:
        """The spot as a value."""
        return Value(self.address, int(self.segment.moves))


REGISTERS = {f"R{number}": number for number in range(16)}
_TERM = re.compile(
    rf">(?P<hex>[0-9A-Fa-f]+)|:(?P<binary>[01]+)|(?P<decimal>[0-9]+)(?![A-Za-z_$#])"
    rf"|(?P<here>\$)(?![A-Za-z0-9_$#])|(?P<name>{NAME})|'(?P<text>(?:[^']|'')*)'",
    re.IGNORECASE,
)
_STRING = re.compile(r"'((?:[^']|'')*)'")
# A number of more digits is a mistake; int() would refuse thousands of them with an error of its
# own.
MOST_DIGITS = 20


Lookup = Callable[[str], Value | None]
"""Symbol → its value; None when there is no such symbol."""


class Field:
    """An operand field, read from left to right."""

    def __init__(self, line: AssemblyLine, lookup: Lookup, here: Value) -> None:
        self.line = line
        self.at = 0
        self._text = line.operands
        self._lookup = lookup
        self._here = here
        self._negated = 0
        self.depends = False
        """Whether what was read depends on a symbol other than R0 to R15, or on the place."""

    def error(self, problem: str, remedy: str | Remedy, at: int | None = None) -> SourceError:
        """A mistake at a place in the field (default: the place being read)."""
        return self.line.error(problem, remedy, self.line.column_of(self.at if at is None else at))

    @property
    def ended(self) -> bool:
        """Tell whether the whole field has been read."""
        return self.at >= len(self._text)

    def take(self, text: str) -> bool:
        """Read this text if it comes next."""
        if not self._text.startswith(text, self.at):
            return False
        self.at += len(text)
        return True

    def move(self, count: int) -> None:
        """Move `$` on by `count` bytes."""
        self._here = self._here._replace(number=self._here.number + count)

    def comma(self) -> None:
        """Read a comma. Raises SourceError."""
        if not self.take(","):
            comes_later = self.ended and self.line.comment.startswith(",")
            remedy = Remedy.NO_SPACES if comes_later else "write a comma and the next operand"
            raise self.error("an operand is missing", remedy)

    @property
    def rest(self) -> str:
        """The rest of the field."""
        return self._text[self.at :]

    @property
    def _missing(self) -> str | Remedy:
        """What to do where the field ends too early."""
        return Remedy.NO_SPACES if self.line.comment else "write it here"

    def read_since(self, start: int) -> str:
        """What was read from an index of the field on."""
        return self._text[start : self.at]

    def end(self) -> None:
        """Raise SourceError when something is left."""
        if not self.ended:
            left = self.rest
            remedy = "remove it, or put a space before a comment"
            raise self.error(f"{left[:20]} is not expected here", remedy)

    def string(self) -> str | None:
        """A text in quotes, in which '' is one quote; None when there is none."""
        match = _STRING.match(self._text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match[1].replace("''", "'")

    def name(self) -> str:
        """A symbol, in capital letters. Raises SourceError."""
        match = _TERM.match(self._text, self.at)
        if match is None or match["name"] is None:
            remedy = self._missing if self.ended else "write a symbol"
            raise self.error("a name is missing", remedy)
        self.at = match.end()
        return match["name"].upper()

    def expression(self) -> Value:
        """An expression. Raises SourceError for anything else, and for one that cannot be
        relocated.
        """
        start = self.at
        self._negated = start
        value = self._signed()
        while not self.ended and self._text[self.at] in "+-*/":
            operator = self._text[self.at]
            self.at += 1
            value = self._combined(operator, value, self._signed(), start)
        if value.known and value.bases == -1:
            remedy = "subtract it instead"
            raise self.error("an address cannot be negative", remedy, self._negated)
        # Only "start of the code plus a number" can be written as relocatable object code.
        if value.known and value.bases not in (0, 1):
            remedy = "subtract labels from each other, or add numbers to one"
            raise self.error("the expression cannot be relocated", remedy, start)
        return value

    def absolute(self, what: str) -> int:
        """An expression that is a plain number. Raises SourceError."""
        start = self.at
        value = self.expression()
        if not value.absolute:
            remedy = "use a number, or the difference of two labels"
            raise self.error(f"{what} depends on where the code will be", remedy, start)
        return value.number

    def early(self, what: str) -> Value:
        """An expression whose symbols are defined above this line. Raises SourceError."""
        start = self.at
        value = self.expression()
        if not value.known or value.external:
            remedy = "define its symbols above this line"
            raise self.error(f"{what} is not known yet", remedy, start)
        return value

    def register(self) -> int:
        """A workspace register: R0 to R15, or a symbol or number from 0 to 15."""
        start = self.at
        value = self._signed()
        return self._checked_register(value, start)

    def register_expression(self) -> int:
        """A register as an operand of its own, where an expression may stand."""
        start = self.at
        return self._checked_register(self.expression(), start)

    def _checked_register(self, value: Value, start: int) -> int:
        # R17 or a label would otherwise be cut to four bits without a message.
        if value.known and not (value.absolute and 0 <= value.number <= 15):
            written = self._text[start : self.at]
            remedy = f"use R0 to R15; the memory at {written} is @{written}"
            if written.upper() in REGISTERS:
                remedy = "it is a label of this source: rename that"
            raise self.error(f"{written} is no register", remedy, start)
        return value.number & 15

    def _signed(self) -> Value:
        negative = False
        while not self.ended and self._text[self.at] in "+-":
            negative ^= self._text[self.at] == "-"
            self.at += 1
        start = self.at
        value = self._term()
        if not negative:
            return value
        if value.external:
            raise self.error("an address cannot be negative", "subtract it instead", start)
        self._negated = start
        return value._replace(number=-value.number, bases=-value.bases)

    def _term(self) -> Value:
        match = _TERM.match(self._text, self.at)
        if match is None:
            raise self._no_term()
        start, self.at = self.at, match.end()
        kind, text = match.lastgroup, match[match.lastgroup or 0]
        if kind == "here":
            self.depends = True
            return self._here
        if kind == "name":
            return self._symbol(text.upper(), start)
        if kind == "text":
            return self._characters(text.replace("''", "'"), start)
        if len(text) > MOST_DIGITS:
            raise self.error(f"{text[:8]}… is too large", "use 16 bits at most", start)
        number = int(text, {"hex": 16, "binary": 2}.get(kind or "", 10))
        if number > 0xFFFF:
            problem = f"{number} does not fit into 16 bits"
            raise self.error(problem, "use -65535 to 65535", start)
        return Value(number)

    def _no_term(self) -> SourceError:
        if self.ended:
            return self.error("an operand is missing", self._missing)
        left = self.rest
        if left[0] == '"':
            return self.error("double quotes", "put texts into single quotes")
        if left[0] == "'":
            return self.error("a quote is missing", "end the text with '")
        remedy = "use a number, >hex, 'text', $ or a symbol"
        if left[0] == LOCAL:
            remedy = NO_LOCAL
        return self.error(f"{left[:12]} is neither number nor symbol", remedy)

    def _symbol(self, name: str, start: int) -> Value:
        value = self._lookup(name)
        self.depends |= name not in REGISTERS
        if value is None:
            raise self.error(f"{name} is not defined", f"add the label, or {name} EQU value", start)
        return value

    def _characters(self, text: str, start: int) -> Value:
        if len(text) > 2 or any(ord(character) > 0xFF for character in text):
            raise self.error("a character constant of another length", "use 'A' or 'AB'", start)
        return Value(int.from_bytes(text.encode("latin-1"), "big"))

    def _combined(self, operator: str, left: Value, right: Value, start: int) -> Value:
        known = left.known and right.known
        bases = left.bases + (right.bases if operator == "+" else -right.bases)
        if operator in "*/" and known and not (left.absolute and right.absolute):
            raise self.error("an address is multiplied or divided", "use plain numbers", start)
        # Object code has a place for the address of a REF, none for what is added to it.
        if name := left.external or right.external:
            remedy = f"write {name} alone, and let the program add to it"
            raise self.error(f"{name} is a REF: it cannot be part of an expression", remedy, start)
        if operator == "/" and right.number == 0:
            if known:
                raise self.error("a division by 0", "use another divisor", start)
            # In the first pass the divisor may only be unknown yet.
            return Value(0, 0, "", False)
        number = _OPERATIONS[operator](left.number, right.number)
        # Kept signed as long as it fits: a size or byte must still be told from its complement.
        if not -0xFFFF <= number <= 0xFFFF:
            number &= 0xFFFF
        return Value(number, bases, known=known)


def signed(number: int) -> int:
    """A number modulo 65536, from -32768 to 32767."""
    return ((number + 0x8000) & 0xFFFF) - 0x8000


def _quotient(left: int, right: int) -> int:
    """A division towards 0."""
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: _quotient(signed(left), signed(right)),
}
