"""Profiles: Extended BASICs of later years that a program may be written for, chosen by name.

A profile adds subprograms to those of TI's cartridge, and nothing else. Only what a public manual
describes well enough is here; its page is cited where each is implemented
(`computer.interp.subprograms.later`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ti99tools.base.errors import TIError
from ti99tools.base.record import Record
from ti99tools.language.listing.builtins import (
    A_SPRITE,
    MANY,
    THE_WORD_ALL,
    Argument,
    ArgumentForm,
    Subprogram,
)

_CODE = Argument("character code", values=((30, 159),))
_SET = Argument("character set", values=((0, 16),))
_ROW, _COLUMN = Argument("row", values=((1, 24),)), Argument("column", values=((1, 32),))
_ADDRESS, _STORED = Argument("address"), Argument("byte", stored=True)
_REPETITION = Argument("repetition", values=((1, 65_535),))
_SCROLLING = ArgumentForm(head=(_REPETITION,)), ArgumentForm()


def _again(*arguments: Argument) -> ArgumentForm:
    return ArgumentForm(group=arguments, times=MANY)


class Profile(Record):
    """A later Extended BASIC: its `name` on the command line, its `title`, what it adds.

    `quits`: the QUIT key counts from the beginning, as on the cartridge.
    """

    name: str
    title: str
    subprograms: Mapping[str, Subprogram]
    quits: bool = True


def _profile(
    name: str, title: str, forms: Mapping[str, tuple[ArgumentForm, ...]], quits: bool = True
) -> Profile:
    records = {n: Subprogram(n, forms=f, stores=not f) for n, f in forms.items()}
    return Profile(name, title, records, quits)


_BOTH = {
    "BEEP": (ArgumentForm(),),
    "CLSALL": (ArgumentForm(),),
    "HONK": (ArgumentForm(),),
    "PEEKV": (ArgumentForm(head=(_ADDRESS,), group=(_STORED,), times=MANY),),
    "POKEV": (ArgumentForm(head=(_ADDRESS,), group=(Argument("byte"),), times=MANY),),
    "QUITON": (ArgumentForm(),),
}
_LENGTH, _TEXT = Argument("length", values=((1, 255),)), Argument("text", stored=True, string=True)
_RXB = _BOTH | {
    "HEX": (),
    "HGET": (_again(_ROW, _COLUMN, _LENGTH, _TEXT),),
    "HPUT": (),
    "INVERSE": (
        _again(_CODE),
        ArgumentForm(head=(THE_WORD_ALL,)),
        ArgumentForm(head=(THE_WORD_ALL,), group=(_CODE,), times=MANY),
        ArgumentForm(group=(_CODE,), times=MANY, tail=(THE_WORD_ALL,)),
    ),
    "MOVES": (),
    "SCROLLDOWN": _SCROLLING,
    "SCROLLLEFT": _SCROLLING,
    "SCROLLRIGHT": _SCROLLING,
    "SCROLLUP": _SCROLLING,
    "SWAPCHAR": (_again(_CODE, _CODE),),
    "SWAPCOLOR": (_again(_SET, _SET), _again(A_SPRITE, A_SPRITE)),
}
"""Forms by name; none where a string may stand for a number, or kinds of arguments alternate."""
PROFILES = {
    "rxb": _profile("rxb", "RXB", _RXB, quits=False),
    "xb29": _profile("xb29", "Extended BASIC 2.9 G.E.M.", _BOTH),
}
"""Name → profile."""


def profile_of(name: str) -> Profile | None:
    """The profile with a name; None for an empty name. Raises TIError for an unknown one."""
    if not name:
        return None
    found = PROFILES.get(name.lower())
    if found is None:
        known = ", ".join(PROFILES)
        raise TIError(f"{name}: no such Extended BASIC", remedy=f"profiles are {known}")
    return found


def added_by(name: str) -> Mapping[str, Subprogram]:
    """The subprograms that a profile adds, by name; none for an empty name. Raises TIError."""
    profile = profile_of(name)
    return {} if profile is None else profile.subprograms
