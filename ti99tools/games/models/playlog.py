"""The play log: events that a game writes, one on each line of a DIS/VAR 80 file.

    TI99LOG 1 D5000 1.0        form, its version, game, the game's version
    SEED 1234                  then events in the order they happened: `KIND arg…`
    …
    END                        a log without it is "truncated", not invalid

The same file comes from our console, from an emulator or from the real machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from ti99tools.base.decoding import PLAY_LOG
from ti99tools.base.errors import Place, ScriptError
from ti99tools.base.record import Record


class Event(Record):
    """A kind (one word, upper case) and its arguments, words without spaces."""

    kind: str
    args: tuple[str, ...] = ()

    @classmethod
    def of(cls, kind: str, *args: object) -> Event:
        """Make an event; numbers become their digits, lists and tuples their elements."""
        words: list[str] = []
        for arg in args:
            words.extend(map(str, arg) if isinstance(arg, list | tuple) else [str(arg)])
        return cls(kind, tuple(words))

    @classmethod
    def parse(cls, line: str) -> Event:
        """Read a line; runs of spaces count as one. Raises ValueError for an empty line."""
        words = line.split()
        if not words:
            raise ValueError("an empty line is not an event")
        return cls(words[0], tuple(words[1:]))

    def __str__(self) -> str:
        return " ".join((self.kind, *self.args))


MAGIC = PLAY_LOG
FORM = "1"
RECORD = 80
"""The longest line: the file's record length."""
SEED_DIGITS = 8
"""The most digits of a seed: the question for it takes no more."""
END = Event("END")


class LogKind(Enum):
    """The four verdicts on a log from elsewhere."""

    COMPLETE = "complete"
    """It ends with END and follows the rules."""
    TRUNCATED = "truncated"
    """It breaks off, but follows the rules up to there."""
    TAMPERED = "tampered"
    """It does not follow the rules of the game and version that it names."""
    FOREIGN = "foreign"
    """It is of another game, version or form, so it cannot be checked here."""


class LogError(ScriptError):
    """A log that cannot be read; `kind` is the verdict on it."""

    kind = LogKind.TAMPERED

    def as_kind(self, kind: LogKind) -> LogError:
        """Set the verdict; returns the error itself."""
        self.kind = kind
        return self


class PlayLog(Record):
    """A log: the game, its version, the seed, and the events between the SEED line and END."""

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
    """Read a file with the logs of several matches, one after another. Raises LogError."""
    return [read(part, file, first) for first, part in split(records)]


def split(records: Iterable[bytes]) -> list[tuple[int, list[bytes]]]:
    """The logs in a file, in order: the number of the first record, from 1, and the records."""
    parts: list[list[bytes]] = []
    for record in records:
        if not parts or record.split()[:1] == [MAGIC.encode()]:
            parts.append([])
        parts[-1].append(record)
    first = 1
    logs = []
    for part in parts or [[]]:
        logs.append((first, part))
        first += len(part)
    return logs


def read(records: Iterable[bytes], file: str = "log", first: int = 1) -> PlayLog:
    """Read the records of one log. Raises LogError with line and remedy.

    `first` is the number of the first record in its file.
    """
    events = _events(list(records), file, first)
    if not events or events[0].kind != MAGIC:
        raise LogError(
            "no play log",
            remedy=f"its first line is {MAGIC} {FORM} GAME VERSION",
            place=Place(file),
        ).as_kind(LogKind.FOREIGN)
    head = events[0].args
    if len(head) != 3 or head[0] != FORM:
        raise LogError(
            f"a play log of another form: {events[0]}",
            remedy=f"this program reads form {FORM}",
            place=Place(file, first),
        ).as_kind(LogKind.FOREIGN)
    if len(events) < 2:
        raise LogError("the log ends before its seed", place=Place(file, first)).as_kind(
            LogKind.TRUNCATED
        )
    seed = events[1]
    if not _is_seed(seed):
        raise LogError(
            f"the second line is {str(seed)[:RECORD]}",
            remedy=f"it must be SEED n, n of up to {SEED_DIGITS} digits",
            place=Place(file, first + 1),
        )
    body = events[2:]
    complete = bool(body) and body[-1] == END
    body = body[:-1] if complete else body
    for number, event in enumerate(body, first + 2):
        if event.kind in (END.kind, MAGIC, "SEED"):
            raise LogError(
                f"{event} in the middle of a log",
                remedy="give one match a file",
                place=Place(file, number),
            )
    return PlayLog(head[1], head[2], int(seed.args[0]), tuple(body), complete)


def _is_seed(event: Event) -> bool:
    if event.kind != "SEED" or len(event.args) != 1:
        return False
    return event.args[0].isdecimal() and len(event.args[0]) <= SEED_DIGITS


def _events(records: list[bytes], file: str, first: int) -> list[Event]:
    events = []
    for number, record in enumerate(records, first):
        try:
            events.append(Event.parse(record.decode("ascii")))
        except ValueError as error:
            last = number == first + len(records) - 1
            raise LogError(
                "not a line of a play log",
                remedy="a line is KIND and words, in plain characters",
                place=Place(file, number),
            ).as_kind(LogKind.TRUNCATED if last else LogKind.TAMPERED) from error
    return events
