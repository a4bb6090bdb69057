"""Programs made faster without changing what they do: passes over numbered lines of tokens.

`rows` are the lines being worked on, and what is known of a program. `flow` has its statements as
a graph. Each further module is one pass or two; `pipeline` applies them, numbers the lines and
finds the way back to the source.
"""

from ti99tools.language.optimize.pipeline import PASSES, Optimized, optimize, renamings

__all__ = ["PASSES", "Optimized", "optimize", "renamings"]
