"""The words of Extended BASIC and of our dialect in groups, as editors colour them."""

from __future__ import annotations

from ti99tools.base.tokens import TOKENS
from ti99tools.source.builtins import SUBPROGRAMS

FUNCTIONS = (
    "EOF", "ABS", "ATN", "COS", "EXP", "INT", "LOG", "SGN", "SIN", "SQR", "TAN", "LEN", "CHR$",
    "RND", "SEG$", "POS", "VAL", "STR$", "ASC", "PI", "REC", "MAX", "MIN", "RPT$", "TAB",
)  # fmt: skip
OPERATORS = ("AND", "OR", "XOR", "NOT")
ADDED = (
    "WHILE", "REPEAT", "UNTIL", "EXIT", "ELSEIF", "SELECT", "CASE", "IS", "CONST", "ENUM", "PROC",
    "LOCAL", "OUT", "KEEP", "ENDIF", "ENDWHILE", "ENDSELECT", "WEND",
)  # fmt: skip
"""Words that the dialect adds."""


def statements() -> list[str]:
    """The other words of Extended BASIC."""
    words = (word for word in TOKENS if word[0].isalpha())
    return [word for word in words if word not in FUNCTIONS and word not in OPERATORS]


def word_lists() -> dict[str, list[str]]:
    """All groups by name: functions, operators, added, statements, subprograms."""
    return {
        "functions": list(FUNCTIONS),
        "operators": list(OPERATORS),
        "added": list(ADDED),
        "statements": statements(),
        "subprograms": sorted(SUBPROGRAMS),
    }
