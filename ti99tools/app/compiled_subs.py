"""What is said of SUBs that are compiled: by lint their bytes, by `run` where one has failed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ti99tools.app.source import Written
from ti99tools.base.decoding import decode, is_text
from ti99tools.base.errors import Place, TIError
from ti99tools.base.hostio import read_bytes
from ti99tools.games.making.artefacts import generate_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.making.twins import Twins
from ti99tools.hardware.machine.clock import CPU_HZ
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
