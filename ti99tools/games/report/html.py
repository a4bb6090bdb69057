"""Verdicts and savings as one HTML page that needs no other file.

A verdict's page shows what was proven, and for each difference the two logs, both screens with the
cells marked, and the place in the source. A savings page, which also has a text form, shows what
each optimization pass saves the games.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from platform import platform, python_version
from typing import Any

from ti99tools import __version__
from ti99tools.base.basic import CELL
from ti99tools.base.errors import Place
from ti99tools.games.hosts.host import Evidence, Shot
from ti99tools.games.report.annotated import Texts, bar, framed, sections
from ti99tools.games.report.data import counted, headline, percent, shortened, spoken_time
from ti99tools.games.verify.result import CARTRIDGE, Counted, Failure, Mismatch, Verdict

WIDTH, HEIGHT = 256, 192
"""Width and height of a picture in dots, and the side of a character."""
AROUND = 3
"""Lines of the source before and after a place."""
MOST_CELLS = 384
"""Half the screen: if more cells than this differ, none is marked."""


def difference(
    failure: Failure, number: int, anchor: str, command: str, texts: Texts
) -> Iterator[str]:
    """A difference with its number; `command` replays it; empty: there is none."""
    mismatch = failure.mismatch
    yield f'<article class="diff"><h3 id="{anchor}">Difference {number}: {_where(mismatch)}</h3>'
    yield from _sides(mismatch)
    if failure.evidence is not None:
        yield from _screens(failure.evidence)
        yield from _program(failure, failure.evidence.caption, texts)
    setup = failure.scenario.setup
    players = ", ".join(f"{player.name} ({player.kind})" for player in setup.players)
    keys = shortened(failure) or f"{len(failure.scenario.keys)} keys"
    yield f"<p>Seed {setup.seed}; players {escape(players)}; {keys}.</p>"
    if command:
        yield f"<p>Play it again:</p><pre tabindex='0'>{escape(command)}</pre>"
    yield "<details><summary>Script that replays it</summary>"
    yield f"<pre tabindex='0'>{escape(failure.script)}</pre></details></article>"


def _where(mismatch: Mismatch) -> str:
    if mismatch.where == "log":
        return f"line {mismatch.index + 3} of the play log"
    return "the session" if mismatch.where == "run" else "the screen"


def _sides(mismatch: Mismatch) -> Iterator[str]:
    """The lines of game and rules, differing words marked, after the lines that agree."""
    expected, got = mismatch.expected, mismatch.got
    names = ("our console", "other host") if mismatch.other else ("the rules", "the game")
    if mismatch.board:
        yield f'<pre tabindex="0">{escape(mismatch.board)}</pre>'
    yield '<div class="wide" tabindex="0"><table class="sides"><tbody>'
    for line in mismatch.context:
        yield f'<tr class="soft"><th scope="row">both</th><td>{escape(line)}</td></tr>'
    yield f'<tr><th scope="row">{names[0]}</th><td>{_marked(expected, got)}</td></tr>'
    yield f'<tr><th scope="row">{names[1]}</th><td>{_marked(got, expected)}</td></tr>'
    yield "</tbody></table></div>"


def _marked(text: str, other: str) -> str:
    """A text with the words marked that the other text lacks."""
    words, others = text.split(" "), other.split(" ")
    return " ".join(
        escape(word) if at < len(others) and others[at] == word else f"<mark>{escape(word)}</mark>"
        for at, word in enumerate(words)
    )


def _screens(evidence: Evidence) -> Iterator[str]:
    cells = sum(width for _, _, width in evidence.marked)
    marks = evidence.marked if cells <= MOST_CELLS else ()
    yield '<div class="shots">'
    for index, shot in enumerate(evidence.shots):
        yield _figure(shot, marks if index == len(evidence.shots) - 1 else ())
    yield "</div>"
    if marks:
        yield '<p class="soft">Frames mark where the second picture differs from the first.</p>'


def _figure(shot: Shot, marks: Sequence[tuple[int, int, int]]) -> str:
    data = b64encode(shot.png).decode()
    text = "\n".join(_plain(row) for row in shot.rows)
    frames = "".join(
        f'<rect x="{column * CELL - 1}" y="{row * CELL - 1}" width="{width * CELL + 2}" '
        f'height="{CELL + 2}"/>'
        for row, column, width in marks
    )
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Screen {escape(shot.title)}">'
        f'<image href="data:image/png;base64,{data}" width="{WIDTH}" height="{HEIGHT}"/>'
        f'<g class="marks">{frames}</g></svg>'
        f"<figcaption>{escape(shot.title)}</figcaption>"
        f"<details><summary>as text</summary><pre tabindex='0'>{escape(text)}</pre></details>"
        "</figure>"
    )


def _plain(row: str) -> str:
    """A row of character codes as text; redefined characters and edges as dots."""
    return "".join(c if " " <= c < "\x7f" else "·" if c > "\x7f" else " " for c in row).rstrip()


def _program(failure: Failure, caption: str, texts: Texts) -> Iterator[str]:
    """The calls that lead to the place, and the lines around the first in the game's own files."""
    if not failure.calls:
        return
    yield f"<p>{escape(caption)}</p>"
    yield '<ol class="calls">'
    for at, place in enumerate(failure.calls):
        line = _line(place, texts)
        joint = "" if at == 0 else "called from "
        yield f"<li>{joint}{escape(str(place))} <code>{escape(line.strip())}</code></li>"
    yield "</ol>"
    yield from _excerpt(failure.calls[failure.own], texts)


