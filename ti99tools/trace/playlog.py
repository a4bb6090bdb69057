"""The play log: a DIS/VAR 80 file in which a game writes what happens, one event a line.

    TI99LOG 1 D5000 1.0        form, its version, game, the game's version
    SEED 1234                  then events in the order they happened
    …
    END                        a log without it was cut short: "truncated", not wrong

The same file comes from our console, from an emulator or from the real machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ti99tools.base.errors import Place, ScriptError
from ti99tools.trace.events import Event

MAGIC = "TI99LOG"
FORM = "1"
RECORD = 80
"""The longest line: the file's record length."""
SEED_DIGITS = 14
"""Digits of the machine's numbers, so of a seed, at most."""
END = Event("END")


@dataclass(frozen=True)
class PlayLog:
    """A log: game, its version, the seed, and the events after the SEED line without END."""

    game: str
    version: str
    seed: int
    events: tuple[Event, ...]
    complete: bool = True

    def lines(self) -> Iterator[str]:
        """The lines of the file. Raises ValueError for a line longer than a record."""
        ends = [END] if self.complete else []
        head = [Event.of(MAGIC, FORM, self.game, self.version), Event.of("SEED", self.seed)]
        for event in (*head, *self.events, *ends):
            line = str(event)
            if len(line) > RECORD:
                raise ValueError(f"longer than a record of {RECORD}: {line}")
            yield line


def read_all(records: Iterable[bytes], file: str = "log") -> list[PlayLog]:
    """Read a file in which several matches were logged, one log after the other."""
    parts: list[list[bytes]] = []
    for record in records:
        if not parts or record.split()[:1] == [MAGIC.encode()]:
            parts.append([])
        parts[-1].append(record)
    first = 1
    logs = []
    for part in parts or [[]]:
        logs.append(read(part, file, first))
        first += len(part)
    return logs


def read(records: Iterable[bytes], file: str = "log", first: int = 1) -> PlayLog:
    """Read the records of one log. Raises ScriptError with line and remedy.

    `first` is the number of the first record in its file.
    """
    events = [_event(record, file, number) for number, record in enumerate(records, first)]
    if not events or events[0].kind != MAGIC:
        raise ScriptError(
            "no play log",
            remedy=f"its first line is {MAGIC} {FORM} GAME VERSION",
            place=Place(file),
        )
    head = events[0].args
    if len(head) != 3 or head[0] != FORM:
        raise ScriptError(
            f"a play log of another form: {events[0]}",
            remedy=f"this program reads form {FORM}",
            place=Place(file, first),
        )
    if len(events) < 2:
        raise ScriptError("the log ends before its seed", place=Place(file, first))
    seed = events[1]
    if not _is_seed(seed):
        raise ScriptError(
            f"the second line is {str(seed)[:RECORD]}",
            remedy=f"it must be SEED n, n of up to {SEED_DIGITS} digits",
            place=Place(file, first + 1),
        )
    body = events[2:]
    complete = bool(body) and body[-1] == END
    body = body[:-1] if complete else body
    for number, event in enumerate(body, first + 2):
        if event.kind in (END.kind, MAGIC, "SEED"):
            raise ScriptError(
                f"{event} in the middle of a log",
                remedy="give one match a file",
                place=Place(file, number),
            )
    return PlayLog(head[1], head[2], int(seed.args[0]), tuple(body), complete)


def _is_seed(event: Event) -> bool:
    if event.kind != "SEED" or len(event.args) != 1:
        return False
    return event.args[0].isdecimal() and len(event.args[0]) <= SEED_DIGITS


def _event(record: bytes, file: str, number: int) -> Event:
    try:
        return Event.parse(record.decode("ascii"))
    except ValueError as error:
        raise ScriptError(
            "not a line of a play log",
            remedy="a line is KIND and words, in plain characters",
            place=Place(file, number),
        ) from error
