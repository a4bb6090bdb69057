"""Tagged object code as CALL LOAD takes it, and anything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.machinecode.machinecode import MachineCode, ObjectLoader
from ti99tools.hardware.machine.machine import Machine


def loader() -> tuple[Machine, ObjectLoader]:
    machine = Machine()
    MachineCode(machine).initialize()
    return machine, ObjectLoader(machine.memory)


def test_relocatable_code_and_its_names() -> None:
    machine, load = loader()
    load.record(b"0000ADEMO    A0000B04E0C0002C0008A0008B045BF")
    load.record(b"50000GO    60008SECONDF")
    assert not load.ended
    load.record(b":       END")
    assert load.ended
    memory = machine.memory
    assert [memory.word(0x24F4 + n) for n in (0, 2, 4, 8)] == [0x04E0, 0x24F6, 0x24FC, 0x045B]
    assert memory.word(0x2002) == 0x24FE
    assert memory.word(0x2004) == 0x3FF0
    assert bytes(memory.peek(0x3FF8 + n) for n in range(8)) == b"GO    \x24\xf4"
    assert bytes(memory.peek(0x3FF0 + n) for n in range(8)) == b"SECOND\x00\x08"


@pytest.mark.parametrize(
    ("record", "code", "why"),
    [
        (b"30000NAME  F", xb.UNRECOGNIZED_CHARACTER, "has a REF, which CALL LOAD does not take"),
        (b"40000NAME  F", xb.UNRECOGNIZED_CHARACTER, "EQU the address"),
        (b"B12G4F", xb.UNRECOGNIZED_CHARACTER, "has no object code"),
        (b"B12", xb.UNRECOGNIZED_CHARACTER, "has no object code"),
        (b"HELLO", xb.UNRECOGNIZED_CHARACTER, "has no object code"),
        (b"B12347FFFFF", xb.DATA_ERROR, "has another checksum"),
        (b"01B0DTOOLONG F", xb.MEMORY_FULL, "low memory has no room for it"),
        (b"\x01compressed", xb.UNRECOGNIZED_CHARACTER, "assemble it uncompressed"),
    ],
)
def test_refused(record: bytes, code: int, why: str) -> None:
    _, load = loader()
    load.record(b"B045BF")
    with pytest.raises(XBError) as failed:
        load.record(record)
    assert failed.value.code == code
    assert failed.value.detail.startswith("record 2 of the file ")
    assert why in failed.value.detail


@pytest.mark.parametrize(("length", "fits"), [(b"1B02", True), (b"1B04", False)])
def test_code_and_names_may_not_meet(length: bytes, fits: bool) -> None:
    _, load = loader()
    load.record(b"0" + length + b"LONG    F")
    if fits:
        load.record(b"50000GO    F")
        return
    with pytest.raises(XBError) as failed:
        load.record(b"50000GO    F")
    assert failed.value.code == xb.MEMORY_FULL


@given(st.lists(st.binary(max_size=80) | st.text("0123456789ABCDEF:", max_size=80), max_size=30))
def test_any_records_end_in_a_known_way(records: list[bytes | str]) -> None:
    _, load = loader()
    for record in records:
        try:
            load.record(record.encode() if isinstance(record, str) else record)
        except XBError as error:
            assert error.code in xb.TEXTS
            return
