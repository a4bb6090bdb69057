"""Built-in subprograms that take or give texts: CHARPAT, SAY, SPGET.

SAY and SPGET do as on a machine without a speech synthesizer: words are looked at, and have no
code.
"""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler.ir import Expr
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context


@built_in("CHARPAT")
def _charpat(low: Context, args: Arguments) -> None:
    while True:
        code = args.whole(32, 143, error=xb.BAD_ARGUMENT)
        low.blocks.store_at(args.text_place(), Expr("charpat", (code,)))
        if not args.more():
            return


@built_in("SAY")
def _say(low: Context, args: Arguments) -> None:
    while True:
        low.blocks.do("look at text", args.text())
        if not args.more():
            return


@built_in("SPGET")
def _spget(low: Context, args: Arguments) -> None:
    while True:
        low.blocks.do("look at text", args.text())
        low.blocks.store_at(args.text_place(), Expr("text", (), ""))
        if not args.more():
            return
