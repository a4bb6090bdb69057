"""The work of `verify --certificate` and `challenge`: certificates proven, seeds of the month."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ti99tools.base.errors import Remedy, TIError
from ti99tools.base.hostio import read_text
from ti99tools.computer.console.keyscript import unescape
from ti99tools.games.build.finding import all_games, find_game
from ti99tools.games.build.manifest import Manifest
from ti99tools.games.hosts.disklog import read_logs
from ti99tools.games.models.certificate import Certificate
from ti99tools.games.models.model import ENTER, Player, Setup
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter_of, by_log_name
from ti99tools.games.verify.proof import by_keys, by_log, monthly_seed
from ti99tools.games.verify.result import Proof
from ti99tools.games.verify.scenario import from_script

_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


@dataclass(frozen=True)
class Challenge:
    """A game's seed for a month; `title` is what people call the game."""

    game: str
    title: str
    month: str
    seed: int


@dataclass(frozen=True)
class MatchTold:
    """The match that a certificate is said to be of: logs, a script, or game, seed and keys.

    In `keys` a backslash and n is ENTER; `players` has a letter for each: H, or a kind of computer.
    """

    games: Sequence[str] = ()
    logs: Sequence[Path] = ()
    script: Path | None = None
    seed: int | None = None
    keys: str | None = None
    players: str = "H"
    options: Mapping[str, str] = field(default_factory=dict)


def prove(code: str, told: MatchTold) -> list[Proof]:
    """Check a certificate against the given matches; those that prove it come first.

    Raises TIError when it is not a certificate, or when nothing can prove it.
    """
    certificate = _certificate(code)
    if told.logs:
        return _by_logs(certificate, told)
    if told.script is not None:
        scenario = from_script(read_text(told.script), str(told.script))
        adapter = _certifying(scenario.game)
        name = told.script.name
        return [by_keys(certificate, adapter, scenario.setup, scenario.keys, name)]
    if told.keys is None or told.seed is None or len(told.games) != 1:
        raise TIError(
            f"{_alone(certificate)}; by itself it proves nothing", remedy=Remedy.PROVE_CERTIFICATE
        )
    return [_by_keys(certificate, told.games[0], told.seed, told.keys, told)]


def _certificate(text: str) -> Certificate:
    try:
        return Certificate.read(text)
    except ValueError as error:
        raise TIError(
            f"{text} is no certificate: {error}", remedy="copy it from the screen again"
        ) from error


def _alone(certificate: Certificate) -> str:
    """What a certificate says on its own."""
    games = (each for each in _certified() if each.model.letter == certificate.letter)
    first = next(games, None)
    game = "an unknown game" if first is None else first.manifest.title
    return f"{certificate} is of {game}, score {certificate.score}"


def _by_logs(certificate: Certificate, told: MatchTold) -> list[Proof]:
    manifests = [find_game(name) for name in told.games] or all_games()[0]
    proofs = []
    for path in told.logs:
        for found in read_logs(path):
            if found.log is None:
                problem = str(found.error)
                proofs.append(Proof(str(certificate), "", 0, 0, found.file, problem))
                continue
            adapter = by_log_name(found.log.game, manifests)
            _check_letter(adapter)
            proofs.append(by_log(certificate, adapter, found.log, found.file))
    return sorted(proofs, key=lambda proof: not proof.proven)


def _by_keys(certificate: Certificate, game: str, seed: int, keys: str, told: MatchTold) -> Proof:
    adapter = _certifying(game)
    seats = tuple(Player(kind, f"P{seat}") for seat, kind in enumerate(told.players.upper(), 1))
    codes = [ENTER if key == "\n" else ord(key) for key in unescape(keys).upper()]
    setup = Setup(seed, seats, told.options)
    try:
        return by_keys(certificate, adapter, setup, codes, f"{len(codes)} keys")
    except ValueError as error:
        raise TIError(str(error), remedy=Remedy.PLAYERS) from error


def challenges(games: Sequence[str], month: str) -> list[Challenge]:
    """The seeds of a month, `YYYY-MM`, for these games; without names for all with certificates.

    Raises TIError for another form of month, and for a game without certificates.
    """
    if not _MONTH.fullmatch(month):
        raise TIError(f"{month} is no month", remedy="write YYYY-MM, such as 2026-12")
    adapters = [_certifying(name) for name in games] if games else list(_certified())
    return [
        Challenge(each.name, each.manifest.title, month, monthly_seed(each.model.game, month))
        for each in adapters
    ]


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
