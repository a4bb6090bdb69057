"""What a game is compiled to, and what must be known of it to play matches."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from ti99tools.base.cache import from_cache
from ti99tools.compiler.compiling import Wanted, compile_single
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import loaded
from ti99tools.compiler.symbols import deciding_of
from ti99tools.computer.console.asking import Deciding
from ti99tools.games.making.artefacts import SIZES, generate_game, packed_disk
from ti99tools.games.making.keeping import inputs_of, pairs, with_others
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.verify.result import CARTRIDGE
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source


@dataclass(frozen=True)
class CompiledGame:
    """A compiled game: a cartridge or the disk it starts from; how its program asks for keys."""

    form: str
    data: bytes
    deciding: Deciding

    @property
    def cartridge(self) -> bytes | None:
        """The cartridge; None for a disk."""
        return self.data if self.form == CARTRIDGE else None


def compiled_game(manifest: Manifest, form: str) -> CompiledGame:
    """Compile a game to a form; from the cache if its sources have not changed.

    Raises TIError and SourceError for a game that does not compile, or does not fit so.
    """
    about = [*inputs_of(manifest), form]
    return from_cache("compiled", about, lambda: _made(manifest, form), _packed, _unpacked)


def _made(manifest: Manifest, form: str) -> CompiledGame:
    source = Source.of_generated(generate_game(manifest), str(manifest.source_path))
    program = Program.of(source)
    wanted = Wanted(
        manifest.game, manifest.program, manifest.program.replace("_", " "), program, source.where
    )
    result = compile_single(wanted)
    data = result.cartridge
    if form != CARTRIDGE:
        if result.linked.banks or result.berth.chained:
            result = compile_single(wanted, banks=False, alone=True)
        start = partial(basic_files, loaded(result.linked), manifest.program, result.title)
        files = with_others(manifest, start)
        data = packed_disk(manifest.game, manifest.disk, files, SIZES).to_bytes()
    return CompiledGame(form, data, deciding_of(result, program))


def _packed(made: CompiledGame) -> bytes:
    values = {"form": made.form, "data": made.data.hex(), "deciding": made.deciding}
    return json.dumps(values).encode()


def _unpacked(data: bytes) -> CompiledGame:
    values = json.loads(data)
    deciding = _deciding(*values["deciding"])
    return CompiledGame(values["form"], bytes.fromhex(values["data"]), deciding)


def _deciding(readers: Any, values: Any, loops: Any, patient: Any, owed: int) -> Deciding:
    [waiting] = pairs([patient])
    return Deciding(pairs(readers), pairs(values), pairs(loops), waiting, owed)
