"""The wall round a model: what it may import.

A model proves something because it shares no code with the console. So its module, and every
module of its own folder that it imports, may use of ti99tools only `models` and `trace`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from ti99tools.base.errors import BuildError, Place

ALLOWED = ("ti99tools.models", "ti99tools.trace")


def check_model(path: Path) -> None:
    """Raise BuildError when a model's module, or one beside it that it uses, breaks the wall."""
    for module in modules_of(path):
        for name, line in _imports(module):
            if not _may_use(name):
                raise BuildError(
                    f"a model must not import {name}",
                    remedy=f"use {' and '.join(ALLOWED)} only, so that model and console share "
                    "no fault",
                    place=Place(str(module), line),
                )


def modules_of(path: Path) -> list[Path]:
    """A model's module and those beside it that it uses, itself first."""
    found = [path]
    for module in found:
        for name, _ in _imports(module):
            beside = _beside(module, name)
            if beside is not None and beside not in found:
                found.append(beside)
    return found


def _may_use(name: str) -> bool:
    inside = name == "ti99tools" or name.startswith("ti99tools.")
    return not inside or any(name == room or name.startswith(f"{room}.") for room in ALLOWED)


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    """What a module imports, and where; modules beside it as `.name`, those above as `..name`."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, ValueError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        problem = f"cannot be read: {type(error).__name__}: {error}"
        raise BuildError(problem, remedy="fix it", place=Place(str(path), line)) from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((name, node.lineno) for name in _from(node))


def _from(node: ast.ImportFrom) -> Iterator[str]:
    """The modules that `from … import …` may mean."""
    name = "." * node.level + (node.module or "")
    if name in ("ti99tools", ".", "..") or node.level:
        joint = "" if name.endswith(".") else "."
        yield from (f"{name}{joint}{alias.name}" for alias in node.names)
    if node.module and (name != "ti99tools" or not node.names):
        yield name


def _beside(module: Path, name: str) -> Path | None:
    """The file of a module in the folder of `module`."""
    if not name.startswith("."):
        return None
    level = len(name) - len(name.lstrip("."))
    folder = module.resolve().parents[level - 1]
    path = folder.joinpath(*name.lstrip(".").split("."))
    for found in (path.with_suffix(".py"), path / "__init__.py"):
        if found.is_file():
            return found
    return None
