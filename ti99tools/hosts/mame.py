"""MAME as a host: the same disks on an emulator of the whole machine, with the user's ROMs.

Needs MAME (0.251 or later, Debian's package `mame`) and the user's own ROM dumps (`roms.py`).
Without them the host says what is missing and runs nothing.

Debian's MAME 0.251 crashes at start-up in most runs unless MALLOC_PERTURB_ is set, and crashes
after a normal end; so a run is judged by what the Lua side printed, and tried again when it said
nothing at all.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path
from string import ascii_letters, digits

from ti99tools.base.errors import HostError
from ti99tools.disk.image import DiskImage
from ti99tools.hosts import roms
from ti99tools.hosts.config import setting
from ti99tools.hosts.disklog import with_files
from ti99tools.hosts.host import Job, Played
from ti99tools.trace.keyscript import (
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Type,
    Until,
    Wait,
)

FRAMES_A_SECOND = 60
XB_OFFSET = 0x60
"""Extended BASIC stores characters in video memory with this added."""
TRIES = 5
AFTER_READY = 30
PATIENCE = 120 * FRAMES_A_SECOND
"""Frames that an `until` waits; XB on the real machine is slow, but not that slow."""
TO_TITLE, TO_MENU = 90, 60
"""Frames from power-on to the title screen, and from the first key to the menu."""
WALL_SECONDS = 1800

CAPS: dict[str, tuple[str, str]] = {
    "=": (":COL0", "= + QUIT"), " ": (":COL0", "Space"), "\n": (":COL0", "Enter"),
    "FCTN": (":COL0", "FCTN"), "SHIFT": (":COL0", "Shift"), "CTRL": (":COL0", "CTRL"),
    ".": (":COL1", ".  >"), "2": (":COL1", "2  @  F2"), "9": (":COL1", "9 ( BACK"),
    "L": (":COL1", "l  L"), "O": (":COL1", "o  O  '"), "S": (":COL1", "s  S  Cursor Left"),
    "W": (":COL1", "w  W  ~"), "X": (":COL1", "x  X  Cursor Down"),
    ",": (":COL2", ",  <"), "3": (":COL2", "3 # ERASE"), "8": (":COL2", "8 * REDO"),
    "C": (":COL2", "c  C  `"), "D": (":COL2", "d  D  Cursor Right"),
    "E": (":COL2", "e  E  Cursor Up"), "I": (":COL2", "i  I  ?"), "K": (":COL2", "k  K"),
    "4": (":COL3", "4 $ CLEAR"), "7": (":COL3", "7 & AID"), "F": (":COL3", "f  F  {"),
    "J": (":COL3", "j  J"), "M": (":COL3", "m  M"), "R": (":COL3", "r  R  ["),
    "U": (":COL3", "u  U  _"), "V": (":COL3", "v  V"), "5": (":COL4", "5 % BEGIN"),
    "6": (":COL4", "6 ^ PROC'D"), "B": (":COL4", "b  B"), "G": (":COL4", "g  G  }"),
    "H": (":COL4", "h  H"), "N": (":COL4", "n  N"), "T": (":COL4", "t  T  ]"),
    "Y": (":COL4", "y  Y"), "/": (":COL5", "/  -"), "0": (":COL5", "0  )  F10"),
    "1": (":COL5", "1  !  Delete"), ";": (":COL5", ";  :"), "A": (":COL5", "a  A  |"),
    "P": (":COL5", 'p  P  "'), "Q": (":COL5", "q  Q"), "Z": (":COL5", "z  Z  \\"),
}  # fmt: skip
"""Key cap → port and field of MAME's driver ti99_4a."""

SHIFTED = dict(zip("!@#$%^&*()-+:<>", "1234567890/=;,.", strict=True))
WITH_FCTN = dict(zip("\"'?_~[]{}|\\`", "POIUWRTFGAZC", strict=True))
NAMED = {
    "AID": "7", "CLEAR": "4", "DEL": "1", "INS": "2", "REDO": "8", "ERASE": "3", "LEFT": "S",
    "RIGHT": "D", "DOWN": "X", "UP": "E", "PROCEED": "6", "BEGIN": "5", "BACK": "9",
}  # fmt: skip
"""Function keys → the cap pressed with FCTN."""

