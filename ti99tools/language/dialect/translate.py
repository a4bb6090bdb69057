"""From a structured source to numbered lines, with all its mistakes reported at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from ti99tools.base.decoding import decode
from ti99tools.base.errors import SourceError
from ti99tools.base.inputs import read_input
from ti99tools.base.record import Record
from ti99tools.language.dialect.block_tree import Body, Label, OwnLabels, check_loops, lexemes_of
from ti99tools.language.dialect.blocks import Blocks
from ti99tools.language.dialect.constants import Constants
from ti99tools.language.dialect.declarations import Native, linked
from ti99tools.language.dialect.evaluation import ConstantTable
from ti99tools.language.dialect.flatten import Flattener, Item
from ti99tools.language.dialect.layout import (
    TooManyLines,
    check_references,
    fits,
    packed,
    simplified,
    written,
)
from ti99tools.language.dialect.lexer import Mistakes, Report
from ti99tools.language.dialect.line_statements import Statement, keyword
from ti99tools.language.dialect.procs import Calls, refuse_uncalled, routines_of, uncalled_procs
from ti99tools.language.dialect.reader import Reader, SourceReader
from ti99tools.language.dialect.tables import ProgramBodies, Tables
from ti99tools.language.listing.listing import statement_offsets
from ti99tools.language.listing.numbered import Entry, is_numbered, no_lines, read_text, to_text
from ti99tools.language.listing.sourcemap import Mark, SourceMap

FIRST_NUMBER = 100
STEP = 10


class Shape(Record):
    """How a listing is laid out: see `generate`. `basic` makes the listing without twins."""

    pack: bool
    start: int
    step: int
    native: Native | None
    basic: Callable[[], Any]


class Generated(Record):
    """A numbered listing and where its lines come from.

    `entries` are its lines, with the columns of their tokens as the `sourcemap` counts them;
    `listing` is their text, for people. `constants` are the names that the source uses where
    constants may stand.
    """

    entries: list[Entry]
    listing: list[str]
    sourcemap: SourceMap
    constants: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The listing as one text, each line ended."""
        return "".join(line + "\n" for line in self.listing)


Review = Callable[[Generated, str | None], Iterable[SourceError]]
"""From a listing and the file of its source to further mistakes."""


def generate(
    text: str,
    file: str | None = None,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    pack: bool = True,
    start: int = FIRST_NUMBER,
    step: int = STEP,
    native: Native | None = None,
    refused: list[SourceError] | None = None,
    read: Reader = read_input,
    review: Review | None = None,
    join: int | None = None,
) -> Generated:
    """The numbered listing of a source text.

    `file` is the name in errors and the source map. `root` is the folder in which includes and
    pictures are looked for, and which they must not leave (default: the folder of `file`).
    `defines` are constants that take precedence over CONST. `pack` joins statements with `::`.
    Lines are numbered from `start` by `step`, or by less where they would exceed 32767. `native`
    has machine code for SUBs with ASM; without it they are ordinary SUBs. A listing that is already
    numbered is returned with its wrapped lines joined (`join` as in `read_source`), otherwise
    unchanged.

    Raises SourceError with file, line and column for the first mistake, with the `others` attached.
    With `refused`, what the editor would refuse in a line goes there instead, if there are no
    other mistakes, and the listing is made all the same. `read` reads the files that the source
    includes. `review` finds further mistakes in the lines that could be made of a source with
    mistakes (None: no others are reported).
    """
    if is_numbered(text):
        return _numbered(text, file, join)

    def make(pack: bool, refused: list[SourceError] | None, twins: bool = True) -> Generated:
        folder = root if root is not None else (Path(file).parent if file is not None else None)
        source = SourceReader(folder, Constants(defines), Mistakes(text, file), read)
        basic = partial(make, pack, None, False)
        shape = Shape(pack, start, step, native if twins else None, basic)
        return _made(source, text, file, folder, shape, refused, review)

    # Without the frames that a mistake came through: they hold the whole source, and the mistake
    # itself, and would stay in memory until the garbage collector finds the circle.
    try:
        return make(pack, refused)
    except SourceError as error:
        mistake = error.with_traceback(None)
    if pack and refused is None:
        # Statements that share a line would hide each other's mistakes.
        try:
            make(False, None)
        except TooManyLines:
            pass
        except SourceError as error:
            mistake = error.with_traceback(None)
    try:
        raise mistake
    finally:
        del mistake


