"""Several runs on one image at the same time, and runs that are killed: nothing is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ti99tools.base import hostio
from ti99tools.base.errors import TIError
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

SLOW = """
import os, sys, time
from types import SimpleNamespace
from ti99tools.base import hostio
from ti99tools.fronts.cli.main import cli

def told(word, work):
    def telling(*given):
        print(word, flush=True)
        work(*given)
    return telling

def slow(descriptor, real=os.fsync):
    real(descriptor)
    print("writing", flush=True)
    sys.stdin.readline()

os.fsync = slow
hostio.time = SimpleNamespace(monotonic=time.monotonic, sleep=told("waiting", time.sleep))
cli(sys.argv[1:])
"""
"""The command line, which says when it has written the temporary file, gives it its name when it is
told to, and says when it waits for another run."""

locks = pytest.mark.skipif(not hostio.HAS_LOCKS, reason="this system has no such locks")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    path = tmp_path / "game.dsk"
    DiskImage.new().save(path)
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.txt").write_text(f"{name}\n" * 50)
    return path


class Adding(subprocess.Popen[str]):
    """A run that adds a text to an image."""

    def __init__(self, image: Path, name: str) -> None:
        text = image.with_name(f"{name}.txt")
        words = [sys.executable, "-c", SLOW, "disk", "add", str(image), str(text)]
        super().__init__(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def says(self) -> str:
        """The next line that it writes."""
        assert self.stdout is not None
        return self.stdout.readline().strip()

    def ends(self) -> int:
        """Let it go on to its end; the exit code."""
        self.communicate("\n", timeout=60)
        return self.returncode


def left(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".ti99tmp")]


@locks
def test_runs_on_one_image_wait_for_each_other(image: Path) -> None:
    with Adding(image, "one") as first:
        assert first.says() == "writing"
        with Adding(image, "two") as second:
            assert second.says() == "waiting"
            assert first.ends() == second.ends() == 0
    assert DiskImage.open(image).names() == ["ONE", "TWO"]
    assert left(image.parent) == []


@locks
def test_what_a_killed_run_leaves_is_removed_and_what_another_writes_is_not(image: Path) -> None:
    before = image.read_bytes()
    with Adding(image, "one") as killed:
        assert killed.says() == "writing"
        (temporary,) = left(image.parent)
        hostio.write_atomically(image.with_name("other"), b"")
        assert left(image.parent) == [temporary]
        killed.kill()
    assert image.read_bytes() == before
    assert left(image.parent) == [temporary]
    with Adding(image, "two") as following:
        assert following.ends() == 0
    assert DiskImage.open(image).names() == ["TWO"]
    assert left(image.parent) == []


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(image: Path) -> None:
    mine, theirs = DiskImage.open(image), DiskImage.open(image)
    theirs.add(DiskFile.program("THEIRS", b"1"))
    theirs.save(image)
    mine.add(DiskFile.program("MINE", b"2"))
    with pytest.raises(TIError, match=r"game\.dsk: another program has changed the file"):
        mine.save(image)
    assert DiskImage.open(image).names() == ["THEIRS"]
    mine.save(image.with_name("mine.dsk"))
    theirs.remove("THEIRS")
    theirs.save(image)
    assert DiskImage.open(image).names() == []
    assert left(image.parent) == []


@locks
def test_a_file_that_is_held_for_long_is_told(image: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostio, "PATIENCE", 0.05)
    refusal = pytest.raises(TIError, match="another run is changing the file")
    with hostio.held(image), refusal, hostio.held(image):
        pass
    with hostio.held(image), hostio.held(image.with_name("none")):
        pass


def test_without_locks_only_old_temporary_files_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hostio, "HAS_LOCKS", False)
    names = [f".a.{'0' * 15}{n}.ti99tmp" for n in range(2)]
    for name in (*names, ".a.0123456789abcdef"):
        (tmp_path / name).write_bytes(b"")
    os.utime(tmp_path / names[0], (0, 0))
    hostio.write_atomically(tmp_path / "b", b"1")
    assert sorted(os.listdir(tmp_path)) == [names[1], ".a.0123456789abcdef", "b"]
