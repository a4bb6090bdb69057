"""`verify --certificate`: its options, and the certificate proven or refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import print_json

if TYPE_CHECKING:
    from ti99tools.games.verify.result import Proof

Command = TypeVar("Command", bound=Callable[..., Any])


def certificate_options(command: Command) -> Command:
    """Add the options of a certificate to a command."""
    for option in (
        click.option("--option", "options", metavar="NAME=VALUE", multiple=True,
                     help="With --keys: an option of the match."),
        click.option("--players", default="H", show_default=True, metavar="TEXT",
                     help="With --keys: a letter for each player: H, or a kind of computer "
                     "(d5000: T, A, G, I)."),
        click.option("--keys", metavar="TEXT",
                     help=r"With --certificate, GAME and --seed: the keys of the match, \n is "
                     "ENTER."),
        click.option("--certificate", metavar="CODE",
                     help="Prove the twelve characters at the end of a match instead: with --log, "
                     "with --replay, or with GAME, --seed and --keys."),
    ):  # fmt: skip
        command = option(command)
    return command


def prove(
    code: str,
    games: tuple[str, ...],
    logs: tuple[Path, ...],
    script: Path | None,
    seed: int | None,
    keys: str | None,
    players: str,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Print whether the certificate fits the given match; returns the exit code."""
    from ti99tools.app import certify

    set_to = dict(_option(text) for text in options)
    told = certify.MatchTold(games, logs, script, seed, keys, players, set_to)
    proofs = certify.prove(code, told)
    if as_json:
        print_json([{**asdict(proof), "proven": proof.proven} for proof in proofs])
    else:
        for proof in proofs[:1] if proofs[0].proven else proofs:
            click.echo(_line(proof))
    return 0 if proofs[0].proven else 1


def _line(proof: Proof) -> str:
    if proof.proven:
        return (
            f"{proof.certificate}: proven: {proof.game}, seed {proof.seed}: the score of "
            f"{proof.score} follows from {proof.source}"
        )
    where = ", ".join(filter(None, (proof.game, proof.source)))
    return f"{proof.certificate}: refused: {proof.problem} ({where})"


def _option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise TIError(f"{text} is no option of a match", remedy="write NAME=VALUE")
    return name, value
