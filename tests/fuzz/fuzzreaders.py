"""Fuzz areas: one for each kind of file that commands read, mutated, given to such a command.

Each attempt has a folder of its own, with files of the user beside and above the place that the
command was told. Exit codes are 0, 1 or 2, a refusal is a line that begins with `error:`, nothing
outside the asked place changes, and no temporary file is left. Processor time and memory have
limits. `python -m tests.fuzz.long_run --area read-cartridges` makes many attempts of one kind.
"""

from __future__ import annotations

import io
import json
import lzma
import os
import resource
import tempfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import cast
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

from click.testing import CliRunner

from tests.fuzz.fuzzassembly import corpus as assemblies
from tests.fuzz.fuzzassembly import mutated as mutated_assembly
from tests.fuzz.fuzzcore import CASES, Area, Attempt, Fault, mutated_bytes
from tests.fuzz.fuzzdisks import image_bytes
from tests.fuzz.fuzzfiles import forms
from tests.fuzz.fuzzlistings import corpus, mutated_listing
from tests.fuzz.fuzzscripts import LOG, SCENARIO, SCRIPT, mutated_text
from tests.fuzz.fuzzsources import structured
from ti99tools.base.errors import ScriptError, TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.web.bridge import Bridge
from ti99tools.fronts.wire import read
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.journal import Journal
from ti99tools.games.verify.scenario import Scenario, from_script
from ti99tools.media.disk import hostfiles, records

MEMORY = 160 << 10
"""Kilobytes by which one attempt may raise the peak of this process."""
Word = object
Words = list[Word]
Make = Callable[[Random], bytes]
Give = Callable[[Path, Random], Words]
HOSTILE: tuple[bytes, ...] = (
    b"[" * 20_000,
    b"(" * 3000,
    b"{" * 3000,
    b"9" * 5000,
    b"\xff" * 300,
    b"\0" * 300,
    b"../" * 9,
    b"\xed\xa0\x80",
    b'"' * 301,
    b"-" * 4000,
    b"200 END" * 20,
    b"\xb2",
    b"1E999",
)
"""Pieces that readers have stumbled over."""
MANIFEST = """title = "FUZZ"
version = "1.0"
program = "FUZZ"
disk = "FUZZ"
source = "game.xb"
summary = "NOTHING"
optimize = true

[define]
SIZE = 3

[seed]
prompt = "SEED"
keys = "{seed}"
"""


def spoiled(data: bytes, rng: Random, hot: int | None = None) -> bytes:
    """Bytes with mutations, rarely none, sometimes with a hostile piece in them."""
    if rng.random() < 0.05:
        return data
    if rng.random() < 0.15:
        at = rng.randrange(len(data) + 1)
        return data[:at] + rng.choice(HOSTILE) + data[at:]
    return mutated_bytes(data, rng, hot)


def _text(make: Callable[[Random], str]) -> Make:
    """A text, mutated as a text or as bytes."""

    def made(rng: Random) -> bytes:
        text = make(rng)
        if rng.random() < 0.5:
            return mutated_text(text, rng).encode("utf-8", "replace")
        return spoiled(text.encode("utf-8", "replace"), rng)

    return made


def _bytes(make: Callable[[Random], bytes], hot: int | None = None) -> Make:
    return lambda rng: spoiled(make(rng), rng, hot)


def _zipped(content: Mapping[str, bytes], rng: Random) -> bytes:
    data = io.BytesIO()
    method = rng.choice((ZIP_DEFLATED,) * 6 + (ZIP_STORED, ZIP_STORED, ZIP_BZIP2, ZIP_LZMA))
    with ZipFile(data, "w", method) as archive:
        for name, part in content.items():
            odd = rng.random() < 0.05
            archive.writestr(rng.choice(("../x", "/x", name * 90)) if odd else name, part)
        if rng.random() < 0.05:
            archive.writestr("bomb", bytes(20 << 20))
    return data.getvalue() if rng.random() < 0.4 else spoiled(data.getvalue(), rng)


@lru_cache(maxsize=1)
def cartridge() -> bytes:
    """A compiled program."""
    from ti99tools.compiler.compiling import compile_program
    from ti99tools.language.program.program import Program

    program = Program.from_listing('100 PRINT "HI"\n110 GOTO 100\n')
    return compile_program(program).cartridge


@lru_cache(maxsize=1)
def tape() -> bytes:
    """A cassette with a short program."""
    listing = b'100 PRINT "HI"\n'
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.bas")
        path.write_bytes(listing)
        out = Path(name, "a.wav")
        CliRunner().invoke(cli, ["tape", "write", str(path), "-o", str(out)])
        return out.read_bytes()


