"""Faults drawn from lines that the tests run: an operator, a constant, a comparison, a statement.

The lines are those of a coverage report (`coverage json`); only functions count, since the rest
of a module runs whenever it is imported.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.mutants.fault import ROOT, Fault

KINDS = ("operator", "constant", "comparison", "statement")
MOST_CONTEXT = 6
"""Lines before a place that may be needed to find it."""

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "//",
    ast.FloorDiv: "*",
    ast.Mod: "//",
    ast.BitAnd: "|",
    ast.BitOr: "&",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.And: "or",
    ast.Or: "and",
}
_COMPARISONS: dict[type[ast.AST], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}


class Change(NamedTuple):
    """A piece of one line, from column to column, and what replaces it."""

    kind: str
    line: int
    start: int
    end: int
    new: str


def changes(text: str, run: frozenset[int]) -> Iterator[Change]:
    """The changes of a module's text on lines that ran, in functions."""
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                for node in ast.walk(statement):
                    yield from (each for each in _of_node(node, text) if each.line in run)


def _of_node(node: ast.AST, text: str) -> Iterator[Change]:
    match node:
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            yield from _between("operator", text, left, right, _OPERATORS[type(operator)])
        case ast.BoolOp(operator, [left, right, *_]):
            yield from _between("operator", text, left, right, _OPERATORS[type(operator)])
        case ast.Compare(left, [operator], [right]):
            yield from _between("comparison", text, left, right, _COMPARISONS[type(operator)])
        case ast.Constant(int() as value) if not isinstance(value, bool):
            if node.end_col_offset is not None:
                start, end = node.col_offset, node.end_col_offset
                yield Change("constant", node.lineno, start, end, str(value + 1))
        case ast.Expr(ast.Call()) | ast.AugAssign():
            if node.end_lineno == node.lineno and node.end_col_offset is not None:
                start, end = node.col_offset, node.end_col_offset
                yield Change("statement", node.lineno, start, end, "pass")


def _between(kind: str, text: str, left: ast.expr, right: ast.expr, new: str) -> Iterator[Change]:
    """The operator between two operands, if all of it is on one line and nothing else is there."""
    if left.end_lineno == right.lineno and left.end_col_offset is not None:
        row = text.splitlines()[right.lineno - 1]
        between = row[left.end_col_offset : right.col_offset]
        if row.isascii() and not set("()") & set(between):
            yield Change(kind, right.lineno, left.end_col_offset, right.col_offset, f" {new} ")


def fault_of(file: str, text: str, change: Change) -> Fault | None:
    """The fault of a change, with as many lines before it as make its text the only one."""
    rows = text.splitlines(keepends=True)
    at = change.line - 1
    row = rows[at]
    changed = row[: change.start] + change.new + row[change.end :]
    for context in range(MOST_CONTEXT):
        before = "".join(rows[max(0, at - context) : at])
        if text.count(before + row) == 1:
            return Fault(
                f"{change.kind} in {Path(file).stem}: {row.strip()}",
                file,
                before + row,
                before + changed,
            )
    return None


def draw(seed: int, lines: Mapping[str, frozenset[int]], count: int) -> list[Fault]:
    """So many faults, of each kind in turn; at most one a module."""
    random = Random(seed)
    pools: dict[str, list[tuple[str, Change]]] = {kind: [] for kind in KINDS}
    texts = {file: (ROOT / file).read_text("utf-8") for file in sorted(lines)}
    for file, text in texts.items():
        for change in changes(text, lines[file]):
            pools[change.kind].append((file, change))
    found: list[Fault] = []
    files: set[str] = set()
    while len(found) < count:
        file, change = random.choice(pools[KINDS[len(found) % len(KINDS)]])
        fault = fault_of(file, texts[file], change)
        if fault is not None and file not in files:
            files.add(file)
            found.append(fault)
    return found


def run_lines(report: Path) -> dict[str, frozenset[int]]:
    """The lines of our package that ran, by file, of a report of `coverage json`."""
    files = json.loads(report.read_text("utf-8"))["files"]
    ours = {file[file.index("ti99tools/") :]: each for file, each in files.items()}
    return {file: frozenset(each["executed_lines"]) for file, each in ours.items()}


def as_source(seed: int, faults: list[Fault]) -> str:
    """The module `drawn`."""
    rows = [
        f'"""Thirty faults drawn from lines that the tests run; see `drawing`. Seed {seed}."""',
        "# ruff: noqa: E501",
        "",
        "from __future__ import annotations",
        "",
        "from tests.mutants.fault import Fault",
        "",
        f"SEED = {seed}",
        "DRAWN = (",
    ]
    for fault in faults:
        rows.append(f"    Fault({fault.name!r}, {fault.file!r}, {fault.old!r}, {fault.new!r}),")
    return "\n".join([*rows, ")", ""])
