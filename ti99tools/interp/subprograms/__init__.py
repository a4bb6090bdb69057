"""The built-in subprograms of Extended BASIC: one module a family of them.

`SUBPROGRAMS` maps each name to its function; importing this package registers those of errors,
graphics, sprites, sound, keys and misc. What lives here imports base, numbers, machine and
interp's `args`.
"""

from ti99tools.interp.subprograms import err, graphics, keys, misc, sound, sprites
from ti99tools.interp.subprograms.registry import SUBPROGRAMS, subprogram

__all__ = ["SUBPROGRAMS", "err", "graphics", "keys", "misc", "sound", "sprites", "subprogram"]
