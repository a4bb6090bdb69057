"""SUBs that are compiled: their bytes, where one has failed, proof that a twin does the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.app.source import Written
from ti99tools.base.decoding import decode, is_text
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.computer.console.session import Console
from ti99tools.games.making.artefacts import generate_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import Twins
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.language.dialect import generate
from ti99tools.language.dialect.declarations import Twin
from ti99tools.language.dialect.reader import included
from ti99tools.language.dialect.translate import generate_file
from ti99tools.language.findings import Finding, Severity, from_error
from ti99tools.language.program.editor import with_code
from ti99tools.language.program.judgement import memory_findings
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source

if TYPE_CHECKING:
    from ti99tools.computer.console.session import Console

CODE = "compiled"
"""The rule's name."""


def mentions_compiled(path: Path) -> bool:
    """Tell whether a source or a file that it includes has the word COMPILED."""
    waiting, seen = [path], {path}
    while waiting:
        file = waiting.pop()
        try:
            data = read_bytes(file)
        except (OSError, TIError):
            continue
        if not is_text(data):
            continue
        text = decode(data)
        if "COMPILED" in text.upper():
            return True
        more = [one for one in included(text, file.parent) if one not in seen]
        seen.update(more)
        waiting += more
    return False


def compiled_findings(source: Written) -> tuple[list[Finding], Program | None]:
    """The findings for the SUBs of a source that are compiled, and the program with their code.

    Nothing and None if there are none, or if the source has other mistakes.
    """
    if not mentions_compiled(source.path):
        return [], None
    known: list[Twin] = []
    twins = Twins(source.root or source.path.parent)

    def entered(found: Sequence[Twin]) -> str:
        known.extend(twin for twin in found if not twin.file)
        return twins.entered(found)

    try:
        generated = generate_file(
            source.path, root=source.root, defines=source.constants, native=entered
        )
        program = with_code(Program.of(Source.of_generated(generated)), twins.code)
    except TIError as error:
        errors = (error, *getattr(error, "others", ()))
        return [from_error(each, CODE) for each in errors] if known else [], None
    if not known:
        return [], None
    findings = []
    for twin in known:
        seconds = twins.call_cycles[twin.name] / CPU_HZ
        size = f"{twin.name} is compiled: {twins.sizes[twin.name]} bytes"
        cost = f"a CALL takes {seconds:.3f} s besides what it does"
        findings.append(Finding(Severity.INFO, CODE, twin.place, f"{size}; {cost}"))
    place = known[0].place
    code = f"the compiled SUBs take {twins.compiled_bytes} bytes of the program with the runtime"
    low = f"{twins.low_bytes} of low memory for variables and strings"
    findings.append(Finding(Severity.INFO, CODE, place, f"{code}, and {low}"))
    return [*findings, *memory_findings(program, str(source.path))], program


def failed_statement(game: Manifest, console: Console, name: str) -> Place | None:
    """The statement of a SUB that has ended with an error; None where that is not known, and if
    `name` is no SUB that is compiled.

    The game's machine code is made again: the disk has no table of its lines.
    """
    program, engine = console.program, console.engine
    if program is None or engine is None or not mentions_compiled(game.source_path):
        return None
    twins = Twins(game.folder)
    generate_game(game, twins=twins)
    if name not in twins.sizes or not program.image.memory.endswith(twins.code):
        return None
    return twins.failed_at(engine.bus.word_at(twins.error_cell))


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