def _line(place: Place, texts: Texts) -> str:
    """The line of a place; empty where it is not known."""
    text, line = texts.get(place.file or "", ()), place.line or 0
    return text[line - 1] if 0 < line <= len(text) else ""


def _excerpt(place: Place, texts: Texts) -> Iterator[str]:
    text = texts.get(place.file or "", ())
    line = place.line or 0
    yield f'<p class="soft">{escape(str(place))}</p>'
    if not text:
        return
    yield '<div class="wide" tabindex="0"><table class="src"><tbody>'
    for number in range(max(1, line - AROUND), min(len(text), line + AROUND) + 1):
        here = number == line
        sign = '<span aria-hidden="true">▶</span><span class="away">here</span>' if here else ""
        yield (
            f'<tr class="{"here" if here else ""}"><td class="n">{number}</td>'
            f'<td class="s">{sign}</td><td class="c">{escape(text[number - 1])}</td></tr>'
        )
    yield "</tbody></table></div>"


COLUMNS = (
    "game",
    "verdict",
    "host",
    "matches",
    "events",
    "screens",
    "program lines",
    "model branches",
    "machine time",
)


@dataclass(frozen=True)
class About:
    """What the page says besides the verdicts: when it was made, and how to replay failures.

    Without `when` it names neither time nor computer, so that it is the same each time. `texts` are
    the lines of the source files, `replays` the commands for the failures of each game.
    """

    when: datetime | None = field(default_factory=datetime.now)
    texts: Texts = field(default_factory=dict)
    replays: dict[str, list[str]] = field(default_factory=dict)


def page(verdicts: Sequence[Verdict], about: About | None = None) -> str:
    """The page as text."""
    about = about or About()
    body = [
        "<h1>Games against their rules</h1>",
        f'<p class="lead">{escape(_made(about.when))}</p>',
        f"<p>{_overall(verdicts)}</p>",
        "<p>Each match was played twice from the same seed and keys: by the program on the "
        "console and by the reference model of the rules. Their logs are compared line by "
        "line, and the numbers on the screens.</p>",
        *_table(verdicts),
    ]
    for index, verdict in enumerate(verdicts):
        body.extend(_game(verdict, index, about))
    return framed("Games against their rules", body)


