"""Verdicts as one HTML page that needs nothing else: tables, failures, what was not reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ti99tools.report.data import headline, percent, spoken_time
from ti99tools.verify.result import Counted, Verdict

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .8rem .3rem 0; text-align: left }
td.n { text-align: right }
.good { color: #17692c } .bad { color: #a01818 } .none { color: #7a5c00 }
pre { background: #f4f4f0; padding: .7rem; overflow-x: auto }
summary { cursor: pointer }
"""

COLUMNS = (
    "game", "host", "matches", "events", "screens", "program lines", "model branches",
    "machine time", "verdict",
)  # fmt: skip


def page(verdicts: Sequence[Verdict]) -> str:
    """The page as text."""
    body = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>Games against their rules</title><style>{STYLE}</style></head><body>",
        "<h1>Games against their rules</h1>",
        "<p>Each match was played twice from the same seed and keys: by the program on the "
        "console and by the reference model of the rules. Their logs are compared line by "
        "line.</p>",
        *_table(verdicts),
    ]
    for verdict in verdicts:
        body.extend(_game(verdict))
    body.append("</body></html>")
    return "\n".join(body) + "\n"


def _table(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield "<table><tr>" + "".join(f"<th>{column}</th>" for column in COLUMNS) + "</tr>"
    for verdict in verdicts:
        kind, word = _word(verdict)
        cells = (
            f"<td>{escape(verdict.game)} {escape(verdict.version)}</td>",
            f"<td>{escape(verdict.host)}</td>",
            f'<td class="n">{verdict.matches}</td>',
            f'<td class="n">{verdict.events}</td>',
            f'<td class="n">{verdict.screens}</td>',
            f"<td>{percent(verdict.program)}</td>",
            f"<td>{percent(verdict.model)}</td>",
            f"<td>{spoken_time(verdict.machine_seconds)}</td>",
            f'<td class="{kind}">{word}</td>',
        )
        yield "<tr>" + "".join(cells) + "</tr>"
    yield "</table>"


def _word(verdict: Verdict) -> tuple[str, str]:
    if verdict.not_run:
        return "none", "not run"
    return ("good", "verified") if verdict.ok else ("bad", f"{verdict.failed} differ")


def _game(verdict: Verdict) -> Iterator[str]:
    kind, _ = _word(verdict)
    yield f'<h2>{escape(verdict.game)}</h2><p class="{kind}">{escape(headline(verdict))}</p>'
    if verdict.not_run:
        return
    players = ", ".join(f"{name} {count}" for name, count in sorted(verdict.policies.items()))
    yield f"<p>Players: {escape(players)}. Campaign seed {verdict.seed}.</p>"
    if verdict.disk:
        yield f"<p>Disk: SHA-256 <code>{verdict.disk}</code></p>"
    yield from _missed("Program lines never reached", verdict.program)
    yield from _missed("Branches of the model never taken (line, way)", verdict.model)
    for number, failure in enumerate(verdict.failures, 1):
        yield f"<h3>Difference {number}</h3>"
        yield f"<pre>{escape(chr(10).join(failure.mismatch.lines()))}</pre>"
        yield "<details><summary>Script that replays it</summary>"
        yield f"<pre>{escape(failure.script)}</pre></details>"


def _missed(title: str, counted: Counted) -> Iterator[str]:
    if counted.missed:
        items = escape(", ".join(counted.missed))
        yield f"<details><summary>{title}: {len(counted.missed)}</summary><p>{items}</p></details>"
