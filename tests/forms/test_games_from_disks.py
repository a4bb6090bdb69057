"""The game of `new` from the disks of its compiled program: whole matches follow the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forms.disks import AnyForm, stand_in
from ti99tools.app.compiled_disk import DiskForm, game_files
from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.compiler.forms.option5 import EDITOR_ASSEMBLER
from ti99tools.compiler.symbols import deciding_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.games.hosts.cartridge import CompiledPlayer
from ti99tools.games.hosts.disklog import with_files
from ti99tools.games.hosts.host import FINAL, Job, Played
from ti99tools.games.making.artefacts import SIZES, generate_game, packed_disk
from ti99tools.games.making.finding import find_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.verify.loading import adapter_of
from ti99tools.games.verify.matches import play
from ti99tools.games.verify.scenario import make
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

MATCHES = 2
STARTS = 900
"""Frames in which a program begins."""


class FromDisk:
    """A `Host` of one game: the disk of its compiled program is in the drive."""

    name = "disk"

    def __init__(self, game: Manifest, form: DiskForm) -> None:
        source = Source.of_generated(generate_game(game), str(game.source_path))
        program = Program.of(source)
        self._made: Compiled = compile_program(program, game.program, banks=False)
        self._deciding = deciding_of(self._made, program)
        self._form, self._name = form, game.program
        files = game_files(game, self._made, form, game.program)
        self.disk = packed_disk(game.game, game.disk, files, SIZES).to_bytes()

    def missing(self) -> str:
        """Empty: it can run everywhere."""
        return ""

    def _begun(self, console: AnyForm) -> None:
        for _ in range(STARTS):
            console.wait(1)
            if isinstance(console, Console) and console.alone:
                return
        assert isinstance(console, CartridgeConsole), "it does not begin"

    def play(self, job: Job) -> Played:
        """Start the program and do the steps."""
        image = with_files(job.disk, job.files)
        console: AnyForm
        if self._form is DiskForm.BASIC:
            console = Console({"DSK1": image}, max_seconds=job.max_seconds)
            console.boot()
        else:
            console = CartridgeConsole(
                stand_in(self._name, EDITOR_ASSEMBLER),
                disks={"DSK1": image},
                max_seconds=job.max_seconds,
            )
            console.choose()
        self._begun(console)
        player = CompiledPlayer(console, job.max_seconds, self._deciding)
        end = player.follow(job.steps)
        player.snap(FINAL)
        console.close_files()
        records = image.read(job.log).records if job.log in image else None
        return Played(records, player.screens, console.clock.seconds, str(end), disk=image)


@pytest.mark.slow
@pytest.mark.parametrize("form", DiskForm)
def test_matches_follow_the_rules(form: DiskForm, tmp_path: Path) -> None:
    new_game(tmp_path / "race")
    game = find_game(tmp_path / "race")
    adapter = adapter_of(game)
    host = FromDisk(game, form)
    for seed in range(MATCHES):
        result = play(adapter, host, host.disk, make(adapter, seed)[0])
        assert result.mismatch is None, result.mismatch
