"""What is verified: a built game, as a program on its disk or as a cartridge."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from ti99tools.base import tokens
from ti99tools.base.cache import from_cache
from ti99tools.base.errors import BuildError
from ti99tools.compiler.compiling import Wanted, compile_single
from ti99tools.compiler.forms.basicdisk import basic_files
from ti99tools.compiler.forms.option5 import loaded
from ti99tools.compiler.symbols import deciding_of
from ti99tools.computer.console.asking import Deciding
from ti99tools.games.making.artefacts import SIZES, Built, generate_game, packed_disk
from ti99tools.games.making.keeping import inputs_of, kept_game, pairs, with_others
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter, adapter_of
from ti99tools.games.verify.result import CARTRIDGE, XB
from ti99tools.language.program.coverage import Plan, plan_of
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


@dataclass(frozen=True)
class Subject:
    """A built game: its disk, and its executable program lines.

    `lines`: number → its origin, as reports show it. `folder` is where a worker finds the game if
    its name is not enough. `plan`: the statements of the source; workers do not need it.

    If it is `compiled`, that is played: with a cartridge the disk is only in DSK1. `digest` is that
    of the cartridge or disk, and there are neither lines nor a plan.
    """

    game: str
    disk: bytes
    digest: str
    lines: Mapping[int, str] = field(default_factory=dict)
    folder: str = ""
    plan: Plan | None = None
    compiled: CompiledGame | None = None

    @property
    def form(self) -> str:
        """What is played, a name of `FORMS`."""
        return XB if self.compiled is None else self.compiled.form

    @property
    def identity(self) -> str:
        """A digest of all that a match depends on."""
        if self.compiled is None:
            return self.digest
        return hashlib.sha256(self.compiled.data + self.disk).hexdigest()

    def adapter(self) -> Adapter:
        """The game's adapter, loaded in this process."""
        return adapter(self.folder or self.game)


_SILENT = {tokens.REM, tokens.BANG, tokens.DATA, tokens.IMAGE, tokens.SUB}
"""Lines that begin with these are never executed."""


def subject_of(manifest: Manifest, form: str = XB) -> Subject:
    """Build a game in a form of `FORMS`.

    Raises TIError when it has no model, something in it is broken, or it does not compile.
    """
    if manifest.basic:
        problem = f"{manifest.game} is written for {manifest.basic}: nothing proves it"
        raise BuildError(problem, remedy="run it, or write it for TI's cartridge")
    adapter_of(manifest)
    built = kept_game(manifest)
    disk = built.image.to_bytes()
    if form != XB:
        return _compiled(manifest, form, disk)
    digest = hashlib.sha256(disk).hexdigest()
    folder = str(manifest.folder.resolve())
    plan = plan_of(built.program.lines, built.generated.sourcemap)
    return Subject(manifest.game, disk, digest, _lines(built), folder, plan)


def _compiled(manifest: Manifest, form: str, disk: bytes) -> Subject:
    from ti99tools.games.verify.subject import compiled_game

    made = compiled_game(manifest, form)
    digest = hashlib.sha256(made.data).hexdigest()
    folder = str(manifest.folder.resolve())
    own = disk if form == CARTRIDGE else made.data
    return Subject(manifest.game, own, digest, folder=folder, compiled=made)


def _lines(built: Built) -> Mapping[int, str]:
    """The program's executable lines, by number: `120 (game.xb:33)`."""
    lines = {}
    for line in built.program.lines:
        place = built.generated.sourcemap.place(line.number)
        if place is not None and line.tokens[0] not in _SILENT:
            name = Path(place.file).name if place.file else ""
            lines[line.number] = f"{line.number} ({name}:{place.line})"
    return lines
