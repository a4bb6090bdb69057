"""Time stamps of files: 32 bits, time word then date word.

Time: hour << 11 | minute << 5 | second / 2; date: year of the century << 9 | month << 5 | day.
The TI controller writes zeros; cards with a clock fill them in. Years 70–99 are 19xx.
"""

from __future__ import annotations

from datetime import datetime

from ti99tools.base.errors import DiskError


def to_datetime(stamp: int) -> datetime | None:
    """The moment of a stamp, None when it is zero or nonsense. Seconds are even."""
    time, date = stamp >> 16 & 0xFFFF, stamp & 0xFFFF
    year = date >> 9
    try:
        return datetime(
            year + (1900 if year >= 70 else 2000),
            date >> 5 & 15,
            date & 31,
            time >> 11,
            time >> 5 & 63,
            2 * (time & 31),
        )
    except ValueError:
        return None


def from_datetime(moment: datetime) -> int:
    """The stamp of `moment`, 1970 to 2069. Raises `DiskError` outside."""
    if not 1970 <= moment.year <= 2069:
        raise DiskError(f"a stamp cannot hold the year {moment.year}", remedy="use 1970 to 2069")
    time = moment.hour << 11 | moment.minute << 5 | moment.second // 2
    return time << 16 | (moment.year % 100) << 9 | moment.month << 5 | moment.day
