"""What a record of a built-in subprogram is made of: arguments and the forms they come in.

A form is the arguments `head`, then `group` so many times, each of them with `rest` after it or
without, then `tail`: `#sprite,code,color,row,column[,row velocity,column velocity],…` is a group of
five that repeats, with a rest of two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ti99tools.base.record import Record

VALUE, SPRITE, ALL = "v", "h", "a"
"""Kinds of arguments: an expression or variable, `#` and a number, the word ALL. A whole array,
`A()`, is of the kind `w`, which no built-in subprogram takes."""

Spans = tuple[tuple[int, int], ...]

MANY = 1_000_000
"""As often as a line has room for it."""


class Argument(Record):
    """One argument.

    `values` are the numbers from and to which the console takes, after rounding (halves up); none
    if it takes any. `stored`: it is a variable that gets a value; `string`: it is a string. `each`
    is the time, in cycles, for each character of a string, or for each step of a number after the
    first one; where the program does not tell the number, it counts as `usual`. A string is filled
    up to a `multiple` of characters.
    """

    name: str
    kind: str = VALUE
    values: Spans = ()
    stored: bool = False
    string: bool = False
    each: int = 0
    usual: int = 1
    multiple: int = 1

    @property
    def written(self) -> str:
        """As the listing has it, the name standing for the expression."""
        return ("#" if self.kind == SPRITE else "") + self.name + "$" * self.string


class Form(Record):
    """One way to write the arguments of a subprogram."""

    head: tuple[Argument, ...] = ()
    group: tuple[Argument, ...] = ()
    rest: tuple[Argument, ...] = ()
    times: int = 1
    tail: tuple[Argument, ...] = ()

    def takes(self, kinds: str) -> bool:
        """Tell whether arguments of these kinds, a letter each, are right."""
        group, rest = _kinds(self.group), _kinds(self.rest)
        repeated = f"({group}({rest})?){{1,{self.times}}}" if group else ""
        return re.fullmatch(_kinds(self.head) + repeated + _kinds(self.tail), kinds) is not None

    def arguments(self, kinds: str) -> Iterator[Argument]:
        """The arguments that arguments of these kinds stand for, as far as there are any."""
        yield from self.head
        at = len(self.head)
        for _ in range(self.times if self.group else 0):
            if self.tail and kinds[at:] == _kinds(self.tail):
                break
            yield from self.group
            at += len(self.group)
            if self.rest and kinds[at : at + 1] == self.rest[0].kind:
                yield from self.rest
                at += len(self.rest)
            if at >= len(kinds):
                break
        yield from self.tail

    @property
    def text(self) -> str:
        """The form as people write it."""
        head, group, rest, tail = (
            ",".join(argument.written for argument in part)
            for part in (self.head, self.group, self.rest, self.tail)
        )
        repeated = group + (f"[,{rest}]" if rest else "") + (",…" if self.times > 1 else "")
        return ",".join(part for part in (head, repeated, tail) if part)


class Subprogram(Record):
    """A built-in subprogram.

    Without `forms` it is unknown what it takes; `stores` then says whether it may give
    values to variables. `cycles` is its time besides that of CALL and of its arguments (CPU
    cycles, 3 MHz), fitted to loops recorded on the real machine; `about` stands for it where no
    loop was recorded: an estimate from whole programs, or what a similar subprogram takes;
    `each_sprite` comes to it for each sprite number. One that `prepares` takes its time before it
    does anything, others afterwards.
    """

    name: str
    forms: tuple[Form, ...] = ()
    cycles: int | None = None
    about: int = 0
    stores: bool = False
    prepares: bool = False
    each_sprite: int = 0

    @property
    def time(self) -> int:
        """Its time in cycles, measured or estimated."""
        return self.about if self.cycles is None else self.cycles

    def takes(self, kinds: str) -> bool:
        """Tell whether it takes arguments of these kinds, as far as is known."""
        return not self.forms or any(form.takes(kinds) for form in self.forms)

    def arguments(self, kinds: str) -> list[Argument]:
        """What arguments of these kinds stand for, in the form that they agree with longest."""
        return max((self._meant(form, kinds) for form in self.forms), key=len, default=[])

    @staticmethod
    def _meant(form: Form, kinds: str) -> list[Argument]:
        meant: list[Argument] = []
        for argument, kind in zip(form.arguments(kinds), kinds, strict=False):
            if argument.kind != kind:
                break
            meant.append(argument)
        return meant

    def stored(self, kinds: str) -> list[bool]:
        """For each argument of these kinds, whether it may get a value."""
        if not self.forms:
            return [self.stores] * len(kinds)
        stored = [argument.stored for argument in self.arguments(kinds)]
        return stored + [False] * (len(kinds) - len(stored))

    @property
    def text(self) -> str:
        """How to CALL it."""
        ways = [f"CALL {self.name}({form.text})" if form.text else f"CALL {self.name}"
                for form in self.forms]  # fmt: skip
        return " or ".join(ways)


def _kinds(arguments: tuple[Argument, ...]) -> str:
    return "".join(argument.kind for argument in arguments)
