"""D5000's program on the console: its scoring routine, its log in trouble, its screens.

Whole matches are compared with the rules by `ti99tools verify`; here is what that does not reach.
"""

import re
from collections import Counter
from itertools import product

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import DrivenGame
from ti99tools import Console, DiskImage, Program
from ti99tools.games.making.finding import find_game
from ti99tools.games.models.playlog import read_all
from ti99tools.games.verify.judging import judge
from ti99tools.hardware.machine.ports import Port
from ti99tools.language.dialect import generate
from ti99tools.media.disk.tifile import DiskFile
from xbasic.d5000.model import D5000

GAME = find_game("d5000")
POINTER = ord(">")
"""The character at the scorepad's left edge, in the row of the round."""

EVERY_ROLL = """
OPEN #1:"DSK1.OUT",OUTPUT,VARIABLE 254
FOR A=1 TO 6 :: D(1)=A
FOR B=0 TO 6 :: D(2)=B
FOR C=0 TO 6*SGN(B) :: D(3)=C
FOR E=0 TO 6*SGN(C) :: D(4)=E
FOR G=0 TO 6*SGN(E) :: D(5)=G
  NR=1+SGN(B)+SGN(C)+SGN(E)+SGN(G)
  K(1),K(2),K(3),K(4),K(5)=0
  GOSUB count
  GOSUB setaside
  PRINT #1:CHR$(PR/50)&STR$(K(1)+3*K(2)+9*K(3)+27*K(4)+81*K(5)+243*F+729*NS)
NEXT G
NEXT E
NEXT C
NEXT B
NEXT A
CLOSE #1
END
#include "score.xb"
"""


def expected(dice: tuple[int, ...]) -> tuple[int, tuple[int, ...], int]:
    """Points, use of each die, and kind, straight from the rules."""
    count = Counter(dice)
    if len(dice) == 5 and max(count.values()) == 5:
        return 0, (2,) * 5, 2
    if len(dice) == 5 and sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]):
        return 1500, (2,) * 5, 1
    triple = next((value for value, n in count.items() if n >= 3), 0)
    points = {0: 0, 1: 1000}.get(triple, 100 * triple)
    left = 3 if triple else 0
    use = []
    for value in dice:
        if value == triple and left:
            left -= 1
            use.append(2)
        else:
            use.append(int(value in (1, 5)))
            points += {1: 100, 5: 50}.get(value, 0)
    return points, tuple(use), 0


