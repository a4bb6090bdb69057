"""Certificates: twelve characters that tell a typing error from another match."""

import pytest

from ti99tools.games.models.certificate import LENGTH, LETTERS, Certificate, on_screen

RIGHT = Certificate.of("R", 12345, [3, 12, 205, 4], 812)


def test_what_it_says_is_read_back() -> None:
    assert Certificate.read(str(RIGHT)) == RIGHT
    assert (RIGHT.letter, RIGHT.seed, RIGHT.score) == ("R", 12345 % 1021, 812)
    small = str(RIGHT).lower().replace(" ", "-")
    assert Certificate.read(small) == RIGHT
    assert set(RIGHT.code) <= set(LETTERS)
    assert not set("0O1I") & set(LETTERS)


@pytest.mark.parametrize("place", range(LENGTH))
def test_every_wrong_character_is_a_typing_error(place: int) -> None:
    code = RIGHT.code
    for letter in LETTERS:
        if letter != code[place]:
            with pytest.raises(ValueError, match="mistyped"):
                Certificate.read(code[:place] + letter + code[place + 1 :])


def test_two_characters_in_each_others_place_are_a_typing_error() -> None:
    code = RIGHT.code
    for first in range(LENGTH):
        for second in range(first + 1, LENGTH):
            swapped = list(code)
            swapped[first], swapped[second] = swapped[second], swapped[first]
            if "".join(swapped) != code:
                with pytest.raises(ValueError, match="mistyped"):
                    Certificate.read("".join(swapped))


@pytest.mark.parametrize(
    ("text", "problem"),
    [("R7KQ", "4 characters, not 12"), (f"{RIGHT.code[:-1]}O", "has the character O")],
)
def test_texts_that_are_none(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Certificate.read(text)


def test_another_seed_choice_order_or_score_makes_another_certificate() -> None:
    others = [
        Certificate.of("R", 12346, [3, 12, 205, 4], 812),
        Certificate.of("R", 12345, [3, 13, 205, 4], 812),
        Certificate.of("R", 12345, [12, 3, 205, 4], 812),
        Certificate.of("R", 12345, [3, 12, 205], 812),
        Certificate.of("R", 12345, [3, 12, 205, 4], 813),
        Certificate.of("D", 12345, [3, 12, 205, 4], 812),
    ]
    assert len({RIGHT.code, *(other.code for other in others)}) == 7


def test_a_seed_that_differs_by_a_multiple_still_changes_the_choices() -> None:
    other = Certificate.of("R", 12345 + 1021, [3, 12, 205, 4], 812)
    assert other.seed == RIGHT.seed
    assert other.choices != RIGHT.choices


def test_it_is_found_on_a_screen() -> None:
    rows = ["", f"  GAME 12345 {RIGHT}", "  PLAY AGAIN? Y OR N"]
    assert on_screen(rows) == str(RIGHT)
    assert on_screen(["  GAME 12345 R7KQ B2M4 WZ8H"]) is None
