"""The tokenizer against programs typed into the real editor (Extended BASIC v110)."""

import json
from pathlib import Path
from typing import Any

import pytest

from ti99tools.language.listing.tokenize import EntryError, as_typed, tokenize_line, tokenize_marked
from ti99tools.language.program.editor import Editor
from ti99tools.language.program.program import Program
from ti99tools.language.remedies.statements import advised

RECORDED = Path(__file__).parents[1] / "conformance" / "tokens-editor.jsonl"
CASES = [json.loads(line) for line in RECORDED.read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_typed_program(case: dict[str, Any]) -> None:
    """Messages, line memory, MERGE, protected file and listing, byte for byte."""
    editor = Editor()
    messages = []
    for index, text in enumerate(case["typed"]):
        try:
            editor.enter(text)
        except EntryError as error:
            messages.append({"line": index, "message": [f"* {error.problem}"]})
            assert error.xb_code, text
            assert error.place.column is not None
            assert 1 <= error.place.column <= len(text) + 1
    assert messages == case["messages"]
    program = editor.program
    assert program is not None
    assert program.to_program_bytes().hex() == case["program"]
    assert program.with_protection(True).to_program_bytes().hex() == case["protected"]
    assert [record.hex() for record in program.to_merge_records()] == case["merge"]
    assert [record.hex() for record in program.list_records()] == (case["listing_file"]["records"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_recorded_program_survives_every_form(case: dict[str, Any]) -> None:
    """Read, list, type again, save in each form: the same tokens."""
    program = Program.from_bytes(bytes.fromhex(case["program"]))
    assert program.to_program_bytes().hex() == case["program"]
    assert Program.from_listing(program.listing()).lines == program.lines
    assert Program.from_records(program.to_long_records()) == program
    assert Program.from_records(program.to_merge_records()) == program
    protected = Program.from_bytes(bytes.fromhex(case["protected"]))
    assert protected.protected
    assert protected.lines == program.lines


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ('100 PRINT "ABC', "UNMATCHED QUOTES", 11),
        ('100 PRINT "A";"B', "UNMATCHED QUOTES", 15),
        ("100 A=B?C", "UNRECOGNIZED CHARACTER", 8),
        ("100 A=5 ::CALL X$", "UNRECOGNIZED CHARACTER", 17),
        ("100 GOTO 32768", "BAD LINE NUMBER", 10),
        ("100 GOTO " + "9" * 5000, "BAD LINE NUMBER", 10),
        ("32768 PRINT", "BAD LINE NUMBER", 1),
        ("  0 PRINT", "BAD LINE NUMBER", 3),
        ("9" * 5000 + " PRINT", "BAD LINE NUMBER", 1),
        ("100 FOO BAR", "SYNTAX ERROR", 9),
        ('100 A"X"B', "SYNTAX ERROR", 9),
        ("100 A=B 5 C", "SYNTAX ERROR", 11),
        ('100 A=B 5"X".C', "SYNTAX ERROR", 14),
        ("100 DELETE DSK1.IV", "SYNTAX ERROR", 17),
        ("100 CALL 5", "SYNTAX ERROR", 10),
        ("100 PRINT::DATA 5", "SYNTAX ERROR", 12),
        ('100 DATA "A" B', "SYNTAX ERROR", 14),
        ("-5 PRINT", "SYNTAX ERROR", 1),
        ("100 A234567890123456=1", "NAME TOO LONG", 5),
        ("100 B=ABCDEFGHIJKLMNO$", "NAME TOO LONG", 7),
        ("100 A=1EE5", "SYNTAX ERROR", 9),
        ("100 A=1::PRINT LIST", "COMMAND ILLEGAL IN PROGRAM", 16),
        ("100 " + "A=1::" * 40, "LINE TOO LONG", None),
    ],
)
def test_refusal_has_message_and_column(text: str, message: str, column: int | None) -> None:
    with pytest.raises(EntryError) as caught:
        tokenize_line(text)
    assert caught.value.problem == message
    assert caught.value.xb_code
    if column is not None:
        assert caught.value.place.column == column


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("100 FOR D=A T0 14", "did you mean TO, with the letter O?"),
        ('100 A$="""&B$', 'close the text with "; the text of one quote is """"'),
        ('100 A$="B"&"C', 'close the text with "'),
    ],
)
def test_refusal_tells_what_to_do(text: str, remedy: str) -> None:
    with pytest.raises(EntryError) as caught:
        tokenize_line(text)
    assert advised(caught.value).remedy == remedy


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("100 FORI=1TO10", b"FORI\xbe\xc8\x011TO10"),
        ("100 A=1E+5", b"A\xbe\xc8\x041E+5"),
        ("100 A=5EXP(1)", b"A\xbe\xc8\x025EXP\xb7\xc8\x011\xb6"),
        ("  100 print a", b"\x9cA"),
        ("100 REM  x y", b"\x9a  x y"),
        ("100 GO SUB 200,300", b"\x85\xa1\xc9\x00\xc8\xb3\xc9\x01\x2c"),
        ("100 ABCDEFGHIJKLMNO=1", b"ABCDEFGHIJKLMNO\xbe\xc8\x011"),
        ("100 ABCDEFGHIJKLMN$=A$", b"ABCDEFGHIJKLMN$\xbeA$"),
        ('100 A$="\xe9"', b"A$\xbe\xc7\x01\xe9"),
        ("100 A=.", b"A\xbe\xc8\x01."),
        ("100 A=1E5E3", b"A\xbe\xc8\x051E5E3"),
        ("100 A=1E*5", b"A\xbe\xc8\x041E*5"),
        ("100 A=1E!5", b"A\xbe\xc8\x041E!5"),
        ("100 A=1E 5", b"A\xbe\xc8\x021E\xc8\x015"),
        ('100 RUN "X",5', b"\xa9\xc7\x01X\xb3\xc9\x00\x05"),
        ('100 PRINT USING "#":5', b"\x9c\xed\xc7\x01#\xb5\xc8\x015"),
        ("100 GOTO 1.", b"\x86\xc9\x00\x01\xc8\x01."),
        ('100 "X"B 5', b"\xc7\x01XB\xc8\x015"),
        ('100 A 5"X"=B', b"A\xc8\x015\xc7\x01X\xbeB"),
        ("100", b""),
        ("100   ", b""),
    ],
)
def test_tokens(text: str, tokens: bytes) -> None:
    assert tokenize_line(text) == (100, tokens)


