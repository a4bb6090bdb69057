"""`ti99tools disk`: create, inspect, change and convert disk images."""

from __future__ import annotations

import click

from ti99tools.fronts.cli import disk_files, disk_images, disk_view
from ti99tools.fronts.cli.group import CommandGroup
from ti99tools.fronts.cli.options import examples


@click.group(
    cls=CommandGroup,
    epilog=examples(
        "ti99tools disk new game.dsk D5000.xb README.txt",
        "ti99tools disk ls game.dsk",
        "ti99tools disk convert game.dsk game.hfe",
    ),
)
def command() -> None:
    """Create, inspect, change and convert disk images.

    The form of an image (sector image, HFE, PC99 track dump, CF7+ card) is detected by content. A
    changed image keeps its form, and everything on it that the change does not concern.
    """


for module in (disk_images, disk_view, disk_files):
    for subcommand in module.COMMANDS:
        command.add_command(subcommand)
