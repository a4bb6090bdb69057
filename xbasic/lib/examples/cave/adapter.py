"""THE CAVE for verification: the numbers on its screen, and setups with room for its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from ti99tools.games.models.model import Setup
from ti99tools.games.models.playlog import Event
from ti99tools.games.verify.adapter import TROUBLE, Adapter

NUMBERS = 19
"""The row, from 0, with oil and jewels; at the end the score."""
OIL = 40


class CaveAdapter(Adapter):
    """See `Adapter`: title, seed and end of a match are those of the library."""

    looks = 2

    def setup(self, random: Random) -> Setup:
        """A setup without trouble: whether a full disk can keep the progress is no rule."""
        setup = super().setup(random)
        options = {name: text for name, text in setup.options.items() if name != TROUBLE}
        return replace(setup, options=options)

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """The numbers behind their words."""
        words = rows[NUMBERS].split()
        return dict(zip(words[::2], words[1::2], strict=False))

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """What the screen must show after these events."""
        numbers: dict[str, object] = {"OIL": str(OIL), "JEWELS": "0"}
        for event in events:
            match event.kind, event.args:
                case "GO", (_, _, oil):
                    numbers["OIL"] = oil
                case ("TAKE", (bag,)) | ("GHOST", (_, bag)):
                    numbers["JEWELS"] = bag
                case "BACK", (_, _, oil, bag):
                    numbers |= {"OIL": oil, "JEWELS": bag}
                case "SCORE", (score,):
                    return {"SCORE": score}
        return numbers
