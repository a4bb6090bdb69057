"""The folder of built disks and its CATALOG: write it, or tell how it differs from the sources.

CATALOG has a line a file, `SHA-256  bytes  name  title version`, sorted by name, so that anyone
can check a copy with `sha256sum`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ti99tools.base.errors import BuildError
from ti99tools.base.files import write_atomically
from ti99tools.build.artefacts import Artefact, Built

CATALOG = "CATALOG"
SUFFIXES = (".dsk", ".hfe", ".tfi")
"""Files of these kinds in the folder must come from the sources."""

_LINE = re.compile(r"[0-9a-f]{64}  +\d+  (\S+)  ")


def catalog_line(artefact: Artefact, title: str) -> str:
    """One line of CATALOG."""
    digest = hashlib.sha256(artefact.data).hexdigest()
    return f"{digest}  {len(artefact.data):>7}  {artefact.name}  {title}"


def _lines(games: Iterable[Built]) -> dict[str, str]:
    return {
        artefact.name: catalog_line(artefact, f"{game.manifest.title} {game.manifest.version}")
        for game in games
        for artefact in game.artefacts
    }


def _kept(folder: Path, built: Sequence[Built]) -> dict[str, str]:
    """Lines of an existing CATALOG that belong to other games than those built."""
    try:
        text = (folder / CATALOG).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return {}
    games = {game.manifest.game for game in built}
    kept = {}
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is not None and _game_of(match.group(1)) not in games:
            kept[match.group(1)] = line
    return kept


def _game_of(name: str) -> str:
    return re.split(r"[-.]", name, maxsplit=1)[0]


def catalog_text(folder: Path, built: Sequence[Built], *, whole: bool) -> str:
    """CATALOG as it should be; with `whole` no other games are kept from the one there."""
    lines = ({} if whole else _kept(folder, built)) | _lines(built)
    return "".join(lines[name] + "\n" for name in sorted(lines))


def write_folder(folder: Path, built: Sequence[Built], *, whole: bool) -> list[Path]:
    """Write everything built, each file whole or not at all; the paths written.

    With `whole` all games were built: files that no game makes any more are removed.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(
            f"cannot make {folder}: {error.strerror}", remedy="choose another --out"
        ) from None
    written = []
    for game in built:
        for artefact in game.artefacts:
            write_atomically(folder / artefact.name, artefact.data)
            written.append(folder / artefact.name)
    write_atomically(folder / CATALOG, catalog_text(folder, built, whole=whole))
    for path in strangers(folder, built) if whole else []:
        path.unlink()
    return [*written, folder / CATALOG]


def strangers(folder: Path, built: Sequence[Built]) -> list[Path]:
    """Files listed in no game's artefacts though they look like them and name a game built."""
    names = {artefact.name for game in built for artefact in game.artefacts}
    games = {game.manifest.game for game in built}
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix in SUFFIXES and path.name not in names and _game_of(path.name) in games
    )


def differences(folder: Path, built: Sequence[Built], *, whole: bool) -> list[str]:
    """How the folder differs from what the sources build, a line each; empty when it does not."""
    found = []
    for game in built:
        for artefact in game.artefacts:
            path = folder / artefact.name
            if not path.is_file():
                found.append(f"{artefact.name} is missing")
            elif path.read_bytes() != artefact.data:
                found.append(f"{artefact.name} is not what the sources build")
    if folder.is_dir():
        found += [f"{path.name} is built by no source" for path in strangers(folder, built)]
    path = folder / CATALOG
    wanted = catalog_text(folder, built, whole=whole)
    if not path.is_file():
        found.append(f"{CATALOG} is missing")
    elif path.read_bytes() != wanted.encode():
        found.append(f"{CATALOG} does not match")
    return found