def test_every_roll_of_one_to_five_dice_scores_as_the_rules_say() -> None:
    console = Console(disks={"DSK1": DiskImage.new("DSSD")}, max_seconds=1e6)
    console.load(Program.from_listing(generate(EVERY_ROLL, root=GAME.folder).text))
    assert console.run() == "ready", console.error
    image = console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    records = iter(image.read("OUT").records)
    busts: Counter[int] = Counter()
    sums: Counter[int] = Counter()
    kinds: Counter[int] = Counter()
    for dice in every_roll():
        record = next(records)
        code = int(record[1:])
        use = tuple(code // 3**i % 3 for i in range(5))
        kind, scoring = code // 243 % 3, code // 729
        points = record[0] * 50
        wanted, used, which = expected(dice)
        assert (points, use[: len(dice)], kind) == (wanted, tuple(map(bool, used)), which), dice
        assert scoring == sum(map(bool, use))
        assert not any(use[len(dice) :])
        busts[len(dice)] += points == 0 and kind == 0
        sums[len(dice)] += points
        kinds[kind] += 1
    assert next(records, None) is None
    assert busts == {1: 4, 2: 16, 3: 60, 4: 204, 5: 600}
    assert sums == {1: 150, 2: 1800, 3: 18750, 4: 183150, 5: 2008500}
    assert (kinds[2], kinds[1]) == (6, 240)


def every_roll() -> list[tuple[int, ...]]:
    """All rolls of one to five dice in the order in which the program's loops make them."""
    return sorted(roll for n in range(1, 6) for roll in product(range(1, 7), repeat=n))


class Game(DrivenGame):
    """The game on a console, driven by what it shows."""

    NAME = "d5000"
    LOG = "D5000LOG"
    PASSES = ()
    READY = "5 END"

    def match(self, kinds: str, seed: str) -> None:
        self.answer(("5 END", "1"), ("HOW MANY PLAYERS", str(len(kinds))))
        for number, kind in enumerate(kinds, 1):
            self.answer((f"player {number}", kind), ("NAME?", "\n"))
            self.console.wait(60)
        self.answer(("SEED?", f"{seed}\n"))


def test_two_matches_give_two_complete_logs_in_one_file() -> None:
    game = Game()
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"), ("PLAY LOG: ON", ""))
    game.match("II", "12")
    game.answer(("PLAY AGAIN", "Y"), ("SEED?", "13\n"), ("PLAY AGAIN", "N"))
    game.see("5 END")
    lines = game.log()
    first = lines.index("END")
    assert lines[:5] == [
        "TI99LOG 1 D5000 1.1",
        "SEED 12",
        "PLAYERS 2",
        "PLAYER 1 I IDA",
        "PLAYER 2 I IDA2",
    ]
    assert lines[first + 1 : first + 3] == ["TI99LOG 1 D5000 1.1", "SEED 13"]
    assert lines[-1] == "END"
    assert lines.count("END") == 2
    assert all(len(line) <= 80 for line in lines)


def test_blanks_that_the_right_arrow_leaves_are_in_no_name_and_no_seed() -> None:
    game = Game()
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"), ("PLAY LOG: ON", "1"))
    game.answer(("HOW MANY", "1"), ("player 1", "I"), ("NAME?", "A"))
    for _ in range(2):
        game.console.press("RIGHT")
    game.console.type("B\n")
    game.answer(("SEED?", "1"))
    game.console.press("RIGHT")
    game.console.type("4\n")
    game.see("PLAY AGAIN")
    assert game.console.error is None
    assert game.log()[1:4] == ["SEED 14", "PLAYERS 1", "PLAYER 1 I AB"]


def test_a_blank_seed_is_picked_shown_and_logged() -> None:
    game = Game()
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"))
    game.match("I", "")
    game.see("seed ")
    shown = next(row for row in game.console.screen.rows if "seed " in row).split()[1]
    game.see("PLAY AGAIN")
    assert 1 <= int(shown) <= 99991
    assert game.log()[1] == f"SEED {shown}"


@pytest.mark.parametrize("name", ["DSK1.D5000LOG", "DSK2.NONE"])
def test_a_log_that_cannot_be_opened_is_said_once_and_the_match_goes_on(name: str) -> None:
    game = Game(protected=True)
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", ""))
    game.console.press("ERASE")
    game.console.type(f"{name}\n")
    game.match("I", "1")
    game.see("NO PLAY LOG: DISK ERROR")
    game.see("PLAY AGAIN")
    game.console.type("N")
    game.see("PLAY LOG: OFF")
    assert game.console.error is None


def test_back_leaves_a_match_when_y_says_so() -> None:
    game = Game()
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"))
    game.match("HI", "12")
    game.answer(("PRESS ENTER TO ROLL", "\n"), ("1-5 pick", ""))
    for answer in ("N", "X1N", "BACK"):
        before = game.console.screen.rows
        game.console.press("BACK")
        game.see("LEAVE THE MATCH? Y OR N")
        game.console.press(answer) if answer == "BACK" else game.console.type(answer)
        game.console.wait(120)
        assert game.console.screen.rows == before
    game.console.press("CLEAR")
    game.console.press("BACK")
    game.answer(("LEAVE THE MATCH?", "Y"), ("5 END", ""))
    lines = game.log()
    assert lines[-3:] == ["REFUSED 2", "LEFT", "END"]
    assert lines.count("END") == 1
    game.match("II", "12")
    game.see("'S TURN")
    for _ in range(9):
        game.console.tap("BACK", hold=8, gap=90)  # in a pause, where nobody is asked
        if game.console.screen.shows("LEAVE THE MATCH?"):
            break
    game.answer(("LEAVE THE MATCH?", "Y"), ("5 END", "5"))
    game.see("* READY *")
    assert game.console.error is None
    logs = read_all([line.encode() for line in game.log()])
    assert [judge(log, D5000) for log in logs] == [None, None]
    assert all(log.complete and str(log.events[-1]) == "LEFT" for log in logs)


def test_a_key_hurries_the_computers() -> None:
    seconds = []
    for key in ("", " "):
        game = Game()
        game.match("III", "5")
        game.see("BANKS")
        begin = game.console.clock.seconds
        if key:
            game.console.tap(key, hold=60)
        game.see("PLAY AGAIN")
        seconds.append(game.console.clock.seconds - begin)
    assert seconds[1] < seconds[0] - 10


def test_a_disk_that_fills_up_ends_the_log_but_not_the_match() -> None:
    image = shipped("d5000", ()).image
    image.add(DiskFile.program("FILLER", bytes(256 * (image.free_sectors - 4))))
    game = Game(image)
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"))
    game.match("III", "3")
    game.see("NO PLAY LOG: DISK ERROR")
    game.see("PLAY AGAIN")
    assert game.console.error is None


def test_a_log_that_goes_to_a_printer_has_the_same_lines() -> None:
    port, printed = Port(), Game()
    printed.console = Console(
        disks={"DSK1": shipped("d5000", ()).image},
        max_seconds=Game.SECONDS,
        connected={"PIO": port},
    )
    printed.console.boot()
    kept = Game()
    for game, name in ((printed, "PIO"), (kept, "DSK1.D5000LOG")):
        game.answer(("PLAY LOG: OFF", "4"), ("FILE?", ""))
        game.console.press("ERASE")
        game.console.type(f"{name}\n")
        game.match("HIT", "9")
        game.console.wait(300)
        for _ in range(60):
            game.console.type("\n1S")
            game.console.wait(300)
            if "PLAY AGAIN" in game.console.screen.text:
                break
        game.see("PLAY AGAIN")
    lines = port.output.decode().split("\r\n")
    assert lines == [*kept.log(), ""]
    assert {line.split()[0] for line in lines[:-1]} >= {"TURN", "AGAIN", "PICK", "BANK", "BUST"}


def test_a_file_that_the_controller_has_closed_ends_the_log_but_not_the_match() -> None:
    game = Game()
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", "\n"))
    game.match("III", "3")
    game.see("BANKS")
    drives = game.console.machine.drives
    drives.opened("DSK1.D5000LOG").close()
    game.see("NO PLAY LOG: DISK ERROR")
    game.see("PLAY AGAIN")
    assert game.console.error is None


def test_another_name_for_the_log() -> None:
    game = Game()
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", ""))
    game.console.press("ERASE")
    game.answer(("FILE?", "DSK1.MINE\n"), ("DSK1.MINE", ""))
    game.match("I", "1")
    game.see("PLAY AGAIN")
    assert game.log("MINE")[-1] == "END"


def play_alone(game: Game) -> int:
    """One human who stops at 500 or, on the board, at 350; the winning total."""
    game.match("H", "42")
    rows = game.console.screen.rows
    while not any("PLAY AGAIN" in row for row in rows):
        if "PRESS ENTER" in rows[21]:
            game.console.type("\n")
        elif rows[23].strip().startswith("1-5 pick"):
            enough = 350 if total(rows) else 500
            game.console.type("S" if int(rows[11].split()[-1]) >= enough else "\n")
        game.console.wait(30)
        rows = game.console.screen.rows
    return total(rows)


def total(rows: list[str]) -> int:
    """The only player's total on the scorepad."""
    return int(re.findall(r"\d+", rows[9])[0])


def test_a_high_score_is_kept_on_the_disk() -> None:
    game = Game()
    points = play_alone(game)
    assert f"1 P1           {points}" in game.console.screen.text
    assert game.log("D5000HIGH")[0].startswith(f"P1,{points},")
    image = game.console.machine.drives.images()["DSK1"]
    assert isinstance(image, DiskImage)
    again = Game(image)
    play_alone(again)
    entries = [line.split(",") for line in again.log("D5000HIGH")]
    assert [entry[:2] for entry in entries[:3]] == [["P1", str(points)]] * 2 + [["", "0"]]
    assert [entry[:2] for entry in entries[5:]] == [["P1", str(points)]] * 2
    again.console.type("N")
    again.answer(("1 PLAY", "3"), ("high scores", ""), ("ANY KEY", " "), ("1 PLAY", ""))


@pytest.mark.parametrize("content", [b"NONSENSE", b"A,B,C", b"", b"ANNA,6000,9"])
def test_a_damaged_file_of_high_scores_does_no_harm(content: bytes) -> None:
    image = shipped("d5000", ()).image
    image.add(DiskFile.display_var("D5000HIGH", [content]))
    game = Game(image)
    play_alone(game)
    assert len(game.log("D5000HIGH")) == 7


@pytest.mark.parametrize(
    "trouble", ["no disk", "empty drives", "full disk", "nearly full disk", "protected disk"]
)
def test_without_a_disk_to_write_the_game_runs_and_remembers(trouble: str) -> None:
    image = shipped("d5000", ()).image
    if "full" in trouble:
        left = 1 if trouble == "nearly full disk" else 0
        image.add(DiskFile.program("FILLER", bytes(256 * (image.free_sectors - 1 - left))))
    game = Game(image, protected=trouble == "protected disk")
    if trouble in ("no disk", "empty drives"):
        disks = {"DSK2": image} if trouble == "no disk" else {}
        game.console = Console(disks=disks)
        game.console.load(shipped("d5000", ()).program)
        game.console.start()
    points = play_alone(game)
    assert f"1 P1           {points}" in game.console.screen.text
    assert "SCORES NOT KEPT: DISK ERROR" in game.console.screen.text
    game.console.type("N")
    game.answer(("1 PLAY", "3"), ("high scores", ""), (f"P1           {points}", " "))
    game.answer(("5 END", "5"))
    game.see("* READY *")
    assert game.console.error is None
    assert trouble == "nearly full disk" or "D5000HIGH" not in image


def test_instructions_have_pages_and_lead_back() -> None:
    game = Game()
    game.answer(("5 END", "3"), ("NOBODY YET", " "), ("5 END", "2"))
    for title in ("HOW TO PLAY", "YOUR TURN", "ON THE BOARD"):
        game.see(title)
        game.console.type(" ")
    game.see("1 PLAY")
    game.console.type("5")
    game.see("* READY *")


def test_the_row_after_the_pointer_is_empty_once_the_rows_are_full() -> None:
    game = Game()
    game.match("II", "134")
    console = game.console
    full, seen = False, set()
    while not console.run_until(text="PLAY AGAIN", seconds=0.5):
        pad = [re.findall(r"\d+", row) for row in console.screen.rows[2:8]]
        pointed = [n for n in range(6) if console.screen.get(n + 2, 4) == POINTER]
        full = full or pointed == [5]
        if full and "'S TURN" in console.screen.text:
            now = pointed[0]
            assert not pad[(now + 1) % 6], console.screen.text
            assert all(len(pad[(now + n) % 6]) == 2 for n in range(2, 6)), console.screen.text
            seen.add(now)
    assert seen == set(range(6))


def test_stop_is_offered_when_it_is_allowed() -> None:
    game = Game()
    game.match("H", "42")
    offers = set()
    for _ in range(40):
        rows = game.console.screen.rows
        if "PRESS ENTER" in rows[21]:
            game.console.type("\n")
        elif "ROLL AGAIN" in rows[20] or "ALL YOUR DICE" in rows[20]:
            allowed = "500 GET" not in rows[21]
            assert allowed or int(rows[11].split()[-1]) < 500
            assert ("s stop" in rows[23]) == allowed
            assert ("OR STOP" in rows[20]) == (allowed and "ROLL AGAIN" in rows[20])
            offers.add(allowed)
            game.console.type("S" if allowed else "\n")
        game.console.wait(120)
    assert offers == {True, False}


def test_the_scorepad_holds_six_players_and_large_numbers() -> None:
    game = Game()
    game.match("IIIIII", "7")
    game.see("PLAY AGAIN")
    rows = game.console.screen.rows
    assert re.findall("[a-z]+", rows[0]) == ["ida"] * 6
    totals = [int(word) for word in re.findall(r"\d+", rows[9])]
    assert len(totals) == 6
    variables = game.console.variables
    assert totals == [int(str(variables[f"TT({i})"])) for i in range(1, 7)]
    assert max(totals) > 5000


def test_comments_are_at_least_twenty_and_fit_their_row() -> None:
    text = (GAME.folder / "comments.xb").read_text(encoding="utf-8")
    rows = [row for row in text.splitlines() if row.startswith("DATA")]
    comments = [item for row in rows for item in row.split('"')[1::2]]
    assert len(comments) == 24 == len(set(comments))
    assert all(len(comment) <= 28 for comment in comments)


def test_any_key_is_answered_within_a_second() -> None:
    """Machine time from the key to the sound or picture that answers it."""
    game = Game()
    game.match("HH", "42")
    game.see("PRESS ENTER TO ROLL")
    game.console.wait(60)
    console = game.console
    for key in ("X", "ENTER", "1", "1", "2", "S", "ENTER"):
        before = len(console.sound.written)
        console.machine.keyboard.press(key)
        start = console.clock.cycles
        while len(console.sound.written) == before:
            console.wait(1)
            assert console.clock.cycles - start < 3_000_000, key
        console.wait(400)
