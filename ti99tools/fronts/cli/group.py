"""A group of commands that knows what a misspelt one was meant to be."""

from __future__ import annotations

import click

from ti99tools.base.errors import near

_OPTIONS = {"version": "--version", "help": "--help"}
"""Options that other tools have as commands."""


class Group(click.Group):
    """As click has it; a command that is not there is told with one spelled alike."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown command is told with one that is spelled alike."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            meant = _OPTIONS.get(name) or near(name, self.list_commands(ctx))
            ctx.fail(f"no command {name}" + (f"; did you mean {meant}?" if meant else ""))
        return super().resolve_command(ctx, args)
