"""Random programs as cases ready to be recorded from the original ROMs.

`python -m tests.fuzz.export --seed 1 --count 500 FILE` writes them in the form of
tests/conformance/README.md, a JSON object a line, without results. Each is rehearsed on our
console, which tells how long its script has to wait; the same seed gives the same case as long as
the corpus and the console stay as they are. `filled` adds our own results, as a recording would.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.fuzzlanguage import CONTROLS, DISK, MARK, TOPICS, TYPED, subject, whole_language
from tests.fuzz.fuzzlistings import COMMANDS, corpus, mutated_listing, statements
from tests.fuzz.fuzzprograms import is_taken
from tests.fuzz.fuzzstates import disk_of_states, session
from ti99tools.base.errors import TIError
from ti99tools.computer.console.keyscript import Press, Type, Wait
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.computer.console.session import Console, RunEnd
from ti99tools.computer.interp.run.signals import Unplayable
from ti99tools.games.conformance import playback
from ti99tools.games.conformance.on_hosts import recorded
from ti99tools.games.conformance.playback import disk
from ti99tools.hardware.machine.clock import FRAME

KINDS = ("programs", "subjects", "mutants", "editor", "states")
MARGIN, SHARE = 54, 0.05
"""Frames, and part of the time, that a script waits longer than our console needs."""
STROKE = 8
"""Frames of a key, held and let go."""
LONGEST = 60.0
"""Seconds of machine time; a program that takes longer is not exported."""
MOTION_TABLE, SPRITES = 0x780, 28
LOOK_EVERY = 1.0
"""Seconds of machine time between looks whether a program has come to rest."""
ROUNDS = 5
"""Answers that a program gets when it waits for keys."""
LONGEST_LINE = 140
"""Characters that the editor takes of a typed line."""
MOST_LINES = 60
"""Lines of a recorded program that is changed."""


class Unfit(Exception):
    """A program that does not come to rest, or that the editor would refuse."""


@dataclass
class Rehearsal:
    """A case played on our console while its script is written."""

    case: dict[str, Any]
    rng: Random
    script: list[dict[str, Any]] = field(default_factory=list)
    frames: int = 0
    snaps: int = 0
    moving: set[int] = field(default_factory=set)
    """Numbers of sprites that were seen to move."""

    def __post_init__(self) -> None:
        self.console = Console(disks={"DSK1": disk(self.case)}, max_seconds=LONGEST)
        self.player = ScriptPlayer(self.console, LONGEST, patient=False)
        self.console.boot()

    def settle(self) -> RunEnd:
        """Let the program run until it rests, and the script wait as long. Raises Unfit."""
        end = RunEnd.LIMIT
        while end is RunEnd.LIMIT:
            end = self.console.resume(LOOK_EVERY)
            if end is RunEnd.LIMIT and self._looks_for_a_key():
                end = RunEnd.KEYS
            elif self.console.clock.seconds >= LONGEST:
                raise Unfit
        self._look_for_motion()
        passed = ceil(self.console.clock.cycles / FRAME) - self.frames
        self.wait(ceil(max(passed, 0) * (1 + SHARE)) + MARGIN)
        return end

    def _looks_for_a_key(self) -> bool:
        """Tell whether the program shows that it waits for a key before its end."""
        return self.console.screen.rows[0].endswith(MARK)

    def _look_for_motion(self) -> None:
        self.console.machine.sprites.sync()
        table = self.console.machine.vdp.ram[MOTION_TABLE : MOTION_TABLE + 4 * SPRITES]
        self.moving |= {n + 1 for n in range(SPRITES) if any(table[4 * n : 4 * n + 2])}

    def wait(self, frames: int) -> None:
        self.script.append({"wait": frames})
        self.frames += frames
        self.player.do(Wait(frames))

    def type(self, text: str) -> None:
        self.script.append({"type": text})
        self.frames += STROKE * len(text)
        self.player.do(Type(text))

    def press(self, key: str) -> None:
        self.script.append({"press": key})
        self.frames += STROKE
        self.player.do(Press(key))

    def snap(self) -> None:
        self.script.append({"snap": f"s{self.snaps}"})
        self.snaps += 1

    def answers(self) -> None:
        """Press keys when the program waits for some, until it ends or has had `ROUNDS` answers."""
        for _ in range(ROUNDS):
            if self.settle() is not RunEnd.KEYS:
                return
            self.snap()
            if self.console.computer.editor is None:
                self.press(self.rng.choice((" ", "A", "5")))
                continue
            for _ in range(self.rng.choice((0, 0, 0, 1, 3))):
                self.press(self.rng.choice(CONTROLS))
            self.type(self.rng.choice(TYPED) + "\n")
        self.settle()

    def session(self) -> None:
        """Type lines and keys at the prompt."""
        self.settle()
        for _ in range(self.rng.randint(3, 12)):
            if self.rng.random() < 0.2:
                self.press(self.rng.choice((*CONTROLS, "REDO", "CLEAR", "BEGIN")))
                self.wait(MARGIN)
                continue
            self.type(self.rng.choice((typed_line, command))(self.rng) + "\n")
            if self.settle() is RunEnd.KEYS:
                self.press("CLEAR")
                self.settle()

    def commands(self, typed: Sequence[str]) -> None:
        """Type commands after the program. Raises Unfit if the machine would go astray."""
        self.settle()
        for line in typed:
            self.type(line + "\n")
            self.settle()
        if self.console.remarks:
            raise Unfit


def typed_line(rng: Random) -> str:
    """A line typed with a number."""
    return f"{rng.choice((100, 105, 110, 120, 130, 150, 200))} {typable(rng)}"


def command(rng: Random) -> str:
    """A line typed without a number: a command, or a statement."""
    words = [word for word in COMMANDS if word != "BYE"]
    return rng.choice((*words, typable(rng)))


def typable(rng: Random) -> str:
    """A statement of the corpus that the keyboard and the editor's line can take."""
    return rng.choice(_typable())


