"""From the tree of blocks to a plain sequence of statements and labels.

The first part turns SELECT CASE into conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ti99tools.base.errors import Place, SourceError
from ti99tools.language.dialect.block_tree import (
    Body,
    ConditionalBlock,
    If,
    Label,
    LoopBlock,
    OwnLabels,
)
from ti99tools.language.dialect.lexer import Kind, Lexeme, Report, between_commas
from ti99tools.language.dialect.line_statements import (
    Statement,
    goto,
    keyword,
    left_to_else,
    symbol,
)

_RELATIONS = ("=", "<", ">")
_LOGICAL = ("AND", "OR", "XOR", "NOT")
_FORMS = "write CASE 1,5 or CASE 2 TO 4 or CASE IS>9 or CASE ELSE"


def is_text(expression: Sequence[Lexeme]) -> bool:
    """Tell whether the value of an expression is a string."""
    first = next((x for x in expression if not x.is_symbol("(")), None)
    if first is None or not (first.kind is Kind.STRING or first.text.endswith("$")):
        return False
    calls: list[bool] = []
    for before, lexeme in zip((None, *expression), expression, strict=False):
        if lexeme.is_symbol("("):
            calls.append(before is not None and before.text.endswith("$"))
        elif lexeme.is_symbol(")") and calls:
            calls.pop()
        elif lexeme.is_symbol(*_RELATIONS) and not any(calls):
            return False
    return True


def kept_in(expression: Sequence[Lexeme], number: int) -> Lexeme | None:
    """The variable that keeps the selector; None where the expression is a single lexeme.

    `number` distinguishes it from the variables of enclosing SELECT CASEs.
    """
    if len(expression) == 1 and not expression[0].is_word("RND"):
        return None
    name = f"_{number}" + ("$" if is_text(expression) else "")
    return Lexeme(Kind.NAME, name, expression[0].place)


def condition(
    chosen: Sequence[Lexeme], at: Lexeme, tests: Sequence[Lexeme], report: Report
) -> tuple[Lexeme, ...]:
    """The condition under which one of the `tests` of a CASE holds.

    Each is a value, `from TO to`, or `IS` with a relation and a value. Reports any other, and one
    whose type differs from that of the selector.
    """
    terms: list[list[Lexeme]] = []
    for test in between_commas(tests):
        if not test:
            report(SourceError("CASE without a value", remedy=_FORMS, place=at.place))
            continue
        terms.append(_term(chosen, test, report))
    result: list[Lexeme] = []
    for term in terms:
        if result:
            result.append(keyword("OR", term[0].place))
        result += term
    return tuple(result) or (Lexeme(Kind.NUMBER, "1", at.place),)


def _term(chosen: Sequence[Lexeme], test: Sequence[Lexeme], report: Report) -> list[Lexeme]:
    place = test[0].place
    if test[0].is_word("IS"):
        relation = [x for x in test[1:3] if x.is_symbol(*_RELATIONS)]
        value = test[1 + len(relation) :]
        if not relation or not value:
            report(SourceError("CASE IS without a relation", remedy=_FORMS, place=place))
            return [*chosen]
        _check_type(chosen, value, report)
        return [*chosen, *relation, *_operand(value)]
    ends = _parted(test)
    if ends is None:
        _check_type(chosen, test, report)
        return [*chosen, symbol("=", place), *_operand(test)]
    first, last = ends
    if not first or not last:
        report(SourceError("TO without a value on both sides", remedy=_FORMS, place=place))
        return [*chosen]
    for value in ends:
        _check_type(chosen, value, report)
    low = [*chosen, symbol(">", place), symbol("=", place), *_operand(first)]
    high = [*chosen, symbol("<", place), symbol("=", place), *_operand(last)]
    return [*low, keyword("AND", place), *high]


def _parted(test: Sequence[Lexeme]) -> tuple[Sequence[Lexeme], Sequence[Lexeme]] | None:
    """The parts before and after TO; None without TO."""
    at = next((i for i, lexeme in enumerate(test) if lexeme.is_word("TO")), None)
    return None if at is None else (test[:at], test[at + 1 :])


def _operand(value: Sequence[Lexeme]) -> list[Lexeme]:
    """The value as an operand of a relation: in parentheses if it contains one itself."""
    depth = 0
    for lexeme in value:
        depth += lexeme.is_symbol("(") - lexeme.is_symbol(")")
        if depth == 0 and (lexeme.is_symbol(*_RELATIONS) or lexeme.is_word(*_LOGICAL)):
            place = value[0].place
            return [symbol("(", place), *value, symbol(")", place)]
    return list(value)


def _check_type(chosen: Sequence[Lexeme], value: Sequence[Lexeme], report: Report) -> None:
    if is_text(chosen) == is_text(value):
        return
    one, other = ("a text", "a number") if is_text(chosen) else ("a number", "a text")
    report(
        SourceError(
            f"SELECT CASE chooses by {one}, and this is {other}",
            remedy="compare texts with texts and numbers with numbers",
            place=value[0].place,
        )
    )


Item = Statement | Label
Fits = Callable[[Sequence[Lexeme]], bool]
"""Tell whether these lexemes fit into one line of the editor."""

_INVERSE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "=<": ">", "=>": "<"}


def inverted(condition: Sequence[Lexeme]) -> list[Lexeme]:
    """A condition that holds when `condition` does not.

    A single relation is reversed; anything else is compared with zero, which is right for every
    number (NOT is not: NOT 1 is -2, which is true again).
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
    """The truth of a condition that is a single number; None for any other condition."""
    if len(condition) != 1 or condition[0].kind is not Kind.NUMBER:
        return None
    return condition[0].text.strip("0.") != ""


