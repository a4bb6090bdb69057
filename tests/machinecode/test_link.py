"""CALL LINK: code that comes back, pauses, goes astray, and what it finds."""

import json
import lzma
from pathlib import Path

import pytest

from tests.machinecode.codeprograms import console_with, full_rows
from ti99tools.base.errors import TIError
from ti99tools.computer.console.session import Console, RunEnd
from ti99tools.computer.machinecode import addresses
from ti99tools.computer.machinecode.machinecode import MachineCode
from ti99tools.computer.machinecode.running import Engine
from ti99tools.computer.machinecode.utilities import LinkArgument, Utility, strasg, strref
from ti99tools.games.conformance.playback import disk
from ti99tools.hardware.cpu.core import Core
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.program.program import Program

LOADED = '100 CALL INIT::CALL LOAD("DSK1.OBJ")\n'
RECORDED = Path(__file__).parents[1] / "conformance" / "code.jsonl.xz"


def test_a_routine_writes_to_the_screen() -> None:
    source = " DEF GO\nGO LI R0,64\n LI R1,>A100\n BLWP @VSBW\n B *R11\n END\n"
    console = console_with(source, LOADED + '110 CALL CLEAR::CALL LINK("GO")\n')
    assert console.run() == "ready"
    assert console.machine.vdp.ram[0] == 0x80
    assert "A" in console.screen.text


def test_code_that_does_not_end_is_left_at_the_limit_and_gone_on_with() -> None:
    source = " DEF GO\nGO INC @>3000\n JMP GO\n END\n"
    console = console_with(source, LOADED + '110 CALL LINK("GO")\n')
    assert console.run(seconds=5) is RunEnd.LIMIT
    before = console.machine.memory.word(0x3000)
    at = console.clock.cycles
    assert console.resume(seconds=0.1) is RunEnd.LIMIT
    assert console.machine.memory.word(0x3000) != before
    assert console.clock.cycles - at == pytest.approx(300_000, abs=200)


def test_where_pauses_lie_makes_no_difference() -> None:
    source = """ DEF GO
GO LI R1,20000
W  DEC R1
   JNE W
   MOV @>8378,@>3002
   CLR R0
   LI R1,1
   BLWP @NUMASG
   B *R11
 END
"""
    listing = LOADED + '110 CALL LINK("GO",X):: Y=Y+X\n120 CALL LINK("GO",X)\n'
    whole, pieces = console_with(source, listing), console_with(source, listing)
    assert whole.run() == "ready"
    pieces.start()
    while pieces.running:
        pieces.advance_to(pieces.clock.cycles + 1_000)
    assert pieces.clock.cycles == whole.clock.cycles
    assert pieces.screen.text == whole.screen.text


def test_places_in_the_rom_that_nothing_stands_at() -> None:
    console = console_with(" DEF GO\nGO BL @>1234\n END\n", LOADED + '110 CALL LINK("GO")\n')
    with pytest.raises(TIError, match=">1234 in the console's ROM"):
        console.run()
    assert not console.running
    unknown = " DEF GO\nGO BLWP @XMLLNK\n DATA >0042\n B *R11\n END\n"
    console = console_with(unknown, LOADED + '110 CALL LINK("GO")\n')
    with pytest.raises(TIError, match="routine >0042 by XMLLNK"):
        console.run()


def test_grom_that_is_read_in_order_is_remarked_once() -> None:
    source = """ DEF GO
GO MOVB R0,@>9C02
 MOVB R0,@>9C02
 LI R2,300
NEXT MOVB @>9800,R1
 DEC R2
 JNE NEXT
 B *R11
 END
"""
    console = console_with(source, LOADED + '110 CALL LINK("GO")::CALL LINK("GO")\n')
    assert console.run() == "ready"
    (remark,) = console.remarks
    assert remark.startswith("machine code read GROM from >")
    assert remark.endswith(" on: no GROM is here, it got 0")


def test_code_where_a_utility_was_takes_its_place() -> None:
    source = " AORG >20D0\n DEF GO\nGO LI R0,>1234\n MOV R0,@>3000\n B *R11\n END\n"
    console = console_with(source, LOADED + '110 CALL LINK("GO")\n')
    assert console.run() == "ready"
    assert console.machine.memory.word(0x3000) == 0x1234


