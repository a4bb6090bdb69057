"""ti99sim as a host: an emulator that runs some 300 times as fast as the machine.

The core of ti99sim (C++, github.com/smarkusg/ti99sim; its files say GPL 2 or later, doc/COPYING is
the LGPL 2) stays where the user has put it. The driver is compiled for this computer, and is never
distributed.

A cartridge file (.ctg) can also hold the console or a card. It has a banner of 80 bytes, a version,
a CRU address (0: none), and its regions of memory: number, banks, and each bank's kind and content.
Regions 0–15 are 4 KB of the processor's memory each, 16–23 are 8 KB of GROM each. Content may be
packed; here it never is. Source: the files that ti99sim's own `convert-ctg` writes, and its README.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path

from ti99tools.base.errors import HostError, Remedy
from ti99tools.games.hosts import roms
from ti99tools.games.hosts.driver import JOB, Setting
from ti99tools.games.hosts.emulator import Emulator, run_program
from ti99tools.games.hosts.host import Job
from ti99tools.games.hosts.roms import cache_folder, setting

CONSOLE, CONTROLLER, BASIC = "console.ctg", "ti-disk.ctg", "exbasic.ctg"
PROGRAM = "program.ctg"
BANNER, BANNER_SIZE = "TI-99/4A Module - ", 80
VERSION = 0x20
RAM, ROM = 1, 2
"""Kinds of banks."""
UNPACKED = 0x8000
"""Set in the length of unpacked content."""
BANK, GROM = 0x1000, 0x2000
FIRST_GROM = 16
EXPANSION = (0x2, 0x3, *range(0xA, 0x10))
"""Regions of the 32 KB memory expansion."""
CARD, CARD_CRU = 4, 0x1100
"""The region of the disk controller's ROM, and its CRU address."""
CARTRIDGE, CARTRIDGE_GROM = 6, FIRST_GROM + 3

Bank = bytes | None
"""Content of a bank of ROM; None for RAM."""


def cartridge(title: str, regions: Mapping[int, Sequence[Bank]], cru: int = 0) -> bytes:
    """A cartridge file with these regions; each may have 1, 2, 4 … banks."""
    head = f"{BANNER}{title}\n\x1a".encode("ascii").ljust(BANNER_SIZE, b"\0")
    parts = [head, struct.pack(">BH", VERSION, cru)]
    for number, banks in sorted(regions.items()):
        parts.append(bytes((number, len(banks).bit_length())))
        size = GROM if number >= FIRST_GROM else BANK
        for content in banks:
            parts.append(bytes((RAM if content is None else ROM,)))
            if content is not None:
                parts.append(struct.pack(">H", UNPACKED | size) + content.ljust(size, b"\0"))
    return b"".join(parts)


def grom(content: bytes) -> bytes:
    """A GROM's 6 KB as the visible 8 KB: the last 2 KB are two other parts ORed together."""
    tail = bytes(a | b for a, b in zip(content[0x800:0x1000], content[0x1000:0x1800], strict=True))
    return content[: roms.GROM] + tail


def console(rom: bytes, groms: Sequence[bytes], expansion: bool = True) -> bytes:
    """The console of 8 KB ROM and three GROMs, with the 32K or without."""
    regions: dict[int, Sequence[Bank]] = {0: [rom[:BANK]], 1: [rom[BANK:]]}
    regions |= {FIRST_GROM + n: [grom(content)] for n, content in enumerate(groms)}
    if expansion:
        regions |= {n: [None] for n in EXPANSION}
    return cartridge("TI-99/4A Console", regions)


def controller(rom: bytes) -> bytes:
    """The disk controller with its ROM of 8 KB."""
    regions = {CARD: [rom[:BANK]], CARD + 1: [rom[BANK:]]}
    return cartridge("Disk Memory System", regions, CARD_CRU)


def extended_basic(common: bytes, uppers: bytes, groms: Sequence[bytes]) -> bytes:
    """Extended BASIC: both banks share the lower half; the two upper halves; four GROMs."""
    regions = {CARTRIDGE: [common, common], CARTRIDGE + 1: [uppers[:BANK], uppers[BANK:]]}
    regions |= {CARTRIDGE_GROM + n: [grom(content)] for n, content in enumerate(groms)}
    return cartridge("TI Extended Basic", regions)


def banked(data: bytes) -> bytes:
    """A cartridge of ROM alone in banks of 8 KB, whose number is a power of two."""
    halves = [data[at : at + BANK] for at in range(0, len(data), BANK)]
    return cartridge("Program", {CARTRIDGE: halves[::2], CARTRIDGE + 1: halves[1::2]})


