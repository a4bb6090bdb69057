"""The source that a file belongs to, and the files that make it up."""

from __future__ import annotations

from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.lsp.documents import Documents
from ti99tools.source.dialect.includes import included
from ti99tools.source.dialect.library import library_folder
from ti99tools.tasks.sources import Written, written

MANIFEST = "game.toml"
_MOST_FILES = 200
"""Files of a folder that are looked at for one that includes another."""


class Project:
    """Finds out what belongs together; the texts of editors count."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def main_of(self, path: Path) -> Written:
        """The source that is judged when a file changes: of its game, or one that includes it."""
        if path.is_relative_to(library_folder()):
            return Written(path)
        game = next((folder for folder in path.parents[:3] if (folder / MANIFEST).is_file()), None)
        if game is not None:
            try:
                main = written(str(game))
            except TIError:
                main = None
            if main is not None and path in self.files(main.path):
                return main
        for folder in path.parents[:2]:
            for other in self._beside(folder):
                if other != path and path in self.files(other):
                    return Written(other)
        return Written(path)

    def _beside(self, folder: Path) -> list[Path]:
        try:
            found = sorted(file for file in folder.iterdir() if file.suffix.lower() == ".xb")
        except OSError:
            return []
        return [file.resolve() for file in found[:_MOST_FILES]]

    def files(self, main: Path) -> list[Path]:
        """A source and all files that it includes, itself first."""
        found: list[Path] = []
        waiting = [main.resolve()]
        while waiting and len(found) < _MOST_FILES:
            path = waiting.pop(0)
            if path not in found:
                found.append(path)
                waiting += included("\n".join(self._documents.rows(path)), path.parent)
        return found
