"""A compiled program on a disk, or as files in a folder: for Extended BASIC, or option 5.

The program lies wholly in the 32K memory expansion: it has no banks. A game's disk has its other
files too, and its picture is shown while it loads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

from ti99tools.app.compile import ENDINGS, compiled, compiled_whole, content, suited
from ti99tools.app.disk import Output, new_disk, take
from ti99tools.app.disk import write as write_files
from ti99tools.app.source import find
from ti99tools.base.errors import TIError
from ti99tools.base.hostio import write_atomically
from ti99tools.compiler.compiling import Compiled
from ti99tools.compiler.forms.basicdisk import Draw, basic_files
from ti99tools.compiler.forms.option5 import loaded, option5_files
from ti99tools.compiler.linking import TooLarge
from ti99tools.games.making.artefacts import SIZES, Artefact, disk_artefacts, packed_disk
from ti99tools.games.making.keeping import with_others
from ti99tools.games.making.manifest import Manifest
from ti99tools.media.disk.convert import form_for
from ti99tools.media.disk.tifile import LONGEST_NAME, DiskFile, check_name

_NAMELESS = "PROGRAM"
Files = list[DiskFile]


class DiskForm(Enum):
    """What starts a program from a disk."""

    BASIC = "xb"
    """Extended BASIC: it has a `LOAD`, which starts by itself."""
    OPTION_5 = "ea5"
    """Option 5 of Editor/Assembler, and whatever else loads such files."""


@contextmanager
def refusing(whole: bool) -> Iterator[None]:
    """Say what else can be done with a program that does not fit into memory as a `whole`.

    Raises TIError for such a program.
    """
    try:
        yield
    except TooLarge as error:
        if not whole or error.mostly_arrays:
            raise
        remedy = "compile it as a cartridge (.bin or .rpk), which has banks, or use less of it"
        raise TIError(error.problem, remedy=remedy, place=error.place) from error


def name_on_disk(path: Path) -> str:
    """A name on a disk, made of the letters and digits of a host file's name."""
    return re.sub(r"[^A-Z0-9_]", "", path.stem.upper())[:LONGEST_NAME].rstrip("_") or _NAMELESS


def is_disk(output: Path) -> bool:
    """Tell whether a file is a disk, by the end of its name."""
    return form_for(str(output)) is not None


def program_files(
    result: Compiled, form: DiskForm, name: str, suit: bool, draw: Draw | None = None
) -> Files:
    """The files that start a compiled program; `draw` as in `basic_files`, `suit` as in
    `option5_files`. Raises TIError.
    """
    if form is DiskForm.OPTION_5:
        return option5_files(loaded(result.linked), name, suit)
    return basic_files(loaded(result.linked), name, result.title, draw)


def game_files(
    game: Manifest, result: Compiled, form: DiskForm, name: str, suit: bool = True
) -> Files:
    """As `program_files`, with the game's picture and the other files of its disk."""
    return with_others(game, partial(program_files, result, form, name, suit))


@dataclass(frozen=True)
class CompiledGame:
    """The files of a compiled game: cartridges and, if it fits into the 32K, disks."""

    cartridges: tuple[Artefact, ...]
    """`.bin`, whose name suits FinalGROM 99 and Classic99, and `.rpk`."""
    disks: tuple[Artefact, ...]
    """For Extended BASIC, and for option 5 of Editor/Assembler: `NAME-xb.dsk`, `NAME-ea5.dsk`."""
    no_disks: str
    """Why there are no disks; empty if there are."""


def compiled_game(game: Manifest) -> CompiledGame:
    """Compile a game into all forms. Raises TIError, SourceError for what is not compiled."""
    name, source = game.game, str(game.folder)
    result = compiled_whole(source)
    names = (f"{suited(name)}.bin", f"{name}.rpk")
    cartridges = tuple(Artefact(each, content(result.cartridge, Path(each))) for each in names)
    try:
        whole = result
        if result.linked.banks or result.berth.chained:
            whole = compiled(source, None, True, banks=False, alone=True)
        disks: list[Artefact] = []
        for form in DiskForm:
            files = game_files(game, whole, form, game.program)
            image = packed_disk(name, game.disk, files, SIZES)
            disks += disk_artefacts(f"{name}-{form.value}", image)
    except TIError as error:
        return CompiledGame(cartridges, (), error.problem)
    return CompiledGame(cartridges, tuple(disks), "")


@dataclass
class Wanted:
    """A disk, or a folder of TIFILES, that is to be written."""

    output: Path
    form: DiskForm
    name: str
    suit: bool
    """Whether another name may be used if the form requires it: nobody has given this one."""
    folder: bool
    replace: bool
    files: Files = field(default_factory=list)
    """What was written."""

    @classmethod
    def of(
        cls,
        source: str,
        output: Path | None,
        form: str | None,
        name: str | None,
        folder: bool,
        replace: bool,
    ) -> Wanted | None:
        """What is to be written; None for a cartridge or nothing.

        Raises TIError for a name that is not allowed.
        """
        if output is None or output.suffix.lower() in ENDINGS:
            return None
        if not folder and not is_disk(output):
            return None
        own = name or name_on_disk(Path(source) if folder else output)
        how = DiskForm(form or "xb")
        return cls(output, how, check_name(own.upper()), not name, folder, replace)

    @property
    def _disk(self) -> Output:
        return Output(Path("files.dsk") if self.folder else self.output, replace=self.replace)

    def write(self, source: str, result: Compiled) -> None:
        """Write it; the files are those of a game if the source is one."""
        game = find(source)
        if isinstance(game, Manifest):
            self.files = game_files(game, result, self.form, self.name, self.suit)
        else:
            self.files = program_files(result, self.form, self.name, self.suit)
        image = new_disk(self._disk, None, self.name)
        for file in self.files:
            image.add(file)
        if self.folder:
            taken = take(image, image.names(), "tifiles", self.output, None)
            write_files(taken, self.output, None, self.replace)
        else:
            self._disk.write(image)


def write(source: str, result: Compiled, output: Path, disk: Wanted | None) -> None:
    """Write what was compiled: a disk or, if none is wanted, a cartridge. Raises TIError."""
    if disk is None:
        write_atomically(output, content(result.cartridge, output))
    else:
        disk.write(source, result)


def figures(disk: Wanted | None) -> dict[str, Any]:
    """What `--json` tells of a disk: its form, its files and their sizes in bytes."""
    if disk is None:
        return {}
    files = [{"name": file.name, "bytes": len(file.data)} for file in disk.files]
    return {"form": disk.form.value, "files": files}


def summary(disk: Wanted | None) -> str:
    """The end of a sentence: how a disk is started."""
    if disk is None:
        return ""
    what = "Extended BASIC" if disk.form is DiskForm.BASIC else "option 5 of Editor/Assembler"
    return f"; {what} starts DSK1.{disk.files[0].name}"
