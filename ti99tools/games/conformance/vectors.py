"""Recorded numbers, single instructions and program files, compared with ours.

For an instruction of the processor, its state, memory and cycles are recorded. `doubt` names places
where the recording emulator is known to differ from the chip; there the chip's figure passes too
(`cycles+4`, `cycles-4`), or the range that TI's manual gives (`92-124`).

Numbers are compared with numbers/: arithmetic, functions, powers and number texts. A line of a
vector file has eight-byte numbers in hexadecimal: arguments, then results of the original ROMs.
`arith`, `INT` and `format` must agree exactly; other functions pass when the ten displayed digits
agree, and those that differ in bits are counted.

`editor` cases were typed into the real editor and saved in every form; `size` cases are long
programs loaded in one form and saved in the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import XBError
from ti99tools.computer.numbers import forms, functions
from ti99tools.games.conformance.comparing import HERE, Difference, Holes, Sides, file_lines
from ti99tools.games.conformance.outcome import CaseOutcome
from ti99tools.hardware.cpu.bus import Bus
from ti99tools.hardware.cpu.processor import Processor
from ti99tools.hardware.machine.screen import visible
from ti99tools.language.program.editor import Editor
from ti99tools.language.program.memory_image import MERGE_RECORD
from ti99tools.language.program.program import Program

PAGE = 256
"""Words compared at a time."""
REGISTERS = ("pc", "wp", "st")
_MORE = re.compile(r"cycles([+-]\d+)")
_RANGE = re.compile(r"cycles (\d+)-(\d+)")
_REGISTER = re.compile(r"R\+1: TMS9900 adds 2")


def differences(data: dict[str, Any]) -> list[Difference]:
    """Execute the instruction and compare everything that it did with the recording."""
    bus = Bus()
    for address, word in _words(data["mem"]).items():
        bus.load(address, word.to_bytes(2, "big"))
    processor = Processor(bus)
    for name in REGISTERS:
        setattr(processor, name, int(data[name], 16))
    before = list(bus.words)
    processor.step()
    return list(_found(data, processor, _changes(before, bus.words)))


def _changes(before: list[int], after: list[int]) -> dict[int, int]:
    """Address → word, where two memories differ."""
    pages = range(0, len(before), PAGE)
    return {
        2 * index: after[index]
        for page in pages
        if before[page : page + PAGE] != after[page : page + PAGE]
        for index in range(page, page + PAGE)
        if before[index] != after[index]
    }


def _found(
    data: dict[str, Any], processor: Processor, changed: dict[int, int]
) -> Iterator[Difference]:
    after, doubts = data["after"], data.get("doubt", [])
    for name in REGISTERS:
        ours = f"{getattr(processor, name):04X}"
        if ours != after[name]:
            yield _difference(name.upper(), after[name], ours)
    expected = _words(after["changed"])
    if any(_REGISTER.fullmatch(doubt) for doubt in doubts):
        changed = {at: word - (word == expected.get(at, 0) + 1) for at, word in changed.items()}
    if changed != expected:
        yield _difference("memory", _shown(expected), _shown(changed))
    cycles = processor.bus.cycles
    if cycles not in _cycles(data["cycles"], doubts):
        yield _difference("cycles", str(data["cycles"]), str(cycles))


def _cycles(recorded: int, doubts: list[str]) -> set[int]:
    """The cycle counts that pass."""
    passing = {recorded}
    for doubt in doubts:
        if match := _MORE.fullmatch(doubt):
            passing.add(recorded + int(match[1]))
        elif match := _RANGE.fullmatch(doubt):
            least, most = int(match[1]), int(match[2])
            passing |= set(range(recorded, recorded + most - least + 1))
    return passing


def _words(words: dict[str, str]) -> dict[int, int]:
    return {int(address, 16): int(word, 16) for address, word in words.items()}


def _shown(words: dict[int, int]) -> str:
    return " ".join(f"{at:04X}={word:04X}" for at, word in sorted(words.items())) or "unchanged"


def _difference(where: str, theirs: str, ours: str) -> Difference:
    return Difference(where, (f"recorded      {theirs}", f"ours          {ours}"))


ERROR = "455252"
"""Recorded where the machine raised an error: the text ERR."""

Operation = Callable[[Any, Any], Any]


def _abs(value: Any) -> Any:
    return -value if functions.compare(value, 0) < 0 else value


def _truth(holds: bool) -> int:
    return -1 if holds else 0


ARITH: tuple[tuple[str, Operation], ...] = (
    ("a+b", functions.add),
    ("a-b", functions.sub),
    ("a*b", functions.mul),
    ("a/b", functions.div),
    ("a<b", lambda a, b: _truth(functions.compare(a, b) < 0)),
    ("a=b", lambda a, b: _truth(functions.compare(a, b) == 0)),
)
FUNC: tuple[tuple[str, Operation], ...] = (
    ("INT(a)", lambda a, _b: functions.floor(a)),
    ("SQR(ABS(a))", lambda a, _b: functions.sqr(_abs(a))),
    ("EXP(b)", lambda _a, b: functions.exp(b)),
    ("LOG(ABS(a)+1)", lambda a, _b: functions.log(functions.add(_abs(a), 1))),
    ("SIN(b)", lambda _a, b: functions.sin(b)),
    ("COS(b)", lambda _a, b: functions.cos(b)),
    ("TAN(b)", lambda _a, b: functions.tan(b)),
    ("ATN(a)", lambda a, _b: functions.atn(a)),
)
POW: tuple[tuple[str, Operation], ...] = (
    ("ABS(a)^b", lambda a, b: functions.power(_abs(a), b)),
    ("ABS(a)^INT(b)", lambda a, b: functions.power(_abs(a), functions.floor(b))),
)
EXACT = {name for name, _ in ARITH} | {"INT(a)"}


def decimal(raw: bytes) -> Decimal:
    """The value of eight bytes, computed without numbers/, so that it can check both sides."""
    first = int.from_bytes(raw[:2], "big")
    if first == 0:
        return Decimal(0)
    sign = 1
    if first & 0x8000:
        sign, first = -1, 0x10000 - first
    exponent = (first >> 8) - 64
    mantissa = first & 0xFF
    for digit in raw[2:]:
        mantissa = mantissa * 100 + digit
    return Decimal(sign * mantissa).scaleb(2 * (exponent - 6))


def ten_digits(value: Decimal) -> Decimal:
    """Rounded half up to ten significant digits, as the console displays."""
    if value == 0:
        return value
    return value.quantize(Decimal((0, (1,), value.adjusted() - 9)), ROUND_HALF_UP)


def check(stem: str, line: str, values: list[str]) -> list[CaseOutcome]:
    """Compare a line of `vectors/<stem>.jsonl` with numbers/: one outcome for each value.

    The outcomes' ids are the line's id and the value's name: `func-12:SIN(b)`.
    """
    if stem == "format":
        a, b, text_a, text_b = values
        results = [_text("STR$(a)", a, text_a), _text("STR$(b)", b, text_b)]
    else:
        operations = {"arith": ARITH, "func": FUNC, "pow": POW}[stem]
        first, second = (forms.from_bytes(bytes.fromhex(text)) for text in values[:2])
        results = [
            _compared(name, _compute(operation, first, second), text)
            for (name, operation), text in zip(operations, values[2:], strict=True)
        ]
    return _outcomes(stem, line, values, results)


def judged(
    stem: str, line: str, values: Sequence[str], got: Sequence[str], sides: Sides
) -> list[CaseOutcome]:
    """Compare the results `got` from another machine with the recorded ones of a line."""
    operations: Sequence[tuple[str, object]] = (("STR$(a)", None), ("STR$(b)", None))
    if stem != "format":
        operations = {"arith": ARITH, "func": FUNC, "pow": POW}[stem]
    results = [
        _compared(name, text, expected, sides)
        for (name, _), text, expected in zip(operations, got, values[2:], strict=True)
    ]
    return _outcomes(stem, line, values, results)


def _outcomes(
    stem: str, line: str, values: Sequence[str], results: Sequence[Result]
) -> list[CaseOutcome]:
    where = f"a, b = {values[0]}, {values[1]}"
    return [
        CaseOutcome(
            id=f"{line}:{name}",
            area=f"{stem} {name}",
            passed=int(not lines),
            failed=int(bool(lines)),
            differences=(Difference(where, lines),) if lines else (),
            inexact=int(not lines and not exact),
        )
        for name, lines, exact in results
    ]


Result = tuple[str, tuple[str, ...], bool]
"""Name of the value, lines that show a difference (empty: it passes), whether it is exact."""


def _text(name: str, raw: str, expected: str) -> Result:
    try:
        got = forms.to_str(forms.from_bytes(bytes.fromhex(raw)))
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    lines = () if got == expected else HERE.lines(repr(expected), repr(got))
    return name, lines, not lines


def _compared(name: str, got: str, expected: str, sides: Sides = HERE) -> Result:
    """The result and the recorded one, both in hexadecimal or as text."""
    if got == expected:
        return name, (), True
    if len(got) == len(expected) == 16:
        ours, theirs = (decimal(bytes.fromhex(text)) for text in (got, expected))
        if ours == theirs:
            return name, (), True
        if name not in EXACT and ten_digits(ours) == ten_digits(theirs):
            return name, (), False
        lines = sides.lines(f"{expected}  {theirs:E}", f"{got}  {ours:E}")
        return name, lines, False
    return name, sides.lines(expected, got), False


def _compute(operation: Operation, a: Any, b: Any) -> str:
    """The result as 16 hexadecimal digits, `455252` for an XB error, or the text of our bug."""
    try:
        result = operation(a, b)
        if getattr(result, "overflow", False):
            result = result.value_after_warning
        return forms.to_bytes(result).hex()
    except XBError:
        return ERROR
    except Exception as error:
        return f"{type(error).__name__}: {error}"


LIST_RECORD = 80


def typed_case(case: Mapping[str, Any]) -> list[Difference]:
    """Type the lines, compare the answers and what SAVE, SAVE …,MERGE and LIST write."""
    program, messages = typed(case["typed"])
    differing = list(_messages(case, messages))
    if program is None:
        return [*differing, Difference("program", ("no line was taken",))]
    differing.extend(compared_files(saved_files(case), _files_of(program, "program")))
    return differing


def typed(lines: list[str]) -> tuple[Program, dict[int, str]]:
    """Enter lines as in the editor; returns the program, and index of a line → its refusal."""
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
            answers = HERE.lines(theirs.get(index), ours.get(index))
            yield Difference(f"answer to line {index}", (text, *answers))


def size(case: Mapping[str, Any]) -> list[Difference]:
    """Read the program in the form that was loaded, and compare all the other forms."""
    given = case["input"]
    if given["type"] == "PROGRAM":
        program = Program.from_bytes(bytes.fromhex(given["data"]))
    else:
        program = Program.from_records([bytes.fromhex(record) for record in given["records"]])
    return list(compared_files(saved_files(case), _files_of(program, "saved")))


Files = Mapping[str, Mapping[str, Any]]


def saved_files(case: Mapping[str, Any]) -> Files:
    """The files that a recorded program was saved as, by kind."""
    if "typed" in case:
        forms = {name: {"type": "PROGRAM", "data": case[name]} for name in ("program", "protected")}
        listing = case["listing_file"]
    else:
        forms = {name: case[name] for name in ("saved", "protected")}
        rows = (line.encode("latin-1") for line in case["listing"])
        listing = _records(rows, LIST_RECORD)
    merged = _records(map(bytes.fromhex, case["merge"]), MERGE_RECORD)
    return {**forms, "merge": merged, "listing": listing}


def compared_files(theirs: Files, ours: Files, sides: Sides = HERE) -> Iterator[Difference]:
    """What differs in files of the same names."""
    for name, file in theirs.items():
        lines = tuple(visible(line) for line in file_lines(file, ours[name], Holes(), False, sides))
        if lines:
            yield Difference(name, lines)


def _files_of(program: Program, plain: str) -> Files:
    return {
        plain: _program(program),
        "protected": _program(program.with_protection(True)),
        "merge": _records(program.to_merge_records(), MERGE_RECORD),
        "listing": _records(program.list_records(), LIST_RECORD),
    }


def _program(program: Program) -> Mapping[str, Any]:
    kind, content, recl = program.saved()
    if isinstance(content, bytes):
        return {"type": kind, "data": content.hex()}
    return _records(content, recl, kind)


def _records(records: Iterable[bytes], recl: int, kind: str = "DIS/VAR") -> Mapping[str, Any]:
    return {"type": kind, "recl": recl, "records": [record.hex() for record in records]}
