"""Our package as one archive, as far as the page needs it; the same sources give the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import ti99tools
from ti99tools.games.finding import games_root

LEFT_OUT = (
    "cli", "conformance", "hosts/mame", "web/page", "web/site", "pytest_plugin.py",
    "_xbasic", "play/window.py", "play/windowkeys.py", "play/speaker.py", "play/terminal.py",
    "play/terminalkeys.py", "games/template",
)  # fmt: skip
"""What nobody can use in a page."""
ENDINGS = (".py", ".xb", ".bas", ".txt", ".css")
"""Files of the package; of the games there are all."""
GAMES = "ti99tools/_xbasic"
"""Where installed packages have the games."""
_BEGINNING = (1980, 1, 1, 0, 0, 0)


def packed() -> bytes:
    """The archive, to be unpacked where Python looks for packages."""
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(_files()):
            info = ZipInfo(name, _BEGINNING)
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return data.getvalue()


def _files() -> Iterator[tuple[str, Path]]:
    package = Path(ti99tools.__file__).parent
    for path in package.rglob("*"):
        name = path.relative_to(package).as_posix()
        left_out = any(name == each or name.startswith(f"{each}/") for each in LEFT_OUT)
        if not left_out and path.suffix in ENDINGS and _is_source(path):
            yield f"ti99tools/{name}", path
    games = games_root()
    for path in games.rglob("*"):
        if _is_source(path):
            yield f"{GAMES}/{path.relative_to(games).as_posix()}", path


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts
