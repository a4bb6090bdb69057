"""Pages of the site that are made from the project: reference, counts, pictures."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
COPIED = {
    "dialect.md": "xbasic/DIALECT.md",
    "library.md": "xbasic/lib/README.md",
    "games.md": "xbasic/GAMES.md",
    "running.md": "xbasic/RUNNING.md",
    "debugging.md": "xbasic/DEBUGGING.md",
    "coverage.md": "xbasic/COVERAGE.md",
    "d5000.md": "xbasic/d5000/MANUAL.md",
    "dicerack.md": "xbasic/dicerack/MANUAL.md",
    "lambo.md": "xbasic/lambo/MANUAL.md",
    "dimraw.md": "xbasic/dimraw/MANUAL.md",
    "house.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
}
"""Pages that stand elsewhere in the project too."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages and pictures that are made."""
    for page, source in COPIED.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_relinked(text, source)))
    files.append(File.generated(config, "commands.md", content=commands()))
    files.append(File.generated(config, "pictures/stars.png", content=stars()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the counts of the last comparison where a page wants them."""
    mark = "<!-- counts -->"
    return markdown.replace(mark, counts()) if mark in markdown else markdown


def _relinked(text: str, source: str) -> str:
    """The text with links between files of the project as links of pages; others become words."""
    pages = {(ROOT / path).resolve(): page for page, path in COPIED.items()}

    def link(match: re.Match[str]) -> str:
        target = ((ROOT / source).parent / match[3]).resolve()
        if target in pages and not match[1]:
            return f"[{match[2]}]({pages[target]}{match[4] or ''})"
        return match[2]

    return LINK.sub(link, text)


def commands() -> str:
    """The help of all commands."""
    import click

    from ti99tools.cli.main import cli

    rows = ["# Commands", ""]

    def add(name: str, command: click.Command, parent: click.Context | None, depth: int) -> None:
        context = click.Context(command, info_name=name, parent=parent, terminal_width=96)
        rows.extend([f"{'#' * depth} {context.command_path}", "", "```text"])
        rows.extend([command.get_help(context), "```", ""])
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                if found is not None:
                    add(inner, found, context, 3)

    root = click.Context(cli, info_name="ti99tools")
    for name in cli.list_commands(root):
        found = cli.get_command(root, name)
        if found is not None:
            add(name, found, root, 2)
    return "\n".join(rows)


def counts() -> str:
    """A table of the recorded values by file, from a comparison made now."""
    from ti99tools.conformance.show import data
    from ti99tools.tasks.recorded import chosen_cases, hold, known_failures

    paths = [ROOT / "tests" / "conformance"]
    cases = chosen_cases(paths, None, None)
    found = data(hold(cases, known_failures(paths, None), os.cpu_count() or 1))
    rows = ["| recorded | agree | differ |", "|---|---:|---:|"]
    for area, (passed, failed) in found["areas"].items():
        rows.append(f"| {area} | {passed:,} | {failed} |")
    rows.append(f"| all | {found['passed']:,} | {found['failed']} |")
    return "\n".join(rows)


def stars() -> bytes:
    """The game of the tutorial, as the console shows it."""
    from ti99tools import Console, Program
    from ti99tools.source.dialect import generate

    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    source = re.findall(r'^```xb title="stars.xb"\n(.*?)^```$', text, re.M | re.S)[-1]
    console = Console()
    console.load(Program.from_listing(generate(source, "stars.xb").text))
    console.start()
    console.wait(140)
    picture = console.screen.png()
    assert isinstance(picture, bytes)
    return picture
