"""Dice Rack's program on the console: its scoring routine, the rules' vectors, disks in trouble.

Whole games are compared with the rules by `ti99tools verify`; here is what that does not reach.
"""

import re
from itertools import product
from random import Random

import pytest
from gamedriver import DrivenGame, image_of

from ti99tools import Console, DiskImage, Program
from ti99tools.disk.tifile import DiskFile
from ti99tools.games.artefacts import build_game
from ti99tools.games.finding import find_game
from ti99tools.machine.vdp import OFFSET, PATTERNS
from ti99tools.models.certificate import on_screen
from ti99tools.models.model import Match, Player, Setup
from ti99tools.source.dialect import generate
from ti99tools.verify.loading import adapter
from xbasic.dicerack.builder import builder
from xbasic.dicerack.model import REMARKS, DiceRack, hand

GAME = find_game("dicerack")
BUILT = build_game(GAME, passes=())

EVERY_LINE = """
#include "hand.xb"
OPEN #1:"DSK1.OUT",OUTPUT,VARIABLE 254
FOR A=0 TO 6
FOR B=0 TO 6
FOR C=0 TO 6
  A$=""
  FOR D=0 TO 6
  FOR E=0 TO 6
    CALL HAND(A,B,C,D,E,P)
    Q=INT(P/20)
    A$=A$&CHR$(48+Q)&CHR$(48+P-20*Q)
  NEXT E
  NEXT D
  PRINT #1:A$
NEXT C
NEXT B
NEXT A
CLOSE #1
"""
"""A record holds the points of 49 lines, two characters each: twenties and the rest."""

WHOLE_RACK = """
#include "hand.xb"
DATA 1,2,3,0,6,5,2,3,4,6,5,2,6,4,1,5,2,6,3,1,3,2,6,3,1
DIM G(5,5)
FOR R=1 TO 5
  FOR C=1 TO 5
    READ G(R,C)
  NEXT C
NEXT R
FOR I=1 TO 5
  CALL HAND(G(1,I),G(2,I),G(3,I),G(4,I),G(5,I),P)
  CALL HAND(G(I,1),G(I,2),G(I,3),G(I,4),G(I,5),Q)
  PRINT P;Q
NEXT I
"""


def run(source: str) -> Console:
    console = Console(disks={"DSK1": DiskImage.new("DSSD")}, max_seconds=1e6)
    console.load(Program.from_listing(generate(source, root=GAME.folder).text))
    assert console.run() == "ready", console.error
    return console


def test_every_line_scores_as_the_rules_say() -> None:
    records = image_of(run(EVERY_LINE)).read("OUT").records
    points: dict[tuple[int, ...], int] = {}
    for start, record in zip(product(range(7), repeat=3), records, strict=True):
        assert len(record) == 2 * 49
        for index, end in enumerate(product(range(7), repeat=2)):
            twenties, rest = record[2 * index] - 48, record[2 * index + 1] - 48
            points[start + end] = 20 * twenties + rest
    assert {line: got for line, got in points.items() if got != hand(line)} == {}
    full = [got for line, got in points.items() if all(line)]
    assert (len(full), sum(full), full.count(0)) == (7776, 176310, 240)
    every = list(points.values())
    assert (len(every), sum(every), every.count(0)) == (16807, 252300, 3211)


def test_a_seven_counts_like_any_other_value() -> None:
    lines = ((7, 7, 7, 1, 1), (7, 6, 5, 4, 7), (7, 7, 7, 7, 7), (3, 4, 5, 6, 7))
    calls = "".join(f"CALL HAND({str(line)[1:-1]},P)\nPRINT P\n" for line in lines)
    words = run(f'#include "hand.xb"\n{calls}').screen.text.split()
    assert [int(word) for word in words if word.isdigit()] == [hand(line) for line in lines]


def test_the_rack_of_the_rules() -> None:
    rows = [row.split() for row in run(WHOLE_RACK).screen.rows]
    pairs = [tuple(map(int, row)) for row in rows if len(row) == 2 and row[0].isdigit()]
    assert pairs == [(45, 0), (100, 50), (75, 0), (28, 0), (75, 6)]


class Game(DrivenGame):
    """The game on a console, driven by what it shows."""

    BUILT = BUILT.image
    READY = "5 END"

    def log_on(self) -> None:
        self.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"), ("PLAY LOG: ON", ""))

    def play(self, seed: int | str, keys: str) -> None:
        self.answer(("5 END", "1"), ("SEED?", f"{seed}\n"), ("SHIFT:", keys))

    def log(self, name: str = "RACKLOG") -> list[str]:
        return [record.decode() for record in image_of(self.console).read(name).records]

    def number(self, name: str) -> object:
        """A number on the screen, as verification reads it."""
        setup = Setup(0, (Player("H", "PLAYER"),))
        return adapter("dicerack").shown(self.console.screen.rows, setup)[name]

    def rack(self) -> list[object]:
        self.console.wait(400)
        return [self.number(f"row {row} of the rack") for row in range(1, 6)]


