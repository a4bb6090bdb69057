"""Play random sessions on the original ROMs and on our console, and shrink those that differ.

`python -m tests.fuzz.compare --host ti99sim --kind programs --seed 1 --count 100 --save FILE` makes
sessions as `tests.fuzz.export` does, and plays each on the host and here. What differs is played on
the host once more, a little later: where its two differ, it depends on the frame and is only
counted. The rest is shrunk, program lines and steps, while the same thing differs; it is shown as a
listing with the difference, and saved as a recorded case. `games` are matches, verified there; the
host `virtual` can do that, too: it is our console, and all else would be alike on it.
The exit code is 1 when something differs, 2 when the host cannot run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tests.fuzz.export import case_of
from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.group import worded
from ti99tools.games.conformance import on_hosts, playback
from ti99tools.games.conformance.comparing import Difference, differences
from ti99tools.games.conformance.on_hosts import recorded
from ti99tools.games.hosts.host import HOSTS, OURS, Host, host_named
from ti99tools.games.making.finding import all_games
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.subject import subject_of

KINDS = ("programs", "mutants", "editor", "files", "games")
TRIALS = 200
"""Sessions played to make one small."""
MOST_SHOWN = 12
"""The most lines that are shown of a difference."""

Case = dict[str, Any]
Script = list[dict[str, Any]]
Item = TypeVar("Item")


class Unsure(Exception):
    """A session whose results on the host differ from each other."""


def compared(host: Host, case: Case, twice: bool = True) -> tuple[Case, list[Difference]]:
    """The case with the host's result, and the differences of ours from it.

    With `twice`, a case that differs is played on the host again, a little later. Raises Unsure
    where the host's two results differ.
    """
    found = recorded(case, on_hosts.play(host, case))
    wrong = differences(found, playback.play(case))
    later = on_hosts.LATER
    if wrong and twice and differences(found, on_hosts.play(host, case, later)):
        raise Unsure
    return found, wrong


def shrunk(host: Host, case: Case, places: set[str], trials: int = TRIALS) -> Case:
    """The smallest case found in which some of the same places differ, each time on the host."""
    left = trials

    def fails(tried: Case) -> bool:
        nonlocal left
        left -= 1
        try:
            _, wrong = compared(host, tried)
        except (TIError, Unsure):
            return False
        return not places.isdisjoint(difference.where for difference in wrong)

    def smaller(less: Callable[[list[Any]], Case], items: list[Any]) -> bool:
        return left > 0 and fails(less(items))

    for part in ("source", "script", "source"):
        less: Callable[[list[Any]], Case] = partial(_with_lines, case)
        items = case["source"]
        if part == "script":
            begin, items = pieces(case["script"])
            less = partial(_with_script, case, begin)
        case = less(fewer(items, partial(smaller, less), nothing=part == "script"))
    return case


def _with_lines(case: Case, lines: list[Any]) -> Case:
    return {**case, "source": lines}


def _with_script(case: Case, begin: Script, parts: list[Script]) -> Case:
    return {**case, "script": [*begin, *(step for part in parts for step in part)]}


def pieces(script: Script) -> tuple[Script, list[Script]]:
    """A script's beginning, until the first key, and pieces of a key and what is waited for then.

    The order of a session is kept only if the beginning stays, and a key goes together with the
    wait after it: else keys are typed while the machine boots, or is busy with those before. A key
    that is held and all until it is let go are one piece.
    """
    found: list[Script] = [[]]
    held: set[str] = set()
    for step in script:
        if not held and any(word in step for word in ("type", "press", "down")):
            found.append([])
        found[-1].append(step)
        held = (held | {step.get("down", "")}) - {step.get("up", ""), ""}
    return found[0], found[1:]


def fewer(
    items: Sequence[Item], fails: Callable[[list[Item]], bool], nothing: bool = False
) -> list[Item]:
    """Leave out halves, quarters … single items, while it fails without them.

    One is left at least, unless `nothing` may be.
    """
    left = list(items)
    if nothing and left and fails([]):
        return []
    size = len(left)
    while size:
        at = 0
        while at < len(left):
            less = left[:at] + left[at + size :]
            if less and fails(less):
                left = less
            else:
                at += size
        size //= 2
    return left


def report(case: Mapping[str, Any], wrong: Sequence[Difference]) -> Iterator[str]:
    """The case and its differences as lines."""
    yield f"--- {case['id']}"
    yield from case["source"]
    yield f"script: {json.dumps(case['script'])}"
    for difference in wrong:
        yield f"{difference.where}:"
        yield from (f"  {line}" for line in difference.lines[:MOST_SHOWN])


def sessions(host: Host, kind: str, seeds: range, save: Path | None) -> Counter[str]:
    """Play the sessions of these seeds; count those that are alike, different or unsure."""
    count: Counter[str] = Counter()
    for seed in seeds:
        case = case_of(kind, seed)
        try:
            found, wrong = compared(host, case)
            if wrong:
                case = shrunk(host, case, {difference.where for difference in wrong})
                found, wrong = compared(host, case, twice=False)
        except Unsure:
            count["unsure"] += 1
            continue
        count["different" if wrong else "alike"] += 1
        if wrong:
            print("\n".join(report(case, wrong)), flush=True)
        if wrong and save is not None:
            with save.open("a", encoding="utf-8") as file:
                file.write(json.dumps(found, ensure_ascii=False) + "\n")
    return count


def matches(name: str, seed: int, number: int, jobs: int) -> Counter[str]:
    """Verify `number` matches of each game on a host."""
    count: Counter[str] = Counter()
    for manifest in all_games()[0]:
        if not manifest.model:
            continue
        verdict = Campaign(subject_of(manifest), name, number, seed, jobs).run()
        count["alike"] += verdict.matches - verdict.failed
        count["different"] += verdict.failed
        for failure in verdict.failures:
            print("\n".join([f"--- {manifest.game}", *failure.mismatch.lines()]), flush=True)
    return count


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.compare", description=__doc__)
    parser.add_argument("--host", choices=HOSTS, default="ti99sim")
    parser.add_argument("--kind", action="append", choices=KINDS, help="default: all but games")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="sessions of each kind")
    parser.add_argument("--jobs", type=int, default=1, help="matches at a time")
    parser.add_argument("--save", type=Path, metavar="FILE", help="add cases that differ to FILE")
    options = parser.parse_args(words)
    host = host_named(options.host)
    if host.missing():
        print(f"{options.host}: {worded(host.missing())}", file=sys.stderr)
        return 2
    kinds = options.kind or KINDS[:-1]
    if options.host == OURS and set(kinds) != {"games"}:
        parser.error("virtual is our own console: --kind games is all that it can be held against")
    different = 0
    for kind in kinds:
        if kind == "games":
            count = matches(options.host, options.seed, options.count, options.jobs)
        else:
            seeds = range(options.seed, options.seed + options.count)
            count = sessions(host, kind, seeds, options.save)
        text = ", ".join(f"{number} {what}" for what, number in sorted(count.items()))
        print(f"{kind}: {text}", flush=True)
        different += count["different"]
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
