"""Colors of Extended BASIC in the site's listings, from the words that the tokenizer knows."""

from __future__ import annotations

import re
from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Text

from ti99tools.base.tokens import TOKENS
from ti99tools.language.listing.builtins import SUBPROGRAMS

__all__ = ["XbLexer"]
_DIALECT = tuple(
    "CASE CONST ELSEIF ENUM EXIT IS KEEP LOCAL OUT PROC RANGE REPEAT SELECT UNTIL WHILE".split()
)
_WORDS = [word for word in TOKENS if word[0].isalpha()]


class XbLexer(RegexLexer):
    """Sources of the dialect and numbered listings."""

    name = "TI Extended BASIC"
    aliases: ClassVar[list[str]] = ["xb", "listing"]
    flags = re.IGNORECASE | re.MULTILINE
    tokens: ClassVar[dict[str, list[tuple[object, ...]]]] = {
        "root": [
            (r"!.*$|\bREM\b.*$", Comment),
            (r"^\s*#\s*(art|text|include|if|elif|else|end|pack)\b.*$", Comment.Preproc),
            (r"^[X.#@*\- ]{8,}$", String.Other),
            (r'"[^"\n]*"?', String),
            (r"^\s*[a-z@_][\w@]*:(?!:)", Name.Label),
            (r"^\d+", Number.Integer),
            (words([w for w in _WORDS if w.endswith("$")]), Name.Builtin),
            (words([w for w in _WORDS if not w.endswith("$")], r"\b", r"\b(?!\$)"), Keyword),
            (words(_DIALECT, r"\b", r"\b(?!\$)"), Keyword.Declaration),
            (words(sorted(SUBPROGRAMS), r"(?<=CALL )", r"\b"), Name.Function),
            (r"[\d.]+(E[+-]?\d+)?", Number),
            (r"[a-z@_][\w@]*\$?", Name),
            (r"[-+*/^&=<>():;,#]", Operator),
            (r"\s+|.", Text),
        ]
    }
