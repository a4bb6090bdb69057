"""`ti99tools verify`: games played against the reference models, shipped games, certificates."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.group import worded
from ti99tools.fronts.cli.options import (
    Amount,
    Command,
    OutputFile,
    Whole,
    examples,
    games,
    jobs_option,
    json_option,
    print_json,
    replace_option,
)
from ti99tools.fronts.cli.run_report import Wanted, coverage_option, keep_coverage, write_coverage
from ti99tools.games.hosts.host import HOSTS, OURS

if TYPE_CHECKING:
    from ti99tools.games.verify.result import LogVerdict, Proof, Verdict
    from ti99tools.games.verify.shipped.flaws import StageVerdict


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
    code: str,
    games: tuple[str, ...],
    logs: tuple[Path, ...],
    script: Path | None,
    seed: int | None,
    keys: str | None,
    players: str,
    options: tuple[str, ...],
    month: str,
    as_json: bool,
) -> int:
    """Print whether the certificate fits the given match; returns the exit code."""
    from ti99tools.app import certify

    set_to = dict(_option(text) for text in options)
    told = certify.MatchTold(games, logs, script, seed, keys, players, set_to, month)
    proofs = certify.prove(code, told)
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


RULES, SHIPPED = "rules", "shipped"
F = TypeVar("F", bound=Callable[..., Any])


def stage_option(function: F) -> F:
    """Add the option `--stage`."""
    option = click.option(
        "--stage",
        type=click.Choice([RULES, SHIPPED]),
        default=RULES,
        show_default=True,
        help="rules: every event as the rules say. shipped: the disks as they are handed out, "
        "played as people play, look and answer as from a clean start.",
    )
    return option(function)


def run_stage(
    games: tuple[str, ...],
    count: int,
    seed: int,
    host: str,
    folder: Path,
    jobs: int,
    as_json: bool,
    others: Sequence[object],
) -> int:
    """Play the stage and report; returns the exit code.

    `others` are values of options that the stage does not have. Raises TIError if any is given.
    """
    from ti99tools.app.shipped import save, shipment
    from ti99tools.fronts.cli.progress import progress

    if any(others):
        raise TIError(
            "--stage shipped takes --games, --seed, --host, --save, --jobs and --json",
            remedy="leave out the other options",
        )
    found = shipment(games, host)
    verdicts = [*found.idle]
    replays: dict[str, list[str]] = {}
    for series in found.series(host, count, seed):
        with progress(series.game.game, count) as advance:
            verdict = replace(series, jobs=jobs).run(advance)
        verdicts.append(verdict)
        verdict.cut_off = worded(verdict.cut_off)
        paths = save(verdict, [each.folder for each in (series.game, *series.others)], folder)
        replays[verdict.game] = [
            f"ti99tools verify --replay {shlex.quote(str(path))}" for path in paths
        ]
        if verdict.cut_off:
            break
    _report_stage(verdicts, replays, as_json)
    return _code(verdicts)


def is_stage(script: Path) -> bool:
    """Tell whether the stage has saved a match in a file."""
    from ti99tools.app.shipped import is_saved

    return is_saved(script)


def replay_stage(script: Path, host: str, as_json: bool) -> int:
    """Replay a match that the stage has saved; returns the exit code."""
    from ti99tools.app.shipped import replay

    verdict = replay(script, host)
    _report_stage([verdict], {}, as_json)
    return _code([verdict])


def _report_stage(
    verdicts: Sequence[StageVerdict], replays: dict[str, list[str]], as_json: bool
) -> None:
    from ti99tools.games.report.text import print_stage, stage_data

    if as_json:
        print_json([stage_data(verdict) for verdict in verdicts])
        return
    from rich.console import Console

    print_stage(verdicts, Console(), replays)


def _code(verdicts: Sequence[StageVerdict | Verdict]) -> int:
    """130 when the user has interrupted it, else 1 when something differs or is broken, else 2 when
    it broke off, or a host could not play, else 0.
    """
    from ti99tools.base.interrupts import EXIT_CODE
    from ti99tools.games.verify.result import INTERRUPTED

    if any(verdict.cut_off == INTERRUPTED for verdict in verdicts):
        return EXIT_CODE
    if any(verdict.failed or verdict.broken for verdict in verdicts):
        return 1
    if any(verdict.cut_off for verdict in verdicts):
        return 2
    return 2 if any(verdict.not_run or not verdict.matches for verdict in verdicts) else 0


MATCHES, MANY = 50, 1000
"""Matches played of each game, by default and in a long proof."""
FAILURES = Path("verify-failures")
"""Folder for the scripts that replay failures."""


@click.command(
    epilog=examples(
        "ti99tools verify",
        "ti99tools verify d5000 --games 1000 --seed 7 --html d5000.html",
        "ti99tools verify d5000 --coverage lcov=d5000.info --coverage text",
        "ti99tools verify ./chess --games 50",
        "ti99tools verify ./chess --stage shipped --games 20",
        'ti99tools verify --log mydisk.dsk --log other.hfe --machine "TI-99/4A, Gotek"',
        "ti99tools verify --replay verify-failures/d5000-1.keys",
        'ti99tools verify --certificate "RJ42 22FL ERSF" --log mydisk.dsk',
    )
)
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=games)
@click.option("--games", "count", type=Whole(min=1), default=MATCHES, show_default=True,
              metavar="N", help="Matches of each game.")  # fmt: skip
@click.option("--seed", type=Whole(min=0), default=0, show_default=True, metavar="N",
              help="Another seed makes other matches.")  # fmt: skip
@stage_option
@click.option(
    "--host", type=click.Choice(HOSTS), default=OURS, show_default=True, help="Where the games run."
)
@click.option("--executor", metavar="dask:ADDRESS", help="Play on a Dask cluster instead.")
@click.option(
    "--budget",
    type=Amount(min=0),
    metavar="N",
    help="Play only the shortest matches: N seconds of machine time in all.",
)
@click.option(
    "--resume",
    type=OutputFile(),
    metavar="FILE",
    help="Keep the matches of one GAME in FILE, and go on from there.",
)
@click.option("--html", type=OutputFile(), help="Write a report as a web page.")
@coverage_option
@click.option(
    "--log",
    "logs",
    type=click.Path(path_type=Path),
    metavar="FILE",
    multiple=True,
    help="Judge the play logs on a disk image (of any form), in a TIFILES file or a text "
    "instead; may be given several times.",
)
@click.option(
    "--machine",
    default="",
    metavar="TEXT",
    help="With --log: where that was played, for the report.",
)
@click.option(
    "--replay",
    "script",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Play one failed match again.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, file_okay=False),
    default=FAILURES,
    metavar="DIR",
    show_default=True,
    help="Folder for scripts that replay failures.",
)
@click.option(
    "--shrink",
    type=Whole(min=0),
    default=60,
    show_default=True,
    metavar="N",
    help="Matches played to shorten each failure (0: none); at most 15 seconds in all.",
)
@certificate_options
@jobs_option
@replace_option
@json_option
def command(
    games: tuple[str, ...],
    count: int,
    seed: int,
    stage: str,
    host: str,
    executor: str | None,
    budget: float | None,
    resume: Path | None,
    html: Path | None,
    coverage: Wanted,
    logs: tuple[Path, ...],
    machine: str,
    script: Path | None,
    save: Path,
    shrink: int,
    certificate: str | None,
    keys: str | None,
    players: str,
    options: tuple[str, ...],
    month: str,
    jobs: int,
    replace: bool,
    as_json: bool,
) -> None:
    """Play GAMEs (default: all) and compare every event with the rules.

    GAME is the name of a game, of ti99tools or of an installed package, or a game's folder.

    Each match is played twice from the same seed and keys: by the game's program on the console,
    and by the reference model of its rules. Their play logs must agree line by line, and the
    numbers on the screens with both. A long proof is --games 1000. With --log and --replay, GAMEs
    say whose rules count where the log or script alone does not tell. The exit code is 1 when
    something differs or a game is broken, 2 when the host cannot run, 130 after Ctrl-C.

    A log is complete, truncated (it breaks off, and follows the rules so far), tampered (it does
    not follow them) or foreign (of another game, version or form). With --log the exit code is 1
    when one is tampered, else 2 when one is foreign or a FILE has none, else 0.

    The first match that differs is shown at once. At the end the failures are played again with
    fewer keys, players and options, as long as they fail in the same way. Ctrl-C gives the verdict
    on the matches that are finished, or the failures as short as they are.

    Coverage counts the statements of the source in all matches together, except in those that are
    played again to simplify a failure.

    The stage `shipped` builds all disks of the GAMEs. Each is started from its disk, its fast disk
    and the menu, on a machine on which another program or game has left characters, colours,
    sprites and memory as they were. Keys are released after 67 to 600 ms whether or not they were
    seen, and some come too early. FCTN-4 comes anywhere. The disk is out for a while, protected or
    full. Before every key the screen must look as from a clean start, no key that the game asks for
    may be lost, and the play logs must be the same.

    On an emulator, every match is played on the embedded console first, and the screens must be the
    same. The stage `shipped` compares an emulator with itself, from a clean start. What it cannot
    do is left out and counted.

    A certificate is proven (exit code 0) when the score follows from the seed and the choices of
    the match, as --log, --replay or GAME with --seed and --keys give them; otherwise the exit code
    is 1. It does not prove who chose, or how. A certificate holds only a remainder of the seed:
    for a month it counts with --month, which compares the whole seed.
    """
    from ti99tools.app.source import OutputKind, keep_others
    from ti99tools.app.verify import replay, save_failures, subjects
    from ti99tools.base.interrupts import heed_termination
    from ti99tools.fronts.cli.verifying import announce, play_games
    from ti99tools.games.verify.campaign import Campaign
    from ti99tools.games.verify.shrinking import Patience

    heed_termination()
    if certificate is not None:
        given = _given("seed", seed)
        told = games, logs, script, given, keys, players, options, month
        sys.exit(prove(certificate, *told, as_json))
    if month:
        raise TIError("--month is for checking a certificate", remedy="add --certificate CODE")
    if keys is not None:
        raise TIError("--keys is for checking a certificate", remedy="add --certificate CODE")
    if logs:
        if coverage or html:
            raise TIError(
                "a log does not say which statements ran", remedy="leave out --coverage and --html"
            )
        sys.exit(_judge_logs(logs, games, machine, as_json))
    if machine:
        raise TIError("--machine says where a log was played", remedy="add --log FILE")
    if stage == SHIPPED:
        others = (executor, budget, resume, html, coverage, script, _given("shrink", 1))
        sys.exit(run_stage(games, count, seed, host, save, jobs, as_json, others))
    keep_coverage(coverage, replace)
    keep_others(html, kind=OutputKind.PAGE, replace=replace)
    if script is not None and is_stage(script):
        sys.exit(replay_stage(script, host, as_json))
    if script is not None:
        verdict = replay(script, host, games, look=True)
        replays = _replays([verdict], {verdict.game: [str(script)]}, games)
        _report([verdict], replays, html, coverage, as_json)
        sys.exit(int(verdict.failed > 0))
    if resume is not None and len(games) != 1:
        raise TIError("--resume keeps the matches of one game", remedy="name one GAME")
    if not (games or as_json):
        announce(count, MANY)
    counted = bool(coverage or html)
    verdicts = play_games(
        subjects(games, host),
        lambda found: Campaign(found, host, count, seed, jobs, budget, resume, counted),
        executor,
        Patience(shrink),
    )
    scripts = {}
    for verdict in verdicts:
        scripts[verdict.game] = [str(path) for path in save_failures(verdict, save)]
        for path in scripts[verdict.game]:
            click.echo(f"wrote {path}", err=True)
    _report(verdicts, _replays(verdicts, scripts, games), html, coverage, as_json)
    if any(verdict.failed or verdict.broken or verdict.cut_off for verdict in verdicts):
        sys.exit(_code(verdicts))
    sys.exit(2 if host != "virtual" and any(verdict.not_run for verdict in verdicts) else 0)


def _given(option: str, value: int) -> int | None:
    """The value of an option, if given."""
    source = click.get_current_context().get_parameter_source(option)
    return None if source is ParameterSource.DEFAULT else value


def _replays(
    verdicts: list[Verdict], scripts: dict[str, list[str]], games: tuple[str, ...]
) -> dict[str, list[str]]:
    """The commands that replay the failures of each game, with its folder if one was named."""
    folders = {}
    for game, verdict in zip(games, verdicts, strict=False):
        if game != verdict.game:
            folders[verdict.game] = f" {shlex.quote(game)}"
    hosts = {v.game: f" --host {v.host}" for v in verdicts if v.host != "virtual"}
    return {
        game: [
            f"ti99tools verify{folders.get(game, '')} --replay {shlex.quote(path)}"
            f"{hosts.get(game, '')}"
            for path in paths
        ]
        for game, paths in scripts.items()
    }


def _report(
    verdicts: list[Verdict],
    replays: dict[str, list[str]],
    html: Path | None,
    coverage: Wanted,
    as_json: bool,
) -> None:
    """Output verdicts in all forms; `replays` are commands for the failures of each game."""
    from ti99tools.app.cover import of_verdicts

    if html is not None:
        _write_page(html, verdicts, replays)
    _print(verdicts, replays, as_json)
    if html is None and not as_json and any(verdict.failures for verdict in verdicts):
        click.echo("\n--html FILE shows the screens and statements of matches that differ")
    if coverage:
        write_coverage(of_verdicts(verdicts), coverage, aside=as_json)


def _write_page(html: Path, verdicts: list[Verdict], replays: dict[str, list[str]]) -> None:
    from ti99tools.app.cover import named, texts
    from ti99tools.base.hostio import write_atomically
    from ti99tools.games.report.html import About, page

    for verdict in verdicts:
        verdict.coverage = None if verdict.coverage is None else named(verdict.coverage)
    sources: dict[str, list[str]] = {}
    for verdict in verdicts:
        if verdict.coverage is not None:
            sources |= texts(verdict.coverage)
    write_atomically(html, page(verdicts, About(texts=sources, replays=replays)))


def _print(verdicts: list[Verdict], replays: dict[str, list[str]], as_json: bool) -> None:
    if as_json:
        from ti99tools.games.report.data import verdict_data

        print_json([verdict_data(verdict) for verdict in verdicts])
        return
    from rich.console import Console

    from ti99tools.games.report.text import print_verdicts

    print_verdicts(verdicts, Console(), replays)


def _judge_logs(
    paths: tuple[Path, ...], games: tuple[str, ...], machine: str, as_json: bool
) -> int:
    from ti99tools.app.verify import judge_logs
    from ti99tools.fronts.cli.group import told

    verdicts: list[LogVerdict] = []
    problems: list[TIError] = []
    for path in paths:
        try:
            found = judge_logs(path, games, machine)
        except TIError as error:
            problems.append(error)
            continue
        name = f"{path}:" if len(paths) > 1 else ""
        verdicts += [replace(verdict, file=f"{name}{verdict.file}") for verdict in found]
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
        click.echo(f"error: {told(problem)}", err=True)
    kinds = {verdict.kind.value for verdict in verdicts}
    if "tampered" in kinds:
        return 1
    return 2 if "foreign" in kinds or problems else 0