def lay_out(
    pieces: Mapping[str, bytes], folder: Path, expansion: bool, program: bytes | None = None
) -> dict[str, str]:
    """Write the files for a run from MAME's pieces; returns kind → path.

    `program` is a cartridge in place of Extended BASIC.
    """
    high, low = (pieces[f"ti99_4a/994a_rom_{part}"] for part in ("hb.u610", "lb.u611"))
    rom = bytes(byte for pair in zip(high, low, strict=True) for byte in pair)
    groms = [pieces[f"ti99_4a/994a_grom{n}.u50{n}"] for n in range(3)]
    dsr = pieces["ti99_fdc/fdc_dsr.u26"] + pieces["ti99_fdc/fdc_dsr.u27"]
    basic = [pieces[f"ti99_cart/exbasic/phm3026g{n}.bin"] for n in range(3, 7)]
    contents = {
        "console": (CONSOLE, console(rom, groms, expansion)),
        "controller": (CONTROLLER, controller(dsr)),
        "cartridge": (BASIC, extended_basic(pieces[roms.XB_C], pieces[roms.XB_D], basic)),
    }
    if program is not None:
        contents["cartridge"] = (PROGRAM, banked(program))
    paths = {}
    for what, (name, content) in contents.items():
        path = folder / name
        path.write_bytes(content)
        paths[what] = str(path)
    return paths


NAME = "ti99sim-driver"
DRIVER = ("driver.cpp", "beginning.hpp", "keyboard.hpp", "orders.hpp", "question.hpp")
FLAGS = ("-std=c++17", "-O2", "-w", "-include", "cstring", "-funsigned-char")
"""One of its headers does not include `cstring`; its warnings are not ours to fix."""
LIBRARY = "-lcrypto"
COMPILERS = ("c++", "g++", "clang++")
CORE, HEADERS = Path("src", "core"), Path("include")
NEEDED = HEADERS / "ti994a.hpp"


def built_driver() -> str | None:
    """The driver: TI99_TI99SIM, the config file, or the one that `build` made; None without one."""
    path = cache_folder() / NAME
    return setting("ti99sim") or (str(path) if path.is_file() else None)


def build(source: Path, tick: Callable[[str], object] = id) -> Path:
    """Compile the driver with the core in a folder of ti99sim's sources.

    `tick` is called with each file. Raises HostError when something is missing or does not compile.
    """
    if not (source / NEEDED).is_file():
        raise HostError(
            f"{source}: not the sources of ti99sim ({NEEDED} is not there)",
            remedy="git clone https://github.com/smarkusg/ti99sim, and name that folder",
        )
    compiler = os.environ.get("CXX") or next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        raise HostError("no C++ compiler", remedy="install one (Debian: apt-get install g++)")
    if not shutil.which(compiler):
        raise HostError(f"{compiler}: no such compiler", remedy="change CXX, or leave it out")
    target = cache_folder() / NAME
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ti99tools-") as name:
        folder = Path(name)
        for part in DRIVER:
            own = files("ti99tools.games.hosts.ti99sim").joinpath(part)
            (folder / part).write_bytes(own.read_bytes())
        sources = [folder / DRIVER[0], *sorted((source / CORE).glob("*.cpp"))]
        command = [compiler, *FLAGS, f"-I{source / HEADERS}"]

        def compiled(path: Path) -> str:
            target = folder / f"{path.stem}.o"
            tick(path.name)
            _run_compiler([*command, "-c", str(path), "-o", str(target)])
            return str(target)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compiled, sources))
        _run_compiler([compiler, "-o", str(folder / NAME), *objects, LIBRARY])
        fresh = target.with_suffix(".new")
        shutil.copy2(folder / NAME, fresh)
        fresh.replace(target)  # a running driver keeps the old file
    return target


def _run_compiler(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode == 0:
        return
    lines = done.stderr.strip().splitlines()
    problem = next(
        (line for line in lines if "error" in line), lines[-1] if lines else "no message"
    )
    missing = "openssl" in done.stderr or "lcrypto" in done.stderr
    remedy = "install OpenSSL's headers (Debian: apt-get install libssl-dev)" if missing else ""
    raise HostError(f"the driver does not compile: {problem}", remedy=remedy)


class Ti99sim(Emulator):
    """ti99sim as a `Host`."""

    name, title = "ti99sim", "ti99sim"
    install = unstarted = Remedy.BUILD_DRIVER.of()
    slowest, margin = 10.0, 60

    def __init__(self, program: str | None = None, rom_folder: Path | None = None) -> None:
        super().__init__(program or built_driver(), rom_folder)

    def prepare(self, folder: Path, job: Job) -> Mapping[str, str]:
        """Write the ROMs as ti99sim requires them."""
        return lay_out(self.dumps().pieces, folder, job.expansion, job.cartridge)

    def drive(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        """Run the driver on a job. Returns its lines.

        Raises HostError when it does not start, says nothing, or does not end in time.
        """
        wall, command = self.wall(job.max_seconds), self.command(folder, job, setting)
        home = self.environment(folder)
        done = run_program("ti99sim", command, folder, wall, self.unstarted, home)
        lines = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
        if not lines:
            last = done.stderr.strip().splitlines()[-1:] or [
                f"it ended with code {done.returncode}"
            ]
            problem = f"ti99sim: {last[0]}"
            raise HostError(problem, remedy=Remedy.CHECK_HOST.of(host=self.name))
        return lines

    def command(self, folder: Path, _job: Job, _setting: Setting) -> list[str]:
        """The driver, and its job."""
        return [str(self.program), str(folder / JOB)]

    def environment(self, folder: Path) -> Mapping[str, str]:
        """A home folder that hides the user's files from the driver."""
        return {"HOME": str(folder)}


def host() -> Ti99sim:
    """The host as the environment and the config file set it up."""
    return Ti99sim()
