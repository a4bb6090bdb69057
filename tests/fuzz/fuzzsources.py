"""Fuzz areas: mutated sources, structured and numbered, through generate, tokenize, list, lint."""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from random import Random

from click.testing import CliRunner, Result

from tests.fuzz.fuzzcore import ROOT, Attempt, Fault
from tests.fuzz.fuzzlistings import KEYWORDS, NUMBERS, STRINGS, corpus, mutated_listing, statements
from ti99tools.fronts.cli.main import cli

DIALECT = (
    "IF A=1 THEN",
    "ELSE IF B THEN",
    "ELSE",
    "END IF",
    "FOR I=1 TO 3",
    "NEXT I",
    "NEXT",
    "WHILE A<3",
    "END WHILE",
    "REPEAT",
    "UNTIL A",
    "DO",
    "LOOP",
    "SELECT CASE A",
    "CASE 1",
    "END SELECT",
    'SELECT CASE A$&"X"',
    "CASE ELSE",
    "CASE 1 TO 3,IS>9",
    "ENUM A,B=3,C",
    "CONST T()=1,2,3",
    "PRINT T(I);T(2)",
    "PROC P(A,B$ OUT)",
    "LOCAL I,T(5)",
    "EXIT PROC",
    "END PROC",
    "CALL P(1,N$)",
    "label:",
    "GOTO label",
    "GOSUB label",
    "CONST X=1",
    'CONST N$="A"',
    '#include "a.xb"',
    "#art 96",
    "#end",
    "#text A$",
    "#if X",
    "#else",
    "#endif",
    "SUB S(A,B$)",
    "SUBEND",
    "END SUB",
    "..XX..XX",
    "! comment",
    "DATA 1,2",
    "EXIT FOR",
    "CONTINUE",
    "BREAK",
    "RETURN",
    "ON A GOTO label",
    '#include "../x"',
)


@lru_cache(maxsize=1)
def structured() -> tuple[tuple[str, ...], ...]:
    """The sources of the games, cut into pieces, and the examples of the dialect's description."""
    pieces = []
    for path in sorted((ROOT / "xbasic").rglob("*.xb")):
        lines = path.read_text(encoding="utf-8").splitlines()
        pieces.append(tuple(lines))
        pieces += [tuple(lines[at : at + 60]) for at in range(0, len(lines), 60)]
    manual = (ROOT / "docs" / "dialect.md").read_text(encoding="utf-8")
    pieces += [tuple(part.splitlines()[1:]) for part in manual.split("```")[1::2]]
    return tuple(pieces)


def source(one: Attempt) -> str:
    """A source through `generate`, `tokenize`, `lint`, `list`: exit codes 0, 1, 2, no traceback."""
    rng = one.rng
    if rng.random() < 0.5:
        text = "\n".join(_mutated_lines(list(rng.choice(structured())), rng)) + "\n"
    else:
        text = "\n".join(mutated_listing(rng.choice(corpus()).listing, rng)) + "\n"
    data = _spoiled(text.encode("utf-8", "replace"), rng)
    one.input = data
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.xb"
        path.write_bytes(data)
        out = Path(folder) / "out"
        codes = [
            _run("lint", path),
            _run("generate", path, "-o", Path(folder) / "g.bas", *_options(rng)),
            _run("tokenize", path, "-o", out, "--format", rng.choice(FORMATS)),
        ]
        if codes[2] == 0:
            codes.append(_run("list", out))
            if codes[3] != 0:
                raise Fault("what tokenize wrote cannot be listed")
        if codes[2] != 0 and out.exists():
            raise Fault("tokenize failed and left a file")
    return {0: "tokenized", 1: "wrong", 2: "refused"}[codes[2]]


FORMATS = ("auto", "program", "long", "merge")


def _options(rng: Random) -> list[str]:
    options = [["--no-pack"], ["--start", "32000"], ["--step", "1000"], ["--define", "X=5"], []]
    return rng.choice(options)


def _run(*words: object) -> int:
    result: Result = CliRunner().invoke(cli, [str(word) for word in words], standalone_mode=True)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 1, 2):
        raise Fault(f"{words[0]}: exit code {result.exit_code}")
    if "Traceback" in result.output:
        raise Fault(result.output)
    return int(result.exit_code)


def _mutated_lines(lines: list[str], rng: Random) -> list[str]:
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        if not lines:
            return [rng.choice(DIALECT)]
        at = rng.randrange(len(lines))
        line = lines[at]
        match rng.randrange(10):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, line)
            case 2:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], line
            case 3 | 4:
                lines.insert(at, rng.choice((*DIALECT, *statements())))
            case 5:
                cut = rng.randint(0, len(line))
                lines[at] = line[:cut]
            case 6:
                words = line.split(" ")
                words[rng.randrange(len(words))] = rng.choice((*KEYWORDS, *NUMBERS, *STRINGS))
                lines[at] = " ".join(words)
            case 7:
                lines[at] = line * rng.choice((2, 10))
            case 8:
                end = at + rng.randint(1, 8)
                lines[at:end] = []
            case 9:
                cut = rng.randint(0, len(line))
                lines[at] = line[:cut] + rng.choice("\"':!#()_&=,.\\\t{}$@^é\0") + line[cut:]
    return lines


def _spoiled(data: bytes, rng: Random) -> bytes:
    """Sometimes other line ends, a mark at the start, or bytes that are not text."""
    match rng.randrange(12):
        case 0:
            return data.replace(b"\n", b"\r\n")
        case 1:
            return b"\xef\xbb\xbf" + data
        case 2:
            changed = bytearray(data)
            for _ in range(3):
                changed[rng.randrange(len(changed))] = rng.randrange(256)
            return bytes(changed)
        case 3:
            return data.replace(b"\n", b"\r")
        case _:
            return data