def test_a_hook_runs_at_each_interrupt_while_basic_runs() -> None:
    source = """ DEF ON,OFF
HOOK INC @>3000
 B *R11
ON LI R0,HOOK
 MOV R0,@>83C4
 B *R11
OFF CLR @>83C4
 B *R11
 END
"""
    listing = (
        LOADED + '110 CALL LINK("ON")\n120 FOR I=1 TO 100::NEXT I\n130 CALL LINK("OFF")\n'
        "140 FOR I=1 TO 100::NEXT I\n"
    )
    console = console_with(source, listing)
    console.start()
    console.run_until(ready=True)
    count = console.machine.memory.word(0x3000)
    assert 10 < count < 60
    console.wait(20)
    assert console.machine.memory.word(0x3000) == count


def test_a_hook_that_does_not_come_back_is_told() -> None:
    source = " DEF ON\nHOOK JMP HOOK\nON LI R0,HOOK\n MOV R0,@>83C4\n B *R11\n END\n"
    console = console_with(source, LOADED + '110 CALL LINK("ON")\n120 GOTO 120\n')
    with pytest.raises(TIError, match="does not come back"):
        console.run(seconds=60)


def test_a_sound_list_plays_on_while_basic_runs() -> None:
    source = """ DEF GO
GO LI R0,>1000
 LI R1,LIST
 LI R2,12
 BLWP @VMBW
 MOV R0,@>83CC
 SOCB @ONE,@>83FD
 MOVB @ONE,@>83CE
 B *R11
LIST BYTE 3,>8E,>0F,>90,10,1,>9F,0
 BYTE 0,0,0,0
ONE BYTE 1
 END
"""
    console = console_with(source, LOADED + '110 CALL LINK("GO")\n120 FOR I=1 TO 200::NEXT I\n')
    assert console.run() == "ready"
    assert bytes((0x8E, 0x0F, 0x90, 0x9F)) in bytes(console.sound.written)
    assert console.machine.memory.peek(0x83CE) == 0


def test_interrupts_are_lost_while_code_keeps_them_off() -> None:
    source = " DEF GO\nGO LI R1,40000\nW DEC R1\n JNE W\n B *R11\n END\n"
    listing = LOADED + (
        '110 CALL SPRITE(#1,65,2,50,1,0,16)\n120 CALL POSITION(#1,Y,X)::CALL LINK("GO")\n'
        "130 CALL POSITION(#1,V,U)::PRINT U-X\n"
    )
    console = console_with(source, listing)
    assert console.run() == "ready"
    assert int(full_rows(console)[-3]) < 5, "1,040,000 cycles are 20 frames"


def test_without_the_expansion_there_is_no_init() -> None:
    console = console_with(" DATA 1\n END\n", LOADED, expansion=False)
    assert console.run() == "error"
    assert str(console.error) == "SYNTAX ERROR IN 100"


def test_programs_without_machine_code_make_no_memory() -> None:
    console = Console()
    console.load(Program.from_listing("100 X=1::RANDOMIZE::CALL SCREEN(5)::PRINT RND\n"))
    assert console.run() == "ready"
    assert not console.machine.memory.in_use
    assert isinstance(console.computer.workspace.runtime.code, MachineCode)


def test_the_times_of_recorded_programs() -> None:
    """From the first instruction to the last: cycles as they were recorded."""
    start = Engine.start
    with lzma.open(RECORDED) as packed:
        cases = [json.loads(line) for line in packed]
    watched = [case for case in cases if "watch" in case]
    assert len(watched) > 3
    for case in watched:
        seen: list[int] = []

        def begin(engine: Engine, entry: int, arguments: list, seen=seen, case=case) -> None:  # type: ignore[no-untyped-def,type-arg]
            start(engine, entry, arguments)
            for pc in case["watch"]:
                engine.cpu.traps[int(pc, 16)] = _noting(seen)

        console = Console(disks={"DSK1": disk(case)})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Engine, "start", begin)
            console.boot()
            console.run_until(ready=True)
        (_, first, _), (_, last, _) = case["expect"]["pc_cycles"]
        assert seen[1] - seen[0] == pytest.approx(last - first, rel=1e-4), case["id"]


def _noting(seen: list[int]):  # type: ignore[no-untyped-def]
    def trap(cpu: Core) -> None:
        seen.append(cpu.bus.cycles)
        del cpu.traps[cpu.pc]  # type: ignore[attr-defined]

    return trap


def test_frames_of_a_busy_program() -> None:
    source = """ DEF GO
GO LI R1,60
N MOVB @>8379,R2
W LIMI 2
 LIMI 0
 CB @>8379,R2
 JEQ W
 DEC R1
 JNE N
 B *R11
 END
"""
    console = console_with(source, LOADED + '110 CALL LINK("GO")\n')
    console.start()
    before = console.clock.cycles
    console.run_until(ready=True)
    assert console.clock.cycles - before > 60 * FRAME


