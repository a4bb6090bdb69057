"""What a word means: a source, a program file, a disk image, or a game."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.app.disk_contents import program_on, programs_on
from ti99tools.app.source import find
from ti99tools.base.decoding import is_memory_image
from ti99tools.base.errors import Place, Remedy, SourceError, TIError, suggestion
from ti99tools.base.hostio import read_text
from ti99tools.games.making.keeping import kept_game
from ti99tools.games.making.manifest import Manifest, Seed
from ti99tools.language.listing.laterprofiles import profile_of
from ti99tools.language.program.hostfile import TEXTS, FileKind, HostFile
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source, read_source
from ti99tools.media.disk.image import DiskImage

if TYPE_CHECKING:
    from ti99tools.computer.console.anyconsole import AnyConsole
    from ti99tools.computer.console.compiled import Symbols
    from ti99tools.language.findings import Finding


class Answer:
    """Types the seed whenever the game's question for it appears on the screen."""

    def __init__(self, question: Seed, seed: int) -> None:
        self._question = question
        self._keys = question.keys(seed)
        self._shown = False

    def __call__(self, console: AnyConsole) -> None:
        """Look at the screen; type the answer when the question has just appeared."""
        visible = console.screen.shows(self._question.prompt)
        if visible and not self._shown:
            console.type(self._keys)
        self._shown = visible


@dataclass
class Target:
    """Something to run: `program` to put into memory, or None to start from DSK1."""

    name: str
    program: Program | None = None
    disk: DiskImage | None = None
    seed: Seed | None = None
    file: str | None = None
    source: Source | None = None
    """The text of the program; a program file has none."""
    cartridge: bytes | None = None
    """The banks of a cartridge, which is chosen in the menu."""
    entry: int = 0
    """The program of the cartridge's menu that runs, from 0 on."""
    entry_name: str = ""
    """Its own name, if the cartridge has several programs."""
    symbols: Symbols | None = None
    """Where everything of a compiled program is in memory; its source is then known, too."""
    main: str = ""
    """The disk file of the program that `source` is the text of."""
    game: Manifest | None = None
    """The game whose disk this is."""
    basic: str = ""
    """The profile of a later Extended BASIC that the program is written for."""

    def where(self, line: int, offset: int = 0) -> Place:
        """The place in the source of a program's line, or of the token at `offset` in it."""
        place = self.source.where(line, offset) if self.source else Place(self.file)
        return Place(near_place(place.file), place.line, place.column)

    def table_at(self, line: int, offset: int) -> str:
        """The first table (CONST) with an index in the row of a statement; empty without one."""
        if self.source is None or self.source.sourcemap is None:
            return ""
        place = self.source.where(line, offset)
        try:
            rows = read_text(Path(place.file or "")).splitlines()
        except TIError:
            return ""
        row = rows[place.line - 1] if place.line and place.line <= len(rows) else ""
        names = re.findall(r"([A-Z_][A-Z0-9_]*\$?)\(", row[(place.column or 1) - 1 :].upper())
        return next((name for name in names if name in self.source.sourcemap.constants), "")

    def surprises(self) -> list[Finding]:
        """Findings for what the source may do unintentionally; none for a program file."""
        if self.source is None or self.cartridge is not None:
            return []
        from ti99tools.language.program.judgement import surprises

        near = ((each, near_place(each.place.file)) for each in surprises(self.source, self.basic))
        return [
            replace(each, place=Place(file, each.place.line, each.place.column))
            for each, file in near
        ]

    def answer(self, seed: int | None) -> Answer | None:
        """An object that types the seed when the target asks; None without a seed.

        Raises TIError when the target asks for no seed.
        """
        if seed is None:
            return None
        if self.seed is None:
            raise TIError(f"{self.name} asks for no seed", remedy=Remedy.NO_SEED)
        return Answer(self.seed, seed)

    def start(self, console: AnyConsole) -> None:
        """Start the program or the disk in DSK1, or choose the first program of a cartridge.

        Raises TIError for a cartridge without one.
        """
        from ti99tools.computer.console.session import Console

        if not isinstance(console, Console):
            console.start()
        elif self.program is None:
            if self.source is not None:
                console.declare(Program.of(self.source))
            console.boot()
        else:
            console.load(self.program)
            console.start()


