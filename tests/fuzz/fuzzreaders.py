"""Fuzz areas: one for each kind of file that commands read, mutated, given to such a command.

Each attempt has a folder of its own, with files of the user beside and above the place that the
command was told. Exit codes are 0, 1 or 2, a refusal is a line that begins with `error:`, nothing
outside the asked place changes, and no temporary file is left. Processor time and memory have
limits. `python -m tests.fuzz.long_run --area read-cartridges` makes many attempts of one kind.
"""

from __future__ import annotations

import io
import json
import os
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import cast

from click.testing import CliRunner

from tests.fuzz import fuzzinputs as inputs
from tests.fuzz.fuzzcore import Area, Attempt, Fault
from tests.fuzz.fuzzinputs import Make
from tests.fuzz.fuzzscripts import SCENARIO, SCRIPT
from ti99tools.base.errors import ScriptError, TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.web.bridge import Bridge
from ti99tools.fronts.wire import read
from ti99tools.games.verify.journal import Journal
from ti99tools.games.verify.scenario import from_script

MEMORY = 160 << 10
"""Kilobytes by which one attempt may raise the peak of this process."""
Word = object
Words = list[Word]
Give = Callable[[Path, Random], Words]


def _one_of(*commands: Callable[[Path], Words]) -> Give:
    return lambda path, rng: rng.choice(commands)(path)


def _out(path: Path, name: str) -> Path:
    return path.parent / "out" / name


_SHORT = ("--max-seconds", "0.3")
_LONG = ("--max-seconds", "1.5")
"""Choosing a cartridge in the menu takes a second."""


def _to_disk(path: Path, rng: Random) -> Words:
    image = path.parent / "out" / "new.dsk"
    return ["disk", "new", image, path] if rng.random() < 0.7 else ["list", path]


def _with_script(path: Path, rng: Random) -> Words:
    target = path.parent / "t.bas"
    target.write_text("100 INPUT A$\n110 GOTO 100\n")
    return ["run", target, "--script", path, *_SHORT]


def _with_log(path: Path, rng: Random) -> Words:
    return ["verify", "--log", path]


def _in_game(path: Path, rng: Random) -> Words:
    (path.parent / "game.xb").write_text("PRINT 1\n")
    if rng.random() < 0.8:
        return ["lint", path.parent]
    return ["build", path.parent, "--out", path.parent / "out"]


def _in_project(path: Path, rng: Random) -> Words:
    (path.parent / "t.bas").write_text("100 END\n")
    return ["run", path.parent / "t.bas"] if rng.random() < 0.3 else ["lint", path.parent / "t.bas"]


def _with_picture(path: Path, rng: Random) -> Words:
    source = path.parent / "t.xb"
    source.write_text('#art 128 "picture.png"\n')
    return ["lint", source]


IMAGES = _one_of(
    lambda path: ["disk", "ls", path],
    lambda path: ["disk", "check", path],
    lambda path: ["disk", "get", path, "--all", path.parent / "out" / "all"],
    lambda path: ["disk", "convert", path, _out(path, "o.hfe"), "--force"],
    lambda path: ["disk", "repair", path, "-o", _out(path, "o.dsk")],
)
PROGRAMS = _one_of(
    lambda path: ["list", path],
    lambda path: ["lint", path],
    lambda path: ["tokenize", path, "-o", _out(path, "o")],
    lambda path: ["run", path, *_SHORT],
    lambda path: ["profile", path, *_SHORT],
    lambda path: ["compile", path, "-o", _out(path, "o.bin")],
)
TEXTS = _one_of(
    lambda path: ["lint", path],
    lambda path: ["lint", path, "--fix"],
    lambda path: ["generate", path],
    lambda path: ["tokenize", path, "-o", _out(path, "o")],
    lambda path: ["compile", path, "-o", _out(path, "o.bin")],
    lambda path: ["run", path, *_SHORT],
)


