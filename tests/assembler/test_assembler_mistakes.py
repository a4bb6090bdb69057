"""Mistakes in sources are told with file, line and column, and with what to do."""

from pathlib import Path

import pytest

from ti99tools.base.errors import SourceError, TIError
from ti99tools.hardware.assembler.assembling import assemble, assemble_file

MISTAKES = [
    (" MOVE R1,R2", "1:2: unknown operation MOVE; did you mean MOV?"),
    (" QQQQQ", "1:2: unknown operation QQQQQ; use an instruction"),
    (" MOV R1", "1:8: an operand is missing; write a comma"),
    (" MOV R1, R2", "1:9: an operand is missing; write it without spaces"),
    (" mov r11 , r9", "1:9: an operand is missing; write it without spaces"),
    (" MOV R1 COPY", "1:8: an operand is missing; write a comma"),
    (" MOV R16,R2", "1:6: R16 is not defined"),
    (" MOV 16,R2", "1:6: 16 is no register; use R0 to R15; the memory at 16 is @16"),
    (" MOV R1,R2,R3", "1:11: ,R3 is not expected here"),
    (" MOV @NOPE,R1", "1:7: NOPE is not defined; add the label, or NOPE EQU value"),
    (" MOV @1(R0),R1", "1:9: R0 cannot be an index"),
    (" MOV @1(R1,R1", "1:11: a ) is missing"),
    (" DATA", "1:6: an operand is missing"),
    (" DATA 1,", "1:9: an operand is missing"),
    (" DATA ?", "1:7: ? is neither number nor symbol"),
    (" DATA 70000", "1:7: 70000 does not fit into 16 bits"),
    (" DATA 1/0", "1:7: a division by 0"),
    (" DATA $+$", "1:7: the expression cannot be relocated"),
    (" DATA 2*$", "1:7: an address is multiplied or divided"),
    (" DATA -$", "1:8: an address cannot be negative"),
    (" DATA 1-A\nA NOP", "1:7: an address cannot be negative"),
    (" DATA 'ABC'", "1:7: a character constant of another length"),
    (" DATA 'A", "1:7: a quote is missing"),
    (' TEXT "A"', "1:7: TEXT without a text; write TEXT 'HELLO'"),
    (' LI R1,"A"', "1:8: double quotes; put texts into single quotes"),
    (" BYTE 256", "1:7: 256 does not fit into a byte"),
    (" BYTE $", "1:7: the byte depends on where the code will be"),
    (" SLA R1,16", "1:9: the count is 16; use 0 to 15"),
    (" SBO 300", "1:6: the bit is 300"),
    (" JEQ $+300", "1:6: a jump of 149 words; use B @LABEL"),
    (" JEQ >3000", "1:6: a jump into another segment; use JNE and B @LABEL"),
    ("A NOP\nA NOP", "2:1: A is defined twice; the other is in source:1; rename one"),
    ("R1 NOP\n INC R1", "2:6: R1 is no register; it is a label of this source"),
    ("1A NOP", "1:1: 1A is no label"),
    (" EQU 5", "1:1: EQU without a label"),
    ("A EQU B\nB EQU 1", "1:7: the value is not known yet; define its symbols above"),
    (" BSS X\nX EQU 1", "1:6: the size is not known yet"),
    (" BSS -1", "1:6: a size of -1"),
    (" AORG >FFFE\n DATA 1,2", "2:7: the code goes beyond the end of memory"),
    (" AORG $", "1:7: the address depends on where the code will be"),
    (" DEF TOOLONG\nTOOLONG NOP", "1:6: TOOLONG is too long for object code"),
    ("A NOP\n REF A", "2:6: A is defined here"),
    (" REF A\n DEF A", "2:6: A is a REF"),
    (" REF A\n DATA 1+A", "2:7: A is a REF: it cannot be part of an expression; write A alone"),
    (" REF Q\n DATA Q+2", "2:7: Q is a REF"),
    (" REF Q\n LI R1,Q-2", "2:8: Q is a REF"),
    (" REF Q\n MOV @Q+2,R0", "2:7: Q is a REF"),
    (" DATA Q+2\n REF Q", "1:7: Q is a REF"),
    (" REF Q\nA NOP\n DATA A-Q", "3:7: Q is a REF"),
    (" DEF A, B", "1:8: a name is missing; write it without spaces"),
    ("#AB NOP", "1:1: #AB is no label"),
    ("A@B NOP", "1:1: A@B is no label"),
    ("A&B NOP", "1:1: A&B is no label"),
    ("A%B NOP", "1:1: A%B is no label"),
    ("A:B NOP", "1:1: A:B is no label"),
    ("$ NOP", "1:1: $ is no label"),
    (" LI R0,1$", "1:8: 1$ is neither number nor symbol"),
    (" IDT 'MUCHTOOLONG'", "1:6: IDT without a name"),
    (" DXOP SYS,16", "1:7: an extended operation 16"),
    (" COPY X", "1:7: COPY without a file name"),
    (' COPY "X"', "1:7: COPY without a folder"),
    (" REF A\nA EQU 1", "2:1: A is a REF; remove that, or rename the label"),
    (" DATA 1,", "1:9: an operand is missing; write it here"),
    ("MOV R1,R2", "1:1: MOV in column 1 is a label; put a space before it"),
    ("JMP LOOP", "1:1: JMP in column 1 is a label"),
    ("B @X", "1:1: B in column 1 is a label"),
    ("A FOO", "1:3: unknown operation FOO"),
    ("! NOP", "1:1: ! is no label; local labels of other assemblers are not known: give each"),
    (" JMP -!", "1:7: ! is neither number nor symbol; local labels"),
    (" .ifdef X", "1:2: unknown operation .IFDEF; write what its lines give: there are no macros"),
    (" BCOPY 'X'", "1:2: unknown operation BCOPY; write the bytes of the file with BYTE"),
    (" STRI 'X'", "1:2: unknown operation STRI; write BYTE and the length, then TEXT"),
    (" NOP  a \f b\u2028 and \x85 c\r\n BAD", "2:2: unknown operation BAD"),
    ("\f\n\xa0BAD", "2:2: unknown operation BAD"),
]


