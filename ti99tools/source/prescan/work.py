"""What a pre-scan had to do: counts that tell how long it took."""

from __future__ import annotations

from collections.abc import Reversible
from dataclasses import dataclass


@dataclass(slots=True)
class Work:
    """Counts of one pass.

    `lines` without `remarks`, which begin with `!`; `statements` after the first of a line, and the
    `entries` compared with the first token of each in the table of statements that the pre-scan
    takes care of; `names` met, with their `characters`, and the newer names that had to be passed
    to find them, those of the `same_length` counted again; bytes looked at `ahead` to count the
    subscripts of a name, but for the three that any take; `symbols` entered, the `dimensions` of
    arrays and the `elements` of numeric ones among them, `functions` (DEF), those with
    `arguments`, and `subs`; CALLs of `built_in` subprograms, with the `letters` of their names,
    those of a name met for the first time again as `new_letters`, and CALLs of `own` ones; `jumps`
    are line numbers, `options` OPTION BASE; `tokens` other than names.
    """

    lines: int = 0
    remarks: int = 0
    statements: int = 0
    entries: int = 0
    names: int = 0
    characters: int = 0
    passed: int = 0
    same_length: int = 0
    ahead: int = 0
    symbols: int = 0
    dimensions: int = 0
    elements: int = 0
    functions: int = 0
    arguments: int = 0
    subs: int = 0
    options: int = 0
    tokens: int = 0
    built_in: int = 0
    letters: int = 0
    new_letters: int = 0
    own: int = 0
    jumps: int = 0

    def find(self, name: str, table: Reversible[str]) -> None:
        """Count a name that is looked for in a table, from the newest entry to the oldest."""
        self.names += 1
        self.characters += len(name)
        for other in reversed(table):
            if other == name:
                break
            self.passed += 1
            self.same_length += len(other) == len(name)
