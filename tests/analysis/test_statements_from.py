"""The statements from any place of a line: those of the whole line, unless the machine differs."""

import pytest

from ti99tools.language.analysis.analysis import statements_from
from ti99tools.language.listing.tokenize import tokenize_line
from ti99tools.language.syntax import parse_from, parse_line

LINES = (
    "A=1::IF B THEN PRINT C::D=2 ELSE IF E THEN 20 ELSE F=3::GOTO 40",
    "IF A THEN 20::PRINT B",
    "IF A THEN ELSE PRINT B",
    "::::PRINT A::X=1",
    "A=1::::PRINT B::!REMARK",
    "PRINT A::NEXT::B=2",
    "DATA 1,2::3",
)


@pytest.mark.parametrize("line", LINES)
def test_what_is_read_from_each_place_is_what_the_parser_finds_there(line: str) -> None:
    tokens = tokenize_line(f"10 {line}")[1]
    for at in range(len(tokens) + 1):
        assert statements_from(tokens, at) == parse_from(tokens, at)
        assert statements_from(tokens, at, 20) == parse_from(tokens, at, 20)


def test_the_rest_of_a_line_is_not_parsed_again() -> None:
    tokens = tokenize_line("10 A=1::IF B THEN C=2::D=3")[1]
    branch = parse_line(tokens)[1]
    parse_line.cache_clear()
    first = parse_line(tokens)
    assert statements_from(tokens, branch.at)[0] is first[1]
