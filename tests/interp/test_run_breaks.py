"""BREAK and UNBREAK with lines."""

from tests.interp.programs import printed


def test_lines_that_are_not_there_are_warned_of() -> None:
    for word in ("BREAK", "UNBREAK"):
        rows = printed(f'100 {word} 500\n110 PRINT "ON"\n')
        assert rows == ["* WARNING", "LINE NOT FOUND IN 100", "ON"]


def test_a_list_that_ends_in_a_comma_is_wrong() -> None:
    assert printed("100 BREAK 110,\n110 END\n", "error") == ["* SYNTAX ERROR IN 100"]
