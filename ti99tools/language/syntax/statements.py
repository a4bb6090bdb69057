"""Statements of Extended BASIC as small immutable records, and walks over them.

`at` is the offset of the statement's first token in its line, `end` the offset after it. `fault` is
the error that the machine raises after doing everything that the record describes: wrong syntax
further on in the statement, or something after it that does not end a statement.

The walks go over statements inside IFs, and over the records inside a statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from ti99tools.base.record import Record
from ti99tools.language.syntax import nodes as nd
from ti99tools.language.syntax.nodes import Expression, Target


class Statement(Record, kw_only=True):
    """The fields of all statements."""

    at: int
    end: int
    fault: int | None = None


class Jump(Record):
    """A line number after THEN or ELSE."""

    line: int


Branch: TypeAlias = "Jump | tuple[Statement, ...]"


class EmptyStatement(Statement, kw_only=True):
    """REM, `!`, or wrong syntax from the first token on (then `fault` says which).

    `hangs`: a second empty statement after one, at which the machine stops for good. `tail`: a
    remark after `!` at the end of another statement, without `::`.
    """

    hangs: bool = False
    tail: bool = False


class Let(Statement, kw_only=True):
    """`A,B(I)=value`; no value if wrong syntax comes before it."""

    targets: tuple[Target, ...]
    value: Expression | None


class If(Statement, kw_only=True):
    """IF condition THEN … ELSE …; None for a missing branch."""

    condition: Expression
    then: Branch | None
    otherwise: Branch | None


class Goto(Statement, kw_only=True):
    """GOTO or GO TO line."""

    line: int


class Gosub(Statement, kw_only=True):
    """GOSUB or GO SUB line."""

    line: int


class OnGo(Statement, kw_only=True):
    """ON … GOTO and ON … GOSUB; `fault` when wrong syntax follows the lines read so far."""

    selector: Expression
    gosub: bool
    lines: tuple[int, ...]


class For(Statement, kw_only=True):
    """FOR; parts are None from the point on where the syntax is wrong."""

    variable: Target
    start: Expression | None
    limit: Expression | None
    step: Expression | None


class Next(Statement, kw_only=True):
    """NEXT with the name of its loop variable."""

    variable: str


class Return(Statement, kw_only=True):
    """RETURN, RETURN NEXT (`next`), RETURN line."""

    next: bool = False
    line: int | None = None


class End(Statement, kw_only=True):
    """END or STOP, which do the same."""


class Dim(Statement, kw_only=True):
    """DIM; it acts before the run, executing it does nothing."""

    arrays: tuple[tuple[str, tuple[int, ...]], ...]


class OptionBase(Statement, kw_only=True):
    """OPTION BASE 0 or 1; it acts before the run."""

    base: int


class Def(Statement, kw_only=True):
    """DEF; it acts before the run, executing it does nothing."""

    name: str
    parameter: str | None
    body: Expression


class Parameter(Record):
    """A parameter of SUB: `dimensions` 0 for a simple variable, n for an array X(,)."""

    name: str
    dimensions: int


class Sub(Statement, kw_only=True):
    """SUB name(parameters): where a subprogram begins."""

    name: str
    parameters: tuple[Parameter, ...]


class Subend(Statement, kw_only=True):
    """SUBEND: where a subprogram ends."""


class Subexit(Statement, kw_only=True):
    """SUBEXIT: back to after the CALL."""


class Hash(Record):
    """`#n` as an argument of CALL."""

    number: Expression


class All(Record):
    """The word ALL as an argument of CALL."""


class WholeArray(Record):
    """`A()` or `B(,)` as an argument of CALL."""

    name: str
    dimensions: int


Argument: TypeAlias = "Expression | Hash | All | WholeArray"


class Call(Statement, kw_only=True):
    """CALL name(arguments); `arguments` is None without parentheses.

    `broken` is the error that comes in place of the closing parenthesis, when another argument is
    due or the list should end.
    """

    name: str
    arguments: tuple[Argument, ...] | None
    broken: int | None = None


class Read(Statement, kw_only=True):
    """READ of the next DATA items, one for each target."""

    targets: tuple[Target, ...]


class Data(Statement, kw_only=True):
    """DATA: items as text, with whether they were quoted. Executing it does nothing."""

    items: tuple[tuple[str, bool], ...]


class Image(Statement, kw_only=True):
    """IMAGE: its text. Executing it does nothing."""

    text: str


class Restore(Statement, kw_only=True):
    """RESTORE [line] for DATA."""

    line: int | None


class Randomize(Statement, kw_only=True):
    """RANDOMIZE; without `seed` the sequence begins anywhere."""

    seed: Expression | None


class Break(Statement, kw_only=True):
    """BREAK (no lines: stop here) and UNBREAK (`remove`; no lines: all)."""

    lines: tuple[int, ...]
    remove: bool


class Trace(Statement, kw_only=True):
    """TRACE (`on`) and UNTRACE."""

    on: bool


class OnError(Statement, kw_only=True):
    """ON ERROR line, or STOP (None)."""

    line: int | None


class OnWarning(Statement, kw_only=True):
    """ON WARNING: `mode` is the token PRINT, STOP or NEXT."""

    mode: int


class OnBreak(Statement, kw_only=True):
    """ON BREAK: `mode` is the token STOP or NEXT."""

    mode: int


class Run(Statement, kw_only=True):
    """RUN, RUN line, RUN "DSK1.X"."""

    line: int | None = None
    file: str | None = None


class Tab(Record):
    """TAB(n) in a print list."""

    column: Expression


class Separator(Record):
    """`;`, `,` or `:` in a print list (its token)."""

    token: int


PrintItem: TypeAlias = "Expression | Tab | Separator"


class Using(Record):
    """USING: a string expression or the line of an IMAGE."""

    image: Expression | None
    line: int | None = None


class FileRef(Record):
    """`#n` with an optional `REC r`, as in PRINT, INPUT, LINPUT and RESTORE."""

    number: Expression
    record: Expression | None = None


class Print(Statement, kw_only=True):
    """PRINT [#n[,REC r]] [USING u:] items; `listed`: the parser reached the list."""

    file: FileRef | None
    using: Using | None
    items: tuple[PrintItem, ...]
    listed: bool = True


class Clause(Record):
    """An option of DISPLAY or ACCEPT. VALIDATE also takes the tokens NUMERIC, DIGIT and UALPHA."""

    token: int
    arguments: tuple[Expression | int, ...] = ()


class Display(Statement, kw_only=True):
    """DISPLAY clauses : [USING u:] items; no clauses: like PRINT. `listed` as in `Print`."""

    clauses: tuple[Clause, ...]
    using: Using | None
    items: tuple[PrintItem, ...]
    listed: bool = True


class Accept(Statement, kw_only=True):
    """ACCEPT [clauses:] target; no target when wrong syntax comes before it."""

    clauses: tuple[Clause, ...]
    target: Target | None


class Input(Statement, kw_only=True):
    """INPUT [prompt:] targets, or INPUT #n[,REC r]: targets; `more`: a trailing comma (files)."""

    file: FileRef | None
    prompt: Expression | None
    targets: tuple[Target, ...]
    more: bool = False


class Linput(Statement, kw_only=True):
    """LINPUT [prompt:] target, or LINPUT #n[,REC r]: target."""

    file: FileRef | None
    prompt: Expression | None
    target: Target | None


class Attribute(Record):
    """A word of OPEN (its token) with its number, if it has one: VARIABLE 80, RELATIVE 100."""

    token: int
    value: Expression | None = None


class Open(Statement, kw_only=True):
    """OPEN #n:name,attributes; parts are missing from the point on where the syntax is wrong."""

    number: Expression | None
    name: Expression | None
    attributes: tuple[Attribute, ...]


class Close(Statement, kw_only=True):
    """CLOSE #n, with `:DELETE` if `delete`."""

    number: Expression | None
    delete: bool


class RestoreFile(Statement, kw_only=True):
    """RESTORE of a file: #n, with or without REC."""

    file: FileRef


class Delete(Statement, kw_only=True):
    """DELETE of a file; `name` is a string, `DSK1.X`."""

    name: Expression


SILENT = (EmptyStatement, Dim, OptionBase, Def, Data, Image)
"""Statements that do nothing when control comes to them."""
Parsed = Mapping[int, tuple[Statement, ...]]
"""Line number → its statements."""


def every_statement(statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements of a line and those in the branches of its IFs."""
    for statement in statements:
        yield statement
        if isinstance(statement, If):
            for branch in (statement.then, statement.otherwise):
                if isinstance(branch, tuple):
                    yield from every_statement(branch)


def parts(node: Any) -> Iterator[Any]:
    """All records inside a statement or expression, itself first; without the branches of an IF."""
    records: list[Any] = []
    _collect((node,), records)
    return iter(records)


def _collect(nodes: Iterable[Any], records: list[Any]) -> None:
    """Put the records in `nodes` at the end of `records`."""
    for node in nodes:
        kind = type(node)
        if kind is tuple:
            _collect(node, records)
        elif (taker := _TAKERS[kind]) is not None:
            records.append(node)
            _collect(taker(node), records)


def values(node: Record) -> tuple[Any, ...]:
    """What the fields of a record hold that may be records; not the branches of an IF."""
    taker = _TAKERS[type(node)]
    assert taker is not None
    return taker(node)


class _Takers(dict[type, Callable[[Any], tuple[Any, ...]] | None]):
    """Kind of record → what gives the fields that may hold records; None for other types."""

    def __missing__(self, kind: type) -> Callable[[Any], tuple[Any, ...]] | None:
        self[kind] = taker = _taker_of(kind) if issubclass(kind, Record) else None
        return taker


def _taker_of(kind: type[Record]) -> Callable[[Any], tuple[Any, ...]]:
    names = ("condition",) if kind is If else kind.__record_inner__
    if not names:
        return lambda _node: ()
    get = attrgetter(*names)
    return get if len(names) > 1 else lambda node: (get(node),)


_TAKERS = _Takers()


def expressions_in(node: Any) -> list[nd.Expression]:
    """The expressions of a statement, whole and in order; without those in branches of an IF."""
    expressions: list[nd.Expression] = []
    _collect_whole((node,), expressions)
    return expressions


def _collect_whole(nodes: Iterable[Any], expressions: list[nd.Expression]) -> None:
    """Put the expressions in `nodes` at the end of `expressions`."""
    for node in nodes:
        kind = type(node)
        if kind is tuple:
            _collect_whole(node, expressions)
        elif issubclass(kind, nd.Expression):
            expressions.append(node)
        elif (taker := _TAKERS[kind]) is not None:
            _collect_whole(taker(node), expressions)
