"""Host files: bounded reads, and writes that happen whole or not at all."""

import os
import tracemalloc
from pathlib import Path

import pytest

from ti99tools.base import hostio as files
from ti99tools.base.errors import TIError


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    files.write_atomically(path, b"\0\1")
    assert files.read_bytes(path) == b"\0\1"
    files.write_atomically(path, "é\n")
    assert path.read_bytes() == b"\xc3\xa9\n"
    files.write_atomically(path, iter((b"1", b"2")))
    assert path.read_bytes() == b"12"
    files.write_atomically(path, bytearray(b"12"))
    assert path.read_bytes() == b"12"
    assert os.listdir(tmp_path) == ["a"]


def test_a_failing_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(TIError, match="no space left"):
        files.write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


def test_permission_bits_and_links_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(path)
    files.write_atomically(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["missing/a", "folder"])
def test_places_that_cannot_be_written_are_errors(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(TIError):
        files.write_atomically(tmp_path / name, b"")


def test_reads_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert files.read_bytes(path, limit=5) == b"12345"
    with pytest.raises(TIError, match="larger than 4 bytes"):
        files.read_bytes(path, limit=4)
    with pytest.raises(TIError):
        files.read_bytes(tmp_path)
    with pytest.raises(TIError):
        files.read_bytes(tmp_path / "missing")


def test_a_large_file_of_another_kind_is_named(tmp_path: Path) -> None:
    file = tmp_path / "tape.wav"
    file.write_bytes(b"RIFF" + bytes(100))
    with pytest.raises(TIError, match=r"it is sound.* larger than 9 bytes; .* reads tapes"):
        files.read_bytes(file, 9)


def test_a_short_file_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    tracemalloc.start()
    try:
        files.read_bytes(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


def test_a_long_file_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    data = bytes(range(256)) * 4096 + b"end"
    path.write_bytes(data)
    assert files.read_bytes(path) == data


def full_after(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Let the disk be full when so many files have been written."""
    synced = 0

    def sync(_: int) -> None:
        nonlocal synced
        synced += 1
        if synced > count:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", sync)


def test_files_are_written_together_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    old.write_bytes(b"old")
    inner = tmp_path / "new" / "inner"
    wanted: dict[Path, bytes | str] = {old: b"new", inner / "a": "é", inner / "b": b"2"}
    with monkeypatch.context() as patch, pytest.raises(TIError, match="b: no space left"):
        full_after(patch, 2)
        files.write_together(wanted, [inner])
    assert old.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["old"]
    monkeypatch.setattr(files, "_MOST_OPEN", 1)
    with files.watch_writing() as written:
        files.write_together(wanted, [inner])
    assert [each.path for each in written] == list(wanted)
    assert (inner / "a").read_text("utf-8") == "é"
    assert old.read_bytes() == b"new"
    assert sorted(os.listdir(inner)) == ["a", "b"]


def test_a_folder_that_was_there_or_is_not_empty_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(TIError, match="no such folder"):
        files.write_together({tmp_path / "missing" / "a": b""}, [tmp_path / "there"])
    assert os.listdir(tmp_path) == ["there"]
    (tmp_path / "file").touch()
    with pytest.raises(TIError, match="file/inner"):
        files.write_together({tmp_path / "a": b""}, [tmp_path / "file" / "inner"])
    assert sorted(os.listdir(tmp_path)) == ["file", "there"]
    # mkdir makes the outer folder before the inner one is refused.
    with pytest.raises(TIError, match="cannot make the folder"):
        files.write_together({}, [tmp_path / "outer" / ("x" * 300)])
    assert sorted(os.listdir(tmp_path)) == ["file", "there"]


def test_a_name_that_is_refused_leaves_what_was_named_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no temporary file, and no empty folder."""
    wanted = {tmp_path / name / "a": b"new" for name in ("one", "two", "three")}
    replace = os.replace

    def refuse(source: str, target: Path) -> None:
        if target.parent.name == "two":
            raise OSError(13, "Permission denied")
        replace(source, target)

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(TIError, match="two/a: permission denied"):
        files.write_together(wanted, [path.parent for path in wanted])
    assert [path.relative_to(tmp_path) for path in tmp_path.rglob("*")] == [
        Path("one"),
        Path("one/a"),
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"* first\n* Gr\xfc\xdfe\n", ":2: not a text in UTF-8; save it in UTF-8"),
        (b"\0\xff", ": not a text in UTF-8; give a text file"),
    ],
)
def test_a_text_of_another_code_page_is_named_with_its_line(
    tmp_path: Path, data: bytes, told: str
) -> None:
    file = tmp_path / "code.a99"
    file.write_bytes(data)
    with pytest.raises(TIError) as caught:
        files.read_text(file)
    assert str(caught.value).startswith(f"{file}{told}")
