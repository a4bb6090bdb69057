"""A fault: a place in a source file, and what is written there instead."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Fault:
    """A text that occurs once in a file (named from the folder of sources), and its spoilt form.

    A table is filled when its module is imported, long before it is used: `used` is then a file and
    a line in a function that uses it. `same` says why no test can find the fault.
    """

    name: str
    file: str
    old: str
    new: str
    used: tuple[str, str] | None = None
    same: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """The file and the text where tests come to the fault."""
        return self.used or (self.file, self.old)

    def wrong(self, text: str) -> str:
        """The spoilt text of the file. Raises ValueError where the place is not found once."""
        found = text.count(self.old)
        if found != 1:
            raise ValueError(
                f"{self.name}: the text is {found} times in {self.file}; give the fault a place "
                "where it does the same"
            )
        return text.replace(self.old, self.new)
