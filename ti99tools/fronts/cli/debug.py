"""`ti99tools debug`: a program stopped, looked at, stepped forward and back."""

from __future__ import annotations

from pathlib import Path

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import (
    asked_options,
    basic_option,
    examples,
    names_cartridge,
    refuse_basic,
    targets,
    tell_a_person,
)
from ti99tools.fronts.cli.run_report import require_start, warn


@click.command(
    epilog=examples(
        "ti99tools debug game.xb",
        'ti99tools debug d5000 --seed 7 --keys "12HBOB\\nHANN\\n"',
        "ti99tools debug game.xb < commands.txt",
        "ti99tools debug --dap",
    )
)
@click.argument("target", required=False, shell_complete=targets)
@basic_option
@asked_options
@click.option(
    "--dap",
    is_flag=True,
    help="Serve an editor with the Debug Adapter Protocol on standard input and output.",
)
def command(
    target: str | None,
    program: str | None,
    keys: str | None,
    script: Path | None,
    until_text: str | None,
    max_seconds: float,
    disks: tuple[tuple[str, Path], ...],
    seed: int | None,
    basic: str,
    dap: bool,
) -> None:
    """Debug TARGET: stop it, look at it, step forward and back.

    It stops before its first statement. `help` lists the commands, among them: break :12 (a line of
    the source) or break 120 (a line of the program), continue, step, next, out; the same backwards
    with back; watch X, print X, vars, where, screen, type KEYS. Ctrl-C stops a running program.

    The keys of --keys and --script are given as `ti99tools run` does, in every run anew.

    With --dap an editor is in front, and names the target. docs/debugging.md has its settings.
    """
    if dap:
        if target is not None:
            raise TIError("--dap takes the target from the editor", remedy=f"leave out {target}")
        from ti99tools.app.debug.debugging import serve_editor

        tell_a_person()
        serve_editor(basic)
        return
    if target is None:
        raise TIError("no TARGET is given", remedy="write ti99tools debug game.xb")
    debug_target(target, program, keys, script, until_text, max_seconds, disks, seed, basic)


def debug_target(
    target: str,
    program: str | None,
    keys: str | None,
    script: Path | None,
    until_text: str | None,
    max_seconds: float,
    disks: tuple[tuple[str, Path], ...],
    seed: int | None,
    basic: str = "",
) -> None:
    """Debug a target with commands."""
    if names_cartridge(target):
        refuse_basic()
        from ti99tools.fronts.cli.cartridge import debug_cartridge

        debug_cartridge(target)
        return
    from ti99tools.app.debug.debugging import Recipe, debug_in_terminal
    from ti99tools.app.run import steps_of

    steps = steps_of(script, keys, until_text)
    recipe = Recipe.of(target, disks, max_seconds, seed, steps, program, basic)
    if not steps:
        require_start(recipe.target, "debug")
    warn(recipe.target)
    debug_in_terminal(recipe)
