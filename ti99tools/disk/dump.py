"""A file's content for people: text, or bytes with their places."""

from __future__ import annotations

from typing import Any

from ti99tools.disk.text import is_text, to_text
from ti99tools.disk.tifile import DiskFile, FileType


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
    """16 bytes a line: offset, hexadecimal, characters."""
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        shown = "".join(chr(code) if 32 <= code < 127 else "." for code in row)
        lines.append(f"{at:04X}  {row.hex(' '):<47}  {shown}")
    return lines


def file_data(file: DiskFile) -> dict[str, Any]:
    """`file` as plain data for JSON; records are text where they all read as text, else hex."""
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
