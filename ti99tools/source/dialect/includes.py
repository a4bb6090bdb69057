"""The files that a source includes, found without reading it as a program."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ti99tools.source.dialect.library import library_folder

_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^<>\n]+)>)', re.I | re.M)


def included(text: str, folder: Path) -> Iterator[Path]:
    """The files that the `#include` lines of a text name; `folder` is where the text lies.

    Parts that `#if` leaves out count too. The files need not be there.
    """
    for own, of_library in _INCLUDE.findall(text):
        yield ((folder / own) if own else (library_folder() / of_library)).resolve()
