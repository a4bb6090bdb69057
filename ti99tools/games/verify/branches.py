"""Which branches of a model were taken: both ways of every `if`, `while`, `for` and `case`.

Branches are read from the source of the model's modules. While a match is played, a trace function
notes the steps from line to line in these files only. Constructors, class methods and `keys_of`
only read setups and logs, so their branches do not count.
"""

from __future__ import annotations

import ast
import dis
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from ti99tools.base.record import Record

YES, NO = "yes", "no"
MODELS = threading.RLock()
"""Held while a model is loaded, read or played. All threads of a worker share a model's caches: if
another thread filled them while a match is watched, cached code would not run and its branches not
be seen. And `ast.parse` of Python 3.11 is not thread-safe.
"""
_YIELDS = {dis.opmap[name] for name in ("YIELD_VALUE", "SEND", "RESUME") if name in dis.opmap}
"""Opcodes at which a frame stands when `yield` leaves it; from Python 3.13 on, the next one."""


class Branches(Record):
    """The branching lines of a file. `body`: line → first line of the body that runs on yes."""

    file: str
    body: dict[int, int]
    inside: dict[int, int]
    """A line inside a condition of several lines → the line of its statement."""
    endless: frozenset[int]
    tall: frozenset[int]
    """Lines whose condition continues on the next line."""

    @property
    def names(self) -> frozenset[str]:
        """All branches, as `123 yes`, `123 no`."""
        both = {name_of(line, way) for line in self.body for way in (YES, NO)}
        return frozenset(both - {name_of(line, NO) for line in self.endless})


def name_of(line: int, way: str) -> str:
    """The name of a branch in verdicts."""
    return f"{line} {way}"


@cache
def branches_of(module: ModuleType) -> Branches:
    """The branches of a module's functions and methods."""
    file = module.__file__ or ""
    nodes = list(_counted(ast.parse(Path(file).read_text(encoding="utf-8"))))
    return Branches(
        file,
        body={node.line: node.body for node in nodes},
        inside={line: node.line for node in nodes for line in range(node.line, node.end + 1)},
        endless=frozenset(node.line for node in nodes if node.endless),
        tall=frozenset(node.line for node in nodes if node.end > node.line),
    )


class _Branch(Record):
    line: int
    end: int
    body: int
    endless: bool


def _counted(tree: ast.AST) -> Iterator[_Branch]:
    """Branches whose body is on a line of its own; others cannot be seen by lines."""
    return (branch for branch in _branches(tree) if branch.body > branch.end)


def _branches(tree: ast.AST) -> Iterator[_Branch]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and _only_reads(node):
            continue
        if isinstance(node, ast.If | ast.While):
            endless = isinstance(node.test, ast.Constant)
            end = node.test.end_lineno or node.lineno
            yield _Branch(node.lineno, end, node.body[0].lineno, endless)
        elif isinstance(node, ast.For):
            end = node.iter.end_lineno or node.lineno
            yield _Branch(node.lineno, end, node.body[0].lineno, False)
        elif isinstance(node, ast.match_case):
            line, end = node.pattern.lineno, node.pattern.end_lineno
            yield _Branch(line, end, node.body[0].lineno, _catches_all(node))
        yield from _branches(node)


def _only_reads(function: ast.FunctionDef) -> bool:
    marks = {mark.id for mark in function.decorator_list if isinstance(mark, ast.Name)}
    return "classmethod" in marks or function.name in ("__init__", "keys_of")


def _catches_all(case: ast.match_case) -> bool:
    pattern = case.pattern
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None and case.guard is None


@dataclass
class TakenBranches:
    """Branches taken while `watching`."""

    names: set[str] = field(default_factory=set)


def all_branches(modules: Sequence[ModuleType]) -> frozenset[str]:
    """The branches of a model's modules, named with the file except for the first module's."""
    names: set[str] = set()
    for module in modules:
        prefix = _prefix(module, modules)
        names |= {prefix + name for name in branches_of(module).names}
    return frozenset(names)


def _prefix(module: ModuleType, modules: Sequence[ModuleType]) -> str:
    return "" if module is modules[0] else f"{Path(module.__file__ or '').name}:"


def _trace(branches: Branches, prefix: str, names: set[str]) -> Callable[..., Any]:
    """A trace function for the frames of a module, which adds the names of branches to `names`.

    It runs for every line of the model, so it looks up as little as it can.
    """
    body, tall = branches.body, branches.tall
    statement_of = branches.inside.get
    last: dict[FrameType, int | None] = {}
    """Frame → the branching line it has come to last; None after another line."""

    def local(frame: FrameType, event: str, _arg: Any) -> Any:
        if event == "line":
            line = frame.f_lineno
        elif event == "return" and frame.f_code.co_code[frame.f_lasti] not in _YIELDS:
            line = -1
        else:
            return local
        before, now = last.get(frame), statement_of(line)
        if before is not None and (now != before or (line == before and before not in tall)):
            names.add(prefix + name_of(before, YES if line == body[before] else NO))
        if line < 0:
            last.pop(frame, None)
        elif now != before:
            last[frame] = now
        return local

    return local


@contextmanager
def watching(*modules: ModuleType) -> Iterator[TakenBranches]:
    """Note the branches that the modules' code takes in the body of the `with` statement.

    The modules' caches are cleared, so that their code runs.
    """
    MODELS.acquire()
    watched = {branches_of(module).file: branches_of(module) for module in modules}
    prefixes = {branches_of(module).file: _prefix(module, modules) for module in modules}
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    branches_taken = TakenBranches()
    traces = {
        file: _trace(branches, prefixes[file], branches_taken.names)
        for file, branches in watched.items()
    }

    def calls(frame: FrameType, _event: str, _arg: Any) -> Any:
        return traces.get(frame.f_code.co_filename)

    before = sys.gettrace()
    sys.settrace(calls)
    try:
        yield branches_taken
    finally:
        sys.settrace(before)
        MODELS.release()
