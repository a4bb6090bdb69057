"""MAME as a host.

`emulator` starts it, `steps` and `keys` turn a key script into Lua for `drive.lua`, `told` reads
what that says, `installed` finds MAME on this computer, `check` tries a host step by step. Imports
trace, disk, base, and program for the lines that were executed.
"""

from ti99tools.hosts.mame.emulator import Mame

__all__ = ["Mame", "host"]


def host() -> Mame:
    """The host as the environment and the config file set it up."""
    return Mame()
