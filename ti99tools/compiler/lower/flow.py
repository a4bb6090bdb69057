"""Where control goes: IF, GOTO, GOSUB, ON, RETURN, END; RUN; after errors and breaks, and TRACE.

RUN begins the program again, or another program of the cartridge.
"""

from __future__ import annotations

from ti99tools.base import tokens as tk
from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower import values
from ti99tools.compiler.lower.calls import Arguments, built_in
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.pacing import on_the_way, ways_from_if
from ti99tools.compiler.lower.places import block_after, block_after_line, block_at, block_of_line
from ti99tools.compiler.lower.statements import lowers, statements
from ti99tools.compiler.refusing import fail
from ti99tools.hardware.machine.drives import ALWAYS
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.analysis.flow import all_statements
from ti99tools.language.syntax import statements as st


@lowers(st.If)
def _if(low: Context, node: st.If) -> None:
    """IF … THEN … ELSE …: what follows in the line belongs to a branch."""
    number, _ = spot = low.blocks.spot
    condition = values.number(low, node.condition)
    if node.then is None:
        return
    after = block_after_line(low, number)
    ways = ways_from_if(low, node)
    branches = (node.then, node.otherwise)
    names = [_branch(low, branch, after) for branch in branches]
    for at, (branch, cycles) in enumerate(zip(branches, ways, strict=True)):
        if isinstance(branch, st.Jump) or (branch is None and cycles):
            names[at] = on_the_way(low, names[at], cycles)
    low.blocks.finish_at(ir.Branch(condition, names[0], names[1], spot))
    for branch, name, cycles in zip(branches, names, ways, strict=True):
        if isinstance(branch, tuple):
            low.blocks.enter(name)
            low.blocks.note_time(cycles)
            if branch and branch[0].at == node.at:  # what follows THEN and a line is wrong
                low.blocks.finish(ir.Stop(spot, branch[0].fault))
                continue
            statements(low, number, branch)
            low.blocks.finish(ir.Jump(after, low.blocks.spot))


def _branch(low: Context, branch: st.Branch | None, after: str) -> str:
    """The block of a branch. A line that is missing is an error on the way to it only."""
    if branch is None:
        return after
    if not isinstance(branch, st.Jump):
        return low.blocks.fresh("if")
    if branch.line in low.program.tokens:
        return block_of_line(low, branch.line)
    return lost(low, low.blocks.spot)


def lost(low: Context, spot: ir.Spot) -> str:
    """A block where a statement fails because it names a line that is missing."""
    name = low.blocks.fresh("lost")
    low.blocks.put(name, ir.Stop(spot, xb.LINE_NOT_FOUND))
    low.blocks.code.failing.append((spot, xb.LINE_NOT_FOUND, "name a line that is there"))
    return name


@lowers(st.Goto)
def _goto(low: Context, node: st.Goto) -> None:
    """GOTO."""
    low.blocks.finish_at(ir.Jump(block_of_line(low, node.line), low.blocks.spot))


@lowers(st.Gosub)
def _gosub(low: Context, node: st.Gosub) -> None:
    """GOSUB; a line that is missing is noticed when its entry is on the stack."""
    spot = low.blocks.spot
    to = block_of_line(low, node.line) if node.line in low.program.tokens else lost(low, spot)
    low.blocks.finish_at(ir.Gosub(to, block_after(low, spot), spot))


@lowers(st.OnGo)
def _on_go(low: Context, node: st.OnGo) -> None:
    """ON … GOTO, ON … GOSUB; a number without a line is a BAD VALUE."""
    spot = low.blocks.spot
    selector = values.number(low, node.selector)
    if not node.lines:
        low.blocks.do("calculate", _selector(_at_most(selector, 1), 1))
        if node.fault is not None:
            fail(node.fault, "name lines")
        return
    lines = tuple(
        block_of_line(low, line) if line in low.program.tokens else lost(low, spot)
        for line in node.lines
    )
    # What follows the list is looked at only beyond it. GOSUB has pushed its entry by then, which
    # matters where the program goes on.
    if node.fault is not None or (node.gosub and low.handling):
        lines += (_wrong(low, spot, node.fault or xb.BAD_VALUE),)
        selector = _at_most(selector, len(lines))
    back = block_after(low, spot) if node.gosub else None
    low.blocks.finish_at(ir.Switch(_selector(selector, len(lines)), lines, spot, back))


def _selector(value: ir.Expr, most: int) -> ir.Expr:
    return ir.Expr("round", (value,), (1, most, xb.BAD_VALUE))


