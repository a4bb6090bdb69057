"""The source that a word means: a file, or the source of a game.

Games are considered only when the word is not a file. A disk image is recognised, so that the
message can say what to do with one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from os.path import lexists, realpath, samefile
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.base.errors import Place, Remedy, TIError, near_file, suggestion
from ti99tools.base.hostio import STDIN, read_bytes
from ti99tools.language.findings import Finding
from ti99tools.language.program.hostfile import TEXTS, FileKind, HostFile
from ti99tools.language.program.sourcefile import Source, read_source

if TYPE_CHECKING:
    from ti99tools.games.making.manifest import Manifest
    from ti99tools.language.dialect import Generated
    from ti99tools.language.program.memory_report import MemoryReport
    from ti99tools.language.program.program import Program


_ASSEMBLY = (".a99", ".asm")
_TI_NAME = re.compile(r"DSK\d?\.", re.IGNORECASE)
"""The beginning of a file name as on the TI, with the drive."""


def find(name: str) -> Path | Manifest:
    """The file that a word names, or else the game of that folder or name. Raises TIError."""
    path = Path(name)
    if path.exists() and not path.is_dir():
        if path.suffix.lower() in _ASSEMBLY:
            problem = f"{name}: by its name assembly language, no program of Extended BASIC"
            raise TIError(problem, remedy="the command assemble turns it into object code")
        return path
    from ti99tools.games.making.finding import UnknownGame, find_game

    try:
        return find_game(name)
    except UnknownGame as error:
        if path.is_dir():
            raise
        meant = near_file(path)
        if meant:
            remedy = f"did you mean {meant}?"
        elif _TI_NAME.match(name):
            remedy = "name the disk image, then the program on it"
        else:
            remedy = "check the name" if looks_like_file(name) else error.remedy
        raise TIError(f"{name}: no such file, and no such game", remedy=remedy) from error


def looks_like_file(name: str) -> bool:
    """Tell whether a word that names nothing was probably meant as a file."""
    from ti99tools.games.making.finding import is_path

    return is_path(name) or bool(Path(name).suffix)


_SHOWN = 8
"""The most names in a message."""


@dataclass(frozen=True)
class Written:
    """A source file, and what its game adds: the folder of includes, constants, a profile."""

    path: Path
    root: Path | None = None
    constants: dict[str, int | str] = field(default_factory=dict)
    basic: str = ""
    """The profile that the game's manifest names."""

    def read(self, join: int | None = None) -> Source:
        """Read the source; lines that were wrapped after `join` characters are joined.

        Raises TIError.
        """
        return read_source(self.path, root=self.root, defines=self.constants, join=join)

    def notes(self, join: int | None = None) -> list[Finding]:
        """What was done to a numbered listing to read it; repeated and empty lines of it.

        `join` as in `read`. Empty for another source. Raises TIError if it cannot be read.
        """
        if HostFile.open(self.path).kind is not FileKind.LISTING:
            return []
        source = self.read(join)
        return [*source.notes(), *source.duplicates()]

    def program(self) -> Program:
        """The program; see `read`. Raises SourceError for what the console's editor refuses."""
        from ti99tools.language.program.program import Program

        return Program.of(self.read())

    def advise(
        self,
        join: int | None = None,
        read: Callable[[Path], bytes] | None = None,
        basic: str = "",
    ) -> tuple[list[Finding], MemoryReport | None]:
        """The findings of lint, and the memory report (None if it is not a program).

        See `read` and `read_source`. `basic` takes precedence over the game's profile.
        """
        from ti99tools.language.program.judgement import advise_file

        return advise_file(
            self.path,
            root=self.root,
            defines=self.constants,
            join=join,
            read=read,
            basic=basic or self.basic,
        )

    def generate(
        self,
        constants: Mapping[str, int | str],
        *,
        pack: bool,
        start: int,
        step: int,
        join: int | None = None,
    ) -> Generated:
        """The numbered listing, with further constants; `join` as in `read`.

        Raises TIError for a file without text, and for a constant that the source never mentions.
        """
        from ti99tools.language.dialect import generate
        from ti99tools.language.lint.hidden import hidden

        generated = generate(
            self._text(),
            str(self.path),
            root=self.root or self.path.parent,
            defines={**self.constants, **constants},
            pack=pack,
            start=start,
            step=step,
            review=hidden,
            join=join,
        )
        for name in constants:
            if name.upper() not in generated.constants:
                raise _unknown(name, self.path, generated.constants)
        return generated

    def labelled(self, *, start: int, step: int) -> tuple[list[str], list[str]]:
        """The numbered lines of a source with labels of xbas99, and the place of each.

        Raises TIError for a file without text, SourceError with all mistakes.
        """
        from ti99tools.language.dialect.labelled import numbered

        lines = numbered(self._text(), str(self.path), start=start, step=step)
        return [line for line, _ in lines], [str(place) for _, place in lines]

    def _text(self) -> str:
        """The text of the source. Raises TIError."""
        file = HostFile.open(self.path)
        try:
            return file.source
        except TIError as error:
            raise error.at(str(self.path)) from None


def _unknown(name: str, path: Path, known: Iterable[str]) -> TIError:
    """The message for a constant that the source never uses."""
    names = sorted(known)
    listed = f"it knows {', '.join(names[:_SHOWN])}" if names else "it has no constants"
    remedy = suggestion(name, names, listed)
    return TIError(f"{path} never uses the constant {name}", remedy=remedy)


