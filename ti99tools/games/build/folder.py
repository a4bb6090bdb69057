"""The folder of built disks and its CATALOG: written, or compared with the sources.

CATALOG has one line for each file, `SHA-256  bytes  name  title version`, sorted by name, so that
anyone can check a copy with `sha256sum`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ti99tools.base.errors import BuildError, Remedy
from ti99tools.base.hostio import write_atomically
from ti99tools.games.build.artefacts import Artefact, Bundle

CATALOG = "CATALOG"
SUFFIXES = (".dsk", ".hfe", ".tfi")
"""Files of these kinds in the folder must come from the sources."""

_LINE = re.compile(r"[0-9a-f]{64}  +\d+  (\S+)  ")


def catalog_line(artefact: Artefact, title: str) -> str:
    """One line of CATALOG."""
    digest = hashlib.sha256(artefact.data).hexdigest()
    return f"{digest}  {len(artefact.data):>7}  {artefact.name}  {title}"


def _lines(bundles: Iterable[Bundle]) -> dict[str, str]:
    return {
        artefact.name: catalog_line(artefact, bundle.label)
        for bundle in bundles
        for artefact in bundle.artefacts
    }


def _catalogued(folder: Path) -> dict[str, str]:
    """The lines of an existing CATALOG by name of file."""
    try:
        text = (folder / CATALOG).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    matches = ((line, _LINE.match(line)) for line in text.splitlines())
    return {match.group(1): line for line, match in matches if match is not None}


def _kept(folder: Path, built: Sequence[Bundle]) -> dict[str, str]:
    """Lines of an existing CATALOG for files other than those built."""
    names = {bundle.name for bundle in built}
    lines = _catalogued(folder)
    return {name: line for name, line in lines.items() if _bundle_of(name) not in names}


def _bundle_of(name: str) -> str:
    return re.split(r"[-.]", name, maxsplit=1)[0]


def catalog_text(folder: Path, built: Sequence[Bundle], *, whole: bool) -> str:
    """The right text of CATALOG; with `whole` no line of the existing one is kept."""
    lines = ({} if whole else _kept(folder, built)) | _lines(built)
    return "".join(lines[name] + "\n" for name in sorted(lines))


def write_folder(folder: Path, built: Sequence[Bundle], *, whole: bool) -> list[Path]:
    """Write everything built, each file completely or not at all; returns the paths written.

    With `whole` everything was built, so files that nothing produces any more are removed. Raises
    BuildError when the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(
            f"cannot make {folder}: {error.strerror}", remedy=Remedy.OTHER_FOLDER
        ) from None
    old = strangers(folder, built, whole=True) if whole else []
    written = []
    for bundle in built:
        for artefact in bundle.artefacts:
            write_atomically(folder / artefact.name, artefact.data)
            written.append(folder / artefact.name)
    write_atomically(folder / CATALOG, catalog_text(folder, built, whole=whole))
    for path in old:
        path.unlink()
    return [*written, folder / CATALOG]


def strangers(folder: Path, built: Sequence[Bundle], *, whole: bool) -> list[Path]:
    """Files of an older build: named like those built, or with `whole` listed in CATALOG."""
    made = {artefact.name for bundle in built for artefact in bundle.artefacts}
    names = {bundle.name for bundle in built}
    listed = _catalogued(folder) if whole else {}
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in SUFFIXES
        and path.name not in made
        and (_bundle_of(path.name) in names or path.name in listed)
    )


def differences(folder: Path, built: Sequence[Bundle], *, whole: bool) -> list[str]:
    """How the folder differs from what the sources build, one line each; empty when it does not."""
    found = []
    for bundle in built:
        for artefact in bundle.artefacts:
            path = folder / artefact.name
            if not path.is_file():
                found.append(f"{artefact.name} is missing")
            elif path.read_bytes() != artefact.data:
                found.append(f"{artefact.name} is not what the sources build")
    if folder.is_dir():
        found += [
            f"{path.name} is built by no source" for path in strangers(folder, built, whole=whole)
        ]
    path = folder / CATALOG
    wanted = catalog_text(folder, built, whole=whole)
    if not path.is_file():
        found.append(f"{CATALOG} is missing")
    elif path.read_bytes() != wanted.encode():
        found.append(f"{CATALOG} does not match")
    return found
