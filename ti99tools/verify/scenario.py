"""A scenario: a game, its setup and every key of the match, enough to play it again anywhere.

Saved as a key script whose first line carries the scenario, so that the same file is played by
`ti99tools run --script` and judged by `ti99tools verify --replay`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ti99tools.base.errors import Place, ScriptError
from ti99tools.base.keys import ENTER, NAMES
from ti99tools.models.model import Player, Setup
from ti99tools.trace.keyscript import Press, Step, Type, write

MARK = "# scenario: "
_KEY_NAMES = {code: name for name, code in NAMES.items()}


@dataclass(frozen=True)
class Scenario:
    """`keys` are the codes pressed in the match, in order; `policies` say who chose them."""

    game: str
    setup: Setup
    keys: tuple[int, ...] = ()
    policies: tuple[str, ...] = ()

    def with_keys(self, keys: Iterable[int]) -> Scenario:
        """The same match with other keys."""
        return replace(self, keys=tuple(keys))

    def to_json(self) -> str:
        """One line of JSON; `from_json` reads it back."""
        setup = self.setup
        return json.dumps(
            {
                "game": self.game,
                "seed": setup.seed,
                "players": [[player.kind, player.name] for player in setup.players],
                "options": dict(setup.options),
                "keys": list(self.keys),
                "policies": list(self.policies),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Scenario:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError for other texts."""
        data = json.loads(text)
        players = tuple(Player(kind, name) for kind, name in data["players"])
        setup = Setup(int(data["seed"]), players, dict(data["options"]))
        return cls(data["game"], setup, tuple(map(int, data["keys"])), tuple(data["policies"]))


def key_steps(keys: Iterable[int]) -> Iterator[Step]:
    """Key codes as steps of a script: runs of characters typed, other keys pressed by name."""
    text = ""
    for key in keys:
        if key == ENTER:
            text += "\n"
        elif 32 <= key < 127:
            text += chr(key)
        else:
            if text:
                yield Type(text)
            text = ""
            yield Press(_KEY_NAMES[key])
    if text:
        yield Type(text)


def to_script(scenario: Scenario, steps: Iterable[Step], remarks: Iterable[str] = ()) -> str:
    """The text of a replayable file: scenario, remarks, and the steps of the whole session."""
    lines = [f"{MARK}{scenario.to_json()}", *(f"# {remark}" for remark in remarks)]
    return "\n".join(lines) + "\n" + write(steps)


def from_script(text: str, file: str) -> Scenario:
    """The scenario of a replayable file. Raises ScriptError when there is none in it."""
    first = text.splitlines()[0] if text else ""
    if not first.startswith(MARK):
        raise ScriptError(
            "no scenario in this file",
            remedy=f"its first line must begin with '{MARK.strip()}', as verify writes it",
            place=Place(file, 1),
        )
    try:
        return Scenario.from_json(first.removeprefix(MARK))
    except (ValueError, KeyError, TypeError) as error:
        raise ScriptError(
            f"a damaged scenario: {error}",
            remedy="let verify write the file again",
            place=Place(file, 1),
        ) from error
