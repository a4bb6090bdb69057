"""THE HEN for verification: the numbers on its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ti99tools.games.models.model import Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import Adapter

GRAINS = 25


class HenAdapter(Adapter):
    """See `Adapter`: title, seed and end of a match are those of the library."""

    looks = 2

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """The numbers behind their words in the first two rows."""
        words = f"{rows[0]} {rows[1]}".split()
        return dict(zip(words[::2], words[1::2], strict=False))

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What the screen must show after these events."""
        numbers: dict[str, object] = {"POINTS": "0"}
        grains = 0
        for event in events:
            match event.kind, event.args:
                case "HEN", (road, hens):
                    grains = GRAINS
                    numbers |= {"ROAD": road, "HENS": hens, "GRAINS": str(grains)}
                case "STEP", _:
                    grains -= 1
                    numbers["GRAINS"] = str(grains)
                case "OVER", (points,):
                    numbers["POINTS"] = points
                case "SCORE", _:
                    # At the end the first row is that of the last question.
                    return {"POINTS": numbers["POINTS"]}
        return numbers
