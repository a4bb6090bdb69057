"""When ti99sim's driver gives and takes back a key: its headers, compiled here and fed with looks.

`question.hpp` answers as the rule in `console.asking`. `keyboard.hpp` is played by the loop of the
arcade's menu, which looks at the whole keyboard and at the joystick's half in turn.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest

from tests.shipped import shipped
from ti99tools import Console, DiskImage
from ti99tools.computer.console.asking import Look, Question
from ti99tools.games.hosts.ti99sim import COMPILERS
from ti99tools.games.making.finding import game_names, games_root
from ti99tools.games.making.keeping import kept_collection
from ti99tools.hardware.machine.clock import FRAME

FEEDER = """\
#include <cstdio>
#include <cstring>
#include "keyboard.hpp"


// Looks in, for each whether the program asks.
void questions() {
  Question question;
  int place, frames, shown, counts, half;
  uint64_t cycle = 0;
  while (scanf("%d%d%d%d%d", &place, &frames, &shown, &counts, &half) == 5) {
    cycle += frames * FRAME;
    const Sight look{{{1, place}, 0}, cycle, uint64_t(shown), counts != 0, half != 0};
    if (place < 0) question.forget();
    else printf("%d", question.asks(look));
  }
}

// The arcade's loop: CALL KEY(3) in one line, CALL KEY(1) for the button in another. Keys in, for
// each the looks that find it; at most two seconds for each.
void arcade(int half_only) {
  Keyboard keyboard;
  int last_key = NO_KEY, place, seconds = 2 * 60;
  uint64_t cycle = 0;
  int turn = 0, keys = 0;
  const auto look = [&](int unit) {
    const auto asks = [&] { return Asking{true, false, {9, unit}, 7, false, unit != 3, 0}; };
    int found = NO_KEY;
    for (int column = 5; column >= 1; column--)
      for (int row = unit == 3 ? 0 : 4; row < 8; row++)
        if (keyboard.read(8 * column + row, cycle, last_key, asks) && found == NO_KEY)
          found = 8 * column + row;
    last_key = found;
    return found;
  };
  const auto frame = [&] {
    const int unit = half_only ? 1 : turn++ % 2 ? 1 : 3;
    const int found = look(unit);
    if (found != NO_KEY) printf("%d", unit);
    cycle += FRAME;
    keyboard.frame(last_key);
  };
  while (scanf("%d", &place) == 1) {
    int left = seconds;
    while (left-- && !keyboard.rested(last_key)) frame();
    if (keys++ % 2) frame();                // so that each of the looks comes first now and then
    keyboard.press({place}, false, false);
    while (left-- > 0 && !keyboard.taken()) frame();
    keyboard.release();
    while (left-- > 0 && last_key != NO_KEY) frame();
    printf(left > 0 ? " " : "late ");
  }
}

int main(int, char **words) {
  if (!strcmp(words[1], "questions")) questions();
  else arcade(!strcmp(words[1], "half"));
}
"""


@pytest.fixture(scope="module")
def feeder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("feeder")
    for name in ("keyboard.hpp", "question.hpp"):
        text = files("ti99tools.games.hosts.ti99sim").joinpath(name).read_text()
        (folder / name).write_text(text)
    (folder / "feeder.cpp").write_text(FEEDER)
    command = [compiler, "-std=c++17", "-O0", "-o", "feeder", "feeder.cpp"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "feeder"


def fed(feeder: Path, what: str, text: str) -> str:
    done = subprocess.run([feeder, what], input=text, capture_output=True, text=True, check=True)
    return done.stdout


COUNTING = 10
"""Places from here on are lines between FOR and NEXT."""


def test_the_driver_asks_where_our_console_does(feeder: Path) -> None:
    random = Random(40)
    question, loop = Question(), object()
    cycle, answers = 0, ""
    lines: list[str] = []
    for n in range(4000):
        # Runs of looks of one kind, so that each part of the rule has its turn.
        if n % 40 == 0:
            places, share = random.randint(1, 3), random.random() ** 4
            apart, first = random.choice((2, 9, 14, 17, 50, 70)), random.choice((0, 0, 0, COUNTING))
        place = first + random.randrange(places) if random.random() < 0.97 else -1
        frames, sight = random.randint(1, apart), n if random.random() < share else 0
        counts, half = place >= COUNTING, place % COUNTING == 2
        lines.append(f"{place} {frames} {sight} {int(counts)} {int(half)}\n")
        cycle += frames * FRAME
        if place < 0:
            question.forget()
            continue
        loops = ((loop, n),) if counts else ()
        answers += str(int(question.asks(Look(place, cycle, sight, loops, half=half))))
    assert fed(feeder, "questions", "".join(lines)) == answers
    assert 0.1 < answers.count("1") / len(answers) < 0.9


LEFT_HALF, RIGHT_HALF, NEITHER = 8 * 5 + 4, 8 * 4 + 1, 8 * 1 + 2
"""Places of keys: of the joystick's half of the keyboard, of the other half, of neither."""


