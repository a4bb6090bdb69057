"""From the bytes of a file to its text: which can be one, and what is wrong with another."""

from __future__ import annotations

import codecs
import re

from ti99tools.base.errors import Place, TIError

_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_END_OF_FILE = "\x1a"
"""What XMODEM and DOS append to a text."""
_FILLING = "\0"
"""The padding of a text's last block, after its last line end."""
LEAST_WIDE = 6
"""The fewest characters that tell UTF-16 without its mark: `10 END`."""
MOST_SPOILT = 20
"""A spoilt text has hardly more than one control code among so many bytes; programs have more."""


def is_text(data: bytes) -> bool:
    """Tell whether a file can be a text: no control codes but tabs, line ends and form feeds.

    A trailing 1A of XMODEM or DOS, and zeros that pad the file, are ignored. UTF-16 with a byte
    order mark counts as text.
    """
    wide = _wide(data)
    text = data.decode("latin-1") if wide is None else wide
    return _BINARY.search(_ended(text).encode()) is None


def spoilt(data: bytes) -> TIError | None:
    """What is wrong with a text that `is_text` refuses; None for bytes that are far from one."""
    half = len(data) // 2
    zeros = max(data[::2].count(0), data[1::2].count(0))
    if half >= LEAST_WIDE and zeros > half * 9 // 10 and data.count(0) <= half:
        return TIError("UTF-16 without the mark that it begins with", remedy="save it as UTF-8")
    codes = [found.start() for found in _BINARY.finditer(data)]
    if not codes or len(codes) > 1 + len(data) // MOST_SPOILT or not re.search(rb"[\r\n]", data):
        return None
    before = data[: codes[0]].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    place = Place(None, before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))
    return TIError(f"the byte >{data[codes[0]]:02X} is no text", remedy="remove it", place=place)


def text_in(data: bytes) -> str | None:
    """The text that a file holds, as `decode` gives it; None when it cannot be one (`is_text`)."""
    return decode(data) if is_text(data) else None


def decode(data: bytes) -> str:
    """A file's bytes as text: UTF-8, or Latin-1 where they are not valid UTF-8.

    A byte order mark selects UTF-16. The text is `tidy`.
    """
    wide = _wide(data)
    if wide is not None:
        return tidy(wide)
    try:
        return tidy(data.decode("utf-8"))
    except UnicodeDecodeError:
        # Latin-1 maps every byte to a character: old listings with TI characters stay readable.
        return tidy(data.decode("latin-1"))


def tidy(text: str) -> str:
    """A text in the form that all readers take: LF where CR alone ends its lines.

    The byte order mark and any padding after the text are dropped.
    """
    text = _ended(text.removeprefix("\ufeff"))
    return text if "\n" in text else text.replace("\r", "\n")


def _ended(text: str) -> str:
    """The text without its padding."""
    filled = text.rstrip(_FILLING)
    lines = filled.rstrip(_END_OF_FILE)
    return lines if text == filled or lines.endswith(("\n", "\r")) else text


def _wide(data: bytes) -> str | None:
    """The text of a file in UTF-16 that begins with a byte order mark; None for any other."""
    if data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError:
        return None
