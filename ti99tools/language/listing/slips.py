"""Slips that show where a writer comes from: operators, characters and statements of other BASICs.

The console only says SYNTAX ERROR. What was meant shows in a few tokens side by side: operators of
other BASICs, letters read for digits, characters that no program line accepts where they are.

Functions and statements of other BASICs are listed with what to write instead. Extended BASIC takes
such a function for an array: no error says that `LEFT$(A$,3)` does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.language.lint.findings import Edit, Elsewhere, Hint, How, call_it, instead
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.listing import NAME, Element

LAST_CODE = 255
"""The last character code that a byte of a program holds."""

ANYWHERE = "remove it or put it into quotes"
"""What to do about any other character."""
_FOREIGN = {
    "?": "write PRINT instead of ?",
    "'": 'write " around a text, ! before a comment',
    "%": "leave it out: all numbers are of one kind; the rest of a division is A-INT(A/B)*B",
    "|": "write OR instead of ||",
    "{": "write ( instead of {",
    "}": "write ) instead of }",
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
        return "replace the tab by blanks"
    if char in "“”„":
        return Hint(f'write " instead of {char}', _EDITS[char])
    if char in _FOREIGN:
        return Hint(_FOREIGN[char], _EDITS.get(char))
    if ord(char) > LAST_CODE:
        return f"the console has no {char}: write something else"
    return ANYWHERE


_INSTEAD = {
    "CINT": "INT(number+.5)",
    "CSNG": "the number itself: there is one kind of numbers",
    "CDBL": "the number itself: there is one kind of numbers",
    "FIX": "SGN(number)*INT(ABS(number))",
    "FRE": "SIZE at the prompt",
    "HEX$": 'SEG$("0123456789ABCDEF",digit+1,1) for each digit',
    "INKEY$": "CALL KEY(0,code,status)",
    "INPUT$": "CALL KEY(0,code,status) and CHR$(code)",
    "INSTR": "POS(text,part,first)",
    "LCASE$": "a loop over ASC and CHR$: small letters are codes 97 to 122",
    "LEFT$": "SEG$(text,1,count)",
    "MID$": "SEG$(text,first,count)",
    "MOD": "A-INT(A/B)*B",
    "PEEK": "CALL PEEK(address,value)",
    "RIGHT$": "SEG$(text,LEN(text)-count+1,count)",
    "SPC": 'TAB(column), or RPT$(" ",count)',
    "SPACE$": 'RPT$(" ",count)',
    "STICK": "CALL JOYST(unit,x,y)",
    "STRIG": "CALL KEY(unit,code,status): code 18 is the button",
    "STRING$": "RPT$(text,count)",
    "TIME$": "a counter of your own: the console has no clock",
    "TIMER": "RANDOMIZE alone for a new seed, or count loops: the console has no clock",
    "UCASE$": "a loop over ASC and CHR$, or VALIDATE(UALPHA) in ACCEPT AT",
}
"""Functions."""
_TEXTS = ("CHR", "RPT", "SEG", "STR")
_NUMBERS = ("ASC", "INT", "LEN", "POS", "VAL")
_TRUTHS = {"TRUE": "-1", "FALSE": "0"}

_STATEMENTS = {
    "BEEP": 'DISPLAY AT(24,1)BEEP:"" or CALL SOUND(200,1400,0)',
    "CASE": "ELSEIF, or ON … GOTO",
    "CIRCLE": "CALL CHAR and CALL HCHAR: there are characters and sprites, no points",
    "CLS": "CALL CLEAR",
    "DEFAULT": "CASE ELSE, or ELSE",
    "DO": "REPEAT … UNTIL, or WHILE … END WHILE",
    "FUNCTION": "SUB … SUBEND, or DEF for one expression",
    "GET": "CALL KEY(0,code,status)",
    "LINE": "LINPUT name$ for a text; CALL CHAR and CALL HCHAR for a drawing",
    "LOCATE": "DISPLAY AT(row,column):text, or CALL LOCATE for sprites",
    "LOOP": "UNTIL condition, or END WHILE",
    "EXIT": "GOTO after the loop, SUBEXIT in a SUB",
    "LPRINT": 'OPEN #1:"PIO" and PRINT #1:text',
    "PAUSE": "FOR D=1 TO 500 :: NEXT D, or CALL KEY in a loop until its status is 1",
    "PLAY": "CALL SOUND(milliseconds,frequency,volume)",
    "POKE": "CALL LOAD(address,value)",
    "PROCEDURE": "SUB … SUBEND",
    "PSET": "CALL CHAR and CALL HCHAR: there are characters and sprites, no points",
    "SELECT": "IF … ELSEIF …, or ON … GOTO",
    "SLEEP": "FOR D=1 TO 500 :: NEXT D, or CALL SOUND and wait for its end",
    "SWAP": "T=A :: A=B :: B=T",
    "SWITCH": "SELECT CASE value, or ON … GOTO",
    "WAIT": "FOR D=1 TO 500 :: NEXT D",
    "WIDTH": "nothing: a line has 28 columns",
    "WRITE": "PRINT #1:values",
}
"""Words at the beginning of statements."""

_OPERATORS = {
    "MOD": "A-INT(A/B)*B instead of A MOD B",
    "DIV": "INT(A/B) instead of A DIV B",
    "EQV": "NOT (A XOR B) instead of A EQV B",
    "IMP": "(NOT A) OR B instead of A IMP B",
}
"""Words between two values."""


def operator_here(name: str) -> str:
    """What to do about a name that is an operator elsewhere; empty for any other."""
    if name == "AS":
        remedy = "leave out AS: names of texts end in $, all other variables are numbers"
        return Hint(remedy, elsewhere=Elsewhere(name))
    return _lacking(name, _OPERATORS.get(name, ""))


def _lacking(name: str, instead: str) -> str:
    """What to write for a function or operator that does not exist here; empty for none."""
    if not instead:
        return ""
    remedy = f"Extended BASIC has no {name}: write {instead}"
    return Hint(remedy, elsewhere=Elsewhere(name, True))


def written_here(name: str) -> str:
    """What to do about a name that is a function elsewhere; empty for any other."""
    if "\\" in name:
        return f"{name} is one name: for whole numbers write INT(A/B)"
    if name.rfind("]") > name.find("[") > 0:
        return f"{name} is one name: write subscripts in ( )"
    instead = _INSTEAD.get(name) or _TRUTHS.get(name, "")
    if name in _TEXTS:
        instead = f"{name}$"
    elif name.endswith("$") and name[:-1] in _NUMBERS:
        instead = name[:-1]
    return _lacking(name, instead)


def stated_here(word: str) -> str:
    """What to do about a statement that begins with `word`; empty where that tells nothing."""
    instead = _STATEMENTS.get(word)
    if instead:
        remedy = f"no statement begins with {word} here: write {instead}"
        edit = Edit(word, instead) if word == "CLS" else None
        return Hint(remedy, edit, Elsewhere(word))
    return call_it(word, f"{word} is a subprogram: ") if word in SUBPROGRAMS else ""


def called_here(name: str) -> str:
    """What to do about a CALL of what is a statement elsewhere; empty if that is unknown."""
    instead = _STATEMENTS.get(name, "")
    return f"write {instead}" if instead else ""


def left_here(word: str) -> str:
    """What to do about `EXIT SUB` and its kind, of which `word` is the second; empty for others."""
    if word not in ("SUB", "FUNCTION", "PROCEDURE"):
        return ""
    return Hint("a SUB is left with SUBEXIT", Edit(f"EXIT {word}", "SUBEXIT"), Elsewhere("EXIT"))


def built_in(name: str) -> str:
    """What to do about a built-in subprogram's name that stands for a value; empty for none."""
    record = SUBPROGRAMS.get(name)
    if record is None:
        return ""
    gives = any(a.stored for form in record.forms for a in (*form.head, *form.group, *form.tail))
    how = " and gives its values to variables" if gives else ", and has no value"
    return f"{name} is a subprogram{how}: write {record.text or f'CALL {name}'}"


