"""Recorded cases whose programs are compiled: played as cartridges, held against the recording.

What the program of a case RUNs from its disk is on the cartridge, too.

A script that goes on at the prompt has nothing to go on with: a compiled program has none. What is
compared is what a case compares in Extended BASIC, but for the time between two tones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ti99tools.base.errors import ProgramError, SourceError, TIError
from ti99tools.compiler.compiling import Collected, Wanted, compile_programs, nowhere
from ti99tools.compiler.linking import TooLarge
from ti99tools.compiler.lower.flow import names_run
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.refusing import NotCompiled
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.asking import HOST_WORD
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.games.conformance.cases import Case
from ti99tools.games.conformance.comparing import (
    HERE,
    CaseSnapshot,
    Difference,
    Observed,
    Sides,
    differences,
    on_host,
)
from ti99tools.games.conformance.in_step import beginning, key_by_key, typed_after
from ti99tools.games.conformance.in_time import LINES, LOOKS, holds, in_time, pace_of
from ti99tools.games.conformance.on_hosts import LOG, observed, script_of
from ti99tools.games.conformance.outcome import CaseOutcome
from ti99tools.games.conformance.playback import (
    DEFAULT_SECONDS,
    captured,
    disk,
    files,
    followed,
    stick_of,
)
from ti99tools.games.conformance.to_the_prompt import (
    BEGINS,
    KEYS,
    ToThePrompt,
    but_held_keys,
    first_typed,
    to_the_prompt,
)
from ti99tools.games.hosts.host import Host, Job, host_named
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.keyboard import GAP, HOLD
from ti99tools.hardware.machine.screen import COLUMNS, CURSOR_TEXT
from ti99tools.hardware.machine.vdp import OFFSET
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

SECONDS, AFTER = 60.0, 30
"""Seconds of machine time until a program has to end or wait, and frames in which tones end."""
PATIENCE = 300
"""Frames that a key of a script waits for a program that takes lines."""
_HASTY = 4
"""Frames between two looks for a text."""


class AtThePrompt(Exception):
    """A line is typed when the program has ended: a compiled program takes none.

    `at`: the step of the script; `taken`: how many characters of it the program still took.
    """

    def __init__(self, at: int = 0, taken: int = 0) -> None:
        super().__init__(at, taken)
        self.at = at
        self.taken = taken


def outcomes(case: Case, host: str = "") -> list[CaseOutcome]:
    """The outcome of a case on our console or an emulator; its reason if it cannot be compared.

    Programs take all the time of Extended BASIC on our console alone: only there it is known when
    they begin.
    """
    data = case.data
    try:
        program = compiled_case(data, pace=Pace.BASIC if host else None)
        found = differing(data, program, host)
    except AtThePrompt:
        if typed_after(data) is not None:
            return _left_out(case, "the script goes on at the prompt")
        found = [Difference("end", ("the program ends before a key that it would take",))]
    except TooLarge:
        return _left_out(case, "the compiled program is too large")
    except NotCompiled as error:
        return _left_out(case, error.reason)
    except SourceError as error:
        return _left_out(case, error.problem)
    return [CaseOutcome(case.id, case.area, int(not found), int(bool(found)), tuple(found))]


def programs_of(case: Mapping[str, Any]) -> dict[str, Program]:
    """The program of a case, and those that it RUNs from its disk, by name. Raises TIError."""
    found = {"TEST": Program.from_listing("\n".join(case["source"]))}
    for name in sorted(names_run(found["TEST"].analysis) & set(case.get("disk_in") or ())):
        with suppress(ProgramError):
            found[name] = Program.from_file(disk(case).read(name))
    return found


def compiled_case(
    case: Mapping[str, Any],
    words: bool = True,
    short: int = 0,
    banks: bool = True,
    pace: Pace | None = None,
) -> Collected:
    """The programs of a case, compiled: see `compile_program`. Raises TIError.

    `pace`: without one that of `pace_of`.
    """
    wanted = [
        Wanted(name, name, name, program, nowhere) for name, program in programs_of(case).items()
    ]
    first, own = len(wanted) > 1, pace or pace_of(case)
    return compile_programs(wanted, first, words, pace=own, banks=banks, short=short)


def _left_out(case: Case, reason: str) -> list[CaseOutcome]:
    return [CaseOutcome(case.id, case.area, 0, 0, refused=reason)]


def differing(case: Mapping[str, Any], program: Collected, host: str = "") -> list[Difference]:
    """Play a case's script with its compiled program; what differs from the recording.

    A script that goes on at the prompt is played up to there. Raises HostError, and AtThePrompt if
    the recording has nothing to compare with that.
    """
    part = None
    if not ends_with_the_program(case):
        part = before_the_prompt(case)
        if part is None:
            raise AtThePrompt
    sides = on_host(host) if host else HERE
    try:
        done = _played(case if part is None else part.case, program, host)
    except AtThePrompt as there:
        if part is not None:
            raise
        part = from_the_prompt(case, there.at, there.taken)
        if part is None:
            raise
        done = _played(part.case, program, host)
    if part is None:
        return judged(but_held_keys(case, done), done, sides)
    return judged(part.expected(done, _goes_on_with), done, sides)


def before_the_prompt(case: Mapping[str, Any], latest: int | None = None) -> ToThePrompt | None:
    """What a case tells up to the prompt, if that is known before it is played.

    `latest`: the last step that may be the first at the prompt.
    """
    script = case.get("script") or []
    at = first_typed(script, looks_for_keys(case))
    if at is not None:
        return to_the_prompt(case, at)
    # A program that takes lines: those after its end are where the recording shows them.
    end = len(script) if latest is None else latest + 1
    parts = (to_the_prompt(case, at) for at in range(end))
    return next(filter(None, parts), None)


def from_the_prompt(case: Mapping[str, Any], at: int, taken: int) -> ToThePrompt | None:
    """What a case tells up to the prompt, which takes the step `at` after some characters of it,
    and perhaps keys of earlier steps that are still down.
    """
    return to_the_prompt(case, at, taken) or before_the_prompt(case, at)


def _played(case: Mapping[str, Any], program: Collected, host: str) -> Observed:
    return _play_on(host_named(host), case, program) if host else play(case, program)


def judged(case: Mapping[str, Any], done: Observed, sides: Sides = HERE) -> list[Difference]:
    """What a compiled program did otherwise than it is recorded, whatever it was played on."""
    expect = dict(case["expect"])
    if "sound" in expect:
        expect["sound"] = _whole_tones(bytes(expect["sound"]))
    sound = _whole_tones(done.sound)
    return differences({**case, "expect": expect}, replace(done, sound=sound), sides)


def _play_on(host: Host, case: Mapping[str, Any], program: Collected) -> Observed:
    """Play a case's script on an emulator. Raises HostError.

    A program that takes lines gets each key when it asks for it.
    """
    drives = drives_of(case)
    job = Job(
        drives["DSK1"].to_bytes(),
        tuple(script_of(case)),
        LOG,
        max_seconds=DEFAULT_SECONDS,
        patient=types_lines(case),
        alpha_lock=case.get("alpha_lock", True),
        sound="sound" in (case.get("capture") or ()),
        cell=HOST_WORD,
        cartridge=program.cartridge,
    )
    return observed(host.play(job), case)


Begin = Callable[[Collected, Mapping[str, DiskImage]], AnyConsole]
"""Starts a compiled program on a console with disks in its drives."""


def _chosen(program: Collected, drives: Mapping[str, DiskImage]) -> AnyConsole:
    console = CartridgeConsole(program.cartridge, disks=drives)
    console.choose()
    return console


def play(case: Mapping[str, Any], program: Collected, begin: Begin = _chosen) -> Observed:
    """Play a case's script on our console; see `in_step` for keys that are held.

    Raises AtThePrompt.
    """
    drives = drives_of(case)
    console = begin(program, drives)
    typing = types_lines(case)
    wanted = tuple(case.get("capture") or ())
    snaps: dict[str, CaseSnapshot] = {}
    since, player = None, None
    if program.programs[0].code.whole:
        player = in_time(console, program.programs[0], programs_of(case)["TEST"])
    else:
        since = beginning(case, lambda: begin(program, drives_of(case)))
    before: Mapping[str, Any] = {}
    for at, step in enumerate(case.get("script") or [{"until": "ready"}]):
        if since is not None and "until" not in step:
            console.advance_to(since + step.get("wait", 0) * FRAME)
            since = None
            if "wait" in step:
                continue
        late = typing and not holds(case) and not KEYS & before.keys()
        try:
            if "snap" in step:
                snaps[step["snap"]] = snapshot(console, wanted, program)
            elif player is not None:
                _follow_in_time(player, step, late)
            else:
                _follow(console, step, typing)
        except AtThePrompt as there:
            raise AtThePrompt(at, there.taken) from None
        before = step
    if player is not None and shows_prompt(case):
        _ended(console)
    left = files(drives["DSK1"])
    final = snapshot(console, wanted, program)
    return Observed(final, snaps, left, bytes(console.machine.sound.written))


# -- scripts ----------------------------------------------------------------------------------


def types_lines(case: Mapping[str, Any]) -> bool:
    """Tell whether the program of a case takes lines from the keyboard."""
    return LINES.search(_listing(case)) is not None


def looks_for_keys(case: Mapping[str, Any]) -> bool:
    """Tell whether the program of a case looks for keys."""
    return LOOKS.search(_listing(case)) is not None


def _listing(case: Mapping[str, Any]) -> str:
    """The text of all programs of a case."""
    own = "\n".join(case["source"])
    if "RUN" not in own:
        return own
    try:
        return "\n".join(program.listing() for program in programs_of(case).values())
    except TIError:
        return own


def drives_of(case: Mapping[str, Any]) -> dict[str, DiskImage]:
    """The disk in the drive of the machine on which a case was recorded."""
    return {"DSK1": disk(case)}


def shows_prompt(case: Mapping[str, Any]) -> bool:
    """Tell whether a recording shows at its end that the program had ended."""
    rows = case["expect"].get("final", {}).get("rows") or ("",)
    return bool(rows[-1].startswith(BEGINS))


def ends_with_the_program(case: Mapping[str, Any]) -> bool:
    """Tell whether a script does nothing after the program, as far as the script tells it."""
    script = case.get("script") or []
    goals = (step.get("until") for step in script)
    keys = {step.get("type") or step.get("press") for step in script} - {None, "CLEAR"}
    if any(isinstance(goal, dict) and "gone" in goal for goal in goals):
        return False
    if keys and not looks_for_keys(case):
        return False
    return first_typed(script, looks=True) is None


def _follow_in_time(player: ScriptPlayer, step: Mapping[str, Any], late: bool) -> None:
    """Carry out a step at its moment. Raises AtThePrompt.

    `late`: see `_catch_up`. Keys that follow a first one are lost as they are there.
    """
    for taken, part in enumerate(key_by_key(step)):
        if KEYS & part.keys():
            if late and not taken:
                _catch_up(player)
            _asked(player.console, False, taken)
        followed(player, part)


def _catch_up(player: ScriptPlayer) -> None:
    """Let a program that may be later than Extended BASIC come to where it waits for a key."""
    if player.console.line is None:
        with suppress(AtThePrompt):
            _asked(player.console, True)
        player.go_on_from_here()


def _follow(console: AnyConsole, step: Mapping[str, Any], typing: bool) -> None:
    """Carry out a step. Raises AtThePrompt.

    `typing`: a key of a script waits until the program waits for one, as when it was recorded.
    """
    keyboard = console.machine.keyboard
    match step:
        case {"until": "ready" | {"text": ">"}}:
            console.resume(SECONDS)
            console.wait(AFTER)
        case {"until": {"text": text}}:
            console.run_until(text, seconds=SECONDS, look=_HASTY)
        case {"press": key}:
            # A key that is held for long may be down before the program looks for it.
            _asked(console, typing and "hold" not in step)
            _press(console, key, step.get("hold", HOLD), step.get("gap", GAP))
        case {"type": text}:
            for taken, key in enumerate(text):
                _asked(console, typing, taken)
                _press(console, key, HOLD, GAP)
        case {"down": key}:
            _asked(console, False)
            keyboard.key_down(key)
        case {"up": key}:
            keyboard.key_up(key)
        case {"wait": frames}:
            console.wait(frames)


def _ended(console: AnyConsole) -> None:
    """Let a program that is a little later than Extended BASIC come to its end."""
    for _ in range(PATIENCE):
        if not console.running:
            console.wait(AFTER)
            break
        console.wait(1)


def _asked(console: AnyConsole, typing: bool, taken: int = 0) -> None:
    """Let the program come to where it waits for a key. Raises AtThePrompt: `taken` of it."""
    for _ in range(PATIENCE if typing else 0):
        if console.line is not None or not console.running:
            break
        console.wait(1)
    if not console.running:
        raise AtThePrompt(0, taken)


def _press(console: AnyConsole, key: str, hold: int, gap: int) -> None:
    keyboard = console.machine.keyboard
    stick = stick_of(key)
    if stick is not None:
        keyboard.set_joystick(*stick)
    else:
        keyboard.key_down(key)
    console.wait(hold)
    if stick is not None:
        keyboard.set_joystick(stick[0], 0, 0)
    else:
        keyboard.key_up(key)
    console.wait(gap)


# -- what is compared -------------------------------------------------------------------------

_LAST = re.compile(rb"(?:\x9f|\xbf|\xdf|\xff)*$")
_ENDING = re.compile(rb"\x9f(?:\xbf\xdf\xff)?(?=\xbf\xdf\xff)|\x9f(?=[\x80-\x8f])")


def _whole_tones(written: bytes) -> bytes:
    """Sound without the end of a tone before the next begins: time decides on it."""
    return _ENDING.sub(b"", written)


def _goes_on_with(recorded: bytes, begun: bytes) -> bool:
    """Tell whether recorded sound begins with another one, whose last tone may not have ended."""
    return _whole_tones(recorded).startswith(_LAST.sub(b"", _whole_tones(begun)))


def snapshot(console: AnyConsole, wanted: tuple[str, ...], program: Collected) -> CaseSnapshot:
    """The screen and the captures that a case asks for; the cursor of a line does not blink."""
    console.machine.sync()
    vdp = console.machine.vdp
    rows, beneath = list(console.screen.rows), " "
    engine = console.engine
    if engine is not None and console.line and "EDPTR" in program.linked.assembled.symbols:
        bus = engine.bus
        at, under = (
            bus.word_at(program.linked.assembled.address_of(name)) for name in ("EDPTR", "EDBEN")
        )
        row, column = divmod(at, COLUMNS)
        rows[row] = rows[row][:column] + CURSOR_TEXT + rows[row][column + 1 :]
        beneath = chr((under >> 8) - OFFSET & 0xFF)
    return CaseSnapshot(tuple(rows), beneath, captured(vdp.ram, vdp.registers, wanted))
