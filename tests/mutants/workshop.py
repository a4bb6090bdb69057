"""A copy of the sources in which faults are seeded and tests are run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.mutants.fault import ROOT

_LEFT_OUT = (".git", ".venv", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache")


class Workshop:
    """The copy, in a folder that is empty at first."""

    def __init__(self, folder: Path) -> None:
        self.notes = folder / "notes"
        self._sources = folder / "sources"
        shutil.copytree(ROOT, self._sources, ignore=shutil.ignore_patterns(*_LEFT_OUT))

    def text(self, file: str) -> str:
        """A file without a fault."""
        return (ROOT / file).read_text("utf-8")

    def pytest(
        self, arguments: Sequence[str], texts: Mapping[str, str], chosen: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run pytest in the copy while files there have other texts; `chosen`: see `probe`."""
        shutil.rmtree(self.notes, ignore_errors=True)
        self.notes.mkdir()
        if chosen:
            (self.notes / "chosen.json").write_text(chosen, "utf-8")
        for file, text in texts.items():
            (self._sources / file).write_text(text, "utf-8")
        try:
            return subprocess.run(
                [sys.executable, "-m", "pytest", "-p", "tests.mutants.probe", *_PLAIN, *arguments],
                cwd=self._sources,
                env={
                    **os.environ,
                    "PYTHONPATH": str(self._sources),
                    "MUTANTS": str(self.notes),
                    # A file that is changed twice in a second may keep its compiled form.
                    "PYTHONDONTWRITEBYTECODE": "1",
                },
                capture_output=True,
                text=True,
            )
        finally:
            for file in texts:
                shutil.copyfile(ROOT / file, self._sources / file)


_PLAIN = ("-p", "no:cacheprovider", "-p", "no:randomly", "--tb=no", "-q")