@pytest.mark.parametrize(("source", "message"), MISTAKES)
def test_a_mistake(source: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        assemble(source + "\n")
    assert str(caught.value).startswith(f"source:{message}")
    assert caught.value.remedy


NOTES = [
    ("A EQU 1,2,3\n DATA A", "1:8: ,2,3 is ignored; remove it", {0: 1}),
    (" BSS 2,4\n DATA 1", "1:7: ,4 is ignored", {2: 1}),
    (" BES 4,6\n DATA 1", "1:7: ,6 is ignored", {4: 1}),
    (" DEF SFIRST\n NOP", "1:6: SFIRST is not defined, and left out of the object", {0: 0x1000}),
    (" LWPI >A001", "1:7: a workspace at an odd address begins at the byte before it; put EVEN",
     {0: 0x02E0, 2: 0xA001}),
    ("X BYTE 1\nWS BSS 32\n LWPI WS", "3:7: a workspace at an odd address",
     {0: 0x0100, 0x22: 0x02E0, 0x24: 1}),
    ("RT", "1:1: RT in column 1 is a label; put a space before it", {}),
    (" JMP $+1", "1:6: a jump to an odd address goes to the byte before it", {0: 0x10FF}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "message", "words"), NOTES)
def test_what_ti_takes_is_taken_with_a_note(
    source: str, message: str, words: dict[int, int]
) -> None:
    code = assemble(source + "\n")
    (note,) = code.notes
    assert note.startswith(f"source:{message}")
    assert code.memory() == words
    assert not code.definitions


def test_a_ref_in_an_image_is_told_with_its_place() -> None:
    with pytest.raises(SourceError, match=r"source:3:7: A is in other code; write A EQU"):
        assemble(" REF A\n NOP\n DATA 1,A\n").image()


def test_code_ends_where_memory_ends() -> None:
    code = assemble(" BSS >FFC\n DATA 1,2\n")
    assert code.image(0xF000).address == 0xFFFC
    with pytest.raises(TIError, match="beyond the end of memory from >F002 on; use a lower base"):
        code.image(0xF002)


def test_a_source_as_it_should_be_has_no_notes() -> None:
    assert assemble(" DEF A\nA JMP A\nB EQU 1 with a comment, and more\n END A\n").notes == ()


def places(source: str) -> list[str]:
    with pytest.raises(SourceError) as caught:
        assemble(source)
    return [str(error).split()[0] for error in (caught.value, *caught.value.others)]


def test_all_mistakes_are_told_once_and_in_order() -> None:
    assert places(" MOV R1\n NOP\n LI R1,X\n BYTE 300\n") == [
        "source:1:8:",
        "source:3:8:",
        "source:4:7:",
    ]


def test_the_label_of_a_mistake_is_known() -> None:
    wrong = "A BAD\nB EQU 1*\nC DATA 70000\nD AORG $\n"
    assert places(f"{wrong} DATA A,B,C,D\n BSS B\n JMP A\n B @NOPE\n") == [
        "source:1:3:",
        "source:2:9:",
        "source:3:8:",
        "source:4:8:",
        "source:6:6:",
        "source:8:5:",
    ]


def test_a_line_is_told_by_one_pass() -> None:
    assert places(" BSS A-R\nA EQU 1\nR NOP\n") == ["source:1:6:"]


def test_mistakes_of_copied_files_stand_where_they_are_copied(tmp_path: Path) -> None:
    main, part = tmp_path / "main.a99", tmp_path / "part.a99"
    main.write_text(' BAD\n COPY "none"\n COPY "part.a99"\n LI R1\n COPY "other"\n BAD\n')
    part.write_text(" NOP\n" * 9 + " BAD\n LI R2\n")
    with pytest.raises(SourceError) as caught:
        assemble_file(main)
    messages = [str(error) for error in (caught.value, *caught.value.others)]
    names = [text.removeprefix(f"{tmp_path}/").split()[0] for text in messages]
    assert names == [
        "main.a99:1:2:",
        "main.a99:2:7:",
        "part.a99:10:2:",
        "part.a99:11:7:",
        "main.a99:4:7:",
        "main.a99:5:7:",
        "main.a99:6:2:",
    ]