_ASSIGNING = {t.PLUS: "+", t.MINUS: "-", t.MULTIPLY: "*", t.DIVIDE: "/", t.CONCAT: "&"}
_LOOKALIKES = str.maketrans("OILSB", "01158")
"""Letters that scanned listings have for digits."""
_MISREAD = re.compile(r"[OIL][OILSB0-9]*")
LAST_PATTERN = 159
"""The last character code that CHARPAT accepts."""
_COUNTED = re.compile(r"\{ *[0-9]* *SPACES? *\}", re.IGNORECASE)
"""Blanks as magazines print them: `{4 SPACES}`."""
_HEX = re.compile(r"[HOB][0-9A-F]+")
_BASES = {"H": 16, "O": 8, "B": 2}
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
"""Functions with something in parentheses; REC is none in a statement for a file."""
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
"""Words and numbers of a text that a quote inside it has set free."""
_SETTING = (t.LET, t.FOR, t.NEXT, t.READ, t.INPUT, t.DIM)
"""Words before a variable."""


COMMENT = "begin a comment with !"
TWICE = "write a quote inside a text twice"
_QUOTED = re.compile(r'"[^"]*"')
_QUOTE_INSIDE = re.compile(r'"(?:[^"]|"")*"[A-Za-z0-9][^"]*"')
_COMMENT_FIRST = re.compile(r" *[0-9]* *(?:#|--|;|/\*|\*)")
_COMMENT_SIGNS = (t.HASH, t.SEMICOLON, t.DIVIDE, t.MULTIPLY, t.MINUS)


