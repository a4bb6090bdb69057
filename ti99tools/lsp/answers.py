"""What is said about a word, and the words that could stand at a place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ti99tools.base import tokens as t
from ti99tools.lsp.outline import Symbol
from ti99tools.source.builtins import SUBPROGRAMS
from ti99tools.source.remedies import BLOCK_WORDS

_CALL = re.compile(r"\bCALL\s+\w*$", re.I)
_JUMP = re.compile(
    r"\b(?:GOTO|GOSUB|GO\s*TO|GO\s*SUB|THEN|ELSE|RESTORE|ERROR|RETURN|USING)\s+\w*$", re.I
)
_WORDS = tuple(
    sorted({*(w for w in t.TOKENS if w[0].isalpha()), *BLOCK_WORDS, "PROC", "LOCAL", "ENUM"})
)
CALLED = ("sub", "proc")
JUMPED = ("label", "line", "#text")


@dataclass(frozen=True, slots=True)
class Found:
    """A name and the file that defines it."""

    symbol: Symbol
    path: Path


@dataclass(frozen=True, slots=True)
class Offer:
    """A word that could stand at a place: its kind and a line about it."""

    word: str
    kind: str
    detail: str


def about(word: str, before: str, found: Iterable[Found]) -> str | None:
    """A text about a word, in Markdown; `before` is what stands before it in its row."""
    if _CALL.search(before + word) and word in SUBPROGRAMS:
        return f"```xb\n{SUBPROGRAMS[word].text}\n```"
    for each in found:
        if each.symbol.name == word:
            return f"```xb\n{each.symbol.text}\n```\n{each.symbol.kind}, {each.path.name}"
    return None


def offers(before: str, found: Iterable[Found]) -> list[Offer]:
    """The words that could go on after `before`."""
    names = list(found)
    if _CALL.search(before):
        own = [
            Offer(e.symbol.name, "call", e.symbol.text) for e in names if e.symbol.kind in CALLED
        ]
        return own + [Offer(name, "call", record.text) for name, record in SUBPROGRAMS.items()]
    if _JUMP.search(before):
        kinds = JUMPED
        return [
            Offer(e.symbol.name.lower(), "label", e.symbol.text)
            for e in names
            if e.symbol.kind in kinds
        ]
    constants = [
        Offer(e.symbol.name, "constant", e.symbol.text)
        for e in names
        if e.symbol.kind in ("constant", "#art", "function")
    ]
    return constants + [Offer(word, "word", "") for word in _WORDS]
