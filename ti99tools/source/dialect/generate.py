"""The way from a source text to a numbered listing (see xbasic/DIALECT.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import Place, SourceError
from ti99tools.source.dialect.blocks import Blocks, Keys, Label
from ti99tools.source.dialect.constants import Constants
from ti99tools.source.dialect.layout import check_references, fits, packed, simplified, written
from ti99tools.source.dialect.lower import Item, Lowering
from ti99tools.source.dialect.reader import Source
from ti99tools.source.dialect.statements import Statement, keyword
from ti99tools.source.numbered import decode, is_numbered, read_listing
from ti99tools.source.sourcemap import Mark, SourceMap

FIRST_NUMBER = 100
STEP = 10


@dataclass(frozen=True, slots=True)
class Generated:
    """A numbered listing and where its lines come from."""

    listing: list[str]
    sourcemap: SourceMap

    @property
    def text(self) -> str:
        """The listing as one text, each line ended."""
        return "".join(line + "\n" for line in self.listing)


def generate(
    text: str,
    file: str | None = None,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    pack: bool = True,
    start: int = FIRST_NUMBER,
    step: int = STEP,
    refused: list[SourceError] | None = None,
) -> Generated:
    """The numbered listing that a source text stands for.

    `file` is named in errors and the source map. `root` is the folder that includes and pictures
    are looked for in and never leave (default: the folder of `file`). `defines` are constants that
    win over CONST. `pack` joins statements with `::`. Lines are numbered from `start` by `step`, or
    less where they would pass 32767. A listing that is numbered already comes back as it is.
    Raises SourceError with file, line and column: for the first mistake. With `refused`, mistakes
    within lines that blocks and labels do not depend on are put there, as far as the editor would
    see them, and the listing is made all the same.
    """
    if is_numbered(text):
        return _numbered(text, file)
    folder = root if root is not None else (Path(file).parent if file is not None else None)
    source = Source(folder, Constants(defines))
    keys = Keys()
    blocks = Blocks(keys)
    blocks.read(source.lines(text, file, folder))
    lowering = Lowering(keys, fits if pack else lambda _: False)
    items: list[Item] = []
    for body in (blocks.main, *blocks.subs):
        if items and isinstance(items[-1], Label):
            # A jump to the end of the main program must not land on the first SUB.
            items.append(Statement((keyword("END", items[-1].place),), generated=True))
        items += lowering.flatten(body)
    items = simplified(check_references(items, blocks.labels, refused))
    lines = packed(items, join=pack)
    if not lines:
        raise SourceError("no statement found", remedy="write some", place=Place(file))
    return Generated(*written(lines, start, step, refused))


def generate_file(
    path: Path,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    pack: bool = True,
    start: int = FIRST_NUMBER,
    step: int = STEP,
) -> Generated:
    """`generate` for a file; errors name it as given. Raises SourceError also if unreadable."""
    try:
        text = decode(path.read_bytes())
    except OSError as error:
        raise SourceError(
            f"cannot read {path}: {error.strerror}", remedy="check the name"
        ) from None
    return generate(
        text,
        str(path),
        root=root or path.parent,
        defines=defines,
        pack=pack,
        start=start,
        step=step,
    )


def _numbered(text: str, file: str | None) -> Generated:
    """A plain listing: checked line by line, otherwise as it is."""
    entries = read_listing(text, file)
    rows = text.removeprefix("\ufeff").split("\n")
    listing: list[str] = []
    marks: dict[int, list[Mark]] = {}
    for entry in entries:
        if entry.number in marks:
            first = marks[entry.number][0].place
            raise SourceError(
                f"line {entry.number} stands at {first} too",
                remedy="renumber one of them",
                place=entry.place,
            )
        marks[entry.number] = [Mark(1, 0, entry.place)]
        listing.append(rows[(entry.place.line or 1) - 1].strip())
    return Generated(listing, SourceMap(marks))
