"""What to do about a statement that always fails, as far as its words tell.

The console only says SYNTAX ERROR. The slip shows in the tokens where the console stops. Common
slips are distinguished here, for lint and the dialect.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.language.findings import (
    Edit,
    Elsewhere,
    Hint,
    How,
    did_you_mean,
    instead,
    one_name,
)
from ti99tools.language.listing.listing import NAME, Element, scan
from ti99tools.language.remedies.otherbasics import (
    operator_here,
    stated_here,
    written_here,
)
from ti99tools.language.remedies.slips import (
    called_so,
    form_of_function,
    habit,
    joined_number,
    joined_texts,
    mixed_kinds,
    one_loop,
    read_as_digits,
    run_into_numbers,
    undimensioned,
)
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.subparser import MAX_DIMENSIONS

UNEQUAL = Edit("!=", "<>")
"""What other languages write for <>."""
BLOCK_WORDS = ("WHILE", "REPEAT", "UNTIL", "EXIT", "ELSEIF", "SELECT", "CASE", "CONST", "KEEP")
"""Words that lines of the dialect begin with besides those of Extended BASIC."""
_BLOCK_ENDS = ("ENDIF", "ENDPROC", "ENDSELECT", "ENDWHILE", "LOCAL", "PROC")
_UNNUMBERED = "{} is a word of sources without line numbers"
_BEGINNINGS = (
    *range(t.IF, t.LET + 1), t.BREAK, t.UNBREAK, t.TRACE, t.UNTRACE, t.INPUT, t.DATA, t.RESTORE,
    t.RANDOMIZE, t.NEXT, t.READ, t.STOP, t.DELETE, t.REM, t.ON, t.PRINT, t.CALL, t.OPTION, t.OPEN,
    t.CLOSE, t.SUB, t.DISPLAY, t.IMAGE, t.ACCEPT, t.SUBEXIT, t.SUBEND, t.RUN, t.LINPUT,
)  # fmt: skip
"""Tokens that statements begin with."""
_VALUES = frozenset((NAME, t.QUOTED, t.UNQUOTED))
_SEPARATORS = frozenset((t.COMMA, t.SEMICOLON))
_OPTIONS = (t.AT, t.BEEP, t.ERASE, t.ALL, t.SIZE, t.VALIDATE, t.USING)
_COMPARING = (t.EQUAL, t.LESS, t.GREATER)
_JOINING = (t.AND, t.OR, t.XOR)
_WANTING = (
    *_COMPARING, *_JOINING, t.PLUS, t.MINUS, t.MULTIPLY, t.DIVIDE, t.POWER, t.CONCAT, t.NOT,
    t.STEP, t.LPAREN,
)  # fmt: skip
"""What is followed by a value."""
_PAIRS = ((t.FOR, (t.TO, t.STEP)), (t.IF, (t.THEN, t.ELSE)))
"""Words that begin a statement, and words inside it that a name or number may have swallowed."""
_BETWEEN = (t.OR, t.AND, t.XOR, t.GOTO, t.GOSUB)
"""Words between values that a name may begin with by mistake."""
_NO_THEN = "THEN is missing after the condition"
_SHORTEST_TYPO = 4
"""Letters of a name that may be a misspelt word; shorter ones are similar to too many words."""


def near(word: str, known: Iterable[str]) -> str:
    """The known word most similar to `word`, first one with the same letters; empty for none."""
    known = list(known)
    letters = sorted(word)
    swapped = next((each for each in known if sorted(each) == letters), "")
    return swapped or next(iter(difflib.get_close_matches(word, known, 1)), "")


def side_by_side(before: str, name: str) -> str:
    """What to do about `name` after the name `before`, which the editor refuses."""
    known = operator_here(name) or operator_here(before) or stated_here(before)
    known = known or _zero_for_o(name)
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
    meant = difflib.get_close_matches(before, words, 1)
    if meant and len(before) > 2:
        return did_you_mean(meant[0], before)
    return 'two names cannot stand side by side; a text stands in quotes: "…"'


def fails_at(statement: st.Statement, tokens: bytes) -> int:
    """The offset of the token at which `statement` fails.

    That of its first token if that is the wrong word, or if the failing one is unknown.
    """
    if _names_first(_own(tokens, statement)):
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
    words: Iterable[str] = (),
    subs: Collection[str] = (),
) -> str:
    """What to do about `statement` of a line, which fails with the error `code`.

    `words` are what statements may begin with besides the words of Extended BASIC, `subs` the
    program's own subprograms.
    """
    if code == xb.STRING_NUMBER_MISMATCH:
        own = _own(tokens, statement)
        if any(a.token == b.token == t.CONCAT for a, b in pairwise(own)):
            return habit(own, subs)
        foreign = next(filter(None, map(written_here, _functions(own))), "")
        return foreign or joined_texts(own) or joined_number(own) or mixed_kinds(own)
    own = _own(tokens, statement)
    if code == xb.IMPROPERLY_USED_NAME and own[:1] and own[0].token == t.FOR and len(own) > 1:
        return f"count with a number: FOR {own[1].text.rstrip('$')}"
    if code != xb.SYNTAX_ERROR:
        return "correct the statement"
    stop = None
    if statement.fault is not None:
        stop = next((e for e in own if e.start >= statement.end), None)
    grown = _grown(own, stop) or _misnumbered(own, statement) or habit(own, subs)
    grown = grown or _typo(own, words) or _parentheses(own) or _dimensions(own)
    run_in = (run_into_numbers(each.text) for each in own if each.token == NAME)
    return (
        grown or next(filter(None, run_in), "") or _slip(own, statement, stop) or _rest(own, stop)
    )


def _functions(own: list[Element]) -> Iterator[str]:
    """The names that may be functions: those that end in $, and those before a parenthesis."""
    for at, element in enumerate(own):
        given = own[at + 1 : at + 2] and own[at + 1].token == t.LPAREN
        if element.token == NAME and (given or element.text.endswith("$")):
            yield element.text


def _misnumbered(own: list[Element], statement: st.Statement) -> str:
    """Letters of a line's number that look like digits: `1OO PRINT`."""
    first = own[0] if own and statement.at == 0 else None
    if first is None or first.token != NAME or any(e.token == t.EQUAL for e in own[1:2]):
        return ""
    digits = read_as_digits(first.text)
    number = "letters were read for digits of the line's number: "
    return instead(digits, first.text, number) if digits else ""


