"""ti99sim as a host: an emulator that runs about 300 times as fast as the machine.

`building` compiles our driver (`driver.cpp`) against the user's copy of ti99sim's sources and turns
ROM dumps into its files, `emulator` starts the driver. This package has no code of ti99sim.
"""

from ti99tools.games.hosts.ti99sim.emulator import Ti99sim

__all__ = ["Ti99sim", "host"]


def host() -> Ti99sim:
    """The host as the environment and the config file set it up."""
    return Ti99sim()
