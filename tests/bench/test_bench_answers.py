"""How soon the games answer a key on the machine, by the console's clock.

Players of all kinds play 100 games of each game (20 of a board game), half of them with the play
log on. For every question of the game and every kind of key the table shows the worst of

- *answer*: from the key to the first change of the picture or the start of a sound,
- *next key*: from the key until the program looks at the keyboard again,
- *still*: the longest time between two looks at the keyboard in which nothing is drawn or heard,

and of the slowest the lines of the source on which the time was spent (for *still*: from where to
where). Run with
`pytest -m bench -s tests/bench/test_bench_answers.py`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from ti99tools import Console, DiskImage
from ti99tools.computer.console.keyscript import Press, Step, Type, Until
from ti99tools.computer.console.profiling import COMPILED, profiling
from ti99tools.games.making.artefacts import Built, build_game
from ti99tools.games.making.finding import find_game
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.scenario import Scenario, key_steps, make
from ti99tools.hardware.machine.clock import CPU_HZ

pytestmark = pytest.mark.bench

GAMES = 100
LIMIT = 1.0
"""Seconds in which a key must be answered, and in which something must happen on a wait."""
STILL = {"lambo": 6.0, "dimraw": 4.0}
"""The same for a wait in the board games, whose computer players think between two dots."""
MATCHES = {"lambo": 20, "dimraw": 20}
"""Matches of the games that last long."""
KEPT = ("detour", "size", "adjacent", "men", "capture", "full")
"""Options of a setup that are kept."""
LAST_DIE = " 25/25"
"""On Dice Rack's screen with the last die of a round, before the tally."""
PATIENCE = 60 * 60 * 5
"""Frames after which a question that does not come is given up."""
VISIBLE = (slice(0, 0x380), slice(0x3F0, 0x780), slice(0x800, 0x820))
"""Video memory that shows: screen and sprites, patterns, colours."""
QUESTIONS = {
    "d5000": (
        "PLAYERS\\?",
        "WHO PLAYS",
        "NAME\\?",
        "SEED\\?",
        "PRESS ENTER TO ROLL",
        "1-5 pick",
        "PLAY AGAIN",
        "FILE\\?",
        "1 PLAY",
        "ANY KEY",
    ),
    "dicerack": (
        "HIGH SCORE! NAME\\?",
        "SEED\\?",
        "SHIFT ,\\.",
        "ENTER DROP",
        "ANOTHER ROUND",
        "PLAY AGAIN",
        "FILE\\?",
        "1 PLAY",
        "ANY KEY",
    ),
    "lambo": (
        "H HUMAN",
        "1 EASY",
        "NAME\\?",
        "12 TO 48",
        "Y OR N, THE",
        "SEED\\?",
        "A TILE, AS",
        "RESIGN\\?",
        "SECOND TILE",
        "PLACE A TILE",
        "ENTER PUT",
        "PLAY AGAIN",
        "FILE\\?",
        "1 PLAY",
        "ANY KEY",
    ),
    "dimraw": (
        "NAME\\?",
        "SEED\\?",
        "ENTER BEGINS",
        "RESIGN\\?",
        "PLACE A MAN",
        "MOVE WHICH",
        "WHERE TO",
        "TAKE",
        "PLAY AGAIN",
        "FILE\\?",
        "1 PLAY",
        "ANY KEY",
    ),
}
"""What stands on the screen while a question is open, the first that is found counts."""


@dataclass
class Worst:
    """The slowest of some answers: seconds, which key of which game that was, and a remark."""

    seconds: float = 0.0
    where: tuple[int, int] = (0, 0)
    lines: str = ""

    def add(self, seconds: float, where: tuple[int, int], lines: str = "") -> None:
        if seconds > self.seconds:
            self.seconds, self.where, self.lines = seconds, where, lines


@dataclass
class Row:
    """All answers to one kind of key at one question."""

    keys: int = 0
    answer: Worst = field(default_factory=Worst)
    next_key: Worst = field(default_factory=Worst)
    still: Worst = field(default_factory=Worst)


