"""Packed things: what comes out is bounded, and whatever is wrong is an error of the user."""

import ast
import lzma
import re
import tracemalloc
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

import pytest

import ti99tools
from ti99tools.base import packed
from ti99tools.base.packed import ALL, Bounds, PackedError, unxz, unzipped

SMALL = Bounds(total=100_000, entries=5, free=50_000, largest=60_000)


def zipped(files: dict[str, bytes], method: int = ZIP_DEFLATED) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_an_archive_depends_on_its_files_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"b.txt": b"2" * 99, "a.png": b"1" * 99}
    archive = packed.zipped(files, (".png",))
    monkeypatch.setattr("time.time", lambda: 0.0)
    monkeypatch.setattr("sys.platform", "win32")
    assert packed.zipped(files, (".png",)) == archive
    assert dict(unzipped(archive)) == files
    first, second = ZipFile(BytesIO(archive)).infolist()
    assert (first.filename, first.compress_type) == ("b.txt", ZIP_DEFLATED)
    assert (second.filename, second.compress_type) == ("a.png", ZIP_STORED)


def test_files_come_out_in_order_and_folders_do_not() -> None:
    data = zipped({"b/": b"", "b/two.bin": b"22", "one.bin": b"1"})
    assert list(unzipped(data)) == [("b/two.bin", b"22"), ("one.bin", b"1")]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({f"{n}": b"" for n in range(6)}, "more than 5 files"),
        ({f"{n}": b"" for n in range(40)}, "more than 5 files"),
        ({"a": bytes(50_000), "b": bytes(50_001)}, "come out"),
        ({"../a": b""}, "named '../a'"),
        ({"/etc/passwd": b""}, "named '/etc/passwd'"),
        ({"C:a": b""}, "named 'C:a'"),
        ({"x\\..\\a": b""}, "named"),
        ({"a\nb": b""}, "named"),
        ({"n" * 256: b""}, "named"),
    ],
    ids=["entries", "directory", "total", "up", "absolute", "drive", "dos", "control", "long"],
)
def test_an_archive_beyond_its_bounds_is_refused(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(PackedError, match=message):
        list(unzipped(zipped(files), SMALL))


def test_what_an_archive_says_of_its_sizes_is_not_trusted() -> None:
    data = bytearray(zipped({"a": bytes(60_000), "b": b"1"}))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    with pytest.raises(PackedError):
        list(unzipped(bytes(data), SMALL))


def test_a_file_without_a_name_is_refused() -> None:
    data = zipped({"a": b"1"})
    at = data.rindex(b"PK\x01\x02")
    nameless = data[: at + 28] + b"\0\0" + data[at + 30 : at + 46] + data[at + 47 :]
    end = nameless.rindex(b"PK\x05\x06")
    nameless = nameless[: end + 12] + (46).to_bytes(4, "little") + nameless[end + 16 :]
    with pytest.raises(PackedError, match="a file named ''"):
        list(unzipped(nameless))


def test_a_file_beyond_the_largest_is_left_out() -> None:
    found = unzipped(zipped({"a": bytes(60_001), "b": b"1"}), SMALL)
    assert [name for name, _ in found] == ["b"]


@pytest.mark.parametrize("method", [ZIP_BZIP2, ZIP_LZMA])
def test_methods_that_unpack_without_measure_are_refused(method: int) -> None:
    with pytest.raises(PackedError, match="deflate"):
        list(unzipped(zipped({"a": b"1"}, method)))


def test_readable_files_come_out_of_a_damaged_archive() -> None:
    data = zipped({"a": b"one" * 99, "b": b"two"}, ZIP_STORED).replace(b"oneone", b"oneeno", 1)
    damaged: list[str] = []
    assert list(unzipped(data, damaged=damaged)) == [("b", b"two")]
    assert damaged == ["a"]
    with pytest.raises(PackedError, match="damaged"):
        list(unzipped(data))


def test_a_bomb_stops_early_even_where_damage_is_skipped() -> None:
    data = zipped({f"{n}": bytes(40_000) for n in range(5)})
    damaged: list[str] = []
    assert len(list(unzipped(data, SMALL, damaged))) == 2
    assert len(damaged) == 3


def test_xz_files_come_out_whole() -> None:
    content = b"a line\n" * 30_000
    parts = lzma.compress(content) + bytes(8) + lzma.compress(b"more")
    assert unxz(parts) == content + b"more"


def test_an_xz_file_beyond_its_bounds_takes_little_memory() -> None:
    bomb = lzma.compress(bytes(8_000_000), preset=0)
    tracemalloc.start()
    with pytest.raises(PackedError, match="come out"):
        unxz(bomb, Bounds(free=1_000_000))
    assert tracemalloc.get_traced_memory()[1] < 4_000_000
    tracemalloc.stop()
    with pytest.raises(PackedError, match="files"):
        unxz(lzma.compress(b"") * 6, SMALL)


def test_damage_of_any_kind_is_an_error_of_the_user() -> None:
    rng = Random(41)
    archives = [zipped({"a.bin": rng.randbytes(40), "é": b"b" * 300}, how) for how in (0, 8)]
    for count in range(600):
        data = bytearray(archives[count % 2])
        for _ in range(rng.choice((1, 2, 8))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        del data[rng.choice((len(data), rng.randrange(len(data)))) :]
        try:
            list(unzipped(bytes(data)))
        except PackedError as error:
            assert error.problem
            assert error.remedy
    packed = lzma.compress(b"text" * 99)
    for _ in range(200):
        data = bytearray(packed)
        data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            unxz(bytes(data[: rng.choice((len(data), 60))]))
        except PackedError as error:
            assert error.problem
            assert error.remedy


UNPACKS = re.compile(
    r"^\s*(import|from) (lzma|bz2|tarfile)\b|decompressobj|infolist|(zlib|gzip)\.decompress", re.M
)
READERS = {"base/packed.py", "base/cache.py", "fronts/web/site/making.py"}
"""The modules that unpack; the others than `packed` read only what they themselves have packed."""


def test_nobody_else_unpacks() -> None:
    package = Path(ti99tools.__file__).parent
    for path in package.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if UNPACKS.search(source):
            assert str(path.relative_to(package)) in READERS, path
        for node in ast.walk(ast.parse(source)) if "ZipFile(" in source else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "ZipFile":
                writes = len(node.args) > 1
                assert writes or str(path.relative_to(package)) in READERS, path


def test_bounds_are_never_widened() -> None:
    from ti99tools.fronts.web import projects
    from ti99tools.games.hosts import roms

    for bounds in (projects._BOUNDS, roms._BOUNDS):
        assert all(
            getattr(bounds, name) <= getattr(ALL, name) for name in ("total", "entries", "ratio")
        )
