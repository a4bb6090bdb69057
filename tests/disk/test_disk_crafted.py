"""Images made to keep a reader busy: every sector a descriptor, every file at the same place."""

from dataclasses import replace
from time import process_time

import pytest

from ti99tools.media.disk import descriptors
from ti99tools.media.disk.checks import check
from ti99tools.media.disk.descriptors import Fdr
from ti99tools.media.disk.geometry import SECTOR, Geometry
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.repair import deleted, repair
from ti99tools.media.disk.tifile import DiskFile

LARGEST_FILE = 4096
ENOUGH = 10.0
"""Seconds of the processor: far more than is needed, far less than a step for each pair takes."""


def descriptors_everywhere(sectors: int, used: bool) -> DiskImage:
    """Each sector describes a file over most of the disk, marked as `used` says; none is listed."""
    image = DiskImage.new(Geometry(sectors // 40, 1, 40, 2))
    volume = image.volume
    if used:
        volume.vib = replace(volume.vib, bitmap=b"\xff" * 200)
    size = min(LARGEST_FILE, sectors - 2 * volume.scale)
    chain = descriptors.encode_chain([(1 if volume.scale > 1 else 2, size)])
    block = descriptors.build_fdr(
        Fdr(name=descriptors.pad_name("A"), flags=descriptors.PROGRAM, sectors=size, chain=chain)
    )
    first = 2 if used else size + 2 * volume.scale
    volume.data[2 * SECTOR :] = block * (sectors - 2)
    volume.data[2 * SECTOR : first * SECTOR] = bytes((first - 2) * SECTOR)
    return image


@pytest.mark.parametrize("used", [True, False])
def test_many_descriptors_of_large_files_are_looked_through_at_once(used: bool) -> None:
    image = descriptors_everywhere(10_000, used)
    start = process_time()
    check(image.volume)
    found = deleted(image.volume)
    assert process_time() - start < ENOUGH
    assert len(found) == (0 if used else 10_000 - LARGEST_FILE - 2 * image.volume.scale)


def test_a_sector_belongs_to_one_file_that_is_found_again() -> None:
    image = descriptors_everywhere(360, used=True)
    orphans = [finding for finding in check(image.volume) if finding.code == "orphan"]
    assert [finding.place for finding in orphans] == ["sector 2"]


def test_no_more_files_are_found_again_than_the_index_can_list() -> None:
    image = DiskImage.new("DSDD")
    for number in range(126):
        image.add(DiskFile.program(f"P{number}", b"x"))
    image.volume.set_pointers(1, image.volume.pointers(1)[:-3])
    for number in range(3):
        image.add(DiskFile.program(f"Q{number}", b"x"))
    orphans = [finding for finding in check(image.volume) if finding.code == "orphan"]
    assert [bool(finding.mend) for finding in orphans] == [True, False, False]
    result = repair(image)
    assert len(image.names()) == 127
    assert sum(finding.code == "orphan" for finding in result.remaining) == 2
