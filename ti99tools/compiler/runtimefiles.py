"""The files of the runtime: which of them a program needs, and their code in it.

A file of the runtime belongs to a program that names one of its labels. In these files
`NAME RAM n` reserves n bytes of low memory, `Mnn` is the text of error nn, and the lines from
`* IF NAME` to `* END` belong to programs that have the file which defines NAME for another reason,
those from `* UNLESS NAME` on to all others.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from ti99tools.compiler.tighten import skipping
from ti99tools.compiler.used import NAME

_RAM = re.compile(r"^(\w+)\s+RAM\s+(\S+)")
_FILE = "* FILE "
"""Begins the row before each file in one of many."""
_UNLESS = "-"
"""Begins the label of a condition that a program must not have."""


@dataclass(frozen=True)
class RuntimePart:
    """A file of the runtime: its code, the memory it reserves, what it defines and names."""

    name: str
    code: tuple[tuple[str, str], ...]
    """Its rows, each after the label that a program must have for it, if there is one."""
    memory: tuple[tuple[str, str], ...]
    defines: frozenset[str]
    names: frozenset[str]
    names_if: tuple[tuple[str, frozenset[str]], ...]
    """What it names where a program has a label, or has it not."""


@lru_cache(maxsize=2)
def parts(package: str = "ti99tools.compiler") -> tuple[RuntimePart, ...]:
    """All files of the runtime that a package has."""
    found: dict[str, str] = {}
    for file in files(package).joinpath("runtime").iterdir():
        if file.name.endswith(".a99"):
            found |= separated(file.name, file.read_text(encoding="ascii"))
    return tuple(_part(name, found[name]) for name in sorted(found))


def joined(texts: Mapping[str, str]) -> str:
    """Many small files of the runtime as one, which takes less room in an archive."""
    return "".join(f"{_FILE}{name}\n{text}" for name, text in texts.items())


def separated(name: str, text: str) -> dict[str, str]:
    """The files that `joined` has made one; or the only one, by its name."""
    if not text.startswith(_FILE):
        return {name: text}
    files_ = (
        each.partition("\n") for each in text[len(_FILE) :].removesuffix("\n").split("\n" + _FILE)
    )
    return {name: own + "\n" for name, _, own in files_}


def _part(name: str, text: str) -> RuntimePart:
    code, memory, defines = [], [], set()
    named: defaultdict[str, set[str]] = defaultdict(set)
    condition = ""
    for line in text.splitlines():
        if line.startswith("*"):
            condition = _condition(line, condition)
            continue
        if not line.strip():
            continue
        found = _RAM.match(line)
        if found:
            memory.append((found[1], found[2]))
            defines.add(found[1])
            continue
        if not line.startswith(" "):
            defines.add(line.split()[0])
        code.append((condition, line))
        fields = line[7:].split(None, 2)
        if len(fields) > 1 and fields[0] not in ("TEXT", "BYTE"):
            named[condition] |= set(NAME.findall(fields[1]))
    own = {label: frozenset(found - defines) for label, found in named.items()}
    return RuntimePart(
        name, tuple(code), tuple(memory), frozenset(defines),
        own.pop("", frozenset()), tuple(own.items()),
    )  # fmt: skip


def _condition(remark: str, before: str) -> str:
    """The label that a program must have for the rows after a remark, or must not: `_UNLESS`."""
    words = remark.split()
    if words[1:2] == ["IF"]:
        return words[2]
    if words[1:2] == ["UNLESS"]:
        return f"{_UNLESS}{words[2]}"
    return "" if words[1:] == ["END"] else before


def runtime_source(chosen: Sequence[RuntimePart]) -> str:
    """The code of the parts of a program."""
    there = {"", *(label for part in chosen for label in part.defines)}
    return "".join(
        f"{row}\n" for part in chosen for label, row in part.code if _holds(label, there)
    )


def _holds(condition: str, there: Container[str]) -> bool:
    return condition[1:] not in there if condition[:1] == _UNLESS else condition in there


@lru_cache(maxsize=1)
def skipped_calls() -> frozenset[str]:
    """The routines of all parts that may come back one word further."""
    return skipping([row for part in parts() for _, row in part.code])


def needed(names: set[str], among: Sequence[RuntimePart] = ()) -> list[RuntimePart]:
    """The files that define names, and those that these need (default: `among` all files)."""
    owner = {label: part for part in among or parts() for label in part.defines}
    found: dict[str, RuntimePart] = {}
    waiting = set(names)
    while waiting:
        for name in sorted(waiting):
            if name in owner:
                found.setdefault(owner[name].name, owner[name])
        there = {label for part in found.values() for label in part.defines}
        named = {name for part in found.values() for name in part.names}
        for part in found.values():
            named.update(*(own for label, own in part.names_if if _holds(label, there)))
        waiting = (named & owner.keys()) - there
    return [found[name] for name in sorted(found)]
