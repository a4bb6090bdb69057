"""A game built for verification, and a whole verification in one call."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from ti99tools.base import tokens
from ti99tools.base.errors import BuildError
from ti99tools.games.build.artefacts import Built
from ti99tools.games.build.finding import find_game
from ti99tools.games.build.keeping import kept_game
from ti99tools.games.build.manifest import Manifest
from ti99tools.games.coverage.plan import plan_of
from ti99tools.games.verify.campaign import Campaign, Subject
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.result import Verdict

_SILENT = {tokens.REM, tokens.BANG, tokens.DATA, tokens.IMAGE, tokens.SUB}
"""Lines that begin with these are never executed."""


def subject_of(manifest: Manifest) -> Subject:
    """Build a game. Raises TIError when it has no model, or something in it is broken."""
    if manifest.basic:
        problem = f"{manifest.game} is written for {manifest.basic}: nothing proves it"
        raise BuildError(problem, remedy="run it, or write it for TI's cartridge")
    adapter_of(manifest)
    built = kept_game(manifest)
    disk = built.image.to_bytes()
    digest = hashlib.sha256(disk).hexdigest()
    folder = str(manifest.folder.resolve())
    plan = plan_of(built.program.lines, built.generated.sourcemap)
    return Subject(manifest.game, disk, digest, _lines(built), folder, plan)


def _lines(built: Built) -> Mapping[int, str]:
    """The program's executable lines, by number: `120 (game.xb:33)`."""
    lines = {}
    for line in built.program.lines:
        place = built.generated.sourcemap.place(line.number)
        if place is not None and line.tokens[0] not in _SILENT:
            name = Path(place.file).name if place.file else ""
            lines[line.number] = f"{line.number} ({name}:{place.line})"
    return lines


def verify_game(game: str | Path, matches: int = 100, seed: int = 0) -> Verdict:
    """Play so many matches of a game, given by name or folder, on our console, and compare.

    Raises TIError when the game is unknown, has no model, or part of it is broken.
    """
    return Campaign(subject_of(find_game(game)), matches=matches, seed=seed).run()