class Player:
    """A player at the console who waits for each question, and a stopwatch."""

    def __init__(self, game: str, built: Built) -> None:
        self.game = game
        self.built = built
        rows = (row.partition(" ") for row in built.generated.listing)
        self.listing = {int(number): text for number, _, text in rows}
        disk = DiskImage.from_bytes(built.image.to_bytes())
        self.console = Console({"DSK1": disk}, max_seconds=1e9)
        self.heard = 0
        self.asked = self.taken = False
        """Tell whether the program waits for an answer (and does not just look for one in a pause);
        whether it has taken the key."""
        self.looked_again = 0
        """When the program looked at the keyboard again after it took the key."""
        self._listen()
        self.console.boot()
        self.seen = self._picture()
        self.still_since = self.console.clock.cycles
        self.still_from = 0
        self.still = Worst()

    def _listen(self) -> None:
        """Note when the program looks at the keyboard, and when it starts a sound."""
        keyboard, sound = self.console.machine.keyboard, self.console.machine.sound
        keyboard.scan = partial(self._scans, keyboard.scan)  # type: ignore[method-assign]
        keyboard.wait_key = partial(self._waits, keyboard.wait_key)  # type: ignore[method-assign]
        for name in ("play", "beep", "honk"):
            setattr(sound, name, partial(self._sounds, getattr(sound, name)))

    def _scans(self, scan: Callable[[int], tuple[int, int]], unit: int) -> tuple[int, int]:
        self._looks("CALL KEY(3,KP" not in self.listing.get(self._line_of_caller(), ""))
        found = scan(unit)
        self.taken = self.taken or found[1] == 1
        return found

    def _waits(self, wait_key: Callable[[], int]) -> int:
        self._looks(True)
        code = wait_key()
        self.taken = True
        return code

    def _looks(self, asks: bool) -> None:
        self.asked = asks
        now = self.console.clock.cycles
        self._note_still(now)
        if self.taken and not self.looked_again:
            self.looked_again = now

    def _note_still(self, now: int) -> None:
        """Something happens or is looked for: what was still until now was so for some time."""
        seconds = (now - self.still_since) / CPU_HZ
        here = self.line
        if seconds > self.still.seconds:
            self.still.add(seconds, (0, 0), f"{self.place(self.still_from)} to {self.place(here)}")
        self.still_since, self.still_from = now, here

    def _sounds(self, play: Callable[..., None], *arguments: Any) -> None:
        self.heard += 1
        self._note_still(self.console.clock.cycles)
        play(*arguments)

    def _line_of_caller(self) -> int:
        """The line of the program that has called us."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and not frame.f_code.co_filename.startswith(COMPILED):
            frame = frame.f_back
        return 0 if frame is None else self._number(frame.f_code, frame.f_lineno)

    def _number(self, code: CodeType, line: int) -> int:
        execution = self.console.execution
        unit = execution.compiler.files.get(code.co_filename) if execution else None
        return unit.number(unit.place(line)) if unit else 0

    @property
    def line(self) -> int:
        """The line with which the program will go on."""
        execution = self.console.execution
        block = execution.next_block if execution else None
        code = getattr(block, "__code__", None)
        return 0 if code is None else self._number(code, code.co_firstlineno + 1)

    def place(self, line: int) -> str:
        """Where a line of the listing comes from, `file:line`."""
        place = self.built.generated.sourcemap.place(line)
        return f"{Path(place.file).name}:{place.line}" if place and place.file else str(line)

    def _picture(self) -> tuple[bytes, ...]:
        machine = self.console.machine
        machine.sync()
        return tuple(bytes(machine.vdp.ram[part]) for part in VISIBLE)

    def pass_frame(self) -> bool:
        """A frame passes; whether anything was drawn or heard in it."""
        heard = self.heard
        self.console.wait(1)
        before, self.seen = self.seen, self._picture()
        if self.seen != before:
            self._note_still(self.console.clock.cycles)
        return self.seen != before or self.heard > heard

    def await_question(self) -> None:
        """Let time pass until the program waits for an answer."""
        for _ in range(PATIENCE):
            self.asked = False
            self.pass_frame()
            if self.asked or not self.console.running:
                return
        raise AssertionError(f"no question but\n{self.console.screen.text}")

    def press(self, key: str) -> tuple[float, float, Worst]:
        """Press one key; seconds to the answer and to the next look, and the longest still time."""
        keyboard, clock = self.console.machine.keyboard, self.console.clock
        self.taken, self.looked_again = False, 0
        keyboard.press(key)
        start = self.still_since = clock.cycles
        self.still = Worst()
        answer = 0.0
        while not (self.looked_again and answer) and self.console.running:
            if self.pass_frame() and not answer:
                answer = (clock.cycles - start) / CPU_HZ
            if self.looked_again and not answer and clock.cycles - self.looked_again > CPU_HZ:
                break  # a key that the game pays no heed to
        looked = (self.looked_again or clock.cycles) - start
        self.await_question()
        return answer, looked / CPU_HZ, self.still

    def question(self) -> str:
        """The question that is open, by what stands on the screen."""
        text = self.console.screen.text
        for pattern in QUESTIONS[self.game]:
            if re.search(pattern, text):
                return pattern.replace("\\", "") + LAST_DIE * (LAST_DIE in text)
        return "?"


def steps(scenario: Scenario, logged: bool) -> Iterator[Step]:
    """A whole session without what interrupts it; the play log off unless it is required."""
    game = adapter(scenario.game)
    steps = [*game.opening(scenario.setup), *key_steps(scenario.keys), *game.closing()]
    skip = False
    for step, after in zip(steps, [*steps[1:], Until()], strict=True):
        switch = isinstance(step, Type) and isinstance(after, Until) and "PLAY LOG" in str(after)
        if switch and not logged:
            skip = True
        elif not skip:
            yield step
        else:
            skip = False


def keys_of(step: Step) -> list[str]:
    """The single keys of a step of a script."""
    if isinstance(step, Type):
        return ["ENTER" if character == "\n" else character for character in step.text]
    return [step.key] if isinstance(step, Press) else []


def kind_of(key: str, question: str) -> str:
    """How a key is called in the table."""
    if question == "1-5 pick" and key in "12345":
        return "1-5"
    if key in ("S", "D", "LEFT", "RIGHT") and "SHIFT" in question:
        return "S D arrows"
    if len(key) == 1 and "A" <= key <= "T" and question.startswith(("SHIFT", "GATE")):
        return "A-T"
    if key in ("ENTER", " ", "Y", "N") or (key == "S" and question == "1-5 pick"):
        return {" ": "space"}.get(key, key)
    return "others"


def plain(game: str, seed: int) -> Scenario:
    """A made-up scenario without settings, warm-up and trouble with the disk."""
    scenario = make(adapter(game), seed)[0]
    options = {k: v for k, v in scenario.setup.options.items() if k in KEPT}
    return replace(scenario, setup=replace(scenario.setup, options=options))


Table = dict[tuple[str, str], Row]


def play(game: str, built: Built, seed: int, table: Table, logged: bool) -> None:
    """Play one scenario and note its answers in the table."""
    player = Player(game, built)
    player.await_question()
    number = 0
    for step in steps(plain(game, seed), logged):
        for key in keys_of(step):
            if not player.console.running:
                return
            question = player.question()
            row = table.setdefault((question, kind_of(key, question)), Row())
            answer, looked, still = player.press(key)
            row.keys += 1
            number += 1
            row.answer.add(answer, (seed, number))
            row.next_key.add(looked, (seed, number))
            row.still.add(still.seconds, (seed, number), still.lines)
    assert player.console.error is None


def slowest_lines(game: str, built: Built, where: tuple[int, int], logged: bool) -> str:
    """Where the machine spent its time between one key of one scenario and the next question."""
    seed, wanted = where
    player = Player(game, built)
    player.await_question()
    number = 0
    spent: Counter[str] = Counter()
    for step in steps(plain(game, seed), logged):
        for key in keys_of(step):
            number += 1
            if number < wanted:
                player.press(key)
                continue
            with profiling(player.console) as profile:
                player.press(key)
            for line, cycles, _ in profile.by_line():
                if "CALL KEY" not in player.listing.get(line, ""):
                    spent[player.place(line)] += cycles
            return "  ".join(f"{p} {c / CPU_HZ:.2f}" for p, c in spent.most_common(3))
    return ""


@pytest.mark.parametrize("logged", [False, True], ids=["log off", "log on"])
@pytest.mark.parametrize("game", ["d5000", "dicerack", "lambo", "dimraw"])
def test_any_key_is_answered_within_a_second(game: str, logged: bool) -> None:
    built = build_game(find_game(game))
    table: Table = {}
    matches = MATCHES.get(game, GAMES) // 2
    for seed in range(matches):
        play(game, built, 2 * seed + logged, table, logged)
    print(f"\n{game}, play log {'on' if logged else 'off'}: worst of {matches} games, seconds")
    print(f"{'question':20} {'key':10} {'keys':>5} {'answer':>6} {'next key':>8} {'still':>6}")
    for (question, kind), row in sorted(table.items()):
        worst = (row.answer.seconds, row.next_key.seconds, row.still.seconds)
        print(
            f"{question:20} {kind:10} {row.keys:5} {worst[0]:6.2f} {worst[1]:8.2f} {worst[2]:6.2f}"
        )
    for title in ("answer", "next_key", "still"):
        rows = sorted(table.items(), key=lambda item: -getattr(item[1], title).seconds)[:3]
        for (question, kind), row in rows:
            worst_one = getattr(row, title)
            lines = worst_one.lines or slowest_lines(game, built, worst_one.where, logged)
            print(f"slowest {title}: {question}, {kind}: {worst_one.seconds:.2f}: {lines}")
    assert all(row.answer.seconds < LIMIT for row in table.values())
    assert all(row.still.seconds < STILL.get(game, LIMIT) for row in table.values())
