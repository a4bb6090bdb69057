"""What whole commands cost, start-up included, as multiples of starting Python and nothing else.

Each command runs as a process of its own, in turn with `python -c pass`; the least processor time
of each counts. Modules are compiled beforehand, as in an installed package.

Run with `pytest -m bench -s tests/bench`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

ROUNDS = 15
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
SCRIPT = Path(sys.executable).with_name("ti99tools")


def seconds(command: list[str], folder: Path) -> float:
    """The processor time of a command that must do well."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ratio(command: list[str], folder: Path) -> float:
    bare = [sys.executable, "-c", "pass"]
    times = [(seconds(bare, folder), seconds(command, folder)) for _ in range(ROUNDS)]
    return min(t for _, t in times) / min(t for t, _ in times)


def listing(lines: int) -> str:
    """A program of which no line is like another one."""

    def body(n: int) -> str:
        return (
            f'PRINT "L {n}";I :: A=A+{n}',
            f"IF A>{n} THEN 100 ELSE 110",
            f"B{n % 90}=B+I*2.{n}",
            f"CALL HCHAR(1,2,{33 + n % 60})",
            f"DATA 1,TWO,{n}",
        )[n % 5]

    return "".join(f"{100 + 10 * n} {body(n)}\n" for n in range(lines))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "program.bas").write_text(listing(1000))
    for n in range(20):
        (tmp_path / f"FILE{n}.txt").write_text("A LINE OF TEXT\n" * 50)
    subprocess.run([SCRIPT, "disk", "new", "one.dsk", "FILE1.txt"], cwd=tmp_path, check=True)
    subprocess.run([SCRIPT, "disk", "convert", "one.dsk", "one.hfe"], cwd=tmp_path, check=True)
    return tmp_path


CASES = {
    "--version": (["--version"], 2.0),
    "tokenize 1000 lines": (["tokenize", "program.bas", "-o", "PROGRAM"], 24),
    "new DSDD disk with 20 files": (
        ["disk", "new", "x.dsk", "--geometry", "DSDD", "--replace"]
        + [f"FILE{n}.txt" for n in range(20)],
        14,
    ),
    "DSK to HFE": (["disk", "convert", "one.dsk", "two.hfe", "--replace"], 20),
    "HFE to DSK": (["disk", "convert", "one.hfe", "two.dsk", "--replace"], 20),
}


@pytest.mark.parametrize("name", CASES)
def test_a_command_keeps_within_its_multiple_of_starting_python(name: str, folder: Path) -> None:
    words, limit = CASES[name]
    factor = ratio([str(SCRIPT), *words], folder)
    print(f"\n{name}: {factor:.1f} times `python -c pass`")
    assert factor < limit
