"""Fuzz area: programs as they are written and after all passes of the optimizer.

Both have to show the same at the end, leave the same disk and stop with the same error. Line
numbers and timing differ, so programs that look at either are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from tests.fuzz.fuzzcore import Attempt, Fault
from tests.fuzz.fuzzgrammar import well_formed
from tests.fuzz.fuzzlanguage import DISK, TOPICS, subject, whole_language
from tests.fuzz.fuzzprograms import End, Stroke, end_of, is_taken
from ti99tools import Program
from ti99tools.app.build import optimized_listing
from ti99tools.base.errors import TIError
from ti99tools.language.dialect import generate

_LOOKS = re.compile(
    r"CALL (ERR|KEY|JOYST|POSITION|COINC|DISTANCE|PEEK|LOAD)|TRACE|BREAK|RUN"
    r"|RANDOMIZE *(::|!|$)|SIZE *$",
    re.MULTILINE,
)
"""What tells a program line numbers, the time or the free memory."""
_KEYS = "5\nHELLO\n1,2\n A\n\n\n"
_NUMBERS = re.compile(r"\d+")
_LINE = re.compile(r"\bIN +\d+ *")


def optimized_program(one: Attempt) -> str:
    """A program by rules or of the whole language, plain and optimized."""
    lines = [line for line in _lines(one.rng) if is_taken(line)]
    one.input = text = "\n".join(lines) + "\n"
    if _LOOKS.search(text):
        return "looks at time or lines"
    try:
        generated = generate(text, "x.bas")
        listing = optimized_listing(generated, Path("x.bas")).text
        programs = [Program.from_listing(each, strict=False) for each in (text, listing)]
    except TIError:
        return "refused"
    keys = [Stroke(key) for key in _KEYS]
    plain, optimized = (end_of(each, DISK, keys, "first", Random(1)) for each in programs)
    if {plain.outcome, optimized.outcome} & {"limit", "keys"}:
        return plain.outcome
    if "MEMORY FULL" in plain.error + optimized.error:
        return "memory full"
    if _seen(plain) != _seen(optimized):
        raise Fault(f"optimized:\n{listing}\n{plain.screen}\n{optimized.screen}")
    return f"XB error {plain.error.split(' IN ')[0]}" if plain.error else "the same"


def _lines(rng: Random) -> list[str]:
    match rng.randrange(3):
        case 0:
            return well_formed(rng, plain=rng.random() < 0.5)
        case 1:
            return whole_language(rng)
        case _:
            return subject(rng, rng.choice(TOPICS))


def _seen(end: End) -> tuple[str, str, bytes]:
    return _NUMBERS.sub("", end.error), _LINE.sub("IN ", end.screen), end.disk
