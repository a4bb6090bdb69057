"""Cases of programs that take all the time of Extended BASIC, played in the time of the recording.

A script counts frames from power-on, when Extended BASIC is chosen. A compiled program is chosen in
the menu and begins at another time; the first statement comes as long after an interrupt as in
Extended BASIC (`compiler.wholetime`), where it is known which one that was. So the script's moments
count from the power-on that would have led there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ti99tools.base.cycles.console import FRAME_LEFT
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import Compiled
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.wholetime import first_statement
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.games.conformance.playback import DEFAULT_SECONDS
from ti99tools.games.conformance.to_the_prompt import KEYS
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.program.program import Program

_BEGUN = "OWED"
"""The word of the runtime that is not 0 once the first statement is to come."""
_MOST = 600
"""Frames until a program must have begun."""


_MOVES = re.compile(r"CALL SPRITE\(#[^,()]+(?:,[^,()#]+){6}|CALL MOTION\((?!#[^,()]+,0,0\))")
_ASKS = re.compile(r"CALL (?:POSITION|COINC|DISTANCE)\(")
_LINE = r"(?<!,)(?<!, )\bL?INPUT\b(?! *#[1-9])|\bACCEPT\b|\bCS[12]\b"
"""INPUT and LINPUT that are no mode of a file and read none (#0 is the keyboard), ACCEPT, and the
recorder, which asks for ENTER.
"""
LINES = re.compile(_LINE)
"""Statements that take lines from the keyboard."""
LOOKS = re.compile(rf"CALL KEY|CALL JOYST|{_LINE}")
"""Statements that look at the keyboard."""
_INPUT = re.compile(r"\b(?:INPUT (?!#)|ACCEPT\b)")


def holds(case: Mapping[str, Any]) -> bool:
    """Tell whether the script of a case holds keys for some time."""
    return any({"down", "hold"} & step.keys() for step in case.get("script") or ())


def pace_of(case: Mapping[str, Any]) -> Pace:
    """What of a case's program takes its time: everything where time decides on what is recorded.

    It does where a program asks for sprites in motion; where keys are held, which one look or
    another finds, or the prompt; where keys are typed into a line while a tone may sound: that of
    the prompt, or of a character that VALIDATE refuses; and where the recording ends before the
    program begins. A loop that looks for keys has a pace in any case, and LINPUT counts frames by
    itself.
    """
    listing, script = "\n".join(case["source"]), case.get("script") or []
    keys = [step for step in script if KEYS & step.keys()]
    moves = _MOVES.search(listing) is not None and _ASKS.search(listing) is not None
    held = any("down" in step for step in keys)
    looks = held and not LINES.search(listing)
    sounds = "sound" in (case.get("capture") or ()) or "VALIDATE" in listing
    typed = sounds and any("type" in step for step in keys)
    long = bool(keys) and bool({"down", "hold"} & keys[0].keys())
    types = (long or typed) and _INPUT.search(listing) is not None
    return Pace.ALL if moves or looks or types or _begins_later(case) else Pace.BASIC


def _begins_later(case: Mapping[str, Any]) -> bool:
    """Tell whether Extended BASIC has not looked through a program when its recording ends."""
    script = case.get("script") or []
    if not script or any(step.keys() - {"wait", "snap"} for step in script):
        return False
    try:
        program = Program.from_listing("\n".join(case["source"]))
    except TIError:
        return False
    return bool(first_statement(program) > FRAME * sum(step.get("wait", 0) for step in script))


def in_time(console: AnyConsole, compiled: Compiled, program: Program) -> ScriptPlayer:
    """Let a chosen program begin; what plays its script."""
    engine, clock = console.engine, console.clock
    assert engine is not None
    at = compiled.linked.assembled.address_of(_BEGUN)
    for _ in range(_MOST):
        if engine.bus.word_at(at):
            break
        console.wait(1)
    here = clock.interrupt(clock.frame)
    there = (first_statement(program) + FRAME_LEFT) // FRAME * FRAME - FRAME_LEFT
    return ScriptPlayer(console, DEFAULT_SECONDS, patient=False, since=here - there)
