"""A group of commands that knows what a misspelt one was meant to be."""

from __future__ import annotations

import click


class Group(click.Group):
    """As click has it; a command that is not there is told with one spelled alike."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown command is told with one that is spelled alike."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            from difflib import get_close_matches

            names = self.list_commands(ctx)
            near = get_close_matches(name, names, 1)
            ctx.fail(f"no command {name}" + (f"; did you mean {near[0]}?" if near else ""))
        return super().resolve_command(ctx, args)
