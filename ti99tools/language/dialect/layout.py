"""From a sequence of statements and labels to numbered lines that the editor takes.

Labels that lead to a jump are followed, generated jumps without effect are dropped, statements are
packed into lines, lines are numbered, and labels become numbers.

Packing measures many lines that are never made. `extent` therefore counts by the rules of
listing/tokenize without making tokens; what the editor refuses is reported when a line is written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place, Remedy, SourceError, suggestion
from ti99tools.base.record import Record
from ti99tools.language.dialect.block_tree import Label
from ti99tools.language.dialect.flatten import Item
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, needs_blank, pieces
from ti99tools.language.dialect.line_statements import Statement, keyword, starts, symbol
from ti99tools.language.findings import call_it, failing
from ti99tools.language.listing.listing import scan
from ti99tools.language.listing.numbered import Entry, to_text
from ti99tools.language.listing.sourcemap import Mark
from ti99tools.language.listing.tokenize import (
    EDITOR_COLUMNS,
    EDITOR_LINE_BYTES,
    KEEP_REFERENCES,
    MAX_LINE_BYTES,
    MAX_LINE_NUMBER,
    REFERENCE_LISTS,
    EntryError,
    MarkedLine,
    tokenize_marked,
)
from ti99tools.language.remedies.misread_words import BLOCK_WORDS
from ti99tools.language.syntax.failures import failures

WIDEST = "32767"
"""Stands for a number that is not known yet."""
_REFERENCE = 3
"""Bytes of a line number after GOTO and the like."""
_HEAD = 2
"""Bytes before a text or number: its token and its length."""

_WITH_TOKEN = (Kind.KEYWORD, Kind.SYMBOL)
_AS_WRITTEN = (Kind.NAME, *_WITH_TOKEN)
"""Kinds that may be names: to the editor, a word of the dialect in the wrong place is one."""


class Extent(Record):
    """Characters and bytes of the lexemes of a line, each label as wide as a number can be.

    `raw` tells whether one of them is raw; the counts are then not exact. After `references`,
    a number is the number of a line.
    """

    characters: int = 0
    size: int = 0
    raw: bool = False
    references: bool = False
    previous: Lexeme | None = None

    def fits(self) -> bool:
        """Tell whether they fit into a line of the editor, whatever the numbers in it."""
        if self.raw:
            return False  # DATA and IMAGE share a line with no other statement
        characters = self.characters + len(f"{WIDEST} ")
        return characters <= EDITOR_COLUMNS and self.size <= EDITOR_LINE_BYTES


def extent(lexemes: Sequence[Lexeme], before: Extent | None = None) -> Extent:
    """The extent of a line with these lexemes after those that `before` has counted."""
    known = before or Extent()
    characters, size, raw = known.characters, known.size, known.raw
    references, previous = known.references, known.previous
    for lexeme in lexemes:
        kind = lexeme.kind
        raw = raw or kind is Kind.RAW
        text = WIDEST if kind is Kind.LABEL else lexeme.text
        characters += len(text) + (previous is not None and needs_blank(previous, lexeme))
        previous = lexeme
        token = t.TOKENS.get(text, 0) if kind in _WITH_TOKEN else 0
        if token:
            size += 1
            keeps = references and token in KEEP_REFERENCES
            references = keeps or (kind is Kind.KEYWORD and token in REFERENCE_LISTS)
        elif kind in _AS_WRITTEN:
            size += len(text)
            references = False
        elif kind is Kind.STRING:
            size += _HEAD + len(text[1:-1].replace('""', '"'))
        elif kind is Kind.SUBPROGRAM:
            size += _HEAD + len(text)
        elif references and text[0] != ".":
            size += _REFERENCE
        else:
            size += _HEAD + len(text)
            references = False
    return Extent(characters, size, raw, references, previous)


_ANYWHERE = ("RESTORE", "USING", "ERROR", "BREAK", "UNBREAK", "RUN")
"""Words whose references may lead out of a subprogram."""
_MOST_COMPARED = 50
"""For this many missing labels a similar one is looked for; the search takes time."""


class TooManyLines(SourceError):
    """The error of more lines than there are line numbers."""


@dataclass
class Packed:
    """Statements that share a number, and the labels of that number."""

    labels: list[str] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)

    def lexemes(self) -> list[Lexeme]:
        """The statements with `::` between them."""
        joined: list[Lexeme] = []
        for statement in self.statements:
            if joined:
                joined.append(symbol("::", statement.place))
            joined.extend(statement.lexemes)
        return joined


def fits(lexemes: Sequence[Lexeme]) -> bool:
    """Tell whether the lexemes fit into a line of the editor, whatever the numbers in it."""
    return extent(lexemes).fits()


def check_references(
    items: Iterable[Item],
    labels: Mapping[str, Place],
    report: Report,
    procs: Collection[str],
) -> list[Item]:
    """The items with every label of the user resolved: in its subprogram or, for data, in the
    program.

    Reports missing labels, labels out of reach, and names of `procs` used as labels.
    """
    result: list[Item] = []
    wrong = 0
    for item in items:
        if isinstance(item, Label) or not any(x.kind is Kind.LABEL for x in item.lexemes):
            result.append(item)
            continue
        words: list[Lexeme] = []
        before = ""
        for lexeme in item.lexemes:
            if lexeme.kind is Kind.KEYWORD:
                before = lexeme.text
            if lexeme.kind is not Kind.LABEL:
                words.append(lexeme)
                continue
            try:
                words.append(_found(lexeme, before, labels, procs, wrong < _MOST_COMPARED))
            except SourceError as error:
                report(error)
                wrong += 1
                words.append(replace(lexeme, kind=Kind.NUMBER, text=WIDEST))
        result.append(replace(item, lexemes=tuple(words)))
    return result


def _found(
    lexeme: Lexeme,
    before: str,
    labels: Mapping[str, Place],
    procs: Collection[str],
    compare: bool,
) -> Lexeme:
    """The reference with the key of its label, after the keyword `before`.

    Raises SourceError when it is missing or out of reach; `compare` suggests a similar label.
    """
    if lexeme.text.startswith("%") or lexeme.text in labels:
        return lexeme
    scope, name = lexeme.text.split(":")
    if f":{name}" in labels:
        proc = scope.startswith("PROC ")
        if before in _ANYWHERE:
            return replace(lexeme, text=f":{name}")
        raise SourceError(
            f"the label {name} is outside {scope if proc else f'SUB {scope}'}",
            remedy=f"a {'PROC' if proc else 'subprogram'} can only jump within itself",
            place=lexeme.place,
        )
    if name in procs:
        problem = f"{name} is a PROC"
        raise SourceError(problem, remedy=call_it(name), place=lexeme.place)
    known = [key.split(":")[1] for key in labels if compare and key.startswith(f"{scope}:")]
    meant = suggestion(name, known)
    remedy = meant or _to_be_put(name)
    bare = name.removeprefix("@")
    if bare != name and f"{scope}:{bare}" in labels:
        remedy = Remedy.LABELLED.of(label=bare)
    if before == "RETURN" and scope.startswith("PROC ") and not meant:
        remedy = "RETURN gives no value: set a variable, or a parameter with OUT"
        name = re.sub(r"_[0-9]+(?=\$?$)", "", name)
    raise SourceError(f"no label {name}", remedy=remedy, place=lexeme.place)


def _to_be_put(name: str) -> str:
    """What to do about a label that is nowhere."""
    from ti99tools.language.dialect.library_names import or_include

    return f"put {name}: before a line{or_include(name)}"


def simplified(items: list[Item]) -> list[Item]:
    """The items without detours: jumps to jumps, and generated jumps without effect."""
    while True:
        items = _retargeted(items)
        shorter = _without_idle_jumps(items)
        if len(shorter) == len(items):
            return shorter
        items = shorter


def _retargeted(items: list[Item]) -> list[Item]:
    """Make references to a label before a GOTO refer to the target of that GOTO."""
    leads: dict[str, str] = {}
    waiting: list[str] = []
    for item in items:
        if isinstance(item, Label):
            waiting.append(item.key)
            continue
        if item.target is not None:
            leads.update(dict.fromkeys(waiting, item.target))
        waiting = []

    def final(key: str) -> str:
        seen = {key}
        while key in leads and leads[key] not in seen:
            key = leads[key]
            seen.add(key)
        return key

    return [item if isinstance(item, Label) else _led(item, final) for item in items]


def _led(statement: Statement, final: Callable[[str], str]) -> Statement:
    """The statement with each reference replaced by its final target."""
    labels = {x.text for x in statement.lexemes if x.kind is Kind.LABEL}
    if all(final(key) == key for key in labels):
        return statement
    lexemes = (
        replace(x, text=final(x.text)) if x.kind is Kind.LABEL else x for x in statement.lexemes
    )
    return replace(statement, lexemes=tuple(lexemes))


def _without_idle_jumps(items: list[Item]) -> list[Item]:
    """Drop unreachable GOTOs, and generated ones to the next statement."""
    used = {
        x.text
        for item in items
        if isinstance(item, Statement)
        for x in item.lexemes
        if x.kind is Kind.LABEL
    }
    result: list[Item] = []
    for index, item in enumerate(items):
        if isinstance(item, Label):
            if item.key in used:
                result.append(item)
            continue
        before = result[-1] if result else None
        unreached = isinstance(before, Statement) and before.leaves
        if item.target is not None and (unreached or _leads_on(items, index)):
            continue
        result.append(item)
    return result


def _leads_on(items: list[Item], index: int) -> bool:
    """Tell whether the GOTO at `index` was generated and leads to the very next statement."""
    item = items[index]
    if isinstance(item, Label) or not item.generated:
        return False
    for following in items[index + 1 :]:
        if not isinstance(following, Label):
            return False
        if following.key == item.target:
            return True
    return False


def packed(items: Iterable[Item], *, join: bool = True) -> list[Packed]:
    """Statements packed into lines: as many in each as its limits and the labels allow."""
    lines: list[Packed] = []
    labels: list[str] = []
    closed = True
    room_used = Extent()
    for item in items:
        if isinstance(item, Label):
            labels.append(item.key)
            continue
        joined = None
        free = join and item.packing and not closed and not labels and not item.begins_line
        if lines and free:
            joined = extent([symbol("::", item.place), *item.lexemes], room_used)
        if joined is not None and joined.fits():
            lines[-1].statements.append(item)
            room_used = joined
        else:
            lines.append(Packed(labels, [item]))
            labels = []
            room_used = extent(item.lexemes)
        closed = item.is_if or item.alone or item.leaves or not item.packing
    if labels:
        # A label after the last statement still needs a line.
        end = Statement((keyword("END", Place()),), generated=True)
        lines.append(Packed(labels, [end]))
    return lines


def numbering(count: int, start: int, step: int) -> list[int]:
    """Line numbers for `count` lines; the step shrinks where they would exceed 32767.

    Raises TooManyLines.
    """
    # Only steps that people like to see in a listing.
    for width in sorted({step, 5, 2, 1}, reverse=True):
        if width <= step and start + (count - 1) * width <= MAX_LINE_NUMBER:
            return [start + i * width for i in range(count)]
    if count <= MAX_LINE_NUMBER:
        return list(range(1, count + 1))
    raise TooManyLines(
        f"{count} lines, but the last line number is {MAX_LINE_NUMBER}",
        remedy="shorten the program",
    )


def written(
    lines: Sequence[Packed], start: int, step: int, refuse: Report, fail: Report
) -> tuple[list[Entry], list[str], dict[int, list[Mark]]]:
    """The numbered lines, as tokens and text, with marks of their origin.

    What the editor would refuse goes to `refuse`, what always fails when it runs goes to `fail`,
    both with places in the source. A line that is only too long to be typed is included all the
    same. Raises TooManyLines for more lines than there are numbers.
    """
    numbers = numbering(len(lines), start, step)
    subs = set(_subs(lines))
    targets = {
        key: str(number) for number, line in zip(numbers, lines, strict=True) for key in line.labels
    }
    entries: list[Entry] = []
    listing: list[str] = []
    marks: dict[int, list[Mark]] = {}
    for row, (number, line) in enumerate(zip(numbers, lines, strict=True), 1):
        lexemes = line.lexemes()
        begins = set(starts(lexemes))
        text = f"{number} "
        marks[number] = []
        ordinal = -1
        first = line.statements[-1].lexemes[0]  # an IF is the last statement of its line
        for index, (piece, lexeme) in enumerate(pieces(lexemes, targets)):
            ordinal += index in begins
            column = len(text) + 1 + (len(piece) - len(piece.lstrip()))
            turned = lexeme is first and line.statements[-1].inverted
            marks[number].append(Mark(column, max(ordinal, 0), lexeme.place, turned))
            text += piece
        tokens = _entered(text, marks[number], refuse)
        if tokens is not None:
            entries.append(Entry(number, tokens.tokens, Place(line=row, column=1), tokens.marks))
            _check(tokens.tokens, marks[number], fail, subs)
        listing.append(to_text(text))
    return entries, listing, marks


def _entered(text: str, marks: Sequence[Mark], refuse: Report) -> MarkedLine | None:
    """The tokens of a line, None if there are none; what the editor refuses goes to `refuse`."""
    if len(text) > EDITOR_COLUMNS:
        problem = f"the line would have {len(text)} characters, the editor takes {EDITOR_COLUMNS}"
        remedy = "split it or use a block IF" if " IF " in text else "split it"
        refuse(SourceError(problem, remedy=remedy, place=marks[0].place))
        return _stored(text)
    try:
        return tokenize_marked(text)
    except EntryError as error:
        from ti99tools.language.remedies.statements import advised

        column = error.place.column or 1
        place = next((m.place for m in reversed(marks) if m.column <= column), marks[0].place)
        remedy = advised(error).remedy
        if error.xb_code == xb.LINE_TOO_LONG:
            remedy = f"split it: the editor stores {EDITOR_LINE_BYTES} bytes a line"
        refuse(SourceError(error.problem, remedy=remedy, place=place))
        return _stored(text) if error.xb_code == xb.LINE_TOO_LONG else None


def _stored(text: str) -> MarkedLine | None:
    """The tokens of a line that cannot be typed, as a program file may hold them."""
    try:
        return tokenize_marked(text, limit=MAX_LINE_BYTES)
    except EntryError:
        # Not even a program file can hold it.
        return None


def _subs(lines: Iterable[Packed]) -> Iterator[str]:
    """Names of the subprograms."""
    for line in lines:
        for statement in line.statements:
            if len(statement.lexemes) > 1 and statement.lexemes[0].is_word("SUB"):
                yield statement.lexemes[1].text


def _check(tokens: bytes, marks: Sequence[Mark], report: Report, subs: Collection[str]) -> None:
    """Report the errors with which a line always fails, with their places in the source."""
    failing_here = failures(tokens)
    if failing_here:
        from ti99tools.language.remedies.statements import advice, fails_at
    for statement, code in failing_here:
        offset = fails_at(statement, tokens)
        # Each mark is a lexeme, and each lexeme a token (DATA aside, which has no faults).
        before = sum(element.end <= offset for element in scan(tokens))
        remedy = advice(tokens, statement, code, BLOCK_WORDS, subs)
        place = marks[min(before, len(marks) - 1)].place
        report(SourceError(failing(code), remedy=remedy, place=place))
