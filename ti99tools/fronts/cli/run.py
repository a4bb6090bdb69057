"""`ti99tools run`: a program on the headless console."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ti99tools.base.errors import TIError
from ti99tools.fronts.cli.options import (
    OutputFile,
    Whole,
    check_ending,
    connect_options,
    examples,
    gathered,
    given,
    json_option,
    path_option,
    print_json,
    print_rows,
    saves_option,
    session_options,
)
from ti99tools.fronts.cli.run_report import (
    Wanted,
    coverage_option,
    keep_coverage,
    require_start,
    write_coverage,
)

if TYPE_CHECKING:
    from ti99tools.app.run import Headless, RunRequest, Wires
    from ti99tools.app.run_output import Recording


def _recording(values: dict[str, Any], _others: dict[str, Any]) -> Recording:
    from ti99tools.app.run_output import Recording

    return Recording(**values)


recording_options = gathered(
    "recording",
    _recording,
    path_option(
        "--snaps",
        folder=True,
        help="Write the picture of every snap of the script as DIR/NAME.png.",
    ),
    click.option("--wav", type=OutputFile(), help="Write the sound of the whole run as WAV."),
    click.option(
        "--scale",
        type=Whole(1, 8),
        help="Pixels that a dot of PNG and GIF is wide (default 2 and 1).",
    ),
    click.option("--fps", type=Whole(1, 50), help="Pictures a second of the GIF (default 10)."),
    click.option("--gif", type=OutputFile(), help="Write an animation of the whole run as GIF."),
    click.option("--png", type=OutputFile(), help="Write the last picture as PNG."),
)
"""Adds pictures and sound; the command receives `recording`."""


@click.command(
    epilog=examples(
        "ti99tools run game.xb --screen",
        "ti99tools run game.xb --randomize 3 --screen",
        'ti99tools run d5000 --seed 7 --keys "12HBOB\\nHANN\\n" --until "S TURN" --screen',
        "ti99tools run disk.dsk HELLO --json",
        "ti99tools run disk.dsk --script keys.txt --png screen.png --save-disk after.dsk",
        "ti99tools run game.xb --gif game.gif --fps 20 --scale 2 --wav game.wav",
        'ti99tools run scores.xb --cs1 scores.wav --keys "\\n\\n\\n"',
        "ti99tools run report.xb --pio report.txt",
    )
)
@session_options
@click.option("--randomize", type=Whole(min=0), help="RANDOMIZE finds the clock N frames later.")
@click.option(
    "--screen/--no-screen",
    default=None,
    help="Print the last screen, and every snap of the script; on a terminal that is the default.",
)
@click.option(
    "--codes",
    is_flag=True,
    help="Print screens by character code, redefined characters as the standard ones.",
)
@click.option("--vars", "variables", is_flag=True, help="Print the variables at the end.")
@json_option
@click.option(
    "--debug", is_flag=True, help="Debug it with commands instead, as `ti99tools debug` does."
)
@recording_options
@saves_option
@connect_options
@coverage_option
@click.option("--show-code", is_flag=True, help="Print the Python that was run for the program.")
def command(
    target: str,
    request: RunRequest,
    screen: bool | None,
    codes: bool,
    variables: bool,
    as_json: bool,
    debug: bool,
    recording: Recording,
    saves: tuple[tuple[str, Path], ...],
    wires: Wires,
    coverage: Wanted,
    show_code: bool,
    randomize: int | None,
) -> None:
    """Run TARGET without a window: a source, a program file, a disk image, or a game.

    A program runs from memory. A disk starts as DSK1 does, or with the PROGRAM that you name.
    Without a disk, DSK1 is blank.

    First the steps of --script are done, then the keys of --keys are typed, then the run waits for
    the TEXT of --until. If the last of these waits or looks (until, wait, rest, snap), the run
    stops there. Otherwise the program runs to its end. The exit code is 0 when the run gets that
    far. It is 1 when the program stops with an error before that, waits for a key that no step
    gives, or takes more than --max-seconds.

    Keys follow each other as fast as the console's keyboard takes them. Each stays down until the
    program has seen it, so a program that is busy loses none (`hold` and `release` do not wait).
    With --seed each key is given only when the program looks for one, so that the question for the
    seed is answered in time. A program that looks for keys at its own pace may behave differently
    with and without --seed.

    \b
    A key script has one step per line; # begins a remark:
      until PLAYERS?          continue when this text is in a row of the screen
      until ready             continue when the program has ended
      until asked             continue when the program waits for a key
      type BOB\\n              type characters; \\n is ENTER, \\\\ a backslash
      type "  A\\n"            quotes around the whole keep spaces at its ends;
                              quotes within are typed
      press LEFT              press a key: LEFT RIGHT UP DOWN ENTER SPACE CLEAR
                              ERASE REDO BACK DEL INS PROCEED AID BEGIN,
                              FCTN-4 (CLEAR) and the like, CTRL-A and the
                              like, or one character
      press A hold 30 gap 10  hold it for 30 frames (60 a second), then wait 10
      tap A                   press it as a person does: 6 frames, seen or not
      hold E                  keep a key down while others are pressed
      release E               release it
      joystick 1 UP FIRE      move a joystick; it stays there
      joystick 1 CENTER       release it
      wait 60                 wait for so many frames
      rest 60                 continue when the screen has not changed so long
      snap board              keep the screen, for --screen and --snaps
    """
    if debug:
        files = bool(recording.png or recording.more or saves or show_code or given("coverage"))
        _debug(target, request, wires, files or as_json, randomize is not None)
        return
    from ti99tools.app import cover, run_output
    from ti99tools.app.run import Headless, generated_code
    from ti99tools.app.run_drives import check_saves, save_disks
    from ti99tools.app.source import apart
    from ti99tools.fronts.cli.run_report import message, origins_of, warn

    written = bool(recording.png or recording.more or coverage or saves)
    connections = wires.connect(Path(target), written)
    headless = Headless.of(
        target,
        request,
        watched=bool(coverage),
        connections=connections,
        randomize=randomize or 0,
    )
    plan = cover.plan_for(headless.target) if coverage else None
    check_saves(headless.target, headless.images, saves, wires.replace)
    _check(recording, Path(target), request.script, wires.replace)
    covering = (file for _, file in coverage if str(file) != "-")
    apart(*wires.files, *recording.files, *(file for _, file in saves), *covering)
    keep_coverage(coverage, wires.replace)
    steps, origins = request.steps(), origins_of(request)
    require_start(headless.target, "run", steps)
    console, player = headless.console, headless.player
    before = run_output.files_of(headless.images) if as_json else {}
    recording.begin(console, player)
    if not as_json:
        warn(headless.target)
    headless.target.start(console)
    outcome = headless.run(steps)
    text = message(outcome, origins)
    if as_json:
        print_json(run_output.run_data(headless, outcome, text, before))
    else:
        _print_screen(headless, screen, codes)
        for line in run_output.variable_lines(console) if variables else ():
            click.echo(line)
    for part in generated_code(console) if show_code else ():
        click.echo(part)
    recording.write(console)
    if plan is not None:
        write_coverage(cover.covered(plan, console), coverage, aside=as_json)
    save_disks(headless.images, saves)
    connections.write()
    if not as_json:
        for remark in console.remarks:
            click.echo(f"note: {remark}", err=True)
        click.echo(text, err=True)
    sys.exit(0 if outcome.ok else 1)


def _debug(target: str, request: RunRequest, wires: Wires, output: bool, randomized: bool) -> None:
    """Debug the target instead. Raises TIError for options that only a run has."""
    if output:
        raise TIError("--debug writes no files and no data", remedy="leave out the others")
    if randomized:
        raise TIError("--randomize is for a run", remedy="leave out --debug")
    wires.connect()
    if wires.any:
        raise TIError("--debug goes back in time, a cassette does not", remedy="leave out one")
    from ti99tools.fronts.cli.debug import debug_target

    debug_target(target, request)


def _check(recording: Recording, target: Path, script: Path | None, replace: bool) -> None:
    """Raise TIError for unusable output names, and for options without effect."""
    from ti99tools.app.source import OutputKind, keep_others, spare

    spare(target, *recording.files)
    check_ending(recording.png, "PNG picture", ".png")
    check_ending(recording.gif, "GIF animation", ".gif")
    check_ending(recording.wav, "WAV sound", ".wav")
    keep_others(recording.png, kind=OutputKind.PNG, replace=replace)
    keep_others(recording.gif, kind=OutputKind.GIF, replace=replace)
    keep_others(recording.wav, kind=OutputKind.WAV, replace=replace)
    if given("fps") and recording.gif is None:
        raise TIError("--fps says how a GIF is made", remedy="add --gif FILE.gif")
    if given("scale") and recording.png is None and recording.gif is None:
        raise TIError("--scale says how pictures are made", remedy="add --png FILE or --gif FILE")
    if recording.snaps is not None and script is None:
        raise TIError(
            "--snaps writes what a script snaps", remedy="add --script FILE, or use --png"
        )


def _print_screen(headless: Headless, screen: bool | None, codes: bool) -> None:
    """Print the last screen and the snaps, if that was asked for or a terminal shows them."""
    from ti99tools.app import run_output

    terminal = sys.stdout.isatty()
    if not (screen or (screen is None and (codes or terminal))):
        return
    console = headless.console
    if codes:
        last = run_output.by_code(console.screen.rows)
    else:
        last = run_output.colored(console) if terminal else run_output.drawn(console)
    _print_screens(headless.player.screens, tuple(console.screen.rows), last)


def _print_screens(
    snaps: Mapping[str, Sequence[str]], rows: Sequence[str], last: Sequence[str]
) -> None:
    """Print the snaps, then the last screen as in `last`, unless it equals the last snap."""
    from ti99tools.app.run_output import by_code

    for name, snapped in snaps.items():
        click.echo(f"--- {name}")
        print_rows(by_code(snapped))
    if not snaps or list(snaps.values())[-1] != rows:
        if snaps:
            click.echo("---")
        print_rows(last)
