"""Words that are misspelt, run together, or of another BASIC, where a statement fails."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.language.findings import Edit, Hint, call_it, did_you_mean, instead, one_name
from ti99tools.language.listing.listing import BEGINNINGS, NAME, Element
from ti99tools.language.remedies.otherbasics import operator_here, stated_here
from ti99tools.language.remedies.patterns import Case, text_of

BLOCK_WORDS = ("WHILE", "REPEAT", "UNTIL", "EXIT", "ELSEIF", "SELECT", "CASE", "CONST", "KEEP")
"""Words that lines of the dialect begin with besides those of Extended BASIC."""
_BLOCK_ENDS = ("ENDIF", "ENDPROC", "ENDSELECT", "ENDWHILE", "LOCAL", "PROC")
_UNNUMBERED = "{} is a word of sources without line numbers"
_OPTIONS = (t.AT, t.BEEP, t.ERASE, t.ALL, t.SIZE, t.VALIDATE, t.USING)
_PAIRS = ((t.FOR, (t.TO, t.STEP)), (t.IF, (t.THEN, t.ELSE)))
"""Words that begin a statement, and words inside it that a name or number may have swallowed."""
_BETWEEN = (t.OR, t.AND, t.XOR, t.GOTO, t.GOSUB)
"""Words between values that a name may begin with by mistake."""
_SEPARATORS = (t.COMMA, t.SEMICOLON, t.COLON, t.LPAREN)
_SHORTEST_TYPO = 4
"""Letters of a name that may be a misspelt word; shorter ones are similar to too many words."""
_LOOKALIKES = str.maketrans("OILSB", "01158")
"""Letters that scanned listings have for digits."""
_MISREAD = "[OIL][OILSB0-9]*"
_OF_NUMBER = "letters were read for digits of the line's number: "
_NUMBERED = "(?:THEN|ELSE|GOTO|GOSUB)[0-9]+(?:ELSE[0-9]+)?"
"""A name that was meant as words and line numbers: THEN100ELSE200."""


def near(word: str, known: Iterable[str]) -> str:
    """The known word most similar to `word`, first one with the same letters; empty for none.

    Of words that are equally similar the one that begins alike counts: for REN it is REM, not RUN.
    """
    known = list(known)
    letters = sorted(word)
    swapped = next((each for each in known if sorted(each) == letters), "")
    close = difflib.get_close_matches(word, known, 9)
    return swapped or max(close, key=lambda each: _likeness(word, each), default="")


def _likeness(word: str, other: str) -> tuple[float, bool]:
    """How similar two words are, and whether they begin alike and are equally long."""
    alike = other.startswith(word[:2]) and len(other) == len(word)
    return difflib.SequenceMatcher(None, other, word).ratio(), alike


def side_by_side(before: str, name: str) -> str:
    """What to do about `name` after the name `before`, which the editor refuses."""
    known = operator_here(name) or operator_here(before) or stated_here(before)
    known = known or _word_with_digits(name) or _word_with_digits(before)
    if known:
        return known
    if run_in := run_into_numbers(before) or run_into_numbers(name):
        return run_in
    if before == "FN":
        return f"write FN{name} as one name"
    if before in BLOCK_WORDS:
        return _UNNUMBERED.format(before)
    if before.endswith("$") and name.startswith("["):
        return "write subscripts in ( )"
    words = (word for word in t.TOKENS if word[0].isalpha())
    if len(before) > 2 and (meant := near(before, words)):
        return did_you_mean(meant, before)
    return 'two names cannot stand side by side; a text stands in quotes: "…"'


def swallowed(case: Case, _met: Sequence[Element]) -> str:
    """Words that a name or number has swallowed: `FORI=1TO10`, `IF A=1THEN50`."""
    own, stop = case.own, case.stop
    if stop is None:
        return ""
    first = own[0]
    for opening, inner in _PAIRS:
        word = t.KEYWORDS[opening]
        opened = first.token == NAME and first.text.startswith(word)
        if not opened and first.token != opening:
            continue
        grown = [(first.text, word)] if opened else []
        for part in (t.KEYWORDS[token] for token in inner):
            names = (e.text for e in own if e.token == NAME and stop.start >= e.start)
            grown += [(name, part) for name in names if name.startswith(part)]
        if stop.token in inner or any(name == stop.text for name, _ in grown):
            hints = [one_name(name, part) for name, part in grown]
            return Hint(", ".join(hints), hints[-1].edit) if hints else ""
    return ""


def misnumbered(case: Case, met: Sequence[Element]) -> str:
    """Letters of a line's number that look like digits: `1OO PRINT`."""
    if case.offset or any(e.token == t.EQUAL for e in case.own[1:2]):
        return ""
    name, begun = met[0].text, str(case.number or "")
    digits = read_as_digits(name)
    return instead(begun + digits, begun + name, _OF_NUMBER) if digits else ""


