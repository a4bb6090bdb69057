"""Fuzz areas: mutated program files, read by `Program`, and loaded and run by the console."""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any

from tests.fuzz.fuzzcore import CASES, Attempt, Fault, mutated_bytes
from ti99tools import Console, DiskImage, Program
from ti99tools.base.errors import TIError
from ti99tools.games.conformance.playback import file_of
from ti99tools.language.program.hostfile import HostFile
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.tifile import DiskFile

MACHINE_SECONDS = 20.0


@lru_cache(maxsize=1)
def forms() -> tuple[DiskFile, ...]:
    """Recorded program files in the PROGRAM, long and MERGE form, small and large."""
    found: list[DiskFile] = []
    for name in ("tokens-editor.jsonl", "tokens-size.jsonl"):
        for line in (CASES / name).read_text(encoding="utf-8").splitlines():
            case: dict[str, Any] = json.loads(line)
            if "program" in case:
                found.append(DiskFile.program("F", bytes.fromhex(case["program"])))
                found.append(DiskFile.program("F", bytes.fromhex(case["protected"])))
            else:
                found.append(file_of("F", case["saved"]))
                found.append(file_of("F", case["protected"]))
            merge = tuple(bytes.fromhex(record) for record in case["merge"])
            found.append(DiskFile.display_var("F", merge, 163))
            program = Program.from_records(merge)
            found.append(DiskFile.internal_var("F", program.to_long_records(), 254))
    return tuple(found)


def program_file(one: Attempt) -> str:
    """A program file as the host has it, bare or after a header, with mutations."""
    rng = one.rng
    file = rng.choice(forms())
    match rng.randrange(4):
        case 0 | 1:
            data = file.data or records.pack_variable(file.records)[0]
        case 2:
            data = hostfiles.build_tifiles(records.store(file))
        case _:
            data = hostfiles.build_fiad(records.store(file))
    one.input = data = mutated_bytes(data, rng, rng.choice((16, 140, 700, len(data))))
    try:
        program = Program.from_bytes(data)
    except TIError as error:
        assert error.problem
        return "refused"
    return _used(program)


def _used(program: Program) -> str:
    """Use a program that was read in every way. Raises Fault where writing does not read back."""
    for line in program.lines:
        if not 1 <= line.number <= 32767:
            raise Fault(f"line number {line.number}")
    program.listing()
    assert program.memory.program_free is not None
    for write in (program.to_program_bytes, program.to_long_records, program.to_merge_records):
        try:
            content = write()
        except TIError:
            continue
        try:
            if isinstance(content, bytes):
                again = Program.from_bytes(content)
            else:
                again = Program.from_records(content)
        except TIError as error:
            if program.lines:
                raise Fault(f"{write.__name__} does not read back") from error
            continue
        if again.lines != program.lines:
            raise Fault(f"{write.__name__} reads back otherwise")
    return "read"


def program_on_console(one: Attempt) -> str:
    """A mutated program file on a disk: OLD, LIST, RUN, MERGE, SAVE."""
    rng = one.rng
    file = rng.choice(forms())
    changed = _mutated_content(file, rng)
    one.input = changed.data or b"".join(changed.records)
    image = DiskImage.new("DSSD", "FUZZ")
    try:
        image.add(changed)
    except TIError:
        return "no disk file"
    console = Console(disks={"DSK1": image}, max_seconds=MACHINE_SECONDS)
    console.boot()
    commands = ["OLD DSK1.F", "LIST 100-200", "RUN", "PRINT 1", "SIZE", "RES", "SAVE DSK1.G"]
    commands += ["MERGE DSK1.F", "LIST", "SAVE DSK1.H,MERGE", "OLD DSK1.G", "RUN"]
    for command in commands:
        if console.running:
            console.press("CLEAR")
        console.command(command)
        if console.running:
            console.press("CLEAR")
            console.press("CLEAR")
    return "run" if console.program is not None else "refused"


def _mutated_content(file: DiskFile, rng: Random) -> DiskFile:
    if file.data:
        return DiskFile.program("F", mutated_bytes(file.data, rng, rng.choice((16, 700, 99999))))
    changed = list(file.records)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(changed))
        match rng.randrange(6):
            case 0:
                del changed[at]
            case 1:
                changed.insert(at, rng.choice(changed))
            case _:
                changed[at] = mutated_bytes(changed[at], rng)[: file.recl]
        if not changed:
            changed = [b""]
    return DiskFile(name="F", type=file.type, recl=file.recl, records=tuple(changed))


def container_file(one: Attempt) -> str:
    """A data file after a TIFILES or V9T9 header, with mutations, onto a disk and back."""
    rng = one.rng
    texts = [rng.randbytes(rng.randrange(80)) for _ in range(rng.randrange(60))]
    stored = records.store(
        rng.choice(
            (
                DiskFile.display_var("TEXT", texts),
                DiskFile.internal_fix("FIX", [bytes(30)] * len(texts), 30),
                DiskFile.program("PROG", b"".join(texts) + b"x"),
            )
        )
    )
    build = rng.choice((hostfiles.build_tifiles, hostfiles.build_fiad))
    one.input = data = mutated_bytes(build(stored), rng, 40)
    try:
        found = HostFile(data, "host").ti_file
        if found is None:
            return "no container"
        file = records.load(found)
        disk = DiskImage.new("DSDD")
        disk.add_stored(found)
        if disk.read(found.name) != file:
            raise Fault("reads otherwise from the disk")
    except TIError as error:
        assert error.problem
        return "refused"
    return "read"
