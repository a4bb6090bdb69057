"""What to do about a line that the editor refuses."""

from __future__ import annotations

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.listing.tokenize import (
    MAX_LINE_NUMBER,
    MAX_NAME,
    EntryError,
    Refusal,
    Rule,
)
from ti99tools.language.remedies.misread_words import side_by_side
from ti99tools.language.remedies.otherbasics import BY_NUMBER, at_prompt, left_here
from ti99tools.language.remedies.worked_out import instead_at, slip_in_row

_MESSAGES = {
    xb.SYNTAX_ERROR: "the editor does not take this here",
    xb.NAME_TOO_LONG: f"use at most {MAX_NAME} characters",
    xb.BAD_LINE_NUMBER: f"use a number from 1 to {MAX_LINE_NUMBER}",
    xb.LINE_TOO_LONG: "split the line",
}
_RULES = {
    Rule.EXPONENT: "write one E",
    Rule.FIRST: "{0.words[0]} must begin its line",
    Rule.SIZE: "split the line: it has more than {0.limit} bytes of tokens",
    Rule.FORMAT: "nothing may follow the quoted format",
}


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
        return "a line begins with its number" if code else above
    if rule is Rule.COMMAND:
        (word,) = refusal.words
        return f"{word} is a command: {at_prompt(word)}"
    if rule is Rule.NAMES:
        return slip_in_row(text, index) or side_by_side(*refusal.words)
    if rule is Rule.ITEM:
        return slip_in_row(text, refusal.start) or "a comma is required"
    if rule is Rule.CALLED:
        if refusal.tokens.endswith(b"EXIT" + bytes([t.SUB])):
            return left_here("SUB")
        numbered = text[index : index + 1] in tuple("-0123456789")
        return BY_NUMBER if numbered else "a subprogram's name is required"
    if code == xb.UNRECOGNIZED_CHARACTER:
        return instead_at(text, index)
    if code == xb.UNMATCHED_QUOTES:
        return _unclosed(text[index:])
    return _MESSAGES.get(code, "")


def _unclosed(text: str) -> str:
    """What to do about a string without its end."""
    close = 'close the text with "'
    # Three quotes look like a text of one quote to people, but need a fourth.
    single = text.startswith('"""') and '"' not in text[3:]
    return f'{close}; the text of one quote is """"' if single else close
