"""The tables and the constants of a program's code, as rows of assembly language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ti99tools.compiler import ir
from ti99tools.compiler.emit.assembly import byte_rows
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.emit.handlertables import function_table
from ti99tools.compiler.emit.sections import Constants, Section, cell_bytes
from ti99tools.compiler.kinds import WIDTHS, WORD
from ti99tools.hardware.machine.clock import FRAME


def tables(emission: Emission, section: Section) -> str:
    """The tables of a section: lines and scopes by address, for messages, and the names of SUBs;
    where control goes on after errors; the uses of DEFs.
    """
    end = section.suffix
    if section.short is not None:
        rows = [section.short.index]
    else:
        rows = [f"LINES{end}", *_lines(section), "       DATA >FFFF"]
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
    if "CAUGHT" in emission.out.used and section.short is None:
        rows += section.resumes
    if "INDEF" in emission.out.used:
        rows += function_table(section)
    return "\n".join(rows) + "\n"


def _lines(section: Section) -> Iterator[str]:
    """The lines by address."""
    last = 0
    for mark in section.marks:
        line = mark.spot[0]
        if line != last:
            yield f"       DATA {mark.label},{line}"
            last = line


def constants(own: Constants) -> str:
    """Constants that lie together."""
    return numbers(own) + texts(own.texts)


def numbers(own: Constants) -> str:
    """Constants that are not texts."""
    rows = [_labelled(label, f"DATA {value}") for value, label in own.words.items()]
    rows += [_labelled(label, f"DATA {_words(data)}") for data, label in own.cells.items()]
    for (low, high, error), label in own.limits.items():
        rows.append(_labelled(label, f"DATA {low},{high},M{error}"))
    return _joined(rows)


def texts(labels: Mapping[str, str]) -> str:
    """Constant texts with their labels."""
    return _joined([text_row(label, text) for text, label in labels.items()])


def data(emission: Emission) -> tuple[str, str, str]:
    """The items of DATA; if they are texts, the table that finds them, and equates that come after
    both.
    """
    if emission.code.data_lines:
        items, found, begin = _data_lines(emission.code)
        return _joined(items), _joined(found), _joined(begin)
    rows = ["DATAS", *_items(emission), "DATEND"]
    if emission.code.whole:
        rows += _sought(emission)
    return _joined(rows), "", ""


def _sought(emission: Emission) -> list[str]:
    """For each line with DATA of numbers: where the next one's begin, the time to find it."""
    code = emission.code
    width = WIDTHS[emission.kinds.data]
    ends = [f"DATAS+{width * begin}" for begin in code.data_begins[1:]]
    found = zip([*ends, "DATEND"], code.data_sought, strict=False)
    return ["DATSKT", *(f"       DATA {end},{_frames(cycles)}" for end, cycles in found)]


def _frames(cycles: int) -> str:
    """Frames and cycles as operands."""
    return ",".join(map(str, divmod(cycles, FRAME)))


def _joined(rows: list[str]) -> str:
    return "".join(f"{row}\n" for row in rows)


def _labelled(label: str, rest: str) -> str:
    """A row with a label, which has one of its own if it is long."""
    return f"{label:<6} {rest}" if len(label) <= 6 else f"{label}\n       {rest}"


def _items(emission: Emission) -> list[str]:
    """The items of DATA as numbers."""
    if emission.kinds.data == WORD:
        return [f"       DATA {item}" for item in emission.code.data]
    return [f"       DATA {_words(cell_bytes(item))}" for item in emission.code.data]


def _data_lines(code: ir.Code) -> tuple[list[str], list[str], list[str]]:
    """Lines with DATA in the order of the console's memory, each below the one before; a table of
    where their items begin; where READ begins.
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
    found = ["DATTAB", f"       DATA {','.join(labels)}"]
    if code.whole:
        found += ["DATSKT", *(f"       DATA {_frames(cycles)}" for cycles in code.data_sought)]
    where = [f"DATFST EQU  {labels[first]}", f"DATNXT EQU  DATTAB+{2 * first + 2}"]
    return [*rows, "DATLIM", "       EVEN"], found, where


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
