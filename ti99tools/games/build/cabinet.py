"""A game's cabinet in the arcade of the disk of all games: `[arcade]` in its manifest.

```toml
[arcade]                        # optional: its cabinet on the disk of all games
name = "RACK"                   # on the cabinet: 1 to 6 characters
line = "THE DEALER TALKS."      # said where it is chosen: up to 28 characters
color = 16                      # optional: of the picture, 3 to 16; white without it
picture = \"\"\"                   # 16 rows of 16 dots, X or .
...
\"\"\"
```
"""

from __future__ import annotations

from dataclasses import dataclass

NAME_WIDTH, LINE_WIDTH = 6, 28
"""Characters that the screen has for the name, and for the line."""
DOTS = 16
"""Rows and columns of a picture."""
COLORS = range(3, 17)
"""Colours of a picture, as CALL SPRITE counts them; 1 and 2 cannot be seen on black."""
WHITE = 16
SOMETHING = """
................
.....XXXXXX.....
....XXXXXXXX....
...XXX....XXX...
...XXX....XXX...
..........XXX...
.........XXX....
........XXX.....
.......XXX......
.......XXX......
.......XXX......
................
.......XXX......
.......XXX......
.......XXX......
................
"""
"""The picture of a game that has none."""


@dataclass(frozen=True, slots=True)
class Cabinet:
    """What a cabinet shows; `picture` is 64 hexadecimal digits, as CALL CHAR takes a sprite."""

    name: str
    line: str
    picture: str
    color: int = WHITE


def sprite_digits(picture: str) -> str:
    """The digits of a picture of 16 rows of 16 dots. Raises ValueError if it is of another form."""
    rows = picture.split()
    if [len(row) for row in rows] != [DOTS] * DOTS or set(picture) - set("X. \n"):
        raise ValueError("a picture has 16 rows of 16 dots, X or .")
    dots = [row.replace("X", "1").replace(".", "0") for row in rows]
    columns = (slice(0, 8), slice(8, 16))
    return "".join(f"{int(row[half], 2):02X}" for half in columns for row in dots)


def usual_cabinet(program: str, summary: str) -> Cabinet:
    """The cabinet of a game whose manifest has none: its program's name, and what it is about."""
    return Cabinet(program[:NAME_WIDTH], _shortened(summary), sprite_digits(SOMETHING))


def _shortened(summary: str) -> str:
    """As much of a summary as a row takes: up to a comma, or else to a word."""
    text = summary
    while len(text) > LINE_WIDTH and "," in text:
        text = text.rpartition(",")[0]
    if len(text) <= LINE_WIDTH:
        return text
    return summary[: LINE_WIDTH - 3].rpartition(" ")[0] + " ..."
