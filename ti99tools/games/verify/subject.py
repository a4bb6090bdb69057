"""What is verified: a built game, as a program on its disk or as a cartridge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base import tokens
from ti99tools.base.errors import BuildError
from ti99tools.games.making.artefacts import Built
from ti99tools.games.making.keeping import kept_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter, adapter_of
from ti99tools.games.verify.result import CARTRIDGE, XB
from ti99tools.language.program.coverage import Plan, plan_of

if TYPE_CHECKING:
    from ti99tools.games.verify.compiled import CompiledGame


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
    from ti99tools.games.verify.compiled import compiled_game

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
