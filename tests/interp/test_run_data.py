"""READ, DATA and RESTORE: what a READ that fails leaves for the next one."""

import pytest

from tests.interp.programs import printed

HANDLER = "\n900 CALL ERR(C,T,S,L)::PRINT C;L::RETURN NEXT\n"


def reads(data: str, *statements: str) -> list[str]:
    """What statements print that run with errors caught, each for itself."""
    lines = [f"{100 + 10 * n} ON ERROR 900::{text}" for n, text in enumerate(statements)]
    return printed("\n".join([f"90 DATA {data}", *lines, "800 END"]) + HANDLER)


def test_a_quoted_text_is_no_number_and_is_passed_byte_by_byte() -> None:
    wrong = ["READ A"] * 3 + ["READ A$"]
    assert reads('"Q",5', *wrong, "READ A::PRINT A") == [
        *("24  100", "24  110", "24  120", "5"),
    ]


def test_a_string_wants_an_item_to_begin() -> None:
    assert reads('"Q",5', "READ A", "READ A$") == ["24  100", "84  110"]


def test_an_empty_item_is_no_number_and_is_passed() -> None:
    assert reads(",7", "READ A", "READ A::PRINT A") == ["24  100", "7"]


def test_behind_the_end_of_a_line_lies_the_line_before_it() -> None:
    listing = """
100 ON ERROR 900
110 PRINT "[";A$;"]"
120 DATA
130 READ A
140 ON ERROR 900::READ A
150 ON ERROR 900::READ A
160 ON ERROR 900::READ A$
170 PRINT A$
180 END
"""
    assert printed(listing + HANDLER[1:]) == ["[]", "24  130", "24  140", "24  150", "84  160", "["]


def test_a_text_that_is_no_number_leaves_its_comma() -> None:
    assert reads("A,7", "READ A", 'READ A$::PRINT "<";A$', "READ A::PRINT A") == [
        *("84  100", "<", "7"),
    ]


@pytest.mark.parametrize("restore", ["RESTORE", "RESTORE 90"])
def test_restore_leads_out_of_an_item(restore: str) -> None:
    assert reads('"Q"', "READ A", f"{restore}::READ A$::PRINT A$") == ["24  100", "Q"]
