"""What each command does with each kind of file: one table."""

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools import DiskImage, Program
from ti99tools.app.program_files import SavedProgram
from ti99tools.compiler.cartridge import rpk
from ti99tools.compiler.compiling import compile_program
from ti99tools.fronts.cli.main import cli
from ti99tools.language.program import hostfile, memory_image
from ti99tools.language.program.hostfile import FileKind, HostFile
from ti99tools.media.disk import hostfiles
from ti99tools.media.disk.hostfiles import build_fiad, build_tifiles
from ti99tools.media.disk.records import store
from ti99tools.media.disk.tifile import DiskFile
from ti99tools.media.tape import wav
from ti99tools.media.tape.recovery import unit

LISTING = "100 PRINT 1\n110 PRINT 2\n100 PRINT 3\n"
"""Of a line number that is given twice the last counts, whoever reads it."""
PROGRAM = Program.from_listing(LISTING)
SAVED = store(DiskFile.program("GAME", PROGRAM.to_program_bytes()))
LISTED = store(DiskFile.display_var("L", [row.encode() for row in LISTING.splitlines()]))
CODE = "0000CHELLO   A0000B04C0B045B7F9B4F".ljust(76) + "0001\n:       99/4 AS\n"


def cartridge() -> bytes:
    return compile_program(PROGRAM, "GAME").cartridge


def disk() -> bytes:
    image = DiskImage.new("SSSD", "D")
    image.add(DiskFile.program("LOAD", PROGRAM.to_program_bytes()))
    return image.to_bytes()


FILES: Mapping[str, Callable[[], bytes]] = {
    "LISTING.bas": lambda: LISTING.encode(),
    "LISTING": lambda: LISTING.encode(),
    "DIALECT.xb": lambda: b"FOR I=1 TO 2\n  PRINT I\nNEXT I\n",
    "EMPTY.xb": lambda: b"",
    "PROGRAM": PROGRAM.to_program_bytes,
    "LONG": lambda: SavedProgram.of(PROGRAM, "long").bare(),
    "MERGE": lambda: SavedProgram.of(PROGRAM, "merge").bare(),
    "TIFILES": lambda: build_tifiles(SAVED),
    "FIAD.xb": lambda: build_fiad(SAVED),
    "LISTED": lambda: build_tifiles(LISTED),
    "DISK": disk,
    "CARTRIDGE": cartridge,
    "PACKED": lambda: rpk(cartridge()),
    "CODE": lambda: CODE.encode(),
    "LOG": lambda: b"TI99LOG 1 X\n",
    "TAPE": lambda: wav.sound([unit(PROGRAM.to_program_bytes())]),
    "JUNK": lambda: bytes(range(256)) * 3,
    "LATIN": lambda: b"\xe4\xf6\xfc",
    "NOTES.dsk": lambda: b"HELLO THERE\n",
}
"""Name of a file → what makes it."""
READING = ("run", "lint", "generate", "tokenize", "list", "compile")
"""Commands that read a program; `run` also runs disks and cartridges."""
NO_TEXT, NO_IMAGE = "no text", "not a disk image in any known format"
IS_DISK, IS_CARTRIDGE = "a disk image, no program", "a cartridge, which has no listing"
TI_FILE = "a TI file, not a disk image"
Row = tuple[FileKind, Mapping[str, str]]
K = FileKind


def row(
    kind: FileKind, *groups: tuple[str, str], disk_new: str = "", disk_ls: str = NO_IMAGE
) -> Row:
    """A kind, and what commands say; a command that is not named, or says nothing, succeeds."""
    texts = {command: text for commands, text in groups for command in commands.split()}
    return kind, {"disk new": disk_new, "disk ls": disk_ls, **texts}


def refused(kind: FileKind, text: str, disk_new: str = "") -> Row:
    """A row where no command finds a program."""
    return row(kind, (" ".join(READING), text), disk_new=disk_new)


