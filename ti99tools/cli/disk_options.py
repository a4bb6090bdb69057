"""Arguments and options that the `disk` commands share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ti99tools.disk.image import DiskImage
    from ti99tools.source.findings import Finding

Command = TypeVar("Command", bound=Callable[..., Any])

image_argument = click.argument("image", type=click.Path(path_type=Path))
replace_option = click.option("--replace", is_flag=True, help="Overwrite what already exists.")


def print_disk(path: Path, disk: DiskImage) -> None:
    """Print what is on a disk that was written, as `disk ls --json` does, and its file."""
    from ti99tools.cli.options import print_json
    from ti99tools.disk.catalog import catalog_data

    print_json({"image": str(path), **catalog_data(disk, disk.files())})


def print_told(told: Iterable[Finding]) -> None:
    """Print, on standard error, what is to be told of the listings that were read."""
    for finding in told:
        click.echo(str(finding), err=True)


def volume_option(function: Command) -> Command:
    """Add `--volume N`: the volume of a CF7+ card."""
    return click.option(
        "--volume",
        type=click.IntRange(min=1),
        default=1,
        metavar="N",
        help="Volume of a CF7+ card image (default 1).",
    )(function)
