"""What is not compiled: refused at its line with the reason; and statements that always fail."""

from __future__ import annotations

from typing import NoReturn

from ti99tools.base.errors import Place, SourceError


class Refused(Exception):
    """Something that is not compiled; `reason` says why."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


class NotCompiled(SourceError):
    """Refused, with its place, as a user sees it; `reason` says why."""

    reason: str = ""


class Fails(Exception):
    """A statement that always fails at this point, with the error `code` of `base.xberrors`.

    `inside` are the DEFs in which it does, the innermost last: line numbers and offsets.
    """

    inside: tuple[tuple[int, int], ...] = ()

    def __init__(self, code: int, remedy: str) -> None:
        super().__init__(code)
        self.code = code
        self.remedy = remedy


IN_BASIC = "run it in Extended BASIC"
"""The remedy for a correct statement that is not compiled."""


def refuse(reason: str, remedy: str = IN_BASIC) -> NoReturn:
    """Raise Refused for the current statement."""
    raise Refused(reason, remedy)


def fail(code: int, remedy: str = "correct it") -> NoReturn:
    """Raise Fails: the current statement fails here whenever it runs."""
    raise Fails(code, remedy)


def located(refused: Refused, line: int, place: Place) -> NotCompiled:
    """The error that a user sees."""
    error = NotCompiled(
        f"line {line} is not compiled: {refused.reason}", remedy=refused.remedy, place=place
    )
    error.reason = refused.reason
    return error
