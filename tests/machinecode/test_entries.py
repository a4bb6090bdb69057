"""What code finds after LINK and INIT, and the console's routines that it enters."""

import pytest

from tests.machinecode.codeprograms import console_with, full_rows
from ti99tools.base.errors import TIError
from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program

LOADED = '100 CALL INIT::CALL LOAD("DSK1.OBJ")\n'
COPIES_FAC = """ DEF GO
GO MOV @>834A,@>2E00
 MOV @>834C,@>2E02
 MOV @>834E,@>2E04
 MOV @>8350,@>2E06
 B *R11
 END
"""


def ran(listing: str) -> Console:
    console = Console(max_seconds=60)
    console.load(Program.from_listing(listing))
    console.run()
    return console


@pytest.mark.parametrize(
    ("arguments", "name", "left"),
    [
        ('"GO"', "GO    ", 2),
        ('"GO",3', "GO    ", 0),
        ('"GO",1,"X"', "GO    ", 1),
        ('"GO","X",1', "GO    ", 0),
        ('A$&"O",B$', "GO    ", 4),
    ],
)
def test_link_leaves_the_name_in_fac(arguments: str, name: str, left: int) -> None:
    """And the length of the string evaluated last, or 0 after a number."""
    listing = f'{LOADED}110 A$="G"::B$="LONG"::CALL LINK({arguments})\n'
    console = console_with(COPIES_FAC, listing)
    assert console.run() == "ready"
    found = bytes(console.machine.memory.peek(0x2E00 + n) for n in range(8))
    assert found == name.encode() + bytes((0, left))


def test_a_name_that_is_not_found_goes_to_the_address_at_2000_too() -> None:
    """The code copies FAC: it was run for a name of six letters that no table has."""
    console = console_with(
        COPIES_FAC.replace("END", "END GO"),
        f'{LOADED}110 CALL PEEK(16382,H,L)::CALL LOAD(8192,H,L)::CALL LINK("ABCDEF")\n',
    )
    assert console.run() == "ready"
    assert bytes(console.machine.memory.peek(0x2E00 + n) for n in range(8)) == b"ABCDEF\0\6"


def test_init_leaves_the_search_at_205a_and_its_error_at_2080() -> None:
    console = ran("100 CALL INIT::CALL PEEK(8192,A,B)::CALL PEEK(8320,C,D,E,F,G,H,I,J)\n")
    assert [int(str(console.variables[name])) for name in "ABCDEFGHIJ"] == [
        *(0x20, 0x5A, 0x02, 0x00, 0x25, 0x00, 0xC8, 0x00, 0x83, 0x22),
    ]


BACK_TO = (
    " DEF GO,ALIAS\nALIAS LI R0,>474F\n MOV R0,@>834A\n B @>205A\nGO INC @>2E00\n B *R11\n END\n"
)


def test_code_can_use_the_search() -> None:
    """`ALIAS` changes its name to GO in FAC; the search then runs GO."""
    rest = BACK_TO.replace(" B @", " LI R0,>2020\n MOV R0,@>834C\n MOV R0,@>834E\n B @")
    console = console_with(rest, LOADED + '110 CALL LINK("ALIAS")\n')
    assert console.run() == "ready"
    assert console.machine.memory.word(0x2E00) == 1


@pytest.mark.parametrize("to", [">205A", ">2080"])
def test_a_name_given_back_is_an_error_that_on_error_catches(to: str) -> None:
    source = f" DEF GO\nGO SETO @>834A\n B @{to}\n END\n"
    listing = LOADED + '110 ON ERROR 130\n120 CALL LINK("GO")\n130 CALL ERR(E,F,G,H)\n'
    console = console_with(source, listing)
    console.run()
    assert [int(str(console.variables[name])) for name in "EFGH"] == [135, -1, 9, 120]


LOOKS = " DEF GO\nGO MOV R11,R9\n BL @>0020\n STST R0\n MOV R0,@>2E00\n B *R9\n END\n"


@pytest.mark.parametrize(("keys", "status"), [([], 0x8000), (["FCTN", "4"], 0x2000)])
def test_a_look_for_clear(keys: list[str], status: int) -> None:
    """Code that runs at the end of a loop in which the keys were pressed."""
    loop = "110 ON BREAK NEXT::FOR I=1 TO 999::NEXT I"
    console = console_with(LOOKS, f'{LOADED}{loop}::CALL LINK("GO")\n120 GOTO 120\n')
    console.run(seconds=2)
    for key in keys:
        console.machine.keyboard.key_down(key)
    console.resume(seconds=6)
    assert console.machine.memory.word(0x2E00) == status


READS = " DEF GO\nGO MOVB @>0073,R0\n LI R1,>0024\n MOV *R1,R0\n MOV @>0050,R2\n B *R11\n END\n"


