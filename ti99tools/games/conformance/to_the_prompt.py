"""Cases whose script goes on when the program has ended: played as cartridges up to there.

A compiled program takes no lines then. What the recording shows above the first line that was typed
there is what the program has left: it has scrolled up, and is compared, with the snaps that came
before, and with the beginning of the sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ti99tools.games.conformance.comparing import Observed
from ti99tools.hardware.machine.screen import CURSOR_TEXT

WIDTH = 28
"""Characters of a line after the prompt in its first row."""
_EDGE = "\x1f"
PROMPT = ">"
BEGINS = _EDGE + PROMPT
"""How the row of a prompt begins."""
_PLACED = re.compile(r"HCHAR|VCHAR|CLEAR|DISPLAY|ACCEPT|ERASE|LOAD|LINK")
"""What may write above the prompt's row."""
_AGAIN = re.compile(r"\b(?:RUN|CON|CONTINUE|GOTO|GOSUB|CALL|OLD|MERGE)\b")
"""What may run such statements of the program or of a file."""

KEYS = frozenset({"press", "type", "down"})
"""Steps of a script that press a key."""

Script = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class ToThePrompt:
    """What is played of a case, and the rows that its recording has above the first line typed."""

    case: Mapping[str, Any]
    above: tuple[str, ...]

    def expected(
        self, done: Observed, goes_on_with: Callable[[bytes, bytes], bool]
    ) -> Mapping[str, Any]:
        """The case as it is recorded; what the recording does not tell is as it was `done`.

        `goes_on_with` tells whether sound begins with another one.
        """
        rows = done.final.rows
        last = len(rows) - 1
        final = {"rows": (*rows[: last - len(self.above)], *self.above, rows[last])}
        # Lines that were typed may have changed the disk.
        expect = {**self.case["expect"], "final": final, "files": done.files}
        if "sound" in expect and goes_on_with(bytes(expect["sound"]), done.sound):
            expect["sound"] = done.sound
        return {**self.case, "expect": expect}


def first_typed(script: Script, looks: bool) -> int | None:
    """The step that types first when the program has ended; `looks`: it looks for keys itself."""
    over = not looks
    for at, step in enumerate(script):
        goal = step.get("until")
        if over and not {"wait", "snap", "until"} & set(step):
            return at
        over = over or goal == "ready" or (isinstance(goal, dict) and goal.get("text") == PROMPT)
    return None


def goes_on(case: Mapping[str, Any]) -> bool:
    """Tell whether the recording shows that something was typed when the program had ended."""
    rows = case["expect"]["final"].get("rows") or ()
    typed = [_text(row[len(BEGINS) :]) for row in rows if row.startswith(BEGINS)]
    return any(typed) or len(typed) > 1


def but_held_keys(case: Mapping[str, Any], done: Observed) -> Mapping[str, Any]:
    """A case whose keys are down when its program ends: the prompt of Extended BASIC takes those
    that CALL KEY has not found, or that repeat. What it shows of them is as it was `done`.
    """
    final = case["expect"]["final"]
    rows = final.get("rows") or ("",)
    held = {step["down"] for step in case.get("script") or () if "down" in step}
    shown = set(_text(rows[-1][len(BEGINS) :]))
    if not rows[-1].startswith(BEGINS) or not shown or not shown <= held:
        return case
    final = {**final, "rows": (*rows[:-1], done.final.rows[-1])}
    return {**case, "expect": {**case["expect"], "final": final}}


def _text(row: str) -> str:
    """A row without its edges and the cursor."""
    return row.strip(f" {_EDGE}{CURSOR_TEXT}")


def to_the_prompt(case: Mapping[str, Any], at: int, taken: int = 0) -> ToThePrompt | None:
    """What a case tells up to the prompt, where its step `at` is the first, after `taken`
    characters of its text; None if nothing of it is left on the recorded screen.
    """
    script = case.get("script") or []
    typed = _typed(script[at:])[taken:]
    line, ended, _ = typed.partition("\n")
    if _SPECIAL in line or not (line or ended):
        return None
    own = typed + "\n".join(case["source"])
    if _PLACED.search(typed) or (_AGAIN.search(typed) and _PLACED.search(own)):
        return None
    above = _above(case["expect"]["final"].get("rows") or (), typed.split("\n"))
    if not any(map(_text, above)):
        return None
    begun = [{"type": script[at]["type"][:taken]}] if taken else []
    played = [*script[:at], *begun, {"until": {"text": PROMPT}}]
    names = {step["snap"] for step in played if "snap" in step}
    snaps = case["expect"].get("snaps") or {}
    expect = {"snaps": {name: snap for name, snap in snaps.items() if name in names}}
    if "sound" in case["expect"]:
        expect["sound"] = case["expect"]["sound"]
    return ToThePrompt({**case, "script": played, "expect": expect}, above)


_SPECIAL = "\0"
"""A key that is no character."""
_ENDS = {"ENTER": "\n", "CLEAR": "\n"}
"""Keys after which a new prompt comes."""


def _typed(script: Script) -> str:
    """What some steps type."""
    found = ""
    for step in script:
        if "type" in step:
            found += step["type"]
        elif key := step.get("press") or step.get("down"):
            found += key if len(key) == 1 else _ENDS.get(key, _SPECIAL)
    return found


def _above(rows: Sequence[str], lines: Sequence[str]) -> tuple[str, ...]:
    """The rows of a recording above the first of some typed lines; none if that has gone: another
    is the first on the screen, or of those that begin as it does not all are there.
    """
    prompts = [at for at, row in enumerate(rows) if row.startswith(BEGINS)]
    shown = [_text(rows[at][len(BEGINS) :]).upper() for at in prompts]
    if not lines[-1]:
        lines, shown = lines[:-1], shown[: len(shown) - rows[-1].startswith(BEGINS)]
    first = lines[0][:WIDTH].upper().strip(" ")
    if not shown or shown[0] != first or _times(shown, first) != _times(lines, first):
        return ()
    return tuple(rows[: prompts[0]])


def _times(lines: Sequence[str], first: str) -> int:
    """How many lines begin as the first; if that is empty: how many are empty."""
    return sum(line.upper().strip(" ").startswith(first) if first else not line for line in lines)
