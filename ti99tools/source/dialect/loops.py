"""NEXT with the variable of another FOR: the console would stop there."""

from __future__ import annotations

from ti99tools.base.errors import SourceError
from ti99tools.source.dialect.lexer import Kind, Lexeme
from ti99tools.source.dialect.mistakes import Report
from ti99tools.source.dialect.statements import Statement
from ti99tools.source.dialect.tree import Body, If, Loop


def check_loops(body: Body, report: Report) -> None:
    """Report each NEXT whose variable is not that of the FOR it closes."""
    opened: list[Statement] = []
    for node in body:
        if isinstance(node, If):
            for inner in (*(branch.body for branch in node.branches), node.otherwise or []):
                check_loops(inner, report)
        elif isinstance(node, Loop):
            check_loops(node.body, report)
        elif isinstance(node, Statement) and node.word == "FOR":
            opened.append(node)
        elif isinstance(node, Statement) and node.word == "NEXT" and opened:
            loop = opened.pop()
            begun, ended = _variable(loop), _variable(node)
            if begun is not None and ended is not None and begun.text != ended.text:
                report(
                    SourceError(
                        f"NEXT {ended.text} closes FOR {begun.text} at {loop.place}",
                        remedy=f"write NEXT {begun.text}",
                        place=ended.place,
                    )
                )


def _variable(statement: Statement) -> Lexeme | None:
    name = statement.lexemes[1] if len(statement.lexemes) > 1 else None
    return name if name is not None and name.kind is Kind.NAME else None
