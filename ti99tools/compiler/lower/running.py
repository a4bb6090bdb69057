"""RUN: the program begins again, or another program of the cartridge does."""

from __future__ import annotations

from ti99tools.base import xberrors as xb
from ti99tools.compiler import ir
from ti99tools.compiler.lower.context import Context
from ti99tools.compiler.lower.places import block_after, block_at
from ti99tools.compiler.lower.statements import lowers
from ti99tools.compiler.refusing import fail
from ti99tools.hardware.machine.drives import ALWAYS
from ti99tools.language.analysis import Analysis
from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.analysis.flow import all_statements
from ti99tools.language.syntax import statements as st

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


def find_lines(low: Context) -> None:
    """Find the lines that RUN names: the program begins there with its own names, not a SUB's."""
    for _, node in low.statements:
        if isinstance(node, st.Run) and node.line in low.program.tokens:
            low.again[node.line] = block_at(low, node.line)


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
