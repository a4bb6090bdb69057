"""The TextMate grammar of the VS Code extension, made from the project's own tables of words.

`python editors/grammar.py` writes it; a test compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.listing import ADDED, FUNCTIONS, OPERATORS, statements

GRAMMAR = Path(__file__).parent / "vscode" / "syntaxes" / "xb.tmLanguage.json"
NAME = r"[A-Za-z@\[\]\\_][A-Za-z@\[\]\\_0-9]*"


def _words(words: Iterable[str]) -> str:
    """A pattern for any of the words, in any case, that is not a part of a longer one."""
    longest = sorted(words, key=lambda word: (-len(word), word))
    listed = "|".join(word.replace("$", r"\$") for word in longest)
    return rf"(?i)(?<![\w@\[\]\\_$])(?:{listed})(?![\w@\[\]\\_$])"


def grammar() -> dict[str, Any]:
    """The grammar as JSON values."""
    call = rf"(?i)\b(CALL)\s+((?:{'|'.join(sorted(SUBPROGRAMS))})\b|{NAME})"
    return {
        "name": "TI Extended BASIC",
        "scopeName": "source.xb",
        "patterns": [
            {"begin": r"(?i)^\s*(#\s*art)\b(.*)$", "end": r"(?i)^\s*(#\s*end)\b",
             "beginCaptures": {"1": {"name": "keyword.control.directive.xb"},
                               "2": {"name": "entity.name.other.xb"}},
             "endCaptures": {"1": {"name": "keyword.control.directive.xb"}},
             "patterns": [{"match": "[X#@*]", "name": "markup.bold.xb"},
                          {"match": "[.-]", "name": "comment.block.dot.xb"}]},
            {"begin": r"(?i)^\s*(#\s*text)\b(.*)$", "end": r"(?i)^\s*(#\s*end)\b",
             "beginCaptures": {"1": {"name": "keyword.control.directive.xb"},
                               "2": {"name": "entity.name.other.xb"}},
             "endCaptures": {"1": {"name": "keyword.control.directive.xb"}},
             "contentName": "string.unquoted.page.xb"},
            {"match": r"(?i)^\s*(#\s*(?:include|if|elif|else|end|pack))\b(.*)$",
             "captures": {"1": {"name": "keyword.control.directive.xb"},
                          "2": {"name": "string.quoted.other.xb"}}},
            {"match": r"^\s*(\d+)(?=\s)", "captures": {"1": {"name": "constant.numeric.line.xb"}}},
            {"match": r"!.*$", "name": "comment.line.exclamation.xb"},
            {"match": r"(?i)(?:^|::|\bKEEP)\s*\d*\s*(REM\b.*)$",
             "captures": {"1": {"name": "comment.line.rem.xb"}}},
            {"match": r'"(?:[^"]|"")*"?', "name": "string.quoted.double.xb"},
            {"match": r"(?i)^\s*(?:\d+\s+)?(DATA|IMAGE)\b(.*)$",
             "captures": {"1": {"name": "keyword.other.xb"},
                          "2": {"name": "string.unquoted.data.xb"}}},
            {"match": rf"^\s*(?!(?i:PRINT|DISPLAY|ACCEPT)\b)({NAME})\s*:(?!:)",
             "captures": {"1": {"name": "entity.name.label.xb"}}},
            {"match": rf"(?i)\b(SUB|PROC)\s+({NAME})",
             "captures": {"1": {"name": "keyword.control.xb"},
                          "2": {"name": "entity.name.function.xb"}}},
            {"match": call, "captures": {"1": {"name": "keyword.control.xb"},
                                         "2": {"name": "support.function.xb"}}},
            {"match": _words(ADDED), "name": "keyword.control.dialect.xb"},
            {"match": _words(FUNCTIONS), "name": "support.function.builtin.xb"},
            {"match": _words(OPERATORS), "name": "keyword.operator.logical.xb"},
            {"match": _words(statements()), "name": "keyword.control.xb"},
            {"match": rf"{NAME}\$?", "name": "variable.other.xb"},
            {"match": r"(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?", "name": "constant.numeric.xb"},
            {"match": r"::", "name": "punctuation.separator.statement.xb"},
        ],
    }  # fmt: skip


def text() -> str:
    """The grammar as it stands in its file."""
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    GRAMMAR.write_text(text(), encoding="utf-8")