def _unpack(data: bytes, folder: Path) -> str:
    answer, _ = Bridge(folder / "out").call("unpack", '{"name": "x.zip"}', data)
    return "refused" if "error" in json.loads(answer) else "read"


def _converse(data: bytes, folder: Path) -> str:
    stream = io.BytesIO(data)
    try:
        for _ in range(9):
            if read(stream) is None:
                return "read"
    except ScriptError as error:
        assert error.problem
    return "refused"


def _resume(data: bytes, folder: Path) -> str:
    path = folder / "out" / "run"
    path.write_bytes(data)
    try:
        Journal(path, "d", "virtual").close()
    except TIError:
        return "refused"
    return "read"


def _replay(data: bytes, folder: Path) -> str:
    try:
        from_script(data.decode("utf-8", "replace"), "x.keys")
    except TIError:
        return "refused"
    return "read"


Direct = Callable[[bytes, Path], str]
KINDS: dict[str, tuple[str, Make, Give | Direct]] = {
    "sources": ("t.xb", inputs.as_text(inputs.source), TEXTS),
    "listings": ("t.bas", inputs.as_text(inputs.listing), TEXTS),
    "program-files": ("PROG", inputs.as_bytes(inputs.program, 140), PROGRAMS),
    "merge-files": ("MERGED", inputs.tokens, PROGRAMS),
    "containers": ("T.tfi", inputs.as_bytes(inputs.container, 140), _to_disk),
    "sector-images": ("i.dsk", inputs.image("sectors", 5632), IMAGES),
    "hfe-images": ("i.hfe", inputs.image("hfe-fm", 1200), IMAGES),
    "pc99-images": ("i.pc99", inputs.image("pc99", 30_000), IMAGES),
    "cf7-images": ("i.img", inputs.image("cf7", 11_264), IMAGES),
    "tapes": (
        "t.wav",
        inputs.as_bytes(lambda rng: inputs.tape(), 200),
        _one_of(
            lambda path: ["tape", "list", path],
            lambda path: ["tape", "read", path, "-o", _out(path, "o.bas")],
        ),
    ),
    "cartridges": ("c.bin", inputs.as_bytes(lambda rng: inputs.cartridge(), 200), _one_of(
        lambda path: ["run", path, *_SHORT],
        lambda path: ["profile", path, *_SHORT],
        lambda path: ["debug", path, *_LONG],
    )),
    "packed-cartridges": ("c.rpk", inputs.rpk, _one_of(
        lambda path: ["run", path, *_SHORT],
        lambda path: ["lint", path],
    )),
    "rom-archives": ("r.zip", inputs.roms, _one_of(
        lambda path: ["hosts", "--roms", path.parent, "--prepare", _out(path, "roms")],
    )),
    "cases": ("pow.jsonl", inputs.as_text(inputs.case), _one_of(
        lambda path: ["conformance", "--jobs", "1", path],
    )),
    "packed-cases": ("pow.jsonl.xz", inputs.packed_case, _one_of(
        lambda path: ["conformance", "--jobs", "1", path],
    )),
    "scripts": ("k.keys", inputs.as_text(lambda rng: SCRIPT), _with_script),
    "logs": ("LOG", inputs.log_file, _with_log),
    "manifests": ("game.toml", inputs.as_text(lambda rng: inputs.MANIFEST), _in_game),
    "defaults": ("ti99tools.toml", inputs.as_text(inputs.defaults), _in_project),
    "assemblies": ("t.a99", inputs.as_text(inputs.assembly), _one_of(
        lambda path: ["assemble", path, "-o", _out(path, "o.obj")],
        lambda path: ["assemble", path, "-o", _out(path, "o"), "--listing", _out(path, "o.lst")],
    )),
    "pictures": ("picture.png", inputs.as_bytes(inputs.picture), _with_picture),
    "project-archives": ("p.zip", inputs.project, _unpack),
    "messages": ("m", inputs.message, _converse),
    "journals": ("j", inputs.as_text(inputs.journal), _resume),
    "replays": ("x.keys", inputs.as_text(lambda rng: SCENARIO), _replay),
}  # fmt: skip
"""Kind of file → its name, what makes one, and what reads it: a command line, or a function."""
_DIRECT = (_unpack, _converse, _resume, _replay)


