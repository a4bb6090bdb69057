"""The Peripheral Access Block: how machine code tells a device what to do, byte for byte.

Source: TI's description of device service routines.
"""

from __future__ import annotations

from construct import Int8ub, Int16ub, Struct

PAB = Struct(
    "opcode" / Int8ub,  # 0
    "flags" / Int8ub,  # 1 low five bits; the three above get the error
    "buffer" / Int16ub,  # 2 address in video memory
    "record_length" / Int8ub,  # 4
    "count" / Int8ub,  # 5 bytes read, or to be written
    "record" / Int16ub,  # 6 its number; the bytes of LOAD and SAVE
    "state" / Int8ub,  # 8 STATUS answers here
    "name_length" / Int8ub,  # 9 the name follows
)
SIZE = PAB.sizeof()

FIELDS = {
    form.name: (sum(before.sizeof() for before in PAB.subcons[:at]), form)
    for at, form in enumerate(PAB.subcons)
}
"""Name → place in the block and form, to change fields of a block in place."""