DROP_ALL = " " * 25
"""Keys of a round in which every die falls into column 3."""


def winning_keys(seed: int) -> tuple[str, int]:
    """Keys of a good player up to the first question for another round, and the result."""
    model = DiceRack(Setup(seed, (Player("H", "PLAYER"),)))
    match = Match(model)
    keys = ""
    while match.ask is not None and ord("Y") not in match.ask.keys:
        key = builder(model, match.ask, Random(0))
        keys += "\n" if key == 13 else chr(key)
        match.press(key)
    assert match.ask is not None, f"seed {seed} is no good"
    return keys, int(next(event for event in model.log if event.kind == "RESULT").args[0])


WON = 33
"""A seed with which a good player reaches the first goal."""


def test_falling_out_adds_three_times_the_value() -> None:
    """Seed 3035: padding 4, then 4, 6, 2."""
    game = Game()
    game.play(3035, " ")
    assert game.rack() == ["00400", "00000", "00000", "00000", "00000"]
    game.console.type("C ")
    assert game.rack() == ["00600", "00400", "00000", "00000", "00000"]
    assert game.number("goal now") == "104"
    game.console.type(" ")
    assert game.rack() == ["00600", "00400", "00000", "00000", "00000"]
    assert (game.number("goal now"), game.number("out")) == ("110", "6")
    assert game.number("fallen out") == "2"


def test_a_column_settles_once() -> None:
    """Seed 474335: 5, 1, 1, 3, 6, 2, 4 into column 3, its gates opened one by one."""
    game = Game()
    game.play(474335, "C H M R ")
    assert game.rack() == ["00000", "00300", "00100", "00100", "00500"]
    goal = int(str(game.number("goal now")))
    game.console.type(" ")
    assert game.rack() == ["00000", "00600", "00300", "00100", "00100"]
    assert (game.number("goal now"), game.number("Red Row")) == (str(goal + 10), "00500")
    game.console.type(" ")
    assert game.rack()[0] == "00200" and game.number("goal now") == str(goal + 10)
    game.console.type(" ")
    assert game.rack()[0] == "00200" and game.number("goal now") == str(goal + 22)


def test_shifts_go_round_both_edges_and_all_dice_may_fall_out() -> None:
    game = Game()
    game.log_on()
    game.play(7, ", , , . " + " " * 21)
    game.see("PLAY AGAIN")
    shifts = [line for line in game.log() if line.startswith("SHIFT")]
    assert shifts == ["SHIFT L 2", "SHIFT L 1", "SHIFT L 5", "SHIFT R 1"]
    assert len(str(game.number("fallen out"))) == 22


def test_two_games_give_two_complete_logs_in_one_file() -> None:
    game = Game()
    game.log_on()
    game.play(12, DROP_ALL)
    game.answer(("PLAY AGAIN", "Y"), ("SEED?", "13\n"), ("SHIFT:", DROP_ALL))
    game.see("PLAY AGAIN")
    lines = game.log()
    first = lines.index("END")
    assert lines[:3] == ["TI99LOG 1 DICERACK 1.1", "SEED 12", "SAY 1 1"]
    assert lines[first + 1 : first + 4] == ["TI99LOG 1 DICERACK 1.1", "SEED 13", "SAY 1 1"]
    assert lines[-1] == "END" and lines.count("END") == 2
    assert all(len(line) <= 80 for line in lines)


def test_a_blank_seed_is_picked_shown_and_logged() -> None:
    game = Game()
    game.log_on()
    game.answer(("5 END", "1"), ("SEED?", "\n"))
    game.see("SHUFFLING")
    found = re.search(r"GAME (\d+):", game.console.screen.text)
    assert found is not None and 1 <= int(found[1]) <= 99991
    game.answer(("SHIFT:", DROP_ALL))
    game.see("PLAY AGAIN")
    assert game.console.screen.rows[21].split()[:2] == ["GAME", found[1]]
    assert game.log()[1] == f"SEED {found[1]}"


