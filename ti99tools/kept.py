"""Names of modules that 1.x keeps: programs of others import these, and they are elsewhere now.

A path that the documentation has named goes on working until 2.0. It is looked up here when nothing
else has it, so that no file stands in the old places.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
"""Type checkers take it for true; the module typing would double the time of `--version`."""

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

KEPT = {
    "models.model": "games.models.model",
    "trace.events": "games.models.playlog",
    "trace.keyscript": "computer.console.keyscript",
    "verify.adapter": "games.verify.adapter",
    "verify.subject": "games.verify.campaign",
    "verify.policies": "games.verify.scenario",
    "hosts.host": "games.hosts.host",
    "verify.loading": "games.verify.loading",
    "program.program": "language.program.program",
    "disk.image": "media.disk.image",
    "console.session": "computer.console.session",
}
"""Name in 1.0 → where the module is, both below `ti99tools`."""
_FOLDERS = {name.partition(".")[0] for name in KEPT}
_ROOT = "ti99tools."


class _Finder:
    """Finds the modules of `KEPT`, and the folders that they were in."""

    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        inside = name.removeprefix(_ROOT)
        if inside == name or (inside not in KEPT and inside not in _FOLDERS):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, is_package=inside in _FOLDERS)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave making the module to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Let the module hand out what the one in the new place has."""
        place = KEPT.get(module.__name__.removeprefix(_ROOT))
        if place is None:
            return
        from importlib import import_module
        from warnings import warn

        # Python shows it where a script or a test imports the name, and nowhere else.
        moved = f"{module.__name__} is {_ROOT}{place} now; the old name goes with 2.0"
        warn(moved, DeprecationWarning, stacklevel=2)
        real = import_module(_ROOT + place)
        module.__doc__ = real.__doc__
        module.__dict__["__getattr__"] = lambda name: getattr(real, name)


def install() -> None:
    """Have Python ask here for modules that it does not find."""
    sys.meta_path.append(_Finder())
