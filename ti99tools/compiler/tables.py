"""The tables and the constants of a program's code, as rows of assembly language."""

from __future__ import annotations

from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import byte_rows
from ti99tools.compiler.emit.constants import Constants, cell_bytes
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.handlertables import function_table
from ti99tools.compiler.emit.sections import Section, line_of
from ti99tools.compiler.kinds import WORD


def tables(emission: Emission, section: Section) -> str:
    """The tables of a section: lines and scopes by address, for messages, and the names of SUBs;
    where control goes on after errors; the uses of DEFs.
    """
    end = section.suffix
    rows = [f"LINES{end}"]
    last = 0
    for mark in section.marks:
        line = line_of(mark)
        if line != last:
            rows.append(f"       DATA {mark.label},{line}")
            last = line
    rows.append("       DATA >FFFF")
    rows.append(f"SCOPES{end}")
    for label, scope in section.scopes:
        number = emission.code.subs.index(scope) if scope else None
        names = "0,0" if number is None else f"SN{number}{end},SR{number}"
        rows.append(f"       DATA {label},{names}")
    rows.append("       DATA >FFFF")
    there = {scope for _, scope in section.scopes}
    for number, name in enumerate(emission.code.subs):
        if name in there or not emission.banked:
            rows.append(text_row(f"SN{number}{end}", name))
    if "CAUGHT" in emission.out.used:
        rows += section.resumes
    if "INDEF" in emission.out.used:
        rows += function_table(section)
    return "\n".join(rows) + "\n"


def constants(own: Constants) -> str:
    """Constants that lie together."""
    rows = []
    for value, label in own.words.items():
        rows.append(_labelled(label, f"DATA {value}"))
    for data, label in own.cells.items():
        rows.append(_labelled(label, f"DATA {_words(data)}"))
    for (low, high, error), label in own.limits.items():
        rows.append(_labelled(label, f"DATA {low},{high},M{error}"))
    for text, label in own.texts.items():
        rows.append(text_row(label, text))
    return "".join(f"{row}\n" for row in rows)


def data(emission: Emission) -> str:
    """The items of DATA."""
    return "".join(f"{row}\n" for row in ("DATAS", *_items(emission), "DATEND"))


def _labelled(label: str, rest: str) -> str:
    """A row with a label, which has one of its own if it is long."""
    return f"{label:<6} {rest}" if len(label) <= 6 else f"{label}\n       {rest}"


def _items(emission: Emission) -> list[str]:
    """The items of DATA: as numbers, or as lines with their tokens."""
    if emission.code.data_lines:
        return _data_lines(emission.code)
    if emission.kinds.data == WORD:
        return [f"       DATA {item}" for item in emission.code.data]
    return [f"       DATA {_words(cell_bytes(item))}" for item in emission.code.data]


def _data_lines(code: ir.Code) -> list[str]:
    """Lines with DATA in the order of the console's memory, each below the one before, and a table
    of where their items begin.
    """
    rows: list[str] = []
    labels: list[str] = []
    for tokens, begin in reversed(code.data_lines):
        if code.data_wander:
            rows += byte_rows((len(tokens) + 1, *tokens[:begin]))
        if begin is not None:
            labels.insert(0, f"DI{len(labels)}")
            rows.append(labels[0])
            rows += byte_rows((*tokens[begin:], 0))
        elif code.data_wander:
            rows.append("       BYTE 0")
    labels.append("0")
    first = code.first_data
    rows += ["       EVEN", "DATTAB", f"       DATA {','.join(labels)}"]
    rows += [f"DATFST EQU  {labels[first]}", f"DATNXT EQU  DATTAB+{2 * first + 2}"]
    return rows


def _words(data: bytes) -> str:
    return ",".join(f">{data[n]:02X}{data[n + 1]:02X}" for n in range(0, len(data), 2))


def text_row(label: str, text: str) -> str:
    """A text: its length, its bytes."""
    data = [len(text), *text.encode("latin-1")]
    rows = [_labelled(label, f"BYTE {','.join(map(str, data[:16]))}")]
    rows += [
        f"       BYTE {','.join(map(str, data[n : n + 16]))}" for n in range(16, len(data), 16)
    ]
    rows.append("       EVEN")
    return "\n".join(rows)
