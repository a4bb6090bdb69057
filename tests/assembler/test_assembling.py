"""The assembler: instructions, directives, expressions, object code, listing."""

import json
from pathlib import Path

import pytest

from tests.assembler.disassembler import disassemble
from ti99tools.base.errors import ProgramError, SourceError, TIError
from ti99tools.hardware.assembler.assembling import assemble, assemble_file
from ti99tools.hardware.assembler.tagged import RECORD, checksum, load

RECORDED = [
    json.loads(line)
    for line in (Path(__file__).parent / "recorded.jsonl").read_text(encoding="utf-8").splitlines()
]
"""Sources and the object code that another assembler made of them; a console ran it."""


def words(source: str, base: int = 0, relaxed: bool = False) -> list[int]:
    return list(assemble(source, relaxed=relaxed).memory(base).values())


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_sources_give_the_object_code_that_was_recorded(case: dict[str, list[str]]) -> None:
    base = 0x24F4
    recorded = load([record.encode("latin-1") for record in case["records"]], base)
    ours = load(assemble("\n".join(case["source"])).object_code.records(), base)
    assert (ours.words, ours.definitions, ours.length) == (
        recorded.words,
        recorded.definitions,
        recorded.length,
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A R1,R2", [0xA081]),
        ("mov *r3+,@>8300(R4)", [0xC933, 0x8300]),
        ("MOVB @>8C00,*R15", [0xD7E0, 0x8C00]),
        ("C @1,@2", [0x8820, 1, 2]),
        ("LI R0,'AB'", [0x0200, 0x4142]),
        ("LIMI 2 a comment", [0x0300, 2]),
        ("LWPI >83E0", [0x02E0, 0x83E0]),
        ("STST R7", [0x02C7]),
        ("SLA R5,0", [0x0A05]),
        ("SRL R5,15", [0x09F5]),
        ("LDCR R1,16", [0x3001]),
        ("STCR *R2,9", [0x3652]),
        ("SBO -1", [0x1DFF]),
        ("TB 2", [0x1F02]),
        ("XOP R1,2", [0x2C81]),
        ("MPY R1,R2", [0x3881]),
        ("DIV @6,R0", [0x3C20, 6]),
        ("BLWP @>2020", [0x0420, 0x2020]),
        ("B *R11", [0x045B]),
        ("RT and a comment", [0x045B]),
        ("NOP", [0x1000]),
        ("RTWP back", [0x0380]),
        ("JMP $", [0x10FF]),
        ("JNE $+4", [0x1601]),
        ("AI R1,-1", [0x0221, 0xFFFF]),
        ("LI R1,->C000", [0x0201, 0x4000]),
        ("DATA 2+3*4,:101,'A',$", [20, 5, 0x41, 6]),
        ("BYTE 1,-1,>FF", [0x01FF, 0xFF00]),
        ("TEXT 'IT''S'", [0x4954, 0x2753]),
        ("TEXT -'AB'", [0x41BE]),
    ],
)
def test_a_line(line: str, expected: list[int]) -> None:
    assert words(f" {line}") == expected


def come_back(codes: range) -> None:
    for code in codes:
        one = disassemble([code, 0x1234, 0x5678])[0]
        assert words(f" {one.text}")[0] == code, one


@pytest.mark.slow
def test_every_word_comes_back_from_the_disassembler() -> None:
    come_back(range(0x10000))


def test_words_come_back_from_the_disassembler() -> None:
    """Of each instruction all modes, with some registers; all below >0800, where most begin."""
    come_back(range(0x800))
    come_back(range(0x800, 0x10000, 11))
    everything = disassemble([0xC820, 0x1234, 0x5678, 0x0200, 0xFFFF, 0x045B, 0x0200])
    assert [one.text for one in everything] == [
        "MOV @>1234,@>5678",
        "LI R0,>FFFF",
        "RT",
        "DATA >0200",
    ]
    assert [one.address for one in everything] == [0, 6, 10, 12]


DIRECTIVES = """\
SIZE   EQU  6
       AORG >3000
START  LI   R1,LATER      forward
       BYTE 1
ODD    DATA SIZE          even again
ROOM   BSS  3
       EVEN
AFTER  BES  4
LATER  DATA START,LATER-START,$
       DORG >8300
CELL   BSS  2
NEXT   DATA 9
       RORG
CODE   MOV  @CELL,@DATUM
       B    @CODE
DATUM  DATA DATUM,NEXT
       END  CODE
"""


