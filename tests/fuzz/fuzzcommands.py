"""Fuzz areas: the command line on mutated targets, scripts and images.

Exit codes are 0, 1 or 2, a refusal is one line that begins with `error:`, nothing is written
outside the folder it was told, and no half-written file is left after.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from click.testing import CliRunner

from tests.fuzz.fuzzcore import Attempt, Fault, mutated_bytes
from tests.fuzz.fuzzdisks import FORMS, image_bytes
from tests.fuzz.fuzzfiles import forms
from tests.fuzz.fuzzlistings import corpus, mutated_listing
from tests.fuzz.fuzzscripts import SCRIPT, mutated_text
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk import hostfiles, records

NAMES = (
    "TEXT0",
    "FIX1",
    "PROG",
    "SUB.DEEP",
    "*",
    "T*",
    "NOPE",
    "../X",
    "SUB",
    ".",
    "",
    "A.B.C",
    "TOOLONGNAME1",
    "-",
    "é",
    "A/B",
    "PROG ",
    "?",
)


def invoke(*words: object) -> int:
    """Run a command; only its own exit codes may come out."""
    result = CliRunner().invoke(cli, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 1, 2) or "Traceback" in result.output:
        raise Fault(f"{words}: exit code {result.exit_code}\n{result.output[-2000:]}")
    return int(result.exit_code)


def run_command(one: Attempt) -> str:
    """`run` and `profile` of a mutated target with a mutated key script."""
    rng = one.rng
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        target = folder / rng.choice(("t.bas", "T", "t.dsk", "t.tfi"))
        target.write_bytes(_target(rng))
        script = folder / "keys.txt"
        keys = SCRIPT if rng.random() < 0.4 else mutated_text(SCRIPT, rng)
        script.write_text(keys, encoding="utf-8")
        one.input = target.read_bytes() + b"\n--- keys\n" + script.read_bytes()
        command = rng.choice(("run", "run", "run", "profile"))
        words: list[object] = [command, target, "--max-seconds", rng.choice((1, 5, 20))]
        if rng.random() < 0.5:
            words += ["--script", script]
        else:
            words += ["--keys", rng.choice(("", "1\\n", "ABC\\n2\\n", "\\", "é", "A" * 300))]
        if command == "run":
            words += rng.choice(
                ((), ("--screen",), ("--show-code",), ("--save-disk", folder / "s"))
            )
        code = invoke(*words)
        _check_folder(folder, {target.name, "keys.txt", "s"})
    return ("ended", "stopped", "refused")[code]


def _target(rng: Random) -> bytes:
    match rng.randrange(4):
        case 0:
            text = "\n".join(mutated_listing(rng.choice(corpus()).listing, rng)) + "\n"
            return text.encode("latin-1", "replace")
        case 1:
            form = rng.choice(("sectors", "hfe-fm"))
            return mutated_bytes(image_bytes(form), rng, FORMS[form][2])
        case 2:
            file = rng.choice(forms())
            return mutated_bytes(file.data or records.pack_variable(file.records)[0], rng, 700)
        case _:
            return mutated_bytes(
                hostfiles.build_tifiles(records.store(rng.choice(forms()))), rng, 300
            )


def disk_command(one: Attempt) -> str:
    """The `disk` commands on a mutated image."""
    rng = one.rng
    form = rng.choice(sorted(FORMS))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image = folder / "i.img"
        data = image_bytes(form)
        if rng.random() < 0.6:
            data = mutated_bytes(data, rng, FORMS[form][2])
        one.input = data
        image.write_bytes(data)
        (folder / "n.txt").write_text("LINE\n" * 5, encoding="utf-8")
        codes = []
        for _ in range(2):
            before = image.read_bytes()
            words = _words(rng, folder, image)
            code = invoke("disk", *words)
            codes.append(code)
            if code == 2 and image.read_bytes() != before:
                raise Fault(f"{words} was refused and has changed the image")
            if any(path.suffix == ".tmp" for path in folder.rglob("*")):
                raise Fault(f"{words} left a temporary file")
        if list(folder.parent.glob("X")):
            raise Fault("a file outside the folder")
    return "done" if 2 not in codes else "refused"


def _words(rng: Random, folder: Path, image: Path) -> list[object]:
    name, other = rng.choice(NAMES), rng.choice(NAMES)
    out = folder / rng.choice(("o.dsk", "o.hfe", "o.tfi", "o"))
    geometry = rng.choice(("SSSD", "DSDD", "DSDD80", "CF", "NOPE"))
    choices: list[list[object]] = [
        ["ls", image, "--long"],
        ["ls", image, "--json"],
        ["ls", image, name],
        ["ls", image, "--volumes"],
        ["show", image, name],
        ["show", image, name, rng.choice(("--hex", "--json"))],
        ["check", image],
        ["check", image, "--json", "--volume", rng.choice((1, 2, 999))],
        ["repair", image, *rng.choice(([], ["--reclaim"], ["-o", out]))],
        ["get", image, "--all", folder / "all"],
        ["get", image, name, "--to", folder / "to", "--form", rng.choice(("text", "raw", "auto"))],
        ["get", image, name, "-o", out],
        ["add", image, folder / "n.txt", "--name", name],
        ["add", image, folder / "n.txt", "--type", rng.choice(("PROGRAM", "INT/FIX", "X"))],
        ["rm", image, name],
        ["rename", image, name, other],
        ["rename", image, "--disk", name],
        ["protect", image, name, *rng.choice(([], ["--off"]))],
        ["convert", image, out, *rng.choice(([], ["--force"], ["--geometry", geometry]))],
    ]
    return rng.choice(choices)


def _check_folder(folder: Path, known: set[str]) -> None:
    strange = {path.name for path in folder.iterdir()} - known
    if strange:
        raise Fault(f"files left after: {strange}")