def area_of(kind: str) -> Area:
    """The fuzz area of a kind of file."""
    return lambda one: _attempt(one, *KINDS[kind])


def _attempt(one: Attempt, name: str, make: Make, reader: Give | Direct) -> str:
    one.input = data = make(one.rng)
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, "home", "work")
        (folder / "out").mkdir(parents=True)
        for place in (folder / "mine.txt", folder.parent / ".bashrc", folder.parent.parent / "x"):
            place.write_text("mine")
        path = folder / name
        path.write_bytes(data)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if reader in _DIRECT:
            known = _seen(Path(top))
            outcome = cast(Direct, reader)(data, folder)
            words: Words = [name]
        else:
            words = cast(Give, reader)(path, one.rng)
            known = _seen(Path(top))
            outcome = _invoke(words, folder)
        _compare(known, _seen(Path(top)), path if "--fix" in words else None, words)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        if grown > MEMORY:
            raise Fault(f"{words}: {grown >> 10} MB more memory")
    return outcome


_SAID = ("error: ", "Error: ", "Usage: ")
_JUDGED = ("foreign", "truncated")
"""Verdicts on a play log, with which `verify` ends with 2 too."""


def _invoke(words: Words, folder: Path) -> str:
    """Run a command in a folder, as a user whose home is above it."""
    home = str(folder.parent)
    env: dict[str, str | None] = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/.config"}
    env |= {"XDG_CACHE_HOME": f"{home}/.cache", "TI99TOOLS_CONFIG": None, "TI99TOOLS_CACHE": ""}
    there = Path.cwd()
    os.chdir(folder)
    try:
        texts = [str(word) for word in words]
        result = CliRunner().invoke(cli, texts, input="step\nc\n", env=env)
    finally:
        os.chdir(there)
    error = result.exception
    if error is not None and not isinstance(error, SystemExit):
        raise error
    output = result.output
    if result.exit_code not in (0, 1, 2) or "Traceback" in output:
        raise Fault(f"{words}: exit code {result.exit_code}\n{output[-2000:]}")
    if "broken: " in output:
        raise Fault(f"{words}: a traceback in the answer\n{output[-2000:]}")
    if result.exit_code == 2 and not any(
        line.startswith(_SAID) or any(word in line for word in _JUDGED)
        for line in output.splitlines()
    ):
        raise Fault(f"{words}: refused without a word\n{output[-2000:]}")
    return ("done", "failed", "refused")[result.exit_code]


def _seen(top: Path) -> dict[str, tuple[int, int]]:
    """The files below a folder, with size and time of the last change."""
    found = {}
    for folder, _, names in os.walk(top):
        for name in names:
            status = os.stat(os.path.join(folder, name))
            found[os.path.relpath(os.path.join(folder, name), top)] = (
                status.st_size,
                status.st_mtime_ns,
            )
    return found


def _compare(
    before: dict[str, tuple[int, int]],
    after: dict[str, tuple[int, int]],
    may_change: Path | None,
    words: Words,
) -> None:
    """Raise Fault for files that were changed outside the asked place, or left half written."""
    own = os.path.join("home", "work", "out") + os.sep
    changed = {
        name
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name) and not name.startswith(own)
    }
    if may_change is not None:
        changed.discard(os.path.join("home", "work", may_change.name))
    if changed:
        raise Fault(f"{words}: changed {sorted(changed)}")
    left = [name for name in after if name.endswith((".ti99tmp", ".tmp"))]
    if left:
        raise Fault(f"{words}: left {left}")


READERS: dict[str, Area] = {f"read-{kind}": area_of(kind) for kind in KINDS}
"""The areas by name."""
