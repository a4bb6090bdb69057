"""The parser of Extended BASIC: token bytes of a line → statements, for the interpreter and lint.

Programs on disk hold only tokens, so tokens are the input. The parser accepts anything: wrong
syntax never raises; it becomes a `Fault` (in an expression) or a statement's `fault`, at the point
where the machine, which reads a line only as it runs it, would notice. Executing up to a fault
gives the effects that come before the error on the machine.

`nodes` are expressions, `statements` the statements; `parse_line` and `parse_from` make them.
"""

from ti99tools.language.syntax.parser import parse_from, parse_line

__all__ = ["parse_from", "parse_line"]
