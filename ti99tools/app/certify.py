"""The work of `verify --certificate` and `challenge`: certificates proven, seeds of the month.

The seed of the month is the same for everybody; it depends on a game's name and the month. It is
the SHA-256 digest of a text like `DICERACK 2026-12` (the game as play logs name it, a space, year
and month), read as one big-endian number, modulo 100,000,000.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ti99tools.app.verify import of_another_version
from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import read_text
from ti99tools.computer.console.keyscript import unescape
from ti99tools.games.hosts.disklog import read_logs
from ti99tools.games.making.finding import all_games, find_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.models.certificate import Certificate
from ti99tools.games.models.model import ENTER, Match, Player, Setup
from ti99tools.games.models.playlog import SEED_DIGITS, PlayLog
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import MODELS
from ti99tools.games.verify.judging import follow
from ti99tools.games.verify.loading import adapter_of, by_log_name
from ti99tools.games.verify.result import Proof
from ti99tools.games.verify.scenario import from_script

SEEDS: int = 10**SEED_DIGITS
PERSON = "H"
"""The kind of a player that is a person, in all games."""


def monthly_seed(game: str, month: str) -> int:
    """The seed of a game (as in the first line of its logs) for a month, `YYYY-MM`.

    >>> monthly_seed("DICERACK", "2026-12")
    85175935
    """
    digest = hashlib.sha256(f"{game} {month}".encode()).digest()
    return int.from_bytes(digest, "big") % SEEDS


def by_log(claimed: Certificate, adapter: Adapter, log: PlayLog, source: str) -> Proof:
    """Check a certificate against a logged match."""
    with MODELS:
        match, wrong = follow(log, adapter.model)
    foreign = of_another_version(log, adapter, wrong is None)
    if foreign:
        return Proof(str(claimed), adapter.name, log.seed, 0, source, foreign)
    if match is None or wrong is not None:
        problem = "the log does not follow the rules"
        if wrong is not None:
            problem += f" in line {wrong.index + 3}: {wrong.expected}, not {wrong.got}"
        return Proof(str(claimed), adapter.name, log.seed, 0, source, problem)
    if not log.complete:
        problem = "the log breaks off: it does not end with END"
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
    seats = model.setup.players
    won = model.winner_seat()
    return Proof(
        str(claimed),
        adapter.name,
        seed,
        score,
        source,
        problem,
        winner="" if won is None else seats[won].name,
        people=tuple(player.name for player in seats if player.kind == PERSON),
    )


def of_month(proof: Proof, adapter: Adapter, month: str) -> Proof:
    """The proof, refused when the match has another seed than the month, in full.

    The certificate holds only the remainder of the seed, which one seed in 1021 shares.
    """
    right = monthly_seed(adapter.model.game, month)
    if proof.seed == right or not proof.proven:
        return replace(proof, month=month if proof.proven else "")
    problem = f"its seed is {proof.seed}, but the seed of {month} is {right}"
    return replace(proof, problem=problem)


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
    """Why a certificate is of another match, whatever the choices; empty when it may fit."""
    if claimed.letter != right.letter:
        return f"it is of another game: it begins with {claimed.letter}, not {right.letter}"
    return "it is of another seed" if claimed.seed != right.seed else ""


_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


@dataclass(frozen=True)
class Challenge:
    """A game's seed for a month; `title` is what people call the game."""

    game: str
    title: str
    month: str
    seed: int


@dataclass(frozen=True)
class ClaimedMatch:
    """The match that a certificate is said to be of: logs, a script, or game, seed and keys.

    In `keys`, backslash and n mean ENTER. `players` has a letter for each player: H for a human, or
    that of a kind of computer player. `month` is the one whose seed the match must have, `YYYY-MM`.
    """

    games: Sequence[str]
    logs: Sequence[Path]
    script: Path | None
    seed: int | None = None
    keys: str | None = None
    players: str = "H"
    options: Mapping[str, str] = field(default_factory=dict)
    month: str = ""


