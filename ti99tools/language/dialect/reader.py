"""From files to lines of code: continuation, includes and the library, CONST, and directives.

`#include "FILE"` reads another file of the same folder tree, `#include <FILE>` one of the library
that comes with the package; `#if` … `#elif` … `#else` … `#end` leave parts out; `#art` and `#text`
blocks become CALL CHAR and DATA lines; `#pack off` keeps statements on lines of their own.

The last part finds the files that a source includes without reading it as a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ti99tools.base.decoding import decode
from ti99tools.base.errors import Place, SourceError, near
from ti99tools.base.inputs import resolved
from ti99tools.base.record import Record
from ti99tools.language.dialect import drawings as art
from ti99tools.language.dialect.constants import Constants
from ti99tools.language.dialect.drawings import Drawings
from ti99tools.language.dialect.evaluation import has_own_set
from ti99tools.language.dialect.lexer import (
    Kind,
    Lexeme,
    Mistakes,
    SourceLine,
    lex,
    source_line,
    split_label,
)


@cache
def library_folder() -> Path:
    """The library's folder: `xbasic/lib` of a checkout, else its copy in the package."""
    package = Path(__file__).resolve().parents[2]
    checkout = package.parent / "xbasic" / "lib"
    return checkout if checkout.is_dir() else package / "_xbasic" / "lib"


def _in_brackets(name: str) -> str:
    """What to do about a missing file if it is one of the library; else empty."""
    there = re.fullmatch(r"\w+\.xb", name) and (library_folder() / name).is_file()
    return f"it is in the library: write #include <{name}>" if there else ""


def in_library(place: Place) -> bool:
    """Tell whether a place is in a file of the library: `<keys.xb>`."""
    return (place.file or "").startswith("<")


Reader = Callable[[Path], bytes]
"""Reads the bytes of a file."""

_DIRECTIVE = re.compile(r"\s*#\s*([A-Za-z]+)\s*(.*)$")
_KEPT_REMARK = re.compile(r"\s*KEEP\s+(REM)\b(.*)$", re.IGNORECASE)
_FILE = re.compile(r'"([^"]+)"$')
_LIBRARY_FILE = re.compile(r"<([^<>]+)>$")
_MAY_COMMENT = re.compile("!|REM", re.IGNORECASE)
_WORD = re.compile(r"[A-Z_][A-Z0-9_]*\$?")
_MAX_DEPTH = 16
_MOST_FILES = 500
"""The most files that a source includes, each counted as often as it is included."""
_MOST_ROWS = 20_000
"""The most rows of these files together: five times the lines that the machine's memory holds."""


class CodeLine(Record):
    """A line of code, or a switch of packing (`line` None)."""

    line: SourceLine | None
    label: Lexeme | None = None
    lexemes: tuple[Lexeme, ...] = ()
    packing: bool = True


@dataclass
class _Condition:
    """An open #if: whether this part counts, whether an earlier one did, and where it began."""

    active: bool
    done: bool
    outer: bool
    place: Place
    had_else: bool = False


class _Directive(Record):
    """What begins with `#`: its word, what follows it on the line, and where it stands.

    `folder` is where the files it names are looked for.
    """

    word: str
    rest: SourceLine
    place: Place
    folder: Path | None

    def error(self, problem: str, remedy: str) -> SourceError:
        """An error of the whole directive."""
        return SourceError(problem, remedy=remedy, place=self.place)


