"""The results of verification: logs compared line by line, matches, the verdict on a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from ti99tools.base.counts import Hits
from ti99tools.base.errors import Place
from ti99tools.base.record import Record
from ti99tools.games.hosts.host import Evidence
from ti99tools.games.models.playlog import LogKind, PlayLog
from ti99tools.games.verify.scenario import Scenario
from ti99tools.language.program.coverage import Coverage


def plain_row(row: str) -> str:
    """A row of character codes as text; redefined characters and edges as dots."""
    return "".join(c if " " <= c < "\x7f" else "." for c in row)


class Mismatch(Record):
    """The first thing in which game and model differ.

    `where` is `log`, `screen`, `video` (VDP memory) or `run` (the session did not reach its end);
    `context` are the log lines just before, `board` is the position as text, if the game has one.
    """

    where: str
    expected: str
    got: str
    index: int = 0
    context: tuple[str, ...] = ()
    board: str = ""
    other: tuple[str, ...] = ()
    """The screen of another host at a moment when it differs from our console's."""
    moment: str = ""
    """The name of that moment."""

    @property
    def kind(self) -> tuple[str, str, str]:
        """What must stay the same while a scenario shrinks: `where`, and the kinds of the lines."""
        return self.where, self.expected.partition(" ")[0], self.got.partition(" ")[0]

    def lines(self) -> list[str]:
        """The mismatch as text."""
        before = [f"    {line}" for line in (*self.board.splitlines(), *self.context)]
        place = {"log": f"log line {self.index + 3}", "run": "the session"}.get(
            self.where, self.where
        )
        return [*before, f"  {place}:", f"    rules  {self.expected}", f"    game   {self.got}"]


class Counted(Record):
    """Which items of a set were reached: lines of the program, branches of the model."""

    reached: frozenset[str] = frozenset()
    total: frozenset[str] = frozenset()

    def __or__(self, other: Counted) -> Counted:
        return Counted(self.reached | other.reached, self.total | other.total)

    @property
    def share(self) -> float:
        """The fraction reached, from 0 to 1; 1 when there is nothing to reach."""
        return len(self.reached & self.total) / len(self.total) if self.total else 1.0

    @property
    def missed(self) -> list[str]:
        """The items never reached, in order."""
        return sorted(self.total - self.reached, key=lambda name: (len(name), name))


class MatchResult(Record):
    """One match played and compared.

    `hits` counts how often each statement of the program ran; None if that was not counted.
    """

    scenario: Scenario
    events: int
    screens: int
    keys: int
    seconds: float
    mismatch: Mismatch | None = None
    lines: frozenset[int] = frozenset()
    branches: frozenset[str] = frozenset()
    hits: Hits | None = None
    keys_taken: int = 0
    """How many keys an emulator has seen the program take."""
    spared: int = 0
    """How many of them another statement's scan would have taken; see `hosts`."""
    wall: float = 0.0
    """Seconds that it took to play here; not kept in journals."""
    unread: str = ""
    """The line of its log whose keys the model does not know; see `Verdict`."""


class Failure(Record):
    """A mismatch, its scenario shrunk as far as patience went, and the script that replays it.

    `evidence`: the screens there, if they were captured. `calls`: the places in the source that
    lead to it, innermost first. `own`: the index of the first place in the game's own files rather
    than in the library.
    """

    mismatch: Mismatch
    scenario: Scenario
    script: str
    evidence: Evidence | None = None
    calls: tuple[Place, ...] = ()
    own: int = 0
    keys: int = 0
    """Keys of the match as it was found."""
    trials: int = 0
    """Matches played to shrink it."""


XB, DISK, CARTRIDGE = FORMS = ("xb", "disk", "cartridge")
"""What is played of a game: its program in Extended BASIC, or the disk or cartridge that it is
compiled to.
"""
_WORDS = {XB: "", DISK: " as a compiled disk", CARTRIDGE: " as a cartridge"}


@dataclass
class Verdict:
    """What was proven about a game on a host; `not_run` says why nothing was.

    `form` is what was played, and `disk` a digest of it: of the disk, or of the cartridge.
    `broken`: it was not run because something in the game itself is broken. `cut_off` says why the
    run ended before all matches were played.
    """

    game: str
    version: str
    host: str
    form: str = XB
    disk: str = ""
    seed: int = 0
    not_run: str = ""
    broken: bool = False
    cut_off: str = ""
    matches: int = 0
    events: int = 0
    keys: int = 0
    screens: int = 0
    machine_seconds: float = 0.0
    wall_seconds: float = 0.0
    keys_taken: int = 0
    spared: int = 0
    """See `MatchResult`."""
    policies: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    failures: list[Failure] = field(default_factory=list)
    program: Counted = field(default_factory=Counted)
    model: Counted = field(default_factory=Counted)
    coverage: Coverage | None = None
    """The coverage of the source's statements, if they were counted."""
    unread: str = ""
    """A line of a log from which `keys_of` of the model does not give the keys of the match."""

    @property
    def where(self) -> str:
        """The host, and what was played on it if that is not Extended BASIC."""
        return self.host + _WORDS[self.form]

    @property
    def ok(self) -> bool:
        """Tell whether all matches were played, at least one, and none differed."""
        return self.matches > 0 and self.failed == 0 and not self.cut_off

    def add(self, result: MatchResult) -> None:
        """Count one match; the caller adds its mismatch, if any, to `failures`."""
        self.matches += 1
        self.events += result.events
        self.keys += result.keys
        self.screens += result.screens
        self.machine_seconds += result.seconds
        self.keys_taken += result.keys_taken
        self.spared += result.spared
        self.failed += result.mismatch is not None
        self.unread = self.unread or result.unread
        for policy in result.scenario.policies:
            self.policies[policy] = self.policies.get(policy, 0) + 1


INTERRUPTED = "interrupted"


def why_cut_off(cut: BaseException) -> str:
    """Why a run ended before all its matches were played: what was raised, in words."""
    return INTERRUPTED if isinstance(cut, KeyboardInterrupt) else str(cut)


class LogVerdict(Record):
    """The verdict on a log from elsewhere. `mismatch`: None if every line follows from the rules.

    `problem` says why it cannot be checked: it cannot be read (then `log` is None), or is foreign.
    `machine` is where it was played, as the user says.
    """

    file: str
    log: PlayLog | None
    mismatch: Mismatch | None = None
    problem: str = ""
    found: LogKind | None = None
    machine: str = ""

    @property
    def kind(self) -> LogKind:
        """Complete, truncated, tampered or foreign."""
        if self.found is not None:
            return self.found
        if self.mismatch is not None:
            return LogKind.TAMPERED
        complete = self.log is not None and self.log.complete
        return LogKind.COMPLETE if complete else LogKind.TRUNCATED

    @property
    def says(self) -> str:
        """The verdict in words."""
        if self.problem:
            return self.problem
        return "follows the rules" if self.mismatch is None else "does NOT follow the rules"


class Proof(Record):
    """A certificate, the match that it was checked against, and why it is not of that match.

    `source` says where the match came from; `problem` is empty when the certificate is correct.
    """

    certificate: str
    game: str
    seed: int
    score: int
    source: str
    problem: str = ""
    month: str = ""
    """The month whose seed it is, where that was asked and is so."""
    winner: str = ""
    """The name of the player who has won; empty where the rules name none."""
    people: tuple[str, ...] = ()
    """The names of the players that were people."""

    @property
    def proven(self) -> bool:
        """Tell whether the score follows from the seed and the choices."""
        return not self.problem
