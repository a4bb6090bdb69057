"""Time stamps of files: 32 bits, time word then date word.

Time: hour << 11 | minute << 5 | second / 2; date: year of the century << 9 | month << 5 | day.
The TI controller writes zeros; cards with a clock fill them in. Years 70–99 are 19xx.
"""

from __future__ import annotations

from datetime import datetime


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
            # Old writers left any bytes there.
            time >> 5 & 63,
            2 * (time & 31),
        )
    except ValueError:
        return None
