"""Pages of the site that are made from the project: reference, counts, pictures."""

from __future__ import annotations

import os
import re
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from pygments.lexers import LEXERS
from statement_times import times
from xblexer import XbLexer

ROOT = Path(__file__).parents[1]
LEXERS["XbLexer"] = (XbLexer.__module__, XbLexer.name, tuple(XbLexer.aliases), (), ())
COPIED = {
    "library.md": "xbasic/lib/README.md",
    "d5000.md": "xbasic/d5000/MANUAL.md",
    "dicerack.md": "xbasic/dicerack/MANUAL.md",
    "lambo.md": "xbasic/lambo/MANUAL.md",
    "dimraw.md": "xbasic/dimraw/MANUAL.md",
    "house.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
}
"""Pages that stand elsewhere in the project too."""
EVERY = int(os.environ.get("SITE_EVERY", "1"))
"""Recorded cases of which one is compared. All take a minute: more than the rest of the site."""
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages and pictures that are made."""
    for page, source in COPIED.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=_relinked(text, source)))
    files.append(File.generated(config, "commands.md", content=commands()))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put what is made where a page has its mark, and make links to files links to pages."""
    if page.file.src_uri not in COPIED:
        markdown = _relinked(markdown, f"docs/{page.file.src_uri}")
    for mark, make in MADE.items():
        if mark in markdown:
            markdown = markdown.replace(mark, make())
    return markdown


def _relinked(text: str, source: str) -> str:
    """The text with links between files of the project as links of pages; others become words."""
    pages = {(ROOT / path).resolve(): page for page, path in COPIED.items()}
    docs = ROOT / "docs"

    def link(match: re.Match[str]) -> str:
        target = ((ROOT / source).parent / match[3]).resolve()
        if target in pages:
            return f"{match[1]}[{match[2]}]({pages[target]}{match[4] or ''})"
        if target.is_relative_to(docs):
            return f"{match[1]}[{match[2]}]({target.relative_to(docs)}{match[4] or ''})"
        return match[2]

    return LINK.sub(link, text)


def commands() -> str:
    """The help of all commands."""
    import click

    from ti99tools.fronts.cli.main import cli

    rows = ["# Commands", ""]

    def add(name: str, command: click.Command, parent: click.Context | None, depth: int) -> None:
        context = click.Context(command, info_name=name, parent=parent, terminal_width=80)
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


@cache
def _held() -> dict[str, Any]:
    """What `ti99tools conformance --json` tells, from a comparison made now."""
    from ti99tools.app.conformance import chosen_cases, hold, known_failures
    from ti99tools.games.conformance.outcome import data

    paths = [ROOT / "tests" / "conformance"]
    cases = chosen_cases(paths, None, None)[::EVERY]
    return data(hold(cases, known_failures(paths, None), os.cpu_count() or 1))


def counts() -> str:
    """A table of the recorded values by what they are about."""
    found = _held()
    groups: dict[str, list[int]] = {}
    for area, (passed, failed) in found["areas"].items():
        title = AREAS.get(re.split("[- ]", area)[0], area)
        group = groups.setdefault(title, [0, 0])
        group[0] += passed
        group[1] += failed
    rows = ["| recorded | agree | differ |", "|---|---:|---:|"]
    rows += [f"| {title} | {passed:,} | {failed} |" for title, (passed, failed) in groups.items()]
    title = "all" if EVERY == 1 else f"one case in {EVERY}"
    rows.append(f"| **{title}** | **{found['passed']:,}** | **{found['failed']}** |")
    return "\n".join(rows)


def differences() -> str:
    """The cases that differ, by the reason that the list of known failures gives."""
    reasons: dict[str, list[str]] = {}
    for failure in _held()["failures"]:
        reasons.setdefault(failure["known"] or "not known yet", []).append(f"`{failure['id']}`")
    rows = ["| why | cases |", "|---|---|"]
    rows += [f"| {why} | {', '.join(names)} |" for why, names in reasons.items()]
    return "\n".join(rows)


def speeds() -> str:
    """A table of what statements take of the machine's time, measured on the console now."""
    rows = ["| statement | ms |", "|---|---:|"]
    rows += [f"| `{text}` | {milliseconds:.1f} |" for text, milliseconds in times()]
    return "\n".join(rows)


def steps() -> str:
    """The steps of key scripts, as the module that reads them describes them."""
    from ti99tools.computer.console import keyscript

    parts = (keyscript.__doc__ or "").split("\n\n")
    block = next(part for part in parts if part.startswith("    until "))
    return "```text\n" + textwrap.dedent(block) + "\n```\n\n" + "\n\n".join(parts[3:]).strip()


def kept() -> str:
    """A table of module paths that have moved."""
    from ti99tools.kept import KEPT

    rows = ["| path of 1.0 | now |", "|---|---|"]
    rows += [f"| `ti99tools.{old}` | `ti99tools.{new}` |" for old, new in KEPT.items()]
    return "\n".join(rows)


def advice() -> str:
    """A table of the slips that lint knows, each with its example; and words of other BASICs."""
    from ti99tools.language.lint.linter import lint
    from ti99tools.language.listing.tokenize import tokenize_line
    from ti99tools.language.remedies.otherbasics import FUNCTIONS, LEFT_OUT, STATEMENTS
    from ti99tools.language.remedies.table import MISMATCHES, SLIPS

    after = [tokenize_line("110 SUB FOO(A)"), tokenize_line("120 SUBEND")]
    rows = ["| statement | what to do |", "|---|---|"]
    for slip in (*SLIPS.slips, *MISMATCHES.slips):
        found = lint([tokenize_line(f"100 {slip.example}"), *after])
        remedy = next(each.remedy for each in found if each.code == "syntax")
        rows.append(_row(f"`{slip.example}`", remedy))
    rows += ["", "| word of another BASIC | here |", "|---|---|"]
    left = {word: f"left out: {why}" for word, why in LEFT_OUT.items()}
    words = {**FUNCTIONS, **STATEMENTS, **left}
    rows += [_row(f"`{word}`", here) for word, here in sorted(words.items())]
    return "\n".join(rows)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


MADE = {
    "<!-- advice -->": advice,
    "<!-- kept -->": kept,
    "<!-- counts -->": counts,
    "<!-- differences -->": differences,
    "<!-- speeds -->": speeds,
    "<!-- steps -->": steps,
}
"""Marks in pages, and what makes the text in their place."""
AREAS = {
    "lang": "statements, functions, errors, RND",
    **dict.fromkeys(("accept", "input", "key"), "keyboard: INPUT, ACCEPT, CALL KEY"),
    **dict.fromkeys(
        ("print", "using", "display", "chars", "screen"), "screen: PRINT, DISPLAY, characters"
    ),
    "sprites": "sprites",
    "sound": "sound",
    "files": "files on disk",
    "tokens": "tokens, saved programs, listings",
    **dict.fromkeys(("prog", "foreign"), "whole programs"),
    **dict.fromkeys(("random", "fuzz"), "random programs, changed programs, editor sessions"),
    **dict.fromkeys(("arith", "pow"), "numbers: arithmetic to the last digit"),
    **dict.fromkeys(("format", "func"), "numbers: their texts, functions"),
    "code": "machine code in Extended BASIC",
    "cpu": "single instructions of the processor",
    "timing": "the machine's time: programs and loops",
    "cassette": "cassettes",
}
"""First word of an area of recorded cases, and what the table calls it."""
