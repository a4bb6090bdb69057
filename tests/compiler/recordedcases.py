"""Recorded cases of the real machine that are compiled, played with their keys or run alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from tests.compiler.bothforms import Left, in_basic, played
from ti99tools.base.errors import TIError
from ti99tools.compiler.compiling import ALL_SHORT, Collected
from ti99tools.games.conformance import known
from ti99tools.games.conformance.as_cartridge import (
    AtThePrompt,
    before_the_prompt,
    compiled_case,
    differing,
    drives_of,
    ends_with_the_program,
    from_the_prompt,
    looks_for_keys,
    types_lines,
)
from ti99tools.games.conformance.cases import CaseKind, load
from ti99tools.games.conformance.in_step import typed_after
from ti99tools.games.conformance.playback import files
from ti99tools.games.conformance.to_the_prompt import KEYS, goes_on

FOLDER = Path(__file__).parents[1] / "conformance"
DIFFERENT = known.read(FOLDER / known.NAME_AS_CARTRIDGE)
"""Cases that a compiled program may end in another way → why. All others are held."""
DIFFERENT_AS_BYTES = known.read(FOLDER / "known_as_byte_code.txt")
"""Those of the others that are not held as byte code, which is slower → why."""


class Way(Enum):
    """How a case that is compiled is held against the machine."""

    PLAYED = "its script is played, and the end compared with the recording"
    PROMPT = "its script is played up to the prompt, and the recording has what it left there"
    ALONE = "its program runs to its end in both forms: the script goes on at the prompt"
    DIFFERENT = "it may end in another way"


@dataclass(frozen=True)
class Held:
    """A case that is compiled, and how it is held."""

    case: dict[str, Any]
    way: Way

    @property
    def listing(self) -> str:
        """Its program."""
        return "\n".join(self.case["source"])


def way_of(case: Mapping[str, Any]) -> Way:
    """How a case is held."""
    if case["id"] in DIFFERENT:
        return Way.DIFFERENT
    if ends_with_the_program(case) and not goes_on(case):
        return Way.PLAYED
    return Way.PROMPT if before_the_prompt(case) else Way.ALONE


def is_undecided(case: Mapping[str, Any]) -> bool:
    """Tell whether a script that seems to end with the program goes on at the prompt, and the
    recording shows no more what the program has left. This plays the case in Extended BASIC.
    """
    keys = any(KEYS & step.keys() for step in case.get("script") or ())
    if not keys or way_of(case) not in (Way.PLAYED, Way.PROMPT) or not looks_for_keys(case):
        return False
    there = typed_after(case)
    return there is not None and from_the_prompt(case, *there) is None


def cases(*names: str, step: int = 1) -> Iterator[Held]:
    """The compiled ones among each `step`th case of files (`lang-rnd`)."""
    return (case for case in recorded(*names, step=step) if is_compiled(case.case))


def recorded(*names: str, step: int = 1) -> Iterator[Held]:
    """Each `step`th case of files that is one program; of all files by default."""
    files = [FOLDER / f"{name}.jsonl" for name in names] or [FOLDER]
    for case in load(files)[::step]:
        if case.kind is CaseKind.CONSOLE and "source" in case.data:
            yield Held(case.data, way_of(case.data))


def is_compiled(case: Mapping[str, Any]) -> bool:
    """Tell whether a case's program is compiled."""
    try:
        compiled(case, True)
    except TIError:
        return False
    return True


FORMS = ((True, 0), (False, 0))
"""With words, and with cells."""


def as_byte_code(held: Held) -> tuple[bool, int]:
    """The form of a case in which all code is byte code, with words or with cells."""
    return len(held.listing) % 2 == 0, ALL_SHORT


def hold(held: Held, forms: Sequence[tuple[bool, int]] = FORMS) -> tuple[Way, list[str]]:
    """Compare compiled forms of a case; the way that it went, and what differs.

    A form: whether there are words, and what is byte code, see `compile_program`.
    """
    way = held.way
    messages: list[str] = []
    for words, short in forms:
        if way in (Way.PLAYED, Way.PROMPT):
            try:
                differences = differing(held.case, compiled(held.case, words, short))
            except AtThePrompt:
                way = Way.ALONE
                if typed_after(held.case) is None:
                    messages.append("it ends before a key of the script that it would take")
            else:
                messages += [line for one in differences for line in (one.where, *one.lines)]
        if way is Way.ALONE and _alone(held, words, short) != _alone(held, None):
            form = f"words: {words}, byte code: {bool(short)}"
            messages.append(f"{form}: it leaves something else than in Extended BASIC")
    return way, messages


def _alone(held: Held, words: bool | None, short: int = 0) -> tuple[Left, Mapping[str, Any]]:
    """What a program leaves on the screen and on the disk; `words` None: in Extended BASIC."""
    keys, drives = typed_keys(held.case), drives_of(held.case)
    if words is None:
        left = in_basic(held.listing, keys, drives)
    else:
        left = Left.of(played(compiled(held.case, words, short).cartridge, keys, drives))
    return left, {drive: files(image) for drive, image in drives.items()}


def typed_keys(case: Mapping[str, Any]) -> list[str]:
    """All keys of the script of a case whose program takes lines."""
    if not types_lines(case):
        return []
    steps = case.get("script") or []
    return [key for step in steps for key in step.get("type") or [step.get("press")] if key]


def compiled(case: Mapping[str, Any], words: bool, short: int = 0) -> Collected:
    """A case's programs. Raises TIError where they are not compiled."""
    key = json.dumps([case["source"], case.get("disk_in")]), words, short
    if key not in _compiled:
        # The last ones are kept: a case that is held has been compiled to know whether it is.
        for old in [*_compiled][: len(_compiled) - 1]:
            del _compiled[old]
        _compiled[key] = compiled_case(case, words, short)
    return _compiled[key]


_compiled: dict[tuple[str, bool, int], Collected] = {}
