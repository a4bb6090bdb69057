"""Which tests come to which fault: found by one run of the tests, with a probe at each fault.

A probe is a statement before the one in question that notes the test of this moment. Processes that
a test starts note the same test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from tests.mutants import probe
from tests.mutants.fault import ROOT, Fault
from tests.mutants.workshop import Workshop

Reach = dict[str, dict[str, float]]
"""Name of a fault → the tests that come to it, with the seconds of processor time of each."""

_PROBE = "__import__('tests.mutants.probe', fromlist=['hit']).hit({})\n"


def statement_line(tree: ast.AST, line: int, rows: Sequence[str]) -> int:
    """The line (from 1) of the last statement at or before a line that may have one before it."""
    lines = {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
        and node.lineno <= line <= (node.end_lineno or line)
        and rows[node.lineno - 1][: node.col_offset].strip() == ""
        and not rows[node.lineno - 1].lstrip().startswith(("elif", "@"))
    }
    return max(lines)


def probed(text: str, places: Iterable[tuple[int, str]]) -> str:
    """The text of a module with a probe before the statement of each place: (number, text)."""
    rows = text.splitlines(keepends=True)
    tree = ast.parse(text)
    added: list[tuple[int, int]] = []
    for number, old in places:
        at = text.index(old)
        # Its last line: those before it may only make the place the only one.
        line = text.count("\n", 0, at + len(old.rstrip("\n"))) + 1
        added.append((statement_line(tree, line, rows), number))
    for line, number in sorted(added, reverse=True):
        row = rows[line - 1]
        indent = row[: len(row) - len(row.lstrip())]
        rows.insert(line - 1, indent + _PROBE.format(number))
    return "".join(rows)


def reach(faults: Sequence[Fault], shop: Workshop, tests: Sequence[str]) -> Reach:
    """Run all tests once, and tell which come to each fault, or read the table that it is in."""
    files: dict[str, list[tuple[int, str]]] = {}
    for number, fault in enumerate(faults):
        file, old = fault.place
        files.setdefault(file, []).append((number, old))
    texts = {file: probed(shop.text(file), places) for file, places in files.items()}
    shop.pytest(["-n", "auto", *tests], texts)
    took = {str(test): float(str(s)) for test, s in probe.notes(shop.notes, "took")}
    found: Reach = {fault.name: {} for fault in faults}
    for index, test in probe.notes(shop.notes, "hit"):
        name = str(test)
        if name in took:
            found[faults[int(str(index))].name][name] = took[name]
    for fault in faults:
        if fault.used:
            # Tests may look at a table itself.
            readers = _importing(fault.file, {test.partition("::")[0] for test in took})
            found[fault.name] |= {
                test: seconds
                for test, seconds in took.items()
                if test.partition("::")[0] in readers
            }
    return {name: dict(sorted(of.items(), key=lambda each: each[1])) for name, of in found.items()}


def _importing(module: str, files: Iterable[str]) -> set[str]:
    """The files of tests that import a module."""
    name = module.removesuffix(".py").replace("/", ".")
    package, _, last = name.rpartition(".")
    imports = re.compile(
        rf"^(from {re.escape(name)} import|from {re.escape(package)} import.*\b{last}\b)", re.M
    )
    return {file for file in files if imports.search((ROOT / file).read_text("utf-8"))}
