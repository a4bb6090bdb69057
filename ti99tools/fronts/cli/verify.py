"""`ti99tools verify`: games played against the reference models, shipped games, certificates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ti99tools.fronts.cli.modes import Mode, run_mode
from ti99tools.fronts.cli.options import (
    Amount,
    OutputFile,
    Whole,
    examples,
    games,
    jobs_option,
    json_option,
    path_option,
    replace_option,
)
from ti99tools.fronts.cli.run_report import coverage_option
from ti99tools.fronts.cli.verify_matches import play, replay
from ti99tools.fronts.cli.verify_proof import certificate_options, judge, prove
from ti99tools.fronts.cli.verify_stage import run_stage
from ti99tools.games.hosts.host import HOSTS, OURS
from ti99tools.games.verify.result import FORMS, XB

RULES, SHIPPED = "rules", "shipped"
MATCHES = 50
"""Matches played of each game without --games."""
FAILURES = Path("verify-failures")
"""Folder for the scripts that replay failures."""


@click.command(
    epilog=examples(
        "ti99tools verify",
        "ti99tools verify d5000 --games 1000 --seed 7 --html d5000.html",
        "ti99tools verify d5000 --coverage lcov=d5000.info --coverage text",
        "ti99tools verify ./chess --games 50",
        "ti99tools verify ./chess --form cartridge",
        "ti99tools verify ./chess --stage shipped --games 20",
        'ti99tools verify --log mydisk.dsk --log other.hfe --machine "TI-99/4A, Gotek"',
        "ti99tools verify --replay verify-failures/d5000-1.keys",
        'ti99tools verify --certificate "RJ42 22FL ERSF" --log mydisk.dsk',
    )
)
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=games)
@click.option("--games", "count", type=Whole(min=1), default=MATCHES, show_default=True,
              help="Matches of each game.")  # fmt: skip
@click.option("--seed", type=Whole(min=0), default=0, show_default=True,
              help="Another seed makes other matches.")  # fmt: skip
@click.option("--stage", type=click.Choice([RULES, SHIPPED]), default=RULES, show_default=True,
              help="rules: every event as the rules say. shipped: the disks as they are handed "
              "out, played as people play, look and answer as from a clean start.")  # fmt: skip
@click.option("--form", type=click.Choice(FORMS), default=XB, show_default=True,
              help="What is played: the program in Extended BASIC, or the disk or cartridge that "
              "`compile` makes of it.")  # fmt: skip
@click.option(
    "--host", type=click.Choice(HOSTS), default=OURS, show_default=True, help="Where the games run."
)
@click.option("--executor", metavar="dask:ADDRESS", help="Play on a Dask cluster instead.")
@click.option(
    "--budget",
    type=Amount(min=0),
    help="Play only the shortest matches: N seconds of machine time in all.",
)
@click.option(
    "--resume",
    type=OutputFile(),
    help="Keep the matches of one GAME in FILE, and go on from there.",
)
@click.option("--html", type=OutputFile(), help="Write a report as a web page.")
@coverage_option
@path_option(
    "--log",
    "logs",
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
@path_option("--replay", "script", help="Play one failed match again.")
@path_option(
    "--save",
    folder=True,
    default=FAILURES,
    show_default=True,
    help="Folder for scripts that replay failures.",
)
@click.option(
    "--shrink",
    type=Whole(min=0),
    default=60,
    show_default=True,
    help="Matches played to shorten each failure (0: none); at most 15 seconds in all.",
)
@certificate_options
@jobs_option
@replace_option
@json_option
def command(**values: Any) -> None:
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

    The forms `disk` and `cartridge` compile the games, and play them with the same keys against the
    same rules. A cartridge has the game's disk in DSK1. Lines and statements are not counted then.

    A certificate is proven (exit code 0) when the score follows from the seed and the choices of
    the match, as --log, --replay or GAME with --seed and --keys give them; otherwise the exit code
    is 1. It does not prove who chose, or how. A certificate holds only a remainder of the seed:
    for a month it counts with --month, which compares the whole seed.
    """
    from ti99tools.base.interrupts import heed_termination

    heed_termination()
    sys.exit(run_mode(MODES, values))


_NO_STATEMENTS = "a log does not say which statements ran"
MODES = (
    Mode(prove, "certificate"),
    Mode(judge, "logs", reasons={"coverage": _NO_STATEMENTS, "html": _NO_STATEMENTS}),
    Mode(run_stage, "stage", SHIPPED),
    Mode(replay, "script"),
    Mode(play),
)
"""What the command does, in the order in which its options are looked at."""
