"""From the tree of blocks to a plain sequence of statements and labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ti99tools.base.errors import Place
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.statements import Statement, goto, keyword, symbol
from ti99tools.source.dialect.tree import Body, Branch, If, Keys, Label, Loop

Item = Statement | Label
Fits = Callable[[Sequence[Lexeme]], bool]
"""Tell whether these lexemes fit into one line of the editor."""

_INVERSE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "=<": ">", "=>": "<"}
_RELATIONS = ("=", "<", ">")


def inverted(condition: Sequence[Lexeme]) -> list[Lexeme]:
    """A condition that holds when `condition` does not.

    A single relation is turned round; anything else is compared with zero, which is right for
    every number (NOT is not: NOT 1 is -2, true again).
    """
    depth = 0
    at: list[int] = []
    logical = False
    for index, lexeme in enumerate(condition):
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if depth == 0 and lexeme.is_symbol(*_RELATIONS):
            at.append(index)
        logical = logical or (depth == 0 and lexeme.is_word("AND", "OR", "XOR", "NOT"))
    place = condition[0].place
    zero = [symbol("=", place), Lexeme(Kind.NUMBER, "0", place)]
    if not at and not logical:
        return [*condition, *zero]
    adjacent = at == list(range(at[0], at[-1] + 1)) if at else False
    operator = "".join(condition[i].text for i in at)
    if not logical and adjacent and operator in _INVERSE:
        turned = [symbol(c, condition[at[0]].place) for c in _INVERSE[operator]]
        return [*condition[: at[0]], *turned, *condition[at[-1] + 1 :]]
    return [symbol("(", place), *condition, symbol(")", place), *zero]


def constant(condition: Sequence[Lexeme]) -> bool | None:
    """Tell whether a condition that is a single number holds; None for any other condition."""
    if len(condition) != 1 or condition[0].kind is not Kind.NUMBER:
        return None
    return condition[0].text.strip("0.") != ""


class Lowering:
    """Flattens bodies; `fits` says what one line can hold."""

    def __init__(self, keys: Keys, fits: Fits) -> None:
        self.keys = keys
        self.fits = fits

    def flatten(self, body: Body) -> list[Item]:
        """The statements and labels of a body in order."""
        items: list[Item] = []
        for node in body:
            if isinstance(node, If):
                items.extend(self._if(node))
            elif isinstance(node, Loop):
                items.extend(self._loop(node))
            else:
                items.append(node)
        return items

    def _loop(self, loop: Loop) -> list[Item]:
        top = Label(self.keys.new(), loop.place)
        always = constant(loop.condition)
        if always is not None and always == (loop.kind == "WHILE"):
            return [top, *self.flatten(loop.body), goto(top.key, loop.end)]
        if loop.kind == "REPEAT":
            back = self._jump_unless(loop.condition, top.key, loop.end, loop.packing)
            return [top, *self.flatten(loop.body), back]
        body: Body = [*loop.body, goto(top.key, loop.end)]
        branch = Branch(loop.condition, body, loop.place)
        return [top, *self._if(If([branch], None, loop.packing))]

    def _jump_unless(
        self, condition: Sequence[Lexeme], label: str, place: Place, packing: bool
    ) -> Statement:
        target = Lexeme(Kind.LABEL, label, place)
        words = [keyword("IF", place), *inverted(condition), keyword("THEN", place), target]
        return Statement(tuple(words), packing, inverted=True)

    def _if(self, block: If) -> list[Item]:
        bodies = [self.flatten(branch.body) for branch in block.branches]
        otherwise = self.flatten(block.otherwise or [])
        whole = self._one_line(block, bodies, otherwise) if block.packing else None
        if whole is not None:
            return [whole]
        end = self.keys.new()
        items: list[Item] = []
        for index, (branch, body) in enumerate(zip(block.branches, bodies, strict=True)):
            last = index == len(bodies) - 1 and not otherwise
            items.extend(self._branch(branch, body, None if last else end, end, block.packing))
        return [*items, *otherwise, Label(end, block.branches[-1].place)]

    def _branch(
        self, branch: Branch, body: list[Item], leave: str | None, end: str, packing: bool
    ) -> list[Item]:
        """One branch that goes to `leave` when done (None: it may fall through to `end`)."""
        falls = not (body and isinstance(body[-1], Statement) and body[-1].leaves)
        if leave is not None and falls:
            body = [*body, goto(leave, branch.place)]
        part = _inline(body) if packing else None
        if part is not None:
            words = _if_words(branch, part)
            if self.fits(words):
                return [Statement(tuple(words), packing)]
        skip = end if leave is None else self.keys.new()
        jump = self._jump_unless(branch.condition, skip, branch.place, packing)
        items = [jump, *body]
        if skip != end:
            items.append(Label(skip, branch.place))
        return items

    def _one_line(
        self, block: If, bodies: Sequence[list[Item]], otherwise: list[Item]
    ) -> Statement | None:
        """The whole IF as one line of Extended BASIC, where that is possible."""
        words: list[Lexeme] = []
        for index, (branch, body) in enumerate(zip(block.branches, bodies, strict=True)):
            part = _inline(body)
            more = index + 1 < len(bodies) or bool(otherwise)
            # An ELSE would belong to the inner IF.
            if part is None or (more and any(x.is_word("IF") for x in part)):
                return None
            words += _if_words(branch, part)
            if more:
                words.append(keyword("ELSE", branch.place))
        if otherwise:
            part = _inline(otherwise)
            if part is None:
                return None
            words += part
        return Statement(tuple(words), block.packing) if self.fits(words) else None


def _if_words(branch: Branch, part: Sequence[Lexeme]) -> list[Lexeme]:
    place = branch.place
    return [keyword("IF", place), *branch.condition, keyword("THEN", place), *part]


def _inline(items: Sequence[Item]) -> list[Lexeme] | None:
    """The items as what may stand after THEN; None where they cannot."""
    words: list[Lexeme] = []
    for index, item in enumerate(items):
        if isinstance(item, Label) or not item.fits_if:
            return None
        if item.is_if and index + 1 < len(items):
            return None
        if words:
            words.append(symbol("::", item.place))
        words.extend(item.lexemes)
    if not words:
        return None
    if len(items) == 1 and isinstance(items[0], Statement) and items[0].target is not None:
        # `THEN 100` is `THEN GOTO 100` and shorter.
        return [items[0].lexemes[-1]]
    return words
