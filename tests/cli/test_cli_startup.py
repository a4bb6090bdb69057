"""Commands load what they need and no more: start-up is most of what a short one takes."""

import subprocess
import sys
from pathlib import Path

import pytest

REPORT = """
import sys
from ti99tools.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code
print(*sys.modules, sep="\\n")
"""


SPACIOUS = {"media", "hardware", "language", "computer", "games", "fronts"}
"""Wings that are divided into rooms."""
DOOR = "language.program"
"""The room of the module that tells what a file is, of which these need no other module."""
DISKS = {"__main__", "kept", "app", "base", "fronts.cli", "media.disk", DOOR}
TOKENIZES = {
    "__main__",
    "kept",
    "app",
    "base",
    "fronts.cli",
    "language.analysis",
    "language.findings",
    "language.lint",
    "language.listing",
    "language.prescan",
    "language.program",
    "language.remedies",
    "language.syntax",
}


def loaded(*arguments: str) -> set[str]:
    """The modules in memory after a command has run."""
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}{REPORT}"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def behind_the_door(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith(f"ti99tools.{DOOR}.")} - {
        f"ti99tools.{DOOR}.hostfile"
    }


def rooms(modules: set[str]) -> set[str]:
    inside = {name.removeprefix("ti99tools.") for name in modules if name.startswith("ti99tools.")}
    parts = [name.split(".") for name in inside]
    return {".".join(p[: 2 if p[0] in SPACIOUS else 1]) for p in parts} - SPACIOUS


def test_the_version_needs_next_to_nothing() -> None:
    modules = loaded("--version")
    assert rooms(modules) == {"__main__", "kept", "fronts.cli"}
    assert not modules & {"click", "typing", "dataclasses", "pathlib", "signal"}


def test_tokenize_needs_no_console_and_no_disk(tmp_path: Path) -> None:
    source = tmp_path / "a.bas"
    source.write_text("100 PRINT\n")
    modules = loaded("tokenize", str(source), "-o", str(tmp_path / "A"))
    assert rooms(modules) == TOKENIZES
    assert "ti99tools.language.dialect" not in modules
    assert not modules & {"PIL", "rich", "json", "tempfile", "decimal"}


@pytest.mark.parametrize(
    "command", [("list",), ("lint",), ("run",), ("tokenize", "-o")], ids=lambda c: c[0]
)
def test_what_touches_no_disk_needs_no_construct(tmp_path: Path, command: tuple[str, ...]) -> None:
    source = tmp_path / "x.xb"
    source.write_text("INTEGER_TO = 3\nFOR I = 1 TO INTEGER_TO\n  PRINT I\nNEXT I\n")
    output = [str(tmp_path / "A")] if "-o" in command else []
    modules = loaded(command[0], str(source), *command[1:], *output)
    assert "construct" not in modules
    assert ("ti99tools.computer" in modules) == (command[0] == "run")


def test_matches_of_a_game_that_is_not_compiled_need_no_compiler() -> None:
    script = "import sys, ti99tools.games.verify.campaign; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "ti99tools.games.verify.campaign" in done.stdout.split()
    assert "ti99tools.compiler" not in done.stdout.split()


def test_a_disk_of_texts_needs_no_programs(tmp_path: Path) -> None:
    text = tmp_path / "A.txt"
    text.write_text("HELLO\n")
    modules = loaded("disk", "new", str(tmp_path / "a.dsk"), str(text))
    assert rooms(modules) == DISKS
    assert not behind_the_door(modules)


@pytest.mark.parametrize("command", [("new",), ("ls",), ("check",)], ids=" ".join)
def test_disk_commands_need_disks_alone(tmp_path: Path, command: tuple[str, ...]) -> None:
    image = tmp_path / "a.dsk"
    if command != ("new",):
        loaded("disk", "new", str(image))
    modules = loaded("disk", *command, str(image))
    assert rooms(modules) == DISKS
    assert not behind_the_door(modules)
    assert not modules & {"PIL", "rich"}
    assert "construct" in modules
