"""Arguments and options that the `disk` commands share, and how they open and save images."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ti99tools.disk.image import DiskImage

Command = TypeVar("Command", bound=Callable[..., Any])

image_argument = click.argument("image", type=click.Path(path_type=Path))
replace_option = click.option("--replace", is_flag=True, help="Overwrite what exists already.")


def volume_option(function: Command) -> Command:
    """Add `--volume N`: the volume of a CF7+ card."""
    return click.option(
        "--volume",
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Volume of a CF7+ card image (default 1).",
    )(function)


def open_image(path: Path, volume: int = 1, strict: bool = True) -> DiskImage:
    """The disk in `path`. Raises DiskError, which knows a TI file that is taken for a disk."""
    from ti99tools.base.errors import DiskError, Place
    from ti99tools.base.hostio import read_bytes
    from ti99tools.disk import fiad, tifiles
    from ti99tools.disk.image import DiskImage

    try:
        return DiskImage.open(path, volume, strict)
    except DiskError as error:
        data = read_bytes(path) if path.is_file() else b""
        if not (tifiles.is_tifiles(data) or fiad.is_fiad(data)):
            raise
        raise DiskError(
            "a TI file, no disk image",
            remedy="`ti99tools disk new` puts it on one, `ti99tools list` shows a program",
            place=Place(str(path)),
        ) from error


def open_for_change(path: Path, volume: int = 1) -> DiskImage:
    """The disk in `path`; a protected one is an error."""
    from ti99tools.base.errors import DiskError, Place

    image = open_image(path, volume)
    if image.protected:
        raise DiskError(
            "the disk is protected",
            remedy="`ti99tools disk protect IMAGE --disk --off` allows changes",
            place=Place(str(path)),
        )
    return image
