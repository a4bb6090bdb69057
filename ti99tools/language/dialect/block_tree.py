"""The tree of blocks in a source, the blocks open while it is read, and misspelt block words.

Only words that open, divide and close blocks matter here. A misspelt PRINT affects only itself;
`layout` reports it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import count, pairwise

from ti99tools.base.errors import Place, SourceError
from ti99tools.base.record import Record
from ti99tools.language.dialect.lexer import KEYWORDS, Kind, Lexeme, Report
from ti99tools.language.dialect.line_statements import ENDED_WITH_END, Statement, keyword, starts
from ti99tools.language.findings import Hint, did_you_mean, one_name
from ti99tools.language.remedies.misread_words import BLOCK_WORDS, near
from ti99tools.language.remedies.otherbasics import stated_here

_BLOCKS = frozenset(
    """
    FOR NEXT IF ELSE ELSEIF ENDIF WHILE WEND ENDWHILE REPEAT UNTIL SUB SUBEND SELECT CASE
    ENDSELECT PROC ENDPROC LOCAL
    """.split()
)
_KNOWN = tuple({*KEYWORDS, *BLOCK_WORDS, *_BLOCKS})
_TAKING = frozenset("WHILE IF ELSEIF UNTIL CASE NEXT PROC LOCAL SUB".split())
"""Words of blocks that something follows."""
_INSTEAD = {
    "FOR": ("a FOR ends with NEXT and its variable", "NEXT"),
    "SUB": ("a SUB ends with SUBEND", "SUBEND"),
    "REPEAT": ("a REPEAT ends with UNTIL and a condition", "UNTIL"),
}
"""Blocks that other languages close with END: the remedy, and the word that closes them here."""


def put_right(lexemes: tuple[Lexeme, ...], report: Report) -> tuple[Lexeme, ...]:
    """Report a misspelt block word, and return the statement with the right word."""
    first = lexemes[0]
    ended = _ended(lexemes)
    if ended in _INSTEAD:
        remedy, word = _INSTEAD[ended]
        words = first.text + ("" if first.kind is Kind.NAME else f" {ended}")
        report(SourceError(f"unknown word {words}", remedy=remedy, place=first.place))
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
    if kind == "SELECT":
        return "write SELECT CASE and the value before the first CASE"
    return "remove it or open the block"


def _ended(lexemes: Sequence[Lexeme]) -> str:
    """The word after END, as in `END FOR` and `ENDFOR`; empty for any other statement."""
    first = lexemes[0]
    if first.is_word("END") and len(lexemes) > 1:
        return lexemes[1].text
    alone = len(lexemes) == 1 and first.text.startswith("END")
    return first.text.removeprefix("END") if alone else ""


def _beginning(lexemes: tuple[Lexeme, ...], report: Report) -> tuple[Lexeme, ...]:
    """Correct the first word of a statement. An assignment stays, unless it is `FORI=1 TO 9`."""
    first = lexemes[0]
    if _assigns(lexemes):
        return _spaced(lexemes, report) if _opens(lexemes) else lexemes
    loops = any(x.is_symbol("=") or x.is_word("TO") for x in lexemes)
    if not loops and near(first.text, _KNOWN) == "FOR":
        return lexemes
    ends = len(lexemes) == 2 and lexemes[1].is_word(*ENDED_WITH_END)
    wanted = {*_BLOCKS, "END"} if ends else _BLOCKS
    meant = _corrected(first, _KNOWN, report, wanted, lexemes)
    run_on = _run_on(lexemes, meant.text)
    rest = (_word(run_on, first.place),) if run_on else ()
    return (meant, *rest, *lexemes[1:])


def _run_on(lexemes: Sequence[Lexeme], word: str) -> str:
    """What follows the first word without a space: the A of `WHILEA<3`; empty for `IFF A THEN`."""
    name = lexemes[0].text if lexemes else ""
    before_value = len(lexemes) > 1 and lexemes[1].kind in _ENDS_VALUE
    glued = word in _TAKING and name.startswith(word) and not before_value
    return name.removeprefix(word) if glued else ""


_HEAD = re.compile(r"(FOR|IF)(\w+\$?)")
_BOUNDS = re.compile(r"(TO|STEP)(\w+?)(?:(STEP)(\w+))?")
"""TO and STEP that are run together with what follows: TO3, TO9STEP2."""
_ENDS_VALUE = (Kind.NAME, Kind.NUMBER)


def _opens(lexemes: Sequence[Lexeme]) -> bool:
    """Tell whether an assignment is an IF or a FOR that is run together: `FORI=1TO9`."""
    match = _HEAD.fullmatch(lexemes[0].text)
    if match is None:
        return False
    bound = "TO" if match[1] == "FOR" else "THEN"
    return any(x.is_word(bound) for x in lexemes) or any(_bounds(lexemes, bound))


def _bounds(lexemes: Sequence[Lexeme], word: str) -> Iterator[Lexeme]:
    """Names that begin with a word, such as TO, right after a value, where no name can be."""
    for before, each in pairwise(lexemes):
        ends = before.kind in _ENDS_VALUE or before.is_symbol(")")
        if ends and each.kind is Kind.NAME and each.text.startswith(word):
            yield each


def _spaced(lexemes: tuple[Lexeme, ...], report: Report) -> tuple[Lexeme, ...]:
    """Report the words of a FOR or IF that are run together, and return what was meant."""
    bounds = (*_bounds(lexemes, "TO"), *_bounds(lexemes, "STEP"))
    meant: list[Lexeme] = []
    hints: list[Hint] = []
    for each in lexemes:
        pattern = _HEAD if each is lexemes[0] else _BOUNDS if each in bounds else None
        match = pattern.fullmatch(each.text) if pattern is not None else None
        if match is None:
            meant.append(each)
            continue
        parts = [part for part in match.groups() if part]
        hints.append(one_name(each.text, parts[0]))
        meant += (_word(part, each.place) for part in parts)
    first = lexemes[0]
    remedy = Hint(", ".join(hints), hints[0].edit)
    report(SourceError(f"unknown word {first.text}", remedy=remedy, place=first.place))
    return tuple(meant)


def _word(text: str, at: Place) -> Lexeme:
    kind = Kind.NUMBER if text.isdigit() else Kind.KEYWORD if text in KEYWORDS else Kind.NAME
    return Lexeme(kind, text, at)


def _corrected(
    wrong: Lexeme,
    known: Sequence[str],
    report: Report,
    wanted: Set[str] = frozenset(),
    lexemes: Sequence[Lexeme] = (),
) -> Lexeme:
    """The word most similar to `wrong`, if it is one of `wanted` (default: any).

    `lexemes` is the statement that `wrong` begins.
    """
    word = near(wrong.text, known)
    if word == wrong.text or word not in (wanted or known) or stated_here(wrong.text):
        return wrong
    glued = _run_on(lexemes, word)
    remedy = one_name(wrong.text, word) if glued else did_you_mean(word, wrong.text)
    report(SourceError(f"unknown word {wrong.text}", remedy=remedy, place=wrong.place))
    return replace(wrong, kind=Kind.KEYWORD, text=word)


def _assigns(lexemes: Sequence[Lexeme]) -> bool:
    """Tell whether a name at the beginning gets a value: `A=`, `A,B=` or `A(…)=`."""
    depth = 0
    for lexeme in lexemes[1:]:
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if depth == 0 and not lexeme.is_symbol(")"):
            return lexeme.is_symbol("=", ",")
    return False


class Label(Record):
    """A place that can be jumped to; `key` is unique in the program."""

    key: str
    place: Place


class ConditionalBlock(Record):
    """A condition and what happens when it holds."""

    condition: tuple[Lexeme, ...]
    body: Body
    place: Place


@dataclass(slots=True)
class If:
    """IF … ELSEIF … ELSE … END IF; `otherwise` None without ELSE."""

    branches: list[ConditionalBlock]
    otherwise: Body | None
    packing: bool


@dataclass(slots=True)
class LoopBlock:
    """WHILE (`condition` is asked first) or REPEAT (asked last, ends when it holds)."""

    kind: str
    condition: tuple[Lexeme, ...]
    body: Body
    place: Place
    end: Place
    packing: bool


Node = Statement | Label | If | LoopBlock
Body = list[Node]


class OwnLabels:
    """Names for the labels that the generator itself needs."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        """A key that no label of the user has."""
        return f"%{next(self._numbers)}"


Condition = tuple[Lexeme, ...]


def mapped(
    body: Body,
    turn: Callable[[Statement], Iterable[Node]],
    ask: Callable[[Condition], Condition] = lambda condition: condition,
) -> Body:
    """A body with each statement replaced by `turn`, and each condition by `ask`."""
    result: Body = []
    for node in body:
        if isinstance(node, Statement):
            result += turn(node)
        elif isinstance(node, If):
            branches = [
                ConditionalBlock(
                    ask(branch.condition), mapped(branch.body, turn, ask), branch.place
                )
                for branch in node.branches
            ]
            otherwise = None if node.otherwise is None else mapped(node.otherwise, turn, ask)
            result.append(If(branches, otherwise, node.packing))
        elif isinstance(node, LoopBlock):
            inner = mapped(node.body, turn, ask)
            result.append(replace(node, condition=ask(node.condition), body=inner))
        else:
            result.append(node)
    return result


def statements_of(body: Body) -> Iterator[Statement]:
    """All statements of a body, in the order of the text."""
    for node in body:
        if isinstance(node, Statement):
            yield node
        elif isinstance(node, If):
            for part in (*(branch.body for branch in node.branches), node.otherwise or []):
                yield from statements_of(part)
        elif isinstance(node, LoopBlock):
            yield from statements_of(node.body)


def lexemes_of(body: Body) -> Iterator[Lexeme]:
    """The lexemes of all statements and conditions of a body, in the order of the text."""
    for node in body:
        if isinstance(node, Statement):
            yield from node.lexemes
        elif isinstance(node, If):
            for branch in node.branches:
                yield from branch.condition
                yield from lexemes_of(branch.body)
            yield from lexemes_of(node.otherwise or [])
        elif isinstance(node, LoopBlock):
            yield from node.condition
            yield from lexemes_of(node.body)


CLOSING = {
    "IF": "END IF",
    "SELECT": "END SELECT",
    "WHILE": "END WHILE",
    "REPEAT": "UNTIL",
    "FOR": "NEXT",
    "SUB": "SUBEND",
    "PROC": "END PROC",
}
"""Kind of block → what closes it."""
LOOPS = ("FOR", "WHILE", "REPEAT")
ENDED = ("IF", "SELECT", "WHILE")
"""Blocks that END and their own word close."""
_PARTS = ("ELSE", "CASE")
"""The first words of parts within a block."""
_ROUTINES = ("MAIN", "SUB", "PROC")
_MAX_DEPTH = 100


@dataclass
class OpenBlock:
    """An open block and what it has collected; `place` is where it was opened."""

    kind: str
    place: Place
    nodes: Body
    part: Place | None = None
    """Where its last part begins, at an ELSE or a CASE; None while it has one part."""
    exit: str | None = None
    """The label after the block, once an EXIT needs it."""
    condition: tuple[Lexeme, ...] = ()
    branches: list[ConditionalBlock] = field(default_factory=list)
    in_else: bool = False
    packing: bool = True
    name: str = ""
    chosen: tuple[Lexeme, ...] = ()
    """The selector of a SELECT CASE: a variable or a literal."""
    variable: str = ""
    """The variable of a FOR; empty if it names none."""


class Frames:
    """The open blocks, outermost first; `add` puts a complete one where it belongs.

    A block that is closed wrongly is reported, and then treated as it was most likely meant.
    """

    def __init__(self, main: Body, report: Report, add: Callable[[OpenBlock, Place], None]) -> None:
        self._report = report
        self._add = add
        self._frames = [OpenBlock("MAIN", Place(), main)]
        self._closed_early: Counter[str] = Counter()
        """Kinds of blocks that were closed early, so that their ends may still come."""
        self._ended_in_if: Counter[str] = Counter()
        """Kinds of blocks that an END within a one-line IF was meant to close."""

    @property
    def top(self) -> OpenBlock:
        """The innermost open block."""
        return self._frames[-1]

    @property
    def scope(self) -> str:
        """The subprogram being read; empty in the main program."""
        return self._frames[1].name if len(self._frames) > 1 and self._frames[1].name else ""

    def count(self, kind: str) -> int:
        """The number of open blocks of a kind."""
        return sum(frame.kind == kind for frame in self._frames)

    def push(self, frame: OpenBlock) -> None:
        """Open a block. Raises SourceError when more than `_MAX_DEPTH` are open."""
        if len(self._frames) > _MAX_DEPTH:
            raise SourceError(
                f"more than {_MAX_DEPTH} blocks are open",
                remedy=f"close {self.top.kind} with {CLOSING[self.top.kind]}",
                place=frame.place,
            )
        self._frames.append(frame)

    def close(self, at: Lexeme, kind: str, word: str) -> OpenBlock | None:
        """Close the open block of a kind; None, and a report, when there is none."""
        if self.top.kind == kind:
            return self._frames.pop()
        opened = self.top
        there = kind in self._kinds()
        if not there and self._closed_early[kind]:
            self._closed_early[kind] -= not word.startswith(_PARTS)
            return None
        if opened.kind in _ROUTINES:
            self._wrong(at.place, f"{word} without {kind}", unopened(kind, opened.nodes[-1:]))
            self._closed_early[kind] += word.startswith(_PARTS)
            return None
        self._wrong(
            at.place,
            f"{word} while {opened.kind} at {opened.place} is open",
            f"close that with {CLOSING[opened.kind]} first",
        )
        if not there:
            # Most likely the end has the wrong word.
            self._close_early()
            return None
        while self.top.kind != kind:
            self._close_early()
        return self._frames.pop()

    def part(self, at: Lexeme, kind: str) -> OpenBlock | None:
        """The open block that a word such as ELSE divides; None, and a report, without one."""
        frame = self.close(at, kind, at.text)
        if frame is not None:
            self._frames.append(frame)
        return frame

    def close_all(self) -> None:
        """Report what is still open and should have been closed."""
        for frame in self._frames[1:]:
            if not self._ended_in_if[frame.kind]:
                named = frame.variable or frame.name.removeprefix("PROC ").replace("?", "")
                block = f"{frame.kind} {named}".rstrip()
                remedy = f"close it with {CLOSING[frame.kind]} {frame.variable}".rstrip()
                self._wrong(frame.place, f"{block} is not closed", remedy)
        while len(self._frames) > 1:
            self._close_early()
        self._closed_early.clear()
        self._ended_in_if.clear()

    def forgive(self) -> None:
        """Forget which blocks were closed early: their subprogram is complete."""
        self._closed_early.clear()

    def forgive_select(self) -> None:
        """Forgive the parts and the end of a SELECT whose beginning was wrong."""
        self._closed_early["SELECT"] += 1

    def one_line_if(self, lexemes: Sequence[Lexeme]) -> None:
        """Note the blocks that an invalid one-line IF, reported elsewhere, opens or closes."""
        if not any(x.is_word("THEN") for x in lexemes):
            self._closed_early["IF"] += 1
        for index in starts(lexemes)[1:]:
            first, following = lexemes[index], lexemes[index + 1 : index + 2]
            if first.is_word("FOR", "WHILE", "REPEAT", "SELECT"):
                self._closed_early[first.text] += 1
            elif first.is_word("NEXT", "UNTIL"):
                self._ended_in_if["FOR" if first.text == "NEXT" else "REPEAT"] += 1
            elif first.is_word("END") and following and following[0].is_word(*ENDED):
                self._ended_in_if[following[0].text] += 1

    def loop(self, at: Lexeme, wanted: str | None) -> OpenBlock | None:
        """The innermost loop, of kind `wanted` if given; None, and a report, when there is none."""
        for frame in reversed(self._frames):
            if frame.kind == wanted or (wanted is None and frame.kind in LOOPS):
                return frame
        if not any(self._closed_early[kind] for kind in LOOPS):
            self._wrong(at.place, f"EXIT outside a {wanted or 'loop'}", "use GOTO or SUBEXIT")
        return None

    def _close_early(self) -> None:
        """Close the innermost block where its end is missing."""
        frame = self._frames.pop()
        self._closed_early[frame.kind] += 1
        if frame.kind not in _ROUTINES:
            self._add(frame, frame.place)

    def _kinds(self) -> list[str]:
        """Blocks that are open in this subprogram or PROC, or in the main program."""
        kinds = [frame.kind for frame in self._frames]
        inner = len(kinds) > 1 and kinds[1] in _ROUTINES
        return kinds[1:] if inner else kinds

    def _wrong(self, place: Place, problem: str, remedy: str) -> None:
        self._report(SourceError(problem, remedy=remedy, place=place))


def check_loops(body: Body, report: Report) -> None:
    """Report each NEXT whose variable is not that of the FOR it closes."""
    opened: list[Statement] = []
    for node in body:
        if isinstance(node, If):
            for inner in (*(branch.body for branch in node.branches), node.otherwise or []):
                check_loops(inner, report)
        elif isinstance(node, LoopBlock):
            check_loops(node.body, report)
        elif isinstance(node, Statement) and node.word == "FOR":
            opened.append(node)
        elif isinstance(node, Statement) and node.word == "NEXT" and opened:
            loop = opened.pop()
            begun, ended = variable_of(loop), variable_of(node)
            if begun is not None and ended is not None and begun.text != ended.text:
                report(
                    SourceError(
                        f"NEXT {ended.text} closes FOR {begun.text} at {loop.place}",
                        remedy=f"write NEXT {begun.text}",
                        place=ended.place,
                    )
                )


def variable_of(statement: Statement) -> Lexeme | None:
    """The variable of a FOR or NEXT; None if it names none."""
    name = statement.lexemes[1] if len(statement.lexemes) > 1 else None
    return name if name is not None and name.kind is Kind.NAME else None
