"""Dice Rack's play log and its high scores, on disks in trouble too."""

import re

import pytest

from tests.shipped import shipped
from tests.xbasic.gamedriver import full_disk, image_of
from tests.xbasic.rackdriver import DROP_ALL, WON, Game, winning_keys
from ti99tools.media.disk.tifile import DiskFile


def test_two_games_give_two_complete_logs_in_one_file() -> None:
    game = Game()
    game.log_on()
    game.play(12, DROP_ALL)
    game.answer(("PLAY AGAIN", "Y"), ("SEED?", "13\n"), ("SHIFT ,", DROP_ALL))
    game.see("PLAY AGAIN")
    lines = game.log()
    first = lines.index("END")
    assert lines[:3] == ["TI99LOG 1 DICERACK 1.1", "SEED 12", "SAY 1 1"]
    assert lines[first + 1 : first + 4] == ["TI99LOG 1 DICERACK 1.1", "SEED 13", "SAY 1 1"]
    assert lines[-1] == "END"
    assert lines.count("END") == 2
    assert all(len(line) <= 80 for line in lines)


def test_a_blank_seed_is_picked_shown_and_logged() -> None:
    game = Game()
    game.log_on()
    game.answer(("5 END", "1"), ("SEED?", "\n"))
    game.see("SHUFFLING")
    match = re.search(r"GAME (\d+):", game.console.screen.text)
    assert match is not None
    assert 1 <= int(match[1]) <= 99991
    game.answer(("SHIFT ,", DROP_ALL))
    game.see("PLAY AGAIN")
    assert game.console.screen.rows[21].split()[:2] == ["GAME", match[1]]
    assert game.log()[1] == f"SEED {match[1]}"


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


@pytest.mark.parametrize("name", ["DSK1.RACKLOG", "DSK2.NONE"])
def test_a_log_that_cannot_be_opened_is_said_once_and_the_game_goes_on(name: str) -> None:
    game = Game(protected=True)
    game.answer(("PLAY LOG: OFF", "4"), ("FILE?", ""))
    game.console.press("ERASE")
    game.console.type(f"{name}\n")
    game.answer(("5 END", "1"), ("SEED?", "1\n"))
    game.see("NO PLAY LOG: DISK ERROR")
    game.answer(("SHIFT ,", DROP_ALL))
    game.see("PLAY AGAIN")
    game.console.type("N")
    game.see("PLAY LOG: OFF")
    assert game.console.error is None


def test_a_disk_that_fills_up_ends_the_log_but_not_the_game() -> None:
    game = Game(full_disk(shipped("dicerack", ()).image, 4))
    game.log_on()
    game.play(3, "")
    message = 0
    for _ in DROP_ALL:
        game.console.type(" ")
        for _ in range(8):
            game.console.wait(30)
            message += "NO PLAY LOG: DISK ERROR" in game.console.screen.text
    assert 0 < message < 8, "it is said once"
    game.see("PLAY AGAIN")
    lines = game.log()
    assert lines[0].startswith("TI99LOG")
    assert "END" not in lines
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
    image = (
        full_disk(shipped("dicerack", ()).image, 0)
        if trouble == "full"
        else shipped("dicerack", ()).image
    )
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
    game = Game.without_disk()
    game.see("5 END")
    win(game, "BOB")
    assert "SCORES NOT KEPT: DISK ERROR" in game.console.screen.text