def _own(tokens: bytes, statement: st.Statement) -> list[Element]:
    """The elements of the statement, up to the next `::`."""
    own: list[Element] = []
    for element in scan(tokens):
        if element.start >= statement.at:
            if element.token == t.STATEMENT_SEP:
                break
            own.append(element)
    return own


def _grown(own: list[Element], stop: Element | None) -> str:
    """Words that a name or number has swallowed: `FORI=1TO10`, `IF A=1THEN50`."""
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


def _names_first(own: list[Element]) -> bool:
    """Tell whether a statement begins with a name and is not an assignment."""
    return bool(own) and own[0].token == NAME and all(e.token != t.EQUAL for e in own)


def _typo(own: list[Element], words: Iterable[str]) -> str:
    """What to do about a statement that begins with a name and is not an assignment."""
    if not _names_first(own):
        return ""
    elsewhere = stated_here(own[0].text)
    if elsewhere:
        return elsewhere
    if len(own) == 2 and own[1].token == t.BANG:
        return "! begins a comment: leave it out, all numbers are of one kind"
    words = list(words)
    if own[0].text in (*BLOCK_WORDS, *_BLOCK_ENDS) and not words:
        return _UNNUMBERED.format(own[0].text)
    known = [*(t.KEYWORDS[token] for token in _BEGINNINGS), *words]
    glued = _glued(own, known)
    if glued and own[0].text in ("ENDSUB", "EXITSUB"):
        return did_you_mean("SUBEND" if own[0].text == "ENDSUB" else "SUBEXIT", own[0].text)
    if glued:
        return one_name(own[0].text, glued)
    word = near(own[0].text, known)
    called = called_so(own)
    if called and (not word or len(own[0].text) < _SHORTEST_TYPO):
        return called
    if word:
        return did_you_mean(word, own[0].text)
    return (
        called or f"{own[0].text} begins no statement: CALL a subprogram, or set a variable with ="
    )


def _glued(own: list[Element], known: Iterable[str]) -> str:
    """The word at the start of a name that stands alone or before a list: `GOTO100`."""
    if own[1:] and own[1].token not in (*_SEPARATORS, t.COLON, t.LPAREN):
        return ""
    name = own[0].text
    begun = (word for word in known if name.startswith(word) and len(word) < len(name))
    return max(begun, key=len, default="")