def _made(when: datetime | None) -> str:
    """When, with what and on which computer a page was made."""
    if when is None:
        return f"ti99tools {__version__}"
    computer = f"Python {python_version()} · {platform(terse=True)}"
    return f"{when:%Y-%m-%d %H:%M} · ti99tools {__version__} · {computer}"


def _overall(verdicts: Sequence[Verdict]) -> str:
    matches = sum(verdict.matches for verdict in verdicts)
    failed = sum(verdict.failed for verdict in verdicts)
    idle = [verdict for verdict in verdicts if verdict.not_run]
    if failed:
        return f'<span class="badge bad">✗ {failed} of {matches} matches differ</span>'
    if any(verdict.cut_off for verdict in verdicts):
        return f'<span class="badge none">– cut off after {counted(matches)}</span>'
    if idle:
        return f'<span class="badge none">– {len(idle)} of {len(verdicts)} games not run</span>'
    return f'<span class="badge good">✓ {counted(matches)}, no difference</span>'


def _table(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield '<div class="wide" tabindex="0"><table><thead><tr>'
    for column in COLUMNS:
        kind = ' class="n"' if column in ("matches", "events", "screens", "machine time") else ""
        yield f'<th scope="col"{kind}>{column}</th>'
    yield "</tr></thead><tbody>"
    for index, verdict in enumerate(verdicts):
        name = escape(f"{verdict.game} {verdict.version}".strip())
        cells = (
            f'<th scope="row"><a href="#game{index}">{name}</a></th>',
            f"<td>{_badge(verdict)}</td>",
            f"<td>{escape(verdict.where)}</td>",
            f'<td class="n">{verdict.matches}</td>',
            f'<td class="n">{verdict.events}</td>',
            f'<td class="n">{verdict.screens}</td>',
            f"<td>{_share(verdict.program)}</td>",
            f"<td>{_share(verdict.model)}</td>",
            f'<td class="n">{spoken_time(verdict.machine_seconds)}</td>',
        )
        yield "<tr>" + "".join(cells) + "</tr>"
    yield "</tbody></table></div>"


def _share(counted: Counted) -> str:
    return f"{bar(counted.share)} {percent(counted)}" if counted.total else "–"


def _badge(verdict: Verdict) -> str:
    if verdict.not_run:
        return f'<span class="badge none">– {"broken" if verdict.broken else "not run"}</span>'
    if verdict.failed:
        return f'<span class="badge bad">✗ {verdict.failed} differ</span>'
    if verdict.cut_off:
        return '<span class="badge none">– cut off</span>'
    return '<span class="badge good">✓ verified</span>'


def _game(verdict: Verdict, index: int, about: About) -> Iterator[str]:
    yield f'<section><h2 id="game{index}">{escape(verdict.game)} {_badge(verdict)}</h2>'
    yield f"<p>{escape(headline(verdict))}.</p>"
    if not verdict.not_run:
        yield from _facts(verdict)
        replays = about.replays.get(verdict.game, [])
        for number, failure in enumerate(verdict.failures, 1):
            command = replays[number - 1] if number <= len(replays) else ""
            yield from difference(failure, number, f"game{index}-d{number}", command, about.texts)
        left = verdict.failed - len(verdict.failures)
        if left > 0:
            yield f"<p>{left} more matches differ.</p>"
        yield from _missed("Program lines never reached", verdict.program)
        yield from _missed("Branches of the model never taken (line, way)", verdict.model)
        if verdict.coverage is not None:
            yield "<h3>The source, statement by statement</h3>"
            yield from sections(verdict.coverage, about.texts, f"game{index}-f")
    yield "</section>"


def _facts(verdict: Verdict) -> Iterator[str]:
    players = ", ".join(f"{name} {count}" for name, count in sorted(verdict.policies.items()))
    facts = {
        "host": verdict.where,
        "players": players,
        "campaign seed": str(verdict.seed),
        "time": f"{spoken_time(verdict.machine_seconds)} of machine time"
        + (f", played in {spoken_time(verdict.wall_seconds)}" if verdict.wall_seconds else ""),
        "cartridge" if verdict.form == CARTRIDGE else "disk": f"SHA-256 {verdict.disk}"
        if verdict.disk
        else "",
    }
    yield "<dl>"
    yield from (f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items() if text)
    yield "</dl>"


def _missed(title: str, counted: Counted) -> Iterator[str]:
    if counted.missed:
        items = escape(", ".join(counted.missed))
        yield f"<details><summary>{title}: {len(counted.missed)}</summary><p>{items}</p></details>"


SAVED = {
    "lines": "lines",
    "size": "bytes",
    "start": "to the title",
    "load": "load",
    "prescan": "pre-scan",
    "match": "match",
}
"""Key of a row → heading. The last four are seconds of the machine; None if not measured."""
SECONDS = ("start", "load", "prescan", "match")

Row = Mapping[str, Any]
"""A game after some passes: `name` of the last one, whether it was `applied`, and `COLUMNS`."""


def text(by_game: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """A table for each game, one line for each pass, with the savings in brackets."""
    for game, rows in by_game.items():
        yield f"{game:12}" + "".join(f"{heading:>18}" for heading in SAVED.values())
        for row, before in _pairs(rows):
            cells = "".join(f"{_shown(row, key) + _saved(row, before, key):>18}" for key in SAVED)
            yield f"  {row['name']:10}{cells}" + ("" if row["applied"] else "  (nothing to do)")
        if len(rows) > 1:
            cells = "".join(f"{_saved(rows[-1], rows[0], key) or '-':>18}" for key in SAVED)
            yield f"  {'all':10}{cells}"


def savings_page(by_game: Mapping[str, Sequence[Row]]) -> str:
    """The page as text."""
    body = [
        "<h1>What optimization saves</h1>",
        f'<p class="lead">ti99tools {__version__}</p>',
        "<p>Each row has one pass more than the row above. Times are seconds of the machine: from "
        "choosing Extended BASIC to the title, with loading and the pre-scan as parts of it, and "
        "of the standard match after that. In brackets: what the pass changed.</p>",
    ]
    for game, rows in by_game.items():
        body += _savings_of_game(game, rows)
    return framed("What optimization saves", body)


def _savings_of_game(game: str, rows: Sequence[Row]) -> Iterator[str]:
    yield f'<section><h2>{escape(game)}</h2><div class="wide" tabindex="0"><table><thead><tr>'
    yield '<th scope="col">pass</th>'
    yield from (f'<th scope="col" class="n">{heading}</th>' for heading in SAVED.values())
    yield "</tr></thead><tbody>"
    for row, before in _pairs(rows):
        note = "" if row["applied"] else " (nothing to do)"
        cells = (
            f'<td class="n">{_shown(row, key)}{_saved(row, before, key)}</td>' for key in SAVED
        )
        yield f'<tr><th scope="row">{escape(row["name"])}{note}</th>{"".join(cells)}</tr>'
    if len(rows) > 1:
        cells = (f'<td class="n">{_saved(rows[-1], rows[0], key) or "–"}</td>' for key in SAVED)
        yield f'<tr><th scope="row">all</th>{"".join(cells)}</tr>'
    yield "</tbody></table></div></section>"


def _pairs(rows: Sequence[Row]) -> Iterator[tuple[Row, Row]]:
    """Each row with the previous one; the first with itself."""
    return zip(rows, [*rows[:1], *rows], strict=False)


def _shown(row: Row, key: str) -> str:
    value = row[key]
    if value is None:
        return "–"
    return f"{value:.1f}" if key in SECONDS else str(value)


def _saved(row: Row, before: Row, key: str) -> str:
    """The difference of a row from the previous one, in brackets; empty without one."""
    if row[key] is None or before[key] is None:
        return ""
    change = row[key] - before[key]
    if abs(change) < (0.05 if key in SECONDS else 1):
        return ""
    return f" ({change:+.1f})" if key in SECONDS else f" ({change:+d})"
