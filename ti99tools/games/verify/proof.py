"""The challenge of the month, and certificates checked against their match.

The seed of the month is the same for everybody; it depends on a game's name and the month. The text
`DICERACK 2026-12` (the game as play logs name it, a blank, year and month) goes through SHA-256;
the digest, read as one large number, modulo 100,000,000 is the seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from ti99tools.games.models.certificate import Certificate
from ti99tools.games.models.model import Match, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.compare import follow
from ti99tools.games.verify.result import Proof

SEEDS = 10**8


def monthly_seed(game: str, month: str) -> int:
    """The seed of a game (as in the first line of its logs) for a month, `YYYY-MM`.

    >>> monthly_seed("DICERACK", "2026-12")
    85175935
    """
    digest = hashlib.sha256(f"{game} {month}".encode()).digest()
    return int.from_bytes(digest, "big") % SEEDS


def by_log(claimed: Certificate, adapter: Adapter, log: PlayLog, source: str) -> Proof:
    """Check a certificate against a match that was logged."""
    with MODELS:
        match, wrong = follow(log, adapter.model)
    if match is None or wrong is not None:
        problem = "the log does not follow the rules"
        if wrong is not None:
            problem += f" in line {wrong.index + 3}: {wrong.expected}, not {wrong.got}"
        return Proof(str(claimed), adapter.name, log.seed, 0, source, problem)
    return _proof(claimed, adapter, match, source)


def by_keys(
    claimed: Certificate, adapter: Adapter, setup: Setup, keys: Iterable[int], source: str
) -> Proof:
    """Check a certificate against the match that these keys make."""
    with MODELS:
        match = Match(adapter.model(setup))
        for key in keys:
            if match.ask is not None:
                match.press(key)
    return _proof(claimed, adapter, match, source)


def _proof(claimed: Certificate, adapter: Adapter, match: Match, source: str) -> Proof:
    model = match.model
    if match.ask is not None:
        unfinished = f"the match is not over after {source}: only a whole one has a certificate"
        problem = _other_match(claimed, model.certificate()) or unfinished
    else:
        problem = difference(claimed, model.certificate(), model.final_score())
    seed, score = model.setup.seed, model.final_score()
    return Proof(str(claimed), adapter.name, seed, score, source, problem)


def difference(claimed: Certificate, right: Certificate, score: int) -> str:
    """Why a certificate does not fit a match with this score; empty when it does."""
    other = _other_match(claimed, right)
    if other:
        return other
    if claimed.choices != right.choices:
        return "it is of other choices with this seed"
    if claimed.score != right.score:
        return f"it says a score of {claimed.score}, but these choices make {score}"
    return ""


def _other_match(claimed: Certificate, right: Certificate) -> str:
    """Why a certificate is of another match, whatever was chosen; empty when it may be of it."""
    if claimed.letter != right.letter:
        return f"it is of another game: it begins with {claimed.letter}, not {right.letter}"
    return "it is of another seed" if claimed.seed != right.seed else ""
