"""Tell which test finds each fault, and how soon."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants import drawing
from tests.mutants.by_hand import BY_HAND
from tests.mutants.drawn import DRAWN, SEED
from tests.mutants.fault import ROOT
from tests.mutants.playing import play
from tests.mutants.reach import reach
from tests.mutants.workshop import Workshop


def main(arguments: list[str] | None = None) -> int:
    """Play the faults; the exit code is 1 if one is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("faults", nargs="*", help="parts of names; all faults by default")
    parser.add_argument("--reach", type=Path, help="a file that keeps which tests reach which")
    parser.add_argument("--seconds", type=float, default=180.0, help="most of a fault")
    parser.add_argument("--json", type=Path, help="a file for the results")
    parser.add_argument("--draw", type=int, metavar="SEED", help="draw faults instead")
    parser.add_argument("--lines", type=Path, help="a report of coverage json")
    options = parser.parse_args(arguments)
    if options.draw is not None:
        faults = drawing.draw(options.draw, drawing.run_lines(options.lines), len(BY_HAND))
        (ROOT / "tests/mutants/drawn.py").write_text(drawing.as_source(options.draw, faults))
        return 0
    every = (*BY_HAND, *DRAWN)
    chosen = [f for f in every if any(part in f.name for part in options.faults or [""])]
    print(f"{len(chosen)} faults; seed of those drawn: {SEED}", flush=True)
    results: dict[str, list[object]] = {}
    with TemporaryDirectory(prefix="mutants-") as folder:
        shop = Workshop(Path(folder))
        if options.reach and options.reach.exists():
            known = json.loads(options.reach.read_text("utf-8"))
        else:
            known = reach(every, shop, [])
            if options.reach:
                options.reach.write_text(json.dumps(known), "utf-8")
        for fault in chosen:
            found = play(fault, known[fault.name], shop, options.seconds)
            results[fault.name] = [found.test, round(found.seconds, 2), found.tests]
            result = found.test or ("none can: " + fault.same if fault.same else "NOT FOUND")
            message = f"{found.seconds:7.2f} s of {found.tests:4} tests  {fault.name}: {result}"
            print(message, flush=True)
            if options.json:
                options.json.write_text(json.dumps(results, indent=1), "utf-8")
    same = {fault.name for fault in chosen if fault.same}
    lost = [name for name, (test, *_) in results.items() if not test and name not in same]
    print(f"{len(chosen) - len(lost) - len(same)} found, {len(lost)} not, {len(same)} do the same")
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
