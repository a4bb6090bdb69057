"""What short commands cost as multiples of importing click, and what the cache spares a build.

Processor time of processes of their own, in turn, the least of each. `TI99TOOLS_OLD=FOLDER` names
another checkout of ti99tools, and old/new is told too.

Run with `pytest -m bench -s tests/bench/test_bench_commands.py`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

TREE = Path(__file__).parents[2]
OLD = os.environ.get("TI99TOOLS_OLD", "")
ROUNDS = 7
CLICK = [sys.executable, "-c", "import click"]


def seconds(command: list[str], tree: str, cache: str = "") -> float:
    """The processor time of a command of a checkout, with a cache folder ("" is none)."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": tree, "TI99TOOLS_CACHE": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    return after.ru_utime - before.ru_utime


def tool(*words: str) -> list[str]:
    return [sys.executable, "-m", "ti99tools", *words]


def listing(lines: int) -> str:
    return "".join(f'{100 + n} PRINT "L{n}";A{n % 50}::A{n % 50}=B+{n}\n' for n in range(lines))


CASES = {
    "tokenize 2 lines": 3.0,
    "tokenize 400 lines": 6.0,
    "lint D5000": 16.0,
    "compile D5000": 100.0,
}
"""Command → how many times importing click it may cost."""


@pytest.mark.parametrize("name", CASES)
def test_a_command_keeps_within_its_multiple(name: str, tmp_path: Path) -> None:
    source = tmp_path / "a.bas"
    if name == "lint D5000":
        command = tool("lint", "xbasic/d5000/d5000.xb")
    elif name == "compile D5000":
        command = tool("compile", "d5000", "-o", str(tmp_path / "D5000_8.bin"))
    else:
        source.write_text(listing(int(name.split()[1])))
        command = tool("tokenize", str(source), "-o", str(tmp_path / "A"))
    click, new, old = [], [], []
    for _ in range(ROUNDS):
        click.append(seconds(CLICK, str(TREE)))
        new.append(seconds(command, str(TREE)))
        old += [seconds(command, OLD)] if OLD else []
    ratio = f", old/new {min(old) / min(new):.2f}" if old else ""
    print(f"\n{name}: {min(new):.3f} s, {min(new) / min(click):.1f} times importing click{ratio}")
    assert min(new) < CASES[name] * min(click)


def test_an_unchanged_build_is_a_third_of_one_from_nothing(tmp_path: Path) -> None:
    command = tool("build", "--out", str(tmp_path / "disks"))
    nothing, unchanged, old = [], [], []
    for number in range(ROUNDS):
        cache = str(tmp_path / f"cache{number}")
        nothing.append(seconds(command, str(TREE), cache))
        unchanged.append(seconds(command, str(TREE), cache))
        old += [seconds(command, OLD)] if OLD else []
    ratio = f", old/from nothing {min(old) / min(nothing):.2f}" if old else ""
    print(f"\nbuild: {min(nothing):.2f} s from nothing, {min(unchanged):.2f} s unchanged{ratio}")
    assert min(unchanged) < min(nothing) / 3
