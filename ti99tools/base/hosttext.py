"""Texts on the host: what counts as one, and its characters."""

from __future__ import annotations

import re

_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_END_OF_FILE = b"\x1a"
"""What XMODEM and DOS put after a text."""


def is_text(data: bytes) -> bool:
    """Tell whether a file can be a text: no control codes but tabs, line ends and form feeds.

    The 1A of XMODEM and DOS at the end does not count.
    """
    return _BINARY.search(data.rstrip(_END_OF_FILE)) is None


def decode(data: bytes) -> str:
    """A file's bytes as text: UTF-8, or Latin-1 where it is not valid UTF-8.

    A byte order mark and the 1A of XMODEM and DOS go; lines may end with CR alone.
    """
    data = data.rstrip(_END_OF_FILE)
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