def test_a_line_made_elsewhere_may_be_longer() -> None:
    text = "100 " + "A=1::" * 41 + "A=1"
    number, tokens = tokenize_line(text, limit=254)
    assert number == 100
    assert 158 < len(tokens) <= 254
    with pytest.raises(EntryError, match="LINE TOO LONG"):
        tokenize_line(text + "::A=1", limit=254)


def test_keys_past_the_140th_overwrite_the_last() -> None:
    assert as_typed("A" * 139 + "BCD") == "A" * 139 + "D"
    assert as_typed("A" * 140) == "A" * 140


def test_a_name_on_its_own_is_not_taken_as_a_number() -> None:
    with pytest.raises(EntryError, match="line without a number") as caught:
        tokenize_line("PRINT 5")
    assert caught.value.xb_code == 0


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("100 PRINT::DATA 5", b"\x9c\x82\x93\xc8\x015"),
        ("100 CALL", b"\x9d"),
        ("100 SUB", b"\xa1"),
        ('100 PRINT "A', b"\x9c\xc7\x01A"),
        ("100 ABCDEFGHIJKLMNOPQ=1", b"ABCDEFGHIJKLMNOPQ\xbe\xc8\x011"),
        ('100 A"X"B', b"A\xc7\x01XB"),
    ],
)
def test_files_made_elsewhere_hold_lines_the_editor_refuses(text: str, tokens: bytes) -> None:
    with pytest.raises(EntryError):
        tokenize_marked(text)
    assert tokenize_marked(text, strict=False).tokens == tokens
    assert Program.from_listing(text, strict=False).lines[0].tokens == tokens
