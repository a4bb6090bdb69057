"""What whole commands cost, start-up included, as multiples of starting Python and nothing else.

Each command runs as a process of its own, in turn with `python -c pass`; the best time of each
counts. Run with `pytest -m bench -s tests/bench`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

ROUNDS = 7
SCRIPT = Path(sys.executable).with_name("ti99tools")


def seconds(command: list[str], folder: Path) -> float:
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    taken = time.perf_counter() - start
    assert done.returncode == 0, done.stderr
    return taken


def ratio(command: list[str], folder: Path) -> float:
    bare = [sys.executable, "-c", "pass"]
    times = [(seconds(bare, folder), seconds(command, folder)) for _ in range(ROUNDS)]
    return min(t for _, t in times) / min(t for t, _ in times)


def listing(lines: int) -> str:
    body = (
        'PRINT "LINE";I;A$ :: A=A+1',
        "IF A>10 THEN 100 ELSE 110",
        "B=B+SIN(I)*2.5",
        "CALL HCHAR(1,2,42)",
        "DATA 1,TWO,THREE",
    )
    return "".join(f"{100 + 10 * n} {body[n % len(body)]}\n" for n in range(lines))


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
    "tokenize 1000 lines": (["tokenize", "program.bas", "-o", "PROGRAM"], 60),
    "new DSDD disk with 20 files": (
        ["disk", "new", "x.dsk", "--geometry", "DSDD", "--replace"]
        + [f"FILE{n}.txt" for n in range(20)],
        60,
    ),
    "DSK to HFE": (["disk", "convert", "one.dsk", "two.hfe", "--replace"], 60),
    "HFE to DSK": (["disk", "convert", "one.hfe", "two.dsk", "--replace"], 60),
}


@pytest.mark.parametrize("name", CASES)
def test_a_command_keeps_within_its_multiple_of_starting_python(name: str, folder: Path) -> None:
    words, limit = CASES[name]
    factor = ratio([str(SCRIPT), *words], folder)
    print(f"\n{name}: {factor:.1f} times `python -c pass`")
    assert factor < limit
