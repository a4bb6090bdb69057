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


def loaded(*arguments: str) -> set[str]:
    """The modules in memory after a command has run."""
    command = [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}{REPORT}"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def rooms(modules: set[str]) -> set[str]:
    return {name.split(".")[1] for name in modules if name.startswith("ti99tools.")}


def test_the_version_needs_next_to_nothing() -> None:
    modules = loaded("--version")
    assert rooms(modules) == {"__main__"}
    assert not modules & {"click", "typing", "dataclasses", "pathlib"}


def test_tokenize_needs_no_console_and_no_disk(tmp_path: Path) -> None:
    source = tmp_path / "a.bas"
    source.write_text("100 PRINT\n")
    modules = loaded("tokenize", str(source), "-o", str(tmp_path / "A"))
    assert rooms(modules) == {"__main__", "base", "cli", "program", "source", "tasks"}
    assert "ti99tools.source.dialect" not in modules
    assert not modules & {"PIL", "rich", "json", "tempfile", "decimal"}


def test_a_disk_of_texts_needs_no_programs(tmp_path: Path) -> None:
    text = tmp_path / "A.txt"
    text.write_text("HELLO\n")
    modules = loaded("disk", "new", str(tmp_path / "a.dsk"), str(text))
    assert rooms(modules) == {"__main__", "base", "cli", "disk", "tasks"}


@pytest.mark.parametrize("command", [("new",), ("ls",), ("check",)], ids=" ".join)
def test_disk_commands_need_disks_alone(tmp_path: Path, command: tuple[str, ...]) -> None:
    image = tmp_path / "a.dsk"
    if command != ("new",):
        loaded("disk", "new", str(image))
    modules = loaded("disk", *command, str(image))
    assert rooms(modules) == {"__main__", "base", "cli", "disk", "tasks"}
    assert not modules & {"PIL", "rich"}
