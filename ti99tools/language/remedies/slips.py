"""Slips that show where a writer comes from: operators, characters and statements of other BASICs.

The console only says SYNTAX ERROR. What was meant shows in a few tokens side by side: operators of
other BASICs, letters read for digits, characters that no program line accepts where they are.
Whole words of other BASICs are in `otherbasics`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.language.findings import Edit, Elsewhere, Hint, How, call_it, instead
from ti99tools.language.listing.listing import NAME, Element
from ti99tools.language.remedies.otherbasics import in_brackets, operator_here, stated_here

LAST_CODE = 255
"""The last character code that a byte of a program holds."""

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
_EDITS = {sign: Edit(sign, right, How.SIGN) for sign, right in _MEANT.items()} | {
    "≠": Edit("≠", "<>", How.SIGN),
    "≤": Edit("≤", "<=", How.SIGN),
    "≥": Edit("≥", ">=", How.SIGN),
    "?": Edit("?", "PRINT "),
    "|": Edit("||", " OR "),
}
"""The corrections of signs that can mean only one thing."""


def instead_of(char: str) -> str:
    """What to do about a character that no program line accepts where it is."""
    if char == "\t":
        return "replace the tab by spaces"
    if char in "“”„":
        return Hint(f'write " instead of {char}', _EDITS[char])
    if char in _FOREIGN:
        return Hint(_FOREIGN[char], _EDITS.get(char))
    if ord(char) > LAST_CODE:
        return f"the console has no {char}: write something else"
    return ANYWHERE


_ASSIGNING = {t.PLUS: "+", t.MINUS: "-", t.MULTIPLY: "*", t.DIVIDE: "/", t.CONCAT: "&"}
_LOOKALIKES = str.maketrans("OILSB", "01158")
"""Letters that scanned listings have for digits."""
_MISREAD = re.compile(r"[OIL][OILSB0-9]*")
LAST_PATTERN = 159
"""The last character code that CHARPAT accepts."""
_COUNTED = re.compile(r"\{ *[0-9]* *SPACES? *\}", re.IGNORECASE)
"""Spaces as magazines print them: `{4 SPACES}`."""
_CONTROL = re.compile(
    r"\{ *[0-9]* *(?:CLR|CLEAR|HOME|DOWN|UP|LEFT|RIGHT|(?:RVS|REV) ?(?:ON|OFF)?) *\}", re.IGNORECASE
)
"""What moves the cursor on other computers, as magazines print it: `{CLR}`."""
_HEX = re.compile(r"[HOB][0-9A-F]+")
_HEX_AFTER_0 = re.compile(r"X[0-9A-F]+")
_BASES = {"H": 16, "O": 8, "B": 2}
_DOTTED = re.compile(r"([A-Za-z_]\w*)\.$")
"""A name and a dot, as records of other languages have: `PLAYER.X`."""
_ARGUMENTS = (NAME, t.UNQUOTED)
_VALUES = (NAME, t.QUOTED, t.UNQUOTED, t.RPAREN, t.PI, t.RND)
_FUNCTIONS = (
    *range(t.EOF, t.RND),
    *range(t.SEG, t.PI),
    t.MAX,
    t.MIN,
    t.RPT,
    t.TAB,
)
"""Functions with something in parentheses, except REC, which is also a word of file statements."""
_AFTER_A_FUNCTION = (t.STATEMENT_SEP, t.RND, t.PI, *_FUNCTIONS)
"""Tokens after a function's name which show that the function was meant, not a variable."""
_COMPUTING = (t.PRINT, t.DISPLAY, t.LET, t.IF)
_KINDS = (t.NUMERIC, t.DIGIT, t.UALPHA)
_LOGICAL_OPERATORS = (t.OR, t.AND, t.XOR)
_WORDS = (
    *_FUNCTIONS, *_KINDS, *_LOGICAL_OPERATORS, t.PI, t.RND, t.NOT, t.SIZE, t.ALL, t.USING, t.BEEP,
    t.ERASE,
    t.AT, t.BASE, t.VALIDATE, t.TO, t.STEP, t.VARIABLE, t.RELATIVE, t.INTERNAL, t.SEQUENTIAL,
    t.OUTPUT, t.UPDATE, t.APPEND, t.FIXED, t.PERMANENT,
)  # fmt: skip
"""Words of Extended BASIC that people use as variable names; TI BASIC allows many of them."""
_WITHIN = (NAME, t.UNQUOTED)
"""What a quote inside a string leaves outside of it: words and numbers."""
_PLACED = (t.ACCEPT, t.DISPLAY)
_SETTING = (t.LET, t.FOR, t.NEXT, t.READ, t.INPUT, t.DIM)
"""Words before a variable."""


