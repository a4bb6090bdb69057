"""Built games kept in the cache (see `base.cache`), for as long as their sources do not change.

A built game is kept as JSON: bytes as hexadecimal digits, places as [file, line, column].
"""

from __future__ import annotations

import json
from collections import abc
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ti99tools.base.cache import from_cache
from ti99tools.base.errors import Place
from ti99tools.base.inputs import digest
from ti99tools.games.making.artefacts import Built, Drawing, build_game, drawing
from ti99tools.games.making.collection import Collection, build_collection
from ti99tools.games.making.manifest import Manifest
from ti99tools.language.dialect import Generated
from ti99tools.language.listing.numbered import Entry
from ti99tools.language.listing.sourcemap import Declared, Mark, Routine, SourceMap, Uncalled
from ti99tools.language.program.memory_image import ProgramImage
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile, FileType

Draw = Callable[[int], tuple[tuple[str, ...], bytes]]
"""The lines and the code that draw a picture, below so many bytes of other code."""


def kept_game(
    manifest: Manifest, passes: abc.Collection[str] | None = None, *, native: bool = True
) -> Built:
    """As `build_game`; a game whose sources have not changed comes from the cache."""
    return from_cache(
        "game",
        [*inputs_of(manifest), repr(None if passes is None else list(passes)), repr(native)],
        lambda: build_game(manifest, passes, native=native),
        packed_game,
        lambda data: unpacked_game(manifest, data),
    )


def with_others(game: Manifest, start: Callable[[Draw], list[DiskFile]]) -> list[DiskFile]:
    """The files that start a compiled game, and the other files of its disk.

    `start` makes the former: it gets what draws the game's picture, see `drawing`.
    """

    def draw(above: int) -> tuple[tuple[str, ...], bytes]:
        drawn = drawing(game, above)
        return drawn.lines, drawn.code

    others = [file for file in kept_game(game).files if file.name != game.program]
    return start(draw) + others


def kept_collection(root: Path, games: Sequence[Built]) -> Collection:
    """As `build_collection`, from the cache if possible."""
    about = [str(root), str(root.resolve())]
    for game in games:
        about += [*inputs_of(game.manifest), digest(packed_game(game))]
    return from_cache(
        "collection",
        about,
        lambda: build_collection(root, games),
        lambda collection: json.dumps(
            {"menu": _program(collection.menu), "image": collection.image.to_bytes().hex()}
        ).encode(),
        lambda data: _collection(games, json.loads(data)),
    )


def kept_fast_disk(built: Built, make: Callable[[], DiskImage]) -> DiskImage:
    """The fast disk, which depends only on a built game, from the cache if possible."""
    about = [*inputs_of(built.manifest), digest(packed_game(built))]
    return from_cache("fast", about, make, DiskImage.to_bytes, DiskImage.from_bytes)


def inputs_of(manifest: Manifest) -> list[str]:
    """What a result depends on besides the files that are read: manifest and folder of the game."""
    return [repr(manifest), str(manifest.folder.resolve())]


def packed_game(built: Built) -> bytes:
    """A built game as JSON, without its manifest and its fast disk."""
    generated = built.generated
    data = {
        "entries": [
            [each.number, each.tokens.hex(), _place(each.place), each.marks]
            for each in generated.entries
        ],
        "listing": generated.listing,
        "constants": sorted(generated.constants),
        "map": _map(generated.sourcemap),
        "program": _program(built.program),
        "image": built.image.to_bytes().hex(),
        "files": [_file(file) for file in built.files],
        "drawn": [built.drawn.lines, built.drawn.code.hex(), built.drawn.names],
    }
    return json.dumps(data).encode()


