"""Read a source, numbered or structured, or a program file.

Everything that is run, tokenized, linted or converted comes this way, so all of these take files of
every form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ti99tools.base.errors import SourceError, TIError
from ti99tools.base.hostio import read_bytes, tidy
from ti99tools.base.inputs import read_input
from ti99tools.language.lint.hidden import hidden
from ti99tools.language.listing.numbered import is_numbered
from ti99tools.language.program.hostfile import HostFile
from ti99tools.language.program.memory_image import Memory
from ti99tools.language.program.sourcefile import Source, tidied

MOST_BYTES = 1_000_000
"""Of a source; a program file has at most 25 KB, its listing not much more."""


def read_source(
    path: str | Path,
    *,
    refused: list[SourceError] | None = None,
    pack: bool = True,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    join: int | None = None,
    read: Callable[[Path], bytes] | None = None,
) -> Source:
    """Read a numbered listing, a structured source, or a program file of any form.

    A container with a text file of the console, as LIST writes one, is read as that text.

    Raises TIError when the file cannot be read, SourceError when a structured source cannot be
    generated or there is no line, ProgramError for a damaged program file. What the editor refuses
    is in `errors`.

    With `refused`, as much of a structured source is read as possible: mistakes in single lines are
    in `errors` too, and when SourceError is raised, everything else known is put there. If not
    `pack`, each statement has a line of its own, so that none hides another's mistake. `root` and
    `defines` are those of `generate`. A listing's lines may be wrapped after `join` characters
    (None: as the text suggests). `read` reads this file and those it includes (None: as they are on
    disk).
    """
    name = str(path)
    data = read_bytes(path) if read is None else read(Path(path))
    file = HostFile(data, name)
    try:
        if len(data) > MOST_BYTES:
            file.refuse()
            problem = f"larger than {MOST_BYTES} bytes"
            raise TIError(problem, remedy="this is not a TI-99/4A file")
        content = file.content
    except TIError as error:
        raise error.at(name) from None
    return _source(content, name, join, refused, pack=pack, root=root, defines=defines,
                   read=read or read_input)  # fmt: skip


def source_of(
    data: bytes | str,
    file: str | None = None,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
) -> Source:
    """A source that has been read already, or a program file's bytes; see `read_source`."""
    content = tidy(data) if isinstance(data, str) else HostFile(data).content
    return _source(content, file, root=root, defines=defines)


def _source(
    content: str | Memory,
    file: str | None,
    join: int | None = None,
    refused: list[SourceError] | None = None,
    **options: Any,
) -> Source:
    """The source that a file holds, a text or a program; `options` are those of `generate`."""
    if not isinstance(content, str):
        return Source.of_memory(*content, file)
    if is_numbered(content):
        return Source.of_listing(content, file, join)
    from ti99tools.language.dialect import generate

    text = tidied(content, file)
    generated = generate(text, file, refused=refused, review=hidden, **options)
    return Source.of_generated(generated, file, refused or ())
