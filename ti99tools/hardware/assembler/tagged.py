"""Tagged object code: records of 80 characters that CALL LOAD and other loaders read.

A record is a sequence of tags, each a character and hexadecimal digits, some with a name: `0`
length of relocatable code and program name (8); `1` `2` entry (absolute, relocatable); `3` `4` last
use of a REF in relocatable or absolute code, and its name (6): the word there holds the address of
the use before it, the first 0; `5` `6` DEF (relocatable, absolute) and its name (6); `7` checksum
(the negated sum of the record's characters up to and with this tag); `9` `A` address (absolute,
relocatable); `B` `C` word (as it is, start of the code added); `F` end of record; `:` end of file.
Extended BASIC v110 refuses `3` and `4`. Example: `93000B02E0B83E0` puts 02E0 83E0 at >3000.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ti99tools.base.basic import CODE_NAME, CODE_PROGRAM_NAME
from ti99tools.base.errors import Place, ProgramError
from ti99tools.base.record import Record
from ti99tools.hardware.assembler.operands import Segment, Spot, Value, Word

RECORD = 80
"""Bytes of a record: object code lies in DIS/FIX 80 files."""
ROOM = 64
"""Characters of tags in a record; checksum, end mark and record number follow."""
LAST = ":       TI99TOOLS"


class ObjectCode(Record):
    """The content of object code."""

    name: str
    length: int
    words: Mapping[Spot, Word]
    definitions: Mapping[str, Value]
    references: tuple[str, ...]
    entry: Value | None

    def records(self) -> list[bytes]:
        """The records, 80 bytes each."""
        lines: list[str] = []
        line = ""
        for tag in self._tags():
            if len(line) + len(tag) > ROOM:
                lines.append(_sealed(line))
                line = ""
            line += tag
        lines += [_sealed(line), LAST]
        return [
            f"{line:{RECORD - 4}}{number:04d}".encode("latin-1")
            for number, line in enumerate(lines, 1)
        ]

    def _tags(self) -> Iterator[str]:
        yield f"0{self.length:04X}{self.name:{CODE_PROGRAM_NAME}}"
        # The uses of a REF form a chain: each holds the address of the one before, the first 0.
        last: dict[str, Spot] = {}
        expected: Spot | None = None
        for spot, word in self.words.items():
            relocatable = spot.segment is Segment.RELOCATABLE
            # An address tag only where the code does not simply go on.
            if spot != expected:
                yield f"{'A' if relocatable else '9'}{spot.address:04X}"
            yield _word_tag(word, last.get(word.external))
            if word.external:
                last[word.external] = spot
            expected = Spot(spot.address + 2, spot.segment)
        for name, value in self.definitions.items():
            yield f"{'5' if value.bases else '6'}{value.number & 0xFFFF:04X}{name:{CODE_NAME}}"
        for name in self.references:
            # Address 0 means an empty chain: the REF is never used.
            spot = last.get(name, Spot(0, Segment.ABSOLUTE))
            tag = "3" if spot.segment is Segment.RELOCATABLE else "4"
            yield f"{tag}{spot.address:04X}{name:{CODE_NAME}}"
        if self.entry is not None:
            yield f"{'2' if self.entry.bases else '1'}{self.entry.number & 0xFFFF:04X}"


def _word_tag(word: Word, before: Spot | None) -> str:
    """The tag of a word; that of a REF points at the use before it."""
    if not word.external:
        return f"{'C' if word.relocatable else 'B'}{word.value:04X}"
    if before is None:
        return "B0000"
    return f"{'C' if before.segment is Segment.RELOCATABLE else 'B'}{before.address:04X}"


def _sealed(line: str) -> str:
    """A record with its checksum and end mark."""
    return f"{line}7{checksum(line + '7'):04X}F"


def checksum(text: str) -> int:
    """The negated sum of the characters, 16 bits."""
    return -sum(text.encode("latin-1")) & 0xFFFF


@dataclass
class Loaded:
    """What object code puts into memory: words by address, DEF names, entry, length."""

    name: str = ""
    length: int = 0
    words: dict[int, int] = field(default_factory=dict)
    definitions: dict[str, int] = field(default_factory=dict)
    references: dict[str, int] = field(default_factory=dict)
    entry: int | None = None


def load(records: Iterable[bytes], base: int = 0, file: str = "object code") -> Loaded:
    """Read object code, with relocatable code at `base`.

    Raises ProgramError for an unknown tag, damaged digits, a wrong checksum, and a missing end of
    file.
    """
    loader = _Loader(base)
    for number, record in enumerate(records, 1):
        place = Place(file, number)
        if record[:1] == b":":
            return loader.loaded
        try:
            loader.record(record.decode("latin-1"))
        except ValueError as error:
            remedy = "the file is damaged, or no uncompressed object code"
            raise ProgramError(str(error), remedy=remedy, place=place) from error
    raise ProgramError(
        "no end of file in the object code", remedy="the file is cut off", place=Place(file)
    )


class _Loader:
    """The state of the loader: where the next word goes."""

    def __init__(self, base: int) -> None:
        self.loaded = Loaded()
        self._base = self._at = base

    def record(self, text: str) -> None:
        """Carry out the tags of a record. Raises ValueError."""
        at = 0
        while at < len(text) and text[at] != "F":
            tag, digits = text[at], text[at + 1 : at + 5]
            if tag not in "0123456789ABC":
                raise ValueError(f"unknown tag {tag!r}")
            if len(digits) < 4 or not all(digit in "0123456789ABCDEF" for digit in digits):
                raise ValueError(f"tag {tag} without four hexadecimal digits")
            value = int(digits, 16)
            size = {"0": CODE_PROGRAM_NAME}.get(tag, CODE_NAME if tag in "3456" else 0)
            name = text[at + 5 : at + 5 + size].rstrip()
            # The sum includes the tag 7 itself, but not its digits.
            if tag == "7" and value != checksum(text[: at + 1]):
                raise ValueError(f"the checksum is {checksum(text[: at + 1]):04X}, not {digits}")
            self._tag(tag, value, name)
            at += 5 + size

    def _tag(self, tag: str, value: int, name: str) -> None:
        loaded, moved = self.loaded, (value + self._base) & 0xFFFF
        if tag == "0":
            loaded.length, loaded.name = value, name
        elif tag in "12":
            loaded.entry = moved if tag == "2" else value
        elif tag in "34":
            loaded.references[name] = moved if tag == "3" else value
        elif tag in "56":
            loaded.definitions[name] = moved if tag == "5" else value
        elif tag in "9A":
            self._at = moved if tag == "A" else value
        elif tag in "BC":
            loaded.words[self._at & 0xFFFE] = moved if tag == "C" else value
            self._at = (self._at + 2) & 0xFFFF