def test_directives() -> None:
    result = assemble(DIRECTIVES)
    assert result.address_of("ODD") == 0x3006
    assert result.address_of("room") == 0x3008
    assert result.address_of("AFTER") == 0x3010 == result.address_of("LATER")
    assert result.address_of("CELL") == 0x8300
    assert result.address_of("NEXT") == 0x8302
    assert result.address_of("CODE", 0xA000) == 0xA000
    memory = result.memory(0xA000)
    assert [memory[at] for at in (0x3000, 0x3002, 0x3004, 0x3006)] == [0x201, 0x3010, 0x100, 6]
    assert [memory[at] for at in (0x3010, 0x3012, 0x3014)] == [0x3000, 0x10, 0x3014]
    assert [memory[at] for at in range(0xA000, 0xA00E, 2)] == [
        0xC820,
        0x8300,
        0xA00A,
        0x0460,
        0xA000,
        0xA00A,
        0x8302,
    ]
    assert result.length == 14
    loaded = load(result.object_code.records(), 0xA000)
    assert loaded.words == memory
    assert loaded.entry == 0xA000


def test_the_image_is_memory_with_zeros_between() -> None:
    image = assemble(" AORG >3000\n DATA 1\n BSS 2\n BYTE 7\n").image()
    assert (image.address, image.data) == (0x3000, bytes.fromhex("000100000700"))
    with pytest.raises(TIError, match="no code"):
        assemble("").image()


def test_relocatable_code_moves() -> None:
    source = "A MOV @B,R1\n B @A\nB DATA B-A,B\n"
    assert words(source, 0xC000) == [0xC060, 0xC008, 0x0460, 0xC000, 8, 0xC008]


def test_references_are_chained() -> None:
    result = assemble(" REF VSBW,NONE\n BLWP @VSBW\n DATA VSBW\n AORG >3000\n DATA VSBW\n")
    loaded = load(result.object_code.records())
    assert loaded.words == {0: 0x0420, 2: 0, 4: 2, 0x3000: 4}
    assert loaded.references == {"VSBW": 0x3000, "NONE": 0}
    with pytest.raises(TIError, match="VSBW is in other code; write VSBW EQU"):
        result.memory()


def test_records_are_80_characters_with_checksums() -> None:
    source = " IDT 'DEMO'\n DEF A\nA BSS 2\n" + " DATA 1,2,3\n" * 20
    records = assemble(source).object_code.records()
    assert all(len(record) == RECORD for record in records)
    assert len(records) > 5
    first = records[0].decode()
    assert first.startswith("0007ADEMO    A0002B0001")
    assert first.endswith("0001")
    tags, _, digits = first[:-4].rstrip().removesuffix("F").rpartition("7")
    assert int(digits, 16) == checksum(tags + "7")
    assert records[-1].startswith(b":")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data.replace(b"B0001", b"B0002", 1), "the checksum is"),
        (lambda data: data.replace(b"B0001", b"X0001", 1), "unknown tag 'X'"),
        (lambda data: data.replace(b"B0001", b"B00G1", 1), "without four hexadecimal digits"),
        (lambda data: data.replace(b":", b" ", 1), "unknown tag ' '"),
        (lambda data: data[:80], "no end of file"),
    ],
)
def test_damaged_object_code_is_refused(change: object, problem: str) -> None:
    assert callable(change)
    data = change(b"".join(assemble(" AORG >3000\n DATA 1,2\n").object_code.records()))
    with pytest.raises(ProgramError, match=problem):
        load([data[at : at + RECORD] for at in range(0, len(data), RECORD)])


def test_an_extended_operation_gets_a_name() -> None:
    assert words(" DXOP SYS,3\n SYS *R1\n") == [0x2CD1]