def misread_number(text: str) -> str:
    """Letters that look like digits where a row should begin with its number: `l10 PRINT`."""
    found = re.match(r"([^ ]+) +([A-Z]+|!)", text.upper().lstrip(" "))
    if not found or not (re.search("[0-9]", found[1]) or found[2] in t.TOKENS):
        return ""
    digits = read_as_digits(found[1])
    return instead(digits, found[1], _OF_NUMBER) if digits else ""


def stated(_case: Case, met: Sequence[Element]) -> str:
    """A statement of another BASIC."""
    return stated_here(text_of(met[0]))


def unnumbered(case: Case, met: Sequence[Element]) -> str:
    """A word of our dialect in a line with a number."""
    name = met[0].text
    known = name in (*BLOCK_WORDS, *_BLOCK_ENDS) and not case.words
    return _UNNUMBERED.format(name) if known else ""


def glued(case: Case, met: Sequence[Element]) -> str:
    """The word at the start of a name that stands alone or before a list: `GOTO100`."""
    own, name = case.own, met[0].text
    if own[1:] and own[1].token not in _SEPARATORS:
        return ""
    begun = (word for word in _known(case) if name.startswith(word) and len(word) < len(name))
    word = max(begun, key=len, default="")
    if word and name in ("ENDSUB", "EXITSUB"):
        return did_you_mean("SUBEND" if name == "ENDSUB" else "SUBEXIT", name)
    return one_name(name, word) if word else ""


def misspelt(case: Case, met: Sequence[Element]) -> str:
    """A word that begins a statement, with a mistake in it."""
    name = met[0].text
    word = near(name, _known(case))
    if not word or (len(name) < _SHORTEST_TYPO and uncalled(case, met)):
        return ""
    return did_you_mean(word, name)


def _known(case: Case) -> list[str]:
    """Words that a statement may begin with."""
    return [*(t.KEYWORDS[token] for token in BEGINNINGS), *case.words]


def uncalled(case: Case, met: Sequence[Element]) -> str:
    """A subprogram without CALL: `FOO(3)`."""
    own = case.own
    if len(own) > 1 and own[1].token == t.LPAREN and own[-1].token == t.RPAREN:
        return call_it(met[0].text, "a subprogram is called with CALL: ", "(…)")
    return ""


def two_options(_case: Case, met: Sequence[Element]) -> str:
    """Two options of ACCEPT or DISPLAY that are run together: `BEEPSIZE`."""
    name = met[-1].text
    words = [t.KEYWORDS[token] for token in _OPTIONS]
    begun = [word for word in words if name.startswith(word)]
    word = next((word for word in begun if name.removeprefix(word) in words), "")
    return one_name(name, word) if word else ""


def near_word(_case: Case, met: Sequence[Element]) -> str:
    """A misspelt word inside a statement."""
    name = met[0].text
    if len(name) < _SHORTEST_TYPO:
        return ""
    word = near(name, (word for word in t.TOKENS if word[0].isalpha()))
    return did_you_mean(word, name) if word else ""


