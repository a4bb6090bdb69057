"""Slips that show where a writer comes from, where a pattern of tokens (`table`) does not do.

Characters that no program line accepts where they are, rows that the editor refuses, texts with
codes of magazines; and the answers to patterns that take some working out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ti99tools.base import tokens as t
from ti99tools.base.basic import LAST_CODE
from ti99tools.language.findings import Edit, EditKind, ForeignWord, Hint, call_it, instead
from ti99tools.language.listing.listing import NAME, Element, commas_in
from ti99tools.language.remedies.otherbasics import in_brackets, operator_here, written_here
from ti99tools.language.remedies.patterns import Case, text_of
from ti99tools.language.syntax.subparser import MAX_DIMENSIONS

ANYWHERE = "remove it or put it into quotes"
"""What to do about any other character."""
_FOREIGN = {
    "?": "write PRINT instead of ?",
    "'": 'write " around a text, ! before a comment',
    "%": "leave it out: all numbers are of one kind; the rest of a division is A-INT(A/B)*B",
    "|": "write OR instead of ||",
    "$": "numbers are decimal; names of texts end in $: A$",
    "{": "write ( instead of {; a block is IF … THEN and END IF on lines of their own",
    "}": "write ) instead of }; a block is IF … THEN and END IF on lines of their own",
    "’": 'write " around a text, ! before a comment',
    "‘": 'write " around a text, ! before a comment',
    "−": "write - instead of −",
    "–": "write - instead of –",
    "×": "write * instead of ×",
    "÷": "write / instead of ÷",
    "↑": "write ^ instead of ↑",
    "≠": "write <> instead of ≠",
    "≤": "write <= instead of ≤",
    "≥": "write >= instead of ≥",
}
"""What to do about signs of other BASICs, of typesetters and of word processors."""
_MEANT = {"“": '"', "”": '"', "„": '"', "−": "-", "–": "-", "×": "*", "÷": "/", "↑": "^"}
WINDOWS = "\x91\x92\x93\x94\x84\x96"
"""Quotes and dashes of Windows (code page 1252), in a text that is read as Latin-1."""
_EDITS = {sign: Edit(sign, right, EditKind.SIGN) for sign, right in _MEANT.items()} | {
    "≠": Edit("≠", "<>", EditKind.SIGN),
    "≤": Edit("≤", "<=", EditKind.SIGN),
    "≥": Edit("≥", ">=", EditKind.SIGN),
    "?": Edit("?", "PRINT "),
    "|": Edit("||", " OR "),
}
"""The corrections of signs that can mean only one thing."""


def instead_of(char: str) -> str:
    """What to do about a character that no program line accepts where it is."""
    if char == "\t":
        return "replace the tab by spaces"
    if char in WINDOWS:
        return str(instead_of(char.encode("latin-1").decode("cp1252")))
    if char in "“”„":
        return Hint(f'write " instead of {char}', _EDITS[char])
    if char in _FOREIGN:
        return Hint(_FOREIGN[char], _EDITS.get(char))
    if ord(char) > LAST_CODE:
        return f"the console has no {char}: write something else"
    return ANYWHERE


LAST_PATTERN = 159
"""The last character code that CHARPAT accepts."""
_COUNTED = r"(?i)\{ *[0-9]* *SPACES? *\}"
"""Spaces as magazines print them: `{4 SPACES}`."""
_CONTROL = r"(?i)\{ *[0-9]* *(?:CLR|CLEAR|HOME|DOWN|UP|LEFT|RIGHT|(?:RVS|REV) ?(?:ON|OFF)?) *\}"
"""What moves the cursor on other computers, as magazines print it: `{CLR}`."""
_BASED = "[HOB][0-9A-F]+"
_HEX_AFTER_0 = "X[0-9A-F]+"
_BASES = {"H": 16, "O": 8, "B": 2}
NO_DOLLAR = "leave it out: a subprogram gives no text, its parameters do"
_OF_SUBPROGRAM = r"\b(?:CALL|SUB) +[A-Za-z_]\w*$"
_DEVICE = "DSK[1-9]?|PIO|RS232"
_DOTTED = r"([A-Za-z_]\w*)\.$"
"""A name and a dot, as records of other languages have: `PLAYER.X`."""

COMMENT = "begin a comment with !"
TWICE = "write a quote inside a text twice"
_QUOTED = '"[^"]*"'
_QUOTE_INSIDE = '"(?:[^"]|"")*"[A-Za-z0-9][^"]*"'
_COMMENT_FIRST = r" *[0-9]* *(?:#|--|;|/\*|\*)"


def dotted(name: str, member: str) -> tuple[str, str]:
    """What is wrong with `name.member` outside of quotes, and what to do."""
    if re.fullmatch(_DEVICE, name, re.IGNORECASE):
        return "a file's name stands in quotes", f'write "{name}.{member}"'
    return "a name has no dot", f"write {name}_{member.replace('.', '_')}"


def instead_at(text: str, index: int) -> str:
    """What to write instead of the character at `index` of a row that is refused there."""
    if text[index : index + 1] == "$" and re.search(_OF_SUBPROGRAM, text[:index], re.IGNORECASE):
        return NO_DOLLAR
    return instead_of(text[index : index + 1])


def slip_in_row(text: str, index: int) -> str:
    """What to do about a row that is refused at `index`; empty where its signs do not tell.

    Before that may be a comment of another language, a name with a dot, or a string with a quote
    inside.
    """
    outside = re.sub(_QUOTED, lambda match: " " * len(match.group()), text)
    if 0 <= outside.find("//") <= index or re.match(_COMMENT_FIRST, text):
        return COMMENT
    if found := re.search(_DOTTED, text[:index]):
        following = re.split(r"[ =,:]", text[index:].strip(), maxsplit=1)[0]
        return ": ".join(dotted(found.group(1), following))
    quoted = re.search(_QUOTE_INSIDE, text)
    return TWICE if quoted and quoted.start() <= index else ""


def in_text(text: str) -> tuple[str, str] | None:
    """What is odd in a text between quotes, and what to do; None if nothing is."""
    braces = "{" in text
    if braces and (counted := re.search(_COUNTED, text)):
        return f"{counted.group()} is shown as it stands", "write the spaces that it stands for"
    if braces and (control := re.search(_CONTROL, text)):
        remedy = "write CALL CLEAR for an empty screen, DISPLAY AT(row,column): for a place"
        return f"{control.group()} is shown as it stands", remedy
    # Among other codes that are no text, the 9 is hardly meant as a tab.
    if "\t" in text and text.replace("\t", "").isascii() and text.replace("\t", "").isprintable():
        return "the console has no tabs: one is shown as any sign, in one column", "write spaces"
    code = next((ord(letter) for letter in text if ord(letter) > LAST_PATTERN), 0)
    if not code:
        return None
    return (
        f"the character {chr(code)} (code {code}) has no pattern on the console",
        f"use codes up to {LAST_PATTERN} for what is shown",
    )


def unprinted(case: Case, _met: Sequence[Element]) -> str:
    """A statement that is a text: forgotten, or cut off from its PRINT by two colons."""
    colons = "; if the :: before it is of a PRINT, put a space between the colons"
    return f"write PRINT before the text{colons if case.offset else ''}"


def next_of(name: str) -> Hint:
    """What to do about a bare NEXT that ends the FOR of the variable `name`."""
    words = f"name the variable of its FOR: NEXT {name}"
    return Hint(words, Edit("NEXT", f"NEXT {name}", EditKind.NEXT))


def one_loop(*names: str) -> Hint:
    """What to do about a NEXT with several variables: `NEXT J,I`."""
    words = " :: ".join(f"NEXT {name}" for name in names)
    edit = Edit(",", " :: NEXT ", EditKind.PART)
    return Hint(f"NEXT ends one loop: write {words}", edit)


def loops(case: Case, _met: Sequence[Element]) -> str:
    """A NEXT with several variables."""
    return one_loop(*(e.text for e in case.own if e.token == NAME))


def own_sub(case: Case, met: Sequence[Element]) -> str:
    """The name of a subprogram of the program at the beginning of a statement."""
    name = met[0].text
    return call_it(name, f"{name} is a subprogram: ") if name in case.subs else ""


def operator(_case: Case, met: Sequence[Element]) -> str:
    """An operator of other BASICs."""
    return operator_here(met[0].text)


def function(_case: Case, met: Sequence[Element]) -> str:
    """A function of other BASICs; a name is one before a parenthesis, or if it ends in $."""
    called = len(met) > 1 or met[0].text.endswith("$")
    return written_here(met[0].text) if called else ""


def hexadecimal(_case: Case, met: Sequence[Element]) -> str:
    """A number like `0xFF`, of which the editor makes 0 and the name XFF."""
    name = met[1].text
    if not re.fullmatch(_HEX_AFTER_0, name):
        return ""
    return instead(str(int(name[1:], 16)), f"0{name}", "numbers are decimal: ")


def based(_case: Case, met: Sequence[Element]) -> str:
    """A hexadecimal, octal or binary number: `&HFF`."""
    text = met[-1].text
    if not re.fullmatch(_BASED, text):
        return ""
    try:
        value = int(text[1:], _BASES[text[0]])
    except ValueError:
        return ""
    remedy = instead(str(value), f"&{text}", "numbers are decimal: ")
    return Hint(remedy, remedy.edit, ForeignWord(f"&{text}"))


def undimensioned(case: Case, _met: Sequence[Element]) -> str:
    """A name in DIM that is given no size: `DIM A(10),B`."""
    own, depth = case.own, 0
    for at, element in enumerate(own):
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        sized = own[at + 1 : at + 2] and own[at + 1].token == t.LPAREN
        if element.token == NAME and depth == 0 and not sized:
            return in_brackets(element.text) or f"leave out {element.text}: DIM is for arrays"
    return ""


def procedure(_case: Case, met: Sequence[Element]) -> str:
    """A procedure as BBC BASIC begins it: `DEF PROCHELLO`."""
    name = met[1].text
    return f"write PROC {name[4:]} … END PROC" if name.startswith("PROC") else ""


def parentheses(case: Case, _met: Sequence[Element]) -> str:
    """A parenthesis too few or too many."""
    opened = sum((e.token == t.LPAREN) - (e.token == t.RPAREN) for e in case.own)
    if opened > 0:
        return "a ) is missing"
    return "there is a ) too many" if opened < 0 else ""


def between_values(case: Case, _met: Sequence[Element]) -> str:
    """A ; or : in parentheses, where only commas separate values: `CALL HCHAR(1;1,65)`."""
    depth = 0
    for element in case.own:
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        if depth > 0 and element.token in (t.SEMICOLON, t.COLON):
            return f"write , instead of {text_of(element)}"
    return ""


def dimensions(case: Case, met: Sequence[Element]) -> str:
    """An array with more dimensions than allowed: `DIM A(1,1,1,1,1,1,1,1)`."""
    own = case.own
    if own[0].token in (t.CALL, t.SUB):
        return ""
    commas = commas_in(own[own.index(met[1]) :])
    many = f"{met[0].text} has more than {MAX_DIMENSIONS} dimensions"
    return many if commas >= MAX_DIMENSIONS else ""


def thousands(case: Case, met: Sequence[Element]) -> str:
    """A number with commas in it, as people write them: `1,000,000`."""
    at = case.own.index(met[-2]) - 1
    parts = [text_of(case.own[at])]
    for comma, part in zip(case.own[at + 1 :: 2], case.own[at + 2 :: 2], strict=False):
        if comma.token != t.COMMA or not re.fullmatch("[0-9]{3}", text_of(part)):
            break
        parts.append(text_of(part))
    wrong = ",".join(parts)
    return instead("".join(parts), wrong) if len(parts) > 1 else ""


def second_number(case: Case, met: Sequence[Element]) -> str:
    """A line's number that is not at the beginning of its row, or has a space in it."""
    if case.offset:
        return "a line begins in a row of its own"
    if case.number:
        return f"leave out the space in the number: {case.number}{text_of(met[0])}"
    return "all lines of a source have numbers, or none has one"


