"""Make, run and prove TI Extended BASIC programs for the TI-99/4A.

The public names are loaded when first used, so that importing the package costs nothing.
"""

from time import time as _time

from ti99tools.kept import install as _keep_names

TYPE_CHECKING = False
"""Type checkers take this as true; importing `typing` would double the time of `--version`."""

if TYPE_CHECKING:
    from ti99tools.computer.console.session import Console
    from ti99tools.hardware.machine.ports import Port
    from ti99tools.language.program.program import Program
    from ti99tools.media.disk.image import DiskImage
    from ti99tools.media.tape.cassette import Cassette

__version__ = "1.0.0"
LOADED = _time()
"""When the package was loaded: see `base.cache`."""
__all__ = ["Cassette", "Console", "DiskImage", "Port", "Program", "__version__"]

_PUBLIC = {
    "Cassette": "ti99tools.media.tape.cassette",
    "Console": "ti99tools.computer.console.session",
    "DiskImage": "ti99tools.media.disk.image",
    "Port": "ti99tools.hardware.machine.ports",
    "Program": "ti99tools.language.program.program",
}


def __getattr__(name: str) -> object:
    """Load a public name from its room on first use (PEP 562)."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ti99tools' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)


_keep_names()
