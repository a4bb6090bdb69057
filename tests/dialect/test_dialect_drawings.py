"""Drawings over characters that a text page shows are refused, wherever the two stand."""

import re
from pathlib import Path

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate, generate_file

DOT = "X.......\n" * 8
SMALL_A = f"#art 97\n{DOT}#end\n"
PAGE = "#text rules\nA cat\n#end\n"


@pytest.mark.parametrize("source", [SMALL_A + PAGE, PAGE + SMALL_A])
def test_a_page_with_a_drawn_letter_is_refused(source: str) -> None:
    with pytest.raises(SourceError, match="the text RULES has a, which #art 97 draws over"):
        generate(source)


def test_every_character_of_a_drawing_counts() -> None:
    row = " ".join(["X......."] * 4)
    drawing = "#art 96\n" + f"{row}\n" * 8 + "#end\n"
    with pytest.raises(
        SourceError, match="has a, c, which #art 96 draws over; write it in capitals"
    ):
        generate(drawing + PAGE)


@pytest.mark.parametrize(
    "source",
    [
        SMALL_A + "#text rules\nNO SMALL LETTERS\n#end",
        SMALL_A + "#text rules DRAWN\nA cat\n#end",
        SMALL_A + "#text rules ROWS = 5 DRAWN\nA cat\n#end",
        SMALL_A.replace("97", "128") + PAGE,
        SMALL_A.replace("97", "32") + PAGE,
        SMALL_A.replace("97", "CAT$") + PAGE,
    ],
    ids=["others", "meant", "meant, with rows", "free code", "blank", "named"],
)
def test_what_does_no_harm_is_taken(source: str) -> None:
    assert "DATA" in generate(source).text


def test_included_files_count(tmp_path: Path) -> None:
    (tmp_path / "art.xb").write_text(SMALL_A)
    (tmp_path / "rules.txt").write_text("A cat\n")
    main = tmp_path / "main.xb"
    main.write_text('#include "art.xb"\n#text rules "rules.txt"\nEND\n')
    with pytest.raises(SourceError) as caught:
        generate_file(main)
    assert caught.value.place.line == 2
    assert "RULES" in caught.value.problem


def test_all_texts_are_told() -> None:
    with pytest.raises(SourceError) as caught:
        generate(SMALL_A + PAGE + PAGE.replace("rules", "more"))
    assert len((caught.value, *caught.value.others)) == 2


BLOCK = "XXXXXXXX\n" * 8


def test_a_drawing_over_two_sets_colors_both() -> None:
    source = f"CONST BALL=135, RED=9\n#art BALL COLOR RED,16\n{BLOCK}{BLOCK}#end\n"
    assert generate(source).text.endswith("CALL COLOR(13,9,16,14,9,16)\n")


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("128 COLOR", "COLOR requires two colors"),
        ("128 COLOR 2", "COLOR requires two colors"),
        ("128 COLOR 2,3,4", "COLOR requires two colors"),
        ("A$ COLOR 2,3", "#art A$ takes no COLOR; write CALL COLOR"),
        ("128 SPRITE COLOR 2,3", "#art 128 SPRITE takes no COLOR; CALL SPRITE colors a sprite"),
    ],
)
def test_colors_of_a_drawing_that_are_refused(head: str, message: str) -> None:
    wide = "XXXXXXXXXXXXXXXX\n" * 16
    with pytest.raises(SourceError, match=re.escape(message)):
        generate(f"#art {head}\n{wide}#end\n")


def test_drawings_of_one_set_agree_on_their_colors() -> None:
    one, two = f"#art 128 COLOR 2,16\n{BLOCK}#end\n", f"#art 135 COLOR 2,16\n{BLOCK}#end\n"
    assert generate(one + two).text.count("CALL COLOR(13,2,16)") == 2
    with pytest.raises(SourceError, match="eight codes have one color"):
        generate(one + two.replace("16", "15"))
