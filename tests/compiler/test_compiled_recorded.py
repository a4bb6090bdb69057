"""Compiled programs against recordings of the real machine, with words and with cells."""

from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import islice
from typing import Any
from zlib import crc32

import pytest

from tests.compiler.recordedcases import (
    DIFFERENT,
    DIFFERENT_AS_BYTES,
    FORMS,
    Held,
    Way,
    as_byte_code,
    cases,
    hold,
    is_compiled,
    recorded,
    typed_keys,
)
from tests.compiler.recordedcount import RUN, refusal, refused_alike

FEW = 2
"""Cases of a file that the suite plays."""
PARTS = 40
"""All recorded cases take long: `.ci/run` plays one part of them, each commit another."""
FEWEST = {Way.PLAYED: 36, Way.PROMPT: 1, Way.ALONE: 1}
"""Cases of a part that must be compiled, so that this test cannot pass by refusing."""


def held(case: Held, as_bytes: bool) -> Way:
    """Hold a case, also as byte code; how it was held."""
    way, lines = hold(case, (*FORMS, as_byte_code(case)) if as_bytes else FORMS)
    assert not lines, f"{case.case['id']}: {way.value}\n" + "\n".join(lines)
    return way


def test_recorded_cases_as_cartridges() -> None:
    for name in (
        *("lang-control", "screen-print", "screen-chars"),
        *("screen-accept", "screen-input", "screen-using"),
        *("files-io", "files-rel", "files-err"),
    ):
        played = [*islice((case for case in cases(name, step=6) if case.way is Way.PLAYED), FEW)]
        assert len(played) == FEW, "so many of them are compiled"
        for case in played:
            held(case, case is played[0])


def test_a_row_that_is_full_scrolls_whether_or_not_interrupts_are_let_in() -> None:
    """Nothing is left to write in it, so that nothing has shut them out before the scroll."""
    full = next(case for case in recorded() if case.case["id"] == "random-sprstill-976513")
    assert held(full, False) is Way.PLAYED


@pytest.mark.parametrize("name", ["fuzz-076", "random-programs-700918"])
def test_byte_code_keeps_the_ends_of_data_and_the_scroll_that_takes_its_time(name: str) -> None:
    case = next(case for case in recorded() if case.case["id"] == name)
    assert held(case, True) is Way.PLAYED


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_recorded_cases_that_are_compiled(part: int) -> None:
    """Programs that several cases have, which go on at the prompt, run once.

    Each processor plays its share.
    """
    chosen: list[Held] = []
    alone: set[tuple[str, ...]] = set()
    for case in recorded():
        run = (case.listing, *typed_keys(case.case))
        if crc32(case.listing.encode()) % PARTS != part:
            continue
        if case.way is not Way.ALONE or run not in alone:
            alone.add(run)
            chosen.append(case)
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(judged, chosen, chunksize=4))
    counted = Counter(way for way, _ in results if way is not None)
    print(", ".join(f"{count} {way.name.lower()}" for way, count in counted.items()))
    assert "\n".join(text for _, text in results if text) == ""
    refused = [case.case for case, (way, _) in zip(chosen, results, strict=True) if not way]
    assert not {case["id"] for case in refused} & set(DIFFERENT), "all of these are compiled"
    _hold_refused(refused)
    assert all(counted[way] >= fewest for way, fewest in FEWEST.items())


def _hold_refused(recordings: Iterable[Mapping[str, Any]]) -> int:
    """Hold the programs that RUN refuses; how many they are."""
    held = 0
    for recording in recordings:
        # In an editor session the message has scrolled away, or the program is never run.
        if refusal(recording) == RUN and "random-editor" not in recording["id"]:
            assert refused_alike(recording), recording["id"]
            held += 1
    return held


def test_what_run_refuses_is_refused_with_its_message_and_line() -> None:
    assert _hold_refused(held.case for held in recorded(step=20)) > 5


def _with_longer_waits(held: Held) -> Held:
    """A case whose script waits four times as long, also at its end."""
    script = [
        {**step, "wait": 4 * step["wait"]} if "wait" in step else step
        for step in held.case["script"]
    ]
    return replace(held, case={**held.case, "script": script})


def judged(case: Held) -> tuple[Way | None, str]:
    """How a case was held, also as byte code, and what differs; None: it is not compiled."""
    if not is_compiled(case.case):
        return None, ""
    if case.way is Way.DIFFERENT:
        return case.way, ""
    way, lines = hold(case)
    if not lines and case.case["id"] not in DIFFERENT_AS_BYTES:
        form = (as_byte_code(case),)
        lines = hold(case, form)[1]
        if lines:
            # Byte code may not have come as far as Extended BASIC when the recording was made.
            lines = hold(_with_longer_waits(case), form)[1]
    return way, "\n".join((f"{case.case['id']}: {way.value}", *lines)) if lines else ""
