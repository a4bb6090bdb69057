"""MAME as a host.

`emulator` starts it with a job for `drive.lua` and finds it on this computer.
"""

from ti99tools.games.hosts.mame.emulator import Mame

__all__ = ["Mame", "host"]


def host() -> Mame:
    """The host as the environment and the config file set it up."""
    return Mame()
