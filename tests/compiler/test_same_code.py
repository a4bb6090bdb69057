"""What is linked of the runtime does what its files say, in any order and however shortened."""

import re
from random import Random

import pytest

from tests.compiler.samecode import differences
from tests.compiler.test_runtime_size import entries
from ti99tools.compiler.linking import RuntimeCode
from ti99tools.compiler.runtimefiles import needed, runtime_source, skipped_calls

ALWAYS = {"START", "DONE"}
_JUMP = re.compile(r"^\w*\s+J[A-Z]+\s+(\w+)")
_LABEL = re.compile(r"^\w+")


def hold(roots: set[str], short: bool) -> None:
    """Hold the code that some labels need against that of their files."""
    wanted = {*ALWAYS, *roots, *(("VMGO",) if short else ())}
    chosen = needed(wanted)
    code = RuntimeCode.of(chosen, wanted, short)
    linked = [*code.rows, *code.once, *code.ending]
    assert sorted(wanted) == sorted(
        wanted & {found[0] for row in linked if (found := _LABEL.match(row))}
    )
    assert [*differences(runtime_source(chosen).splitlines(), linked, skipped_calls())] == []
    for part in (code.rows, code.once, code.ending):
        labels = {found[0] for row in part if (found := _LABEL.match(row))}
        aims = {found[1] for row in part if (found := _JUMP.match(row))}
        assert aims <= labels, "no jump leads out of what may be elsewhere"


def test_each_entry_alone() -> None:
    for entry in entries():
        hold({entry}, True)


@pytest.mark.parametrize("short", [False, True])
def test_entries_together(short: bool) -> None:
    every = [*entries()]
    hold({*every}, short)
    for seed in range(8):
        draw = Random(seed)
        hold({*draw.sample(every, draw.randint(2, 40))}, short)
