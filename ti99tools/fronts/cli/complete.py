"""What a shell may complete a word to: games, files, geometries, files on a disk image.

The shell asks by the variable _TI99TOOLS_COMPLETE; docs/commandline.md says how to set it up. An
error while looking completes to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def games(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of games, and folders."""
    from ti99tools.games.build.finding import game_names

    return [*_items(game_names(), begun), _path(begun, "dir")]


def targets(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of games, and files."""
    from ti99tools.games.build.finding import game_names

    return [*_items(game_names(), begun), _path(begun, "file")]


def geometries(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of geometries."""
    from ti99tools.media.disk.geometry import GEOMETRIES

    return _items(GEOMETRIES, begun.upper())


def on_image(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Names of the files on the image of the same command line."""
    image = ctx.params.get("image") or ctx.params.get("target")
    return _items(_names(image, ctx.params.get("volume") or 1), begun.upper())


def drives(ctx: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """`DSK1=` and its like, and files."""
    from ti99tools.hardware.machine.drives import DRIVES

    return [*_items((f"{drive}=" for drive in DRIVES), begun.upper()), _path(begun, "file")]


def _names(image: object, volume: object) -> list[str]:
    from ti99tools.media.disk.image import DiskImage

    if image is None or not isinstance(volume, int) or not Path(str(image)).is_file():
        return []
    try:
        return DiskImage.open(str(image), volume).names()
    except (TIError, OSError):
        return []


def _items(names: Iterable[str], begun: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name) for name in names if name.startswith(begun)]


def _path(begun: str, kind: str) -> CompletionItem:
    """Makes the shell look for files itself."""
    from click.shell_completion import CompletionItem

    return CompletionItem(begun, type=kind)
