"""The seed of slow tests: another one for each commit, so that no two prove the same again.

`pytest -m slow --seed N` plays those of another commit again, and `.ci/run --seed N`.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

DIGITS = 7
"""Digits of the commit's name that make the seed: up to 268 million."""


def seed_of_commit() -> int:
    """The first digits of the commit that is checked out; 0 where git knows none."""
    command = ["git", "rev-parse", f"--short={DIGITS}", "HEAD"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int(done.stdout.strip()[:DIGITS], 16)