COMMENT = "begin a comment with !"
TWICE = "write a quote inside a text twice"
_QUOTED = re.compile(r'"[^"]*"')
_QUOTE_INSIDE = re.compile(r'"(?:[^"]|"")*"[A-Za-z0-9][^"]*"')
_COMMENT_FIRST = re.compile(r" *[0-9]* *(?:#|--|;|/\*|\*)")
_COMMENT_SIGNS = (t.HASH, t.SEMICOLON, t.DIVIDE, t.MULTIPLY, t.MINUS)


def slip_in_row(text: str, index: int) -> str:
    """What to do about a row that is refused at `index`; empty where its signs do not tell.

    Before that may be a comment of another language, a name with a dot, or a string with a quote
    inside.
    """
    outside = _QUOTED.sub(lambda found: " " * len(found.group()), text)
    if 0 <= outside.find("//") <= index or _COMMENT_FIRST.match(text):
        return COMMENT
    if dotted := _DOTTED.search(text[:index]):
        following = text[index:].partition("=")[0].strip()
        return f"a name has no dot: write {dotted.group(1)}_{following.split(' ')[0]}"
    quoted = _QUOTE_INSIDE.search(text)
    return TWICE if quoted and quoted.start() <= index else ""


def _foreign_comment(own: Sequence[Element]) -> str:
    """A comment as other languages begin it: `//` anywhere, `#`, `--`, `;` or `*` at the start."""
    doubled = any(
        first.token == second.token == t.DIVIDE and first.end == second.start
        for first, second in pairwise(own)
    )
    return COMMENT if doubled or own[0].token in _COMMENT_SIGNS else ""


def _quote_inside(own: Sequence[Element]) -> str:
    """A string that a quote inside it has ended: `"SAY "HI" TWICE"`."""
    for at, (first, second) in enumerate(pairwise(own)):
        word = second.token in (NAME, t.UNQUOTED) or t.KEYWORDS.get(second.token, "")[:1].isalpha()
        if (
            first.token != t.QUOTED
            or not word
            or second.token in (t.THEN, t.ELSE, *_LOGICAL_OPERATORS)
        ):
            continue
        following = next((e for e in own[at + 2 :] if e.token not in _WITHIN), None)
        if following is not None and following.token == t.QUOTED:
            if own[0].token in (t.PRINT, t.DISPLAY):
                return f"put ; or , between what is printed; {TWICE}"
            return TWICE
    return ""


def habit(own: Sequence[Element], subs: Collection[str] = ()) -> str:
    """What to do about a statement with a habit of another BASIC; empty where none shows.

    `own` are its elements, `subs` the names of the program's subprograms.
    """
    if not own:
        return ""
    found = _foreign_comment(own) or _quote_inside(own) or _asked(own) or _opened(own)
    found = found or _called(own, subs) or _alone(own) or misread(own) or _taken(own)
    for at, element in enumerate(own):
        if found:
            break
        found = _pair(own, at) or (element.token == NAME and operator_here(element.text)) or ""
    return found


_ASK = 'write INPUT "NAME? ":A$'


def _asked(own: Sequence[Element]) -> str:
    """INPUT at a place, or as a function: `A=INPUT("NAME")`."""
    for at, element in enumerate(own[:-1]):
        if element.token != t.INPUT or (at and own[at - 1].token != t.EQUAL):
            continue
        following = own[at + 1]
        if following.token == t.AT:
            return "write ACCEPT AT(row,column):name"
        prompt = following.token == NAME and following.text == "PROMPT" and len(own) > at + 2
        if following.token == t.LPAREN or prompt:
            return _ASK
    return ""


def _opened(own: Sequence[Element]) -> str:
    """OPEN as other BASICs write it: `OPEN "NAME" FOR INPUT AS #1`."""
    if own[0].token == t.OPEN and len(own) > 1 and own[1].token != t.HASH:
        return 'write OPEN #1:"DSK1.NAME",INPUT'
    return ""


