"""Compiling a target: a summary of the result, and a report on each statement.

The report gives each statement's bytes, its cycles in both forms (Extended BASIC and compiled), why
numeric variables are not stored as words (16-bit integers), and which loops have a pace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from ti99tools.app.source import find
from ti99tools.app.target import Target, find_target
from ti99tools.base.errors import DiskError, Remedy, SourceError, TIError, Where, together
from ti99tools.base.record import Record
from ti99tools.base.xberrors import IO_ERROR, TEXTS
from ti99tools.compiler.bankparts import Berth
from ti99tools.compiler.cartridge import MOST_TITLE, is_stored, rpk
from ti99tools.compiler.compiling import (
    Collected,
    Compiled,
    Wanted,
    compile_program,
    compile_single,
)
from ti99tools.compiler.emit.emission import FIRST_BANK
from ti99tools.compiler.ir import Spot
from ti99tools.compiler.linking import ORIGIN
from ti99tools.compiler.pace import Pace
from ti99tools.compiler.symbols import symbols_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.collected import stored_programs
from ti99tools.computer.console.compiledmemory import NOWHERE, SHORT_MARK, TABLE
from ti99tools.computer.console.following import Follower
from ti99tools.computer.console.profiling import profiling
from ti99tools.computer.console.session import Console
from ti99tools.computer.machinecode.cartridges import Cartridge
from ti99tools.games.making.artefacts import generate_game
from ti99tools.games.making.manifest import Manifest
from ti99tools.hardware.machine.clock import CPU_HZ
from ti99tools.language.listing.listing import list_tokens
from ti99tools.language.program.program import Program
from ti99tools.language.program.sourcefile import Source
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.statements import every_statement
from ti99tools.media.disk.extract import from_host

BASIC_SECONDS, COMPILED_SECONDS = 60.0, 2.0
"""Machine time for which each form runs, without keys, while it is measured."""
_TEXT = 40
"""The most characters of a statement in the report as text."""


def report(
    result: Compiled, program: Program, among: Collected | None = None, entry: int = 0
) -> str:
    """Each statement's bytes and cycles in both forms; why variables are not words; loops' pace.

    Cycles are the mean in a run without keys; `-` for a statement that did not run. `among`: the
    programs of the cartridge, of which it is number `entry`.
    """
    rows = ["line   bytes  cycles in Extended BASIC : compiled  statement"]
    for each in _reported(result, program, among, entry):
        times = each.basic, each.compiled
        cells = [f"{time:,.0f}" if time is not None else "-" for time in times]
        gain = f"{times[0] / times[1]:.0f} x" if times[0] and times[1] else ""
        numbers = f"{each.line:<5} {each.size:>6}  {cells[0]:>12} : {cells[1]:<9} {gain:>6}"
        text = each.text if len(each.text) <= _TEXT else f"{each.text[:_TEXT]}…"
        rows.append(f"{numbers}  {text}")
    rows += [reason for _, reason in reasons(result)]
    rows += [
        f"line {line} looks for keys: a round of its loop takes {milliseconds} ms or more, as in "
        "Extended BASIC"
        for line, milliseconds in _paced(result)
    ]
    rows.append(f"runtime: {', '.join(_runtime(result))}")
    return "\n".join(rows) + "\n"


def report_data(
    result: Compiled, program: Program, among: Collected | None = None, entry: int = 0
) -> dict[str, Any]:
    """The same as JSON values: cycles are null for a statement that did not run."""
    statements = [
        {
            "line": each.line,
            "bytes": each.size,
            "basic_cycles": None if each.basic is None else round(each.basic, 1),
            "compiled_cycles": None if each.compiled is None else round(each.compiled, 1),
            "text": each.text,
        }
        for each in _reported(result, program, among, entry)
    ]
    return {
        "statements": statements,
        "not_words": dict(reasons(result)),
        "paced": [
            {"line": line, "milliseconds": milliseconds} for line, milliseconds in _paced(result)
        ],
        "runtime_parts": _runtime(result),
    }


class _Reported(Record):
    """A statement: its line number and text, its bytes, and its mean cycles in both forms."""

    line: int
    size: int
    basic: float | None
    compiled: float | None
    text: str


def _reported(
    result: Compiled, program: Program, among: Collected | None, entry: int
) -> Iterator[_Reported]:
    """The statements that have code, in the order of the program."""
    sizes = _sizes(result)
    basic, compiled = _in_basic(program), _as_cartridge(result, program, among, entry)
    for spot, text in _statements(program):
        if spot in sizes:
            yield _Reported(spot[0], sizes[spot], basic.get(spot), compiled.get(spot), text)


def _runtime(result: Compiled) -> list[str]:
    """The parts of the runtime that the program needs."""
    return [name.removesuffix(".a99") for name in result.linked.parts]


def reasons(result: Compiled) -> Iterator[tuple[str, str]]:
    """Variables and arrays that are not words, each with the reason."""
    kinds = result.kinds.variables | result.kinds.arrays
    for name, kind in sorted(kinds.items()):
        if kind == "c" and name in result.ranges.broken and name not in result.code.hidden:
            spot, broken_by = result.ranges.broken[name]
            name_in_text = f"{name}()" if name in result.kinds.arrays else name
            yield name, f"{name_in_text} may be {broken_by} in line {spot[0]}"


def _paced(result: Compiled) -> Iterator[tuple[int, int]]:
    """Lines that look for keys in loops with a pace, and milliseconds of the shortest round."""
    for (line, _), cycles in sorted(result.code.paced.items()):
        yield line, round(cycles * 1000 / CPU_HZ)


def _sizes(result: Compiled) -> Counter[Spot]:
    places = result.linked.places
    sizes: Counter[Spot] = Counter()
    for (address, spot), (end, _) in pairwise(places):
        if spot != NOWHERE:
            sizes[spot] += end - address
    return sizes


def _statements(program: Program) -> Iterator[tuple[Spot, str]]:
    for line in program.lines:
        for statement in every_statement(program.analysis.parsed[line.number]):
            end = statement.end
            if isinstance(statement, st.If) and isinstance(statement.then, tuple):
                end = statement.then[0].at
            yield (line.number, statement.at), list_tokens(line.tokens[statement.at : end])


def _in_basic(program: Program) -> dict[Spot, float]:
    console = Console()
    console.load(program)
    with profiling(console) as profile:
        console.run(BASIC_SECONDS)
    return {
        spot: cycles / profile.runs[spot]
        for spot, cycles in profile.cycles.items()
        if profile.runs[spot]
    }


def _as_cartridge(
    result: Compiled, program: Program, among: Collected | None, entry: int
) -> dict[Spot, float]:
    console = CartridgeConsole((among or result).cartridge)
    if entry >= len(console.menu):
        return {}
    console.choose(2 + entry)
    follower = Follower(console.engine, symbols_of(result, program))
    with suppress(TIError):
        console.resume(COMPILED_SECONDS)
    return {
        spot: cycles / follower.times[spot]
        for spot, cycles in follower.cycles.items()
        if spot != NOWHERE and follower.times[spot]
    }


ENDINGS = (".bin", ".rpk")


def compiled(
    name: str,
    title: str | None,
    words: bool,
    pace: str = Pace.BASIC.value,
    banks: bool = True,
    alone: bool = False,
) -> Compiled:
    """Compile a source, a program file, or a game's program: see `compile_single`.

    `pace`: the value of a `Pace`. `alone`: there is no cartridge on which RUN finds it. Raises
    TIError, SourceError.
    """
    one = wanted(name, title)
    return compile_single(one, words, pace=Pace(pace), banks=banks, alone=alone)


def compiled_whole(name: str) -> Compiled:
    """Compile a program for those who are told of nothing but errors.

    Raises TIError, SourceError, also for RUN of a program that would not be on the cartridge.
    """
    result = compiled(name, None, True)
    target = target_of(name)
    errors = [
        SourceError(
            f"line {spot[0]} RUNs a program that is not on the cartridge",
            remedy="compile all programs together",
            place=target.where(*spot),
        )
        for spot, code, _ in result.failing
        if code == IO_ERROR
    ]
    if errors:
        raise together(errors)
    return result


def wanted(name: str, title: str | None = None) -> Wanted:
    """A program that is to be compiled. Raises TIError."""
    target = target_of(name)
    check_title(title)
    made_title = _title(target, name) if title is None else title
    own_name = target.main
    if not own_name:
        with suppress(DiskError):  # without a name of the machine RUN cannot find it
            own_name = from_host(Path(name).name)
    return Wanted(name, own_name, made_title, program_in(target), target.where)


def check_title(title: str | None) -> None:
    """Raise TIError for a title that is too long for the menu."""
    if title is not None and len(title) > MOST_TITLE:
        raise TIError(f"{title!r} is too long for the menu", remedy=f"use {MOST_TITLE} characters")


def compiled_again(name: str, cartridge: bytes, entry: int = 0) -> tuple[Target, Compiled] | None:
    """The source of a cartridge's program, compiled again; None if the program was another.

    `entry` is its number. Raises TIError, SourceError for what cannot be compiled.
    """
    banks = Cartridge(cartridge).banks
    stored = stored_programs(banks)
    if stored is None:
        return None
    target, own = target_of(name), stored.programs[entry]
    berth = Berth(stored.first, own.bank or FIRST_BANK, stored.names, entry, stored.chained)
    byte_code = own.memory(ORIGIN, 6)[TABLE - ORIGIN :] == SHORT_MARK.to_bytes(2)
    program = program_in(target)
    has_pace = True
    for words, pace in product((True, False), (Pace.BASIC, Pace.NONE, Pace.ALL)):
        if pace is Pace.NONE and not has_pace:
            continue  # nothing in the program has a pace: it was the same before
        result = compile_program(
            program, name, words, target.where, pace=pace, banks=not byte_code, berth=berth
        )
        if is_stored(result.part, own, banks):
            return target, result
        has_pace = bool(result.code.paced) or pace is Pace.ALL
    return None


def program_of(name: str) -> Program:
    """The program that `compiled` compiles. Raises TIError."""
    return program_in(target_of(name))


def target_of(name: str) -> Target:
    """The target of that name; a game by its source, not its built program.

    In an optimized program variables share names, so that less is known of each, and its SUBs with
    a twin in machine code cannot be compiled.
    """
    game = find(name)
    if not isinstance(game, Manifest):
        return find_target(name)
    file = str(game.source_path)
    source = Source.of_generated(generate_game(game), file)
    return Target(name, Program.of(source), file=file, source=source, main=game.program)


def program_in(target: Target) -> Program:
    """The program of a target. Raises TIError for a disk."""
    if target.cartridge is not None:
        remedy = Remedy.RUN_CARTRIDGE.of(path=target.name)
        raise TIError(f"{target.name}: a cartridge is compiled already", remedy=remedy)
    program = target.program
    if program is None and target.source is not None:
        program = Program.of(target.source)
    if program is None:
        raise TIError(f"{target.name}: no single program", remedy=Remedy.SHOW_DISK)
    return program


def _title(target: Target, name: str) -> str:
    return (target.main or Path(name).stem).replace("_", " ")


def check_output(output: Path) -> None:
    """Raise TIError for an extension that cartridges cannot have."""
    if output.suffix.lower() not in ENDINGS:
        raise TIError(
            f"{output}: neither .bin nor .rpk, nor a disk image",
            remedy="end the name in .bin or .rpk, or in .dsk for a disk",
        )


MOST_LETTERS, BANKED = 8, "_8"
"""The longest name of an image that FinalGROM 99 takes, and the end that tells Classic99 that banks
are numbered from the first.
"""


def suited(stem: str) -> str:
    """The name of an image, without extension, that suits both FinalGROM 99 and Classic99."""
    short = stem.removesuffix(BANKED)[: MOST_LETTERS - len(BANKED)]
    return f"{short.rstrip('_')}{BANKED}"


def name_remarks(output: Path) -> list[str]:
    """What loaders of images make of a file's name, with the name that suits all of them."""
    stem = output.stem
    if output.suffix.lower() != ".bin" or stem == suited(stem):
        return []
    remarks = []
    if len(stem) > MOST_LETTERS:
        remarks.append(f"FinalGROM 99 takes at most {MOST_LETTERS} letters before .bin")
    elif stem[-1:].upper() in ("D", "G"):
        last = stem[-1].upper()
        remarks.append(f"FinalGROM 99 takes a name that ends in {last} for a part of another image")
    if not stem.endswith(BANKED):
        remarks.append(f"Classic99 requires a name that ends in {BANKED}")
    name = output.with_name(f"{suited(stem)}{output.suffix}").name
    return [f"{output.name}: {'; '.join(remarks)}; {name} suits both"]


