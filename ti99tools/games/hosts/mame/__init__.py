"""MAME as a host: the same disks on an emulator of the whole machine.

It needs MAME (0.251 or later, Debian's package `mame`) and the user's own ROM dumps (`hosts.roms`).
Without them the host says what is missing and runs nothing.

Debian's MAME 0.251 crashes at start-up in most runs unless MALLOC_PERTURB_ is set, and crashes
after a normal end. So only the output of the Lua driver counts, and a run whose end is not reported
is tried again with the same disk. `-inipath` makes MAME ignore its own mame.ini, so the folder of
software lists (`-hashpath`) is always named.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

from ti99tools.base.errors import HostError, Remedy
from ti99tools.games.hosts.driver import Setting
from ti99tools.games.hosts.emulator import Emulator, run_program
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.roms import setting

LIST = "ti99_cart.xml"
"""MAME's list of cartridges, in which it looks up `-cart exbasic`."""
PROGRAMS = ("/usr/games/mame", "/opt/homebrew/bin/mame", "/usr/local/bin/mame")
INI_FILES = ("/etc/mame/mame.ini", "/usr/local/etc/mame/mame.ini", "~/.mame/mame.ini")
HASH_FOLDERS = (
    "/usr/share/games/mame/hash",
    "/usr/share/mame/hash",
    "/usr/lib/mame/hash",
    "/usr/local/share/mame/hash",
    "/usr/local/share/games/mame/hash",
    "/opt/homebrew/share/mame/hash",
    "/snap/mame/current/usr/share/games/mame/hash",
    "~/.mame/hash",
)
"""Where distributions put MAME's software lists."""


def mame_program() -> str | None:
    """MAME's program, by TI99_MAME, the config file, PATH, or a usual place; None: not found."""
    usual = (path for path in PROGRAMS if Path(path).is_file())
    return setting("mame") or shutil.which("mame") or next(usual, None)


def hash_folder(program: str | None) -> Path | None:
    """The folder with MAME's software lists; None: not found.

    It looks at TI99_HASH, `hash` in the config file, the paths in mame.ini, beside the program, and
    where distributions put them, in this order.
    """
    return next((folder for folder in _folders(program) if (folder / LIST).is_file()), None)


def _folders(program: str | None) -> Iterator[Path]:
    named = setting("hash")
    if named:
        yield Path(named)
    for ini in INI_FILES:
        yield from _in_ini(Path(ini).expanduser())
    if program:
        home = Path(program).resolve().parent
        yield from (home / "hash", home.parent / "share" / "mame" / "hash")
    yield from (Path(folder).expanduser() for folder in HASH_FOLDERS)


def _in_ini(path: Path) -> Iterator[Path]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        words = line.split(maxsplit=1)
        if len(words) == 2 and words[0] == "hashpath":
            for folder in words[1].strip().strip('"').split(";"):
                yield Path(folder.strip().replace("$HOME", "~")).expanduser()


CARTRIDGE = "program.rpk"
"""A cartridge in the folder of a run."""
ENDS = ("DONE", "FAIL")
"""The beginning of the line that reports the end of a run."""
AFTERWARDS = 60
"""Seconds of machine time that MAME may run on after the limit of a job."""


