"""Verdicts as one HTML page that needs nothing else: what was proven, what differs and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from platform import platform, python_version

from ti99tools import __version__
from ti99tools.report.annotated import Texts, sections
from ti99tools.report.data import headline, percent, spoken_time
from ti99tools.report.difference import difference
from ti99tools.report.style import bar
from ti99tools.report.style import page as framed
from ti99tools.verify.result import Counted, Verdict

COLUMNS = (
    "game", "verdict", "host", "matches", "events", "screens", "program lines", "model branches",
    "machine time",
)  # fmt: skip


@dataclass(frozen=True)
class About:
    """What the page says besides the verdicts: when it was made, and how to play failures again.

    `texts` are the lines of the source files, `replays` the commands for the failures of each game.
    """

    when: datetime = field(default_factory=datetime.now)
    texts: Texts = field(default_factory=dict)
    replays: dict[str, list[str]] = field(default_factory=dict)


def page(verdicts: Sequence[Verdict], about: About | None = None) -> str:
    """The page as text."""
    about = about or About()
    body = [
        "<h1>Games against their rules</h1>",
        f'<p class="lead">{about.when:%Y-%m-%d %H:%M} · ti99tools {__version__} · '
        f"Python {python_version()} · {escape(platform(terse=True))}</p>",
        f"<p>{_overall(verdicts)}</p>",
        "<p>Each match was played twice from the same seed and keys: by the program on the "
        "console and by the reference model of the rules. Their logs are compared line by "
        "line, and the numbers on the screens.</p>",
        *_table(verdicts),
    ]
    for index, verdict in enumerate(verdicts):
        body.extend(_game(verdict, index, about))
    return framed("Games against their rules", body)


def _overall(verdicts: Sequence[Verdict]) -> str:
    matches = sum(verdict.matches for verdict in verdicts)
    failed = sum(verdict.failed for verdict in verdicts)
    idle = [verdict for verdict in verdicts if verdict.not_run]
    if failed:
        return f'<span class="badge bad">✗ {failed} of {matches} matches differ</span>'
    if idle:
        return f'<span class="badge none">– {len(idle)} of {len(verdicts)} games not run</span>'
    return f'<span class="badge good">✓ {matches} matches, no difference</span>'


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
            f"<td>{escape(verdict.host)}</td>",
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
        "host": verdict.host,
        "players": players,
        "campaign seed": str(verdict.seed),
        "time": f"{spoken_time(verdict.machine_seconds)} of machine time, played in "
        f"{spoken_time(verdict.wall_seconds)}",
        "disk": f"SHA-256 {verdict.disk}" if verdict.disk else "",
    }
    yield "<dl>"
    yield from (f"<dt>{name}</dt><dd>{escape(text)}</dd>" for name, text in facts.items() if text)
    yield "</dl>"


def _missed(title: str, counted: Counted) -> Iterator[str]:
    if counted.missed:
        items = escape(", ".join(counted.missed))
        yield f"<details><summary>{title}: {len(counted.missed)}</summary><p>{items}</p></details>"