def written(name: str) -> Written:
    """The source that a word means: a file, `-` (standard input), or the main source of a game.

    Raises TIError for a word that means neither; a missing file is reported when it is read.
    """
    path = Path(name)
    if name == STDIN or (not path.exists() and looks_like_file(name)):
        return Written(path)
    game = find(name)
    if isinstance(game, Path):
        return Written(game)
    return Written(game.source_path, game.folder, game.constants, game.basic)


def spare(source: Path, *outputs: Path | None) -> None:
    """Raise TIError when an output would overwrite the source."""
    for output in outputs:
        if output is not None and output.exists() and source.exists() and samefile(source, output):
            raise TIError(f"{output} is the source itself", remedy="choose another output")


def apart(*files: Path | None) -> None:
    """Raise TIError when a file is named twice: what is written last would be all that is left."""
    seen: dict[str, Path] = {}
    for file in filter(None, files):
        if seen.setdefault(realpath(file), file) is not file:
            raise TIError(f"{file} is named twice", remedy="use two files")


class OutputKind(Enum):
    """A kind of file that commands write."""

    PNG = "PNG picture"
    GIF = "GIF animation"
    WAV = "WAV sound"
    PAGE = "HTML page"
    LCOV = "lcov tracefile"
    JSON = "JSON"
    COVERAGE = "coverage as text"
    KEYS = "key script of a session"
    ASSEMBLED = "listing of an assembly"
    CARTRIDGE = "ROM cartridge"
    ARCHIVE = "zip archive"
    DISK = "disk image"
    CONTAINER = "TIFILES"
    CATALOG = "CATALOG of built disks"
    PRINTED = "what a printer or a serial line got"
    PROGRAM = "program file"
    CODE = "object code or a memory image"
    LISTING = "text that is a source itself"

    def fits(self, path: Path, data: bytes) -> bool:
        """Tell whether a file, with these bytes, can be an earlier output of this kind."""
        if self in _SIGNS:
            return re.search(_SIGNS[self], data) is not None
        file = HostFile(data, str(path), path)
        if self is OutputKind.DISK:
            return file.kind is FileKind.DISK
        if (
            self is OutputKind.LISTING
            or data.startswith(_FOREIGN)
            or file.kind in (FileKind.DISK, FileKind.CARTRIDGE)
        ):
            return False
        if file.text is None:
            return True
        source, listing = file.suffix in TEXTS, file.kind is FileKind.LISTING
        if self is OutputKind.PRINTED:
            # LIST "PIO" prints a listing: only the name tells it from a source.
            return not (source and listing)
        return self is OutputKind.CODE and not source and not listing


_SIGNS = {
    OutputKind.PNG: rb"\A\x89PNG",
    OutputKind.GIF: rb"\AGIF8",
    OutputKind.WAV: rb"\ARIFF",
    OutputKind.PAGE: rb"(?i)\A\s*<(?:!doctype|html)",
    OutputKind.LCOV: rb"\A(?:TN|SF):",
    OutputKind.JSON: rb"\A\s*[{[]",
    OutputKind.COVERAGE: rb" of +[0-9]+ ways of IFs\s*\Z",
    OutputKind.KEYS: rb"\A# [^\n]*, recorded by ti99tools play\r?\n",
    OutputKind.ASSEMBLED: rb"\A {4}[0-9](?:\r?\n| (?: {5}|[0-9A-F]{4}[' ]))",
    OutputKind.CARTRIDGE: rb"\A(?:\xAA|PK)",
    OutputKind.ARCHIVE: rb"\APK",
    OutputKind.CONTAINER: rb"\A\x07TIFILES",
    OutputKind.CATALOG: rb"\A[0-9a-f]{64} ",
}
_FOREIGN = (b"\x89PNG", b"GIF8", b"RIFF", b"HXCPICFE", b"PK")
_OWN_NAMES = {*TEXTS, ".a99", ".py", ".toml"} - {".txt", ".lst"}
"""Extensions of files that only people write; .txt and .lst may be outputs."""


def keep_others(
    *outputs: Path | None,
    kind: OutputKind,
    replace: bool,
    content: str | bytes | None = None,
) -> None:
    """Raise TIError when an output would overwrite a source, or a file of another kind.

    It may overwrite an earlier output of the same kind, an empty file, and a file that already has
    this `content`; with `replace`, any file. A link that leads nowhere counts as a file of another
    kind, since a file would be made where it points.
    """
    wanted = content.encode() if isinstance(content, str) else content
    for output in outputs:
        if output is None or replace or str(output) == STDIN or not lexists(output):
            continue
        if not _is_other(output, kind, wanted):
            continue
        raise TIError("the file already exists", remedy=Remedy.REPLACE, place=Place(str(output)))


def stay_inside(folder: Path, *outputs: Path) -> None:
    """Raise TIError when a link leads an output out of a folder.

    This is for outputs that nobody has named: in a stranger's folder their paths may be links.
    """
    for output in outputs:
        # Unlike `resolve`, this bears circles of links.
        if not Path(realpath(output)).is_relative_to(realpath(folder)):
            problem = f"a link leads it out of {folder.absolute()}"
            remedy = "remove the link or choose another output"
            raise TIError(problem, remedy=remedy, place=Place(str(output)))


def _is_other(output: Path, kind: OutputKind, wanted: bytes | None) -> bool:
    """Tell whether something at a path is neither an earlier output nor already as wanted."""
    if not output.is_file():
        # Folders and devices are refused with messages of their own.
        return not output.exists()
    data = read_bytes(output)
    own = output.suffix.lower() in _OWN_NAMES
    return bool(data.strip()) and data != wanted and (own or not kind.fits(output, data))
