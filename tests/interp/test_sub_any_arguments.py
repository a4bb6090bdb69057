"""Whatever the arguments, a built-in subprogram works or raises an error of Extended BASIC."""

from hypothesis import given, settings
from hypothesis import strategies as s

from tests.interp.subcalls import EVERY, Console, Sprite, Var
from ti99tools.computer.interp.subprograms import SUBPROGRAMS

NUMBERS = s.sampled_from(
    [*range(-9, 33), 65, 128, 143, 144, 192, 256, 440, 4250, 32767, 32768, -32769, 10**13]
) | s.sampled_from([0.5, -0.4, 1.5, 109.5, 44733.49, 1e20, -1e30, 1e-30])
ARGUMENTS = (
    NUMBERS
    | s.builds(Sprite, NUMBERS)
    | s.sampled_from(["", "FF", "0g", "DSK1.X", "A" * 255, EVERY])
    | s.builds(lambda: Var("X"))
    | s.builds(lambda: Var("X$", ""))
)
CALLS = s.tuples(s.sampled_from(sorted(set(SUBPROGRAMS) - {"ERR"})), s.lists(ARGUMENTS, max_size=7))


@settings(max_examples=100, deadline=None)
@given(s.lists(CALLS, max_size=20))
def test_calls(calls: list[tuple[str, list[object]]]) -> None:
    console = Console()
    for name, arguments in calls:
        console.call(name, *arguments)
        console.machine.clock.advance(100_000)
    console.machine.sync()
    assert (len(console.machine.vdp.ram), len(console.machine.vdp.registers)) == (0x4000, 8)
    assert set(console.machine.vdp.registers[2:7]) == {0, 6, 32}