def slip_in_row(text: str, index: int) -> str:
    """What to do about a row that is refused at `index`, where its signs tell; else empty.

    A comment of another language before it, or a text with a quote inside.
    """
    outside = _QUOTED.sub(lambda found: " " * len(found.group()), text)
    if 0 <= outside.find("//") <= index or _COMMENT_FIRST.match(text):
        return COMMENT
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
    """A text that a quote inside it has ended: `"SAY "HI" TWICE"`."""
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
    """What to do about a statement with such a slip; empty where none shows.

    `own` are its elements, `subs` the names of the program's subprograms.
    """
    if not own:
        return ""
    found = _foreign_comment(own) or _quote_inside(own)
    found = found or _called(own, subs) or _alone(own) or misread(own) or _taken(own)
    for at, element in enumerate(own):
        if found:
            break
        found = _pair(own, at) or (element.token == NAME and operator_here(element.text)) or ""
    return found


def _called(own: Sequence[Element], subs: Collection[str]) -> str:
    """A subprogram's name at the beginning of a statement."""
    name = own[0].text
    if own[0].token == t.BEEP and all(e.token != t.EQUAL for e in own):
        return stated_here("BEEP")
    if own[0].token == NAME and name in subs:
        return call_it(name, f"{name} is a subprogram: ")
    return ""


def _taken(own: Sequence[Element]) -> str:
    """What to do about a variable whose name is a word here."""
    sets = any(e.token == t.EQUAL for e in own)
    for at, element in enumerate(own):
        word = t.KEYWORDS.get(element.token, "")
        following = own[at + 1].token if at + 1 < len(own) else t.STATEMENT_SEP
        function = element.token in _FUNCTIONS and following != t.LPAREN
        if function and following in _ARGUMENTS:
            return f"write ( ) around what {word} takes: {word}({own[at + 1].text})"
        kind = element.token in _KINDS and own[0].token != t.ACCEPT
        operator = element.token in _LOGICAL_OPERATORS and (
            at == 0 or own[at - 1].token not in _VALUES
        )
        first = element.token in _WORDS and (
            (at == 0 and sets) or (at == 1 and own[0].token in _SETTING)
        )
        if function or kind or operator or first:
            return f"{word} is a word of Extended BASIC: choose another name"
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
    """The meaning of two adjacent tokens elsewhere."""
    first, second = own[at], own[at + 1] if at + 1 < len(own) else None
    if second is None or second.start != first.end:
        return ""
    pair = (first.token, second.token)
    if pair == (t.EQUAL, t.EQUAL):
        return Hint("write = once: it compares too", Edit("==", "="))
    if pair == (t.CONCAT, t.CONCAT):
        return Hint("write AND instead of &&", Edit("&&", " AND "))
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


def _based(text: str) -> str:
    """A hexadecimal, octal or binary number in decimal; empty where `text` is none."""
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
        return f"{counted.group()} is shown as it stands", "write the blanks that it stands for"
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
