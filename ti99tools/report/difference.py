"""One difference: the two logs, both screens with the cells marked, the place in the source."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape

from ti99tools.base.errors import Place
from ti99tools.report.annotated import Texts
from ti99tools.trace.evidence import Evidence, Shot
from ti99tools.verify.result import Failure, Mismatch

WIDTH, HEIGHT, CELL = 256, 192, 8
"""Dots of a picture, and of a character's side."""
AROUND = 3
"""Lines of the source before and after a place."""
MOST_CELLS = 384
"""Half the screen: where more differs, nothing is marked."""


def difference(
    failure: Failure, number: int, anchor: str, command: str, texts: Texts
) -> Iterator[str]:
    """A difference with its number; `command` is what replays it, if there is any."""
    mismatch = failure.mismatch
    yield f'<article class="diff"><h3 id="{anchor}">Difference {number}: {_where(mismatch)}</h3>'
    yield from _sides(mismatch)
    if failure.evidence is not None:
        yield from _screens(failure.evidence)
        yield from _program(failure, failure.evidence.told, texts)
    setup = failure.scenario.setup
    players = ", ".join(f"{player.name} ({player.kind})" for player in setup.players)
    yield f"<p>Seed {setup.seed}; players {escape(players)}; {len(failure.scenario.keys)} keys.</p>"
    if command:
        yield f"<p>Play it again:</p><pre tabindex='0'>{escape(command)}</pre>"
    yield "<details><summary>Script that replays it</summary>"
    yield f"<pre tabindex='0'>{escape(failure.script)}</pre></details></article>"


def _where(mismatch: Mismatch) -> str:
    if mismatch.where == "log":
        return f"line {mismatch.index + 3} of the play log"
    return "the session" if mismatch.where == "run" else "the screen"


def _sides(mismatch: Mismatch) -> Iterator[str]:
    """What both say, the words that differ marked, after the lines on which they agree."""
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
    """A text whose words that the other one has not are marked."""
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
        yield _figure(shot, marks if index == len(evidence.shots) - 1 else (), bool(index))
    yield "</div>"
    if marks:
        yield '<p class="soft">Frames mark where the second picture differs from the first.</p>'


def _figure(shot: Shot, marks: Sequence[tuple[int, int, int]], second: bool) -> str:
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
    """A row of character codes as text; drawn characters and edges as dots."""
    return "".join(c if " " <= c < "\x7f" else "·" if c > "\x7f" else " " for c in row).rstrip()


def _program(failure: Failure, told: str, texts: Texts) -> Iterator[str]:
    """The way to the place in the program, and the lines round the first of the game's own."""
    if not failure.calls:
        return
    yield f"<p>{escape(told)}</p>"
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
