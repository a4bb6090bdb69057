"""The common part of all emulators of the whole machine: a driver inside plays a job.

The driver gets the job as text, does it, and reports what it saw; then the disk is read back. At a
session (`hosts.emulator_session`) the driver gets orders one by one instead.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

from ti99tools.base.errors import HostError, Remedy
from ti99tools.games.hosts import roms
from ti99tools.games.hosts.dialogue import Dialogue, Piped
from ti99tools.games.hosts.disklog import with_files
from ti99tools.games.hosts.driver import JOB, Setting, Transcript, job_text, orders_of
from ti99tools.games.hosts.emulator_session import EmulatorSession
from ti99tools.games.hosts.host import Endless, Job, Played, Unable, refusal
from ti99tools.games.hosts.line_tables import line_tables
from ti99tools.games.hosts.roms import setting
from ti99tools.media.disk.geometry import Geometry
from ti99tools.media.disk.image import DiskImage

DISK = "dsk1.dsk"
"""The disk in the folder of a run."""
SINGLE, TRACKS = 1, 40
"""The only density and the highest number of tracks that TI's disk controller reads."""


class Emulator(ABC):
    """An emulator as a `Host`; `rom_folder` holds the user's ROM dumps."""

    name = title = ""
    """Its name in options, and in texts."""
    install = ""
    """What to do if the program is not installed."""
    unstarted: Remedy | str = ""
    """What to do if it does not start."""
    slowest = 1.0
    """The least multiple of the real machine's speed at which it is expected to run."""
    margin = 60
    """Seconds of real time that a run may take in addition."""
    tries = 1
    """How often to start it, until it works."""

    def __init__(self, program: str | None, rom_folder: Path | None) -> None:
        self.program = program
        folder = rom_folder or setting("roms")
        self.rom_folder = Path(folder) if folder else None
        self._dumps: tuple[Path, roms.RomSet] | None = None
        self._waits: MutableMapping[str, float] = {}

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        if not self.program:
            return self.install
        if self.rom_folder is None:
            return Remedy.NAME_ROMS.of()
        if not self.rom_folder.is_dir():
            return f"{self.rom_folder}: no such folder of ROM dumps"
        absent = self.dumps().shortage
        return f"{self.rom_folder}: no {absent}" if absent else ""

    def parts(self) -> Iterator[tuple[str, str, str]]:
        """What it needs besides ROMs: a name, where it was found, and what to do if it was not."""
        yield f"{self.title}'s program", self.program or "", "" if self.program else self.install

    def dumps(self) -> roms.RomSet:
        """The user's ROM dumps, searched for once."""
        folder = self.rom_folder or Path()
        if self._dumps is None or self._dumps[0] != folder:
            self._dumps = folder, roms.search(folder)
        return self._dumps[1]

    def play(self, job: Job) -> Played:
        """Boot the disk in a fresh machine, follow the steps, read the disk back.

        Raises HostError when the emulator cannot run.
        """
        if self.missing():
            raise refusal(self)
        with tempfile.TemporaryDirectory(prefix="ti99tools-") as name:
            folder = Path(name)
            image = with_files(job.disk, job.files)
            self.admit(image.geometry)
            disk = folder / DISK
            disk.write_bytes(image.to_bytes())
            files = {**self.prepare(folder, job), "disk1": str(disk)}
            tables = line_tables(image) if job.cartridge is None else ()
            transcript = self.follow(folder, job, Setting(tables, files))
            return transcript.played(DiskImage.from_bytes(disk.read_bytes()), job.log)

    def open_session(
        self, disk: bytes, max_seconds: float, protected: bool = False
    ) -> EmulatorSession:
        """Start a machine with a disk in DSK1, to be played key by key.

        Raises HostError when the emulator cannot run, Unable when it cannot protect a disk.
        """
        if self.missing():
            raise refusal(self)
        for left in reversed(range(self.tries)):
            try:
                return EmulatorSession(self, disk, max_seconds, protected, self._waits)
            except Unable:
                raise  # another start would not help
            except HostError:
                if not left:
                    raise
        raise AssertionError(self.tries)

    def admit(self, geometry: Geometry) -> None:
        """Raise HostError for a disk that TI's disk controller cannot read."""
        if geometry.density > SINGLE or geometry.tracks > TRACKS:
            raise HostError(
                f"{self.name}: TI's disk controller cannot read a disk of geometry {geometry.name}",
                remedy=Remedy.RESHAPE.of(geometry="DSSD"),
            )

    def follow(self, folder: Path, job: Job, setting: Setting) -> Transcript:
        """Let the driver do a job in a folder that `prepare` has filled.

        Raises HostError when the emulator does not start, or does not end in time.
        """
        orders = orders_of(job, setting)
        (folder / JOB).write_text(job_text(job, setting, orders), encoding="ascii")
        return Transcript(self.drive(folder, job, setting), orders, setting.tables)

    def converse(self, folder: Path, job: Job, setting: Setting) -> Dialogue:
        """Start the driver on a job in a folder, for orders one by one."""
        command = self.command(folder, job, setting)
        return Piped(self.name, command, folder, self.environment(folder), self.unstarted)

    def wall(self, seconds: float) -> float:
        """The most seconds of real time for `seconds` of machine time."""
        return seconds / self.slowest + self.margin

    @abstractmethod
    def prepare(self, folder: Path, job: Job) -> Mapping[str, str]:
        """Lay out the ROMs in the folder of a run; returns the files for the driver, by kind."""

    @abstractmethod
    def drive(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        """Run the emulator on the job in a folder; returns the lines that its driver says."""

    @abstractmethod
    def command(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        """The command that starts it on the job in a folder; writes the other files it needs."""

    def environment(self, _folder: Path) -> Mapping[str, str]:
        """The environment variables that it needs."""
        return {}

    def store(self, path: Path, disk: bytes, protected: bool) -> Path:
        """Write a disk into the folder of a run, write-protected or not; returns its file.

        `path` is a free name there. Here: a read-only file is a write-protected disk.
        """
        path.write_bytes(disk)
        if protected:
            path.chmod(0o444)
        return path


def run_program(
    name: str,
    command: list[str],
    folder: Path,
    wall: float,
    remedy: Remedy | str,
    environment: Mapping[str, str],
) -> subprocess.CompletedProcess[str]:
    """Run an emulator in a folder for at most `wall` seconds; `environment` adds to ours.

    Raises Endless when it does not end in time, HostError with the `remedy` when it does not start.
    """
    try:
        return subprocess.run(
            command,
            env={**os.environ, **environment},
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=wall,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Endless(f"{name}: no end after {wall:.0f} seconds") from error
    except OSError as error:
        problem = f"{name}: {command[0]} does not start: {error.strerror}"
        raise HostError(problem, remedy=remedy) from error
