"""Proof that a SUB and its twin in machine code do the same: both run with the same arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base.errors import TIError
from ti99tools.computer.console.session import Console
from ti99tools.games.making.twins import Twins
from ti99tools.language.dialect import generate
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

Value = int | float | str
Case = Mapping[str, Value]
"""Variable (`K`, `PG$(12)`) → its value."""

PATIENCE = 36_000
"""The most frames that a call may take: ten minutes of machine time."""
_SETTLED = 30
"""Frames from the start until the harness looks for a key."""
_ROUNDS = "ROUNDS"
_HARNESS = """{before}
again:
  CALL KEY(0,KEYNOW,KEYNEW)
  IF KEYNEW<1 THEN again
{call}
{rounds}={rounds}+1
GOTO again
#include "{file}"
"""


@dataclass(frozen=True, slots=True)
class TwinMismatch:
    """A case in which the two differ, with the results of each."""

    case: Case
    basic: tuple[float | str, ...]
    native: tuple[float | str, ...]


class Harness:
    """A program that calls a SUB, or its twin, repeatedly with given variables."""

    def __init__(self, path: Path, before: str, call: str, *, native: bool) -> None:
        """`before` are lines that dimension arrays and set constants, `call` is the CALL."""
        text = _HARNESS.format(before=before, call=call, rounds=_ROUNDS, file=path.name)
        twins = Twins(path.parent)
        listing = generate(text, root=path.parent, native=twins.entered if native else None)
        if native and not twins.code:
            raise TIError(f"{path} has no SUB with a twin", remedy='write SUB … ASM "FILE"')
        self._console = Console(max_seconds=1e9)
        self._console.load(with_code(Program.of(Source.of_generated(listing)), twins.code))
        self._console.start()
        self._console.wait(_SETTLED)
        self.seconds = 0.0
        """Machine time of all calls together, including the harness."""

    def joystick(self, x: int, y: int, fire: bool) -> None:
        """Hold joystick 1 like this during the following calls."""
        self._console.joystick(1, x, y, fire)

    def run(self, case: Case, wanted: Sequence[str]) -> tuple[float | str, ...]:
        """Call the SUB with the variables of `case`; returns the values of the `wanted` ones.

        Raises TIError when the call fails or does not return.
        """
        console = self._console
        variables = console.variables
        for name, value in case.items():
            variables[name] = value
        before, start = self._rounds(), console.clock.seconds
        console.press("A", hold=2, gap=2)
        for _ in range(PATIENCE):
            if console.error is not None:
                raise TIError(f"the call fails with {console.error}", remedy="see the case")
            if self._rounds() not in (before, None):
                self.seconds += console.clock.seconds - start
                return tuple(console.variables[name] for name in wanted)
            console.wait(1)
        raise TIError("the call does not come back", remedy="see the case")

    def _rounds(self) -> float | str | None:
        """How many calls have returned; None during a call."""
        variables = self._console.variables
        if _ROUNDS not in variables:
            return None
        return variables[_ROUNDS]


def mismatches(
    path: Path, before: str, call: str, cases: Iterable[Case], wanted: Sequence[str]
) -> Iterator[TwinMismatch]:
    """The cases in which the SUB of a source file and its twin differ. Raises TIError."""
    basic = Harness(path, before, call, native=False)
    native = Harness(path, before, call, native=True)
    for case in cases:
        first, second = basic.run(case, wanted), native.run(case, wanted)
        if first != second:
            yield TwinMismatch(case, first, second)
