"""The statements of a line: where each ends, and which of their words are labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ti99tools.base.errors import Place, SourceError
from ti99tools.base.record import Record
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, strictly
from ti99tools.language.findings import Edit, EditKind, Hint
from ti99tools.language.remedies.worked_out import one_loop

_REFERENCES = ("RESTORE", "RETURN", "RUN", "BREAK", "UNBREAK")
_LEAVES = ("GOTO", "RETURN", "STOP", "END", "SUBEXIT", "SUBEND", "RUN")
"""Statements that never continue with the next one."""
_NEVER_IN_IF = frozenset(
    ["FOR", "NEXT", "DIM", "DATA", "DEF", "IMAGE", "OPTION", "REM", "SUB", "SUBEND"]
)
_ALONE = frozenset(["DATA", "IMAGE", "DEF", "OPTION", "REM", "BREAK"])
"""Statements that share a line with no other; after a BREAK in mid-line CON is a SYNTAX ERROR."""

_BEFORE_STATEMENT = ("::", "THEN", "ELSE")
_PARTING = (Kind.SYMBOL, Kind.KEYWORD, Kind.NAME)

ENDED_WITH_END = ("IF", "PROC", "SELECT", "WHILE")
"""Blocks that are closed by END and their word."""


class Statement(Record):
    """A statement; a one-line IF with all that belongs to it is one.

    `inverted`: an IF whose condition is the opposite of the written one.
    """

    lexemes: tuple[Lexeme, ...]
    packing: bool = True
    generated: bool = False
    inverted: bool = False

    @property
    def place(self) -> Place:
        """The file, line and column of its first lexeme."""
        return self.lexemes[0].place

    @property
    def word(self) -> str:
        """Its first keyword, LET if there is none; GOTO and GOSUB also for GO TO and GO SUB."""
        first = self.lexemes[0]
        if first.is_word("GO") and len(self.lexemes) > 1:
            return "GOTO" if self.lexemes[1].is_word("TO") else "GOSUB"
        return first.text if first.kind is Kind.KEYWORD else "LET"

    @property
    def is_if(self) -> bool:
        return self.word == "IF"

    @property
    def leaves(self) -> bool:
        """Tell whether control never goes on to what follows."""
        return self.word in _LEAVES

    @property
    def alone(self) -> bool:
        """Tell whether it must have a line to itself."""
        return self.word in _ALONE

    @property
    def begins_line(self) -> bool:
        """Tell whether nothing may come before it in its line."""
        return self.alone or self.word == "SUB"

    @property
    def fits_if(self) -> bool:
        """Tell whether it may stand in a one-line IF."""
        return self.word not in _NEVER_IN_IF | _ALONE

    @property
    def target(self) -> str | None:
        """The label of an unconditional GOTO, else None."""
        last = self.lexemes[-1]
        return last.text if last.kind is Kind.LABEL and self.word == "GOTO" else None


def keyword(word: str, at: Place) -> Lexeme:
    """A keyword added by the generator."""
    return Lexeme(Kind.KEYWORD, word, at)


def symbol(text: str, at: Place) -> Lexeme:
    """A symbol added by the generator."""
    return Lexeme(Kind.SYMBOL, text, at)


def goto(label: str, at: Place) -> Statement:
    """A jump added by the generator."""
    return Statement((keyword("GOTO", at), Lexeme(Kind.LABEL, label, at)), generated=True)


_BEGIN = frozenset(
    """
    ACCEPT CALL CLOSE DIM DISPLAY END FOR GO GOSUB GOTO IF INPUT LET LINPUT NEXT ON OPEN PRINT
    RANDOMIZE READ RESTORE RETURN STOP SUBEXIT
    """.split()
)
"""Words that begin a statement, and in no statement follow a single colon."""


def with_separators(lexemes: Sequence[Lexeme], report: Report) -> list[Lexeme]:
    """The lexemes of a line with `::` for each `:` that was meant to separate statements.

    Reports only the colons that hide a word on which blocks may depend. Lint reports the others.
    """
    result = list(lexemes)
    first = 0
    for index, lexeme in enumerate(lexemes[:-1]):
        if lexeme.is_symbol("::"):
            first = index + 1
        if not lexeme.is_symbol(":"):
            continue
        if lexemes[first].is_word("FOR") or lexemes[index + 1].is_word(*_BEGIN):
            remedy = Hint("separate statements with ::", Edit(":", "::", EditKind.PART))
            problem = "a single : does not separate statements"
            report(SourceError(problem, remedy=remedy, place=lexeme.place))
            result[index] = replace(lexeme, text="::")
            first = index + 1
    return result


def with_one_variable(lexemes: tuple[Lexeme, ...], report: Report) -> list[tuple[Lexeme, ...]]:
    """The statement; a NEXT with several variables is reported, and becomes one NEXT for each."""
    first = lexemes[0]
    if not first.is_word("NEXT"):
        return [lexemes]
    names, commas = lexemes[1::2], lexemes[2::2]
    is_list = all(x.kind is Kind.NAME for x in names) and all(x.is_symbol(",") for x in commas)
    if not commas or len(names) == len(commas) or not is_list:
        return [lexemes]
    report(
        SourceError(
            "NEXT with more than one variable",
            remedy=one_loop(*(x.text for x in names)),
            place=commas[0].place,
        )
    )
    return [(replace(first, place=name.place), name) for name in names]


def split_statements(
    lexemes: Sequence[Lexeme], report: Report = strictly
) -> list[tuple[Lexeme, ...]]:
    """The statements of a line; an IF takes the rest of the line with it.

    Reports an empty statement before or between `::`, and leaves it out.
    """
    statements: list[tuple[Lexeme, ...]] = []
    start = 0
    for index, lexeme in enumerate(lexemes):
        if lexemes[start].text == "IF" and lexemes[start].is_word("IF"):
            break
        if lexeme.text == "::" and lexeme.kind is Kind.SYMBOL:
            if index == start:
                report(
                    SourceError("an empty statement", remedy="remove the ::", place=lexeme.place)
                )
            else:
                statements.append(tuple(lexemes[start:index]))
            start = index + 1
            if start == len(lexemes):
                return statements
    if start < len(lexemes):
        statements.append(tuple(lexemes[start:]))
    return statements


def starts(lexemes: Sequence[Lexeme]) -> list[int]:
    """The indexes where statements begin, those after THEN and ELSE included."""
    indexes = [0]
    for index, lexeme in enumerate(lexemes[:-1]):
        if lexeme.text in _BEFORE_STATEMENT and lexeme.kind in _PARTING:
            follower = lexemes[index + 1]
            if follower.kind not in (Kind.LABEL, Kind.NUMBER):
                indexes.append(index + 1)
    return indexes


def left_to_else(lexemes: Sequence[Lexeme], resumes: bool) -> list[int]:
    """The indexes of each ELSE of a one-line IF into whose part a RETURN would come.

    After a GOSUB, RETURN looks for the next `::` of the line, and does not stop at ELSE (recorded).
    So does RETURN NEXT after any statement that fails: with `resumes`, statements count whose
    errors programs expect, those of files and machine code, and VAL.
    """
    found: list[int] = []
    begins = starts(lexemes)
    for at, lexeme in enumerate(lexemes):
        if not lexeme.is_word("ELSE") or not any(x.is_symbol("::") for x in lexemes[at:]):
            continue
        begin = max(index for index in begins if index < at)
        if any(x.is_word("THEN", "ELSE") for x in lexemes[begin + 1 : at]):
            continue  # what stands between is a label
        last = Statement(tuple(lexemes[begin:at]))
        calls = last.word == "GOSUB" or (
            last.word == "ON" and any(x.is_word("GOSUB", "SUB") for x in last.lexemes)
        )
        if calls or (resumes and _is_expected_to_fail(last)):
            found.append(at)
    return found


def _is_expected_to_fail(statement: Statement) -> bool:
    word, words = statement.word, statement.lexemes
    if word == "CALL":
        return words[1].text in ("INIT", "LINK", "LOAD")
    if any(x.is_word("VAL") for x in words):
        return True
    numbered = any(x.is_symbol("#") for x in words[1:2])
    return word in ("OPEN", "CLOSE", "DELETE") or (numbered and word != "CALL")


def with_references(lexemes: Sequence[Lexeme], report: Report) -> list[Lexeme]:
    """The lexemes with names turned into LABEL where the statement refers to a line.

    Reports a line number in such a place.
    """
    result = list(lexemes)
    index = 0
    while index < len(result):
        lexeme = result[index]
        index += 1
        if lexeme.kind is not Kind.KEYWORD:
            continue
        before = result[index - 2] if index > 1 else None
        go = before is not None and before.is_word("GO") and lexeme.text in ("TO", "SUB")
        if before is not None and before.is_word("BREAK") and result[0].is_word("ON"):
            # ON BREAK takes no line number; `layout` reports what does not belong after it.
            continue
        if go or lexeme.text in ("GOTO", "GOSUB", *_REFERENCES):
            index = _mark_list(result, index, report)
        elif lexeme.text in ("THEN", "ELSE"):
            if index < len(result) and _ends(result, index + 1):
                _mark(result, index, report)
        elif (
            lexeme.text == "ERROR"
            and before is not None
            and before.is_word("ON")
            and not (index < len(result) and result[index].is_word("RESUME"))
        ) or (lexeme.text == "USING" and index < len(result) and result[index].kind is Kind.NAME):
            _mark(result, index, report)
    return result


def _ends(lexemes: Sequence[Lexeme], index: int) -> bool:
    """Tell whether a branch of an IF ends at `index`."""
    if index >= len(lexemes):
        return True
    return lexemes[index].is_symbol("::") or lexemes[index].is_word("ELSE")


def _mark_list(lexemes: list[Lexeme], index: int, report: Report) -> int:
    while _mark(lexemes, index, report):
        index += 1
        if index >= len(lexemes) or not lexemes[index].is_symbol(","):
            break
        index += 1
    return index


def _mark(lexemes: list[Lexeme], index: int, report: Report) -> bool:
    if index >= len(lexemes):
        return False
    lexeme = lexemes[index]
    if lexeme.kind is Kind.NUMBER:
        report(
            SourceError(
                f"line number {lexeme.text} in a source without line numbers",
                remedy="put a label there and name it here",
                place=lexeme.place,
            )
        )
        return True
    if lexeme.kind is not Kind.NAME or lexeme.text in ("EXIT",) or lexeme.text.endswith("$"):
        return False
    lexemes[index] = replace(lexeme, kind=Kind.LABEL)
    return True


def check_branches(statement: Statement, report: Report) -> None:
    """Report statements after THEN or ELSE that cannot stand there."""
    if not statement.is_if:
        return
    for lexeme in statement.lexemes:
        if lexeme.is_word("ELSEIF"):
            report(
                SourceError(
                    "ELSEIF is not allowed in a one-line IF",
                    remedy="use IF … THEN and END IF on lines of their own",
                    place=lexeme.place,
                )
            )
    for index in starts(statement.lexemes)[1:]:
        inner = statement.lexemes[index]
        following = statement.lexemes[index + 1 : index + 2]
        after = following[0] if following else inner
        closes = inner.is_word("END") and after.is_word(*ENDED_WITH_END)
        never = inner.kind is Kind.KEYWORD and inner.text in _NEVER_IN_IF
        opens = inner.is_word("SELECT") and after.is_word("CASE")
        if never or closes or opens or inner.is_word("WHILE", "REPEAT", "UNTIL", "ENDIF"):
            word = inner.text + (f" {after.text}" if closes or opens else "")
            report(
                SourceError(
                    f"{word} is not allowed in a one-line IF",
                    remedy="use IF … THEN and END IF on lines of their own",
                    place=inner.place,
                )
            )
