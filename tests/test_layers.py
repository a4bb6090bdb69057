"""Imports point one way: the table of rooms, enforced."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "ti99tools"

CONSOLE = {
    "interp",
    "machine",
    "machinecode",
    "render",
    "trace.keyscript",
    "source",
    "program",
    "disk",
    "numbers",
    "base",
    "tape.cassette",
}
ROOMS: dict[str, set[str]] = {
    "base": set(),
    "numbers": {"base"},
    "source": {"base"},
    "optimize": {"base", "source"},
    "program": {"base", "source", "disk"},
    "disk": {"base"},
    "cpu": {"base"},
    "assembler": {"base", "cpu"},
    "tape": {"base"},
    "coverage": {"base", "source", "program"},
    "games": {"optimize", "assembler", "base", "source", "program", "disk"},
    "machine": {"base", "cpu", "disk", "tape"},
    "machinecode": {"base", "cpu", "machine", "numbers"},
    "render": {"base", "machine"},
    "interp": {"base", "numbers", "source", "machine", "machinecode"},
    "console": CONSOLE,
    "debug": {"console", "interp", "machine", "source", "render", "trace", "base"},
    "trace": {"base"},
    "models": {"trace"},
    "hosts": {"trace", "disk", "base"},
    "verify": {"trace", "hosts", "models", "games", "coverage", "base"},
    "tasks": CONSOLE
    | {
        "console",
        "coverage",
        "games",
        "optimize",
        "render",
        "trace",
        "models",
        "hosts",
        "verify",
        "conformance",
        "debug",
        "play",
        "tape",
        "assembler",
    },
    "lsp": {"tasks", "source", "base"},
    "web": {"tasks", "lsp", "play", "debug", "console", "interp.run.execution", "games"}
    | {"verify", "report", "machine", "render", "program", "source", "disk", "base"},
    "cli": {
        "tasks",
        "lsp",
        "report",
        "coverage.counted",
        "base",
        "disk",
        "games",
        "hosts",
        "machine.drives",
        "web.site.making",
    }
    | {"program.memory_report", "source.findings", "conformance.show"}
    | {"verify.campaign", "verify.result"},
    "report": {"trace", "verify.result", "coverage", "base"},
    "conformance": {"console", "cpu", "program", "disk", "numbers", "trace", "base"},
    "play": {"console", "machine", "render", "trace", "base"},
    "__init__.py": {
        "console.session",
        "disk.image",
        "machine.ports",
        "program.program",
        "tape.cassette",
    },
    "__main__.py": {"cli"},
    "pytest_plugin.py": {"console", "disk", "program", "base.errors"}
    | {"tasks.collecting", "tasks.covering", "report.annotated"},
}
"""Room, or module beside the rooms → rooms, or single modules of them, that it may import."""
EXTRA = {
    "hosts/virtual.py": {"console"},
    "hosts/witness.py": {"console", "interp", "machine", "render", "source"},
    "hosts/mame/told.py": {"program"},
    "hosts/mame/check.py": {"program"},
}
INSIDE = {
    "interp/io": set(),
    "interp/subprograms": {"interp.io"},
    "interp/compile": {"interp.io"},
    "interp/run": {"interp.io", "interp.subprograms", "interp.compile"},
}
"""Room inside a room → rooms beside it that it may import."""
EXPORTS = {
    "Cassette": "tape.cassette",
    "Console": "console.session",
    "DiskImage": "disk.image",
    "Port": "machine.ports",
    "Program": "program.program",
}
"""What `ti99tools` itself hands out, and where that is."""
STDLIB_ONLY = {
    "cpu",
    "machinecode",
    "assembler",
    "optimize",
    "base",
    "numbers",
    "source",
    "disk",
    "program",
}
STDLIB_ONLY |= {"coverage", "interp", "console", "machine", "render", "debug", "lsp", "web"}
MAY_USE = {
    "render/": {"PIL"},
    "source/art": {"PIL"},
}
THIRD_PARTY = {"PIL", "click", "rich", "pygame", "hypothesis", "pytest"}


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


def forbidden(relative: Path, imported: set[str]) -> set[str]:
    """Which of the imported modules the module at `relative` may not use."""
    room = relative.parts[0]
    allowed = ROOMS[room] | {room} | EXTRA.get(relative.as_posix(), set())
    names = {name.removeprefix("ti99tools.") for name in imported if name.startswith("ti99tools.")}
    used = {EXPORTS.get(name, name) for name in names}
    allowed |= {"__version__"}
    return {name for name in used if not {name, name.split(".")[0]} & allowed}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    wrong = forbidden(relative, imports(path))
    assert not wrong, f"{relative} imports {sorted(wrong)}"


def across(relative: Path, imported: set[str]) -> set[str]:
    """Which of the imported modules lie in a room beside that of `relative` that it may not use."""
    room = "/".join(relative.parts[:2])
    if room not in INSIDE:
        return set()
    around, own = relative.parts[0], room.replace("/", ".")
    names = {name.removeprefix("ti99tools.") for name in imported if name.startswith("ti99tools.")}
    beside = {name for name in names if name.startswith(around + ".")}
    return {name for name in beside if ".".join(name.split(".")[:2]) not in {own, *INSIDE[room]}}


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_rooms_inside_a_room_point_down_too(path: Path) -> None:
    relative = path.relative_to(PACKAGE)
    wrong = across(relative, imports(path))
    assert not wrong, f"{relative} imports {sorted(wrong)}"


def test_rooms_inside_a_room_can_be_left_the_wrong_way() -> None:
    wrong = {"ti99tools.interp.run.runtime"}
    assert across(Path("interp/io/printer.py"), wrong) == {"interp.run.runtime"}
    assert across(Path("interp/run/execution.py"), wrong) == set()
    assert across(Path("console/session.py"), wrong) == set()


@pytest.mark.parametrize(
    ("module", "imported", "allowed"),
    [
        ("report/html.py", "ti99tools.verify.result", True),
        ("report/html.py", "ti99tools.verify.campaign", False),
        ("report/html.py", "ti99tools.verify", False),
        ("report/html.py", "ti99tools.console.session", False),
        ("pytest_plugin.py", "ti99tools.Console", True),
        ("pytest_plugin.py", "ti99tools.program.sourcefile", True),
        ("pytest_plugin.py", "ti99tools.verify.result", False),
        ("pytest_plugin.py", "ti99tools.cli.main", False),
        ("hosts/virtual.py", "ti99tools.console.session", True),
        ("hosts/mame/emulator.py", "ti99tools.console.session", False),
        ("hosts/mame/emulator.py", "ti99tools.Console", False),
        ("base/files.py", "ti99tools.source.scan", False),
        ("cli/run.py", "ti99tools.tasks.headless", True),
        ("cli/run.py", "ti99tools.console.session", False),
        ("tasks/headless.py", "ti99tools.console.session", True),
        ("tasks/headless.py", "ti99tools.report.text", False),
    ],
)
def test_the_table_can_be_broken(module: str, imported: str, allowed: bool) -> None:
    assert (not forbidden(Path(module), {imported})) == allowed


def test_the_table_names_what_is_there() -> None:
    for name in [*ROOMS, *EXTRA, *INSIDE]:
        assert (PACKAGE / name).exists(), name
    there = {path.relative_to(PACKAGE).parts[0] for path in modules()}
    assert there == {*ROOMS}, "each room and each module beside the rooms has its row"


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
    for room in (name for name in ROOMS if not name.endswith(".py")):
        doc = ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_text()))
        assert doc and "mports" in doc, f"{room}/__init__.py lacks its room sign"


def test_nothing_imports_the_command_line() -> None:
    for path in modules():
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] in ("cli", "__main__.py"):
            continue
        assert not any(n.startswith("ti99tools.cli") for n in imports(path)), relative
