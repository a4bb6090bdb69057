"""Source files annotated with how often each statement ran, and the frame of all pages.

A page is one file that needs no other, for light and dark displays. It has a table of files, then
each file's lines. Signs and words repeat what colours mean: ✓ all statements of a line ran, ✗ none
did, ◐ some did or a way of an IF was never taken; lines without an executable statement have none.
Sizes follow the reader's settings; nothing needs a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from importlib.resources import files
from os.path import commonpath
from pathlib import Path

from ti99tools import __version__
from ti99tools.language.program.coverage import SAYS, At, Count, Coverage, Totals, percent

STYLE = "page.css"
"""The style sheet, beside this module; it goes into each page."""


def framed(title: str, body: Iterable[str]) -> str:
    """A whole page around `body`."""
    style = files("ti99tools.games.report").joinpath(STYLE).read_text(encoding="utf-8")
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(title)}</title><style>{style}</style></head><body>",
            *body,
            "</body></html>\n",
        ]
    )


def bar(share: float) -> str:
    """A bar filled by `share`, 0 to 1; screen readers read the figure beside it instead."""
    return f'<span class="bar" aria-hidden="true"><i style="width:{100 * share:.0f}%"></i></span>'


SIGNS = {"all": "✓", "some": "◐", "no": "✗", "idle": ""}
WORDS = {"all": "ran", "some": "ran in part", "no": "never ran", "idle": ""}

Texts = Mapping[str, Sequence[str]]
"""The lines of each source file."""


def coverage_page(coverage: Coverage, texts: Texts, when: datetime | None = None) -> str:
    """A page of coverage alone."""
    time_of_page = f"{when:%Y-%m-%d %H:%M}, " if when else ""
    body = [
        "<h1>Coverage of Extended BASIC</h1>",
        f'<p class="lead">{time_of_page}ti99tools {__version__}</p>',
        *sections(coverage, texts, "f"),
    ]
    return framed("Coverage of Extended BASIC", body)


def sections(coverage: Coverage, texts: Texts, prefix: str) -> Iterator[str]:
    """The table of files, the legend, and each file; ids begin with `prefix`."""
    names = sorted(coverage.files)
    short = _short(names)
    yield '<div class="wide" tabindex="0"><table><thead><tr><th scope="col">file</th>'
    yield '<th scope="col">ran</th><th scope="col" class="n">statements</th>'
    yield '<th scope="col" class="n">ways of IFs</th></tr></thead><tbody>'
    for index, name in enumerate(names):
        link = f'<a href="#{prefix}{index}">{escape(short[name])}</a>'
        yield _row(link, coverage.totals(name))
    if len(names) > 1:
        yield _row("all", coverage.totals())
    yield "</tbody></table></div>"
    yield (
        '<p class="soft">✓ ran &nbsp; ◐ ran in part: a statement of the line never did, or an IF '
        'always went the same way &nbsp; ✗ never ran. <span class="never">Underlined</span> '
        "statements never ran. Figures count how often the line's busiest statement ran.</p>"
    )
    yield from _missed(coverage, {name: f"{prefix}{n}" for n, name in enumerate(names)})
    for index, name in enumerate(names):
        yield from _file(name, coverage, texts.get(name, ()), f"{prefix}{index}")


def _short(names: Sequence[str]) -> dict[str, str]:
    """The names of files without their common folder.

    They stay complete if they have none: a game named by a relative path includes files of the
    library, whose paths are absolute.
    """
    folders = [str(Path(name).parent) for name in names]
    try:
        common = commonpath(folders) if folders else ""
    except ValueError:
        return {name: name for name in names}
    return {name: str(Path(name).relative_to(common)) for name in names}


def _missed(coverage: Coverage, anchors: Mapping[str, str]) -> Iterator[str]:
    """A list of everything not reached, with links to the lines."""
    missed = list(coverage.missed())
    if not missed:
        return
    yield f"<details><summary>Not reached: {len(missed)}</summary><ul>"
    for place, what in missed:
        anchor = f"{anchors[place.file or '']}-{place.line}"
        yield f'<li><a href="#{anchor}">{escape(str(place))}</a>: {SAYS[what]}</li>'
    yield "</ul></details>"


def _row(name: str, totals: Totals) -> str:
    return (
        f"<tr><td>{name}</td>"
        f"<td>{bar(totals.share)} {percent(totals.share)}</td>"
        f'<td class="n">{totals.reached} of {totals.statements}</td>'
        f'<td class="n">{totals.taken} of {totals.ways}</td></tr>'
    )


def _file(name: str, coverage: Coverage, text: Sequence[str], anchor: str) -> Iterator[str]:
    totals = coverage.totals(name)
    missed = totals.statements - totals.reached
    say = f"{missed} statements never ran" if missed else "every statement ran"
    yield f'<details id="{anchor}"><summary><b>{escape(name)}</b>: {say}</summary>'
    yield '<div class="wide" tabindex="0"><table class="src"><thead class="away"><tr>'
    yield "<th>line</th><th>state</th><th>times</th><th>source</th></tr></thead><tbody>"
    lines: dict[int, dict[At, Count]] = {}
    for at, count in sorted(coverage.files[name].items()):
        lines.setdefault(at[0], {})[at] = count
    for number, row in enumerate(text, 1):
        yield _line(number, row, lines.get(number, {}), f"{anchor}-{number}")
    yield "</tbody></table></div></details>"


def state_of(counts: Mapping[At, Count]) -> str:
    """The state of a line by its counts: `all`, `some`, `no`, or `idle` without any."""
    if not counts:
        return "idle"
    if not any(count.ran for count in counts.values()):
        return "no"
    whole = all(count.ran and all(count.ways.values()) for count in counts.values())
    return "all" if whole else "some"


def _line(number: int, row: str, counts: Mapping[At, Count], anchor: str) -> str:
    state = state_of(counts)
    times = f"{max(count.ran for count in counts.values())}×" if counts else ""
    sign = f'<span aria-hidden="true">{SIGNS[state]}</span><span class="away">{WORDS[state]}</span>'
    return (
        f'<tr class="{state}" id="{anchor}"><td class="n">{number}</td><td class="s">{sign}</td>'
        f'<td class="n">{times}</td><td class="c">{_marked(row, counts)}</td></tr>'
    )


def _marked(row: str, counts: Mapping[At, Count]) -> str:
    """The text of a line with statements that never ran underlined, and the ways of its IFs."""
    if not counts:
        return escape(row)
    starts = [column - 1 for _, column in counts]
    parts = [escape(row[: starts[0]])]
    for start, end, count in zip(starts, [*starts[1:], len(row)], counts.values(), strict=True):
        text = escape(row[start:end])
        parts.append(text if count.ran else f'<span class="never">{text}</span>')
    ways = [count for count in counts.values() if count.ways and count.ran]
    return "".join([*parts, *map(_ways, ways)])


def _ways(count: Count) -> str:
    missed = [way for way, times in count.ways.items() if not times]
    kind = "w bad" if missed else "w"
    figures = ", ".join(f"{way} {times}×" for way, times in count.ways.items())
    note = f" – never {' or '.join(missed)}" if missed else ""
    return f'<span class="{kind}">IF {figures}{note}</span>'
