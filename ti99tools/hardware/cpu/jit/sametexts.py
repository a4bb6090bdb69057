"""Code objects of the texts of traces: those that differ in numbers only are compiled once.

The same routine lies elsewhere in each program, so its traces have other addresses in the same
text. To compile a text takes ten times as long as to put other numbers into its code.
"""

from __future__ import annotations

from types import CodeType

_MARK = "`"
"""Encloses a number of a text that may be another in the same code."""
FIRST = 1 << 48
"""What stands for the first number, the next one for the second; no text has such large numbers."""
MOST_FORMS_KEPT = 4096
"""Most forms of texts that are kept; beyond that the collection starts again."""

_FORMS: dict[str, CodeType] = {}
"""Text without its marked numbers → its code, with numbers from `FIRST` on in their places."""


def marked(number: int | str) -> str:
    """A number as it stands in a text, where it may be another in the same code.

    It must not be part of an expression of constants, or a condition by itself: Python works those
    out when it compiles.
    """
    return f"{_MARK}{number}{_MARK}"


def marked_word(expression: str) -> str:
    """An expression of a word, marked if it is a number."""
    return marked(expression) if expression.isdecimal() else expression


def code_of(text: str) -> CodeType:
    """The code object of the only function in a text."""
    parts = text.split(_MARK)
    numbers = [int(each) for each in parts[1::2]]
    form = _MARK.join(parts[::2])
    code = _FORMS.get(form)
    if code is None:
        if len(_FORMS) >= MOST_FORMS_KEPT:
            _FORMS.clear()
        parts[1::2] = [str(FIRST + at) for at in range(len(numbers))]
        code = _FORMS[form] = _compiled("".join(parts))
    constants = [
        numbers[each - FIRST] if isinstance(each, int) and each >= FIRST else each
        for each in code.co_consts
    ]
    return code.replace(co_consts=tuple(constants))


def _compiled(text: str) -> CodeType:
    """The code of the only function in a text that Python takes."""
    module = compile(text, "<trace>", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))
