"""Fuzz area: mutated Extended BASIC programs on the console.

A program may end, stop with an error, wait for keys, run into the time limit, or do what makes the
machine stand still, which the console refuses to play. It must do the same when it runs again, when
the console works in other slices of time, when lines are watched for breakpoints, and when nothing
is known of the ranges of variables; and its listing must give the same program again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from random import Random
from typing import Any, NamedTuple

from tests.fuzz.fuzzcore import Attempt, Fault
from tests.fuzz.fuzzgrammar import well_formed
from tests.fuzz.fuzzlanguage import DISK, TOPICS, subject, whole_language
from tests.fuzz.fuzzlistings import COMMANDS, KEYS, Sample, corpus, mutated_listing, statements
from tests.fuzz.fuzzmodel import Ended, Model, TooManySteps
from ti99tools import Console, DiskImage, Program
from ti99tools.base import xberrors as xb
from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.console.workspace import compiler_of, forget_compiled
from ti99tools.computer.interp.run.signals import Unplayable
from ti99tools.games.conformance.playback import file_of
from ti99tools.language.listing.tokenize import MAX_LINE_BYTES, tokenize_marked

MACHINE_SECONDS = 40.0
SETTLED = 120
"""Frames after which all keys have done their work."""
UNPLAYABLE = "unplayable"
TWINS = ("again", "slices", "careful", "plain")
RUNS_OTHERWISE = re.compile(r"RUN|OLD|TRACE|BREAK|NEW|BYE")


class Stroke(NamedTuple):
    """A key, held for some frames and followed by some without it."""

    key: str
    hold: int = 4
    gap: int = 4


class End(NamedTuple):
    """The state after a run."""

    outcome: str
    error: str
    screen: str
    sound: bytes
    disk: bytes
    cycles: int
    values: dict[str, object]


def mutated_program(one: Attempt) -> str:
    """A recorded program with mutations, run on the console."""
    rng = one.rng
    sample = rng.choice(corpus())
    lines = [line for line in mutated_listing(sample.listing, rng) if is_taken(line)]
    return run_listing(one, sample, lines)


def new_program(one: Attempt) -> str:
    """A program put together from statements of the corpus."""
    rng = one.rng
    lines = []
    for number in range(100, 100 + 10 * rng.randint(1, 25), 10):
        parts = [rng.choice(statements()) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        line = f"{number} {'::'.join(parts)}"
        if is_taken(line):
            lines.append(line)
    return run_listing(one, rng.choice(corpus()), lines)


def grown_program(one: Attempt) -> str:
    """A well-formed program made by rules."""
    lines = [line for line in well_formed(one.rng) if is_taken(line)]
    if one.rng.random() < 0.3:
        lines = [line for line in mutated_listing(tuple(lines), one.rng) if is_taken(line)]
    return run_listing(one, corpus()[0], lines)


def spoken_program(one: Attempt) -> str:
    """A program of the whole language: screen, sprites, sound, files, input, errors."""
    rng = one.rng
    lines = whole_language(rng) if rng.random() < 0.6 else subject(rng, rng.choice(TOPICS))
    sample = Sample("whole language", (), DISK, "5\nHELLO\n1,2\n A")
    return run_listing(one, sample, [line for line in lines if is_taken(line)])


def computed_program(one: Attempt) -> str:
    """A well-formed program on the console and in the plain interpreter: the same values."""
    lines = [line for line in well_formed(one.rng, plain=True) if is_taken(line)]
    one.input = text = "\n".join(lines) + "\n"
    program = Program.from_listing(text, strict=False)
    model = Model(program.lines)
    expected: tuple[int | None, int | None] = None, None
    try:
        model.run()
    except Ended:
        pass
    except TooManySteps:
        return "too long"
    except XBError as error:
        expected = error.code, model.line
    console = _console(program, {}, seconds=10_000)
    console.run()
    stop = console.error
    ours = (None, None) if stop is None else (stop.code, stop.line)
    if ours[0] == xb.MEMORY_FULL:
        return "memory full"
    if ours != expected:
        raise Fault(f"console: error {ours}, model {expected}")
    _same_values(console, model)
    return "the same" if stop is None else "the same error"


def _same_values(console: Console, model: Model) -> None:
    """All variables that the program used hold the same."""
    variables = console.variables
    for name, value in model.scalars.items():
        if variables[name] != value:
            raise Fault(f"{name}: console {variables[name]!r}, model {value!r}")
    for name, values in model.arrays.items():
        sizes = [range(model.base, size + 1) for size in model.sizes[name]]
        for subscripts, value in zip(product(*sizes), values, strict=True):
            key = f"{name}({','.join(map(str, subscripts))})"
            if variables[key] != value:
                raise Fault(f"{key}: console {variables[key]!r}, model {value!r}")


def is_taken(line: str) -> bool:
    """Tell whether the tokenizer takes a line; only TIError may come out of it."""
    try:
        tokenize_marked(line, limit=MAX_LINE_BYTES, strict=False)
    except TIError:
        return False
    return True


def run_listing(one: Attempt, sample: Sample, lines: list[str]) -> str:
    rng = one.rng
    text = "\n".join(lines) + "\n"
    keys = _keys(sample, rng)
    commands = [rng.choice((*COMMANDS, *statements())) for _ in range(rng.choice((0, 0, 1, 2, 4)))]
    twin = rng.choice(TWINS)
    typed = [tuple(stroke) for stroke in keys]
    one.input = f"{text}\n{typed}\n{commands}\ndisk of {sample.name}, twin {twin}\n"
    try:
        program = Program.from_listing(text, strict=False)
    except TIError:
        return "refused"
    _check_listing(program)
    end = end_of(program, sample.disk, keys, "first", rng)
    if commands and end.outcome not in ("keys", UNPLAYABLE):
        _after(program, sample.disk, keys, commands)
    _check_twin(program, sample, keys, twin, end, rng)
    return f"XB error {end.error.split(' IN ')[0]}" if end.error else end.outcome


def _check_twin(
    program: Program, sample: Sample, keys: list[Stroke], twin: str, end: End, rng: Random
) -> None:
    if twin != "again" and (end.outcome == "limit" or RUNS_OTHERWISE.search(program.listing())):
        return
    if twin == "careful" and (_in_real_time(keys) or "RUN" in sample.typed):
        return
    other = end_of(program, sample.disk, keys, twin, rng, end.cycles)
    names = [n for n in End._fields if n not in _loose(twin)]
    wrong = [name for name in names if getattr(end, name) != getattr(other, name)]
    if wrong:
        text = "\n".join(f"{n}: {getattr(end, n)!r}\n  {getattr(other, n)!r}" for n in wrong[:3])
        raise Fault(f"{twin}: other {', '.join(wrong)}\n{text[:3000]}")


def _loose(twin: str) -> tuple[str, ...]:
    """What may differ.

    In slices, the end is not waited for. If lines are not watched, a statement that fails has been
    charged together with the rest of its block, so tones may end before or after the next.
    """
    return {"slices": ("cycles", "outcome"), "careful": ("cycles", "sound")}.get(twin, ())


def _keys(sample: Sample, rng: Random) -> list[Stroke]:
    keys = list(sample.typed)
    match rng.randrange(4):
        case 0:
            return []
        case 1:
            keys = [rng.choice((*KEYS, "\n")) for _ in range(rng.randrange(12))]
        case _:
            if rng.random() < 0.4:
                keys.insert(rng.randint(0, len(keys)), rng.choice(KEYS))
            keys += ["\n"] * rng.choice((0, 3))
    if rng.random() < 0.7:
        return [Stroke(key) for key in keys]
    return [Stroke(key, rng.choice((0, 1, 4, 70)), rng.choice((0, 1, 4, 30))) for key in keys]


def _in_real_time(keys: list[Stroke]) -> bool:
    """Tell whether it matters when keys come: CLEAR, and keys held down, which repeat."""
    return any(stroke.key == "CLEAR" or stroke != Stroke(stroke.key) for stroke in keys)


def _console(
    program: Program, disk: Mapping[str, Any], seconds: float = MACHINE_SECONDS
) -> Console:
    image = DiskImage.new(geometry="SSSD", name="FUZZ")
    for name, form in disk.items():
        image.add(file_of(name, form))
        if form.get("protected"):
            image.protect(name, True)
    console = Console(disks={"DSK1": image}, max_seconds=seconds)
    console.load(program)
    return console


def end_of(
    program: Program,
    disk: Mapping[str, Any],
    keys: list[Stroke],
    twin: str,
    rng: Random,
    until: int = 0,
) -> End:
    """How a run with these keys comes out; `twin` says how it is driven."""
    console = _console(program, disk)
    forget_compiled()
    for key, hold, gap in keys:
        console.machine.keyboard.press("ENTER" if key == "\n" else key, hold, gap)
    if twin == "plain":
        _forget_ranges(program)
    try:
        outcome = _driven(console, twin, rng, until)
    except Unplayable:
        outcome = UNPLAYABLE
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    return End(
        outcome,
        "" if console.error is None else str(console.error),
        console.screen.text,
        bytes(console.sound.written),
        image.to_bytes(),
        console.clock.cycles,
        dict(console.variables),
    )


def _driven(console: Console, twin: str, rng: Random, until: int) -> str:
    if twin == "slices":
        return _in_slices(console, until, rng)
    if twin == "careful":
        return _carefully(console)
    outcome = console.run()
    if outcome != "limit":
        console.wait(SETTLED)
    return outcome


def _in_slices(console: Console, until: int, rng: Random) -> str:
    console.start()
    while console.clock.cycles < until:
        step = rng.choice((1, 50, 3_000, 50_064, 400_000, 5_000_000))
        console.advance_to(min(console.clock.cycles + step, until))
    return "slices"


def _carefully(console: Console) -> str:
    """Run with a breakpoint at a line that does not exist, so that all lines are watched."""
    console.start()
    execution = console.execution
    if execution is not None and console.running:
        execution.marks.breakpoints.add(-1)
        execution.trace(False)
        execution.start()
    outcome = console.resume()
    if outcome != "limit":
        console.wait(SETTLED)
    return outcome


def _forget_ranges(program: Program) -> None:
    try:
        compiler_of(program.lines).forget_ranges()
    except XBError:
        return


def _after(
    program: Program, disk: Mapping[str, Any], keys: list[Stroke], commands: list[str]
) -> None:
    """Typed lines after the run, whatever they do."""
    console = _console(program, disk)
    console.type("".join(stroke.key for stroke in keys if len(stroke.key) == 1))
    console.run()
    for command in commands:
        if console.running:
            console.press("CLEAR")
        console.command(command)


def _check_listing(program: Program) -> None:
    """The listing reads back as the same program, and lists the same again."""
    listing = program.listing()
    again = Program.from_listing(listing, strict=False)
    if again.lines != program.lines:
        pairs = zip(program.lines, again.lines, strict=False)
        line, other = next((a, b) for a, b in pairs if a != b)
        raise Fault(f"listing of {line.number}: {line.tokens.hex(' ')}\n {other.tokens.hex(' ')}")
