"""Mutated files of every form: a clear `DiskError` or a correct reading, in bounded time."""

import random
import time
from collections.abc import Callable

import pytest

from ti99tools.base.errors import DiskError
from ti99tools.language.program.hostfile import HostFile
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.containers.cf7 import VOLUME
from ti99tools.media.disk.convert import convert
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.repair import repair
from ti99tools.media.disk.tifile import DiskFile

SECONDS = 20
"""Far more than any single file may take, even on a slow machine."""


def sample(geometry: str = "SSSD") -> DiskImage:
    disk = DiskImage.new(geometry, "FUZZ")
    disk.make_directory("SUB")
    rng = random.Random(9)
    for n in range(8):
        texts = [rng.randbytes(rng.randrange(80)) for _ in range(rng.randrange(40))]
        disk.add(DiskFile.display_var(f"TEXT{n}", texts))
        disk.add(DiskFile.internal_fix(f"FIX{n}", [bytes(30)] * n, 30))
    disk.add(DiskFile.program("SUB.PROG", rng.randbytes(3000)))
    return disk


def mutated(data: bytes, rng: random.Random, hot: int) -> bytes:
    """`data` with a few bytes changed, most of them before `hot`, or cut, or with a part moved."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 10)):
        at = rng.randrange(min(hot, len(changed)) if rng.random() < 0.8 else len(changed))
        changed[at] = rng.choice((0, 0xFF, rng.randrange(256), changed[at] ^ 1 << rng.randrange(8)))
    choice = rng.random()
    if choice < 0.1:
        del changed[rng.randrange(len(changed)) :]
    elif choice < 0.15:
        at = rng.randrange(len(changed))
        changed[at : at + 256] = changed[:256]
    return bytes(changed)


def use(data: bytes) -> None:
    """Everything a user can do with an image; only `DiskError` may come out."""
    image = DiskImage.from_bytes(data, strict=False)
    findings = check(image.volume)
    errors = [f for f in findings if f.severity == "error"]
    readable = {}
    try:
        for name in image.names():
            try:
                readable[name] = image.read(name)
            except DiskError:
                assert errors or image.volume.defects or "255 bytes" in str(findings)
    except DiskError:
        assert errors
    changes: tuple[Callable[[], object], ...] = (
        lambda: image.add(DiskFile.program("NEW", bytes(700))),
        lambda: image.remove("TEXT3"),
        lambda: image.rename("TEXT1", "ZZ"),
    )
    for change in changes:
        before = bytes(image.volume.data)
        try:
            change()
        except DiskError:
            assert bytes(image.volume.data) == before
    for name in readable:
        if name not in ("TEXT3", "TEXT1", "NEW") and list(readable).count(name) == 1:
            assert image.read(name) == readable[name]
    image = DiskImage.from_bytes(data, strict=False)
    try:
        result = repair(image)
    except DiskError:
        return
    assert not [f for f in result.remaining if f.fix and f.code != "cross-link"]
    if not any(f.severity == "error" or f.code == "records-long" for f in result.remaining):
        kept = [file.records or file.data for file in map(image.read, image.names())]
        for file in readable.values():
            assert not (file.records or file.data) or (file.records or file.data) in kept
    image.to_bytes()


FORMS: dict[str, tuple[Callable[[], bytes], int, int]] = {
    "sector image": (lambda: sample().to_bytes(), 22 * 256, 150),
    "large image": (lambda: sample("DSDD80").to_bytes(), 22 * 256, 20),
    "HFE FM": (lambda: convert(sample(), "hfe"), 1200, 25),
    "HFE MFM": (lambda: convert(sample("DSDD"), "hfe"), 1200, 15),
    "HFE tracks": (lambda: convert(sample(), "hfe"), 10**6, 15),
    "PC99": (lambda: convert(sample(), "pc99"), 30_000, 40),
    "CF7+": (lambda: convert(sample(), "cf7"), 44 * 256, 25),
}


@pytest.mark.parametrize(("make", "hot", "count"), FORMS.values(), ids=FORMS)
def test_mutated_images(make: Callable[[], bytes], hot: int, count: int) -> None:
    data = make()
    for seed in range(count):
        started = time.monotonic()
        try:
            use(mutated(data, random.Random(seed), hot))
        except DiskError as error:
            assert error.problem
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
        assert time.monotonic() - started < SECONDS, seed


def test_random_bytes_are_no_disk() -> None:
    rng = random.Random(3)
    for size in (0, 1, 255, 256, 512, 5000, 92160, VOLUME, 260240):
        data = rng.randbytes(size)
        for prefix in (b"", b"HXCPICFE", b"HXCPICFE\0\x28\x02\x02\xfa\0\0\0\x07\0\x01\0\xff"):
            try:
                use((prefix + data)[: max(size, len(prefix))])
            except DiskError as error:
                assert error.problem


def test_mutated_file_containers() -> None:
    stored = records.store(DiskFile.display_var("TEXT", [b"HELLO", b"WORLD"] * 90))
    for build in (hostfiles.build_tifiles, hostfiles.build_fiad):
        data = build(stored)
        for seed in range(300):
            changed = mutated(data, random.Random(seed), 30)
            try:
                found = HostFile(changed, "host").ti_file
                if found is not None:
                    assert len(found.content) % 256 == 0
                    file = records.load(found)
                    assert sum(map(len, file.records)) <= len(found.content)
                    disk = DiskImage.new("DSDD")
                    disk.add_stored(found)
                    assert disk.read(found.name) == file
            except DiskError as error:
                assert error.problem