def _option(name: str) -> str:
    """The first of two options of ACCEPT or DISPLAY that are run together: `BEEPSIZE`."""
    words = [t.KEYWORDS[token] for token in _OPTIONS]
    begun = [word for word in words if name.startswith(word)]
    return next((word for word in begun if name.removeprefix(word) in words), "")


def _parentheses(own: list[Element]) -> str:
    opened = sum((e.token == t.LPAREN) - (e.token == t.RPAREN) for e in own)
    if opened > 0:
        return "a ) is missing"
    return "there is a ) too many" if opened < 0 else ""


def _dimensions(own: list[Element]) -> str:
    """An array with more dimensions than allowed: `DIM A(1,1,1,1,1,1,1,1)`."""
    if own and own[0].token in (t.CALL, t.SUB):
        return ""
    for at, element in enumerate(own[1:]):
        if element.token != t.LPAREN or own[at].token != NAME:
            continue
        depth = commas = 0
        for each in own[at + 1 :]:
            depth += (each.token == t.LPAREN) - (each.token == t.RPAREN)
            commas += depth == 1 and each.token == t.COMMA
            if depth == 0:
                break
        if commas >= MAX_DIMENSIONS:
            return f"{own[at].text} has more than {MAX_DIMENSIONS} dimensions"
    return ""


def _slip(own: list[Element], statement: st.Statement, stop: Element | None) -> str:
    """What is missing in statements of one kind, or why `stop` does not fit into one."""
    missing = _missing(own, statement)
    if missing == _NO_THEN and stop is not None and stop.token in t.KEYWORDS:
        # IF A=1 GOTO 100: what follows THEN may be the line number alone.
        word = t.KEYWORDS[stop.token]
        return Hint(missing, Edit(word, "THEN" if stop.token == t.GOTO else f"THEN {word}"))
    return missing if missing or stop is None else _stopped(own, statement, stop)


def _missing(own: list[Element], statement: st.Statement) -> str:
    """What is missing, wherever the statement stops."""
    if any(e.token == t.BANG and e.data.startswith(b"=") for e in own):
        return Hint("! begins a comment: not equal is <>", UNEQUAL)
    if isinstance(statement, st.If) and all(e.token != t.THEN for e in own):
        return _NO_THEN
    if not own or own[-1].token in (t.THEN, t.ELSE):
        return "write a statement or a line number there"
    if own[0].token == t.QUOTED and all(e.token != t.COLON for e in own):
        return "write PRINT before the text"
    if own[0].token in (t.COLON, t.QUOTED):
        return "put spaces between the colons of PRINT, as in : : (:: ends a statement)"
    if own[0].token == t.EQUAL:
        return "write the variable before ="
    if own[-1].token in _WANTING or (own[-1].token, own[0].token) == (t.TO, t.FOR):
        return f"a value is missing after {t.KEYWORDS[own[-1].token]}"
    halves = [e.token for e in own[-2:]] in ([t.GO, t.TO], [t.GO, t.SUB])
    if own[0].token == t.GO and own[1:] and own[1].token not in (t.TO, t.SUB):
        return "write GO TO or GO SUB, and the line"
    if halves or own[-1].token in (t.GOTO, t.GOSUB):
        return "name the line to go to"
    if own[0].token in (t.LET, t.FOR) and all(e.token != t.EQUAL for e in own):
        return "write = between the variable and its value"
    if own[0].token == t.SIZE:
        return "SIZE is for the prompt: leave it out"
    if own[0].token == t.CLOSE and len(own) == 1:
        return "name the file: CLOSE #1"
    if own[0].token == t.DIM and (unsized := undimensioned(own)):
        return unsized
    if own[0].token == t.ON and (chosen := _choice(own)):
        return chosen
    if own[0].token == t.DEF and len(own) > 1 and own[1].text.startswith("PROC"):
        return f"write PROC {own[1].text.removeprefix('PROC')} … END PROC"
    empty = [e.token for e in own[2:4]] == [t.LPAREN, t.RPAREN]
    if own[0].token in (t.CALL, t.SUB) and empty:
        return "leave out ( ): there is nothing in it"
    return ""


_CHOICES = {
    t.BREAK: "write ON BREAK NEXT, which goes on at FCTN-4, or ON BREAK STOP",
    t.WARNING: "write ON WARNING PRINT, ON WARNING STOP or ON WARNING NEXT",
}