def failing(where: Where, result: Compiled) -> Iterator[str]:
    """What is told of statements that fail whenever they run: RUN does not refuse them."""
    for spot, code, remedy in result.failing:
        yield f"{where(*spot)}: line {spot[0]} always fails with {TEXTS[code]}; {remedy}"


def content(cartridge: bytes, output: Path) -> bytes:
    """The bytes of the file with a cartridge."""
    return rpk(cartridge) if output.suffix.lower() == ".rpk" else cartridge


STRING_BYTES = 11_904
"""Bytes of video memory for strings if there is a disk controller."""


def figures(result: Compiled) -> dict[str, Any]:
    """What `--json` tells of a compiled program; all sizes are in bytes."""
    linked = result.linked
    kinds = result.kinds.variables.values()
    return {
        "title": result.title,
        "program": len(linked.image) - linked.runtime_bytes,
        "runtime": linked.runtime_bytes,
        "in_banks": sum(len(bank.data) for bank in linked.banks),
        "banks": len(linked.banks),
        "memory": linked.memory_bytes,
        "strings": STRING_BYTES - linked.video_bytes,
        "cartridge": len(result.cartridge),
        "words": sum(kind == "w" for kind in kinds),
        "cells": sum(kind == "c" for kind in kinds),
    }


def summary(result: Compiled) -> str:
    """The figures as a sentence."""
    sizes = figures(result)
    banks = f", {sizes['in_banks']:,} bytes in {sizes['banks']} banks" if sizes["banks"] else ""
    if result.linked.video_bytes:
        banks += f", {sizes['strings']:,} bytes of video memory for strings"
    numbers = sizes["words"] + sizes["cells"]
    words = f", words: {sizes['words']} of {numbers} numeric variables" if numbers else ""
    runtime = f"{sizes['runtime']:,} of the runtime"
    return f"{sizes['title']}, {sizes['program']:,} bytes and {runtime}{banks}{words}"


def pass_text(result: Compiled, what: str) -> str:
    """The result of a compiler pass as text; `what` is `ir`, `ranges` or `asm`."""
    if what == "ir":
        return str(result.code)
    if what == "asm":
        return result.linked.source
    rows = [str(result.ranges)]
    rows += [f"{name} is a cell: {reason}\n" for name, reason in reasons(result)]
    return "".join(rows)
