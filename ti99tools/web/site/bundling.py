"""npm and esbuild: the modules that the page needs, and one file of all of them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ti99tools.base.errors import TIError
from ti99tools.base.remedy import Remedy

PAGE = Path(__file__).parents[1] / "page"
"""The page's sources."""
ENTRIES = ("main", "worker", "voices")
"""Modules of which bundles are made."""
_LOCK, _PACKAGE = "package-lock.json", "package.json"
_ASKED = (_PACKAGE, _LOCK, ".npmrc")
"""What npm is told."""


def modules(given: Path | None = None) -> Path:
    """The folder `node_modules`: the one given, or one that npm has filled, now or before.

    Raises TIError when npm is missing or fails.
    """
    if given is not None:
        missing = [name for name in ("esbuild", "pyodide") if not (given / name).is_dir()]
        if missing:
            problem = f"{given}: {' and '.join(missing)} not in it"
            raise TIError(problem, remedy=f"fill it with `npm ci` by {PAGE / _PACKAGE}")
        return given
    folder = _cache() / hashlib.sha256((PAGE / _LOCK).read_bytes()).hexdigest()[:16]
    if not (folder / "node_modules").is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as place:
            made = Path(place) / "made"
            made.mkdir()
            for name in _ASKED:
                shutil.copy(PAGE / name, made)
            npm(["ci"], made)
            with suppress(OSError):  # another process was quicker
                made.rename(folder)
    return folder / "node_modules"


def _cache() -> Path:
    """Where modules are kept between builds."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "ti99tools" / "web"


def npm(arguments: Sequence[str], folder: Path) -> None:
    """Run npm in a folder. Raises TIError."""
    program = shutil.which("npm")
    if program is None:
        raise TIError("npm is not installed", remedy=Remedy.INSTALL_NPM)
    done = subprocess.run(
        [program, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        errors = [line for line in said if "error" in line.lower()] or said
        problem = f"npm {arguments[0]} failed: {' '.join(errors[:3]) or done.returncode}"
        raise TIError(problem, remedy=Remedy.NPM_OFFLINE)


def bundle(node_modules: Path, made: Mapping[str, str], out: Path) -> None:
    """Make the bundles in `out`; `made` are modules of the page that are made, not written.

    Raises TIError.
    """
    node = shutil.which("node")
    if node is None:
        raise TIError("node is not installed", remedy=Remedy.INSTALL_NPM)
    with TemporaryDirectory() as folder:
        source = Path(folder, "src")
        shutil.copytree(PAGE / "src", source)
        for name, text in made.items():
            (source / name).write_text(text, encoding="utf-8")
        command = [node, str(PAGE / "bundle.mjs"), str(source), str(out), *ENTRIES]
        environment = {**os.environ, "NODE_PATH": str(node_modules.resolve())}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise TIError(f"esbuild failed: {done.stderr.strip()}")
