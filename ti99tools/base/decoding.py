"""From the bytes of a file to its text, and what a file of another kind is, by its first bytes.

For messages: what such a file is, and where it belongs; and for commands that run cartridges.
Sources: the descriptions of the formats. A ROM or GROM of a cartridge begins with the byte AA, its
version, the number of programs, a byte, and four addresses of lists (power-up routines, programs,
devices, subprograms), 0 where there is none.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from ti99tools.base.errors import Place, Remedy, TIError

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


class Foreign(NamedTuple):
    """What a file is, with its article, and what to do with it."""

    what: str
    remedy: str | Remedy


PLAY_LOG = "TI99LOG"
"""How the play log of a game begins."""
_CARTRIDGE = "run it in an emulator: a cartridge has no listing"
_SOUND = "save it as WAV, uncompressed (PCM), mono or stereo, 11,025 Hz or more"
_TAPE = "it is of another computer; a cassette of the TI-99/4A is a WAV file here"
_STARTS = (
    (b"PK\x03\x04", Foreign("a zip archive, as .rpk cartridges are", _CARTRIDGE)),
    (b"TI-99/4A Module - ", Foreign("a cartridge of ti99sim (.ctg)", _CARTRIDGE)),
    (b"\x1f\x8b", Foreign("a gzip archive", "unpack it first")),
    (b"7z\xbc\xaf\x27\x1c", Foreign("a 7-Zip archive", "unpack it first")),
    (b"Rar!", Foreign("a RAR archive", "unpack it first")),
    (b"ZXTape!\x1a", Foreign("a tape in TZX form", _TAPE)),
    (b"C64-TAPE-RAW", Foreign("a tape of a Commodore 64", _TAPE)),
    (b"RIFF", Foreign("sound, as a cassette is (WAV)", Remedy.READ_TAPE)),
    (b"fLaC", Foreign("FLAC sound", _SOUND)),
    (b"ID3", Foreign("MP3 sound", _SOUND)),
    (b"\xff\xfb", Foreign("MP3 sound", _SOUND)),
    (b"\xff\xf3", Foreign("MP3 sound", _SOUND)),
    (b"OggS", Foreign("Ogg sound", _SOUND)),
    (b"FORM", Foreign("AIFF sound", _SOUND)),
    (b"\x89PNG", Foreign("a picture", "name another file")),
    (b"GIF8", Foreign("a picture", "name another file")),
    (b"\xff\xd8\xff", Foreign("a picture", "name another file")),
    (b"%PDF", Foreign("a PDF document", "name another file")),
    (b"\x7fELF", Foreign("a program of this computer", "name another file")),
    (b"MZ", Foreign("a program of this computer", "name another file")),
)
_ROM_OR_GROM = Foreign("a ROM or GROM of a cartridge", _CARTRIDGE)
_OPTION_5 = Foreign(
    "machine code for Editor/Assembler, option 5",
    "put all its parts on a disk image, and run that with the name of the first",
)
HEADER_MARK, _LISTS, HEADER = 0xAA, 4, 12
"""The first byte of a cartridge, where the addresses of its lists are, and the end of these."""
_FIRST, _ROM_END, _GROM_END = 0x6000, 0x8000, 0x10000
_SECTOR = 256
"""A memory image on a disk fills its last sector."""


def is_cartridge(data: bytes) -> bool:
    """Tell whether bytes (the first 12 suffice) begin as a cartridge's ROM at >6000 does."""
    return _has_header(data, _ROM_END)


def _has_header(data: bytes, end: int) -> bool:
    """Tell whether bytes have a cartridge's header with lists between >6000 and `end`."""
    lists = [int.from_bytes(data[at : at + 2], "big") for at in range(_LISTS, HEADER, 2)]
    return data[:1] == bytes((HEADER_MARK,)) and all(not at or _FIRST <= at < end for at in lists)


def foreign(data: bytes) -> Foreign | None:
    """What the file is, by its first bytes; None if they tell nothing."""
    # M4A, MP4: the kind follows the length of the first box.
    if data[4:8] == b"ftyp":
        return Foreign("sound or a film in MP4 form", _SOUND)
    for start, kind in _STARTS:
        if data.startswith(start):
            return kind
    if _has_header(data, _GROM_END):
        return _ROM_OR_GROM
    return _OPTION_5 if is_memory_image(data) else None


def is_memory_image(data: bytes) -> bool:
    """Tell whether a file is for option 5 of Editor/Assembler: a flag, the length, the address."""
    flag, length, address = (int.from_bytes(data[at : at + 2], "big") for at in (0, 2, 4))
    whole = 6 < length <= len(data) <= -(-length // _SECTOR) * _SECTOR + 6
    return flag in (0, 0xFFFF) and whole and address >= 0x2000
