"""Numbers on the command line, and our own words for a wrong one."""

from __future__ import annotations

from typing import Any

import click


class Whole(click.IntRange):
    """A whole number within limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises BadParameter for one out of range, and for other texts."""
        try:
            number = int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number", param, ctx)
        below = self.min is not None and number < self.min
        if below or (self.max is not None and number > self.max):
            limits = f"from {self.min} to {self.max}"
            if self.max is None:
                limits = f"{self.min} or more"
            self.fail(f"{number} is not {limits}", param, ctx)
        return number


class Amount(click.FloatRange):
    """A number from a limit on, 0 and more as a rule."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Raises BadParameter for one out of range, and for other texts; `nan` is not a
        number.
        """
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is not a number", param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number", param, ctx)
        least = self.min if self.min is not None else number
        below = number <= least if self.min_open else number < least
        if below or (self.max is not None and number > self.max):
            limits = f"above {self.min} and up to {self.max}"
            if self.max is None:
                limits = f"{self.min} or more"
            self.fail(f"{number} is not {limits}", param, ctx)
        return number
