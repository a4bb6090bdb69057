"""Names that are spelled alike."""

from pathlib import Path

from ti99tools.base.errors import Place, near, near_file


def test_the_most_like_name_is_found_in_capitals_or_not() -> None:
    assert near("simondc", ["LOAD", "SIMON", "SIMONDOC"]) == "SIMONDOC"
    assert near("XYZ", ["LOAD", "SIMON"]) == ""
    assert near("X", []) == ""


def test_a_file_must_be_much_like_the_missing_one(tmp_path: Path) -> None:
    for name in ("game.xb", "in.xb"):
        (tmp_path / name).touch()
    (tmp_path / "games.xb").mkdir()
    assert near_file(tmp_path / "gmae.xb") == str(tmp_path / "game.xb")
    assert near_file(tmp_path / "nothing.xb") == ""
    assert near_file(tmp_path / "none" / "game.xb") == ""


def test_a_place_without_a_file_is_in_words() -> None:
    assert str(Place(None, 3, 5)) == "line 3, column 5"
    assert str(Place(None, 3)) == "line 3"
    assert str(Place()) == ""
    assert str(Place("a.xb", 3, 5)) == "a.xb:3:5"
