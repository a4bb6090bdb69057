"""Whatever is done to a disk, it stays sound and holds what a plain dictionary would hold."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from ti99tools.base.errors import DiskError
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.checks.index import NOTE
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType

NAMES = st.sampled_from([f"F{n}" for n in range(12)] + ["LONGNAME10", "A/B", "a", "~"])
KINDS = st.sampled_from(list(FileType))


def make(name: str, kind: FileType, size: int, seed: int) -> DiskFile:
    if kind is FileType.PROGRAM:
        return DiskFile.program(name, bytes((seed + n) % 256 for n in range(size)))
    recl = 1 + seed % (254 if kind.variable else 255)
    count = size // (recl + 1)
    if kind.variable:
        records = [bytes([n % 256]) * ((n * seed) % (recl + 1)) for n in range(count)]
    else:
        records = [bytes([n % 256]) * recl for n in range(count)]
    return DiskFile(name, kind, recl, tuple(records))


class Disk(RuleBasedStateMachine):
    geometry = "SSSD"

    def __init__(self) -> None:
        super().__init__()
        self.disk = DiskImage.new(self.geometry)
        self.model: dict[str, DiskFile] = {}

    @rule(name=NAMES, kind=KINDS, size=st.integers(0, 9000), seed=st.integers(0, 999))
    def add(self, name: str, kind: FileType, size: int, seed: int) -> None:
        file = make(name, kind, size, seed)
        if name in self.model:
            with pytest.raises(DiskError, match="exists"):
                self.disk.add(file)
            return
        self.try_add(file, replace=False)

    @rule(name=NAMES, kind=KINDS, size=st.integers(0, 30000), seed=st.integers(0, 999))
    def put(self, name: str, kind: FileType, size: int, seed: int) -> None:
        self.try_add(make(name, kind, size, seed), replace=True)

    def try_add(self, file: DiskFile, replace: bool) -> None:
        before = self.disk.to_bytes()
        try:
            self.disk.add(file, replace)
        except DiskError as error:
            assert "full" in error.problem or "pieces" in error.problem
            assert self.disk.to_bytes() == before
        else:
            self.model[file.name] = file

    @rule(name=NAMES)
    def remove(self, name: str) -> None:
        if name not in self.model:
            with pytest.raises(DiskError):
                self.disk.remove(name)
            return
        self.disk.remove(name)
        del self.model[name]

    @rule(old=NAMES, new=NAMES)
    def rename(self, old: str, new: str) -> None:
        if old not in self.model or (new in self.model and new != old):
            with pytest.raises(DiskError):
                self.disk.rename(old, new)
            return
        self.disk.rename(old, new)
        self.model[new] = replace(self.model.pop(old), name=new)

    @rule(name=NAMES)
    def protect(self, name: str) -> None:
        if name in self.model:
            self.disk.protect(name)
            with pytest.raises(DiskError, match="protected"):
                self.disk.remove(name)
            self.disk.protect(name, False)

    @invariant()
    def sound(self) -> None:
        assert [f for f in check(self.disk.volume) if f.severity != NOTE or "lost" in f.code] == []

    @invariant()
    def same_contents(self) -> None:
        names = sorted(self.model, key=lambda n: n.encode("latin-1").ljust(10))
        assert self.disk.names() == names
        for name, file in self.model.items():
            assert self.disk.read(name) == file

    def teardown(self) -> None:
        for name in list(self.model):
            self.disk.remove(name)
        assert self.disk.free_sectors == DiskImage.new(self.geometry).free_sectors


class LargeDisk(Disk):
    geometry = "DSHD"


class MiddleDisk(Disk):
    geometry = "DSDD80"


FEW = settings(max_examples=20, stateful_step_count=25, deadline=None)
TestDisk = Disk.TestCase
TestDisk.settings = FEW
TestLargeDisk = LargeDisk.TestCase
TestLargeDisk.settings = settings(FEW, max_examples=4)
TestMiddleDisk = MiddleDisk.TestCase
TestMiddleDisk.settings = settings(FEW, max_examples=4)


@pytest.mark.slow
@pytest.mark.parametrize("disk", [Disk, LargeDisk, MiddleDisk])
def test_much_is_done_to_a_disk(disk: type[Disk]) -> None:
    run_state_machine_as_test(disk, settings=settings(FEW, max_examples=200))
