"""Compiled programs, kept while their thread lives: the same program is compiled once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from threading import local

from ti99tools.base.xberrors import XBError
from ti99tools.interp.compile.compiler import Compiler
from ti99tools.interp.compile.lines import Listing
from ti99tools.program.image import Line
from ti99tools.source.prescan import Prescan, Scan

KEPT = 16
"""Programs; a session of the console rarely has more."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What the pre-scan made of a program: the error that it stopped at, and its line, if any."""

    scan: Scan
    error: int | None = None
    line: int | None = None


@lru_cache(maxsize=KEPT)
def scanned(lines: tuple[Line, ...]) -> Scanned:
    """Scan a program as RUN does."""
    prescan = Prescan((line.number, line.tokens) for line in lines)
    try:
        return Scanned(prescan.program())
    except XBError as error:
        return Scanned(prescan.scan, error.code, error.line)


def compiler_of(lines: tuple[Line, ...], watched: bool = False, stepping: bool = False) -> Compiler:
    """The compiler of a program whose scan found no error, with what it has compiled so far.

    `watched` code counts how often statements run, `stepping` code tells of each before. Each
    thread has compilers of its own: they grow while programs run.
    """
    return _OWN.kept(lines, watched, stepping)


def _compiler(lines: tuple[Line, ...], watched: bool, stepping: bool) -> Compiler:
    listing = Listing((line.number, line.tokens) for line in lines)
    return Compiler(listing, scanned(lines).scan, watched=watched, stepping=stepping)


class _Own(local):
    """The compilers of a thread."""

    def __init__(self) -> None:
        self.kept = lru_cache(maxsize=KEPT)(_compiler)


_OWN = _Own()


def forget_compiled() -> None:
    """Forget this thread's compilers, so that its programs are compiled anew."""
    _OWN.kept.cache_clear()
