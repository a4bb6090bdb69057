"""How many bytes the runtime takes: of a game as byte code, of a program that uses all of it."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.compiler.sizes import ALL_COLD, sizes_of
from ti99tools.app.compile import program_of
from ti99tools.compiler.runtimefiles import joined, parts, separated
from ti99tools.language.program.program import Program

WHOLE = Path(__file__).parent / "wholelanguage.bas"
_ENTRY = re.compile(r"(\w+)\s+DATA RWS,")
LEFT_OUT = frozenset({
    "DATTAK", "TAKBEG", "TAKCAT", "TAKE", "TAKEL", "TAKSHT",  # --pace all
    "CHAIN", "PASSED",  # several programs, RANGE
    "CFETCH", "CHRGET", "CHRPUT", "FCHECK", "FPBEG", "FWORD", "PTONE", "PWSTR", "READTX", "RETBAD",
    "SMOVE", "TDROP", "TJOIN", "TWORD", "WARNIN", "WARNOV", "WMOD", "WQUOT",  # rare forms
})  # fmt: skip
"""Entries of the runtime that the listing does not use."""


def entries() -> Iterator[str]:
    """The entries of the runtime."""
    for part in parts():
        for _, row in part.code:
            if found := _ENTRY.match(row):
                yield found[1]


def test_the_runtime_of_a_game_is_at_most_10_kb() -> None:
    """D5000 has the largest of our four games."""
    (found,) = sizes_of(program_of("d5000"), ALL_COLD, short=True)
    assert found.runtime <= 10_240


def test_the_runtime_of_the_whole_language() -> None:
    program = Program.from_listing(WHOLE.read_text(encoding="ascii"))
    native, short = (sizes_of(program, ALL_COLD, short=short)[0] for short in (False, True))
    assert not {*entries()} - LEFT_OUT - native.labels - short.labels
    assert short.runtime <= 14_765
    assert native.runtime <= 18_250


def test_files_of_the_runtime_can_be_one() -> None:
    texts = {"a.a99": "* A: one.\nA      RTWP\n", "b.a99": "* IF A\nB      RTWP\n* END\n"}
    assert separated("all.a99", joined(texts)) == texts
    assert separated("a.a99", texts["a.a99"]) == {"a.a99": texts["a.a99"]}
