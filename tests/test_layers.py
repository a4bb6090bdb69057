"""Imports point one way: the table of rooms, enforced."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "ti99tools"

CONSOLE = {"interp", "machine", "source", "program", "disk", "numbers", "base"}
ROOMS: dict[str, set[str]] = {
    "base": set(),
    "numbers": {"base"},
    "source": {"base"},
    "program": {"base", "source"},
    "disk": {"base"},
    "build": {"base", "source", "program", "disk"},
    "machine": {"base", "disk"},
    "interp": {"base", "numbers", "source", "machine"},
    "console": CONSOLE,
    "trace": {"base"},
    "models": {"trace"},
    "hosts": {"trace", "disk", "base"},
    "verify": {"trace", "hosts", "models", "base"},
    "report": {"trace", "verify", "base"},
    "conformance": {"console", "program", "disk", "numbers", "trace", "base"},
    "play": {"console", "machine", "trace", "base"},
}
EXTRA = {"hosts/virtual.py": {"console"}, "report": {"verify"}}
STDLIB_ONLY = {"base", "numbers", "source", "program", "interp", "console", "machine"}
MAY_USE = {
    "machine/picture": {"PIL"},
    "source/art": {"PIL"},
}
THIRD_PARTY = {"PIL", "click", "rich", "construct", "pygame", "hypothesis", "pytest"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names.add(node.module or "")
            if node.module == "ti99tools":
                names |= {f"ti99tools.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    room = relative.parts[0]
    if room not in ROOMS:
        return
    allowed = ROOMS[room] | {room} | EXTRA.get(str(relative), set())
    used = {n.split(".")[1] for n in imports(path) if n.startswith("ti99tools.")}
    assert used <= allowed, f"{relative} imports {sorted(used - allowed)}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_the_core_needs_the_standard_library_only(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    if relative.parts[0] not in STDLIB_ONLY:
        return
    stem = str(relative.with_suffix(""))
    allowed = next((v for k, v in MAY_USE.items() if stem.startswith(k)), set())
    used = {n.split(".")[0] for n in imports(path)} & THIRD_PARTY
    assert used <= allowed, f"{relative} imports {sorted(used - allowed)}"


def test_every_room_has_its_sign() -> None:
    for room in [*ROOMS, "cli"]:
        doc = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text()))
        assert doc and "mports" in doc, f"{room}/__init__.py lacks its room sign"


def test_nothing_imports_the_command_line() -> None:
    for path in modules():
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] in ("cli", "__main__.py"):
            continue
        assert not any(n.startswith("ti99tools.cli") for n in imports(path)), relative