@lru_cache(maxsize=1)
def cases() -> tuple[str, ...]:
    """Recorded cases that run quickly: numbers, instructions, typed lines."""
    found = [
        line
        for name, count in (("tokens-editor.jsonl", 20), ("vectors/pow.jsonl", 20))
        for line in (CASES / name).read_text(encoding="utf-8").splitlines()[:count]
    ]
    with lzma.open(CASES / "cpu.jsonl.xz", "rt", encoding="utf-8") as packed:
        return tuple(found) + tuple(packed.readline() for _ in range(40))


def _case(rng: Random) -> str:
    return "\n".join(rng.choice(cases()).strip() for _ in range(3)) + "\n"


def _packed_case(rng: Random) -> bytes:
    if rng.random() < 0.5:
        return spoiled(lzma.compress(_case(rng).encode(), preset=0), rng)
    return lzma.compress(_text(_case)(rng) + rng.choice((b"", b" " * (30 << 20))), preset=0)


def _program(rng: Random) -> bytes:
    file = rng.choice(forms())
    return file.data or records.pack_variable(file.records)[0]


def _tokens(rng: Random) -> bytes:
    """A MERGE file whose numbers and texts were emptied or enlarged."""
    file = rng.choice([each for each in forms() if each.recl == 163])
    changed = []
    for record in file.records:
        data = bytearray(record)
        places = [at for at in range(len(data) - 1) if data[at] in (0xC7, 0xC8)]
        if places and rng.random() < 0.5:
            at = rng.choice(places)
            text = rng.choice((b"", b"\xb2", b"9" * 90, b".", b"-1", b"32768"))
            data[at + 1 : at + 2 + data[at + 1]] = bytes((len(text),)) + text
        changed.append(bytes(data)[:163])
    return b"".join(bytes((len(record),)) + record for record in changed)


def _container(rng: Random) -> bytes:
    build = rng.choice((hostfiles.build_tifiles, hostfiles.build_fiad))
    return build(records.store(rng.choice(forms())))


def _listing(rng: Random) -> str:
    return "\n".join(mutated_listing(rng.choice(corpus()).listing, rng)) + "\n"


def _source(rng: Random) -> str:
    return "\n".join(rng.choice(structured())) + "\n"


def _assembly(rng: Random) -> str:
    return mutated_assembly(rng.choice(assemblies())["source"], rng) + "\n"


def _picture(rng: Random) -> bytes:
    from PIL import Image

    data = io.BytesIO()
    Image.new(rng.choice(("1", "RGBA", "P")), (16, 16)).save(data, rng.choice(("PNG", "GIF")))
    return data.getvalue()


def _defaults(rng: Random) -> str:
    return rng.choice(
        (
            'seconds = 1\ndrives = ["DSK2=a.dsk"]\n[run]\nscreen = true\n[disk.new]\nname = "X"\n',
            '[run]\nscreen = false\nmax-seconds = 1\n[lint]\nbasic = ""\n',
            "[tool.ti99tools]\nseconds = 2\n[tool.ti99tools.run]\nscreen = true\n",
        )
    )


def _message(rng: Random) -> bytes:
    body = json.dumps({"seq": 1, "id": 3, "method": "initialize", "params": {"a": [1, {}]}})
    data = _text(lambda _: body)(rng)
    head = b"Content-Length: %d\r\n\r\n" % len(data)
    return (spoiled(head, rng) if rng.random() < 0.5 else head) + data


def _journal(rng: Random) -> str:
    scenario = Scenario("dare", Setup(7, (Player("H", "A"),), {"PACE": "1"}), (65, 13), ("P",))
    row = {"seed": 7, "scenario": scenario.to_json(), "events": 1, "screens": 1, "seconds": 2.5}
    row |= {"lines": [100], "branches": ["3 if"], "hits": [[1, 2, "x", 3]]}
    head = {"form": "ti99tools verify 1", "disk": "d", "host": "virtual"}
    return f"{json.dumps(head)}\n{json.dumps(row)}\n"


def _roms(rng: Random) -> bytes:
    parts = {"994agrom.bin": bytes(24_576), "tiext.bin": bytes(8192) + b"\1" * 8192}
    return _zipped(parts, rng)


def _project(rng: Random) -> bytes:
    parts = {"game/game.xb": _source(rng).encode(), "game/game.toml": MANIFEST.encode()}
    return _zipped(parts, rng)