def test_the_log_is_off_unless_it_is_wanted_and_may_have_another_name() -> None:
    game = Game()
    game.play(1, DROP_ALL)
    game.answer(("PLAY AGAIN", "N"), ("PLAY LOG: OFF", "4"), ("FILE?", ""))
    assert "RACKLOG" not in image_of(game.console)
    game.console.press("ERASE")
    game.answer(("FILE?", "DSK1.MINE\n"), ("DSK1.MINE", ""))
    game.play(1, DROP_ALL)
    game.see("PLAY AGAIN")
    assert game.log("MINE")[-1] == "END"


def test_a_lost_round_tells_the_score_the_goal_and_the_game() -> None:
    game = Game()
    game.play(14, "C  H  M  R  A  B  L  T  " + " " * 9)
    game.see("YOU MADE")
    result, goal = game.number("result"), game.number("goal now")
    assert game.console.screen.rows[21].split() == ["YOU", "MADE", result, "OF", goal]
    game.see("PLAY AGAIN")
    rows = game.console.screen.rows
    code = on_screen(rows)
    assert code is not None and rows[21].strip() == f"GAME 14 {code}"
    assert (game.number("result"), game.number("goal now")) == (result, goal)


def test_a_score_below_zero_stands_apart() -> None:
    game = Game()
    game.play(1, " , " + " " * 23)
    game.see("YOU MADE")
    game.console.wait(30)
    assert re.fullmatch(r" *YOU MADE -\d+ OF \d+ *", game.console.screen.rows[21])
    assert int(str(game.number("result"))) < 0


@pytest.mark.parametrize("name", ["DSK1.RACKLOG", "DSK2.NONE"])
def test_a_log_that_cannot_be_opened_is_said_once_and_the_game_goes_on(name: str) -> None:
    game = Game(protected=True)
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", ""))
    game.console.press("ERASE")
    game.console.type(f"{name}\n")
    game.answer(("5 END", "1"), ("SEED?", "1\n"))
    game.see("NO PLAY LOG: DISK ERROR")
    game.answer(("SHIFT:", DROP_ALL))
    game.see("PLAY AGAIN")
    game.console.type("N")
    game.see("PLAY LOG: OFF")
    assert game.console.error is None


def full_disk(sectors: int) -> DiskImage:
    image = DiskImage.from_bytes(BUILT.image.to_bytes())
    image.add(DiskFile.program("FILLER", bytes(256 * (image.free_sectors - sectors - 1))))
    assert image.free_sectors == sectors
    return image


def test_a_disk_that_fills_up_ends_the_log_but_not_the_game() -> None:
    game = Game(full_disk(4))
    game.log_on()
    game.play(3, "")
    said = 0
    for _ in DROP_ALL:
        game.console.type(" ")
        for _ in range(8):
            game.console.wait(30)
            said += "NO PLAY LOG: DISK ERROR" in game.console.screen.text
    assert 0 < said < 8, "it is said once"
    game.see("PLAY AGAIN")
    lines = game.log()
    assert lines[0].startswith("TI99LOG") and "END" not in lines
    game.console.type("N")
    game.see("PLAY LOG: OFF")
    assert game.console.error is None


def win(game: Game, name: str) -> int:
    """A game won once and given up then, the name typed; the score."""
    keys, result = winning_keys(WON)
    game.play(WON, keys)
    game.answer(("ANOTHER ROUND?", "N"), ("NAME?", f"{name}\n"))
    game.see("PLAY AGAIN")
    return result


def table(game: Game) -> list[list[str]]:
    """Names and scores of the high scores, looked up from the title."""
    game.answer(("5 END", "3"))
    game.see("ANY KEY")
    game.console.wait(60)
    rows = [row.split() for row in game.console.screen.rows]
    game.console.type(" ")
    return [row[1:] for row in rows if len(row) > 1 and row[0] in list("12345")]


def test_high_scores_are_kept_on_the_disk() -> None:
    game = Game()
    assert table(game) == [["NOBODY", "YET"]] * 5
    score = win(game, "BOB")
    assert "NUMBER 1 IN MY HALL OF FAME!" in game.console.screen.text
    game.console.type("N")
    assert table(game)[:2] == [["BOB", str(score)], ["NOBODY", "YET"]]

    again = Game(image_of(game.console))
    assert win(again, "ANNABELLE9") == score
    assert "NUMBER 2 IN MY HALL OF FAME!" in again.console.screen.text
    for _ in range(3):
        again.console.type("N")
        win(again, "")
    again.console.type("N")
    names = ["BOB", *["ANNABELLE9"] * 4]
    assert table(again) == [[name, str(score)] for name in names]
    again.play(WON, winning_keys(WON)[0])
    again.answer(("ANOTHER ROUND?", "N"))
    again.see("PLAY AGAIN")  # no room for one more of the same score
    file = image_of(again.console).read("RACKHI")
    assert (file.type.label, file.recl, len(file.records)) == ("INT/VAR", 80, 5)