def _called(own: Sequence[Element], subs: Collection[str]) -> str:
    """A subprogram's name at the beginning of a statement."""
    name = own[0].text
    if own[0].token == t.BEEP and all(e.token != t.EQUAL for e in own):
        return stated_here("BEEP")
    if own[0].token == NAME and name in subs:
        return call_it(name, f"{name} is a subprogram: ")
    return ""


def _taken(own: Sequence[Element]) -> str:
    """What to do about a variable whose name is a word of Extended BASIC."""
    sets = any(e.token == t.EQUAL for e in own)
    for at, element in enumerate(own):
        word = t.KEYWORDS.get(element.token, "")
        following = own[at + 1].token if at + 1 < len(own) else t.STATEMENT_SEP
        function = element.token in _FUNCTIONS and following != t.LPAREN
        takes = function or (element.token in (t.SIZE, t.VALIDATE) and own[0].token in _PLACED)
        if takes and following in _ARGUMENTS:
            return f"write ( ) around what {word} takes: {word}({own[at + 1].text})"
        kind = element.token in _KINDS and own[0].token != t.ACCEPT
        operator = element.token in _LOGICAL_OPERATORS and (
            at == 0 or own[at - 1].token not in _VALUES
        )
        first = element.token in _WORDS and (
            (at == 0 and sets) or (at == 1 and own[0].token in _SETTING)
        )
        computed = own[0].token in (NAME, *_COMPUTING) and element.token not in (t.MAX, t.MIN)
        if function and not first and computed and following in _AFTER_A_FUNCTION:
            return f"write what {word} takes in ( ) after it"
        if function or kind or operator or first:
            return f"{word} is a word of Extended BASIC: choose another name"
    return ""


_NUMBERED = re.compile(r"(?:THEN|ELSE|GOTO|GOSUB)[0-9]+(?:ELSE[0-9]+)?")
"""A name that was meant as words and line numbers: THEN100ELSE200."""


def run_into_numbers(name: str) -> str:
    """What to do about words and line numbers that are run together; empty for any other name."""
    if not _NUMBERED.fullmatch(name):
        return ""
    words = re.findall("[A-Z]+", name)
    edit = Edit(name, " ".join(re.findall("[A-Z]+|[0-9]+", name)))
    around = f"a space after {words[0]}"
    if len(words) > 1:
        around = f"a space after {words[0]}, and {words[1]} between spaces"
    return Hint(f"{name} is one name: put {around}", edit)


def undimensioned(own: list[Element]) -> str:
    """A name in DIM that is given no size: `DIM A(10),B`."""
    depth = 0
    for at, element in enumerate(own):
        depth += (element.token == t.LPAREN) - (element.token == t.RPAREN)
        sized = own[at + 1 : at + 2] and own[at + 1].token == t.LPAREN
        if element.token == NAME and depth == 0 and not sized:
            return in_brackets(element.text) or f"leave out {element.text}: DIM is for arrays"
    return ""


def called_so(own: Sequence[Element]) -> str:
    """What to do about `FOO(3)` as a statement; empty for any other."""
    encloses = len(own) > 1 and own[1].token == t.LPAREN and own[-1].token == t.RPAREN
    if not encloses or any(e.token == t.EQUAL for e in own):
        return ""
    return call_it(own[0].text, "a subprogram is called with CALL: ", "(…)")


def next_of(name: str) -> Hint:
    """What to do about a bare NEXT that ends the FOR of the variable `name`."""
    words = f"name the variable of its FOR: NEXT {name}"
    return Hint(words, Edit("NEXT", f"NEXT {name}", How.NEXT))


def one_loop(*names: str) -> Hint:
    """What to do about a NEXT with several variables: `NEXT J,I`."""
    words = " :: ".join(f"NEXT {name}" for name in names)
    edit = Edit(",", " :: NEXT ", How.PART)
    return Hint(f"NEXT ends one loop: write {words}", edit)


def _alone(own: Sequence[Element]) -> str:
    """NEXT without its variable, or with a digit in place of it."""
    if own[0].token != t.NEXT:
        return ""
    if len(own) == 1:
        return next_of("I")
    if own[1].token == t.UNQUOTED and own[1].text in ("0", "1"):
        letters = "O" if own[1].text == "0" else "I or NEXT L"
        return f"a letter was read for a digit: write NEXT {letters}"
    return ""


