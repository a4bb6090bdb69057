"""Reading the token bytes of a line one after the other."""

from __future__ import annotations

import re

from ti99tools.base import tokens as tk

END_OF_STATEMENT = frozenset((0, tk.ELSE, tk.STATEMENT_SEP, tk.BANG))
"""What may follow a complete statement; 0 is the end of the line."""


_LONG = frozenset((tk.QUOTED, tk.UNQUOTED, tk.LINE_NUMBER, tk.REM, tk.BANG))
"""Tokens that carry data."""
NAME_BYTES = re.compile(rb"[\x01-\x7F]+")


class Cursor:
    """A position in the token bytes of a line; reading past the end gives 0."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    @property
    def token(self) -> int:
        """The byte at the position: a token, a character of a name, or 0 at the end."""
        try:
            return self.data[self.at]
        except IndexError:
            # Programs of other writers end lines without their 00.
            return 0

    @property
    def at_end(self) -> bool:
        """Tell whether a statement may end here."""
        return self.token in END_OF_STATEMENT

    def take(self, token: int) -> bool:
        """Step over `token` if it is the next one."""
        if self.token == token and token:
            self.at += 1
            return True
        return False

    def is_name(self) -> bool:
        """Tell whether a name starts here: any byte below 80h."""
        return 0 < self.token < 0x80

    def name(self) -> str:
        """Read a name: all bytes up to the next token."""
        match = NAME_BYTES.match(self.data, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match.group().decode("latin-1")

    def text(self) -> str:
        """Read the counted text of a QUOTED or UNQUOTED token, which is the next token."""
        length = self.data[self.at + 1] if self.at + 1 < len(self.data) else 0
        start = self.at + 2
        self.at = min(start + length, len(self.data))
        return self.data[start : self.at].decode("latin-1")

    def line_number(self) -> int | None:
        """Read a line number, if one is next."""
        if self.token != tk.LINE_NUMBER or self.at + 2 >= len(self.data):
            return None
        high, low = self.data[self.at + 1], self.data[self.at + 2]
        self.at += 3
        return high * 256 + low

    def step(self) -> None:
        """Step over one token with the text or number it carries."""
        data, at = self.data, self.at
        end = len(data)
        token = data[at] if at < end else 0
        if token not in _LONG:
            at += 1
        elif token == tk.LINE_NUMBER:
            at += 3
        elif token in (tk.REM, tk.BANG):
            at = end
        else:
            at += 2 + (data[at + 1] if at + 1 < end else 0)
        self.at = min(at, end)


def find_else(data: bytes, at: int) -> int | None:
    """The offset after the ELSE that belongs to the IF whose THEN ends at `at`; None: no ELSE.

    As the machine looks for it when the condition is false: every IF on the way needs an ELSE of
    its own first.
    """
    cursor = Cursor(data, at)
    wanted = 1
    while cursor.token:
        if cursor.token == tk.IF:
            wanted += 1
        elif cursor.token == tk.ELSE:
            wanted -= 1
            if not wanted:
                return cursor.at + 1
        cursor.step()
    return None


def next_statement(data: bytes, at: int) -> int | None:
    """The offset after the next `::` from `at` on; None when the line has none."""
    if data.find(tk.STATEMENT_SEP, at) < 0:
        return None
    cursor = Cursor(data, at)
    while cursor.token:
        if cursor.token == tk.STATEMENT_SEP:
            return cursor.at + 1
        cursor.step()
    return None


def data_items(cursor: Cursor) -> tuple[tuple[str, bool], ...]:
    """The items of a DATA statement from the cursor on: (text, quoted), empty ones included."""
    items: list[tuple[str, bool]] = []
    current: tuple[str, bool] = ("", False)
    while True:
        token = cursor.token
        if token in (tk.QUOTED, tk.UNQUOTED):
            current = (cursor.text(), token == tk.QUOTED)
            continue
        items.append(current)
        current = ("", False)
        if not cursor.take(tk.COMMA):
            return tuple(items)
