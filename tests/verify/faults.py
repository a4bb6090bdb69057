"""Hosts that play the model itself, faithfully or with a fault: what verification must find."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ti99tools.base.codes import KEY_NAMES
from ti99tools.computer.console.keyscript import Press, Step, Type
from ti99tools.games.hosts.host import Job, Played
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.loading import adapter
from xbasic.d5000.adapter import default_names

Fault = Callable[[list[str]], list[str]]


def keys_of(steps: Iterable[Step]) -> str:
    """All characters typed, named keys as their codes."""
    text = ""
    for step in steps:
        if isinstance(step, Type):
            text += step.text.replace("\n", "\r")
        elif isinstance(step, Press):
            text += chr(KEY_NAMES[step.key])
    return text


@dataclass
class Echo:
    """Reads a D5000 session from its script, plays it on the model, and spoils the log."""

    fault: Fault = field(default=lambda lines: lines)
    name: str = "echo"
    problem: str = ""

    def missing(self) -> str:
        return ""

    def play(self, job: Job) -> Played:
        game = adapter("d5000")
        typed = keys_of(job.steps)
        assert typed.startswith("4\r1"), "plain sessions only"
        count, rest = int(typed[3]), typed[4:]
        named = []
        for _ in range(count):
            name, _, rest = rest.partition("\r")
            named.append(name)
        usual = default_names("".join(name[0] for name in named))
        players = [Player(t[0], t[1:] or name) for t, name in zip(named, usual, strict=True)]
        seed, _, keys = rest.partition("\r")
        match = Match(game.model(Setup(int(seed), tuple(players))))
        for key in keys:
            if match.ask is None:
                break
            match.press(ord(key))
        log = PlayLog("D5000", game.model.version, int(seed), tuple(match.log), match.ask is None)
        lines = self.fault(list(log.lines()))
        return Played(tuple(line.encode() for line in lines), {}, 1.0, self.problem)
