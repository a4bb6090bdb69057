"""`ti99tools debug`: a program stopped, inspected, stepped forward and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import asked_options, examples, targets, tell_a_person
from ti99tools.fronts.cli.run_report import require_start, warn

if TYPE_CHECKING:
    from ti99tools.app.run import RunRequest


@click.command(
    epilog=examples(
        "ti99tools debug game.xb",
        'ti99tools debug d5000 --seed 7 --keys "12HBOB\\nHANN\\n"',
        "ti99tools debug game.xb < commands.txt",
        "ti99tools debug --dap",
    )
)
@click.argument("target", required=False, shell_complete=targets)
@asked_options
@click.option(
    "--dap",
    is_flag=True,
    help="Serve an editor with the Debug Adapter Protocol on standard input and output.",
)
def command(
    target: str | None,
    request: RunRequest,
    dap: bool,
) -> None:
    """Debug TARGET: stop it, look at it, step forward and back.

    The program stops before its first statement. `help` lists the commands, among them: break :12
    (a line of the source) or break 120 (a line of the program), continue, step, next, out; the same
    backwards with back; watch X, print X, vars, where, screen, type KEYS. Ctrl-C stops a running
    program.

    The keys of --keys and --script are given as by `ti99tools run`, again in every run.

    With --dap an editor gives the commands and names the target. docs/debugging.md has its
    settings.
    """
    if dap:
        if target is not None:
            raise TIError("--dap takes the target from the editor", remedy=f"leave out {target}")
        from ti99tools.fronts.debug.sessions import serve_editor

        tell_a_person()
        serve_editor(request.basic)
        return
    if target is None:
        raise TIError("no TARGET is given", remedy="write ti99tools debug game.xb")
    debug_target(target, request)


def debug_target(target: str, request: RunRequest) -> None:
    """Debug a target with commands."""
    from ti99tools.app.consoles import nameless
    from ti99tools.app.debug.debugging import Recipe
    from ti99tools.fronts.debug.sessions import debug_in_terminal

    recipe = Recipe.of(target, request)
    require_start(recipe.target, "debug", recipe.steps)
    warn(recipe.target)
    remark = nameless(recipe.target)
    if remark:
        click.echo(f"note: {remark}", err=True)
    debug_in_terminal(recipe)
