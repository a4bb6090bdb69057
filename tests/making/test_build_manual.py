"""Manuals: Markdown becomes plain text that a TI can show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.errors import BuildError
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.games.making.manual import WIDTH, plain_text

WORDS = " ".join(["word"] * 30)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("# A title\ntext", "A TITLE\n\ntext\n"),
        ("one\ntwo\n\n\nthree", "one two\n\nthree\n"),
        ("**bold**, *slanted*, `code`, [link](x.html)", "bold, slanted, code, link\n"),
        ("a_b_c and 2 * 3 * 4", "a_b_c and 2 * 3 * 4\n"),
        ("`*` and `a*b*c`", '"*" and a*b*c\n'),
        ("100 × n – “so”…", '100 x n - "so"...\n'),
        ("- one\n- two\n  goes on\n1. three", "- one\n- two goes on\n1. three\n"),
        ("```\nPRINT  1\n```\nend", "  PRINT  1\n\nend\n"),
        ("| a | b |\n|---|--:|\n| long | 5 |\n| | |", "a     b\nlong  5\n"),
        ("text\n| a | b |\nmore", "text\n\na  b\n\nmore\n"),
        ("", ""),
    ],
)
def test_markdown_becomes_text(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


def test_long_lines_are_wrapped() -> None:
    for markdown in (WORDS, f"- {WORDS}", f"| key | {WORDS} |", f"| {WORDS} | {WORDS} |"):
        lines = plain_text(markdown).splitlines()
        assert len(lines) > 1
        assert all(len(line) <= WIDTH for line in lines)
    assert plain_text(f"- {WORDS}").splitlines()[1].startswith("  word")
    assert plain_text(f"| key | {WORDS} |").splitlines()[1].startswith("     word")


def test_a_character_that_the_ti_lacks_is_named() -> None:
    with pytest.raises(BuildError, match=r"m.md:2:3: the TI has no character 'é'"):
        plain_text("one\nabé", "m.md")


@given(st.text(st.characters(max_codepoint=127), max_size=300))
def test_any_text_gives_short_lines(markdown: str) -> None:
    assert all(len(line) <= WIDTH for line in plain_text(markdown).split("\n"))


@pytest.mark.parametrize("game", game_names())
def test_the_manuals_fit(game: str) -> None:
    path = find_game(game).manual_path
    lines = plain_text(path.read_text(encoding="utf-8"), str(path)).splitlines()
    assert len(lines) > 20
    assert all(len(line) <= WIDTH for line in lines)
