"""Standard patterns and what a reset brings back, against the recorded cases."""

import json
from pathlib import Path

from ti99tools.hardware.machine.machine import Machine
from ti99tools.hardware.machine.vdp import (
    pattern_address,
    restore_capitals,
    restore_patterns,
    standard_pattern,
)

CASES = Path(__file__).parents[1] / "conformance" / "screen-chars.jsonl"


def recorded(case: str) -> dict[str, object]:
    for line in CASES.read_text().splitlines():
        data = json.loads(line)
        if data["id"] == case:
            found: dict[str, object] = data["expect"]["final"]
            return found
    raise LookupError(case)


def test_power_on() -> None:
    expected = recorded("chars-initial-patterns")
    vdp = Machine().vdp
    patterns = expected["patterns"]
    assert isinstance(patterns, dict)
    assert vdp.patterns.hex() == "".join(patterns[str(code)] for code in range(30, 160))
    assert vdp.colors.hex() == expected["colors"]
    assert list(vdp.registers) == expected["vregs"]


def test_what_comes_back() -> None:
    vdp = Machine().vdp
    for code in range(32, 144):
        at = pattern_address(code)
        vdp.ram[at : at + 8] = b"\xff" * 8

    def standard(codes: range) -> bool:
        return all(vdp.ram[pattern_address(code) :][:8] == standard_pattern(code) for code in codes)

    restore_capitals(vdp)
    assert standard(range(32, 96))
    assert not any(standard(range(c, c + 1)) for c in range(96, 144))
    restore_patterns(vdp)
    assert standard(range(32, 127))
    assert not any(standard(range(c, c + 1)) for c in range(127, 144))


def test_reset_graphics_keeps_the_text() -> None:
    machine = Machine()
    machine.screen.put(3, 4, 65)
    machine.vdp.registers[7] = 3
    machine.sprites.set_velocity(0, 1, 1)
    machine.sprites.magnify(4)
    machine.reset_graphics()
    assert list(machine.vdp.registers) == [0, 0xE0, 0, 0x20, 0, 6, 0, 7]
    assert machine.sprites.moving == 0
    assert machine.screen.get(3, 4) == 65
