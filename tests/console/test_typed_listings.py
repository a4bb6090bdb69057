"""Idioms of other people's programs, typed in line by line: RUN shows what was recorded."""

import json
from pathlib import Path
from typing import Any

import pytest

from ti99tools import Console, DiskImage
from ti99tools.computer.console.keyscript import Press, Type
from ti99tools.computer.console.player import ScriptPlayer

FILE = Path(__file__).parents[1] / "conformance" / "foreign.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def plain_rows(rows: list[str]) -> list[str]:
    """What a screen shows, without margins, the cursor and empty rows above."""
    plain = [row.replace("\x1e", " ").replace("\x1f", " ").strip() for row in rows]
    while plain and not plain[0]:
        plain.pop(0)
    return plain


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_typed_in_and_run(case: dict[str, Any]) -> None:
    console = Console(disks={"DSK1": DiskImage.new()}, max_seconds=1000)
    console.boot()
    console.run_until(ready=True, seconds=10)
    for line in case["source"]:
        console.command(line)
    player = ScriptPlayer(console, 1000)
    player.do(Type("RUN\n"))
    console.resume(60)
    for step in case["script"]:
        if "type" in step:
            player.do(Type(step["type"]))
        elif "press" in step:
            player.do(Press(step["press"]))
        else:
            console.resume(60)
    console.wait(120)
    expected = plain_rows(case["expect"]["final"]["rows"])
    rows = plain_rows(list(console.screen.rows))
    assert rows[-len(expected) :] == expected
    if len(rows) > len(expected):
        assert rows[-len(expected) - 1] in ("", ">RUN")