def test_a_name_left_out_is_somebody() -> None:
    game = Game()
    win(game, "")
    game.console.type("N")
    assert table(game)[0][0] == "SOMEBODY"


@pytest.mark.parametrize("trouble", ["protected", "full", "another file", "damaged"])
def test_high_scores_that_cannot_be_kept_do_not_stop_the_game(trouble: str) -> None:
    image = full_disk(0) if trouble == "full" else DiskImage.from_bytes(BUILT.image.to_bytes())
    if trouble == "another file":
        image.add(DiskFile.display_var("RACKHI", (b"HELLO",)))
    if trouble == "damaged":
        image.add(DiskFile.internal_var("RACKHI", (b"\x05HELLO\x03ABC",), 80))
    game = Game(image, protected=trouble == "protected")
    score = win(game, "BOB")
    lost = "SCORES NOT KEPT: DISK ERROR" in game.console.screen.text
    assert lost == (trouble in ("protected", "full"))
    game.console.type("N")
    assert table(game)[0] == ["BOB", str(score)]
    assert game.console.error is None


def test_the_game_needs_no_disk() -> None:
    game = Game.__new__(Game)
    game.console = Console()
    game.console.load(BUILT.program)
    game.console.start()
    game.see("5 END")
    win(game, "BOB")
    assert "SCORES NOT KEPT: DISK ERROR" in game.console.screen.text


def test_instructions_have_pages_and_lead_back() -> None:
    game = Game()
    game.answer(("5 END", "2"))
    for title in ("DICECRASH II: DICE RACK", "EACH DIE", "GATES, RED", "HANDS", "TIPS"):
        game.see(title)
        game.see("ANY KEY")
        game.console.type(" ")
    game.see("1 PLAY")
    game.console.type("5")
    game.see("* READY *")


def test_the_title_has_its_dice_again_after_the_instructions() -> None:
    game = Game()
    dice = "pr", "qs"
    game.see(dice[0])
    game.answer(("5 END", "2"), *[("PRESS ANY KEY", " ")] * 5, ("5 END", ""))
    game.console.wait(60)
    rows = game.console.screen.rows
    assert all(die in rows[at] for at, die in enumerate(dice, 15))


def test_remarks_are_as_many_as_the_log_knows_and_fit_a_row() -> None:
    text = (GAME.folder / "dealer.xb").read_text("utf-8")
    kinds = [
        re.findall(r'^SY\$\(\d+\)="(.*)"$', part, re.MULTILINE)
        for part in re.split(r"^! \d+ ", text, flags=re.MULTILINE)[1:]
    ]
    numbers = [int(number) for number in re.findall(r"^SY\$\((\d+)\)", text, re.MULTILINE)]
    assert numbers == list(range(1, 89))
    assert [len(remarks) for remarks in kinds] == list(REMARKS.values())
    remarks = [remark for kind in kinds for remark in kind]
    assert len(set(remarks)) == len(remarks)
    drawn = set('"#$%&()*+;<=>@[\\]^_')
    assert all(len(remark) <= 28 and not drawn & set(remark) for remark in remarks)
    assert all(remark == remark.upper() for remark in remarks), "dice are in the small letters"


@pytest.mark.parametrize("logged", [False, True])
def test_any_key_is_answered_within_a_second(logged: bool) -> None:
    """Machine time from the key to the sound or picture that answers it."""
    game = Game()
    if logged:
        game.log_on()
    game.play(474335, "C H M R ")
    console = game.console
    for key in ("X", "ENTER", "1", " ", ",", "?", "S", ".", "C", "A", " "):
        console.wait(600)
        before = looks(console)
        console.machine.keyboard.press(key)
        start = console.clock.cycles
        while looks(console) == before:
            console.wait(1)
            assert console.clock.cycles - start < 3_000_000, key


def looks(console: Console) -> tuple[int, bytes]:
    """What a player hears and sees: sounds so far, and the first sprite."""
    return len(console.sound.written), bytes(console.machine.vdp.ram[0x300:0x304])


def test_gates_at_the_first_question_leave_the_die_where_it_is() -> None:
    game = Game()
    game.log_on()
    game.play(3035, "S")
    game.see("SHIFT: , .  ENTER: DROP")
    assert game.rack() == ["00000"] * 5
    game.console.type("D")  # no second gate
    game.console.type(",")
    game.console.wait(300)
    assert game.rack() == ["04000", "00000", "00000", "00000", "00000"]
    game.console.type("." + "D")
    game.console.type(" " * 23)
    game.see("PLAY AGAIN")
    log = [line for line in game.log() if line.split()[0] in ("GATE", "SHIFT", "REFUSED")]
    assert log == ["GATE S 1", "REFUSED 68", "SHIFT L 2", "SHIFT R 3", "GATE D 1"]