def test_a_read_of_rom_is_remarked_but_not_what_is_here() -> None:
    console = console_with(READS, LOADED + '110 CALL LINK("GO")\n')
    assert console.run() == "ready"
    assert console.remarks == [
        f"machine code read ROM at >{at}: no ROM is here, it got 0" for at in ("0073", "0024")
    ]


CALLS_GPL = """ DEF GO
GO MOV R11,@>2E02
 LI R0,BACK
 MOV R0,@>200E
 LI R0,>0400
 MOV R0,@>834A
 MOV @>0050,R4
 BL *R4
 LI R0,>176C
 MOV R0,@>8302(R4)
 INCT @>8372
 LI R0,{routine}
 MOV R0,@>83EC
 B @>0060
BACK MOV @>166C,R4
 BL *R4
 INC @>2E00
 MOV @>2E02,R11
 B *R11
 END
"""
"""Through the stack's two routines, whose addresses are in ROM, as the usual GPLLNK goes."""


def test_gpl_is_entered_as_programs_with_a_link_of_their_own_do() -> None:
    """The capitals of >0018 are written where FAC says; the stack is as before."""
    console = console_with(CALLS_GPL.format(routine=">0018"), LOADED + '110 CALL LINK("GO")\n')
    assert console.run() == "ready"
    memory, ram = console.machine.memory, console.machine.vdp.ram
    assert memory.word(0x2E00) == 1
    assert memory.peek(0x8373) == 0x8E
    at = 0x400 + 8 * (ord("A") - 32)
    assert ram[at : at + 8].hex() == "003844447c444444"


def test_gpl_begins_a_tone() -> None:
    console = console_with(CALLS_GPL.format(routine=">0034"), LOADED + '110 CALL LINK("GO")\n')
    before = len(console.sound.written)
    assert console.run() == "ready"
    assert bytes((0x80, 0x05, 0x92)) in bytes(console.sound.written[before:])


TYPES = CALLS_GPL.replace(
    " LI R0,>0400\n MOV R0,@>834A\n",
    " LI R0,>02E2\n MOV R0,@>8320\n LI R0,{last}\n MOV R0,@>835E\n",
).format(routine=">2858", last="{last}")


@pytest.mark.parametrize(
    ("last", "keys", "first", "after", "text"),
    [
        (">02E6", "AB\n", 0x2E2, 0x2E4, "AB"),
        (">02E3", "ABC\n", 0x2E2, 0x2E4, "AC"),
        (">037D", "\n", 0x2E2, 0x2E2, ""),
        (">037D", "A" * 30 + "\n", 0x2C2, 0x2E4, "A" * 30),
    ],
)
def test_gpl_lets_a_line_be_typed(last: str, keys: str, first: int, after: int, text: str) -> None:
    """From >8320 to >835E, both counted; at the bottom the screen scrolls and >8320 moves up."""
    listing = LOADED + '110 CALL CLEAR::CALL LINK("GO")\n120 GOTO 120\n'
    console = console_with(TYPES.format(last=last), listing)
    console.run(seconds=2)
    console.type(keys)
    console.resume(seconds=20)
    memory = console.machine.memory
    assert memory.word(0x2E00) == 1
    assert memory.peek(0x8375) == 13
    assert (memory.word(0x8320), memory.word(0x832A)) == (first, after)
    cells = range(first, after)
    characters = bytes(console.machine.vdp.ram[at] - 0x60 for at in cells if 2 <= at % 32 < 30)
    assert characters.decode() == text


def test_gpl_that_is_not_here_is_named() -> None:
    console = console_with(CALLS_GPL.format(routine=">2860"), LOADED + '110 CALL LINK("GO")\n')
    with pytest.raises(TIError, match="calls GPL at >2860"):
        console.run()


def test_what_links_programs_of_the_community() -> None:
    """CALL LINK("RUN") of code at the address in >2000, which reads the name and goes on."""
    console = ran(
        "110 CALL INIT\n120 CALL LOAD(9472,4,96,32,128)\n130 CALL LOAD(8192,37,0)\n"
        '140 ON ERROR 160\n150 CALL LINK("FOO")\n160 PRINT "CAUGHT"\n'
    )
    assert full_rows(console)[0] == "CAUGHT"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (" MOV @>0062,R4\n BL *R4\n", r">0000 in the console's ROM.*R11 is >....*at >0062 as"),
        (" MOV @>0052,R4\n BL @>0100\n", r">0100 in the console's ROM.*R11 is >....*at >0052 as"),
        (
            " BLWP @>210C\n",
            r">0000 .*: BLWP found nothing.*not those of Editor/Assembler",
        ),
        (" BL @>1234\n", r">1234 in the console's ROM, which .*\(R11 is >....\)"),
    ],
)
def test_a_stop_names_where_and_why(code: str, message: str) -> None:
    console = console_with(f" DEF GO\nGO NOP\n{code} END\n", LOADED + '110 CALL LINK("GO")\n')
    with pytest.raises(TIError, match=message):
        console.run()
