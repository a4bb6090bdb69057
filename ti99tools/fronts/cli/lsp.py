"""`ti99tools lsp`: the language server for editors."""

from __future__ import annotations

import sys

import click

from ti99tools.fronts.cli.options import examples, tell_a_person


@click.command(epilog=examples("ti99tools lsp"))
def command() -> None:
    """Serve an editor: lint while you type, names, forms of CALLs.

    The editor starts this and talks with it on standard input and output, by the Language Server
    Protocol. docs/editors.md shows how to set up VS Code, Neovim and others.
    """
    from ti99tools.fronts.lsp.server import serve

    tell_a_person()
    sys.exit(serve(sys.stdin.buffer, sys.stdout.buffer))