def _at_most(value: ir.Expr, most: int) -> ir.Expr:
    return ir.Expr("min", (value, ir.const(most)))


def _wrong(low: Context, spot: ir.Spot, code: int) -> str:
    name = low.blocks.fresh("wrong")
    low.blocks.put(name, ir.Stop(spot, code))
    return name


@lowers(st.Return)
def _return(low: Context, node: st.Return) -> None:
    """RETURN from a GOSUB or from an error; with more words from an error only."""
    spot, scope = low.blocks.spot, low.names.scope.name
    if not (node.next or node.line is not None or node.fault is not None):
        low.blocks.finish_at(ir.Return(scope, spot))
    elif not low.handling:
        fail(xb.RETURN_WITHOUT_GOSUB, "use it in lines that ON ERROR names")
    elif node.line is None:
        low.blocks.finish_at(ir.Resume(scope, spot, fault=node.fault is not None))
    else:
        there = node.line in low.program.tokens
        to = block_of_line(low, node.line) if there else lost(low, spot)
        low.blocks.finish_at(ir.Resume(scope, spot, to))


@lowers(st.EmptyStatement)
def _empty(low: Context, node: st.EmptyStatement) -> None:
    """A remark, or nothing; the machine stands still at a second empty statement in a row."""
    if node.hangs:
        low.blocks.do("stand still")
        low.blocks.finish_at(ir.Stop(low.blocks.spot))


@lowers(st.End)
def _end(low: Context, _: st.Statement) -> None:
    """END, STOP."""
    low.blocks.finish_at(ir.Stop(low.blocks.spot))


def find_lines(low: Context) -> None:
    """Find the lines that ON ERROR, BREAK and RUN name, and whether there are such statements.

    Where RUN leads a program begins with its own names, not a SUB's.
    """
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
            case st.Run(line=line) if line in there:
                low.again[line] = block_at(low, line)
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


_NO_PROGRAM, _NO_DEVICE = "RUNIO2", "RUNIO0"
"""The texts of I/O ERROR 02 and 00, see the runtime's runfal.a99."""


def program_named(file: str) -> str:
    """The name of the program that RUN of a file starts: what follows the last dot."""
    return file.rpartition(".")[2].upper()


def names_run(program: Analysis) -> set[str]:
    """The names of the programs that a program may start."""
    return {
        program_named(node.file)
        for _, node in all_statements(program.parsed, program.tokens)
        if isinstance(node, st.Run) and node.file is not None
    }


@lowers(st.Run)
def _run(low: Context, node: st.Run) -> None:
    """RUN, RUN line, RUN "device.file"; a line that is missing is noticed before anything else."""
    spot = low.blocks.spot
    if node.fault is not None:
        return
    if node.file is not None:
        _other(low, node.file)
    elif node.line is None:
        low.blocks.finish_at(ir.Rerun(low.blocks.code.first, spot))
    elif node.line in low.again:
        low.blocks.finish_at(ir.Rerun(low.again[node.line], spot))
    else:
        fail(xb.LINE_NOT_FOUND, "name a line that is there")


def _other(low: Context, file: str) -> None:
    """Another program, or the error of Extended BASIC for a file that is missing."""
    name, spot = program_named(file), low.blocks.spot
    if name and name in low.programs:
        low.blocks.do("run other", data=low.programs.index(name))
        low.blocks.finish_at(ir.Stop(spot))
        return
    remedy = f"give `compile` the program {name}, too"
    low.blocks.code.failing.append((spot, xb.IO_ERROR, remedy))
    if low.handling or low.names.scope.name:
        block = low.failed_runs.setdefault(spot, low.blocks.fresh("run"))
        low.blocks.finish_at(ir.Jump(block, spot))
    else:
        _fail(low, spot)


def fail_to_run(low: Context, spot: ir.Spot) -> None:
    """RUN of a program that is not there, in a SUB or where errors are handled: names are lost
    before, and no SUB is under way.
    """
    _fail(low, spot)
    if not low.handling:
        return
    own = block_at(low, *spot)
    after = block_after(low, spot) if low.returns_next else own
    low.blocks.code.resumes[low.names.variant, spot] = own, after


def _fail(low: Context, spot: ir.Spot) -> None:
    node = statements_from(low.program.tokens[spot[0]], spot[1])[0]
    assert isinstance(node, st.Run)
    device = (node.file or "").partition(".")[0]
    low.blocks.do("run fails", data=_NO_PROGRAM if device in ALWAYS else _NO_DEVICE)
    low.blocks.finish_at(ir.Stop(spot, xb.IO_ERROR))