def prove(code: str, claim: ClaimedMatch) -> list[Proof]:
    """Check a certificate against the given matches; matches that prove it come first.

    Raises TIError when `code` is not a certificate, or no match is given.
    """
    certificate = _certificate(code)
    if claim.month:
        _check_month(claim.month)
    if claim.logs:
        return _by_logs(certificate, claim)
    if claim.script is not None:
        scenario = from_script(read_text(claim.script), str(claim.script))
        adapter = _certifying(scenario.game)
        name = claim.script.name
        proof = by_keys(certificate, adapter, scenario.setup, scenario.keys, name)
        return [_in_month(proof, adapter, claim)]
    if claim.keys is None or (claim.seed is None and not claim.month) or len(claim.games) != 1:
        raise TIError(
            f"{_alone(certificate)}; by itself it proves nothing", remedy=Remedy.PROVE_CERTIFICATE
        )
    return [_by_keys(certificate, claim.games[0], claim.keys, claim)]


def _in_month(proof: Proof, adapter: Adapter, claim: ClaimedMatch) -> Proof:
    return of_month(proof, adapter, claim.month) if claim.month else proof


def _certificate(text: str) -> Certificate:
    try:
        return Certificate.read(text)
    except ValueError as error:
        raise TIError(
            f"{text} is not a certificate: {error}", remedy="copy it from the screen again"
        ) from error


def _alone(certificate: Certificate) -> str:
    """What a certificate says by itself, as a phrase."""
    games = (each for each in _certified() if each.model.letter == certificate.letter)
    first = next(games, None)
    game = "an unknown game" if first is None else first.manifest.title
    return f"{certificate} is of {game}, score {certificate.score}"


def _by_logs(certificate: Certificate, claim: ClaimedMatch) -> list[Proof]:
    manifests = [find_game(name) for name in claim.games] or all_games()[0]
    proofs = []
    for path in claim.logs:
        for entry in read_logs(path):
            if entry.log is None:
                problem = str(entry.error)
                proofs.append(Proof(str(certificate), "", 0, 0, entry.file, problem))
                continue
            adapter = by_log_name(entry.log.game, manifests)
            _check_letter(adapter)
            proof = by_log(certificate, adapter, entry.log, entry.file)
            proofs.append(_in_month(proof, adapter, claim))
    return sorted(proofs, key=lambda proof: not proof.proven)


def _by_keys(certificate: Certificate, game: str, keys: str, claim: ClaimedMatch) -> Proof:
    adapter = _certifying(game)
    seed = monthly_seed(adapter.model.game, claim.month) if claim.seed is None else claim.seed
    if not 0 <= seed < SEEDS:
        problem = f"no game takes the seed {seed}"
        raise TIError(problem, remedy=f"it has {SEED_DIGITS} digits at most")
    seats = tuple(Player(kind, f"P{seat}") for seat, kind in enumerate(claim.players.upper(), 1))
    codes = [ENTER if key == "\n" else ord(key) for key in unescape(keys).upper()]
    setup = Setup(seed, seats, claim.options)
    try:
        proof = by_keys(certificate, adapter, setup, codes, f"{len(codes)} keys")
        return _in_month(proof, adapter, claim)
    except ValueError as error:
        raise TIError(str(error), remedy=Remedy.PLAYERS) from error


def challenges(games: Sequence[str], month: str) -> list[Challenge]:
    """The seeds of a month, `YYYY-MM`, for these games; without names, for all with certificates.

    Raises TIError for an invalid month, and for a game without certificates.
    """
    _check_month(month)
    adapters = [_certifying(name) for name in games] if games else list(_certified())
    return [
        Challenge(each.name, each.manifest.title, month, monthly_seed(each.model.game, month))
        for each in adapters
    ]


def _check_month(month: str) -> None:
    if not _MONTH.fullmatch(month):
        raise TIError(f"{month} is not a month", remedy="write YYYY-MM, such as 2026-12")


def _certifying(game: str) -> Adapter:
    adapter = adapter_of(find_game(game))
    _check_letter(adapter)
    return adapter


def _certified() -> Iterator[Adapter]:
    """The games that show certificates; broken ones are skipped."""
    for manifest in all_games()[0]:
        adapter = _adapter(manifest)
        if adapter is not None and adapter.model.letter:
            yield adapter


def _adapter(manifest: Manifest) -> Adapter | None:
    try:
        return adapter_of(manifest)
    except TIError:
        return None


def _check_letter(adapter: Adapter) -> None:
    if not adapter.model.letter:
        raise TIError(
            f"{adapter.name} shows no certificates",
            remedy="include cert.xb in it, and give its model a letter",
        )
