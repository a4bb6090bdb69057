"""The studio as a static folder for a web server, written file by file.

The folder has our package and construct, which it needs, as one archive: only what the page needs
of our package, and construct's files as they were installed, so that the page asks no package index
for them. Their code is compiled for the page's Python, and the shipped games are built. The same
sources give the same archive.

Also in the folder are a page that describes the dialect, made from `docs/dialect.md`, and the
page's JavaScript: npm fetches the modules that it needs, esbuild bundles them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import ti99tools
from ti99tools import __version__
from ti99tools.app.manual import docs_file
from ti99tools.base.cache import from_cache
from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import write_together
from ti99tools.base.inputs import digest
from ti99tools.base.packed import zipped
from ti99tools.compiler.runtimefiles import joined
from ti99tools.games.making.finding import games_root
from ti99tools.language.listing.listing import word_lists

LEFT_OUT = tuple(
    """
    fronts/cli fronts/web/page fronts/web/site fronts/pytest_plugin.py _xbasic
    games/conformance games/hosts/mame games/hosts/ti99sim games/hosts/driver.py
    games/hosts/emulator.py games/hosts/emulator_session.py games/hosts/dialogue.py
    games/hosts/roms.py games/hosts/check.py games/making/template app/build.py app/certify.py
    app/collection.py app/compiled_disk.py app/conformance.py app/lint.py app/machine_code.py
    app/manual_page.py app/package.py app/profile.py app/program_files.py app/run_output.py
    app/savings.py app/shipped.py app/tape.py app/terminal_picture.py fronts/play fronts/debug
    """.split()
)
"""Parts of the package that are of no use in a page."""
ENDINGS = (".py", ".xb", ".bas", ".txt", ".css", ".a99")
"""Extensions of the package's files that are packed; of the games, all files are."""
NEEDED = "construct"
"""The only distribution that the page requires; click, rich and Pillow are for other fronts."""
RUNTIMES = ("ti99tools/compiler/runtime/", "ti99tools/compiler/subs/runtime/")
"""Folders with many small files, each of which becomes one."""
GAMES = "ti99tools/_xbasic"
"""Where installed packages have the games."""


def packed() -> bytes:
    """The archive of package and construct, to be unpacked where Python looks for packages."""
    contents = {name: path.read_bytes() for name, path in sorted(_files())}
    for folder in RUNTIMES:
        own = [name for name in contents if name.startswith(folder)]
        texts = {name.removeprefix(folder): contents.pop(name).decode("ascii") for name in own}
        contents[folder + "all.a99"] = joined(texts).encode("ascii")
    return zipped(dict(sorted(contents.items())))


def _files() -> Iterator[tuple[str, Path]]:
    package = Path(ti99tools.__file__).parent
    for path in package.rglob("*"):
        name = path.relative_to(package).as_posix()
        left_out = any(name == each or name.startswith(f"{each}/") for each in LEFT_OUT)
        if not left_out and path.suffix in ENDINGS and _is_source(path):
            yield f"ti99tools/{name}", path
    needed = distribution(NEEDED)
    for file in needed.files or ():
        path = Path(str(needed.locate_file(file)))
        # The licence of a distribution must come with its code.
        if (path.suffix == ".py" or path.stem == "LICENSE") and _is_source(path):
            yield file.as_posix(), path
    games = games_root()
    for path in games.rglob("*"):
        if _is_source(path):
            yield f"{GAMES}/{path.relative_to(games).as_posix()}", path


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts


