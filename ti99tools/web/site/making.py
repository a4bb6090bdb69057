"""The folder that a web server hands out: written whole, file by file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ti99tools import __version__
from ti99tools.base.hostio import write_atomically
from ti99tools.source.words import word_lists
from ti99tools.web.site.bundling import ENTRIES, PAGE, bundle, modules
from ti99tools.web.site.packing import packed

ARCHIVE = "ti99tools.zip"
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""Python for browsers, as its npm package has it."""
LOCK = "pyodide-lock.json"
"""The list of further packages, of which none is used: only its head is kept."""
AS_THEY_ARE = ("studio.css", "icon.svg", "manifest.webmanifest")


@dataclass(frozen=True)
class Site:
    """What was written: names and sizes in bytes, and the version that browsers keep."""

    folder: Path
    sizes: dict[str, int]
    version: str

    @property
    def total(self) -> int:
        """Bytes of a first visit, as they are on disk."""
        return sum(self.sizes.values())


def make_site(out: Path, given: Path | None = None) -> Site:
    """Write the studio into a folder, which is made if need be; other files there stay.

    `given` is a folder `node_modules`; without it npm fills one at the first time. Raises TIError.
    """
    node_modules = modules(given)
    files = _bundled(node_modules) | _python(node_modules / "pyodide")
    files[ARCHIVE] = packed()
    for name in AS_THEY_ARE:
        files[name] = (PAGE / name).read_bytes()
    version = _version(files)
    files["index.html"] = _filled("index.html", VERSION=version, NUMBER=__version__)
    names = json.dumps(["./", *sorted(files)])
    files["sw.js"] = _filled("sw.js", VERSION=version, FILES=names)
    for name, data in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    return Site(out, {name: len(data) for name, data in files.items()}, version)


def _bundled(node_modules: Path) -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        words = json.dumps(word_lists())
        bundle(node_modules, {"words.js": f"export default {words};\n"}, Path(folder))
        return {f"{name}.js": Path(folder, f"{name}.js").read_bytes() for name in ENTRIES}


def _python(folder: Path) -> dict[str, bytes]:
    files = {f"pyodide/{name}": (folder / name).read_bytes() for name in PYTHON}
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    files[f"pyodide/{LOCK}"] = json.dumps({**lock, "packages": {}}).encode()
    return files


def _version(files: dict[str, bytes]) -> str:
    """A name of exactly these contents, those of the templates included."""
    digest = hashlib.sha256()
    for name in ("index.html", "sw.js"):
        digest.update((PAGE / name).read_bytes())
    for name, data in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(data).digest())
    return digest.hexdigest()[:12]


def _filled(name: str, **fields: str) -> bytes:
    """A template with `@NAME@` filled in."""
    text = (PAGE / name).read_text(encoding="utf-8")
    for field, value in fields.items():
        text = text.replace(f"@{field}@", value)
    return text.encode()
