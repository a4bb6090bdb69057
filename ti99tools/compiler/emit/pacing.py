"""What loops that look for keys owe: see `compiler.pace`."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit.actions import Args, emits
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.kinds import OWED


@emits("pace")
def _pace(e: Emission, action: ir.Do, _: Args) -> None:
    e.out.uses("PAUSE")
    e.out.op("AI", f"R{OWED},{action.data}")
