"""Faults seeded one by one; the tests that come to each are run, the shortest first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from tests.mutants import probe
from tests.mutants.fault import Fault
from tests.mutants.workshop import Workshop

ROUNDS = (12, 100, 100_000)
"""Tests that are run together: few at first, since mostly one of the shortest finds a fault."""
HANGING = 20.0
"""A test hangs when it takes this many times as long as without the fault, and as many seconds."""


@dataclass(frozen=True)
class Found:
    """What came of a fault: the test that found it (empty: none) and seconds of processor time."""

    test: str
    seconds: float
    tests: int
    """How many tests come to the fault."""


def play(fault: Fault, tests: Mapping[str, float], shop: Workshop, seconds: float) -> Found:
    """Run tests until the first fails; at most so many seconds of processor time."""
    left = dict(tests)
    spent = 0.0
    for size in ROUNDS:
        chosen = _affordable(left, size, seconds - spent)
        for test in chosen:
            del left[test]
        while chosen:
            failed, took = _run(fault, chosen, shop)
            spent += took
            if not failed:
                break
            if not _fails_without(failed, tests[failed], shop):
                return Found(failed, spent, len(tests))
            # It fails without the fault as well: go on after it.
            rest = list(chosen)[list(chosen).index(failed) + 1 :]
            chosen = {test: chosen[test] for test in rest}
    return Found("", spent, len(tests))


def _affordable(tests: Mapping[str, float], most: int, seconds: float) -> dict[str, float]:
    found: dict[str, float] = {}
    for test, takes in list(tests.items())[:most]:
        seconds -= takes
        if seconds < 0:
            break
        found[test] = takes
    return found


def _run(fault: Fault, tests: Mapping[str, float], shop: Workshop) -> tuple[str, float]:
    """The first test that fails, or empty, and the seconds that this took."""
    texts = {fault.file: fault.wrong(shop.text(fault.file))}
    return _played(tests, texts, shop)


def _fails_without(test: str, takes: float, shop: Workshop) -> bool:
    return bool(_played({test: takes}, {}, shop)[0])


def _played(
    tests: Mapping[str, float], texts: Mapping[str, str], shop: Workshop
) -> tuple[str, float]:
    limits = {test: HANGING * (takes + 1) for test, takes in tests.items()}
    files = dict.fromkeys(test.partition("::")[0] for test in tests)
    done = shop.pytest(["-n", "0", "-x", *files], texts, json.dumps(limits))
    took = sum(float(str(s)) for _, s in probe.notes(shop.notes, "took"))
    fails = [(str(test), float(str(at))) for test, at in probe.notes(shop.notes, "fail")]
    if fails:
        return fails[0][0], max(took, fails[0][1])
    # The sources cannot even be imported: every test finds that.
    return ("" if done.returncode in (0, 5) else next(iter(tests))), took
