"""Fuzz area: what `lint --fix` may change: rows with mistakes, and only for the better."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from random import Random

from tests.fuzz.fuzzcore import Attempt, Fault
from tests.fuzz.fuzzsources import structured
from ti99tools.app.lint import fix_file, judge
from ti99tools.language.findings import Finding, Severity

SIGNS = "'\"~{}%@#:!?|^&$;,._()[]+-*/=<>\\"
"""Signs that find their way into a row: comments and labels of other languages, slips."""
UNKNOWN = tuple("'~{}%^|&$,;)]<>=")
"""Signs that begin no statement: what follows them is not understood."""
MOST_ROWS = 80
"""Longer pieces take seconds to correct, and tell nothing that shorter ones do not."""


def fixed_source(one: Attempt) -> str:
    """A source with a sign, letter or row too many or too few, before and after `lint --fix`."""
    rng = one.rng
    pieces = [piece for piece in structured() if 0 < len(piece) <= MOST_ROWS]
    rows = _slipped(list(rng.choice(pieces)), rng)
    one.input = text = "\n".join(rows) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.xb"
        path.write_bytes(text.encode())
        before = _errors(path)
        fixed = fix_file(str(path))
        after = _errors(path) if fixed else before
        left = path.read_bytes().decode().split("\n")
    if not fixed:
        return "as it was" if before else "without errors"
    changed = [
        at
        for at, pair in enumerate(zip(text.split("\n"), left, strict=True), 1)
        if pair[0] != pair[1]
    ]
    strange = [at for at in changed if left[at - 1].lstrip()[:1] in UNKNOWN]
    if strange:
        raise Fault(f"rows {strange} begin with a sign that nobody knows, and were changed")
    wrong = {error.place.line for error in before}
    if not set(changed) <= wrong:
        raise Fault(f"rows {changed} were changed, errors are in {sorted(map(str, wrong))}")
    if len(after) >= len(before):
        raise Fault(f"{len(before)} errors became {len(after)}: {[str(each) for each in after]}")
    new = _counted(after) - _counted(before)
    if new:
        raise Fault(f"new errors: {list(new)}")
    return "corrected"


def _errors(path: Path) -> list[Finding]:
    findings = judge(str(path)).findings
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def _counted(errors: list[Finding]) -> Counter[tuple[int | None, str]]:
    return Counter((error.place.line, error.message) for error in errors)


def _slipped(rows: list[str], rng: Random) -> list[str]:
    """The rows after one to three slips."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randrange(len(rows))
        row = rows[at]
        place = 0 if rng.random() < 0.3 else rng.randint(0, len(row))
        match rng.randrange(7):
            case 0 | 1:
                rows[at] = row[:place] + rng.choice(SIGNS) + row[place:]
            case 2:
                rows[at] = row[:place] + row[place + 1 :]
            case 3:
                rows[at] = row[:place] + rng.choice("ABEILNORST") + row[place:]
            case 4:
                rows[at] = row[:place] + row[place : place + 2][::-1] + row[place + 2 :]
            case 5:
                rows.insert(at, rng.choice(rows))
            case 6 if len(rows) > 1:
                del rows[at]
    return rows
