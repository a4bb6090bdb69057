"""Games without banks, mostly as byte code: whole matches, with logs, against the models."""

from dataclasses import replace

import pytest

from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.symbols import deciding_of
from ti99tools.games.making.artefacts import generate_game
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.compiled import CompiledGame
from ti99tools.games.verify.result import CARTRIDGE
from ti99tools.games.verify.subject import subject_of
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

GAMES = ("dimraw", "lambo", "d5000", "dicerack")
MATCHES = 2


def without_banks(manifest: Manifest) -> CompiledGame:
    """A game compiled into memory alone."""
    source = Source.of_generated(generate_game(manifest), str(manifest.source_path))
    program = Program.of(source)
    result = compile_program(program, manifest.program, where=source.where, banks=False)
    return CompiledGame(CARTRIDGE, result.cartridge, deciding_of(result, program))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_game_in_memory_follows_its_rules(name: str) -> None:
    manifest = find_game(name)
    subject = replace(subject_of(manifest), compiled=without_banks(manifest), lines={}, plan=None)
    verdict = Campaign(subject, matches=MATCHES).run()
    assert verdict.ok, [failure.mismatch for failure in verdict.failures]
    assert verdict.screens >= MATCHES
