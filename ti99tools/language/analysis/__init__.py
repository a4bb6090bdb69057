"""One description of a program: statements, pre-scan, names, flow, loops, values.

Each part is computed when it is first asked for, and once for all who ask: lint, the optimizer, the
compiler, the interpreter, coverage and the memory report read the same `Analysis`. `analysis_of` is
where to start; every further module is one subject of it.
"""

from ti99tools.language.analysis.analysis import Analysis, Lines, Statements, analysis_of

__all__ = ["Analysis", "Lines", "Statements", "analysis_of"]