@pytest.mark.parametrize("place", [LEFT_HALF, RIGHT_HALF])
def test_the_look_that_wants_the_key_gets_it(feeder: Path, place: int) -> None:
    looks = fed(feeder, "arcade", f"{place} " * 8).split()
    assert len(looks) == 8
    assert all("3" in found and "late" not in found for found in looks)


def test_a_look_at_a_half_alone_keeps_the_key_for_a_tenth_of_a_second(feeder: Path) -> None:
    looks = fed(feeder, "half", f"{LEFT_HALF} " * 4).split()
    assert [len(found) for found in looks] == [6, 6, 6, 6], "frames"


LINGER = 6
"""Frames for which a key that only a half has found stays down: a tenth of a second."""


class MadeUpHost:
    """Somebody at the arcade, who lets go of a key when it was found: at once, or by the rule."""

    def __init__(self, by_the_rule: bool) -> None:
        games = [shipped(name) for name in game_names()]
        disk = kept_collection(games_root(), games).image.to_bytes()
        self.console = Console({"DSK1": DiskImage.from_bytes(disk)}, max_seconds=60)
        self.by_the_rule = by_the_rule
        self.units: list[int] = []
        """The units whose scans have found the key."""
        keyboard = self.console.machine.keyboard
        scan: Callable[[int], tuple[int, int]] = keyboard.scan

        def noting(unit: int) -> tuple[int, int]:
            found = scan(unit)
            self.note(found[1] != 0, unit)
            return found

        keyboard.scan = noting  # type: ignore[method-assign]
        self.key = ""
        self.console.boot()
        self.console.run_until(text="1      2")
        self.console.wait(90)

    def note(self, found: bool, unit: int) -> None:
        """A scan of CALL KEY is over."""
        if not self.key or not found:
            return
        self.units.append(unit)
        if not self.by_the_rule or unit >= 3:
            self.let_go()

    def let_go(self) -> None:
        self.console.release(self.key)
        self.key = ""

    def press(self, key: str) -> None:
        """Press a key, and go on when it is up again."""
        self.key, self.units = key, []
        self.console.hold(key)
        since = 0
        while self.key:
            self.console.wait(1)
            since += bool(self.units)
            if self.key and since > LINGER:
                self.let_go()
        self.console.wait(40)

    def walks(self) -> int:
        """How often the child walks, of 12 times that it is told to, at any moment."""
        steps = 0
        for n in range(12):
            before = self.console.sprite(5)
            self.press("DS"[n % 2])
            steps += self.console.sprite(5) != before
            self.console.wait(n)
        return steps


def test_the_arcade_gets_every_key_by_the_rule() -> None:
    assert MadeUpHost(by_the_rule=True).walks() == 12


def test_the_arcade_loses_keys_that_go_up_after_the_first_look() -> None:
    """As the drivers did: the look at the joystick's button has found them."""
    assert MadeUpHost(by_the_rule=False).walks() < 12