@dataclass
class SourceReader:
    """Reads a source text and all it includes; its mistakes go to `mistakes`."""

    root: Path | None
    """The folder that includes and pictures must not leave; None: they are not available."""
    constants: Constants
    mistakes: Mistakes
    read: Reader
    drawings: Drawings = field(init=False)
    _open: list[Path] = field(default_factory=list)
    _files: int = 0
    _rows: int = 0

    def __post_init__(self) -> None:
        self.drawings = Drawings(self.constants)

    def lines(self, content: str, file: str | None, folder: Path | None) -> Iterator[CodeLine]:
        """The lines of code of a text; `folder` is where its includes are looked for.

        Raises SourceError for a #if, #art or #text that never ends.
        """
        if has_own_set(content):
            self.constants.sets = False
        rows = _rows(content.removeprefix("\ufeff"), file)
        conditions: list[_Condition] = []
        cursor = 0
        while cursor < len(rows):
            row, place = rows[cursor]
            cursor += 1
            match = _DIRECTIVE.match(row)
            if match is not None:
                rest = source_line(match.group(2), _at(place, match.start(2) + 1))
                directive = _Directive(match.group(1).lower(), rest, place, folder)
                body: list[tuple[str, Place]] = []
                if directive.word in ("art", "text"):
                    cursor, body = _block(rows, cursor, directive)
                yield from self._directed(directive, body, conditions)
                continue
            if not _active(conditions):
                self.constants.met.update(_WORD.findall(row.upper()))
                continue
            if not row.strip():
                continue
            cursor, line = self._continued(rows, cursor - 1)
            try:
                yield from self._code(line)
            except SourceError as error:
                self._wrong(error, line.place(0))
        if conditions:
            raise SourceError(
                "#if without #end", remedy="close it with #end", place=conditions[-1].place
            )

    def _directed(
        self, directive: _Directive, body: list[tuple[str, Place]], conditions: list[_Condition]
    ) -> Iterator[CodeLine]:
        """The lines of code that a directive with its body stands for."""
        try:
            if directive.word in ("if", "elif", "else", "end"):
                self._condition(directive, conditions)
            elif not _active(conditions):
                return
            elif directive.word in ("art", "text"):
                yield from self._drawn(directive, body)
            else:
                yield from self._directive(directive)
        except SourceError as error:
            # Labels and constants of the omitted part may be missing later.
            self.mistakes.incomplete = True
            self._wrong(error, directive.place)

    def _wrong(self, error: SourceError, place: Place) -> None:
        """Note a mistake, at `place` unless it has a more precise one."""
        known = error.place.line is not None
        problem, remedy = error.problem, error.remedy
        self.mistakes.add(error if known else SourceError(problem, remedy=remedy, place=place))

    def _code(self, line: SourceLine) -> Iterator[CodeLine]:
        label, start = split_label(line, self.mistakes.add)
        if label is not None and label.text in self.constants.values:
            problem = f"{label.text} is a constant and cannot be a label"
            self.mistakes.add(line.error(0, problem, "choose another name for one of them"))
        match = _KEPT_REMARK.match(line.text, start)
        if match is not None:
            remark = Lexeme(Kind.KEYWORD, "REM", line.place(match.start(1)))
            rest = Lexeme(Kind.RAW, match.group(2).strip(), line.place(match.start(2)))
            yield CodeLine(line, label, (remark, rest) if rest.text else (remark,))
            return
        lexemes = lex(line, start, self.mistakes.add)
        if lexemes and lexemes[0].is_word("CONST") and _defines(lexemes):
            self.constants.define(lexemes[1:])
        elif lexemes and lexemes[0].is_word("ENUM") and _defines(lexemes):
            self.constants.enumerate(lexemes[1:])
        elif lexemes or label is not None:
            yield CodeLine(line, label, tuple(self._folded(lexemes)))

    def _folded(self, lexemes: list[Lexeme]) -> list[Lexeme]:
        """The lexemes with the values of constants; unchanged where that fails."""
        try:
            return self.constants.fold(lexemes)
        except SourceError as error:
            self.mistakes.add(error)
            return lexemes

    def _condition(self, directive: _Directive, conditions: list[_Condition]) -> None:
        word = directive.word
        if word == "if":
            outer = _active(conditions)
            conditions.append(_Condition(False, False, outer, directive.place))
            true = outer and self._truth(directive)
            conditions[-1] = _Condition(true, true, outer, directive.place)
            return
        if not conditions:
            raise directive.error(f"#{word} without #if", "remove it")
        top = conditions[-1]
        if word == "end":
            conditions.pop()
            return
        if top.had_else:
            raise directive.error(f"#{word} after #else", "put it before")
        wanted = top.outer and not top.done
        top.had_else = word == "else"
        top.active = wanted and (word == "else" or self._truth(directive))
        top.done = top.done or top.active

    def _truth(self, directive: _Directive) -> bool:
        lexemes = lex(directive.rest)
        if not lexemes:
            raise directive.error("#if without a condition", "write #if NAME")
        return self.constants.truth(lexemes)

    def _directive(self, directive: _Directive) -> Iterator[CodeLine]:
        text = directive.rest.text.strip()
        if directive.word == "include":
            yield from self._include(directive)
        elif directive.word == "pack" and text.lower() in ("on", "off"):
            yield CodeLine(None, packing=text.lower() == "on")
        else:
            raise directive.error(
                f"unknown directive #{directive.word}",
                "there are #include, #if, #elif, #else, #end, #art, #text, #pack on|off",
            )

    def _include(self, directive: _Directive) -> Iterator[CodeLine]:
        path = self._library_file(directive) or self._inside(directive, directive.rest)
        if path in self._open:
            raise directive.error(f"{path.name} includes itself", "remove it")
        if len(self._open) >= _MAX_DEPTH:
            raise directive.error("includes are nested too deeply", "flatten")
        if self._is_full:
            return
        content = self._content(path, directive)
        self._open.append(path)
        try:
            yield from self.lines(content, self._shown(path), path.parent)
        finally:
            self._open.pop()

    def _library_file(self, directive: _Directive) -> Path | None:
        """The file of the library named in angle brackets; None if none is."""
        match = _LIBRARY_FILE.match(directive.rest.text.strip())
        if match is None:
            return None
        folder = library_folder()
        path = resolved(folder / match.group(1))
        if not (path.is_relative_to(folder) and path.is_file()):
            there = sorted(file.name for file in folder.glob("*.xb"))
            listed = f"it has {', '.join(f'<{name}>' for name in there)}"
            meant = near(match.group(1), there)
            remedy = f"did you mean <{meant}>?" if meant else listed
            raise directive.error(f"no {match.group(1)} in the library", remedy)
        return path

    def _inside(self, directive: _Directive, name: SourceLine) -> Path:
        """The file named in quotes, which must be in the source's folder or below."""
        match = _FILE.match(name.text.strip())
        if match is None:
            remedy = _in_brackets(name.text.strip()) or 'write "name.xb"'
            raise directive.error("a file name in quotes is required", remedy)
        if directive.folder is None:
            raise directive.error(
                "a text that is no file cannot include one", "save the source first"
            )
        path = resolved(directive.folder / match.group(1))
        if not path.is_relative_to(self._tree(directive.folder)):
            raise directive.error(
                f"{match.group(1)} is outside the source's folder", "move it into the folder"
            )
        return path

    def _content(self, path: Path, directive: _Directive) -> str:
        """The text of a file that a directive names.

        Raises SourceError when it cannot be read, and once when the files become too many: each
        may include the next ten times.
        """
        try:
            content = decode(self.read(path))
        except OSError as error:
            problem = f"cannot read {path.name}: {error.strerror}"
            remedy = _in_brackets(path.name) or "check the name"
            raise directive.error(problem, remedy) from None
        self._files += 1
        self._rows += content.count("\n") + 1
        if self._is_full:
            raise directive.error(
                f"{self._files} files with {self._rows:,} rows are included up to here",
                f"include at most {_MOST_FILES} files with {_MOST_ROWS:,} rows",
            )
        return content

    @property
    def _is_full(self) -> bool:
        return self._files > _MOST_FILES or self._rows > _MOST_ROWS

    def _tree(self, folder: Path) -> Path:
        """The folder whose files may be named from `folder`: the library's or the source's."""
        library = library_folder()
        if folder.is_relative_to(library) or self.root is None:
            return library
        return self.root.resolve()

    def _shown(self, path: Path) -> str:
        """A file as errors show it: relative to the source's folder, or `<file>` of the library."""
        library = library_folder()
        if path.is_relative_to(library):
            return f"<{path.relative_to(library).as_posix()}>"
        assert self.root is not None
        return (self.root / path.relative_to(self.root.resolve())).as_posix()

    def _drawn(self, directive: _Directive, body: list[tuple[str, Place]]) -> Iterator[CodeLine]:
        place = directive.place
        head, file = _head(directive.rest)
        path = self._inside(directive, file) if file is not None else None
        if directive.word == "art":
            dots = art.dots_from_text(body) if path is None else art.dots_from_png(path, place)
            lines = self.drawings.art(head, dots, place)
        else:
            if path is not None:
                if self._is_full:
                    return
                body = _rows(self._content(path, directive), self._shown(path))
            lines = self.drawings.text(head, body, place)
        for line in lines:
            yield from self._code(line)

    def _continued(self, rows: list[tuple[str, Place]], cursor: int) -> tuple[int, SourceLine]:
        """A line joined with its continuations, and the index after them.

        A line that ends in a space and `_` is continued, unless that is in a comment.
        """
        joined = ""
        parts: list[tuple[int, Place]] = []
        while True:
            row, place = rows[cursor]
            cursor += 1
            piece = row.rstrip()
            lead = len(piece) - len(piece.lstrip()) if parts else 0
            more = piece.endswith("_") and piece[-2:-1].isspace()
            if more and _MAY_COMMENT.search(piece):
                more = not _ends_in_comment(f"{joined} {piece[:-1]}")
            body = piece[lead:-1].rstrip() if more else piece[lead:]
            if parts:
                joined += " "
            parts.append((len(joined), _at(place, 1 + lead)))
            joined += body
            if not more:
                return cursor, SourceLine(joined, tuple(parts))
            if cursor >= len(rows):
                problem = "the last line cannot be continued"
                self.mistakes.add(SourceError(problem, remedy="remove the _", place=place))
                return cursor, SourceLine(joined, tuple(parts))


