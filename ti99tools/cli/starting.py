"""What is asked for before a target starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ti99tools.base.errors import TIError

if TYPE_CHECKING:
    from ti99tools.tasks.targets import Target


def require_start(target: Target, command: str) -> None:
    """Raise TIError for a disk on which no program starts by itself; it names those there are."""
    from ti99tools.tasks.headless import starts_nothing

    programs = starts_nothing(target)
    if programs is None:
        return
    if not programs:
        raise TIError(f"{target.name}: no program of Extended BASIC is on the disk")
    names = ", ".join(programs)
    raise TIError(
        f"{target.name}: no LOAD on the disk, which would start by itself; on it are {names}",
        remedy=f"name one: ti99tools {command} {target.name} {programs[0]}",
    )