def _pair(own: Sequence[Element], at: int) -> str:
    """What to do about two adjacent tokens that have a meaning in other BASICs."""
    first, second = own[at], own[at + 1] if at + 1 < len(own) else None
    if second is None or second.start != first.end:
        return ""
    pair = (first.token, second.token)
    if pair == (t.EQUAL, t.EQUAL):
        return Hint("write = once: it compares too", Edit("==", "="))
    if pair == (t.CONCAT, t.CONCAT):
        return Hint("write AND instead of &&", Edit("&&", " AND "))
    if pair == (t.COLON, t.EQUAL):
        return Hint("write = instead of :=", Edit(":=", "="))
    if pair == (t.MULTIPLY, t.MULTIPLY):
        return Hint("write ^ instead of **", Edit("**", "^"))
    if pair == (NAME, t.HASH):
        return "leave out #: all numbers are of one kind"
    if first.token == t.UNQUOTED and first.text == "0" and _is_hexadecimal(second):
        number = f"0{second.text}"
        return instead(str(int(second.text[1:], 16)), number, "numbers are decimal: ")
    if first.token == t.UNQUOTED and second.token == NAME and own[1].text == "CHAR":
        return 'write " around the pattern'
    if first.token in (t.RND, t.PI) and second.token == t.LPAREN:
        return f"{t.KEYWORDS[first.token]} takes no ( ): write {t.KEYWORDS[first.token]} alone"
    before = own[at - 1].token if at else 0
    if first.token == t.CONCAT and second.token == NAME and before not in _VALUES:
        return _based(second.text)
    name = own[0].text if own[0].token == NAME else ""
    if name and first.token in _ASSIGNING and second.token == t.EQUAL:
        sign = _ASSIGNING[first.token]
        edit = Edit(f"{sign}=", f"={sign}", How.AGAIN)
        again = (
            f"write {name}={name}{sign}…" if at == 1 else f"write the variable again: A=A{sign}1"
        )
        return Hint(again, edit)
    if name and at == 1 and first.token == second.token in (t.PLUS, t.MINUS) and len(own) == 3:
        return f"write {name}={name}{_ASSIGNING[first.token]}1"
    return ""


def _is_hexadecimal(element: Element) -> bool:
    """Tell whether it is what the editor makes of `xFF` in `0xFF`."""
    return element.token == NAME and _HEX_AFTER_0.fullmatch(element.text) is not None


def _based(text: str) -> str:
    """A hexadecimal, octal or binary number in decimal; empty where `text` is not one."""
    if not _HEX.fullmatch(text):
        return ""
    try:
        value = int(text[1:], _BASES[text[0]])
    except ValueError:
        return ""
    remedy = instead(str(value), f"&{text}", "numbers are decimal: ")
    return Hint(remedy, remedy.edit, Elsewhere(f"&{text}"))


def misread(own: Sequence[Element]) -> str:
    """A number with letters in it that look like digits, as scanned listings have: `1O`."""
    for first, second in pairwise(own):
        if first.token not in (t.UNQUOTED, t.LINE_NUMBER) or second.start != first.end:
            continue
        if second.token == NAME and _MISREAD.fullmatch(second.text):
            digits = str(first.line_number) if first.token == t.LINE_NUMBER else first.text
            right = digits + second.text.translate(_LOOKALIKES)
            return instead(right, f"{digits}{second.text}", "letters were read for digits: ")
    return ""


def in_text(text: str) -> tuple[str, str] | None:
    """What is odd in a text between quotes, and what to do; None if nothing is."""
    if counted := _COUNTED.search(text):
        return f"{counted.group()} is shown as it stands", "write the spaces that it stands for"
    if control := _CONTROL.search(text):
        remedy = "write CALL CLEAR for an empty screen, DISPLAY AT(row,column): for a place"
        return f"{control.group()} is shown as it stands", remedy
    code = next((ord(letter) for letter in text if ord(letter) > LAST_PATTERN), 0)
    if not code:
        return None
    return (
        f"the character {chr(code)} (code {code}) has no pattern on the console",
        f"use codes up to {LAST_PATTERN} for what is shown",
    )


