"""Code objects of the texts of traces: those that differ in numbers only are compiled once.

The same routine lies elsewhere in each program, so its traces have other addresses in the same
text. To compile a text takes ten times as long as to put other numbers into its code.
"""

from __future__ import annotations

import re
from types import CodeType

_NUMBER = re.compile(
    r"([\[( ](?=\d)(?:"
    r"(?<=\w\[)\d+(?=\])|(?<=\w\()\d+(?=[,)])|(?<=return )\d+(?=,)|(?<== )\d+(?=[\n:])))"
)
"""An index, an argument, where a trace returns to, what is assigned or compared at the end of a
line, each with the character before it. None of them is part of an expression of constants, or a
condition by itself: Python works those out when it compiles.
"""
FIRST = 1 << 48
"""What stands for the first number, the next one for the second; no text has such large numbers."""
MOST_FORMS_KEPT = 4096
"""Most forms of texts that are kept; beyond that the collection starts again."""

_FORMS: dict[str, CodeType] = {}
"""Text without its numbers → its code, with numbers from `FIRST` on in their places."""


def code_of(text: str) -> CodeType:
    """The code object of the only function in a text."""
    parts = _NUMBER.split(text)
    # To split the text is quicker than to call a function for each number.
    found = parts[1::2]
    numbers = [int(each[1:]) for each in found]
    parts[1::2] = [f"{each[0]}#" for each in found]
    form = "".join(parts)
    code = _FORMS.get(form)
    if code is None:
        if len(_FORMS) >= MOST_FORMS_KEPT:
            _FORMS.clear()
        code = _FORMS[form] = _compiled(text)
    constants = (
        numbers[each - FIRST] if isinstance(each, int) and each >= FIRST else each
        for each in code.co_consts
    )
    return code.replace(co_consts=tuple(constants))


def _compiled(text: str) -> CodeType:
    """The code of a text with numbers from `FIRST` on."""
    numbers = iter(range(FIRST, FIRST + len(text)))
    numbered = _NUMBER.sub(lambda found: f"{found[0][0]}{next(numbers)}", text)
    module = compile(numbered, "<trace>", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))
