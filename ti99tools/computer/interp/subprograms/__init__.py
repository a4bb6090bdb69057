"""The built-in subprograms of Extended BASIC: one module for each family of them.

What each takes, stores and costs is its record in language/listing/builtins; what it does is here.
A function registers under its name, takes its arguments one after the other and sees the console as
`args` presents it. Importing this package registers all of them.
"""

from ti99tools.computer.interp.subprograms import graphics, keys, misc, sound, sprites
from ti99tools.computer.interp.subprograms import misc as err
from ti99tools.computer.interp.subprograms.args import SUBPROGRAMS, subprogram

__all__ = ["SUBPROGRAMS", "err", "graphics", "keys", "misc", "sound", "sprites", "subprogram"]
