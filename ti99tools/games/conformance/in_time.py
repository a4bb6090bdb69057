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
from ti99tools.compiler.compiling import Compiled
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.wholetime import first_statement
from ti99tools.computer.console.anyconsole import AnyConsole
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.games.conformance.playback import DEFAULT_SECONDS
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.program.program import Program

_BEGUN = "OWED"
"""The word of the runtime that is not 0 once the first statement is to come."""
_MOST = 600
"""Frames until a program must have begun."""


_MOVES = re.compile(r"CALL SPRITE\(#[^,()]+(?:,[^,()#]+){6}|CALL MOTION\(")
_ASKS = re.compile(r"CALL (?:POSITION|COINC|DISTANCE)\(")
LOOKS = re.compile(r"CALL KEY|CALL JOYST|\b(?:INPUT|LINPUT|ACCEPT)\b")
"""Statements that look at the keyboard."""
_INPUT = re.compile(r"\b(?:INPUT (?!#)|ACCEPT\b)")
LINES = re.compile(r"\b(?:INPUT|LINPUT|ACCEPT)\b")
"""Statements that take lines from the keyboard."""


def pace_of(case: Mapping[str, Any]) -> Pace:
    """What of a case's program takes its time: everything where time decides on what is recorded.

    It does where a program asks for sprites in motion, and where a tone may sound, or a key is
    held, while INPUT begins. A loop that looks for keys has a pace in any case.
    """
    listing, script = "\n".join(case["source"]), case.get("script") or []
    keys = [step for step in script if {"type", "press", "down"} & step.keys()]
    held = bool(keys) and bool({"down", "hold"} & keys[0].keys())
    sounds = "sound" in (case.get("capture") or ()) and any("type" in step for step in script)
    moves = _MOVES.search(listing) is not None and _ASKS.search(listing) is not None
    types = (held or sounds) and _INPUT.search(listing) is not None
    return Pace.ALL if moves or types else Pace.BASIC


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
