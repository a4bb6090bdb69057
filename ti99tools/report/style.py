"""The frame and the style sheet of all pages: one file that needs no other, light and dark.

What a colour says, a sign or a word says too. Sizes follow the reader's; nothing needs a script.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files

STYLE = "page.css"
"""The style sheet, beside this module; it goes into each page."""


def page(title: str, body: Iterable[str]) -> str:
    """A whole page."""
    style = files("ti99tools.report").joinpath(STYLE).read_text(encoding="utf-8")
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
    """A bar that is so full, 0 to 1; the figure stands beside it."""
    return f'<span class="bar" aria-hidden="true"><i style="width:{100 * share:.0f}%"></i></span>'
