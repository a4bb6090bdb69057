"""Texts on the host: what counts as one, and its characters."""

from __future__ import annotations

import codecs
import re

_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_END_OF_FILE = b"\x1a"
"""What XMODEM and DOS put after a text."""
_FILLING = b"\0"
"""What fills the last block of a text, after its last line end."""


def is_text(data: bytes) -> bool:
    """Tell whether a file can be a text: no control codes but tabs, line ends and form feeds.

    The 1A of XMODEM and DOS at the end, and zeros that fill it up, do not count. UTF-16 with a byte
    order mark is a text too.
    """
    wide = _wide(data)
    return _BINARY.search(_plain(data) if wide is None else wide.encode()) is None


def decode(data: bytes) -> str:
    """A file's bytes as text: UTF-8, or Latin-1 where it is not valid UTF-8.

    A byte order mark, which may tell UTF-16, and what stands after the text go; lines may end with
    CR alone.
    """
    wide = _wide(data)
    data = _plain(data) if wide is None else wide.encode()
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _plain(data: bytes) -> bytes:
    """The data without what stands after a text."""
    filled = data.rstrip(_FILLING)
    lines = filled.rstrip(_END_OF_FILE)
    return lines if data == filled or lines.endswith((b"\n", b"\r")) else data


def _wide(data: bytes) -> str | None:
    """The text of a file in UTF-16 that begins with its byte order mark; None for any other."""
    if data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return None
    try:
        return data.decode("utf-16")
    except UnicodeDecodeError:
        return None
