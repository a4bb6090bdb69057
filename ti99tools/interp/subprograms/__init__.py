"""The built-in subprograms of Extended BASIC: one module a family of them.

What each takes, stores and costs is its record in source.builtins; here is what it does. A
function registers under its name (`registry`), takes its arguments one after the other (`args`)
and sees the console as `surroundings` has it. Importing this package registers all of them.
"""

from ti99tools.interp.subprograms import err, graphics, keys, misc, sound, sprites
from ti99tools.interp.subprograms.registry import SUBPROGRAMS, subprogram

__all__ = ["SUBPROGRAMS", "err", "graphics", "keys", "misc", "sound", "sprites", "subprogram"]
