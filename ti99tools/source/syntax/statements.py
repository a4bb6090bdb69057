"""Statements of Extended BASIC as small immutable records.

`at` is the offset of the statement's first token in its line, `end` the offset after it. `fault`
is the error that the machine raises after all that the record describes has been done: wrong
syntax further on in the statement, or something after it that ends no statement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ti99tools.source.syntax.nodes import Expression, Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What all statements have."""

    at: int
    end: int
    fault: int | None = None


@dataclass(frozen=True, slots=True)
class Jump:
    """A line number after THEN or ELSE."""

    line: int


Branch: TypeAlias = "Jump | tuple[Statement, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing(Statement):
    """REM, `!`, or wrong syntax from the first token on (then `fault` says it)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Let(Statement):
    """`A,B(I)=value`; no value when wrong syntax comes before it."""

    targets: tuple[Target, ...]
    value: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Statement):
    """IF condition THEN … ELSE …; None: the branch is not there."""

    condition: Expression
    then: Branch | None
    otherwise: Branch | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Goto(Statement):
    """GOTO or GO TO line."""

    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Gosub(Statement):
    """GOSUB or GO SUB line."""

    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OnGo(Statement):
    """ON … GOTO and ON … GOSUB; `fault` when wrong syntax follows the lines read so far."""

    selector: Expression
    gosub: bool
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class For(Statement):
    """FOR; parts are None from the point on where the syntax is wrong."""

    variable: Target
    start: Expression | None
    limit: Expression | None
    step: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Next(Statement):
    """NEXT with the name of its loop variable."""

    variable: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Return(Statement):
    """RETURN, RETURN NEXT (`next`), RETURN line."""

    next: bool = False
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Statement):
    """END or STOP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dim(Statement):
    """DIM; it acts before the run, executing it does nothing."""

    arrays: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionBase(Statement):
    """OPTION BASE 0 or 1; it acts before the run."""

    base: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Def(Statement):
    """DEF; it acts before the run, executing it does nothing."""

    name: str
    parameter: str | None
    body: Expression


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of SUB: `dimensions` 0 for a simple variable, n for an array X(,)."""

    name: str
    dimensions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sub(Statement):
    """SUB name(parameters): where a subprogram begins."""

    name: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subend(Statement):
    """SUBEND: where a subprogram ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subexit(Statement):
    """SUBEXIT: back to after the CALL."""


@dataclass(frozen=True, slots=True)
class Hash:
    """`#n` as an argument of CALL."""

    number: Expression


@dataclass(frozen=True, slots=True)
class All:
    """The word ALL as an argument of CALL."""


@dataclass(frozen=True, slots=True)
class WholeArray:
    """`A()` or `B(,)` as an argument of CALL."""

    name: str
    dimensions: int


Argument: TypeAlias = "Expression | Hash | All | WholeArray"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Statement):
    """CALL name(arguments); `arguments` is None without parentheses.

    `broken` is the error that comes instead of the closing parenthesis, when another argument is
    asked for or the list should end.
    """

    name: str
    arguments: tuple[Argument, ...] | None
    broken: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Read(Statement):
    """READ of the next DATA items, one a target."""

    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Data(Statement):
    """DATA: items as text, with whether they were quoted. Executing it does nothing."""

    items: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Image(Statement):
    """IMAGE: its text. Executing it does nothing."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(Statement):
    """RESTORE [line] for DATA."""

    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Randomize(Statement):
    """RANDOMIZE [seed]."""

    seed: Expression | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Break(Statement):
    """BREAK (no lines: stop here) and UNBREAK (`remove`; no lines: all)."""

    lines: tuple[int, ...]
    remove: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace(Statement):
    """TRACE (`on`) and UNTRACE."""

    on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OnError(Statement):
    """ON ERROR line, or STOP (None)."""

    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnWarning(Statement):
    """ON WARNING: `mode` is the token PRINT, STOP or NEXT."""

    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBreak(Statement):
    """ON BREAK: `mode` is the token STOP or NEXT."""

    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Statement):
    """RUN, RUN line, RUN "DSK1.X"."""

    line: int | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Tab:
    """TAB(n) in a print list."""

    column: Expression


@dataclass(frozen=True, slots=True)
class Separator:
    """`;`, `,` or `:` in a print list (its token)."""

    token: int


PrintItem: TypeAlias = "Expression | Tab | Separator"


@dataclass(frozen=True, slots=True)
class Using:
    """USING: a string expression or the line of an IMAGE."""

    image: Expression | None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FileRef:
    """`#n` with an optional `REC r`, as in PRINT, INPUT, LINPUT and RESTORE."""

    number: Expression
    record: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Print(Statement):
    """PRINT [#n[,REC r]] [USING u:] items; `listed`: the parser came as far as the list."""

    file: FileRef | None
    using: Using | None
    items: tuple[PrintItem, ...]
    listed: bool = True


@dataclass(frozen=True, slots=True)
class Clause:
    """An option of DISPLAY or ACCEPT. VALIDATE takes the tokens NUMERIC, DIGIT and UALPHA too."""

    token: int
    arguments: tuple[Expression | int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Display(Statement):
    """DISPLAY clauses : [USING u:] items; no clauses: like PRINT. `listed` as in `Print`."""

    clauses: tuple[Clause, ...]
    using: Using | None
    items: tuple[PrintItem, ...]
    listed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(Statement):
    """ACCEPT [clauses:] target; no target when wrong syntax comes before it."""

    clauses: tuple[Clause, ...]
    target: Target | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(Statement):
    """INPUT [prompt:] targets, or INPUT #n[,REC r]: targets; `more`: a trailing comma (files)."""

    file: FileRef | None
    prompt: Expression | None
    targets: tuple[Target, ...]
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Linput(Statement):
    """LINPUT [prompt:] target, or LINPUT #n[,REC r]: target."""

    file: FileRef | None
    prompt: Expression | None
    target: Target | None


@dataclass(frozen=True, slots=True)
class Attribute:
    """A word of OPEN (its token) with its number, if it has one: VARIABLE 80, RELATIVE 100."""

    token: int
    value: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Open(Statement):
    """OPEN #n:name,attributes; parts are missing from the point on where the syntax is wrong."""

    number: Expression | None
    name: Expression | None
    attributes: tuple[Attribute, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Close(Statement):
    """CLOSE #n, with `:DELETE` if `delete`."""

    number: Expression | None
    delete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreFile(Statement):
    """RESTORE #n[,REC r]."""

    file: FileRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Delete(Statement):
    """DELETE "DSK1.X"."""

    name: Expression