def test_copy_reads_files_of_the_folder_only(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    main = tmp_path / "src" / "main.a99"
    main.write_text(' COPY "part.a99"\nB RT\n')
    (tmp_path / "src" / "part.a99").write_text("A NOP\n")
    result = assemble_file(main)
    assert result.address_of("B") == 2
    for name, problem in (
        ("../secret", r"main.a99:1:7: ../secret is outside the folder"),
        ("/etc/passwd", "outside the folder"),
        ("none", "none: no such file"),
        ("main.a99", "COPY more than 8 deep"),
        (".", "main.a99:1:7: .: a folder"),
    ):
        main.write_text(f' COPY "{name}"\n')
        with pytest.raises(SourceError, match=problem):
            assemble_file(main)
    with pytest.raises(SourceError, match="COPY without a folder"):
        assemble(' COPY "part.a99"\n')


def test_a_source_is_assembled_again_when_what_it_copies_has_changed(tmp_path: Path) -> None:
    main, part = tmp_path / "main.a99", tmp_path / "part.a99"
    main.write_text(' COPY "part.a99"\n')
    part.write_text(" DATA 1\n")
    first = assemble_file(main)
    first.words.clear()
    assert [*assemble_file(main).memory().values()] == [1]
    part.write_text(" DATA 2\n")
    assert [*assemble_file(main).memory().values()] == [2]
    part.write_text(" DATA\n")
    for _ in range(2):
        with pytest.raises(SourceError, match="an operand is missing"):
            assemble_file(main)
    part.unlink()
    with pytest.raises(SourceError, match=r"part\.a99"):
        assemble_file(main)


def test_copy_finds_files_of_disks_and_of_folders(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    texts = {
        "main.a99": ' COPY "DSK2.PART"\n COPY "DSK.WORK.LAST"\n COPY "sub/in.a99"\n DATA 9\n',
        "part.asm": " DATA 1\n",
        "LAST": ' DATA 2\n COPY "DSK1.part"\n',
        "sub/in.a99": ' COPY "beside"\n COPY "sub/other"\n DATA 3\n',
        "sub/beside": " DATA 4\n",
        "sub/other": " DATA 5\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    result = assemble_file(tmp_path / "main.a99")
    assert list(result.memory().values()) == [1, 2, 1, 4, 5, 3, 9]
    files = {Path(row.line.file).relative_to(tmp_path).as_posix() for row in result.rows}
    assert files == set(texts)


def test_copy_reads_the_library_by_angle_brackets(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "part.a99").write_text("A DATA 7\n")
    main = tmp_path / "main.a99"
    main.write_text(' COPY "<part.a99>"\n DATA 1\n')
    assert list(assemble_file(main, tmp_path / "lib").memory().values()) == [7, 1]
    main.write_text(' COPY "<none.a99>"\n')
    with pytest.raises(SourceError, match=r"<none\.a99>: no such file"):
        assemble_file(main, tmp_path / "lib")
    main.write_text(' COPY "<../main.a99>"\n')
    with pytest.raises(SourceError):
        assemble_file(main, tmp_path / "lib")


def test_an_end_in_a_copied_file_ends_all(tmp_path: Path) -> None:
    main = tmp_path / "main.a99"
    main.write_text(' COPY "part"\n DATA 2\n')
    (tmp_path / "part").write_text(" DATA 1\n END\n DATA 3\n")
    result = assemble_file(main)
    assert result.memory() == {0: 1}
    assert result.notes[0].startswith(f"{tmp_path / 'part'}:2:1: END in a copied file ends")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (" RORG >10\n DATA 1\n RORG 4\n DATA 2\n AORG >3000\n RORG\n DATA $", {6: 6}),
        (" AORG >3000\n DATA 1\n RORG\n AORG\n DATA $\n AORG\n DATA 7", {0x3002: 0x3002}),
        (" AORG\n DATA 7", {0: 7}),
        (" NOP\nA RORG\n DORG A+4\nB BSS 2\nC NOP\n RORG\n DATA A,B,C", {2: 2, 4: 6, 6: 8}),
        (" DATA R3\nR3 DATA R3+1,R4", {0: 2, 2: 3, 4: 4}),
        (" DATA >E000/2,>E000/-2,>E000*2,7/-2", {0: 0xF000, 2: 0x1000, 4: 0xC000, 6: 0xFFFD}),
        (" DATA '',-'''',-'AB',1----2", {0: 0, 2: 0xFFD9, 4: 0xBEBE, 6: 3}),
        ("A DATA -A+B*2+A,-A+B\nB NOP", {0: 8, 2: 4}),
        ("A DATA $,$-2,$\n BYTE $-A,$-A,$-A", {0: 0, 2: 0, 4: 4, 6: 0x607, 8: 0x800}),
        (" BYTE >FFEE,->80\n TEXT ''\n TEXT -''", {0: 0xEE80, 2: 0}),
    ],
)
def test_sources_as_ti_takes_them(source: str, expected: dict[int, int]) -> None:
    memory = assemble(source).memory()
    assert {at: memory[at] for at in expected} == expected


def test_room_from_a_relocatable_address_puts_nothing_into_memory() -> None:
    result = assemble("A NOP\n DORG A+4\nB DATA 1\nC BYTE 1\n")
    assert result.memory() == {0: 0x1000}
    assert result.length == 2
    assert result.address_of("B", 0x3000) == 0x3004
    assert result.address_of("C", 0x3000) == 0x3006


def test_the_listing_shows_addresses_words_and_symbols() -> None:
    text = assemble("* demo\nGO MOV @GO,R1\n TEXT 'ABC'\nN EQU 5\n").listing()
    assert text.splitlines() == [
        "    1             * demo",
        "    2 0000' C060  GO MOV @GO,R1",
        "      0002' 0000'",
        "    3 0004' 4142   TEXT 'ABC'",
        "      0006' 43",
        "    4 0005        N EQU 5",
        "",
        "Symbols",
        "GO 0000'   N  0005",
    ]


def test_labels_may_have_number_and_dollar_signs() -> None:
    source = "A#B EQU 1\nA$B EQU 2\n$AB EQU 3\nC#01: DATA A#B,A$B+1,$AB,$-C#01\n"
    assert words(source) == [1, 3, 3, 6]


def test_object_code_is_as_long_as_its_relocatable_code_ended() -> None:
    # Source: object code of TI's assembler for sources of the same shape.
    code = assemble(" RORG >1000\n DATA 1\n AORG >2000\n DATA 2\n RORG >0300\n TEXT 'ABC'\n")
    assert code.length == 0x303


def test_a_byte_after_an_origin_clears_the_other_half_of_its_word() -> None:
    source = " AORG >3000\n BYTE 1\n AORG >3001\n BYTE 2\n BYTE 3\n BYTE 4\n"
    assert words(source) == [0x0002, 0x0304]


@pytest.mark.parametrize(
    "name", ["PSEG", "PEND", "DSEG", "DEND", "CSEG", "CEND", "LOAD X", "SREF X"]
)
def test_directives_without_an_effect(name: str) -> None:
    assert words(f" {name}\n DATA 1\n") == [1]


def test_relaxed_operands_have_single_spaces() -> None:
    source = (
        " DEF A, B\nA LI R0, 2 * 4 + 1  R1 is a comment\n MOVB @A + 2 (R1), *R2+ ; so is this\n"
        "B DATA 'A B', 3\twith a tab\n TEXT 'X  Y'\n"
    )
    plain = " DEF A,B\nA LI R0,2*4+1\n MOVB @A+2(R1),*R2+\nB DATA 'A B',3\n TEXT 'X  Y'\n"
    source, plain = (text.replace("'A B'", "' B'") for text in (source, plain))
    assert words(source, relaxed=True) == words(plain)


def test_a_mistake_in_relaxed_operands_has_its_column() -> None:
    with pytest.raises(SourceError, match=r"^source:1:13: NOPE is not defined"):
        assemble(" LI R0, 1 + NOPE\n", relaxed=True)


@pytest.mark.parametrize("name", ["INC.A99", "inc", "Inc.a99"])
def test_copy_finds_other_capitals_and_tells(name: str, tmp_path: Path) -> None:
    (tmp_path / "inc.a99").write_text(" DATA 7\n")
    main = tmp_path / "main.a99"
    main.write_text(f' COPY "{name}"\n')
    code = assemble_file(main)
    (note,) = code.notes
    assert f"{name} is read from {tmp_path / 'inc.a99'}" in note
    assert list(code.memory().values()) == [7]


def test_an_address_cannot_be_negative() -> None:
    with pytest.raises(SourceError, match="an address cannot be negative"):
        assemble("START  DATA 1\n       DATA -START\n")


def test_the_same_instruction_in_another_source_is_another_word() -> None:
    plain = " INC R1\n MOV @X+2,R2\n JMP X\nX NOP\n JMP $\n"
    assert words(plain) == [0x0581, 0xC0A0, 0x000A, 0x1000, 0x1000, 0x10FF]
    assert words(" NOP\n" + plain)[1:4] == [0x0581, 0xC0A0, 0x000C]
    assert words("R1 EQU 5\n" + plain)[0] == 0x0585
    assert words(" DXOP INC,3\n" + plain)[0] == 0x2CC1
    assert words(plain)[0] == 0x0581
    with pytest.raises(SourceError, match="X is not defined"):
        words(" INC R1\n MOV @X+2,R2\n")


def test_the_same_jump_to_a_number_in_another_place_is_another_word() -> None:
    assert words("       AORG >A000\n       JMP  >A010\n       JMP  >A010\n") == [0x1007, 0x1006]


def test_the_same_operands_with_other_symbols_give_other_words() -> None:
    source = "       AORG >{0:04X}\nV      DATA V,V-2,5\n       MOV  @V+2,@W(R3)\n       JMP  V\n"
    source += "W      EQU  >{1:04X}\n"
    for at, other in ((0xA000, 0x8300), (0xB000, 0x8400)):
        found = words(source.format(at, other))
        assert found == [at, at - 2, 5, 0xC8E0, at + 2, other, 0x10F9]


def test_an_odd_jump_is_noted_wherever_it_is() -> None:
    assert len(assemble("       JMP  $+3\n       JMP  $+3\nEND\n").notes) == 2


def test_a_symbol_that_is_missing_in_another_source_is_a_mistake_there() -> None:
    assert words("       B    @THERE\nTHERE  DATA THERE\n") == [0x0460, 4, 4]
    for line in ("B    @THERE", "DATA THERE", "JMP  THERE"):
        with pytest.raises(SourceError, match="THERE is not defined"):
            assemble(f"       {line}\n")