def with_digits(_case: Case, met: Sequence[Element]) -> str:
    """A word with a digit in it that looks like its letter: `T0` for `TO`."""
    return _word_with_digits(met[0].text)


def multiplied(_case: Case, met: Sequence[Element]) -> str:
    """A number before a name: it begins a word, as in `5QR(4)`, or is a factor, as in `2B`."""
    number, name = text_of(met[0]), met[1].text
    factor = f"write an operator between {number} and {name}, as in {number}*{name}"
    known = _word_with_digits(number + name) or stated_here(name)
    return known or ("" if name.endswith("$") else factor)


def begun(case: Case, met: Sequence[Element]) -> str:
    """A name that begins with an operator word: `IF A ORB THEN`."""
    own, name = case.own, met[0]
    assigned = any(e.token == t.EQUAL and e.start == name.end for e in own)
    words = (t.KEYWORDS[token] for token in _BETWEEN)
    word = next((w for w in words if name.text.startswith(w) and name.text != w), "")
    if not word or (assigned and own[0].token != t.IF):
        return ""
    return one_name(name.text, word)


def _word_with_digits(name: str) -> str:
    """What to do about a name that looks like a word: `T0` for `TO`, `LF` for `IF`."""
    alike = name.translate(_LOOKALIKES)
    words = (word for word in t.TOKENS if word[0].isalpha() and word != name)
    word = next((word for word in words if word.translate(_LOOKALIKES) == alike), "")
    letter = next((right for right, own in zip(word, name, strict=False) if right != own), "")
    return Hint(f"did you mean {word}, with the letter {letter}?", Edit(name, word)) if word else ""


def numbers_run_in(_case: Case, met: Sequence[Element]) -> str:
    """Words and line numbers that are run together."""
    return run_into_numbers(met[0].text)


def run_into_numbers(name: str) -> str:
    """What to do about words and line numbers that are run together; empty for any other name."""
    if not re.fullmatch(_NUMBERED, name):
        return ""
    words = re.findall("[A-Z]+", name)
    edit = Edit(name, " ".join(re.findall("[A-Z]+|[0-9]+", name)))
    around = f"a space after {words[0]}"
    if len(words) > 1:
        around = f"a space after {words[0]}, and {words[1]} between spaces"
    return Hint(f"{name} is one name: put {around}", edit)


def read_as_digits(text: str) -> str:
    """The digits that letters of a scanned listing stand for; empty if they stand for none."""
    return text.translate(_LOOKALIKES) if re.fullmatch(_MISREAD, text) else ""


def misread(own: Sequence[Element]) -> str:
    """A number with letters in it that look like digits, as scanned listings have: `1O`."""
    found = (digits_in(*pair) for pair in pairwise(own))
    return next(filter(None, found), "")


def more_digits(_case: Case, met: Sequence[Element]) -> str:
    """A number with letters in it that look like digits."""
    return digits_in(*met)


def two_points(_case: Case, met: Sequence[Element]) -> str:
    """A number with a second decimal point."""
    text = text_of(met[0])
    return f"{text} has a second point" if text.count(".") > 1 else ""


def digits_in(first: Element, second: Element) -> str:
    """What to do about a number and a name after it that is meant as more digits."""
    if first.token not in (t.UNQUOTED, t.LINE_NUMBER) or second.token != NAME:
        return ""
    if not re.fullmatch(_MISREAD, second.text):
        return ""
    digits = text_of(first)
    right = digits + second.text.translate(_LOOKALIKES)
    return instead(right, f"{digits}{second.text}", "letters were read for digits: ")


def lookalike(name: str, others: Collection[str]) -> str:
    """What to do about a name that is never set, if it looks like a number or another name."""
    if name in ("O", "L", "I"):
        return f"set it, or write the digit {name.translate(_LOOKALIKES)} if that is meant"
    alike = name.translate(_LOOKALIKES)
    other = next((o for o in others if o != name and o.translate(_LOOKALIKES) == alike), "")
    return f"did you mean {other}? They differ in a letter that looks like a digit" if other else ""
