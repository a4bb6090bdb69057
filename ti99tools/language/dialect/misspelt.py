"""Misspelt words of blocks: what was meant, so that the block is still understood.

Only words that open, divide and close blocks matter here. A misspelt PRINT affects only itself and
is reported where lines are judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect.lexer import KEYWORDS, Kind, Lexeme, Report
from ti99tools.language.dialect.statements import ENDED_WITH_END, Statement, keyword
from ti99tools.language.listing.habits import stated_here
from ti99tools.language.listing.hints import did_you_mean
from ti99tools.language.listing.remedies import BLOCK_WORDS, near

_BLOCKS = frozenset(
    """
    FOR NEXT IF ELSE ELSEIF ENDIF WHILE WEND ENDWHILE REPEAT UNTIL SUB SUBEND SELECT CASE
    ENDSELECT PROC LOCAL
    """.split()
)
_KNOWN = tuple({*KEYWORDS, *BLOCK_WORDS, *_BLOCKS})
_INSTEAD = {
    "FOR": ("a FOR ends with NEXT and its variable", "NEXT"),
    "SUB": ("a SUB ends with SUBEND", "SUBEND"),
    "REPEAT": ("a REPEAT ends with UNTIL and a condition", "UNTIL"),
}
"""What other languages close with END: what to do, and the word for it here."""


def put_right(lexemes: tuple[Lexeme, ...], report: Report) -> tuple[Lexeme, ...]:
    """Report a misspelt word of a block; the statement with the right word."""
    first = lexemes[0]
    ended = _ended(lexemes)
    if ended in _INSTEAD:
        remedy, word = _INSTEAD[ended]
        shown = first.text + ("" if first.kind is Kind.NAME else f" {ended}")
        report(SourceError(f"unknown word {shown}", remedy=remedy, place=first.place))
        more = (Lexeme(Kind.NUMBER, "1", first.place),) if word == "UNTIL" else ()
        return (keyword(word, first.place), *more)
    if first.is_word("END") and len(lexemes) == 2 and lexemes[1].kind is Kind.NAME:
        return first, _corrected(lexemes[1], ENDED_WITH_END, report)
    if first.kind is Kind.NAME:
        return _beginning(lexemes, report)
    last = lexemes[-1]
    opens = first.is_word("IF", "ELSEIF") or (first.is_word("ELSE") and len(lexemes) > 2)
    if opens and last.kind is Kind.NAME and not any(x.is_word("THEN") for x in lexemes):
        return (*lexemes[:-1], _corrected(last, ("THEN",), report))
    return lexemes


def unopened(kind: str, before: Iterable[object]) -> str:
    """The remedy for the end of a block that is not open; `before` is the statement right above."""
    if kind == "IF" and any(isinstance(each, Statement) and each.is_if for each in before):
        return "the IF above ended with its line: write what is after its THEN on the next line"
    return "remove it or open the block"


def _ended(lexemes: Sequence[Lexeme]) -> str:
    """What END, alone or run together with a word, is said to close; empty for anything else."""
    first = lexemes[0]
    if first.is_word("END") and len(lexemes) > 1:
        return lexemes[1].text
    alone = len(lexemes) == 1 and first.text.startswith("END")
    return first.text.removeprefix("END") if alone else ""


def _beginning(lexemes: tuple[Lexeme, ...], report: Report) -> tuple[Lexeme, ...]:
    """Correct the first word of a statement that cannot be an assignment."""
    first = lexemes[0]
    if _assigns(lexemes):
        glued = first.text.startswith("FOR") and any(x.is_word("TO") for x in lexemes)
        if not glued:
            return lexemes
        name = first.text.removeprefix("FOR")
        remedy = f"write FOR {name}".rstrip()
        report(SourceError(f"{first.text} is one name", remedy=remedy, place=first.place))
        return (keyword("FOR", first.place), *lexemes)
    loops = any(x.is_symbol("=") or x.is_word("TO") for x in lexemes)
    if not loops and near(first.text, _KNOWN) == "FOR":
        return lexemes
    ends = len(lexemes) == 2 and lexemes[1].is_word(*ENDED_WITH_END)
    return (_corrected(first, _KNOWN, report, {*_BLOCKS, "END"} if ends else _BLOCKS), *lexemes[1:])


def _corrected(
    wrong: Lexeme, known: Sequence[str], report: Report, wanted: Set[str] = frozenset()
) -> Lexeme:
    """The word most similar to `wrong`, if it is one of `wanted` (default: any)."""
    word = near(wrong.text, known)
    if word == wrong.text or word not in (wanted or known) or stated_here(wrong.text):
        return wrong
    report(
        SourceError(
            f"unknown word {wrong.text}",
            remedy=did_you_mean(word, wrong.text),
            place=wrong.place,
        )
    )
    return replace(wrong, kind=Kind.KEYWORD, text=word)


def _assigns(lexemes: Sequence[Lexeme]) -> bool:
    """Tell whether a name at the beginning gets a value: `A=`, `A,B=` or `A(…)=`."""
    depth = 0
    for lexeme in lexemes[1:]:
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if depth == 0 and not lexeme.is_symbol(")"):
            return lexeme.is_symbol("=", ",")
    return False