def test_utilities_that_come_with_saved_memory_are_found() -> None:
    """Loaders bring low memory whole: vectors to code of another machine that needs its ROM."""
    listing = (
        LOADED
        + """110 CALL LOAD(8224,32,56,36,132):: CALL LOAD(9348,6,160,96,0)
120 CALL LINK("GO")
"""
    )
    source = " DEF GO\nGO LI R0,>1000\n LI R1,>8A00\n BLWP @VSBW\n B *R11\n END\n"
    console = console_with(source, listing)
    assert console.run() == "ready"
    assert console.machine.vdp.ram[0x1000] == 0x8A


def test_the_patterns_of_characters_can_be_read_from_grom() -> None:
    source = """ DEF GO
GO LI R0,>06B4+231
 MOVB R0,@>9C02
 SWPB R0
 MOVB R0,@>9C02
 LI R1,>3000
 LI R2,7
L MOVB @>9800,*R1+
 DEC R2
 JNE L
 CLR @>837C
 B @>006A
 END
"""
    listing = LOADED + '110 CALL LINK("GO"):: CALL CHARPAT(65,A$)\n'
    console = console_with(source, listing)
    assert console.run() == "ready"
    rows = bytes(console.machine.memory.peek(0x3000 + n) for n in range(7))
    assert "00" + rows.hex().upper() == console.variables["A$"]
    assert not console.remarks


def test_the_word_at_2000_is_what_link_runs() -> None:
    """Programs of other people begin so: their code lies at >24F4, no name is in the table."""
    listing = (
        "100 CALL INIT::CALL LOAD(9460,4,91)::CALL LOAD(8192,36,244)\n"
        '110 CALL LINK("X")::PRINT "OK"\n'
        '120 CALL INIT::CALL LINK("X")\n'
    )
    console = console_with(" END\n", listing)
    assert console.run() is RunEnd.ERROR
    assert full_rows(console)[-4:] == ["OK", "* SUBPROGRAM NOT FOUND", "IN 120", ">"]


@pytest.mark.parametrize(
    ("base", "argument", "element", "expected"),
    [
        (0, "A(,)", 0, "1"),
        (0, "A(,)", 8, "9"),
        (0, "A(,)", 9, "* BAD SUBSCRIPT IN 150"),
        (1, "A(,)", 0, "* BAD SUBSCRIPT IN 150"),
        (1, "A(,)", 1, "1"),
        (1, "A(,)", 4, "4"),
        (1, "A(,)", 5, "* BAD SUBSCRIPT IN 150"),
        (0, "A(1,1)", 0, "5"),
        (0, "A(1,1)", 3, "* BAD ARGUMENT IN 150"),
        (0, "Z", 5, "* BAD ARGUMENT IN 150"),
        (0, "Z+1", 5, "* BAD ARGUMENT IN 150"),
    ],
)
def test_elements_count_from_the_base(
    base: int, argument: str, element: int, expected: str
) -> None:
    source = f""" DEF GO
GO LI R0,{element}
   LI R1,1
   BLWP @NUMREF
   CLR R0
   LI R1,2
   BLWP @NUMASG
   B *R11
 END
"""
    listing = (
        f"100 OPTION BASE {base}::DIM A(2,2)\n110 N=0::FOR I={base} TO 2::FOR J={base} TO 2\n"
        f'120 N=N+1::A(I,J)=N::NEXT J::NEXT I\n130 {LOADED[4:]}150 CALL LINK("GO",{argument},Y)\n'
        "160 PRINT Y\n"
    )
    console = console_with(source, listing)
    console.run()
    assert expected in full_rows(console)


@pytest.mark.parametrize(
    ("utility", "length", "cycles"),
    [
        (strref, 1, 2_392),
        (strref, 100, 36_646),
        (strref, 255, 90_276),
        (strasg, 1, 11_564),
        (strasg, 100, 41_264),
        (strasg, 255, 87_764),
    ],
)
def test_strings_take_their_time(utility: Utility, length: int, cycles: int) -> None:
    """As answers 12-7 give it."""
    console = Console()
    engine = console.computer.workspace.runtime.code.engine
    engine.arguments = [LinkArgument(3, "A" * length, lambda: "A" * length, lambda value: None)]
    registers, buffer = 0x3000, 0x3100
    engine.bus.load_word(addresses.UTILITY_WORKSPACE + 26, registers)
    engine.bus.load_words(registers, (0, 1, buffer))
    engine.bus.load(buffer, (255 if utility is strref else length,))
    assert utility(engine) == cycles
