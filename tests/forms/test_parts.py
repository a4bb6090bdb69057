"""Pieces of memory in parts, and the files of option 5."""

import pytest

from ti99tools.base.errors import TIError
from ti99tools.compiler.forms.basicdisk import LARGEST, basic_files
from ti99tools.compiler.forms.option5 import (
    HEAD,
    PART,
    Loaded,
    Piece,
    divided,
    even,
    gap,
    option5_files,
)
from ti99tools.media.disk.geometry import SECTOR

LOW = Piece(0x2F00, bytes(range(256)) * 17)
HIGH = Piece(0xA000, b"\x04\x60" + bytes(range(255, -1, -1)) * 80)
BOTH = Loaded(0xA000, (LOW, HIGH))
WHOLE = Loaded(0xA000, (Piece(0x2000, bytes(0x2000)), Piece(0xA000, bytes(0x6000))))


def test_pieces_are_even_and_divided() -> None:
    assert even(0x2000, b"abc") == Piece(0x2000, b"abc\0")
    assert [(part.address, len(part.data)) for part in divided((LOW, HIGH), 0x2000)] == [
        (0x2F00, 0x1100), (0xA000, 0x2000), (0xC000, 0x2000), (0xE000, 0x1002),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "place"),
    [
        ((), 0x3FC0),
        ((LOW, HIGH), 0x2EC0),
        ((HIGH,), 0x3FC0),
        ((Piece(0x3000, bytes(0x800)),), 0x3FC0),
        ((Piece(0x3FE0, bytes(0x20)),), 0x3FA0),
        ((Piece(0x2000, bytes(0x2000)), HIGH), 0xFFC0),
        (WHOLE.pieces, None),
    ],
)
def test_the_highest_place_that_is_free(pieces: tuple[Piece, ...], place: int | None) -> None:
    assert gap(pieces, 0x40) == place


@pytest.mark.parametrize("program", [BOTH, WHOLE])
def test_files_of_option_5_hold_the_program(program: Loaded) -> None:
    files = option5_files(program, "GAME")
    assert [file.name for file in files] == [f"GAM{chr(ord('E') + n)}" for n in range(len(files))]
    memory = bytearray(0x10000)
    for at, file in enumerate(files):
        more, size, address = (int.from_bytes(file.data[n : n + 2], "big") for n in (0, 2, 4))
        assert size <= len(file.data) <= PART
        assert len(file.data) % SECTOR == 0
        assert bool(more) == (at < len(files) - 1)
        memory[address : address + size - HEAD] = file.data[HEAD:size]
        if at == 0 and program is WHOLE:
            assert address == program.entry, "no place is left for instructions before it"
    for piece in program.pieces:
        assert memory[piece.address : piece.end] == piece.data


def test_a_name_must_count_up() -> None:
    assert option5_files(BOTH, "D5000")[1].name == "D5001"
    for name, last in (("GAME-", "GAME-"), ("GAME9", "GAME:"), ("GAMEZ", r"GAME\[")):
        with pytest.raises(
            TIError, match=f"named from {name} on: one would be '{last}'; use a name"
        ):
            option5_files(BOTH, name)
    suited = option5_files(BOTH, "ABCDEFGHI9", suit=True)
    assert [file.name for file in suited[:2]] == ["ABCDEFGHIA", "ABCDEFGHIB"]
    assert option5_files(BOTH, "GAME", suit=True)[0].name == "GAME"


@pytest.mark.parametrize("program", [BOTH, WHOLE])
def test_parts_for_basic_are_whole_sectors_with_the_top_of_memory_last(program: Loaded) -> None:
    load, *parts = basic_files(program, "LONGERNAME", "GAME")
    assert [load.name, parts[0].name] == ["LOAD", "LONGERNA-0"]
    assert all(len(part.data) % SECTOR == 0 for part in parts)
    assert all(len(part.data) <= 0x1000 for part in parts)
    data = b"".join(part.data for part in parts)
    assert all(piece.data[-0x1000:] in data for piece in program.pieces)
    assert parts[-1].data.startswith(program.pieces[-1].data[-0x1000:])


def test_what_is_shown_may_be_too_long() -> None:
    with pytest.raises(TIError, match=r"what is shown while the program loads takes \d+ bytes"):
        basic_files(WHOLE, "GAME", "GAME", lambda _: ((), bytes(LARGEST)))
