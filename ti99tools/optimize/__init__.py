"""Programs made quicker without a change of what they do: passes over numbered lines of tokens.

`rows` are the lines while they are worked on, `facts` what is known of a program. `flow` has its
statements as a graph, `loops`, `errors`, `liveness` and `frequency` what follows from that. Each
further module is one pass or two, and `pipeline` applies them and numbers the lines. Imports base,
source.
"""

from ti99tools.optimize.pipeline import PASSES, Optimized, optimize, renamings

__all__ = ["PASSES", "Optimized", "optimize", "renamings"]
