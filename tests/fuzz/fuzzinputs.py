"""The files that commands read: made at random, and mutated."""

from __future__ import annotations

import io
import json
import lzma
import tempfile
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

from click.testing import CliRunner

from tests.fuzz.fuzzassembly import corpus as assemblies
from tests.fuzz.fuzzassembly import mutated as mutated_assembly
from tests.fuzz.fuzzcore import CASES, mutated_bytes
from tests.fuzz.fuzzdisks import image_bytes
from tests.fuzz.fuzzfiles import forms
from tests.fuzz.fuzzlistings import corpus, mutated_listing
from tests.fuzz.fuzzscripts import LOG, mutated_text
from tests.fuzz.fuzzsources import structured
from ti99tools.fronts.cli.main import cli
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.verify.scenario import Scenario
from ti99tools.media.disk import hostfiles, records

Make = Callable[[Random], bytes]
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


def as_text(make: Callable[[Random], str]) -> Make:
    """A text, mutated as a text or as bytes."""

    def maker(rng: Random) -> bytes:
        text = make(rng)
        if rng.random() < 0.5:
            return mutated_text(text, rng).encode("utf-8", "replace")
        return spoiled(text.encode("utf-8", "replace"), rng)

    return maker


def as_bytes(make: Callable[[Random], bytes], hot: int | None = None) -> Make:
    return lambda rng: spoiled(make(rng), rng, hot)


def image(form: str, hot: int) -> Make:
    """The sample disk as an image of some form, mutated most around an offset."""
    return as_bytes(lambda rng: image_bytes(form), hot)


def zipped(content: Mapping[str, bytes], rng: Random) -> bytes:
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


def case(rng: Random) -> str:
    return "\n".join(rng.choice(cases()).strip() for _ in range(3)) + "\n"


def packed_case(rng: Random) -> bytes:
    if rng.random() < 0.5:
        return spoiled(lzma.compress(case(rng).encode(), preset=0), rng)
    return lzma.compress(as_text(case)(rng) + rng.choice((b"", b" " * (30 << 20))), preset=0)


def program(rng: Random) -> bytes:
    file = rng.choice(forms())
    return file.data or records.pack_variable(file.records)[0]


def tokens(rng: Random) -> bytes:
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


def container(rng: Random) -> bytes:
    build = rng.choice((hostfiles.build_tifiles, hostfiles.build_fiad))
    return build(records.store(rng.choice(forms())))


def listing(rng: Random) -> str:
    return "\n".join(mutated_listing(rng.choice(corpus()).listing, rng)) + "\n"


def source(rng: Random) -> str:
    return "\n".join(rng.choice(structured())) + "\n"


def assembly(rng: Random) -> str:
    return mutated_assembly(rng.choice(assemblies())["source"], rng) + "\n"


def picture(rng: Random) -> bytes:
    from PIL import Image

    data = io.BytesIO()
    Image.new(rng.choice(("1", "RGBA", "P")), (16, 16)).save(data, rng.choice(("PNG", "GIF")))
    return data.getvalue()


def defaults(rng: Random) -> str:
    return rng.choice(
        (
            'seconds = 1\ndrives = ["DSK2=a.dsk"]\n[run]\nscreen = true\n[disk.new]\nname = "X"\n',
            '[run]\nscreen = false\nmax-seconds = 1\n[lint]\nbasic = ""\n',
            "[tool.ti99tools]\nseconds = 2\n[tool.ti99tools.run]\nscreen = true\n",
        )
    )


def message(rng: Random) -> bytes:
    body = json.dumps({"seq": 1, "id": 3, "method": "initialize", "params": {"a": [1, {}]}})
    data = as_text(lambda _: body)(rng)
    head = b"Content-Length: %d\r\n\r\n" % len(data)
    return (spoiled(head, rng) if rng.random() < 0.5 else head) + data


def journal(rng: Random) -> str:
    scenario = Scenario("dare", Setup(7, (Player("H", "A"),), {"PACE": "1"}), (65, 13), ("P",))
    row = {"seed": 7, "scenario": scenario.to_json(), "events": 1, "screens": 1, "seconds": 2.5}
    row |= {"lines": [100], "branches": ["3 if"], "hits": [[1, 2, "x", 3]]}
    head = {"form": "ti99tools verify 1", "disk": "d", "host": "virtual"}
    return f"{json.dumps(head)}\n{json.dumps(row)}\n"


def roms(rng: Random) -> bytes:
    parts = {"994agrom.bin": bytes(24_576), "tiext.bin": bytes(8192) + b"\1" * 8192}
    return zipped(parts, rng)


def project(rng: Random) -> bytes:
    parts = {"game/game.xb": source(rng).encode(), "game/game.toml": MANIFEST.encode()}
    return zipped(parts, rng)


def rpk(rng: Random) -> bytes:
    layout = b'<romset version="1.0"><resources></resources></romset>'
    return zipped({"layout.xml": layout, "a.bin": cartridge()}, rng)


def log_file(rng: Random) -> bytes:
    """A play log in a TIFILES file, mutated before or after it was packed."""
    from ti99tools.media.disk.tifile import DiskFile

    text = "\n".join(LOG).replace("1.0", rng.choice(("1.0", "1.1")))
    if rng.random() < 0.7:
        text = mutated_text(text, rng)
    lines = [line.encode("ascii", "replace")[:80] for line in text.splitlines()]
    file = DiskFile.display_var("LOG", lines, 80)
    return spoiled(hostfiles.build_tifiles(records.store(file)), rng, 300)
