"""What a case must look like: a damaged one is bad input, not a difference.

The form is described in tests/conformance/README.md. Keys that are not named here are remarks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from ti99tools.hardware.machine.screen import COLUMNS, ROWS

Problem = str
"""What is wrong and where: `expect.final is missing`; empty when nothing is."""
Form = Callable[[Any, str], Problem]
"""Checks a value at a place in a case. The place of a part is only made up where one is wrong."""


def _is(what: str, test: Callable[[Any], bool]) -> Form:
    def form(value: Any, place: str) -> Problem:
        return "" if test(value) else f"{place} is not {what}"

    return form


_DIGITS = re.compile(r"[0-9A-Fa-f]*")
_WORD = re.compile(r"[0-9A-Fa-f]{1,4}")
_TYPES = ("DIS/VAR", "DIS/FIX", "INT/VAR", "INT/FIX", "PROGRAM")
MOST_FRAMES = 10_000_000
"""The most frames of a wait: two days of machine time."""


def _whole(value: Any, least: int = 0, most: int = 1 << 62) -> bool:
    return type(value) is int and least <= value <= most


text = _is("a text", lambda value: isinstance(value, str))
flag = _is("true or false", lambda value: isinstance(value, bool))
number = _is("a whole number", _whole)
frames = _is("a number of frames", partial(_whole, most=MOST_FRAMES))
byte = _is("a number from 0 to 255", partial(_whole, most=255))


def _whole_bytes(value: Any) -> bool:
    return isinstance(value, str) and not len(value) % 2 and _DIGITS.fullmatch(value) is not None


hexadecimal = _is("hexadecimal", _whole_bytes)
word = _is("a word", lambda value: isinstance(value, str) and _WORD.fullmatch(value) is not None)
row = _is(
    f"a row of {COLUMNS} characters", lambda value: isinstance(value, str) and len(value) == COLUMNS
)


def each(form: Form, least: int = 0, most: int = 1 << 62) -> Form:
    """A list whose elements have a form."""

    def check(value: Any, place: str) -> Problem:
        if not isinstance(value, list) or not least <= len(value) <= most:
            count = f" of {least}" if least == most else ""
            return f"{place} is not a list{count}"
        for n, one in enumerate(value):
            if form(one, ""):
                return form(one, f"{place}[{n}]")
        return ""

    return check


def named(form: Form) -> Form:
    """An object, or null, whose values have a form whatever their names."""

    def check(value: Any, place: str) -> Problem:
        if value is None:
            return ""
        if not isinstance(value, dict):
            return f"{place} is not an object"
        for n, one in value.items():
            if form(one, ""):
                return form(one, f"{place}.{n}")
        return ""

    return check


def table(required: Mapping[str, Form], optional: Mapping[str, Form] = {}) -> Form:
    """An object with these keys."""
    forms = {**required, **optional}

    def check(value: Any, place: str) -> Problem:
        if not isinstance(value, dict):
            return f"{place} is not an object"
        before = f"{place}." if place else ""
        for key in required:
            if key not in value:
                return f"{before}{key} is missing"
        for key, form in forms.items():
            if key in value and form(value[key], ""):
                return form(value[key], before + key)
        return ""

    return check


def nullable(form: Form) -> Form:
    """A value of a form, or null."""
    return lambda value, place: "" if value is None else form(value, place)


_program = table({"data": hexadecimal})
_records = table({"records": each(hexadecimal), "recl": number})
_kind = table({"type": _is("a type of file", lambda value: value in _TYPES)}, {"protected": flag})


def file(value: Any, place: str) -> Problem:
    """A file on a disk."""
    if problem := _kind(value, place):
        return problem
    return (_program if value["type"] == "PROGRAM" else _records)(value, place)


_observed_file = table(
    {},
    {"type": text, "recl": number, "records": each(hexadecimal), "data": hexadecimal}
    | {"fdr": hexadecimal},
)
snapshot = table(
    {},
    {
        "rows": each(row, ROWS, ROWS),
        "patterns": named(hexadecimal),
        "colors": hexadecimal,
        "sprites": hexadecimal,
        "motion": hexadecimal,
        "vregs": each(byte),
    },
)
_ignored = table(
    {}, {"unwritten": named(each(number)), "zero_tail": named(each(each(number, 3, 3)))}
)
_expected = table(
    {"final": snapshot},
    {
        "snaps": named(snapshot),
        "files": named(_observed_file),
        "remaining": each(text),
        "ignore": nullable(_ignored),
        "sound": each(byte),
        "cycles": number,
    },
)
_goal = table({}, {"text": text, "gone": text})
_step = table(
    {},
    {
        "type": text,
        "press": text,
        "down": text,
        "up": text,
        "snap": text,
        "wait": frames,
        "hold": frames,
        "gap": frames,
        "max": frames,
    },
)
_STEPS = {"type", "press", "down", "up", "wait", "snap", "until"}


def step(value: Any, place: str) -> Problem:
    """A step of a script."""
    if problem := _step(value, place):
        return problem
    if not _STEPS & value.keys():
        return f"{place} is no step of a script"
    goal = value.get("until", "ready")
    if goal != "ready":
        if problem := _goal(goal, f"{place}.until"):
            return problem
        if not {"text", "gone"} & goal.keys():
            return f"{place}.until is neither ready nor a text"
    return ""


_setup: dict[str, Form] = {
    "area": text,
    "source": each(text),
    "script": nullable(each(step)),
    "disk_in": named(file),
    "capture": nullable(each(text)),
    "loose": nullable(table({}, {"sprite_pos": each(number)})),
    "alpha_lock": flag,
    "used_sectors": nullable(each(each(number, 2, 2))),
}
console = table({"expect": _expected}, _setup)
unrecorded = table({"script": each(step)}, _setup)
timing = table({"exact": number, "source": each(text)}, {**_setup, "until": text})
statement = table({"statement": text, "rounds": number, "cycles": number, "source": each(text)})
"""A statement timed in a loop."""
_merge = each(hexadecimal)
editor = table(
    {
        "typed": each(text),
        "messages": each(table({"line": number, "message": each(text)})),
        "program": hexadecimal,
        "protected": hexadecimal,
        "merge": _merge,
        "listing_file": _observed_file,
    }
)
size = table(
    {"input": file, "saved": file, "protected": file, "merge": _merge, "listing": each(text)}
)
_words = named(word)


def _changes(value: Any, place: str) -> Problem:
    """Addresses and words."""
    if not isinstance(value, dict):
        return f"{place} is not an object"
    return each(word)(list(value), f"an address of {place}") or _words(value, place)


instruction = table(
    {
        "pc": word,
        "wp": word,
        "st": word,
        "mem": _changes,
        "cycles": number,
        "after": table({"pc": word, "wp": word, "st": word, "changed": _changes}),
    },
    {"doubt": each(text)},
)
conversation = table(
    {"snaps": each(each(row, ROWS, ROWS), 1), "screen": each(row, ROWS, ROWS)},
)
VECTORS = {"arith": 8, "func": 10, "pow": 4, "format": 4}
"""Names of files of vectors → values in a line."""


def vector(value: Any, stem: str) -> Problem:
    """A line of a file of vectors; `stem` is the file's name."""
    if stem not in VECTORS:
        return f"a list is a line of {', '.join(VECTORS)}"
    count = VECTORS[stem]
    if problem := each(text, count, count)(value, "the line"):
        return problem
    numbers = value if stem != "format" else value[:2]
    eight = (isinstance(one, str) and len(one) in (6, 16) for one in numbers)
    if not all(eight) or each(hexadecimal)(numbers, ""):
        return "the line has something that is not a number of eight bytes"
    return "" if all(len(one) == 16 for one in value[:2]) else "a and b are not eight bytes"
