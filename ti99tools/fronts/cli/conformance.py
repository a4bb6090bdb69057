"""`ti99tools conformance`: recorded cases compared with the console."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ti99tools.fronts.cli.options import (
    OutputFile,
    examples,
    jobs_option,
    json_option,
    path_option,
    print_json,
)
from ti99tools.games.hosts.host import HOSTS, OURS

if TYPE_CHECKING:
    from ti99tools.games.conformance.cases import Case
    from ti99tools.games.conformance.outcome import Summary


@click.command(
    epilog=examples(
        "ti99tools conformance tests/conformance",
        "ti99tools conformance tests/conformance --area using --diff",
        "ti99tools conformance tests/conformance/lang-rnd.jsonl --id lang-rnd-seed",
        "ti99tools conformance tests/conformance --area lang --host ti99sim",
        "ti99tools conformance tests/conformance --form cartridge --host ti99sim",
        "ti99tools conformance mine.jsonl --host ti99sim --record recorded.jsonl",
    )
)
@click.argument("cases", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--area", metavar="NAME", help="Only this area or file (a name, its beginning, or *)."
)
@click.option(
    "--id", "wanted", metavar="NAME", help="Only this case (a name, its beginning, or *)."
)
@click.option("--diff", is_flag=True, help="Show how each failed case differs.")
@path_option(
    "--known",
    help="List of known failures (default: known_failures.txt beside the cases; with an emulator: "
    "known_on_hosts.txt).",
)
@click.option(
    "--host",
    type=click.Choice(HOSTS),
    default=OURS,
    show_default=True,
    help="Where the cases are played.",
)
@click.option(
    "--form",
    type=click.Choice(("basic", "cartridge")),
    default="basic",
    show_default=True,
    help="Run programs in Extended BASIC, or compile them and play the cartridge.",
)
@click.option(
    "--record",
    type=OutputFile(),
    help="With an emulator: write CASES with what it did as their results.",
)
@jobs_option
@json_option
def command(
    cases: tuple[Path, ...],
    area: str | None,
    wanted: str | None,
    diff: bool,
    known: Path | None,
    host: str,
    form: str,
    record: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Compare the console with CASES recorded from the original ROMs.

    The original ROMs were run by an emulation of the hardware, not by a physical console. CASES are
    files or folders of JSON Lines. The last line counts the values that agree and those that do
    not. A time passes when it is off by at most 5 %. The exit code is 1 when a case fails that is
    not a known failure, and 2 when a file could not be read; the other files are still run.

    With --host mame or ti99sim the cases are played on an emulator with your own ROMs, which checks
    the recordings themselves; our console takes no part. Single instructions, times and tapes are
    left out. Kinds of differences that emulators are known to have are listed with their reasons.
    With --record each case is played twice, the second time a little later, and kept if both
    results agree.

    With --form cartridge the programs are compiled, and the cartridge must do what was recorded, on
    our console or an emulator. What cannot be compared is counted by reason: a script that goes on
    at the prompt, what the compiler refuses. Known differences are in known_as_cartridges.txt.
    """
    from ti99tools.app.conformance import chosen_cases, hold, known_failures, known_kinds, playable
    from ti99tools.base.errors import TIError
    from ti99tools.fronts.cli.group import message_of
    from ti99tools.fronts.cli.progress import progress

    left_out: list[TIError] = []
    chosen = chosen_cases(cases, area, wanted, left_out)
    cartridge = form == "cartridge"
    if record is not None:
        if cartridge:
            raise TIError("a cartridge records nothing", remedy="leave out --record or --form")
        sys.exit(_record(chosen, host, record))
    if host != OURS or cartridge:
        chosen, others = playable(chosen, "" if host == OURS else host, cartridge)
        for kind, count in others.items():
            click.echo(f"left out: {count} of kind {kind}", err=True)
    with progress("cases", len(chosen)) as advance:
        if host == OURS or cartridge:
            listed = known_failures(cases, known, cartridge)
            place = "" if host == OURS else host
            summary = hold(chosen, listed, jobs, advance, place, cartridge=cartridge)
        else:
            summary = hold(chosen, {}, jobs, advance, host, known_kinds(cases, known))
    _show(summary, diff, as_json)
    for error in left_out:
        click.echo(f"error: left out: {message_of(error)}", err=True)
    sys.exit(2 if left_out else 1 if summary.unexpected else 0)


def _show(summary: Summary, diff: bool, as_json: bool) -> None:
    """Print the outcome of the cases."""
    from ti99tools.games.conformance.outcome import areas, data, failures, verdict

    if as_json:
        print_json(data(summary))
        return
    for line in (*failures(summary, diff), *areas(summary), *verdict(summary)):
        click.echo(line)


def _record(cases: list[Case], host: str, file: Path) -> int:
    """Record cases on an emulator; 1 when some had two different results."""
    from ti99tools.app.conformance import record_cases
    from ti99tools.base.errors import TIError
    from ti99tools.fronts.cli.progress import progress

    if host == OURS:
        raise TIError("our console records nothing", remedy="name an emulator: --host ti99sim")
    with progress("cases", len(cases)) as advance:
        count, unsure = record_cases(cases, host, file, advance)
    for name in unsure:
        click.echo(f"left out: {name}: two ways, 2 frames apart", err=True)
    click.echo(f"wrote {file}: {count} case{'s' * (count != 1)}", err=True)
    return int(bool(unsure))
