"""Assembly language: recorded sources and their object code with mistakes."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random

from tests.assembler.disassembler import disassemble
from tests.fuzz.fuzzcore import ROOT, Attempt, Fault, mutated_bytes
from ti99tools.base.errors import TIError
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.hardware.assembler.tagged import RECORD, load

WORDS = (
    "MOV",
    "MOVB",
    "LI",
    "B",
    "JMP",
    "JEQ",
    "DATA",
    "BYTE",
    "TEXT",
    "BSS",
    "BES",
    "EQU",
    "AORG",
    "RORG",
    "DORG",
    "EVEN",
    "DEF",
    "REF",
    "END",
    "COPY",
    "IDT",
    "DXOP",
    "LDCR",
    "SBO",
    "XOP",
    "R1",
    "*R2+",
    "@",
    "(R3)",
    "R16",
    ">FFFF",
    ">10000",
    ":101",
    "'A'",
    "'",
    '"',
    "$",
    "$+1",
    "-",
    "*",
    "/0",
    "+",
    ",",
    " ",
    "\t",
    "65536",
    "-32769",
    "9" * 30,
    "é",
    "\0",
    "A",
    "START",
    "1",
    "0",
)


@lru_cache
def corpus() -> list[dict[str, list[str]]]:
    path = ROOT / "tests" / "assembler" / "recorded.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def mutated(lines: list[str], rng: Random) -> str:
    """The lines with some words put in, lines taken out, doubled or swapped."""
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at = rng.randrange(len(lines))
        match rng.randrange(5):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, rng.choice(lines) if lines else "")
            case _:
                place = rng.randrange(len(lines[at]) + 1)
                end = place + rng.choice((0, 0, 1, 3))
                lines[at] = lines[at][:place] + rng.choice(WORDS) + lines[at][end:]
        if not lines:
            break
    return "\n".join(lines)


def assembly(one: Attempt) -> str:
    """A source is refused with a place, or its words, object code and image agree."""
    one.input = mutated(one.rng.choice(corpus())["source"], one.rng)
    try:
        result = assemble(one.input)
        result.listing()
        image = result.image(0xA000)
    except TIError as error:
        if not error.problem or not error.remedy:
            raise Fault(f"no remedy: {error}") from error
        return "refused"
    loaded = load(result.object_code.records(), 0xA000)
    if loaded.words != result.memory(0xA000):
        raise Fault("the object code puts other words into memory")
    words = [int.from_bytes(image.data[at : at + 2], "big") for at in range(0, 400, 2)]
    text = "\n".join(f" {one.text}" for one in disassemble(words, image.address))
    again = assemble(f" AORG >{image.address:04X}\n{text}\n").image()
    if not again.data.startswith(b"".join(word.to_bytes(2, "big") for word in words)[:398]):
        raise Fault("the disassembly assembles to other words")
    return "ok"


def object_code(one: Attempt) -> str:
    """Damaged object code is refused, or loads what it says."""
    records = one.rng.choice(corpus())["records"]
    whole = b"".join(record.encode("latin-1").ljust(RECORD) for record in records)
    one.input = data = mutated_bytes(whole, one.rng)
    try:
        loaded = load([data[at : at + RECORD] for at in range(0, len(data), RECORD)], 0xFFF0)
    except TIError:
        return "refused"
    if not all(0 <= word <= 0xFFFF and at % 2 == 0 for at, word in loaded.words.items()):
        raise Fault("a word or an address that there is not")
    return "ok"