def _choice(own: list[Element]) -> str:
    """What ON takes: the word after BREAK and WARNING, GOTO or GOSUB after a value."""
    if len(own) > 1 and own[1].token in _CHOICES:
        return _CHOICES[own[1].token]
    jumps = (t.GOTO, t.GOSUB, t.GO, t.ERROR)
    return "" if any(e.token in jumps for e in own) else "write GOTO or GOSUB after the value"


def _stopped(own: list[Element], statement: st.Statement, stop: Element) -> str:
    """Why a statement cannot go on at `stop`."""
    if [e.token for e in own[:2]] == [t.ON, t.ERROR] and stop.token in (t.GO, t.GOTO, t.GOSUB):
        return "name the line alone, without GOTO"
    if [e.token for e in own[:2]] == [t.ON, t.ERROR]:
        return "write ON ERROR and a line, or ON ERROR STOP"
    if stop.token == t.EQUAL and own.index(stop) == 1:
        return f"{t.KEYWORDS[own[0].token]} is a word of Extended BASIC: choose another name"
    if own[0].token == t.DIM and stop.token == t.MULTIPLY:
        return "leave out * and the length: every text may have 255 characters"
    if own[0].token == t.TRACE and stop.token in (t.ON, NAME):
        return "leave out ON" if stop.token == t.ON else "write UNTRACE"
    if own[0].token == t.OPTION:
        return "leave it out: OPTION takes BASE 0 and BASE 1 only"
    if own[0].token in (t.GOTO, t.GOSUB, t.GO) and stop.token == NAME:
        return "a line number is required: sources without line numbers have labels"
    if own[0].token in (t.GOTO, t.GOSUB, t.GO) and stop.token == t.LPAREN:
        return "leave out ( ): GOSUB gives no values; a SUB is called with CALL"
    if own[0].token == t.DIM and stop.token == NAME:
        return f"DIM takes a number, not the variable {stop.text}"
    placed = own[0].token in (t.DISPLAY, t.ACCEPT) and len(own) > 1
    alone = placed and own[1].token == t.AT and stop is own[2]
    if placed and (own[1].token == t.LPAREN or stop.token == t.AT or alone):
        return f"write {t.KEYWORDS[own[0].token]} AT(row,column):"
    if own[0].token == t.PRINT and stop.token == t.AT:
        return "write DISPLAY AT(row,column):"
    if stop.token in _COMPARING and any(e.token in _JOINING and e.end == stop.start for e in own):
        return "write what is compared on both sides: X>5 AND X<10"
    if stop.token == NAME and stop.text == "DO":
        return Hint("leave out DO", elsewhere=Elsewhere("DO"))
    if stop is own[-1] and stop.token == t.SEMICOLON:
        return Hint("leave out the ; at the end", elsewhere=Elsewhere(";"))
    if (
        own[0].token == t.ACCEPT
        and stop.token == t.QUOTED
        and own[own.index(stop) - 1].token == t.COLON
    ):
        return "ACCEPT shows no text: show it with DISPLAY AT before"
    run_together = isinstance(statement, st.Display | st.Accept) and stop.token == NAME
    if run_together and (word := _option(stop.text)):
        return one_name(stop.text, word)
    wants_colon = isinstance(statement, st.Display | st.Accept) and stop.token in _VALUES
    if wants_colon and all(e.token != t.COLON for e in own if e.start < stop.start):
        return "a : is missing before it"
    file = (
        own[0].token in (t.PRINT, t.INPUT, t.LINPUT, t.OPEN) and own[1:2] and own[1].token == t.HASH
    )
    if file and all(e.token != t.COLON for e in own if e.start <= stop.start):
        return "write : after the number of the file"
    between = _between(own, statement, stop)
    if between:
        return between
    if own[0].token == t.DEF and stop.token == t.COMMA:
        return "DEF takes one parameter"
    if isinstance(statement, st.Print | st.Display) and stop.token in _VALUES:
        return "put ; or , between what is printed"
    prompts = isinstance(statement, st.Input | st.Linput) and own[1:2] and own[1].token == t.QUOTED
    asks = isinstance(statement, st.Input | st.Linput) and stop.token == t.QUOTED
    if asks and own[1:2] and own[1].token == NAME:
        return f'the text that asks comes first: INPUT "{stop.text}":{own[1].text}'
    if prompts and own[2:3] and own[2].token in (NAME, *_SEPARATORS):
        return "write : after the text that asks"
    return ""