SOURCE = "dialect.md"
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>The dialect</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<style>body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}
pre{overflow:auto;padding:.7rem;border:1px solid #8888;border-radius:6px}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}</style></head><body><main>
"""
_TICKS = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def dialect_page() -> bytes:
    """The page about the dialect, with the headings, paragraphs and examples of the text."""
    text = docs_file(SOURCE).read_text(encoding="utf-8")
    return (_HEAD + "\n".join(_blocks(text)) + "\n</main></body></html>\n").encode()


def _blocks(text: str) -> Iterator[str]:
    # Every second part of the split is the text of a fenced block.
    for number, part in enumerate(re.split(r"^```\w*\n(.*?)^```$", text, flags=re.M | re.S)):
        if number % 2:
            yield f'<pre tabindex="0">{escape(part)}</pre>'
            continue
        for block in re.split(r"\n\s*\n|\n(?=[#-] ?)|(?<=\n)(?=#)", part):
            if block.strip():
                yield _block(block.strip())


def _block(block: str) -> str:
    head, _, rest = block.partition("\n")
    level = len(head) - len(head.lstrip("#"))
    if level:
        title = f"<h{level}>{_inline(head[level:].strip())}</h{level}>"
        return title + (_block(rest.strip()) if rest.strip() else "")
    if block.startswith("|"):
        return f'<pre tabindex="0">{escape(block)}</pre>'
    return f"<p>{_inline(block)}</p>"


def _inline(text: str) -> str:
    return _TICKS.sub(r"<code>\1</code>", escape(_LINK.sub(r"\1", text), quote=False))


PAGE = Path(__file__).parents[1] / "page"
"""The folder of the page's sources."""
ENTRIES = ("main", "worker", "voices")
"""Modules of the page that become bundles."""
_LOCK, _PACKAGE = "package-lock.json", "package.json"
_ASKED = (_PACKAGE, _LOCK, ".npmrc")
"""The files that determine what npm fetches."""


def modules(given: Path | None = None) -> Path:
    """The folder `node_modules`: the given one, or one that npm fills, now or in an earlier call.

    Raises TIError when npm is missing or fails.
    """
    if given is not None:
        missing = [name for name in ("esbuild", "pyodide") if not (given / name).is_dir()]
        if missing:
            problem = f"{given}: {' and '.join(missing)} not in it"
            raise TIError(problem, remedy=f"fill it with `npm ci` by {PAGE / _PACKAGE}")
        return given
    # The folder's name is a digest of the lock file: other versions get their own folder.
    folder = _cache() / hashlib.sha256((PAGE / _LOCK).read_bytes()).hexdigest()[:16]
    if not (folder / "node_modules").is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Filled elsewhere and then moved, so that it is never there half filled.
        with TemporaryDirectory(dir=folder.parent) as place:
            place_for_new = Path(place) / "made"
            place_for_new.mkdir()
            for name in _ASKED:
                shutil.copy(PAGE / name, place_for_new)
            npm(["ci"], place_for_new)
            with suppress(OSError):  # another process was faster
                place_for_new.rename(folder)
    return folder / "node_modules"


def _cache() -> Path:
    """The folder that keeps modules between builds."""
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
        lines = (done.stderr or done.stdout).strip().splitlines()
        # npm prints a lot; the lines with "error" in them say why it failed.
        errors = [line for line in lines if "error" in line.lower()] or lines
        problem = f"npm {arguments[0]} failed: {' '.join(errors[:3]) or done.returncode}"
        raise TIError(problem, remedy=Remedy.NPM_OFFLINE)


def _node() -> str:
    """The path of node. Raises TIError."""
    node = shutil.which("node")
    if node is None:
        raise TIError("node is not installed", remedy=Remedy.INSTALL_NPM)
    return node


def bundle(node_modules: Path, generated: Mapping[str, str], out: Path) -> None:
    """Make the bundles in `out`; `generated`: name → text of generated modules of the page.

    Raises TIError.
    """
    node = _node()
    with TemporaryDirectory() as folder:
        source = Path(folder, "src")
        shutil.copytree(PAGE / "src", source)
        for name, text in generated.items():
            (source / name).write_text(text, encoding="utf-8")
        command = [node, str(PAGE / "bundle.mjs"), str(source), str(out), *ENTRIES]
        environment = {**os.environ, "NODE_PATH": str(node_modules.resolve())}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise TIError(f"esbuild failed: {done.stderr.strip()}")


PREPARE = "prepare.mjs"


def prepared(archive: bytes, pyodide: Path) -> dict[str, bytes]:
    """The archive of `packed` and Python's library, compiled by the page's Python, and an image.

    The shipped games are built too, so that the page has nothing to compile or build. The image is
    a snapshot of the memory of Python after its start. Raises TIError.
    """
    sources = (PAGE / PREPARE, PAGE / "src" / "python.js", PAGE / _LOCK)
    about = [digest(each) for each in (archive, *map(Path.read_bytes, sources))]
    archives = from_cache("page", about, lambda: _prepare(archive, pyodide), bytes, bytes)
    with ZipFile(BytesIO(archives)) as both:
        return {name: both.read(name) for name in (ARCHIVE, LIBRARY, IMAGE)}


def _prepare(archive: bytes, pyodide: Path) -> bytes:
    """Run prepare.mjs; returns the files of `prepared` in one archive."""
    data = BytesIO()
    with TemporaryDirectory() as folder:
        given = Path(folder, "given.zip")
        given.write_bytes(archive)
        command = [_node(), str(PAGE / PREPARE), str(pyodide.resolve()), str(given), folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            lines = done.stderr.strip().splitlines() or [f"{PREPARE} failed"]
            raise TIError(f"the package cannot be prepared for the page: {lines[-1]}")
        with ZipFile(data, "w") as both:
            for name in (ARCHIVE, LIBRARY, IMAGE):
                both.write(Path(folder, name), name)
    return data.getvalue()


ARCHIVE = "ti99tools.zip"
LIBRARY = "python_stdlib.zip"
IMAGE = "memory.packed"
"""The snapshot of Python's memory after its start, and the files that it reads later."""
DIALECT = "dialect.html"
PICTURES = "pictures"
"""The folder of animated pictures of the games; `docs/pictures.py` makes them."""
PYTHON = ("pyodide.mjs", "pyodide.asm.mjs")
"""Files of Pyodide taken from its npm package as they are; its library is compiled first."""
WASM = "pyodide.asm.wasm"
PACKED = ".packed"
"""The extension of gzip files; some servers declare `.gz` files such that browsers unpack them."""
LOCK = "pyodide-lock.json"
"""The list of further packages. None is used, so only its head is kept."""
AS_THEY_ARE = ("studio.css", "shop.css", "icon.svg", "manifest.webmanifest")


@dataclass(frozen=True)
class Site:
    """The files written: names and sizes in bytes, and the version by which browsers cache them."""

    folder: Path
    sizes: dict[str, int]
    version: str

    @property
    def total(self) -> int:
        """Bytes that a first visit loads, as stored on disk."""
        return sum(self.sizes.values())


def make_site(out: Path, given: Path | None = None) -> Site:
    """Write the studio into a folder, which is created if missing; other files there stay.

    `given` is a folder `node_modules`; without it npm fills one the first time. Raises TIError.
    """
    files = parts_of(given)
    version = _version(files)
    files["index.html"] = _filled("index.html", VERSION=version, NUMBER=__version__)
    names = json.dumps(["./", *sorted(files)])
    files["sw.js"] = _filled("sw.js", VERSION=version, FILES=names)
    parts: dict[Path, bytes | str] = {out / name: data for name, data in files.items()}
    write_together(parts, dict.fromkeys([out, *(path.parent for path in parts)]))
    return Site(out, {name: len(data) for name, data in files.items()}, version)


def parts_of(given: Path | None) -> dict[str, bytes]:
    """Name → content of the studio's files, without those that contain its version."""
    node_modules = modules(given)
    files = _bundled(node_modules) | _python(node_modules / "pyodide")
    ours = prepared(packed(), node_modules / "pyodide")
    files[ARCHIVE] = ours[ARCHIVE]
    files |= {f"pyodide/{name}": ours[name] for name in (LIBRARY, IMAGE)}
    for name in AS_THEY_ARE:
        files[name] = (PAGE / name).read_bytes()
    for path in sorted((PAGE / PICTURES).iterdir()):
        files[f"{PICTURES}/{path.name}"] = path.read_bytes()
    files[DIALECT] = dialect_page()
    return files


def _bundled(node_modules: Path) -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        words = json.dumps(word_lists())
        bundle(node_modules, {"words.js": f"export default {words};\n"}, Path(folder))
        return {f"{name}.js": Path(folder, f"{name}.js").read_bytes() for name in ENTRIES}


def _python(folder: Path) -> dict[str, bytes]:
    files = {f"pyodide/{name}": (folder / name).read_bytes() for name in PYTHON}
    wasm = gzip.compress((folder / WASM).read_bytes(), mtime=0)
    files[f"pyodide/{WASM}{PACKED}"] = wasm
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    files[f"pyodide/{LOCK}"] = json.dumps({**lock, "packages": {}}).encode()
    return files


def _version(files: dict[str, bytes]) -> str:
    """A digest of exactly these contents and of the templates."""
    digest = hashlib.sha256()
    # The templates count too: they are filled in only after the version is known.
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