def test_the_sums_so_far() -> None:
    game = Game()
    game.log_on()
    game.play(3035, "C C  ,")
    game.console.wait(600)
    rows = game.rack()
    game.console.type("1")
    game.console.wait(600)
    lines = [[int(die) for die in str(row)] for row in rows]
    across = sum(map(hand, lines))
    down = sum(map(hand, zip(*lines, strict=True)))
    row = game.console.screen.rows[21]
    shown = row.replace("=", " = ").split()
    assert shown == ["DOWN", str(down), "ACROSS", str(across), "=", str(down - across)]
    game.console.press("BACK")
    game.see("LEAVE THE MATCH?")
    game.console.wait(60)
    assert game.console.screen.rows[21].strip() == "LEAVE THE MATCH? Y OR N"
    game.console.type("N")
    game.console.wait(60)
    assert game.console.screen.rows[21] == row
    game.console.type(" " * 22)
    game.see("PLAY AGAIN")
    assert not any(line.startswith("REFUSED") for line in game.log())


def test_back_leads_out_of_a_match_and_closes_its_log() -> None:
    game = Game()
    game.log_on()
    game.play(5, "  ")
    for key, shown in (("N", "SHIFT:"), ("Y", "5 END")):
        game.console.wait(60)
        game.console.press("BACK")
        game.see("LEAVE THE MATCH?")
        game.console.type(key)
        game.see(shown)
    assert game.log()[-2:] == ["LEFT", "END"]
    game.play(6, DROP_ALL)
    game.see("PLAY AGAIN")
    assert game.log().count("END") == 2 and game.console.error is None


def test_the_ladder_rises() -> None:
    game = Game()
    game.log_on()
    keys, _ = winning_keys(WON)
    game.answer(("5 END", "6"), ("SEED?", f"{WON}\n"), ("SHIFT:", keys), ("ANOTHER ROUND?", "Y"))
    game.answer(("SHIFT:", DROP_ALL), ("NAME?", "\n"))
    game.see("PLAY AGAIN")
    log = game.log()
    assert log[2] == "LADDER 20"
    first, second = (line.split() for line in log if line.startswith("ROUND"))
    assert int(first[3]) == 100 + int(first[2]) and int(second[3]) == 120 + int(second[2])


@pytest.mark.parametrize(("more", "least", "most"), [("", 15, 25), (" ", 5, 12)])
def test_a_key_hurries_the_tally(more: str, least: float, most: float) -> None:
    game = Game()
    game.play(WON, winning_keys(WON)[0])
    game.see("DOWN 1")
    start = game.console.clock.seconds
    game.console.type(more)
    game.see("YOU MADE")
    assert least < game.console.clock.seconds - start < most


def test_the_dealer_shows_what_he_thinks() -> None:
    """His face while he talks about a drop is that of his mood, and his mouth moves."""
    game = Game()
    keys, _ = winning_keys(7)
    game.play(7, "")
    faces = set()
    at = PATTERNS + 8 * (93 + OFFSET)
    for key in keys:
        game.console.type(key)
        for _ in range(30):
            game.console.wait(20)
            faces.add(bytes(game.console.machine.vdp.ram[at : at + 24]))
    assert len(faces) >= 4


@pytest.mark.parametrize(
    ("seed", "keys", "face"), [(WON, None, "SHOCKED$"), (14, DROP_ALL, "GLAD$")]
)
def test_he_is_shocked_when_the_goal_is_reached_and_glad_when_not(
    seed: int, keys: str | None, face: str
) -> None:
    game = Game()
    game.play(seed, keys or winning_keys(seed)[0])
    game.see("YOU MADE")
    game.console.wait(30)
    at = PATTERNS + 8 * (93 + OFFSET)
    shown = bytes(game.console.machine.vdp.ram[at : at + 24])
    source = (GAME.folder / "prepare.xb").read_text("utf-8")
    drawn = source.split(f"#art {face}\n")[1].split("#end")[0].split()
    bits = ["".join(drawn[row * 3 + part] for row in range(8)) for part in range(3)]
    wanted = b"".join(
        int(part.replace("X", "1").replace(".", "0"), 2).to_bytes(8, "big") for part in bits
    )
    assert shown == wanted
