"""Mistakes in the Python of a game, its model or adapter, as errors that tell their place."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ti99tools.base.errors import BuildError, Place, TIError
from ti99tools.verify.adapter import Adapter


@contextmanager
def blaming(adapter: Adapter) -> Iterator[None]:
    """Turn what the game's own files raise into a BuildError with file and line.

    Other exceptions, which are none of the game's mistakes, go on as they are.
    """
    try:
        yield
    except TIError:
        raise
    except Exception as error:
        place = _place_in(adapter.manifest.folder.resolve(), error)
        if place is None:
            raise
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise BuildError(said, remedy="correct it", place=place) from error


def _place_in(folder: Path, error: Exception) -> Place | None:
    """The innermost line of a folder's files that an exception went through; None for none."""
    here = Path.cwd()
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(folder):
            name = path.relative_to(here) if path.is_relative_to(here) else path
            return Place(str(name), frame.lineno)
    return None
