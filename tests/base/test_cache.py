"""What is kept is used only where nothing has changed, and never when it is damaged or foreign."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ti99tools
from ti99tools.base import cache
from ti99tools.base.cache import cache_folder, from_cache, nothing_kept
from ti99tools.base.inputs import read_input, watch_reading

Maker = Callable[[], bytes]


class Counted:
    """Makes some bytes, and counts how often."""

    def __init__(self, make: Maker) -> None:
        self.make, self.times = make, 0

    def __call__(self) -> bytes:
        self.times += 1
        return self.make()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache of its own."""
    path = tmp_path / "cache"
    monkeypatch.setenv("TI99TOOLS_CACHE", str(path))
    yield path
    cache._tool.cache_clear()


def given(maker: Maker, *about: str, kind: str = "test") -> bytes:
    return from_cache(kind, about, maker, bytes, bytes)


def entry(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_the_same_inputs_make_it_once(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes(b"one")
    maker = Counted(lambda: read_input(source) * 2)
    assert given(maker, "x") == given(maker, "x") == b"oneone"
    assert maker.times == 1
    assert given(maker, "y") == b"oneone" and maker.times == 2, "about something else"
    assert given(maker, "x", kind="other") == b"oneone"
    assert maker.times == 3
    source.write_bytes(b"two")
    assert given(maker, "x") == given(maker, "x") == b"twotwo"
    assert maker.times == 4
    source.unlink()
    with pytest.raises(FileNotFoundError):
        given(maker, "x")


def test_parts_of_what_is_kept_are_inputs_of_the_whole(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes(b"one")
    part = Counted(lambda: read_input(source))
    for text in (b"one", b"two"):
        source.write_bytes(text)
        assert given(part) == text
        with watch_reading() as inputs:
            assert given(part) == text
        assert [*inputs.files] == [str(source)]
        assert inputs.unchanged()
        assert given(lambda: given(part) + b"!", kind="whole") == text + b"!"
    assert part.times == 2


def test_a_file_that_changes_meanwhile_is_no_input_to_trust(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.txt"

    def make() -> bytes:
        source.write_bytes(b"one")
        first = read_input(source)
        source.write_bytes(b"two")
        return first + read_input(source)

    maker = Counted(make)
    assert given(maker) == given(maker) == b"onetwo"
    assert maker.times == 2


@pytest.mark.parametrize("at", [0, 18, 30, 83, 100, -1], ids=str)
def test_a_damaged_entry_is_made_anew(folder: Path, at: int) -> None:
    maker = Counted(lambda: bytes(range(256)) * 9)
    right = given(maker)
    whole = bytearray(entry(folder).read_bytes())
    whole[at] ^= 1
    entry(folder).write_bytes(whole)
    assert given(maker) == right
    assert maker.times == 2
    assert given(maker) == right and maker.times == 2, "and is right again"


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.99])
def test_half_an_entry_is_none(folder: Path, part: float) -> None:
    maker = Counted(lambda: b"abc" * 99)
    right = given(maker)
    whole = entry(folder).read_bytes()
    entry(folder).write_bytes(whole[: int(len(whole) * part)])
    assert given(maker) == right
    assert maker.times == 2


def test_an_entry_under_the_name_of_another_is_not_used(folder: Path) -> None:
    given(lambda: b"other", "x")
    other = entry(folder).read_bytes()
    entry(folder).unlink()
    maker = Counted(lambda: b"right")
    given(maker, "y")
    entry(folder).write_bytes(other)
    assert given(maker, "y") == b"right"
    assert maker.times == 2


def test_a_form_that_cannot_be_read_is_made_anew(folder: Path) -> None:
    def unpack(data: bytes) -> bytes:
        raise ValueError("another form")

    maker = Counted(lambda: b"right")
    for times in (1, 2):
        assert from_cache("test", [], maker, bytes, unpack) == b"right"
        assert maker.times == times


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
def test_a_folder_that_others_may_write_is_not_used(folder: Path) -> None:
    maker = Counted(lambda: b"right")
    folder.mkdir()
    folder.chmod(0o777)
    assert given(maker) == given(maker) == b"right"
    assert maker.times == 2
    assert not [*folder.iterdir()]


def test_nothing_is_kept_where_it_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = Counted(lambda: b"right")
    (tmp_path / "file").write_bytes(b"")
    for times, name in enumerate(("", str(tmp_path / "file")), 1):
        monkeypatch.setenv("TI99TOOLS_CACHE", name)
        assert given(maker) == b"right"
        assert maker.times == times
        assert cache_folder() is None


def test_the_folder_is_that_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TI99TOOLS_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "ti99tools"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == tmp_path / "home" / ".cache" / "ti99tools"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "home" / "Library" / "Caches" / "ti99tools"
    monkeypatch.setattr("sys.platform", "emscripten")
    assert cache_folder() is None


def test_proofs_take_nothing_from_it_and_leave_nothing(folder: Path) -> None:
    maker = Counted(lambda: b"right")
    given(maker)
    with nothing_kept():
        given(maker)
        given(maker, "other")
    assert maker.times == 3
    assert len([*folder.iterdir()]) == 1


def test_code_that_changed_since_it_was_loaded_keeps_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maker = Counted(lambda: b"right")
    monkeypatch.setattr(ti99tools, "LOADED", 0.0)
    cache._tool.cache_clear()
    assert given(maker) == given(maker) == b"right"
    assert maker.times == 2


def test_the_oldest_go_when_there_are_too_many(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = os.urandom(10_000)
    for number in range(10):
        given(lambda: noise, str(number))
    paths = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    for age, path in enumerate(paths):
        os.utime(path, (age, age))
    given(Counted(lambda: b"never"), "3")  # is used once more
    monkeypatch.setattr(cache, "LIMIT", 60_000)
    maker = Counted(lambda: noise)
    given(maker, "new")
    left = {path.name for path in folder.iterdir()}
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 60_000
    assert paths[0].name not in left
    assert paths[3].name in left
    assert given(maker, "new") == noise
    assert maker.times == 1


def test_what_is_too_large_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 1000)
    maker = Counted(lambda: bytes(2000))
    assert given(maker) == given(maker) == bytes(2000)
    assert maker.times == 2
