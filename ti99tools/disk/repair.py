"""Mend a disk without losing anything on it.

Repair only does what a finding announces: it corrects counts and marks, sorts indexes, lists
files nobody lists, gives cross-linked files sectors of their own, drops entries that point
nowhere. It never frees or overwrites a sector that might hold data; lost sectors are freed only on
request. What it cannot mend stays as it is and is still found by `check`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ti99tools.base.errors import DiskError
from ti99tools.base.remedy import Remedy
from ti99tools.disk.checks import check
from ti99tools.disk.checks.finding import NOTE, Finding
from ti99tools.disk.checks.volume import lost_sectors, ranges
from ti99tools.disk.image import DiskImage

ROUNDS = 100
"""Rounds of finding and mending, more than there are kinds of findings."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was mended, one line each, and what remains."""

    done: tuple[str, ...]
    remaining: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Tell whether nothing but notes remains."""
        return all(finding.severity == NOTE for finding in self.remaining)


def repair(image: DiskImage, reclaim: bool = False) -> Repaired:
    """Mend `image`; `reclaim` also frees sectors that belong to no file.

    The image is changed in memory only. Raises `DiskError` when its form cannot take the change.
    """
    volume = image.volume
    if any(f.code == "mark" and not f.fix for f in check(volume)):
        raise DiskError(
            "this does not look like a TI disk: no DSK, and the sizes do not fit",
            remedy=Remedy.NEW_DISK,
        )
    done: list[str] = []
    given_up: set[tuple[str, str]] = set()
    for _ in range(ROUNDS):
        due = [f for f in check(volume) if f.fix and (f.code, f.place) not in given_up]
        if not due:
            break
        for finding in [f for f in due if f.code == due[0].code]:
            assert finding.fix is not None
            before = bytes(volume.data)
            try:
                finding.fix(volume)
            except DiskError:
                volume.data[:] = before
            if volume.data == before:
                given_up.add((finding.code, finding.place))
            else:
                done.append(f"{finding.place}: {finding.problem}: {finding.mend}")
    if reclaim and (lost := lost_sectors(volume)):
        volume.mark(set(lost), False)
        done.append(f"bitmap: freed {ranges(lost)}")
    return Repaired(tuple(done), tuple(check(volume)))