def _made(
    source: SourceReader,
    text: str,
    file: str | None,
    folder: Path | None,
    shape: Shape,
    refused: list[SourceError] | None,
    review: Review | None,
) -> Generated:
    """As `generate`, for a source in the dialect."""
    mistakes = source.mistakes
    keys = OwnLabels()
    blocks = Blocks(keys, mistakes.add)
    _read(blocks, source, text, file, folder)
    uncalled = uncalled_procs(blocks.procs, blocks.main)
    routines = routines_of(blocks.procs.values())
    items: list[Item] = []
    bodies = _bodies(blocks, source.constants.tables, mistakes.add)
    if shape.native is not None and blocks.twins and not mistakes.errors:
        twins = {name: replace(one, basic=shape.basic) for name, one in blocks.twins.items()}
        bodies = linked(bodies, twins, shape.native, mistakes.add)
    main_resumes = any(_resumes(body) for body in bodies if not _is_sub(body))
    for body in bodies:
        if items and (isinstance(items[-1], Label) or (blocks.procs and not items[-1].leaves)):
            # Without END, control could run from the program into the first PROC or, by a jump to
            # the program's end, into the first SUB.
            items.append(Statement((keyword("END", items[-1].place),), generated=True))
        lowering = Flattener(
            keys, fits if shape.pack else lambda _: False, main_resumes or _resumes(body)
        )
        items += lowering.flatten(body)
    # Missing labels may be in a part that could not be read.
    report: Report = (lambda _: None) if mistakes.incomplete else mistakes.add
    items = check_references(items, blocks.labels, report, blocks.procs)
    mistakes.close_stage()
    lines = packed(simplified(items), join=shape.pack)
    if not lines and not mistakes.errors:
        raise no_lines(file, empty=not text.strip())
    unfit: list[SourceError] = []
    failing: list[SourceError] = []
    entries, listing, marks = written(lines, shape.start, shape.step, unfit.append, failing.append)
    code = dict.fromkeys(twin.file for twin in blocks.twins.values() if twin.file)
    named = (*source.constants.values, *source.constants.tables)
    sourcemap = SourceMap(marks, routines, uncalled, blocks.ranges, tuple(code), named)
    generated = Generated(entries, listing, sourcemap, frozenset(source.constants.met))
    if refused is None or mistakes.errors:
        for wrong in (*unfit, *failing):
            mistakes.add(wrong)
        mistakes.close_stage()
        if mistakes.errors and review is not None:
            for wrong in review(generated, file):
                mistakes.add(wrong)
        mistakes.check()
    else:
        refused += unfit
    return generated


def _is_sub(body: Body) -> bool:
    return bool(body) and isinstance(body[0], Statement) and body[0].word == "SUB"


def _resumes(body: Body) -> bool:
    """Tell whether there is a RETURN NEXT."""
    pairs = pairwise(lexemes_of(body))
    return any(word.is_word("RETURN") and following.is_word("NEXT") for word, following in pairs)


def _read(
    blocks: Blocks, source: SourceReader, text: str, file: str | None, folder: Path | None
) -> None:
    """Read the text into `blocks`, and report the mistakes that show while it is a tree."""
    mistakes = source.mistakes
    try:
        blocks.read(source.lines(text, file, folder))
    except SourceError as error:
        # Nothing after it can be checked.
        mistakes.add(error)
        mistakes.check()
    for wrong in source.drawings.collisions():
        mistakes.add(wrong)
    mistakes.close_stage()
    if not mistakes.errors:
        # Loops that were corrected may have another variable than was meant.
        for body in (blocks.main, *(proc.body for proc in blocks.procs.values()), *blocks.subs):
            check_loops(body, mistakes.add)


def _bodies(blocks: Blocks, tables: Mapping[str, ConstantTable], report: Report) -> list[Body]:
    """The main program, the PROCs and the subprograms, without tables and calls of PROCs."""
    calls = Calls(blocks.procs, report)
    calls.refuse_circles()
    own = [blocks.main, *(proc.body for proc in blocks.procs.values())]
    refuse_uncalled(own, blocks.procs, blocks.subs, report)
    for body in blocks.subs:
        calls.refuse_in_sub(body)
    needed = calls.needed(blocks.main)
    procs: list[Body] = [
        [Label(proc.label, proc.place), *calls.in_main(proc.body)]
        for name, proc in blocks.procs.items()
        if name in needed
    ]
    put = Tables(tables, blocks.keys, report)
    program = put.applied(ProgramBodies(calls.in_main(blocks.main), procs, blocks.subs))
    blocks.refuse_names(put.names)
    return [program.main, *program.procs, *program.subs]


def generate_file(
    path: Path,
    *,
    root: Path | None = None,
    defines: Mapping[str, int | str] | None = None,
    pack: bool = True,
    native: Native | None = None,
    review: Review | None = None,
) -> Generated:
    """`generate` for a file; errors name it as given. Raises SourceError also if unreadable."""
    try:
        text = decode(read_input(path))
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
        native=native,
        review=review,
    )


def _numbered(text: str, file: str | None, join: int | None) -> Generated:
    """A plain listing: checked line by line, wrapped lines joined, otherwise unchanged.

    Of lines with the same number the last counts, as in the editor.
    """
    entries, refusals, *_ = read_text(text, file, join=join)
    rows = text.removeprefix("\ufeff").split("\n")
    entry_of: dict[int, Entry] = {}
    listing: dict[int, str] = {}
    marks: dict[int, list[Mark]] = {}
    mistakes = Mistakes(text, file)
    if refusals:
        from ti99tools.language.remedies.statements import advised

        for error in refusals:
            mistakes.add(advised(error))
    for entry in entries:
        replaced = entry_of.pop(entry.number, None)
        listing.pop(entry.number, None)
        if replaced is not None and not entry.tokens:
            continue
        row = rows[(entry.place.line or 1) - 1]
        if entry.line is not None and len(entry.line.pieces) > 1:
            row = to_text(entry.line.text)
        indent = len(row) - len(row.lstrip())
        marks[entry.number] = _marks(entry, indent)
        listing[entry.number] = row.strip()
        columns = tuple((at, column - indent) for at, column in entry.marks)
        entry_of[entry.number] = Entry(entry.number, entry.tokens, entry.place, columns)
    mistakes.check()
    return Generated([*entry_of.values()], [*listing.values()], SourceMap(marks))


def _marks(entry: Entry, indent: int) -> list[Mark]:
    """The marks of a listing's line from which `indent` leading spaces are removed."""
    later = list(enumerate(statement_offsets(entry.tokens)))[1:]
    first = Mark(1, 0, entry.place)
    return [first, *(Mark(entry.column(at) - indent, n, entry.where(at)) for n, at in later)]