def part_of_text(case: Case, _met: Sequence[Element]) -> str:
    """A colon in parentheses, with which other BASICs cut a text."""
    return "a part of a text is SEG$(text,first,count)" if sum(_depths(case)) > 0 else ""


def _depths(case: Case) -> Iterator[int]:
    """For each parenthesis before the stop, 1 where it opens and -1 where it closes."""
    for element in case.own:
        if element is case.stop:
            return
        yield (element.token == t.LPAREN) - (element.token == t.RPAREN)


_FORMS = {
    t.MAX: "MAX(number,number)",
    t.MIN: "MIN(number,number)",
    t.POS: "POS(text,part,first)",
    t.RPT: "RPT$(text,count)",
    t.SEG: "SEG$(text,first,count)",
}
"""Functions of more than one value."""
_ONE_VALUE = (
    t.ABS, t.ASC, t.ATN, t.CHR, t.COS, t.EXP, t.INT, t.LEN, t.LOG, t.SGN, t.SIN, t.SQR, t.STR,
    t.TAB, t.TAN, t.VAL,
)  # fmt: skip


def values_of_function(case: Case, met: Sequence[Element]) -> str:
    """How to write the function that has too few or too many values where the console stops."""
    own, stop = case.own, met[0]
    opened: list[int] = []
    for at, element in enumerate(own):
        if element is stop:
            break
        if element.token == t.LPAREN:
            opened.append(own[at - 1].token if at else 0)
        elif element.token == t.RPAREN and opened:
            opened.pop()
    function = opened[-1] if opened else 0
    if function in _FORMS:
        return f"write {_FORMS[function]}"
    one = function in _ONE_VALUE and stop.token == t.COMMA
    return f"{t.KEYWORDS[function]} takes one value" if one else ""
