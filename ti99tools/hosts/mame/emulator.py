"""MAME as a host: the same disks on an emulator of the whole machine, with the user's ROMs.

Needs MAME (0.251 or later, Debian's package `mame`) and the user's own ROM dumps (`hosts.roms`).
Without them the host says what is missing and runs nothing.

Debian's MAME 0.251 crashes at start-up in most runs unless MALLOC_PERTURB_ is set, and crashes
after a normal end; so a run is judged by what the Lua side printed, and tried again when it said
nothing at all. `-inipath` makes it forget its own mame.ini, so the folder of software lists
(`-hashpath`) is always named.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

from ti99tools.base.errors import HostError
from ti99tools.base.remedy import Remedy
from ti99tools.disk.image import DiskImage
from ti99tools.hosts import roms
from ti99tools.hosts.config import setting
from ti99tools.hosts.disklog import with_files
from ti99tools.hosts.host import Job, Played
from ti99tools.hosts.mame.installed import LIST, hash_folder, mame_program
from ti99tools.hosts.mame.steps import boot_steps, lua_steps
from ti99tools.hosts.mame.told import Told
from ti99tools.trace.keyscript import Step

XB_OFFSET = 0x60
"""Extended BASIC stores characters in video memory with this added."""
TRIES = 5
AFTERWARDS = 60
"""Seconds of machine time that MAME may run on after the limit of a job."""
SLOWEST = 2.0
"""MAME is expected to run at least at this multiple of the real machine's speed."""
WALL_MARGIN = 300


class Mame:
    """See `Host`."""

    name = "mame"

    def __init__(self, program: str | None = None, rom_folder: Path | None = None) -> None:
        self.program = program or mame_program()
        folder = rom_folder or setting("roms")
        self.rom_folder = Path(folder) if folder else None

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        if not self.program:
            return "MAME is not installed (Debian: apt-get install mame)"
        if self.rom_folder is None:
            return Remedy.NAME_ROMS.of()
        if not self.rom_folder.is_dir():
            return f"{self.rom_folder}: no such folder of ROM dumps"
        absent = roms.search(self.rom_folder).missing
        if absent:
            return f"{self.rom_folder}: no {', '.join(absent)}"
        if hash_folder(self.program) is None:
            return f"MAME's {LIST} is not found (name its folder: TI99_HASH, or hash in the config)"
        return ""

    def play(self, job: Job) -> Played:
        """Boot the disk in a fresh MAME, follow the steps, read the disk back.

        Raises HostError when MAME cannot run.
        """
        reason = self.missing()
        if reason or self.rom_folder is None:
            raise HostError(f"mame: {reason}")
        with tempfile.TemporaryDirectory(prefix="ti99tools-") as name:
            folder = Path(name)
            roms.search(self.rom_folder).lay_out(folder / "roms")
            disk = folder / "dsk1.dsk"
            disk.write_bytes(with_files(job.disk, job.files).to_bytes())
            media = ("-cart", "exbasic", "-flop1", str(disk))
            said = self.drive(folder, [*boot_steps(), *job.steps], job, media)
            return Told(said).played(DiskImage.from_bytes(disk.read_bytes()), job.log)

    def drive(
        self,
        folder: Path,
        steps: Iterable[Step],
        job: Job,
        media: tuple[str, ...] = (),
        offset: int = XB_OFFSET,
    ) -> list[str]:
        """Run MAME over a script; `folder` holds `roms`. Returns the lines of the Lua side.

        Raises HostError when MAME does not start, or does not end in time.
        """
        script = folder / "drive.lua"
        script.write_text(lua_program(steps, job, offset), encoding="utf-8")
        (folder / "ui.ini").write_text("skip_warnings 1\n")
        command = [str(self.program), *self._options(folder, job), *media]
        wall = job.max_seconds / SLOWEST + WALL_MARGIN
        problem = ""
        for _ in range(TRIES):
            done = _run(command, folder, wall)
            said = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
            if said:
                return said
            problem = explain(done.returncode, done.stderr)
            if done.returncode in (2, 3, 4, 5, 6):
                break
        raise HostError(f"mame: {problem}", remedy=Remedy.CHECK_HOST)

    def _options(self, folder: Path, job: Job) -> Iterator[str]:
        lists = hash_folder(self.program)
        if lists is not None:
            yield from ("-hashpath", str(lists))
        yield from (
            "-rompath", str(folder / "roms"),
            "-cfg_directory", str(folder / "cfg"), "-nvram_directory", str(folder / "nvram"),
            "-inipath", str(folder), "-video", "none", "-sound", "none", "-nothrottle",
            "-skip_gameinfo", "-ioport", "peb", "-ioport:peb:slot2", "32kmem",
            "-ioport:peb:slot8", "tifdc", "-ioport:peb:slot8:tifdc:0", "525dd",
            "-seconds_to_run", str(int(job.max_seconds) + AFTERWARDS),
            "-autoboot_script", str(folder / "drive.lua"), "-autoboot_delay", "0",
        )  # fmt: skip


def _run(command: list[str], folder: Path, wall: float) -> subprocess.CompletedProcess[str]:
    """MAME's run, `wall` seconds at most. Its options follow the name of the machine."""
    environment = {
        **os.environ,
        "SDL_VIDEODRIVER": "dummy",
        "SDL_AUDIODRIVER": "dummy",
        "MALLOC_PERTURB_": "170",
    }
    try:
        return subprocess.run(
            [command[0], "ti99_4a", *command[1:]],
            env=environment,
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=wall,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise HostError(f"mame: no end after {wall:.0f} seconds") from error
    except OSError as error:
        raise HostError(
            f"mame: {command[0]} does not start: {error.strerror}",
            remedy="name the program: TI99_MAME, or mame in the config file",
        ) from error


def lua_program(steps: Iterable[Step], job: Job, offset: int = XB_OFFSET) -> str:
    """The script for MAME: the steps as a table, then drive.lua."""
    driver = files("ti99tools.hosts.mame").joinpath("drive.lua").read_text(encoding="utf-8")
    lines = ",\n".join(f"  {step}" for step in lua_steps(steps, job.pace))
    head = f"local offset = {offset}\nlocal limit = {job.max_seconds:.0f}\n"
    return f"{head}local steps = {{\n{lines}\n}}\n{driver}"


def explain(code: int, errors: str) -> str:
    """What MAME's exit code and its messages mean."""
    fatal = [line for line in errors.splitlines() if "NOT FOUND" in line or "Fatal error" in line]
    meaning = {
        2: "a ROM is missing", 3: "a slot is unknown", 4: "an image cannot be used",
        5: "the driver ti99_4a is unknown", 6: "an option is unknown",
        139: "it crashed at start-up", -11: "it crashed at start-up",
    }.get(code, f"it ended with code {code}")  # fmt: skip
    return f"{meaning} ({'; '.join(fatal[:3])})" if fatal else meaning
