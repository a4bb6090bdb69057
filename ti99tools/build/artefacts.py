"""What a game is built to: its program and its disk in the forms that people need."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import BuildError, TIError
from ti99tools.build.manifest import AUTOSTART, Manifest
from ti99tools.disk.containers.hfe import create_hfe
from ti99tools.disk.files import DiskFile
from ti99tools.disk.image import DiskImage
from ti99tools.disk.text import to_records
from ti99tools.disk.tifiles import build_tifiles
from ti99tools.program.program import Program
from ti99tools.source.dialect import Generated, generate_file
from ti99tools.source.numbered import decode
from ti99tools.source.tokenize import EDITOR_LINE_BYTES


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file to be written: its name and its bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Built:
    """A game, built."""

    manifest: Manifest
    generated: Generated
    program: Program
    image: DiskImage
    artefacts: tuple[Artefact, ...]


def generate_game(manifest: Manifest, *, pack: bool = True) -> Generated:
    """The numbered listing of a game's main program, VERSION$ being its version."""
    return _generated(manifest, manifest.source_path, pack)


def _generated(manifest: Manifest, path: Path, pack: bool = True) -> Generated:
    defines = {"VERSION$": manifest.version, **manifest.define}
    return generate_file(path, root=manifest.folder, defines=defines, pack=pack)


def _program(generated: Generated, path: Path) -> Program:
    return Program.from_listing(generated.text, str(path), limit=EDITOR_LINE_BYTES)


def program_file(program: Program, name: str) -> DiskFile:
    """The file that SAVE would write."""
    saved = program.saved()
    if saved.type == "PROGRAM":
        assert isinstance(saved.content, bytes)
        return DiskFile.program(name, saved.content)
    assert isinstance(saved.content, tuple)
    return DiskFile.internal_var(name, saved.content, saved.recl)


def build_game(manifest: Manifest) -> Built:
    """Generate, tokenize and package a game. The same sources give the same bytes.

    Raises SourceError, ProgramError or BuildError.
    """
    generated = generate_game(manifest)
    program = _program(generated, manifest.source_path)
    image = DiskImage.new(manifest.geometry, manifest.disk)
    files = [program_file(program, AUTOSTART), program_file(program, manifest.program)]
    files += [_extra(manifest, index) for index in range(len(manifest.files))]
    for file in files:
        try:
            image.add(file)
        except TIError as error:
            raise BuildError(
                f"{manifest.game}: {file.name} does not go on the disk: {error.problem}",
                remedy='choose a larger geometry, e.g. geometry = "DSSD"',
            ) from None
    artefacts = [
        Artefact(manifest.image_name, image.to_bytes()),
        Artefact(f"{manifest.game}.hfe", create_hfe(image.to_bytes(), image.geometry)),
    ]
    for file in files[1:]:
        stored = image.read_stored(file.name)
        artefacts.append(Artefact(f"{manifest.game}-{file.name}.tfi", build_tifiles(stored)))
    return Built(manifest, generated, program, image, tuple(artefacts))


def _extra(manifest: Manifest, index: int) -> DiskFile:
    entry = manifest.files[index]
    path = manifest.folder / entry.source
    if entry.type == "PROGRAM":
        return program_file(_program(_generated(manifest, path), path), entry.name)
    return DiskFile.display_var(entry.name, to_records(decode(path.read_bytes())))