class Flattener:
    """Flattens bodies; `fits` tells what one line can hold.

    `resumes`: a RETURN NEXT may go on after any statement.
    """

    def __init__(self, keys: OwnLabels, fits: Fits, resumes: bool) -> None:
        self.keys = keys
        self.fits = fits
        self.resumes = resumes

    def flatten(self, body: Body) -> list[Item]:
        """The statements and labels of a body in order."""
        items: list[Item] = []
        for node in body:
            if isinstance(node, If):
                items.extend(self._if(node))
            elif isinstance(node, LoopBlock):
                items.extend(self._loop(node))
            elif isinstance(node, Statement) and node.is_if:
                items.extend(self._returning(node))
            else:
                items.append(node)
        return items

    def _returning(self, line: Statement, resumes: bool = False) -> list[Item]:
        """A one-line IF, with a jump to its end wherever a RETURN would come into an ELSE."""
        places = left_to_else(line.lexemes, resumes)
        if not places:
            return [line]
        end = self.keys.new()
        words: list[Lexeme] = []
        for at, lexeme in enumerate(line.lexemes):
            if at in places:
                words += [symbol("::", lexeme.place), *goto(end, lexeme.place).lexemes]
            words.append(lexeme)
        return [replace(line, lexemes=tuple(words)), Label(end, line.place)]

    def _loop(self, loop: LoopBlock) -> list[Item]:
        top = Label(self.keys.new(), loop.place)
        always = constant(loop.condition)
        if always is not None and always == (loop.kind == "WHILE"):
            return [top, *self.flatten(loop.body), goto(top.key, loop.end)]
        if loop.kind == "REPEAT":
            back = self._jump_unless(loop.condition, top.key, loop.end, loop.packing)
            return [top, *self.flatten(loop.body), back]
        body: Body = [*loop.body, goto(top.key, loop.end)]
        branch = ConditionalBlock(loop.condition, body, loop.place)
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
            return whole
        end = self.keys.new()
        items: list[Item] = []
        for index, (branch, body) in enumerate(zip(block.branches, bodies, strict=True)):
            last = index == len(bodies) - 1 and not otherwise
            items.extend(self._branch(branch, body, None if last else end, end, block.packing))
        return [*items, *otherwise, Label(end, block.branches[-1].place)]

    def _branch(
        self, branch: ConditionalBlock, body: list[Item], leave: str | None, end: str, packing: bool
    ) -> list[Item]:
        """One branch that ends with a jump to `leave` (None: it may fall through to `end`)."""
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
    ) -> list[Item] | None:
        """The whole IF as one line of Extended BASIC, where that is possible."""
        words: list[Lexeme] = []
        for index, (branch, body) in enumerate(zip(block.branches, bodies, strict=True)):
            part = _inline(body)
            more = index + 1 < len(bodies) or bool(otherwise)
            # The ELSE would belong to the inner IF.
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
        items = self._returning(Statement(tuple(words), block.packing), self.resumes)
        line = items[0]
        assert isinstance(line, Statement)
        return items if self.fits(line.lexemes) else None


def _if_words(branch: ConditionalBlock, part: Sequence[Lexeme]) -> list[Lexeme]:
    place = branch.place
    return [keyword("IF", place), *branch.condition, keyword("THEN", place), *part]


def _inline(items: Sequence[Item]) -> list[Lexeme] | None:
    """The items as they may stand after THEN; None where they cannot."""
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
        # `THEN 100` means `THEN GOTO 100` and is shorter.
        return [items[0].lexemes[-1]]
    return words
