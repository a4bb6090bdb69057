"""What can be wrong with a disk: `check` finds it; each finding knows how it can be repaired."""

from __future__ import annotations

from ti99tools.media.disk.checks.content import check_clusters, check_contents
from ti99tools.media.disk.checks.index import DiskFinding, check_indexes, check_orphans
from ti99tools.media.disk.checks.volume_block import check_bitmap, check_volume
from ti99tools.media.disk.volume import Volume


def check(volume: Volume) -> list[DiskFinding]:
    """Everything wrong with a volume, in the order in which it is best repaired."""
    findings: list[DiskFinding] = []
    # Without these two sectors nothing else on the disk can be found.
    if 0 in volume.defects or 1 in volume.defects:
        findings.append(
            DiskFinding("unreadable", "error", "image", "its volume block or index cannot be read")
        )
        return findings
    findings += check_volume(volume)
    # Not a TI disk at all: further findings would only describe random bytes.
    if any(finding.code == "mark" and not finding.fix for finding in findings):
        return [finding for finding in findings if finding.code in ("mark", "unreadable")]
    # Order matters for repair: the bitmap is corrected last, from the corrected files.
    for examine in (
        check_indexes,
        check_orphans,
        check_clusters,
        check_contents,
        check_bitmap,
    ):
        findings += examine(volume)
    return findings