def unpacked_game(manifest: Manifest, data: bytes) -> Built:
    """The inverse of `packed_game`. Raises ValueError, KeyError or TypeError for other data."""
    values = json.loads(data)
    entries = [
        Entry(number, bytes.fromhex(tokens), Place(*place), pairs(marks))
        for number, tokens, place, marks in values["entries"]
    ]
    return Built(
        manifest,
        Generated(
            entries, values["listing"], _map_of(values["map"]), frozenset(values["constants"])
        ),
        _program_of(values["program"]),
        DiskImage.from_bytes(bytes.fromhex(values["image"])),
        tuple(_file_of(*file) for file in values["files"]),
        _drawing(*values["drawn"]),
    )


def _drawing(lines: Iterable[str], code: str, names: Iterable[str]) -> Drawing:
    return Drawing(tuple(lines), bytes.fromhex(code), tuple(names))


def _collection(games: Sequence[Built], values: Any) -> Collection:
    names = tuple(game.name for game in games)
    image = DiskImage.from_bytes(bytes.fromhex(values["image"]))
    return Collection(names, _program_of(values["menu"]), image)


def _place(place: Place) -> list[Any]:
    return [place.file, place.line, place.column]


def pairs(rows: Iterable[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """Pairs of numbers as JSON gives them back."""
    return tuple((first, second) for first, second in rows)


def _map(known: SourceMap) -> dict[str, Any]:
    return {
        "lines": [
            [number, [[m.column, m.statement, _place(m.place), m.inverted, m.otherwise, m.copy_of]
                      for m in known.marks(number)]]
            for number in known
        ],
        "routines": [
            [each.name, dict(each.own), _rows(each.rows)]
            for each in known.routines
        ],
        "uncalled": [
            [each.name, _place(each.place), each.parameters, _rows(each.rows)]
            for each in known.uncalled
        ],
        "ranges": _ranges(known.ranges),
    }  # fmt: skip


def _rows(rows: Iterable[Place]) -> list[Any]:
    """Places in an order that is the same in every run of Python."""
    return sorted(map(_place, rows), key=lambda row: (row[0] or "", row[1] or 0))


def _map_of(values: dict[str, Any]) -> SourceMap:
    lines = {
        number: [Mark(column, nth, Place(*place), *rest) for column, nth, place, *rest in marks]
        for number, marks in values["lines"]
    }
    uncalled = [
        Uncalled(name, Place(*place), tuple(names), frozenset(Place(*row) for row in rows))
        for name, place, names, rows in values["uncalled"]
    ]
    routines = [
        Routine(name, own, frozenset(Place(*row) for row in rows))
        for name, own, rows in values["routines"]
    ]
    return SourceMap(lines, routines, uncalled, _ranges_of(values["ranges"]))


def _ranges(ranges: Iterable[Declared]) -> list[Any]:
    return [[each.scope, each.name, each.low, each.high, _place(each.place)] for each in ranges]


def _ranges_of(rows: Iterable[Any]) -> tuple[Declared, ...]:
    return tuple(
        Declared(scope, name, low, high, Place(*place)) for scope, name, low, high, place in rows
    )


def _program(program: Program) -> dict[str, Any]:
    image = program.image
    return {
        "table": image.table,
        "memory": image.memory.hex(),
        "top": image.top,
        "tail": image.tail.hex(),
        "protected": program.protected,
        "ranges": _ranges(program.ranges),
    }


def _program_of(values: dict[str, Any]) -> Program:
    memory, tail = bytes.fromhex(values["memory"]), bytes.fromhex(values["tail"])
    image = ProgramImage(pairs(values["table"]), memory, values["top"], tail)
    program = Program(image, protected=values["protected"])
    program.ranges = _ranges_of(values["ranges"])
    return program


def _file(file: DiskFile) -> list[Any]:
    records = [record.hex() for record in file.records]
    data = file.data.hex()
    return [file.name, file.type.value, file.recl, records, data, file.protected, file.created,
            file.updated]  # fmt: skip


def _file_of(
    name: str, kind: int, recl: int, records: Iterable[str], data: str, *rest: Any
) -> DiskFile:
    content = tuple(bytes.fromhex(record) for record in records)
    return DiskFile(name, FileType(kind), recl, content, bytes.fromhex(data), *rest)
