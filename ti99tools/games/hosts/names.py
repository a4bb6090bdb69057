"""The hosts by their names."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from ti99tools.games.hosts.host import Host

OURS = "virtual"
"""The host that is our own console."""
EMULATORS = ("mame", "ti99sim")
"""The hosts that need ROMs."""
HOSTS = (OURS, *EMULATORS)
"""Each is a module of this room, which has a function `host()`."""


@cache
def host_named(name: str) -> Host:
    """The host, made once a process so that it can keep what it has prepared."""
    return cast(Host, import_module(f"ti99tools.games.hosts.{name}").host())
