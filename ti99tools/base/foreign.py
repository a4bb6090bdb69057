"""Files of other kinds that people hand to a command, known by their first bytes.

Only for messages: what such a file is, and where it belongs. Sources: the descriptions of the
formats; the cartridge header of the TI-99/4A is the byte AA at the start of a ROM or GROM.
"""

from __future__ import annotations

from typing import NamedTuple


class Foreign(NamedTuple):
    """What a file is, with its article, and what to do with it."""

    what: str
    remedy: str


_CARTRIDGE = "run it in an emulator: a cartridge has no listing"
_SOUND = "save it as WAV, uncompressed (PCM), mono or stereo, 11,025 Hz or more"
_TAPE = "it is of another computer; a cassette of the TI-99/4A is a WAV file here"
_STARTS = (
    (b"PK\x03\x04", Foreign("a zip archive, as .rpk cartridges are", _CARTRIDGE)),
    (b"TI-99/4A Module - ", Foreign("a cartridge of ti99sim (.ctg)", _CARTRIDGE)),
    (b"\xaa", Foreign("a ROM or GROM of a cartridge", _CARTRIDGE)),
    (b"\x1f\x8b", Foreign("a gzip archive", "unpack it first")),
    (b"7z\xbc\xaf\x27\x1c", Foreign("a 7-Zip archive", "unpack it first")),
    (b"Rar!", Foreign("a RAR archive", "unpack it first")),
    (b"ZXTape!\x1a", Foreign("a tape in TZX form", _TAPE)),
    (b"C64-TAPE-RAW", Foreign("a tape of a Commodore 64", _TAPE)),
    (b"RIFF", Foreign("sound, as a cassette is (WAV)", "read it as a tape")),
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
_SECTOR = 256
"""A memory image on a disk fills its last sector."""


def foreign(data: bytes) -> Foreign | None:
    """What the file is, by its first bytes; None if they tell nothing."""
    # M4A, MP4: the kind follows the length of the first box.
    if data[4:8] == b"ftyp":
        return Foreign("sound or a film in MP4 form", _SOUND)
    for start, found in _STARTS:
        if data.startswith(start):
            return found
    return _memory_image(data)


def _memory_image(data: bytes) -> Foreign | None:
    """Machine code for option 5 of Editor/Assembler: a flag, the length, the address."""
    flag, length, address = (int.from_bytes(data[at : at + 2], "big") for at in (0, 2, 4))
    whole = 6 < length <= len(data) <= -(-length // _SECTOR) * _SECTOR + 6
    if flag in (0, 0xFFFF) and whole and address >= 0x2000:
        return Foreign(
            "machine code for Editor/Assembler, option 5",
            "load it there: it is no Extended BASIC program",
        )
    return None