def _ends_in_comment(text: str) -> bool:
    """Tell whether what comes after `text` is part of a comment, and so no lexeme."""
    here, more = (source_line(each, Place()) for each in (text, text + "0"))
    return lex(here, report=_ignore) == lex(more, report=_ignore)


def _ignore(_: SourceError) -> None:
    """The line is read again, and its mistakes are reported then."""


def _defines(lexemes: list[Lexeme]) -> bool:
    """Tell whether a line that begins with CONST or ENUM defines, and does not assign."""
    return len(lexemes) < 2 or not lexemes[1].is_symbol("=", "(", ",")


def _head(rest: SourceLine) -> tuple[list[Lexeme], SourceLine | None]:
    """What comes before a file name in quotes, and the file name."""
    lexemes = lex(rest)
    if lexemes and lexemes[-1].kind is Kind.STRING:
        file = source_line(lexemes[-1].text, lexemes[-1].place)
        return lexemes[:-1], file
    return lexemes, None


def _rows(content: str, file: str | None) -> list[tuple[str, Place]]:
    """The rows of a file with their places."""
    rows = enumerate(content.split("\n"), 1)
    return [(row.rstrip("\r"), Place(file, number, 1)) for number, row in rows]


def _block(
    rows: list[tuple[str, Place]], cursor: int, directive: _Directive
) -> tuple[int, list[tuple[str, Place]]]:
    """The rows up to #end, and the index after it; none when a file is named instead."""
    if _head(directive.rest)[1] is not None:
        return cursor, []
    body: list[tuple[str, Place]] = []
    while cursor < len(rows):
        row, _ = rows[cursor]
        cursor += 1
        match = _DIRECTIVE.match(row)
        if match is not None and match.group(1).lower() == "end":
            if directive.word == "art":
                body = [entry for entry in body if entry[0].strip()]
            return cursor, body
        body.append(rows[cursor - 1])
    raise directive.error(f"#{directive.word} without #end", "close it with #end")


def _active(conditions: list[_Condition]) -> bool:
    return not conditions or conditions[-1].active


def _at(place: Place, column: int) -> Place:
    return Place(place.file, place.line, column)


_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^<>\n]+)>)', re.I | re.M)


def included(text: str, folder: Path) -> Iterator[Path]:
    """The files that the `#include` lines of a text name; `folder` is where the text is.

    Those in parts that `#if` leaves out are included. The files need not exist.
    """
    for own, of_library in _INCLUDE.findall(text):
        yield ((folder / own) if own else (library_folder() / of_library)).resolve()
