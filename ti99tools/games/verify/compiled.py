"""The cartridge that a game is compiled to, and what must be known of it to play matches."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ti99tools.base.cache import from_cache
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.symbols import deciding_of
from ti99tools.computer.console.asking import Deciding, Span
from ti99tools.games.making.artefacts import generate_game
from ti99tools.games.making.keeping import inputs_of
from ti99tools.games.making.manifest import Manifest
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source


@dataclass(frozen=True)
class GameCartridge:
    """The cartridge of a game as `compile` writes it, and how its program asks for keys."""

    data: bytes
    deciding: Deciding


def cartridge_of(manifest: Manifest) -> GameCartridge:
    """Compile a game; from the cache if its sources have not changed.

    Raises TIError and SourceError for a game that does not compile.
    """
    return from_cache(
        "cartridge", inputs_of(manifest), lambda: _compiled(manifest), _packed, _unpacked
    )


def _compiled(manifest: Manifest) -> GameCartridge:
    source = Source.of_generated(generate_game(manifest), str(manifest.source_path))
    program = Program.of(source)
    result = compile_program(program, title_of(manifest), where=source.where)
    return GameCartridge(result.cartridge, deciding_of(result, program))


def title_of(manifest: Manifest) -> str:
    """What the console's menu shows."""
    return manifest.program.replace("_", " ")


def _packed(made: GameCartridge) -> bytes:
    return json.dumps({"data": made.data.hex(), "deciding": made.deciding}).encode()


def _unpacked(data: bytes) -> GameCartridge:
    values = json.loads(data)
    return GameCartridge(bytes.fromhex(values["data"]), _deciding(*values["deciding"]))


def _deciding(readers: Any, values: Any, loops: Any, patient: Any, owed: int) -> Deciding:
    [waiting] = _spans([patient])
    return Deciding(_spans(readers), _spans(values), _spans(loops), waiting, owed)


def _spans(rows: Iterable[Any]) -> tuple[Span, ...]:
    return tuple((at, size) for at, size in rows)
