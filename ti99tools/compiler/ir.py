"""The intermediate form: expressions, statements, basic blocks, and how they print.

Numbers and texts are expressions; a node's `op` says what it is, its `data` what is not an
expression. Whether a number is a word or a cell is not said here: `kinds` finds out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ti99tools.computer.numbers.forms import to_str
from ti99tools.computer.numbers.radix import Number

Spot = tuple[int, int]
"""Number of a line, offset of a statement in its tokens."""

COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "<>"}
TYPED = frozenset({"typed text", "accepted text", "typed line", "file text", "file line"})
"""Operations whose result is a text of the keyboard or of a file."""
TEXTS = frozenset(
    {"text", "str", "chr", "cat", "seg", "rpt", "charpat", "moved", "item", "under way", *TYPED}
)
"""Operations whose result is a text."""
FUNCTIONS = frozenset({"sqr", "exp", "log", "sin", "cos", "tan", "atn"})
"""Functions that the console calculates."""
QUIET = "quiet"
"""`data` of a sum that gives no warning: the one of NEXT."""
HALF = 255
"""The low byte of the number of a loop that its FOR has left on the stack when it failed."""
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "^", "cat": "&", **COMPARISONS}


@dataclass(frozen=True, slots=True)
class Expr:
    """A number or a text.

    const (data: the number) · var (data: its name) · elem (data: the array; args: positions) ·
    add sub mul div pow neg · lt le gt ge eq ne (−1 or 0) · and or xor not · int abs sgn max min ·
    sqr … atn · rnd · randint (INT(RND*a)) · quot (INT(a/b)) · mod (a−b*INT(a/b)) ·
    round (data: lowest, highest, error: a as a whole number) · wrapped (data: how many rows or
    columns) · passed (a loop's variable, limit, step) · len asc val pos · caught (not 0 after
    an error that a handler has worked on) · tlt … tne (texts
    compared) · byte (of memory at an address; data: how many bytes after it) · typed (the next
    number of INPUT) · accepted · of texts: text (data) str chr cat seg rpt charpat · moved (the
    text of a variable or element, which is empty afterwards) · item (of DATA) · under way (the text
    that the runtime has left) · typed text (the next of INPUT) · accepted text · typed line (of
    LINPUT) · of files: eof rec (of a file's number) · file number, file text (of INPUT #) · file
    line (of LINPUT #) · of both: within (data: the statement of a DEF, whose body it is).
    """

    op: str
    args: tuple[Expr, ...] = ()
    data: Any = None

    @property
    def is_text(self) -> bool:
        """Tell whether this is a text."""
        if self.op == "within":
            return self.args[0].is_text
        return self.op in TEXTS or (self.op in ("var", "elem") and is_text_name(self.data))

    def __str__(self) -> str:
        match self.op:
            case "const":
                return to_str(self.data)
            case "text":
                return f'"{self.data}"'
            case "var":
                return str(self.data)
            case "elem":
                return f"{self.data}({', '.join(map(str, self.args))})"
            case "round":
                return f"round[{self.data[0]}..{self.data[1]}]({self.args[0]})"
            case op if op in _SIGNS:
                return f"({self.args[0]} {_SIGNS[op]} {self.args[1]})"
            case op:
                return f"{op}({', '.join(map(str, self.args))})"


def is_text_name(name: str) -> bool:
    """Tell whether a variable or an array holds texts."""
    return name.endswith("$")


Target = str | tuple[str, tuple[Expr, ...]]
"""What is assigned to: a variable, or an array and positions."""


def const(value: Number) -> Expr:
    """A number that is known."""
    return Expr("const", (), value)


def var(name: str) -> Expr:
    """The value of a variable, by its name."""
    return Expr("var", (), name)


def moved(held: Expr) -> Expr:
    """The text of a variable or element, which is empty afterwards."""
    return Expr("moved", (held,))


def walk(expr: Expr) -> Iterator[Expr]:
    """An expression and all expressions in it, operands first."""
    for arg in expr.args:
        yield from walk(arg)
    yield expr


@dataclass(slots=True)
class Assign:
    """variable = value; `kinds` says whether that is a word."""

    target: str
    value: Expr
    spot: Spot

    def __str__(self) -> str:
        return f"{self.target} = {self.value}"


@dataclass(slots=True)
class Store:
    """array(positions) = value; positions count as in the program."""

    array: str
    positions: tuple[Expr, ...]
    value: Expr
    spot: Spot

    def __str__(self) -> str:
        return f"{self.array}({', '.join(map(str, self.positions))}) = {self.value}"


@dataclass(slots=True)
class Do:
    """Something that the runtime does; `results` are variables that it sets."""

    name: str
    args: tuple[Expr, ...]
    spot: Spot
    data: Any = None
    results: tuple[str, ...] = ()

    def __str__(self) -> str:
        data = f" [{self.data}]" if self.data is not None else ""
        gives = f"{', '.join(self.results)} = " if self.results else ""
        return f"{gives}{self.name}{data} {', '.join(map(str, self.args))}".rstrip()


Action = Assign | Store | Do


@dataclass(slots=True)
class Jump:
    """Go on at a block."""

    to: str
    spot: Spot = (0, 0)

    def __str__(self) -> str:
        return f"jump {self.to}"


@dataclass(slots=True)
class Branch:
    """Go on at one of two blocks: `then` where the condition is not 0."""

    condition: Expr
    then: str
    otherwise: str
    spot: Spot

    def __str__(self) -> str:
        return f"if {self.condition} then {self.then} else {self.otherwise}"


@dataclass(slots=True)
class Switch:
    """ON … GOTO: the block that a number from 1 on chooses; with `back` a GOSUB."""

    selector: Expr
    to: tuple[str, ...]
    spot: Spot
    back: str | None

    def __str__(self) -> str:
        word = "goto" if self.back is None else f"gosub, back at {self.back},"
        return f"on {self.selector} {word} {', '.join(self.to)}"


@dataclass(slots=True)
class Gosub:
    """GOSUB; RETURN goes on at `back`."""

    to: str
    back: str
    spot: Spot

    def __str__(self) -> str:
        return f"gosub {self.to}, back at {self.back}"


@dataclass(slots=True)
class Return:
    """RETURN of a scope."""

    scope: str
    spot: Spot

    def __str__(self) -> str:
        return "return"


@dataclass(slots=True)
class Resume:
    """RETURN NEXT; RETURN with a line, whose block is `to`; or a wrong RETURN (`fault`)."""

    scope: str
    spot: Spot
    to: str | None = None
    fault: bool = False

    def __str__(self) -> str:
        return "resume " + ("wrongly" if self.fault else f"at {self.to}" if self.to else "next")


@dataclass(slots=True)
class Enter:
    """CALL of a SUB, whose parameters are set; it goes on at `back`."""

    sub: str
    to: str
    back: str
    spot: Spot

    def __str__(self) -> str:
        return f"enter {self.sub} at {self.to}, back at {self.back}"


@dataclass(slots=True)
class Leave:
    """SUBEND or SUBEXIT: go on after the CALL."""

    sub: str
    spot: Spot

    def __str__(self) -> str:
        return f"leave {self.sub}"


@dataclass(slots=True)
class Next:
    """NEXT of loops that are on the stack: the number of the FOR found there → the block."""

    scope: str
    cases: tuple[tuple[int, str], ...]
    spot: Spot

    def __str__(self) -> str:
        return "next " + ", ".join(f"{number}: {to}" for number, to in self.cases)


@dataclass(slots=True)
class Stop:
    """The end of the program, or an error (`code` of base.xberrors) that always comes."""

    spot: Spot
    code: int | None = None
    inside: tuple[Spot, ...] = ()
    """The DEFs in which it comes, the innermost last."""

    def __str__(self) -> str:
        return "end" if self.code is None else f"error {self.code}"


@dataclass(slots=True)
class Rerun:
    """RUN: the program begins again at a block, with all variables 0."""

    to: str
    spot: Spot

    def __str__(self) -> str:
        return f"run {self.to}"


End = Jump | Branch | Switch | Gosub | Return | Resume | Enter | Leave | Next | Rerun | Stop


def expressions(action: Action | End | None) -> tuple[Expr, ...]:
    """The expressions that an action or the end of a block evaluates, in that order."""
    match action:
        case Assign(_, value):
            return (value,)
        case Store(_, positions, value):
            return (*positions, value)
        case Do(_, args):
            return args
        case Branch(condition):
            return (condition,)
        case Switch(selector):
            return (selector,)
        case _:
            return ()


@dataclass(slots=True)
class Block:
    """Statements that run one after the other, and where they go on. `scope`: "" or a SUB."""

    name: str
    scope: str
    body: list[Action] = field(default_factory=list)
    end: End | None = None
    depth: int = 0
    """How many loops it is in."""
    variant: str = ""
    """The scope, in the variant of a SUB that it belongs to."""


@dataclass(slots=True)
class Array:
    """An array: extents of its dimensions, the lowest subscript."""

    name: str
    extents: tuple[int, ...]
    base: int

    @property
    def size(self) -> int:
        """The number of elements."""
        product = 1
        for extent in self.extents:
            product *= extent
        return product


@dataclass(slots=True)
class Code:
    """A program in the intermediate form. `first` is where it begins."""

    blocks: dict[str, Block] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    data: list[Number] = field(default_factory=list)
    """The items of DATA that are numbers."""
    data_lines: list[tuple[bytes, int | None]] = field(default_factory=list)
    """Lines with DATA: their tokens and where the items begin (None: READ comes there only after
    errors); no lines where only numbers are read and all items are numbers."""
    first_data: int = 0
    """How many of these lines with items come before the first that READ finds."""
    data_items: list[tuple[str, bool]] = field(default_factory=list)
    """All items: the text, and whether it is in quotes."""
    data_begins: list[int] = field(default_factory=list)
    """The number of the first item of each line with DATA."""
    data_sought: list[int] = field(default_factory=list)
    """Cycles that Extended BASIC takes to find the next DATA after each of these lines."""
    data_wander: bool = False
    """Whether READ may go on within an item, and in lines above."""
    first: str = ""
    subs: list[str] = field(default_factory=list)
    hidden: set[str] = field(default_factory=set)
    """Variables that the compiler adds."""
    stacked: set[str] = field(default_factory=set)
    """Scopes that have loops on the stack."""
    handlers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Variant → the blocks of the lines that ON ERROR names, where its statements fail."""
    resumes: dict[tuple[str, Spot], tuple[str, str]] = field(default_factory=dict)
    """Variant and statement → the blocks where RETURN and RETURN NEXT go on if it fails; twice the
    same in a program without RETURN NEXT."""
    certain: set[str] = field(default_factory=set)
    """Variants in which nothing can fail, see `certain`."""
    breaks: list[int] = field(default_factory=list)
    """Lines that BREAK names."""
    failing: list[tuple[Spot, int, str]] = field(default_factory=list)
    """Statements that always fail: the error, and what to do."""
    traces: bool = False
    """Whether there is a TRACE."""
    internal: bool = False
    """Whether it opens INTERNAL files."""
    deepest: int = 0
    """How many GOSUBs may be under way, see `full`; 0 if the program itself bounds them."""
    looks: bool = False
    """Whether statements look whether there is room for them."""
    names_take: int = 0
    """The bytes of video memory that its names take in Extended BASIC."""
    sets_warnings: bool = False
    """Whether there is an ON WARNING, which a SUB has to itself."""
    paced: dict[Spot, int] = field(default_factory=dict)
    """Statements that look for keys in a loop with a pace → cycles of its shortest round."""
    whole: bool = False
    """Whether every statement takes the time that it takes in Extended BASIC."""

    def __str__(self) -> str:
        rows: list[str] = []
        for block in self.blocks.values():
            rows.append(f"{block.name}:" + (f"  ; loops {block.depth}" if block.depth else ""))
            for action in (*block.body, block.end):
                if action is not None:
                    rows.append(f"    {action!s:<60} ; {action.spot[0]}")
        return "\n".join(rows) + "\n"
