"""Follow a page of the documentation: write its files, run its commands, compare the output."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli

FENCE = re.compile(r"^```(?P<kind>\w+)(?P<options>[^\n]*)\n(?P<body>.*?)^```$", re.M | re.S)
OPTION = re.compile(r'(\w+)="([^"]*)"')
WINDOW = "ti99tools play"


@dataclass(frozen=True)
class Step:
    """A fence of a page: a file to write, or commands to run."""

    kind: str
    options: dict[str, str]
    body: str


def steps(page: Path) -> list[Step]:
    """The fences of a page that say something to do, in order."""
    return steps_of(page.read_text(encoding="utf-8"))


def steps_of(text: str) -> list[Step]:
    """The fences of a text that say something to do, in order."""
    found = [
        Step(match["kind"], dict(OPTION.findall(match["options"])), match["body"])
        for match in FENCE.finditer(text)
    ]
    return [step for step in found if "title" in step.options or step.kind == "console"]


def write(step: Step, folder: Path) -> None:
    """Write the file of a step; `keep` says from which line on it replaces what is there."""
    path = folder / step.options["title"]
    beginning = ""
    if "keep" in step.options:
        old = path.read_text(encoding="utf-8")
        assert f"\n{step.options['keep']}\n" in old, f"{path.name} has no {step.options['keep']}"
        beginning = old[: old.index(f"\n{step.options['keep']}\n") + 1]
    path.write_text(beginning + step.body, encoding="utf-8")


def run(step: Step, exactly: bool = False) -> None:
    """Run the commands of a step in the current folder; what they print must be in the output.

    With `exactly` a screen is shown as it is printed, and nothing else.
    """
    commands: list[tuple[str, list[str]]] = []
    for line in step.body.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif line.strip() or exactly:
            commands[-1][1].append(line)
    for command, expected in commands:
        if command.startswith(WINDOW):
            continue
        output, code = _output(command)
        if exactly and "--screen" in command:
            rows = [line for line in output.splitlines() if not line.startswith("ended after")]
            assert rows == expected, f"{command} printed\n{output}"
        at = 0
        for line in expected:
            assert line in output[at:], f"{command} printed\n{output}\nwithout {line}"
            at = output.index(line, at) + len(line)
        fails = any(line.startswith("error:") for line in expected)
        assert (code != 0) == fails, f"{command}: exit code {code}\n{output}"


PLUGIN = "ti99tools.fronts.pytest_plugin"


def _printed(file: str) -> str:
    """What a program in Python prints; it runs in this process, where all is imported."""
    with redirect_stdout(StringIO()) as output:
        runpy.run_path(file, run_name="__main__")
    return output.getvalue()


def _output(command: str) -> tuple[str, int]:
    words = shlex.split(command)
    if words[0] == "ti99tools":
        result = CliRunner().invoke(cli, words[1:])
        return result.output, result.exit_code
    if words[0] == "python":
        return _printed(*words[1:]), 0
    assert words == ["pytest"], command
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", PLUGIN],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    return process.stdout + process.stderr, process.returncode
