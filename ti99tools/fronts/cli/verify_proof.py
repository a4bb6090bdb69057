"""What `verify` proves of matches that were played elsewhere: by their logs, by a certificate."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import Command, left, print_json

if TYPE_CHECKING:
    from ti99tools.games.verify.result import LogVerdict, Proof


def certificate_options(command: Command) -> Command:
    """Add the options of a certificate to a command."""
    for option in (
        click.option("--month", metavar="YYYY-MM", default="",
                     help="With --certificate: the match must have the seed of this month."),
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
    certificate: str,
    games: tuple[str, ...],
    logs: tuple[Path, ...],
    script: Path | None,
    seed: int,
    keys: str | None,
    players: str,
    options: tuple[str, ...],
    month: str,
    as_json: bool,
) -> int:
    """Print whether the certificate fits the given match. Exit code: 0 if it does, else 1."""
    from ti99tools.app import certify

    claim = certify.ClaimedMatch(
        games,
        logs,
        script,
        None if left("seed") else seed,
        keys,
        players,
        dict(_option(text) for text in options),
        month,
    )
    proofs = certify.prove(certificate, claim)
    if as_json:
        print_json([{**asdict(proof), "proven": proof.proven} for proof in proofs])
    else:
        for proof in proofs[:1] if proofs[0].proven else proofs:
            click.echo(_line(proof))
    return 0 if proofs[0].proven else 1


def _line(proof: Proof) -> str:
    if proof.proven:
        month = f" of {proof.month}" if proof.month else ""
        won = f"; {proof.winner} has won" if proof.winner else ""
        people = ", ".join(proof.people) or "none"
        return (
            f"{proof.certificate}: proven: {proof.game}, seed {proof.seed}{month}: the score of "
            f"{proof.score} follows from {proof.source}{won}; people: {people}"
        )
    where = ", ".join(filter(None, (proof.game, proof.source)))
    return f"{proof.certificate}: refused: {proof.problem} ({where})"


def _option(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise TIError(f"{text} is not an option of a match", remedy="write NAME=VALUE")
    return name, value


def judge(logs: tuple[Path, ...], games: tuple[str, ...], machine: str, as_json: bool) -> int:
    """Print what each log is. Exit code: 1 where one is tampered, 2 where one cannot be judged."""
    from ti99tools.app.verify import judge_logs
    from ti99tools.fronts.cli.group import message_of

    verdicts: list[LogVerdict] = []
    problems: list[TIError] = []
    for path in logs:
        try:
            judged = judge_logs(path, games, machine)
        except TIError as error:
            problems.append(error)
            continue
        name = f"{path}:" if len(logs) > 1 else ""
        verdicts += [replace(verdict, file=f"{name}{verdict.file}") for verdict in judged]
    if problems and not verdicts:
        raise problems[0]
    if as_json:
        from ti99tools.games.report.data import log_data

        print_json([log_data(verdict) for verdict in verdicts])
    else:
        from rich.console import Console

        from ti99tools.games.report.text import print_logs

        print_logs(verdicts, Console())
    for problem in problems:
        click.echo(f"error: {message_of(problem)}", err=True)
    kinds = {verdict.kind.value for verdict in verdicts}
    if "tampered" in kinds:
        return 1
    return 2 if "foreign" in kinds or problems else 0
