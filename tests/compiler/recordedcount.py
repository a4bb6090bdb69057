"""How many recorded cases are held as compiled programs, and why the others are not.

`python -m tests.compiler.recordedcount` prints the table. What differs is known from `DIFFERENT`,
which the slow test of `test_compiled_recorded` holds true. A case is counted if its program is
compared to its end: up to there the keys of its script are typed into it. Where they go on at the
prompt, rows above the first line typed there must be left on the recorded screen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tests.compiler.recordedcases import DIFFERENT, Way, is_undecided, recorded, way_of
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import compile_program, nowhere
from ti99tools.compiler.lower.lowering import Lowering
from ti99tools.games.conformance.as_cartridge import ends_with_the_program, programs_of
from ti99tools.games.conformance.in_time import pace_of
from ti99tools.games.conformance.to_the_prompt import goes_on
from ti99tools.language.program.program import Program

EDITOR = "a line that the editor refuses"
RUN = "refused by both with the same message and line: RUN as recorded, and `compile`"
UNSEEN = "RUN and `compile` refuse the program; the recording does not show it"
ALONE = "the script goes on at the prompt: the program alone is run in both forms"
EXCLUDED = {
    r"LINK runs|LOAD of a file|lets machine code run": "machine code",
    r"(PEEK|LOAD) of|LOAD to": "PEEK and LOAD of other cells",
}
"""Why a program is refused → why its case is not counted."""
BARE = "a machine without memory expansion"
KINDS = "played to the end", "played up to the prompt, where the script goes on"
"""Of the cases that are counted."""


def why_not_counted(case: Mapping[str, Any]) -> str:
    """Why a case is not counted; empty if it is."""
    if case.get("ram") == "NONE":
        return BARE
    refused = refusal(case)
    if refused is None:
        return ALONE if way_of(case) is Way.ALONE or is_undecided(case) else ""
    if refused == RUN:
        return RUN if refused_alike(case) else UNSEEN
    if refused == EDITOR:
        return refused
    return next((why for words, why in EXCLUDED.items() if re.search(words, refused)), "")


def goes_on_at_the_prompt(case: Mapping[str, Any]) -> bool:
    """Tell whether a case is played up to the prompt only."""
    return goes_on(case) or not ends_with_the_program(case)


def refusal(case: Mapping[str, Any]) -> str | None:
    """Why the program of a case is not compiled; None if it is."""
    try:
        programs = programs_of(case)
    except TIError:
        return EDITOR
    if programs["TEST"].analysis.scanned.error is not None:
        return RUN
    try:
        for program in programs.values():
            Lowering(program.analysis, nowhere, program.ranges).run()
    except TIError as error:
        return error.problem
    return None


def refused_alike(case: Mapping[str, Any]) -> bool:
    """Tell whether a recording shows the message and line with which RUN refuses a program, and
    `compile` names both.
    """
    program = Program.from_listing("\n".join(case["source"]))
    scanned = program.analysis.scanned
    assert scanned.error is not None
    looks = [case["expect"]["final"], *case["expect"].get("snaps", {}).values()]
    shown = " ".join(row.strip("\x1f ") for look in looks for row in look["rows"])
    number = "" if scanned.line is None else rf" +IN {scanned.line}\b"
    if not re.search(re.escape(xb.TEXTS[scanned.error]) + number, shown):
        return False
    try:
        compile_program(program)
    except TIError as error:
        place = "" if scanned.line is None else f"line {scanned.line} "
        return place in error.problem and xb.TEXTS[scanned.error] in error.problem
    return False


def why_different(case: Mapping[str, Any]) -> str:
    """Why a case that is counted may differ, or is refused; empty if it is equal."""
    refused = refusal(case)
    if refused is not None:
        return f"refused: {refused}"
    return DIFFERENT.get(case["id"], "")


def main() -> None:
    """Print the table."""
    every = [held.case for held in recorded()]
    print(f"{len(every):,} recorded cases are programs for the console.\n\nNot counted:")
    reasons = [why_not_counted(case) for case in every]
    _print(Counter(filter(None, reasons)))
    counted = [case for case, why in zip(every, reasons, strict=True) if not why]
    different = Counter(filter(None, map(why_different, counted)))
    equal = len(counted) - different.total()
    print("\nCounted:")
    _print(Counter(KINDS[goes_on_at_the_prompt(case)] for case in counted))
    print(f"\nIn all: {len(counted):,}. Equal: {equal:,}, {100 * equal / len(counted):.2f} %.")
    paces = Counter(pace_of(case).value for case in counted)
    print("Held with the pace " + ", ".join(f"{name}: {count:,}" for name, count in paces.items()))
    print("\nNot equal, or not sure to be:")
    _print(different)


def _print(rows: Counter[str]) -> None:
    for text, count in rows.most_common():
        print(f"{count:6,} {text}")


if __name__ == "__main__":
    main()
