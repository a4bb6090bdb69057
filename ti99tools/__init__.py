"""Make, run and prove TI Extended BASIC programs for the TI-99/4A.

The public names are loaded when first used, so that importing the package costs nothing.
"""

TYPE_CHECKING = False
"""Type checkers take it for true; the module typing would double the time of `--version`."""

if TYPE_CHECKING:
    from ti99tools.console.session import Console
    from ti99tools.disk.image import DiskImage
    from ti99tools.machine.ports import Port
    from ti99tools.program.program import Program
    from ti99tools.tape.cassette import Cassette

__version__ = "1.0.0"
__all__ = ["Cassette", "Console", "DiskImage", "Port", "Program", "__version__"]

_PUBLIC = {
    "Cassette": "ti99tools.tape.cassette",
    "Console": "ti99tools.console.session",
    "DiskImage": "ti99tools.disk.image",
    "Port": "ti99tools.machine.ports",
    "Program": "ti99tools.program.program",
}


def __getattr__(name: str) -> object:
    """Load a public name from its room on first use (PEP 562)."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'ti99tools' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)
