"""The structure of the package in figures: `python -m tests.house [FOLDER]`.

Counts modules, their sizes and functions, the floors that imports make, circles of rooms and of
modules (those for types included, and those that remain when the program runs), modules that share
a name, and runs of six lines that two modules share.
"""

from __future__ import annotations

import ast
import gc
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "ti99tools"
RUN = 6
"""Lines that make a duplicate."""


@dataclass(frozen=True)
class Module:
    """One module: its name, its source lines, and its imports: all, and those made at run time."""

    name: str
    lines: tuple[str, ...]
    tree: ast.Module
    imports: frozenset[str]
    run_imports: frozenset[str]


@cache
def parsed(text: str) -> ast.Module:
    """The tree of a module, which several tests look at.

    The garbage collector would look through the trees of all modules while each next one is made.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        if collects:
            gc.enable()


def read(package: Path) -> dict[str, Module]:
    """The modules of a package folder by dotted name."""
    modules = {}
    for path in sorted(package.rglob("*.py")):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        tree = parsed(text)
        every, running = (frozenset(imported(tree.body, types)) for types in (True, False))
        modules[name] = Module(name, tuple(text.splitlines()), tree, every, running)
    return modules


@cache
def ours() -> dict[str, Module]:
    """The modules of our package, read once; the garbage collector leaves them alone."""
    found = read(PACKAGE)
    gc.freeze()
    return found


def inner(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement that may hold statements: far fewer than all its nodes."""
    for field in ("body", "orelse", "handlers", "cases", "finalbody"):
        yield from getattr(node, field, ())


def statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The statements of a body and, at any depth, those inside them."""
    for node in body:
        yield node
        yield from statements(inner(node))


def imported(body: Iterable[ast.AST], types: bool = True) -> Iterator[str]:
    """Names that statements import, inside functions as well; with `types` also those for types."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and not types and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imported(node.orelse, types)
        else:
            yield from imported(inner(node), types)


def graph(modules: Mapping[str, Module], types: bool) -> dict[str, set[str]]:
    """Module → modules of the package that it imports."""
    arrows: dict[str, set[str]] = {}
    for module in modules.values():
        names = module.imports if types else module.run_imports
        found = {name if name in modules else name.rpartition(".")[0] for name in names}
        arrows[module.name] = (found & set(modules)) - {module.name}
    return arrows


def circles(arrows: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import each other, the largest first."""
    reach = {name: _reach(arrows, name) for name in arrows}
    groups = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in arrows
        if name in reach[name]
    }
    return sorted((list(group) for group in groups), key=len, reverse=True)


def _reach(arrows: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in arrows[waiting.pop()] - found:
            found.add(name)
            waiting.append(name)
    return found


def rooms(arrows: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Room → rooms that it imports; a module that stands in no room of its wing is one itself."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, targets in arrows.items():
        room = _room(name)
        found[room] |= {_room(target) for target in targets} - {room}
    return found


def floors(arrows: Mapping[str, set[str]]) -> int:
    """Wings (top folders) on the longest way down; wings of one circle count as one floor."""
    wings: dict[str, set[str]] = defaultdict(set)
    for name, targets in arrows.items():
        wing = _wing(name)
        wings[wing] |= {_wing(target) for target in targets} - {wing}
    known: dict[str, int] = {}

    def floor(wing: str, above: frozenset[str]) -> int:
        if wing not in known:
            below = [floor(w, above | {wing}) for w in wings[wing] if w not in above]
            known[wing] = 1 + max(below, default=0)
        return known[wing]

    return max(floor(wing, frozenset()) for wing in list(wings))


def _wing(name: str) -> str:
    return ".".join(name.split(".")[:2])


def _room(name: str) -> str:
    return ".".join(name.split(".")[:3])


def same_names(modules: Mapping[str, Module]) -> dict[str, int]:
    """Last part of the name → modules that have it, where more than one has."""
    counts: dict[str, int] = defaultdict(int)
    for name, module in modules.items():
        if len(module.lines) and not any(other.startswith(f"{name}.") for other in modules):
            counts[name.rpartition(".")[2]] += 1
    return {name: count for name, count in sorted(counts.items()) if count > 1}


def duplicates(modules: Mapping[str, Module]) -> int:
    """Pairs of modules that share a run of `RUN` lines; imports and blank lines do not count."""
    places: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for name, module in modules.items():
        lines = [line.strip() for line in module.lines]
        lines = [line for line in lines if len(line) > 3 and not line.startswith(_THIN)]
        for at in range(len(lines) - RUN + 1):
            places[tuple(lines[at : at + RUN])].add(name)
    pairs = {tuple(sorted(where)) for where in places.values() if len(where) > 1}
    return len(pairs)


_THIN = ("#", "import ", "from ", '"""', "Examples:")


def functions(modules: Mapping[str, Module]) -> list[int]:
    """Lengths of all functions in lines, docstrings included, sorted."""
    return sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for module in modules.values()
        for node in statements(module.tree.body)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def report(package: Path) -> str:
    """The figures as lines of text."""
    modules = read(package)
    sizes = {name: len(module.lines) for name, module in modules.items()}
    largest = max(sizes, key=lambda name: sizes[name])
    lengths = functions(modules) or [0]
    typed, running = graph(modules, True), graph(modules, False)
    rows = [
        ("modules", f"{len(modules)}, {sum(sizes.values())} lines"),
        ("median module", f"{statistics.median(sizes.values()):.0f} lines"),
        ("largest module", f"{largest}, {sizes[largest]} lines"),
        ("over 400 lines", ", ".join(n for n in sizes if sizes[n] > 400) or "none"),
        (
            "functions",
            f"{len(lengths)}, median {lengths[len(lengths) // 2]} lines, "
            f"p90 {lengths[len(lengths) * 9 // 10]}, longest {lengths[-1]}",
        ),
        ("floors of wings", str(floors(running))),
        ("circles of rooms", _sizes(circles(rooms(typed)), "rooms")),
        ("circles at run time", _sizes(circles(running))),
        ("circles with types", _sizes(circles(typed))),
        ("same names", ", ".join(f"{n} ×{c}" for n, c in same_names(modules).items()) or "none"),
        ("pairs that share six lines", str(duplicates(modules))),
    ]
    return "\n".join(f"{label + ':':28}{value}" for label, value in rows)


def _sizes(groups: list[list[str]], what: str = "modules") -> str:
    return ", ".join(f"{len(group)} {what}" for group in groups) or "none"


if __name__ == "__main__":
    print(report(Path(sys.argv[1]) if len(sys.argv) > 1 else PACKAGE))