def read_as_digits(text: str) -> str:
    """The digits that letters of a scanned listing stand for; empty if they stand for none."""
    return text.translate(_LOOKALIKES) if _MISREAD.fullmatch(text) else ""


def joined_texts(own: Sequence[Element]) -> str:
    """What to do about texts with `+` between them; empty where there are none."""
    for at, element in enumerate(own):
        beside = [*own[max(at - 1, 0) : at], *own[at + 1 : at + 2]]
        if element.token == t.PLUS and any(map(_is_text, beside)):
            return Hint("texts are joined with &, not with +", Edit("+", "&", How.JOIN))
    return ""


def joined_number(own: Sequence[Element]) -> str:
    """What to do about a number joined to a text by `&`; empty if there is none."""
    for at, element in enumerate(own):
        if element.token != t.CONCAT:
            continue
        for beside in (*own[max(at - 1, 0) : at], *own[at + 1 : at + 2]):
            name = beside.token == NAME and not beside.text.endswith("$")
            if name or beside.token == t.UNQUOTED:
                return f"& joins texts: write STR$({beside.text})"
    return ""


def _is_text(element: Element) -> bool:
    return element.token == t.QUOTED or (element.token == NAME and element.text.endswith("$"))


def lookalike(name: str, others: Collection[str]) -> str:
    """What to do about a name that is never set, if it looks like a number or another name."""
    if name in ("O", "L", "I"):
        return f"set it, or write the digit {name.translate(_LOOKALIKES)} if that is meant"
    alike = name.translate(_LOOKALIKES)
    other = next((o for o in others if o != name and o.translate(_LOOKALIKES) == alike), "")
    return f"did you mean {other}? They differ in a letter that looks like a digit" if other else ""


_TAKE_TEXTS = (t.ASC, t.LEN, t.POS, t.RPT, t.SEG, t.VAL)
_TAKE_NUMBERS = (
    t.ABS, t.ATN, t.CHR, t.COS, t.EXP, t.INT, t.LOG, t.SGN, t.SIN, t.SQR, t.STR, t.TAB, t.TAN,
)  # fmt: skip
_GIVE_TEXTS = (t.CHR, t.RPT, t.SEG, t.STR)
_GIVE_NUMBERS = (
    t.ABS, t.ASC, t.ATN, t.COS, t.EXP, t.INT, t.LEN, t.LOG, t.POS, t.RND, t.SGN, t.SIN, t.SQR,
    t.TAN, t.VAL,
)  # fmt: skip


def mixed_kinds(own: Sequence[Element]) -> str:
    """What to do about a text and a number on both sides of a sign that compares or sets."""
    for at, sign in enumerate(own[1:-1], 1):
        left, right = own[at - 1], own[at + 1]
        if sign.token not in (t.EQUAL, t.LESS, t.GREATER) or left.token != NAME:
            continue
        if left.text.endswith("$") and right.token == NAME and not right.text.endswith("$"):
            return f'a text stands in quotes: "{right.text}"; a variable for one is {right.text}$'
        if left.text.endswith("$") and right.token in _GIVE_NUMBERS:
            return f"write STR$( ) around the number: {t.KEYWORDS[right.token]} gives one"
        if not left.text.endswith("$") and right.token in _GIVE_TEXTS:
            return f"names of texts end in $: {left.text}$"
        if left.text.endswith("$") and right.token == t.UNQUOTED:
            return f'a text stands in quotes: "{right.text}"; of a number STR$(number) makes one'
        if not left.text.endswith("$") and right.token == t.QUOTED:
            return f"names of texts end in $: {left.text}$"
    for word, _, name in zip(own, own[1:], own[2:], strict=False):
        text = name.token == t.QUOTED or (name.token == NAME and name.text.endswith("$"))
        number = name.token == t.UNQUOTED or (name.token == NAME and not text)
        if word.token in _TAKE_TEXTS and number:
            return f"{t.KEYWORDS[word.token]} takes a text"
        if word.token in _TAKE_NUMBERS and text:
            return f"{t.KEYWORDS[word.token]} takes a number"
        if word.token == t.VALIDATE and name.token == NAME:
            return f'write " around the letters: VALIDATE("{name.text}")'
    return "texts and numbers do not mix: names of texts end in $"


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


def form_of_function(own: Sequence[Element], stop: Element) -> str:
    """How to write the function that has too few or too many values at `stop`."""
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