TABLE = {
    "LISTING.bas": row(K.LISTING),
    "LISTING": row(K.LISTING),
    "DIALECT.xb": row(K.TEXT),
    "EMPTY.xb": refused(K.EMPTY, "the source is empty", disk_new="the source is empty"),
    "PROGRAM": row(K.PROGRAM, ("generate", NO_TEXT)),
    "LONG": row(K.PROGRAM, ("generate", NO_TEXT)),
    "MERGE": row(K.PROGRAM, ("generate", NO_TEXT)),
    "TIFILES": row(K.CONTAINER, ("generate", NO_TEXT), disk_ls=TI_FILE),
    "FIAD.xb": row(K.CONTAINER, ("generate", NO_TEXT), disk_ls=TI_FILE),
    "LISTED": row(K.CONTAINER, disk_ls=TI_FILE),
    "DISK": row(
        K.DISK,
        ("lint generate tokenize list", IS_DISK),
        ("compile", "no single program"),
        disk_new="cannot tell what kind of TI file",
        disk_ls="",
    ),
    "CARTRIDGE": row(
        K.CARTRIDGE,
        ("lint generate tokenize list", IS_CARTRIDGE),
        ("compile", "a cartridge is compiled already"),
        disk_new="a cartridge, which no disk can hold",
    ),
    "PACKED": row(
        K.CARTRIDGE,
        ("lint generate tokenize list", IS_CARTRIDGE),
        ("compile", "a cartridge is compiled already"),
        disk_new="a cartridge, which no disk can hold",
    ),
    "CODE": refused(K.OBJECT, "object code, no program of Extended BASIC"),
    "LOG": refused(K.LOG, "a play log, no program"),
    "TAPE": refused(K.TAPE, "sound, as a cassette is", "cannot tell what kind of TI file"),
    "JUNK": row(
        K.OTHER,
        ("run compile", "neither a program nor a disk image"),
        ("lint tokenize list", "the checksum is wrong"),
        ("generate", NO_TEXT),
        disk_new="cannot tell what kind of TI file",
    ),
    "LATIN": row(
        K.OTHER,
        ("run compile", "LATIN:1:1"),
        ("lint tokenize list generate", "LATIN:1:1"),
        disk_new="cannot tell what kind of TI file",
    ),
    "NOTES.dsk": refused(K.TEXT, NO_IMAGE, "gives no TI file name"),
}
"""Name of a file → its kind, and command → what it says when it refuses the file (empty: it does
not)."""
OPTIONS = {
    "run": ["--no-screen", "--max-seconds", "9"],
    "tokenize": ["-o", "out.prg"],
    "compile": ["--json"],
}


@pytest.mark.parametrize("name", FILES)
def test_what_commands_do_with_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(FILES[name]())
    kind, texts = TABLE[name]
    assert HostFile.open(Path(name)).kind is kind
    for command in (*READING, "disk ls", "disk new"):
        image = ["new.dsk"] if command == "disk new" else []
        words = [*command.split(), *image, name, *OPTIONS.get(command, [])]
        result = CliRunner().invoke(cli, words)
        text = texts.get(command, "")
        assert text in result.output, (command, result.output)
        assert (result.exit_code == 0) == (not text), (command, result.output)


def test_the_last_line_of_a_number_counts(tmp_path: Path) -> None:
    path = tmp_path / "twice.bas"
    path.write_text(LISTING)
    result = CliRunner().invoke(cli, ["generate", str(path)])
    assert result.stdout == "110 PRINT 2\n100 PRINT 3\n"
    assert "this one counts" in CliRunner().invoke(cli, ["lint", str(path)]).output
    assert HostFile(result.stdout.encode()).kind is FileKind.LISTING


@pytest.mark.parametrize("name", ["LISTING", "PROGRAM", "TIFILES", "CODE", "JUNK"])
def test_a_disk_reads_the_bytes_of_a_file_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reader of a form gets the same bytes twice."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["disk", "new", "a.dsk"]).exit_code == 0
    Path(name).write_bytes(FILES[name]())
    readers: list[tuple[object, str]] = [
        (hostfile, "text_in"),
        (memory_image, "bare_content"),
        (hostfiles, "contained"),
        (DiskImage, "from_bytes"),
    ]
    calls: Counter[str] = Counter()

    def counted(what: str, reader: Callable[..., object]) -> Callable[..., object]:
        def read(data: bytes, *others: object, **more: object) -> object:
            calls[what] += data == FILES[name]()
            return reader(data, *others, **more)

        return read

    for home, what in readers:
        monkeypatch.setattr(home, what, counted(what, getattr(home, what)))
    CliRunner().invoke(cli, ["disk", "add", "a.dsk", name])
    assert calls["text_in"] == 1 and set(calls.values()) <= {0, 1}, calls
