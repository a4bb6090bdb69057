"""LIST and the tokenizer as inverses; hypothesis looks for texts and bytes that break them."""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ti99tools.base import tokens as t
from ti99tools.language.listing.listing import list_line, list_lines, list_tokens, scan, wrap
from ti99tools.language.listing.tokenize import EntryError, crunch, tokenize_line

WORDS = [*t.KEYWORDS.values(), "A", "B$", "X1", "5", ".5", "1E5", '"A""B"', "100", " ", "  ", "@_"]


ANY = st.characters(exclude_categories=["Cs"])
"""What UTF-8 can hold; with a codec named, Hypothesis tries every character first, for a second."""


def texts() -> st.SearchStrategy[str]:
    """Lines made of keywords, names, numbers and strings, with and without blanks."""
    return st.lists(st.sampled_from(WORDS), max_size=14).map("".join)


@given(texts() | st.text(st.characters(max_codepoint=255), max_size=60))
@example("!\0")
def test_typing_a_listed_line_again_gives_the_same_tokens(text: str) -> None:
    try:
        number, tokens = tokenize_line("100 " + text, limit=254)
    except EntryError as error:
        assert error.problem
        return
    listed = list_line(number, tokens)
    if tokens:
        assert tokenize_line(listed, limit=254) == (100, tokens), listed
        assert b"".join(tokens[e.start : e.end] for e in scan(tokens)) == tokens


@given(st.binary(max_size=254))
def test_any_bytes_can_be_listed_and_scanned(tokens: bytes) -> None:
    """And what the editor takes of it comes to rest: listing and typing again changes nothing."""
    text = list_tokens(tokens)
    ends = [element.end for element in scan(tokens)]
    assert ends == sorted(ends)
    assert not ends or ends[-1] <= len(tokens)
    with contextlib.suppress(EntryError):
        _, once = tokenize_line("100 " + text, limit=254)
        if once:
            assert tokenize_line("100 " + list_tokens(once), limit=254)[1] == once


@given(st.text(ANY, max_size=80))
def test_the_command_line_takes_or_refuses_any_text(text: str) -> None:
    with contextlib.suppress(EntryError):
        assert isinstance(crunch(text), bytes)


def test_commands() -> None:
    assert crunch("new") == b"\x00"
    assert crunch("LIST 100-200") == b"\x02\xc8\x07100-200"
    assert crunch("SAVE DSK1.X,MERGE") == b"\x07\xc8\x0cDSK1.X,MERGE"
    assert crunch("PRINT 5") == b"\x9c\xc8\x015"
    assert crunch("NEWX=1") == b"NEWX\xbe\xc8\x011"
    assert crunch("") == b""


def test_blanks() -> None:
    """The rule in one line: words are parted, symbols are not, statements have room after."""
    tokens = tokenize_line('1 IF(A)THEN PRINT"X"Y::DISPLAY,B:::GOTO 5!Z')[1]
    assert list_tokens(tokens) == 'IF (A)THEN PRINT "X" Y :: DISPLAY ,B :: :GOTO 5 !Z'


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ('A=B "X"', 'A=B"X"'),
        ('PRINT 5 "X"', 'PRINT 5"X"'),
        ('PRINT "X"A', 'PRINT "X" A'),
        ('PRINT "X"5', 'PRINT "X" 5'),
        ('PRINT(A)"X"', 'PRINT (A)"X"'),
        ("PRINT USING(A$):A", "PRINT USING (A$):A"),
        ("PRINT #1,REC 5,USING(A$):5", "PRINT #1,REC 5,USING (A$):5"),
        ('IF A=B OR"X"=C$ THEN 5', 'IF A=B OR"X"=C$ THEN 5'),
    ],
)
def test_a_string_is_parted_from_what_follows_it_only(typed: str, listed: str) -> None:
    assert list_tokens(tokenize_line(f"1 {typed}")[1]) == listed


@pytest.mark.parametrize(
    ("typed", "listed"),
    [
        ("G#H", "G #H"),
        ("A=B#C", "A=B #C"),
        ("X #1", "X #1"),
        ("PRINT #G:A#1", "PRINT #G:A #1"),
        ("CALL LOCATE(#1,#A)", "CALL LOCATE(#1,#A)"),
        ("CLOSE#A(1)#2", "CLOSE #A(1)#2"),
    ],
)
def test_a_number_sign_is_parted_from_the_word_before_it(typed: str, listed: str) -> None:
    assert list_tokens(tokenize_line(f"1 {typed}")[1]) == listed


def test_strings_side_by_side_stay_two() -> None:
    tokens = b"\x9c\xc7\x01A\xc7\x01B"
    assert list_tokens(tokens) == 'PRINT "A" "B"'
    assert tokenize_line(list_line(1, tokens))[1] == tokens


def test_a_colon_at_the_end_of_a_line_parts_the_next_lines_colon() -> None:
    texts = ("80 :", "90 ::", "95 ::A=1", "100 !:", "110 ::", "120 PRINT :", "130 A=1")
    lines = [tokenize_line(text) for text in texts]
    assert list(list_lines(lines)) == [
        "80 :",
        "90  ::",
        "95 :: A=1",
        "100 !:",
        "110 ::",
        "120 PRINT :",
        "130 A=1",
    ]
    assert list(list_lines(lines[1:2])) == ["90 ::"]


def test_wrapping() -> None:
    assert wrap("A" * 160) == ["A" * 80, "A" * 80]
    assert wrap("A" * 161) == ["A" * 80, "A" * 80, "A"]
    assert wrap("") == [""]
    assert wrap("ABCDE", 2) == ["AB", "CD", "E"]


def test_colons_side_by_side_are_parted() -> None:
    """Together they would read back as the statement separator."""
    for text in ('PRINT : : :"A"', "PRINT : : ::X=1", 'PRINT #1:"A": : ::Y=1'):
        tokens = tokenize_line(f"1 {text}")[1]
        assert tokenize_line(list_line(1, tokens))[1] == tokens
    assert list_tokens(tokenize_line("1 PRINT : : ::X=1")[1]) == "PRINT : : :: X=1"
