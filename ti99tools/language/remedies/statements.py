"""What to do about a line that the editor refuses, and a statement that always fails.

The console only says SYNTAX ERROR. The slip shows in the tokens where the console stops. Common
slips are distinguished by `table`, for lint and the dialect.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.findings import instead
from ti99tools.language.listing.listing import NAME, Element, scan
from ti99tools.language.listing.tokenize import MAX_LINE_NUMBER, MAX_NAME, EntryError, Refusal, Rule
from ti99tools.language.remedies.misread_words import misread_number, side_by_side
from ti99tools.language.remedies.otherbasics import BY_NUMBER, at_prompt, left_here
from ti99tools.language.remedies.patterns import Case, Slip
from ti99tools.language.remedies.table import MISMATCHES, MISSING, SLIPS
from ti99tools.language.remedies.worked_out import instead_at, slip_in_row
from ti99tools.language.syntax import statements as st

_TABLES = {xb.SYNTAX_ERROR: SLIPS, xb.STRING_NUMBER_MISMATCH: MISMATCHES}
_MESSAGES = {
    xb.SYNTAX_ERROR: "the editor does not take this here",
    xb.NAME_TOO_LONG: f"use at most {MAX_NAME} characters",
    xb.BAD_LINE_NUMBER: f"use a number from 1 to {MAX_LINE_NUMBER}",
    xb.LINE_TOO_LONG: "split the line",
}
_PATTERN = r"[0-9A-Fa-f]+(?![\w$])"
"""A pattern of CALL CHAR without its quotes."""
_RULES = {
    Rule.EXPONENT: "write one E",
    Rule.FIRST: "{0.words[0]} must begin its line",
    Rule.SIZE: "split the line: it has more than {0.limit} bytes of tokens",
    Rule.FORMAT: "nothing may follow the quoted format",
}


def fails_at(statement: st.Statement, tokens: bytes) -> int:
    """The offset of the token at which `statement` fails.

    That of its first token if that is the wrong word, or if the failing one is unknown.
    """
    own = _own(tokens, statement)
    if own and own[0].token == NAME and all(e.token != t.EQUAL for e in own):
        return statement.at
    stopped = statement.fault is not None and statement.end < len(tokens)
    return statement.end if stopped else statement.at


def closes_block(tokens: bytes, end: st.Statement) -> str:
    """What to do about END and the word of a block, as in `END IF`; empty for any other END."""
    following = _own(tokens, end)[1:2]
    word = "".join(e.text if e.token == NAME else t.KEYWORDS.get(e.token, "") for e in following)
    if word in ("SUB", "FUNCTION"):
        return "a SUB ends with SUBEND"
    if word in ("IF", "PROC", "SELECT", "WHILE"):
        return "remove it: blocks are for sources without line numbers"
    return ""


def advice(
    tokens: bytes,
    statement: st.Statement,
    code: int,
    words: Sequence[str] = (),
    subs: Collection[str] = (),
    number: int = 0,
) -> str:
    """What to do about `statement` of a line, which fails with the error `code`.

    `words` are what statements may begin with besides the words of Extended BASIC, `subs` the
    program's own subprograms, `number` the line's (0 if the source has none).
    """
    slip = slip_of(tokens, statement, code, words, subs, number)
    if slip is not None:
        return slip[1]
    own = _own(tokens, statement)
    if code == xb.IMPROPERLY_USED_NAME and own[1:] and own[0].token == t.FOR:
        return f"count with a number: FOR {own[1].text.rstrip('$')}"
    if code != xb.SYNTAX_ERROR:
        return "correct the statement"
    return "something is missing or wrong in it" if own else MISSING


def slip_of(
    tokens: bytes,
    statement: st.Statement,
    code: int,
    words: Sequence[str] = (),
    subs: Collection[str] = (),
    number: int = 0,
) -> tuple[Slip, str] | None:
    """The slip in a statement that fails, and what to do about it; see `advice`."""
    own = _own(tokens, statement)
    if not own or code not in _TABLES:
        return None
    stop = None
    if statement.fault is not None:
        stop = next((e for e in own if e.start >= statement.end), None)
    return _TABLES[code].first(Case(own, stop, statement.at, words, subs, number))


def _own(tokens: bytes, statement: st.Statement) -> list[Element]:
    """The elements of the statement, up to the next `::`."""
    own: list[Element] = []
    for element in scan(tokens):
        if element.start >= statement.at:
            if element.token == t.STATEMENT_SEP:
                break
            own.append(element)
    return own


def advised(error: EntryError) -> EntryError:
    """The refusal with what to do about it."""
    if error.remedy or error.refusal is None:
        return error
    return error.moved(error.place, _remedy(error.xb_code, error.refusal))


def _remedy(code: int, refusal: Refusal) -> str:
    rule, text, index = refusal.rule, refusal.text, refusal.at
    if rule in _RULES:
        return _RULES[rule].format(refusal)
    if rule is Rule.NUMBER:
        above = f"begin it with a number from 1 to {MAX_LINE_NUMBER}, or join it to the one above"
        return misread_number(text) or ("a line begins with its number" if code else above)
    if rule is Rule.COMMAND:
        (word,) = refusal.words
        return f"{word} is a command: {at_prompt(word)}"
    if rule is Rule.NAMES:
        before, name = refusal.words
        typed = text[:index].upper().split()[-1]  # the scanner takes 1F for a number and a name
        before = typed if re.fullmatch(rf"[0-9]+{re.escape(before)}", typed) else before
        return slip_in_row(text, index) or side_by_side(before, name)
    if rule is Rule.ITEM:
        return slip_in_row(text, refusal.start) or "a comma is required"
    if rule is Rule.CALLED:
        if refusal.tokens.endswith(b"EXIT" + bytes([t.SUB])):
            return left_here("SUB")
        numbered = text[index : index + 1] in tuple("-0123456789")
        return BY_NUMBER if numbered else "a subprogram's name is required"
    if code == xb.UNRECOGNIZED_CHARACTER:
        return instead_at(text, index)
    if code == xb.NAME_TOO_LONG and (pattern := re.match(_PATTERN, text[index:])):
        return instead(f'"{pattern.group()}"', pattern.group())
    if code == xb.BAD_LINE_NUMBER and re.search("[0-9] +$", text[:index]):
        return "leave out the space in the number"
    if code == xb.UNMATCHED_QUOTES:
        return _unclosed(text[index:])
    return _MESSAGES.get(code, "")


def _unclosed(text: str) -> str:
    """What to do about a string without its end."""
    close = 'close the text with "'
    # Three quotes look like a text of one quote to people, but need a fourth.
    single = text.startswith('"""') and '"' not in text[3:]
    return f'{close}; the text of one quote is """"' if single else close
