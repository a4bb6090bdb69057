"""Recorded program files compared with program/: lines typed, files saved, listings.

`editor` cases were typed into the real editor and saved in every form; `size` cases are long
programs handed in one form and saved in the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.base.screendiff import visible
from ti99tools.games.conformance.compare import Holes, file_lines
from ti99tools.games.conformance.outcome import Difference
from ti99tools.language.program.editor import Editor
from ti99tools.language.program.image import MERGE_RECORD
from ti99tools.language.program.program import Program

LIST_RECORD = 80


def typed_case(case: Mapping[str, Any]) -> list[Difference]:
    """Type the lines, compare the answers and what SAVE, SAVE …,MERGE and LIST write."""
    program, messages = typed(case["typed"])
    found = list(_messages(case, messages))
    if program is None:
        return [*found, Difference("program", ("no line was taken",))]
    found.extend(compared_files(saved_files(case), _files_of(program, "program")))
    return found


def typed(lines: list[str]) -> tuple[Program, dict[int, str]]:
    """Enter lines as the editor takes them: the program, and refusals by index of the line."""
    editor = Editor()
    messages: dict[int, str] = {}
    for index, text in enumerate(lines):
        try:
            editor.enter(text)
        except TIError as error:
            messages[index] = f"* {error.problem}"
    return editor.program or Program.from_lines(()), messages


def _messages(case: Mapping[str, Any], ours: dict[int, str]) -> Iterator[Difference]:
    theirs = {entry["line"]: " / ".join(entry["message"]) for entry in case["messages"]}
    for index, text in enumerate(case["typed"]):
        if theirs.get(index) != ours.get(index):
            answers = f"original ROMs {theirs.get(index)}", f"ours          {ours.get(index)}"
            yield Difference(f"answer to line {index}", (text, *answers))


def size(case: Mapping[str, Any]) -> list[Difference]:
    """Read the program in the form it was handed in, and write all the others."""
    given = case["input"]
    if given["type"] == "PROGRAM":
        program = Program.from_bytes(bytes.fromhex(given["data"]))
    else:
        program = Program.from_records([bytes.fromhex(record) for record in given["records"]])
    return list(compared_files(saved_files(case), _files_of(program, "saved")))


Files = Mapping[str, Mapping[str, Any]]


def saved_files(case: Mapping[str, Any]) -> Files:
    """The files that a recorded program was saved in, by what they are."""
    if "typed" in case:
        forms = {name: {"type": "PROGRAM", "data": case[name]} for name in ("program", "protected")}
        listing = case["listing_file"]
    else:
        forms = {name: case[name] for name in ("saved", "protected")}
        listing = {"type": "DIS/VAR", "recl": LIST_RECORD, "records": _hex(case["listing"])}
    return {**forms, "merge": _merge(case["merge"]), "listing": listing}


def compared_files(theirs: Files, ours: Files) -> Iterator[Difference]:
    """What differs in files of the same names."""
    for name, file in theirs.items():
        lines = tuple(visible(line) for line in file_lines(file, ours[name], Holes()))
        if lines:
            yield Difference(name, lines)


def _files_of(program: Program, plain: str) -> Files:
    return {
        plain: _program(program),
        "protected": _protected(program),
        "merge": _merge_of(program),
        "listing": _listing(program),
    }


def _program(program: Program) -> Mapping[str, Any]:
    kind, content, recl = program.saved()
    if isinstance(content, bytes):
        return {"type": kind, "data": content.hex()}
    return {"type": kind, "recl": recl, "records": [record.hex() for record in content]}


def _protected(program: Program) -> Mapping[str, Any]:
    return _program(program.with_protection(True))


def _merge(records: list[str]) -> Mapping[str, Any]:
    return {"type": "DIS/VAR", "recl": MERGE_RECORD, "records": records}


def _merge_of(program: Program) -> Mapping[str, Any]:
    return _merge([record.hex() for record in program.to_merge_records()])


def _listing(program: Program) -> Mapping[str, Any]:
    records = [record.hex() for record in program.list_records()]
    return {"type": "DIS/VAR", "recl": LIST_RECORD, "records": records}


def _hex(lines: list[str]) -> list[str]:
    return [line.encode("latin-1").hex() for line in lines]
