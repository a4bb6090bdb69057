"""A game's manual as one HTML page: the text of MANUAL.md, with pictures, and no other file.

HTML in the manual is shown as text. The page contains the pictures of the game's folder; links into
the folder become plain words, since they would lead nowhere.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ti99tools.base.decoding import decode
from ti99tools.base.errors import BuildError, Place
from ti99tools.base.inputs import read_regular
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.report.annotated import framed

if TYPE_CHECKING:
    from markdown_it.token import Token

KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
}
"""First bytes of pictures that a manual may show → their media type."""
LARGEST = 4_000_000
"""The most bytes of a picture."""
_ELSEWHERE = re.compile(r"(?:https?|mailto):", re.IGNORECASE)


@dataclass(frozen=True)
class Picture:
    """A picture of the game: the name of its file, what it shows, and the bytes of the PNG."""

    name: str
    title: str
    png: bytes


def manual_page(manifest: Manifest, pictures: Sequence[Picture] = ()) -> bytes:
    """The page in HTML. Raises BuildError when a picture that the manual shows cannot be used."""
    path = manifest.manual_path
    text = decode(read_regular(path))
    body = [
        '<main class="manual">',
        *_with_pictures(_html(text, path), manifest, pictures),
        f'<p class="soft">{escape(manifest.title)} {escape(manifest.version)}</p>',
        "</main>",
    ]
    return framed(f"{manifest.title}: the manual", body).encode()


def _with_pictures(html: str, manifest: Manifest, pictures: Sequence[Picture]) -> Iterator[str]:
    """The text, with the pictures of the game after its title and first paragraph."""
    if not html.lstrip().startswith("<h1"):
        yield f"<h1>{escape(manifest.title)}</h1>"
    shots = '<div class="shots">' + "".join(map(_figure, pictures)) + "</div>" if pictures else ""
    head, heading, rest = html.partition("<h2")
    yield head + shots + heading + rest


def _figure(picture: Picture) -> str:
    title = escape(picture.title)
    source = _data("image/png", picture.png)
    return f'<figure><img src="{source}" alt="{title}"><figcaption>{title}</figcaption></figure>'


def _data(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{b64encode(data).decode()}"


def _html(text: str, path: Path) -> str:
    """The manual's text as HTML, including pictures of its folder."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    for token in tokens:
        for child in token.children or ():
            if child.type == "image":
                # The parser has percent-encoded spaces and characters outside ASCII.
                source = unquote(str(child.attrs["src"]))
                child.attrs["src"] = _picture(source, path, token.map)
        if token.children is not None:
            token.children = _without_links(token.children)
    page = str(parser.renderer.render(tokens, parser.options, {}))
    return page.replace("<table>", '<div class="wide"><table>').replace(
        "</table>", "</table></div>"
    )


def _without_links(children: Sequence[Token]) -> list[Token]:
    """The parts of a line, with links to files replaced by their words."""
    parts, dropped = [], []
    for child in children:
        if child.type == "link_open":
            dropped.append(_ELSEWHERE.match(str(child.attrs["href"])) is None)
            if dropped[-1]:
                continue
        elif child.type == "link_close" and dropped.pop():
            continue
        parts.append(child)
    return parts


def _picture(source: str, path: Path, rows: Sequence[int] | None) -> str:
    """The data URL of a picture beside the manual. Raises BuildError."""
    place = Place(str(path), rows[0] + 1 if rows else None)
    try:
        file = (path.parent / source).resolve()
        if _ELSEWHERE.match(source) or not file.is_relative_to(path.parent.resolve()):
            remedy = "put it into the game's folder, and name it from there"
            raise BuildError(f"the picture {source} is elsewhere", remedy=remedy, place=place)
        if not file.is_file():
            raise FileNotFoundError(file)
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    # A NUL in the name raises ValueError.
    except (OSError, ValueError):
        remedy = "correct its name"
        raise BuildError(f"there is no picture {source}", remedy=remedy, place=place) from None
    kind = next((kind for mark, kind in KINDS.items() if data.startswith(mark)), None)
    if kind is None or len(data) > LARGEST:
        problem = f"{source} is not a picture of at most {LARGEST:,} bytes"
        raise BuildError(problem, remedy="use a PNG, GIF or JPEG file", place=place)
    return _data(kind, data)
