"""Catalogues as the TI community knows them, time stamps, and file contents for people.

Time: hour << 11 | minute << 5 | second / 2; date: year of the century << 9 | month << 5 | day.
The TI controller writes zeros; cards with a clock fill them in. Years 70–99 are 19xx.

```
Disk GAMES        SSSD  sector image   used 9  free 351
Name        Size  Type         Length  P
D5000         33  PROGRAM        8123  P
README         4  DIS/VAR 80       712
```

Sizes are in sectors and count the descriptor, as Disk Manager does. Both parts come as text and as
data for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.records import is_text, to_text
from ti99tools.media.disk.tifile import DiskFile, FileInfo, FileType


def to_datetime(stamp: int) -> datetime | None:
    """The moment of a stamp; None when it is zero or not a date. Seconds are even."""
    time, date = stamp >> 16 & 0xFFFF, stamp & 0xFFFF
    year = date >> 9
    try:
        return datetime(
            # The machine is of 1981, so two digits below 70 can only mean 20xx.
            year + (1900 if year >= 70 else 2000),
            date >> 5 & 15,
            date & 31,
            time >> 11,
            time >> 5 & 63,
            2 * (time & 31),
        )
    except ValueError:
        # Old writers left any bytes there.
        return None


def catalog_lines(image: DiskImage, files: Sequence[FileInfo], long: bool = False) -> list[str]:
    """The catalogue of `files` on `image`; `long` adds pieces and dates."""
    used = image.total_sectors - image.free_sectors
    state = "  protected" if image.protected else ""
    lines = [
        f"Disk {image.name:<10}  {image.geometry.name}  {image.form}"
        f"  used {used}  free {image.free_sectors}{state}"
    ]
    if files:
        lines.append("Name        Size  Type         Length  P" + ("  Pieces  Updated" * long))
    directory = ""
    for info in files:
        if info.directory != directory:
            directory = info.directory
            lines.append(f"Directory {directory}")
        lines.append(_line(info, long))
    return lines


def _line(info: FileInfo, long: bool) -> str:
    line = (
        f"{info.name:<10}  {info.size:>4}  {type_text(info):<11}  {info.bytes:>6}"
        f"  {'P' if info.protected else ' '}"
    )
    if long:
        moment = to_datetime(info.updated) or to_datetime(info.created)
        line += f"  {info.pieces:>6}  {moment or ''}"
    return line.rstrip()


def type_text(info: FileInfo) -> str:
    """The type as a catalogue shows it: `PROGRAM`, `DIS/VAR 80`, …."""
    if info.type is FileType.PROGRAM:
        return info.type.label
    return f"{info.type.label} {info.recl}"


def catalog_data(image: DiskImage, files: Sequence[FileInfo]) -> dict[str, Any]:
    """The catalogue as plain data, for JSON."""
    return {
        "name": image.name,
        "form": image.form,
        "geometry": image.geometry.name,
        "total": image.total_sectors,
        "free": image.free_sectors,
        "used": image.total_sectors - image.free_sectors,
        "protected": image.protected,
        "directories": image.directories,
        "files": [
            {
                "name": info.name,
                "directory": info.directory,
                "type": info.type.label,
                "recl": info.recl,
                "size": info.size,
                "bytes": info.bytes,
                "protected": info.protected,
                "pieces": info.pieces,
                "created": _moment(info.created),
                "updated": _moment(info.updated),
            }
            for info in files
        ],
    }


def _moment(stamp: int) -> str | None:
    moment = to_datetime(stamp)
    return moment.isoformat(" ") if moment else None


def file_lines(file: DiskFile, as_hex: bool = False) -> list[str]:
    """`file` as lines: DISPLAY records as text, INTERNAL ones and PROGRAM as bytes."""
    display = file.type in (FileType.DIS_VAR, FileType.DIS_FIX)
    if display and not as_hex:
        return to_text(file.records).splitlines()
    if file.type is FileType.PROGRAM:
        return hex_lines(file.data)
    lines = []
    for number, record in enumerate(file.records):
        lines.append(f"record {number} ({len(record)} bytes)")
        lines += [f"  {line}" for line in hex_lines(record)]
    return lines


def hex_lines(data: bytes) -> list[str]:
    """A hex dump, 16 bytes a line: offset, hexadecimal, characters."""
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        characters = "".join(chr(code) if 32 <= code < 127 else "." for code in row)
        lines.append(f"{at:04X}  {row.hex(' '):<47}  {characters}")
    return lines


def file_data(file: DiskFile) -> dict[str, Any]:
    """`file` as plain data for JSON; records are strings where all read as text, else hex."""
    data: dict[str, Any] = {
        "name": file.name,
        "type": file.type.label,
        "recl": file.recl,
        "protected": file.protected,
    }
    if file.type is FileType.PROGRAM:
        data["data"] = file.data.hex()
    elif not file.type.internal and is_text(file.records):
        data["records"] = [record.decode("ascii") for record in file.records]
    else:
        data["records_hex"] = [record.hex() for record in file.records]
    return data
