"""The built-in subprograms of Extended BASIC: one module for each family of them.

What each takes, stores and costs is its record in language/listing/builtins; here is what it does.
A function registers under its name, takes its arguments one after the other and sees the console
as `args` has it. Importing this package registers all of them. Those of `later` are called under a
profile only (`listing/laterprofiles`).
"""

from ti99tools.computer.interp.subprograms import graphics, keys_and_sound, misc
from ti99tools.computer.interp.subprograms.args import SUBPROGRAMS
from ti99tools.computer.interp.subprograms.later import LATER

__all__ = ["LATER", "SUBPROGRAMS", "graphics", "keys_and_sound", "misc"]