def _rpk(rng: Random) -> bytes:
    layout = b'<romset version="1.0"><resources></resources></romset>'
    return _zipped({"layout.xml": layout, "a.bin": cartridge()}, rng)


# -- what the files are given to --------------------------------------------------------------


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
    told, _ = Bridge(folder / "out").call("unpack", '{"name": "x.zip"}', data)
    return "refused" if "error" in json.loads(told) else "read"


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


def _log_file(rng: Random) -> bytes:
    """A play log in a TIFILES file, mutated before or after it was packed."""
    from ti99tools.media.disk.tifile import DiskFile

    text = "\n".join(LOG).replace("1.0", rng.choice(("1.0", "1.1")))
    if rng.random() < 0.7:
        text = mutated_text(text, rng)
    lines = [line.encode("ascii", "replace")[:80] for line in text.splitlines()]
    file = DiskFile.display_var("LOG", lines, 80)
    return spoiled(hostfiles.build_tifiles(records.store(file)), rng, 300)


Direct = Callable[[bytes, Path], str]
KINDS: dict[str, tuple[str, Make, Give | Direct]] = {
    "sources": ("t.xb", _text(_source), TEXTS),
    "listings": ("t.bas", _text(_listing), TEXTS),
    "program-files": ("PROG", _bytes(_program, 140), PROGRAMS),
    "merge-files": ("MERGED", _tokens, PROGRAMS),
    "containers": ("T.tfi", _bytes(_container, 140), _to_disk),
    "sector-images": ("i.dsk", lambda rng: spoiled(image_bytes("sectors"), rng, 5632), IMAGES),
    "hfe-images": ("i.hfe", lambda rng: spoiled(image_bytes("hfe-fm"), rng, 1200), IMAGES),
    "pc99-images": ("i.pc99", lambda rng: spoiled(image_bytes("pc99"), rng, 30_000), IMAGES),
    "cf7-images": ("i.img", lambda rng: spoiled(image_bytes("cf7"), rng, 11_264), IMAGES),
    "tapes": (
        "t.wav",
        _bytes(lambda rng: tape(), 200),
        _one_of(
            lambda path: ["tape", "list", path],
            lambda path: ["tape", "read", path, "-o", _out(path, "o.bas")],
        ),
    ),
    "cartridges": ("c.bin", _bytes(lambda rng: cartridge(), 200), _one_of(
        lambda path: ["run", path, *_SHORT],
        lambda path: ["profile", path, *_SHORT],
        lambda path: ["debug", path, *_LONG],
    )),
    "packed-cartridges": ("c.rpk", _rpk, _one_of(
        lambda path: ["run", path, *_SHORT],
        lambda path: ["lint", path],
    )),
    "rom-archives": ("r.zip", _roms, _one_of(
        lambda path: ["hosts", "--roms", path.parent, "--prepare", _out(path, "roms")],
    )),
    "cases": ("pow.jsonl", _text(_case), _one_of(lambda p: ["conformance", "--jobs", "1", p])),
    "packed-cases": ("pow.jsonl.xz", _packed_case, _one_of(
        lambda path: ["conformance", "--jobs", "1", path],
    )),
    "scripts": ("k.keys", _text(lambda rng: SCRIPT), _with_script),
    "logs": ("LOG", _log_file, _with_log),
    "manifests": ("game.toml", _text(lambda rng: MANIFEST), _in_game),
    "defaults": ("ti99tools.toml", _text(_defaults), _in_project),
    "assemblies": ("t.a99", _text(_assembly), _one_of(
        lambda path: ["assemble", path, "-o", _out(path, "o.obj")],
        lambda path: ["assemble", path, "-o", _out(path, "o"), "--listing", _out(path, "o.lst")],
    )),
    "pictures": ("picture.png", _bytes(_picture), _with_picture),
    "project-archives": ("p.zip", _project, _unpack),
    "messages": ("m", _message, _converse),
    "journals": ("j", _text(_journal), _resume),
    "replays": ("x.keys", _text(lambda rng: SCENARIO), _replay),
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
    told = result.output
    if result.exit_code not in (0, 1, 2) or "Traceback" in told:
        raise Fault(f"{words}: exit code {result.exit_code}\n{told[-2000:]}")
    if "broken: " in told:
        raise Fault(f"{words}: a traceback in the answer\n{told[-2000:]}")
    if result.exit_code == 2 and not any(
        line.startswith(("error: ", "Error: ", "Usage: "))
        or "foreign" in line
        or "truncated" in line
        for line in told.splitlines()
    ):
        raise Fault(f"{words}: refused without a word\n{told[-2000:]}")
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
