"""ON ERROR and CALL ERR, ON WARNING, ON BREAK, BREAK and UNBREAK, TRACE and UNTRACE."""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.places import block_at
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
from ti99tools.language.syntax import statements as st


def find_lines(low: Context) -> None:
    """Find the lines that ON ERROR and BREAK name, and whether there are other such statements."""
    code, there = low.blocks.code, low.program.tokens
    for _, node in low.statements:
        match node:
            case st.OnError(line=line) if line in there and line not in low.handlers:
                low.handlers.append(line)
            case st.Break(lines=lines, remove=False):
                code.breaks += [line for line in lines if line in there]
            case st.Trace(on=True):
                code.traces = True
            case st.OnWarning():
                code.sets_warnings = True
            case st.Return(next=True):
                low.returns_next = True
    code.breaks = sorted(set(code.breaks))


def note_handlers(low: Context) -> None:
    """Let the lines of ON ERROR be lowered for the current variant, if anything in it can fail."""
    variant, code = low.names.variant, low.blocks.code
    if variant not in code.handlers and any(own == variant for own, _ in code.resumes):
        code.handlers[variant] = tuple(block_at(low, line) for line in low.handlers)


@lowers(st.OnError)
def _on_error(low: Context, node: st.OnError) -> None:
    """ON ERROR; a line that is missing is noticed here."""
    if node.line is not None and node.line not in low.program.tokens:
        fail(xb.LINE_NOT_FOUND, "name a line that is there")
    number = None if node.line is None else low.handlers.index(node.line)
    if low.handlers:
        low.blocks.do("on error", data=number)


@lowers(st.OnWarning)
def _on_warning(low: Context, node: st.OnWarning) -> None:
    low.blocks.do("on warning", data=tk.KEYWORDS[node.mode])


@lowers(st.OnBreak)
def _on_break(low: Context, node: st.OnBreak) -> None:
    low.blocks.do("on break", data=tk.KEYWORDS[node.mode])


@lowers(st.Break)
def _break(low: Context, node: st.Break) -> None:
    """BREAK stops here, or marks lines; UNBREAK removes marks. A missing line gives a warning."""
    if not node.lines and not node.remove:
        low.blocks.do("break")
        low.blocks.finish_at(ir.Stop(low.blocks.spot))
        return
    for line in node.lines:
        if line not in low.program.tokens:
            low.blocks.do("warn", data=xb.LINE_NOT_FOUND)
        elif line in low.blocks.code.breaks:
            low.blocks.do("mark line", data=(line, not node.remove))
    for line in low.blocks.code.breaks if not node.lines else ():
        low.blocks.do("mark line", data=(line, False))


@lowers(st.Trace)
def _trace(low: Context, node: st.Trace) -> None:
    if low.blocks.code.traces:
        low.blocks.do("trace", data=node.on)


@built_in("ERR")
def _err(low: Context, args: Arguments) -> None:
    """CALL ERR: each variable is looked for when the value before it has been stored."""
    values = [ir.const(0)] * 4
    if low.handlers:
        names = [low.names.hidden(f"error {n}") for n in range(4 if args.count > 2 else 2)]
        low.blocks.do("error", results=tuple(names))
        values = [*map(ir.var, names)]
    for value in values[:2]:
        _store(low, args, value)
    if args.more():
        for value in values[2:]:
            _store(low, args, value)


def _store(low: Context, args: Arguments, value: ir.Expr) -> None:
    low.blocks.store_at(args.place(xb.STRING_NUMBER_MISMATCH), value)