_PLAIN = frozenset(ascii_letters + digits + " ")


class Mame:
    """See `Host`."""

    name = "mame"

    def __init__(self, program: str | None = None, rom_folder: Path | None = None) -> None:
        self.program = program or setting("mame") or shutil.which("mame") or _debian_mame()
        folder = rom_folder or setting("roms")
        self.rom_folder = Path(folder) if folder else None

    def missing(self) -> str:
        """Why it cannot run here; empty when it can."""
        if not self.program:
            return "MAME is not installed (Debian: apt-get install mame)"
        if self.rom_folder is None:
            return "no folder of ROM dumps is named (--roms DIR, TI99_ROMS, or the config file)"
        if not self.rom_folder.is_dir():
            return f"{self.rom_folder}: no such folder of ROM dumps"
        absent = roms.search(self.rom_folder).missing
        return f"{self.rom_folder}: no {', '.join(absent)}" if absent else ""

    def play(self, job: Job) -> Played:
        """Boot the disk in a fresh MAME, follow the steps, read the disk back."""
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
            return _played(said, disk.read_bytes(), job.log)

    def drive(
        self,
        folder: Path,
        steps: Iterable[Step],
        job: Job,
        media: tuple[str, ...] = (),
        offset: int = XB_OFFSET,
    ) -> list[str]:
        """Run MAME over a script; `folder` holds `roms`. Returns the lines of the Lua side."""
        driver = files("ti99tools.hosts").joinpath("drive.lua").read_text(encoding="utf-8")
        lines = ",\n".join(f"  {step}" for step in lua_steps(steps, job.pace))
        script = folder / "drive.lua"
        script.write_text(
            f"local offset = {offset}\nlocal steps = {{\n{lines}\n}}\n{driver}", encoding="utf-8"
        )
        (folder / "ui.ini").write_text("skip_warnings 1\n")
        command = [
            str(self.program), "ti99_4a", "-rompath", str(folder / "roms"),
            "-cfg_directory", str(folder / "cfg"), "-nvram_directory", str(folder / "nvram"),
            "-inipath", str(folder), "-video", "none", "-sound", "none", "-nothrottle",
            "-skip_gameinfo", "-ioport", "peb", "-ioport:peb:slot2", "32kmem",
            "-ioport:peb:slot8", "tifdc", "-ioport:peb:slot8:tifdc:0", "525dd", *media,
            "-seconds_to_run", str(int(job.max_seconds)),
            "-autoboot_script", str(script), "-autoboot_delay", "0",
        ]  # fmt: skip
        environment = {
            **os.environ,
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "MALLOC_PERTURB_": "170",
        }
        problem = ""
        for _ in range(TRIES):
            try:
                done = subprocess.run(
                    command,
                    env=environment,
                    cwd=folder,
                    capture_output=True,
                    encoding="utf-8",
                    errors="replace",
                    timeout=WALL_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired as error:
                raise HostError(f"mame: no end after {WALL_SECONDS} seconds") from error
            said = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
            if said:
                return said
            problem = explain(done.returncode, done.stderr)
            if done.returncode in (2, 3, 4, 5, 6):
                break
        raise HostError(f"mame: {problem}", remedy="`ti99tools hosts` tells what it needs")


def host() -> Mame:
    """The host as the environment and the config file set it up."""
    return Mame()


def boot_steps() -> list[Step]:
    """From power-on to Extended BASIC, which then looks for DSK1.LOAD."""
    return [Wait(TO_TITLE), Press("SPACE"), Wait(TO_MENU), Press("2")]


def lua_steps(steps: Iterable[Step], pace: int) -> Iterator[str]:
    """The steps as entries of a Lua table; `pace` frames pass after each typed key."""
    for step in steps:
        match step:
            case Until(None):
                yield _entry("until", text="* READY *", max=PATIENCE, after=AFTER_READY)
            case Until(text):
                yield _entry("until", text=text or "", max=PATIENCE, after=0)
            case Type(text):
                for character in text:
                    yield _key(character, 4, max(4, pace))
            case Press(key, hold, gap):
                yield _key(key, hold, max(gap, pace))
            case Hold() | Release():
                raise HostError(
                    "mame: a script that holds several keys", remedy="use --host virtual"
                )
            case Joystick():
                raise HostError("mame: a script with a joystick", remedy="use --host virtual")
            case Wait(frames):
                yield _entry("wait", frames=frames)
            case Rest(frames):
                yield _entry("rest", frames=frames, max=PATIENCE)
            case Snap(name):
                yield _entry("snap", name=name)


def _key(key: str, hold: int, gap: int) -> str:
    keys = ", ".join(f"{{{_lua(port)}, {_lua(field)}}}" for port, field in fields_of(key))
    return f'{{action = "key", keys = {{{keys}}}, hold = {hold}, gap = {gap}}}'


def fields_of(key: str) -> list[tuple[str, str]]:
    """The fields to press for a character or a named key, modifier first."""
    if key in NAMED:
        return [CAPS["FCTN"], CAPS[NAMED[key]]]
    key = {"ENTER": "\n", "SPACE": " "}.get(key, key)
    if key in SHIFTED:
        return [CAPS["SHIFT"], CAPS[SHIFTED[key]]]
    if key in WITH_FCTN:
        return [CAPS["FCTN"], CAPS[WITH_FCTN[key]]]
    if key.isalpha() and key.isupper():
        return [CAPS["SHIFT"], CAPS[key]]
    if key.upper() in CAPS:
        return [CAPS[key.upper()]]
    raise HostError(f"mame: no key {key!r} on the keyboard")


def _entry(action: str, **values: str | int) -> str:
    parts = [f'action = "{action}"', *(f"{name} = {_lua(v)}" for name, v in values.items())]
    return "{" + ", ".join(parts) + "}"


def _lua(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    # Lua knows bytes; those that are no plain letters are written with three decimal digits.
    plain = "".join(chr(b) if chr(b) in _PLAIN else f"\\{b:03}" for b in value.encode("utf-8"))
    return f'"{plain}"'


def explain(code: int, errors: str) -> str:
    """What MAME's exit code and its messages mean."""
    fatal = [line for line in errors.splitlines() if "NOT FOUND" in line or "Fatal error" in line]
    meaning = {
        2: "a ROM is missing", 3: "a slot is unknown", 4: "an image cannot be used",
        5: "the driver ti99_4a is unknown", 6: "an option is unknown",
        139: "it crashed at start-up", -11: "it crashed at start-up",
    }.get(code, f"it ended with code {code}")  # fmt: skip
    return f"{meaning} ({'; '.join(fatal[:3])})" if fatal else meaning


def _played(said: list[str], disk: bytes, log: str) -> Played:
    screens: dict[str, tuple[str, ...]] = {}
    seconds, problem = 0.0, "MAME ended before the script did"
    for line in said:
        word, _, rest = line.partition(" ")
        if word == "SNAP":
            name, _, codes = rest.rpartition(" ")
            screens[name] = rows_of(codes)
        elif word == "FAIL":
            problem = f"never on the screen: {rest}"
        elif word == "DONE":
            seconds = float(rest)
            problem = problem if problem.startswith("never") else ""
    return Played(_records(disk, log), screens, seconds, problem)


def rows_of(codes: str) -> tuple[str, ...]:
    """24 rows of 32 characters from 768 codes in hexadecimal."""
    text = bytes.fromhex(codes).decode("latin-1")
    return tuple(text[at : at + 32] for at in range(0, 768, 32))


def _records(disk: bytes, name: str) -> tuple[bytes, ...] | None:
    image = DiskImage.from_bytes(disk)
    return image.read(name).records if name in image else None


def _debian_mame() -> str | None:
    path = Path("/usr/games/mame")
    return str(path) if path.is_file() else None
