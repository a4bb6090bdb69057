"""A group of commands that suggests the right name for a misspelt one."""

from __future__ import annotations

import click

from ti99tools.base.errors import near

_OPTIONS = {"version": "--version", "help": "--help"}
"""Options that other tools have as commands."""


class Group(click.Group):
    """Click's group; the message about an unknown command suggests one spelled alike."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, but with a suggestion for an unknown command."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            meant = _OPTIONS.get(name) or near(name, self.list_commands(ctx))
            ctx.fail(f"no command {name}" + (f"; did you mean {meant}?" if meant else ""))
        return super().resolve_command(ctx, args)
