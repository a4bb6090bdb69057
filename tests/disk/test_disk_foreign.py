"""Images and files as other tools and real machines write them: each read rightly, or refused."""

import pytest

from ti99tools.disk import exchange, fiad, records, tifiles
from ti99tools.disk.files import DiskFile


@pytest.mark.parametrize(
    "field",
    [
        bytes(10),
        b"\xca\x53" * 5,
        b"\xff" * 10,
        b" " * 10,
        b"game.prg  ",
        b"AB CD     ",
        b"\0ABC      ",
    ],
)
def test_a_tifiles_header_without_a_name_a_disk_could_have(field: bytes) -> None:
    data = tifiles.build_tifiles(records.store(DiskFile.program("P", b"x" * 300)))
    found = exchange.read_container(data[:0x10] + field + data[0x1A:], "/tmp/game.tfi")
    assert found is not None
    assert found.name == "GAME"


def test_fiad_headers_of_other_tools() -> None:
    file = records.store(DiskFile.program("P", b"x" * 300))
    good = fiad.build_fiad(file)
    for other in (
        b"P" + bytes(9) + good[10:],  # name padded with zeros
        good[:0x1C] + bytes.fromhex("221000") + good[0x1F:],  # clusters left in
    ):
        assert exchange.read_container(other, "x") == file
        assert not fiad.is_fiad(other[:0x1C] + b"\x22" + other[0x1D:-1])