class Mame(Emulator):
    """MAME as a `Host`."""

    name, title = "mame", "MAME"
    install = "MAME is not installed (Debian: apt-get install mame)"
    unstarted = "name the program: TI99_MAME, or mame in the config file"
    slowest, margin = 2.0, 300
    tries = 5

    def __init__(self, program: str | None = None, rom_folder: Path | None = None) -> None:
        super().__init__(program or mame_program(), rom_folder)

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        lists = [missing for _, _, missing in self.parts() if missing][-1:]
        return super().missing() or "".join(lists)

    def parts(self) -> Iterator[tuple[str, str, str]]:
        """Its program and its list of cartridges."""
        yield from super().parts()
        lists = hash_folder(self.program)
        missing = f"MAME's {LIST} is not found (name its folder: TI99_HASH, or hash in the config)"
        yield f"the list {LIST}", str(lists or ""), "" if lists else missing

    def prepare(self, folder: Path, job: Job) -> Mapping[str, str]:
        """Write the ROMs as MAME requires them, and a cartridge."""
        self.dumps().lay_out(folder / "roms")
        if job.cartridge is not None:
            from ti99tools.compiler.cartridge import rpk

            (folder / CARTRIDGE).write_bytes(rpk(job.cartridge))
        return {}

    def drive(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        """Run MAME on a job; `folder` holds `roms`. Returns the lines of the Lua driver.

        Raises HostError when MAME does not start, or does not end in time.
        """
        command, wall = self.command(folder, job, setting), self.wall(job.max_seconds)
        disk = Path((setting.files or {}).get("disk1", os.devnull))
        content = disk.read_bytes()
        lines: list[str] = []
        problem = ""
        for _ in range(self.tries):
            environment = self.environment(folder)
            done = run_program(self.name, command, folder, wall, self.unstarted, environment)
            lines = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
            if any(line.startswith(ENDS) for line in lines):
                return lines
            disk.write_bytes(content)
            problem = explain(done.returncode, done.stderr)
            if done.returncode in (2, 3, 4, 5, 6):
                break
        if lines:
            return lines
        raise HostError(f"mame: {problem}", remedy=Remedy.CHECK_HOST.of(host=self.name))

    def command(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        """The command line of MAME; writes the driver."""
        (folder / "drive.lua").write_text(driver_text(), encoding="utf-8")
        (folder / "ui.ini").write_text("skip_warnings 1\n")
        return [str(self.program), "ti99_4a", *self._options(folder, job), *_media(setting, job)]

    def environment(self, _folder: Path) -> Mapping[str, str]:
        """Settings for no window and no sound, and against the crash of Debian's MAME."""
        return {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "MALLOC_PERTURB_": "170"}

    def store(self, path: Path, disk: bytes, protected: bool) -> Path:
        """Write a disk. MAME write-protects images in a ZIP archive, whatever the user's rights."""
        if not protected:
            return super().store(path, disk, protected)
        packed = path.with_suffix(".zip")
        with ZipFile(packed, "w") as archive:
            archive.writestr(path.name, disk)
        return packed

    def _options(self, folder: Path, job: Job) -> Iterator[str]:
        lists = hash_folder(self.program)
        if lists is not None:
            yield from ("-hashpath", str(lists))
        if job.expansion:
            yield from ("-ioport", "peb", "-ioport:peb:slot2", "32kmem")
        else:
            yield from ("-ioport", "peb")
        yield from (
            "-rompath", str(folder / "roms"),
            "-cfg_directory", str(folder / "cfg"), "-nvram_directory", str(folder / "nvram"),
            "-inipath", str(folder), "-video", "none", "-sound", "none", "-nothrottle",
            "-skip_gameinfo",
            "-ioport:peb:slot8", "tifdc", "-ioport:peb:slot8:tifdc:0", "525dd",
            "-seconds_to_run", str(int(job.max_seconds) + AFTERWARDS),
            "-autoboot_script", str(folder / "drive.lua"), "-autoboot_delay", "0",
        )  # fmt: skip


def driver_text() -> str:
    """The Lua source of the driver inside MAME."""
    return files("ti99tools.games.hosts.mame").joinpath("drive.lua").read_text(encoding="utf-8")


def _media(setting: Setting, job: Job) -> Iterator[str]:
    """The options for cartridge and disk, if a program is to start from them."""
    if setting.boots:
        yield from ("-cart", "exbasic" if job.cartridge is None else CARTRIDGE)
    disk = (setting.files or {}).get("disk1")
    if disk is not None:
        yield from ("-flop1", disk)


def explain(code: int, errors: str) -> str:
    """What MAME's exit code and its messages mean."""
    fatal = [line for line in errors.splitlines() if "NOT FOUND" in line or "Fatal error" in line]
    meaning = {
        2: "a ROM is missing",
        3: "a slot is unknown",
        4: "an image cannot be used",
        5: "the driver ti99_4a is unknown",
        6: "an option is unknown",
        139: "it crashed at start-up",
        -11: "it crashed at start-up",
    }.get(code, f"it ended with code {code}")
    return f"{meaning} ({'; '.join(fatal[:3])})" if fatal else meaning


def host() -> Mame:
    """The host as the environment and the config file set it up."""
    return Mame()
