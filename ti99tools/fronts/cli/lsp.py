"""`ti99tools lsp`: the language server for editors."""

from __future__ import annotations

import sys

import click

from ti99tools.fronts.cli.options import basic_option, examples, tell_a_person


@click.command(epilog=examples("ti99tools lsp", "ti99tools lsp --basic rxb"))
@basic_option
def command(basic: str) -> None:
    """Serve an editor: lint while you type, names, forms of CALLs.

    The editor starts this and talks with it on standard input and output, by the Language Server
    Protocol. docs/editors.md shows how to set up VS Code, Neovim and others. Without --basic the
    game.toml or ti99tools.toml beside a source says whether it is for a later Extended BASIC.
    """
    from ti99tools.fronts.lsp.server import serve

    tell_a_person()
    sys.exit(serve(sys.stdin.buffer, sys.stdout.buffer, basic, ahead=True))