def near_place(file: str | None) -> str | None:
    """A path, relative if it is below the current folder."""
    if file is None or not Path(file).is_relative_to(Path.cwd()):
        return file
    return str(Path(file).relative_to(Path.cwd()))


def find_target(name: str, program: str | None = None, basic: str = "") -> Target:
    """Open a target: a file, or a game by folder or by name. Raises TIError.

    With `program` the target is the program of that name on the disk, which stays in DSK1, or in
    the menu of a cartridge. `basic` is the profile that it is written for, in place of the one that
    its game.toml names.
    """
    profile = profile_of(basic)
    target = _found(name)
    if target.cartridge is not None:
        return _in_menu(target, program)
    if profile is not None:
        target = replace(target, basic=profile.name)
    return target if program is None else _on_disk(target, program)


def program_named(file: str, name: str) -> Program:
    """The program of that name on a disk image. Raises TIError."""
    program = find_target(file, name).program
    assert program is not None
    return program


def _on_disk(target: Target, name: str) -> Target:
    """A program on a target's disk, to be started without its LOAD, or as option 5 starts it.

    Raises TIError.
    """
    if target.disk is None:
        raise TIError(f"{target.name}: not a disk image", remedy=f"leave out {name}")
    file_name = next((n for n in (name, name.upper()) if n in target.disk), None)
    if file_name is None:
        programs = programs_on(target.disk)
        known = f"on it are {', '.join(programs)}" if programs else "there is none on it"
        raise TIError(
            f"{target.name}: no program {name} on the disk",
            remedy=suggestion(name, programs, known),
        )
    file = f"{target.file}:{file_name}"
    try:
        if is_memory_image(target.disk.read(file_name).data):
            from ti99tools.compiler.forms.option5 import loader_for

            cartridge = loader_for(target.disk, file_name)
            return replace(target, cartridge=cartridge, file=file, source=None)
        program = program_on(target.disk, file_name)
    except TIError as error:
        raise error.at(target.name) from error
    source = target.source if target.main == file_name else None
    return replace(target, program=program, file=file, source=source)


def _in_menu(target: Target, name: str | None) -> Target:
    """A program of a cartridge, by its title in the menu or its own name. Raises TIError."""
    from ti99tools.computer.console.collected import stored_programs
    from ti99tools.computer.machinecode.cartridges import Cartridge

    assert target.cartridge is not None
    cartridge = Cartridge(target.cartridge)
    titles = [entry.name for entry in cartridge.programs]
    stored = stored_programs(cartridge.banks)
    names = list(stored.names) if stored is not None else []
    own = names[: len(titles)]
    entry = 0
    if name is not None:
        found = [
            number
            for known in (own, titles)
            for number, each in enumerate(known)
            if each.upper() == name.upper()
        ]
        if not found:
            there = f"the menu has {', '.join(own if all(own) and own else titles)}"
            hidden = name.upper() in names
            problem = "is not in the menu: another program RUNs it" if hidden else "is not on it"
            raise TIError(f"{target.name}: {name} {problem}", remedy=there)
        entry = found[0]
    several = stored is not None and len(names) > 1
    return replace(target, entry=entry, entry_name=names[entry] if several else "")


def _found(name: str) -> Target:
    path = find(name)
    if isinstance(path, Manifest):
        return _game(name, path)
    file = HostFile.open(path)
    if file.kind is FileKind.CARTRIDGE:
        return Target(name, cartridge=file.banks, file=name)
    if file.kind is FileKind.DISK:
        return Target(name, disk=file.disk, file=name)
    if file.is_misnamed:
        raise file.no_disk
    try:
        source = read_source(path)
        text = source if source.memory is None else None
        return Target(name, Program.of(source), file=name, source=text)
    except TIError as error:
        # Only what is of no known kind may have been meant as either.
        is_known = file.suffix in TEXTS or file.kind is not FileKind.OTHER
        if is_known or isinstance(error, SourceError):
            raise
        raise TIError(
            f"{name}: neither a program nor a disk image",
            remedy=f"as a program: {error.problem}; as a disk: {file.no_disk.problem}",
        ) from error


def _game(name: str, manifest: Manifest) -> Target:
    built = kept_game(manifest)
    file = str(manifest.source_path)
    source = Source.of_generated(built.generated, file)
    return Target(name, disk=built.image, seed=manifest.seed, file=file, source=source,
                  main=manifest.program, game=manifest, basic=manifest.basic)  # fmt: skip
