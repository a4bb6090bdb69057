"""What verification must know of a game besides its model: `Adapter`, which a game extends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from ti99tools.computer.console.keyscript import Asked, Press, Snap, Step, Type, Until
from ti99tools.games.hosts.host import Files
from ti99tools.games.hosts.sight import NO_BLINKING, Blinking
from ti99tools.games.making.manifest import Manifest
from ti99tools.games.models.model import Ask, Model, Player, Setup
from ti99tools.games.models.playlog import Event

WARM_UP = "warm-up"
"""Option of a setup: a match with this seed is played first, in the same session."""
BLANK_SEED = "blank seed"
"""Option of a setup: the game chooses the seed, and writes it in its log."""

TROUBLE, NO_DRIVE = "disk trouble", "no drive"
"""Option of a setup: the play log goes to a drive that does not exist, or the disk has only that
many free sectors. The log may stop early or be missing; the match goes on regardless.
"""
TROUBLES = (NO_DRIVE, "0", "1", "2", "5", "9")
"""Values of `TROUBLE` in generated setups."""
WRONG_LOG = "DSK2.LOG"
"""The file name of the play log with `NO_DRIVE`."""

AGAIN = "PLAY AGAIN"
"""The question at the end of a match."""
MOST_SEED = 10**8
"""Seeds of generated setups are below this."""

OwnPlayer = Callable[[Model, Ask, Random], int]
"""A player who knows the rules of one game: the key to press in this state of its model."""


class Adapter:
    """The link between a game's scenarios and its screens.

    Unchanged, it serves a game for one human that uses the library's title, seed and end of a match
    (`xbasic/lib`): 4 switches the play log on, 1 plays, the seed is asked for as `[seed]` in
    game.toml says, PLAY AGAIN takes Y or N, 5 ends the program.
    """

    title: str = "1 PLAY"
    """A text by which the title screen is recognised."""
    pace: int = 60
    """Frames between keys on a host that cannot see when one has been taken."""
    looks: int = 0
    """How often a match is interrupted to compare the screen; 0 if `implied` holds only at the end
    of a match."""
    blinking: Blinking = NO_BLINKING
    """What the game keeps changing even while it waits for a key."""
    keeps_quit: bool = False
    """Whether FCTN-= does nothing in a match, because machine code has disabled it."""
    needs_load: bool = False
    """Whether the game relies on what `LOAD` has drawn, so that its program cannot run alone."""
    pauses: bool = False
    """Whether a key pressed in a pause of the game answers its next question."""
    players: Mapping[str, OwnPlayer] = {}
    """Name → a player that knows the game; they play besides the general policies."""

    def __init__(self, manifest: Manifest, model: type[Model]) -> None:
        self.manifest = manifest
        self.model = model

    @property
    def name(self) -> str:
        """The name of the game, as commands know it."""
        return self.manifest.game

    @property
    def log_file(self) -> str:
        """The play log's name on DSK1."""
        return self.manifest.log_name

    def setup(self, random: Random) -> Setup:
        """A random setup that the game offers; see `WARM_UP` and the others for common options."""
        options = {}
        if random.random() < 0.1:
            options[WARM_UP] = str(random.randrange(MOST_SEED))
        if random.random() < 0.08:
            options[TROUBLE] = random.choice(TROUBLES)
        return Setup(random.randrange(MOST_SEED), (Player("H", "PLAYER"),), options)

    def files(self, setup: Setup) -> Files:
        """Files that a setup puts on the disk or takes off it; see `Job.files`."""
        return {}

    def opening(self, setup: Setup) -> Sequence[Step]:
        """From the title screen to the match's first key, with the play log switched on."""
        return [*self.log_on(setup), Type("1"), *self.seed(setup)]

    def log_on(self, setup: Setup) -> Sequence[Step]:
        """On the title screen: switch the play log on."""
        return [Until(self.title), *log_switch("4", setup), Until("4 PLAY LOG: ON")]

    def seed(self, setup: Setup) -> Sequence[Step]:
        """Wait for the question for the seed, and answer it."""
        question = self.manifest.seed
        if question is None:
            return []
        typed = "\n" if BLANK_SEED in setup.options else question.keys(setup.seed)
        return [Until(question.prompt), Type(typed)]

    def again(self, setup: Setup) -> Sequence[Step]:
        """From the end of a match to the first key of the next one with the same players."""
        return [Until(AGAIN), Type("Y"), *self.seed(setup)]

    def closing(self) -> Sequence[Step]:
        """From the match's last key to the end of the program; takes the snap `end` on the way."""
        end: list[Step] = [Until(AGAIN), Asked(), Snap("end"), Type("N")]
        return [*end, Until(self.title), Type("5"), Until()]

    def after_leaving(self) -> Sequence[Step]:
        """From a match that was left (see `Model.may_leave`) to the end of the program."""
        return [Until(self.title), Type("5"), Until()]

    def shown(self, rows: Sequence[str], setup: Setup) -> Mapping[str, object]:
        """Name → number shown on a screen of the match."""
        return {}

    def implied(self, events: Sequence[Event], setup: Setup) -> Mapping[str, object]:
        """The numbers that the screen must show after these events, while the game waits."""
        return {}

    def board(self, events: Sequence[Event], setup: Setup) -> str:
        """The position after these events as plain text; empty for a game without a board."""
        return ""


def room_of(setup: Setup) -> int | None:
    """How many free sectors the disk must have; None: it stays as it is."""
    room = setup.options.get(TROUBLE, "")
    return int(room) if room.isdecimal() else None


def log_switch(key: str, setup: Setup) -> Sequence[Step]:
    """The title's key for the play log, and the file's name: the default, or a wrong one."""
    if setup.options.get(TROUBLE) == NO_DRIVE:
        return [Type(key), Press("ERASE"), Type(f"{WRONG_LOG}\n")]
    return [Type(f"{key}\n")]
