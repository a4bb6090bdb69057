"""What is left of a run, for people and as data: the screen, the variables, the files.

The form of the data is told in xbasic/RUNNING.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.console.evaluating import shown
from ti99tools.console.session import Console
from ti99tools.disk.image import DiskImage
from ti99tools.disk.tifile import DiskFile, FileType
from ti99tools.numbers.format import to_str
from ti99tools.numbers.radix import Radix
from ti99tools.play.painter import printed
from ti99tools.render.textpicture import text
from ti99tools.tasks.headless import Headless, Outcome

Files = Mapping[str, Mapping[str, DiskFile | None]]
"""Drive → name → file; None for one that cannot be read."""


__all__ = ["by_code", "colored", "drawn", "files_of", "run_data", "shown", "variable_lines"]


def drawn(console: Console) -> list[str]:
    """The 24 rows of the screen as they look: drawn characters as what resembles them most."""
    return text(console.machine.picture().vdp()).split("\n")


def colored(console: Console) -> list[str]:
    """The 24 rows of the screen in the colours that the terminal has."""
    return printed(console.machine.picture())


def by_code(rows: Sequence[str]) -> list[str]:
    """Rows with each character as its code says, however it is drawn; others than ASCII blank."""
    return ["".join(c if " " <= c <= "~" else " " for c in row) for row in rows]


def variable_lines(console: Console) -> Iterator[str]:
    """`N=3` and `A$="X"`; of an array only the elements that are not 0 or empty."""
    base = 0 if console.execution is None else console.execution.compiler.scan.base
    for name, value in sorted(console.variables.everything().items()):
        if not isinstance(value, list):
            yield f"{name}={shown(value)}"
            continue
        for subscripts, element in _elements(value, base):
            if element not in (0, ""):
                yield f"{name[:-2]}({','.join(map(str, subscripts))})={shown(element)}"


def _elements(values: Sequence[Any], base: int) -> Iterator[tuple[tuple[int, ...], Any]]:
    for subscript, value in enumerate(values, base):
        if isinstance(value, list):
            yield from (((subscript, *rest), one) for rest, one in _elements(value, base))
        else:
            yield (subscript,), value


def files_of(images: Mapping[str, DiskImage]) -> Files:
    """All files on the disks in the drives."""
    return {
        drive: {name: _read(image, name) for name in image.names()}
        for drive, image in images.items()
    }


def _read(image: DiskImage, name: str) -> DiskFile | None:
    try:
        return image.read(name)
    except TIError:
        return None


def run_data(headless: Headless, outcome: Outcome, message: str, before: Files) -> dict[str, Any]:
    """A run as JSON values; `before` are the files when it began."""
    console = headless.console
    place = outcome.place
    execution = console.execution
    return {
        "target": headless.target.name,
        "status": outcome.ending.name.lower(),
        "ok": outcome.ok,
        "message": message,
        "seconds": round(outcome.seconds, 3),
        "line": outcome.line,
        "place": place and {"file": place.file, "line": place.line, "column": place.column},
        "screen": drawn(console),
        "codes": by_code(console.screen.rows),
        "snaps": {name: by_code(rows) for name, rows in headless.player.screens.items()},
        "sub": execution.active.scope.name if execution is not None else "",
        "variables": _json(console.variables.everything()),
        "failed_with": _json(dict(outcome.variables)),
        "files": _files_data(before, files_of(headless.images)),
    }


def _json(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _json(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_json(one) for one in value]
    return _float(value) if isinstance(value, Radix) else value


def _float(number: Radix) -> float | str:
    """All digits of a number; one that JSON has none for as its text."""
    try:
        return float(f"{number.mantissa}e{-2 * number.places}")
    except (OverflowError, ValueError):
        return to_str(number)


def _files_data(before: Files, after: Files) -> dict[str, list[dict[str, Any]]]:
    """The files of each drive, those that the run wrote with their records."""
    found: dict[str, list[dict[str, Any]]] = {}
    for drive, files in after.items():
        rows = found[drive] = []
        for name, file in files.items():
            if file is None:
                continue
            changed = before.get(drive, {}).get(name) != file
            row: dict[str, Any] = {
                "name": name,
                "type": file.type.label,
                "record_length": file.recl,
                "records": len(file.records),
                "changed": changed,
            }
            if changed and file.type in (FileType.DIS_VAR, FileType.DIS_FIX):
                row["text"] = [record.decode("latin-1").rstrip(" ") for record in file.records]
            rows.append(row)
    return found