@cache
def _typable() -> list[str]:
    return [s for s in statements() if s.isascii() and len(s) < LONGEST_LINE - 6]


def case_of(kind: str, seed: int) -> dict[str, Any]:
    """The case of a seed."""
    for attempt in count():
        rng = Random(f"{kind} {seed} {attempt}")
        try:
            return _attempt(kind, seed, rng)
        except (Unfit, Unplayable):
            continue
    raise AssertionError


def _attempt(kind: str, seed: int, rng: Random) -> dict[str, Any]:
    states = session(rng) if kind == "states" else None
    lines, files = _program(kind, rng) if states is None else (states.source, disk_of_states())
    source = [line for line in lines if is_taken(line) and line.isascii()]
    case: dict[str, Any] = {
        "id": f"made-{kind}-{seed}",
        "area": f"random-{kind}",
        "title": f"random {kind}",
        "capture": _captures(source if states is None else (*source, *states.typed)),
        "source": source,
    }
    if files:
        case["disk_in"] = files
    try:
        rehearsal = Rehearsal(case, rng)
    except TIError as error:
        raise Unfit from error
    if states is not None:
        rehearsal.commands(states.typed)
    elif kind == "editor":
        rehearsal.session()
    else:
        rehearsal.answers()
    if rehearsal.moving:
        case["loose"] = {"sprite_pos": sorted(rehearsal.moving), "motion_aux": True}
    case["script"] = rehearsal.script
    return case


def _program(kind: str, rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    """The listing of a case and the files on its disk."""
    match kind:
        case "programs":
            grown = whole_language(rng)
            return grown, DISK if any("DSK1" in line for line in grown) else {}
        case "subjects" | "files":
            topic = "files" if kind == "files" else rng.choice(TOPICS)
            return subject(rng, topic), DISK if topic == "files" else {}
        case "mutants":
            sample = rng.choice([one for one in corpus() if len(one.listing) <= MOST_LINES])
            return mutated_listing(sample.listing, rng), sample.disk
    lines = rng.choice(corpus()).listing
    return [line for line in lines[: rng.randint(1, 4)] if "GOTO" not in line], {}


def _captures(source: Sequence[str]) -> list[str]:
    """What the recording must capture besides the screen, by what the program changes."""
    text = "\n".join(source)
    wanted = ["sound"]
    if "CHAR(" in text or "CHARSET" in text:
        wanted.append("patterns")
    if "COLOR(" in text or "SCREEN(" in text:
        wanted += ["colors", "vdp"]
    if "SPRITE" in text:
        wanted.append("sprites")
    return wanted


def filled(case: Mapping[str, Any]) -> dict[str, Any]:
    """The case with results as our console gives them, in the form of a recording."""
    return recorded(case, playback.play(case))


def cases(seed: int, number: int, kinds: Sequence[str] = KINDS) -> Iterator[dict[str, Any]]:
    """`number` cases, the kinds in turn, with seeds from `seed` on."""
    for at in range(number):
        yield case_of(kinds[at % len(kinds)], seed + at)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.export", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=100, help="cases to write")
    parser.add_argument("--kind", action="append", choices=KINDS, help="default: all in turn")
    parser.add_argument("file", type=Path, metavar="FILE", help="the JSON Lines file to write")
    options = parser.parse_args(words)
    with options.file.open("w", encoding="utf-8") as file:
        for case in cases(options.seed, options.count, options.kind or KINDS):
            file.write(json.dumps(case, ensure_ascii=False) + "\n")
    print(f"{options.file}: {options.count} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