def _between(own: list[Element], statement: st.Statement, stop: Element) -> str:
    """Wrong signs between the parts of a statement."""
    first = own[0].token
    before = [e for e in own if e.start < stop.start]
    if first == t.NEXT and stop.token == t.COMMA and before[1:]:
        return one_loop(*(e.text for e in own if e.token == NAME))
    if first == t.ON and stop.token == t.LINE_NUMBER:
        return "put , between the line numbers"
    if first in (t.READ, t.INPUT) and stop.token == t.SEMICOLON and before[-1].token != t.QUOTED:
        return "put , between the variables"
    if first == t.ACCEPT and stop.token == t.COMMA and any(e.token == t.COLON for e in before):
        return "ACCEPT takes one variable: write another ACCEPT for the next"
    if first == t.DISPLAY and stop.token == t.USING:
        return "write USING right after the first :"
    if first in (t.CALL, t.SUB) and len(before) == 2 and stop.token in _VALUES:
        return "write ( ) around the arguments"
    if stop.token not in _SEPARATORS or any(e.token == t.COLON for e in before):
        return ""
    shows = isinstance(statement, st.Print | st.Display | st.Accept)
    if shows and any(e.token in (t.AT, t.USING) for e in before):
        return f"write : instead of {_shown(stop)}"
    return ""


def _rest(own: list[Element], stop: Element | None) -> str:
    """What to do about a statement of any kind that cannot go on at `stop`."""
    if stop is None:
        return "something is missing or wrong in it"
    if stop.token == NAME and len(stop.text) >= _SHORTEST_TYPO:
        word = near(stop.text, (word for word in t.TOKENS if word[0].isalpha()))
        if word:
            return did_you_mean(word, stop.text)
    if stop.token == NAME and (meant := _zero_for_o(stop.text) or _begun(own, stop)):
        return meant
    if stop.token == t.COLON and sum(_depths(own, stop)) > 0:
        return "a part of a text is SEG$(text,first,count)"
    if stop.token == t.COMMA and own[0].token == NAME:
        return Hint("separate statements with ::", Edit(",", "::", How.PART))
    if stop.token in (NAME, t.COLON, *_BEGINNINGS):
        return Hint("separate statements with ::", Edit(":", "::", How.PART))
    if stop.token in (t.RPAREN, t.COMMA) and (form := form_of_function(own, stop)):
        return form
    if stop.token == t.RPAREN:
        return _empty_call(own, stop) or "a value is missing"
    return f"{_shown(stop)} cannot stand here"


def _depths(own: list[Element], stop: Element) -> Iterator[int]:
    """For each parenthesis before `stop`, 1 where it opens and -1 where it closes."""
    for element in own:
        if element.start < stop.start and element.token in (t.LPAREN, t.RPAREN):
            yield 1 if element.token == t.LPAREN else -1


def _empty_call(own: list[Element], stop: Element) -> str:
    """What to do about a function of other BASICs that is given nothing: `INKEY$()`."""
    at = next((index for index, element in enumerate(own) if element is stop), 0)
    called = at > 1 and own[at - 1].token == t.LPAREN and own[at - 2].token == NAME
    return written_here(own[at - 2].text) if called else ""


def _zero_for_o(name: str) -> str:
    """What to do about a name that is a word with a zero in it: `T0` for `TO`."""
    word = name.replace("0", "O")
    if word == name or word not in t.TOKENS:
        return ""
    return Hint(f"did you mean {word}, with the letter O?", Edit(name, word))


def _begun(own: list[Element], stop: Element) -> str:
    """What to do about a name that begins with an operator word: `IF A ORB THEN`."""
    assigned = any(e.token == t.EQUAL and e.start == stop.end for e in own)
    words = (t.KEYWORDS[token] for token in _BETWEEN)
    word = next((w for w in words if stop.text.startswith(w) and stop.text != w), "")
    if not word or (assigned and own[0].token != t.IF):
        return ""
    return one_name(stop.text, word)


def _shown(element: Element) -> str:
    if element.token in (t.QUOTED, t.UNQUOTED):
        return "the text" if element.token == t.QUOTED else element.text
    if element.token == t.LINE_NUMBER:
        return str(element.line_number)
    return t.KEYWORDS.get(element.token, "this")
