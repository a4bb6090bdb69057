"""What each way of starting and ending keeps: the table as sessions show it."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.games.conformance.playback import file_of
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

MERGED = {"type": "DIS/VAR", "recl": 163, "records": ["00aa9cc8013100", "ffff"]}
DAMAGED = bytes(range(8))

STOPPED = """100 A=7::DIM Q(5)
110 FOR I=1 TO 2
120 OPEN #1:"DSK1.F",OUTPUT::PRINT #1:"ONE"
130 ON WARNING NEXT::TRACE::BREAK 150
140 BREAK
150 PRINT "ON";I
160 NEXT I
170 DATA 5
180 SUB S(X)::PRINT X::SUBEND
"""


def console_with(listing: str, **programs: str) -> Console:
    """A console with a program in memory, others and a damaged one on its disk."""
    image = DiskImage.new()
    image.add(file_of("M", MERGED))
    image.add(DiskFile.program("BAD", DAMAGED))
    for name, text in programs.items():
        content = Program.from_listing(text).saved().content
        assert isinstance(content, bytes)
        image.add(DiskFile.program(name, content))
    console = Console({"DSK1": image})
    console.load(Program.from_listing(listing))
    return console


def full_rows(console: Console) -> list[str]:
    rows = [row.strip(" \x1e\x1f") for row in console.screen.rows]
    return [row for row in rows if row]


@pytest.mark.parametrize(
    ("command", "kept"),
    [
        ("RUN 999", "names files con warning trace breaks"),
        ("SIZE", "names files con warning trace breaks"),
        ("LIST 100", "names files con warning trace breaks"),
        ('DELETE "DSK1.NONE"', "names files con warning trace breaks"),
        ("RES", "names files con warning trace"),  # breaks: not recorded
        ('LIST "DSK9.L"', "names con warning trace breaks"),
        ('LIST "DSK1.L"', "warning trace breaks"),
        ("155 REM", "warning trace breaks"),  # trace, breaks: not recorded
        ("150 REM", "warning trace"),
        ("OLD DSK1.NONE", "breaks"),
        ("OLD", "breaks"),
        ("MERGE DSK1.NONE", "breaks"),
        ("MERGE DSK1.M", "breaks"),
        ('RUN "DSK1.NONE"', "breaks"),
        ("SAVE DSK9.S", ""),
        ("SAVE DSK1.S", ""),
        ("SAVE", "breaks"),  # without a name: as OLD (not recorded)
        ("OLD DSK1.X", ""),
        ("OLD DSK1.BAD", ""),
        ("NEW", ""),
    ],
)
def test_what_a_command_keeps_of_a_program_that_a_break_has_stopped(
    command: str, kept: str
) -> None:
    console = console_with(STOPPED, X="10 PRINT 1\n")
    assert console.run() == "stopped"
    console.command(command)
    workspace = console.computer.workspace
    marks, runtime = workspace.runtime.marks, workspace.runtime
    found = {
        "names": console.variables.get("A") == 7,
        "files": runtime.files.memory() > 0,
        "con": console.stopped_at is not None,
        "warning": runtime.options.warning == "NEXT",
        "trace": marks.tracing,
        "breaks": bool(marks.breakpoints),
    }
    assert " ".join(name for name, there in found.items() if there) == kept


SHINING = """100 CALL CHAR(65,"FF",130,"0F"):: CALL COLOR(5,7,12):: CALL SCREEN(6):: CALL MAGNIFY(2)
110 CALL SPRITE(#1,65,7,50,60,10,0):: CALL KEY(3,K,S)
"""


def picture(console: Console) -> tuple[bytes, bytes, bytes, int]:
    vdp, keyboard = console.machine.vdp, console.machine.keyboard
    patterns = bytes(vdp.ram[0x508:0x510] + vdp.ram[0x710:0x718])
    return patterns, bytes(vdp.ram[0x800:0x820]), bytes(vdp.registers), keyboard.mapping


@pytest.mark.parametrize("again", ["RUN 200", 'RUN "DSK1.X"'])
def test_run_in_a_program_keeps_the_picture(again: str) -> None:
    console = console_with(f"{SHINING}120 {again}\n200 GOTO 200\n", X="10 GOTO 10\n")
    console.start()
    while console.machine.sprites.row_and_column(0) == (0, 0):
        console.wait(1)
    console.wait(20)
    before = picture(console)
    lit = console.sprite(1)[0]
    console.wait(120)
    assert picture(console) == before
    assert console.sprite(1)[0] > lit
    console.press("CLEAR")
    assert picture(console)[0] == Console().machine.vdp.ram[0x508:0x510] + bytes((0x0F, *bytes(7)))
    assert picture(console)[1:] == picture(Console())[1:]


def test_sprites_move_while_a_program_loads() -> None:
    long = "".join(f"{n} REM {'X' * 60}\n" for n in range(20, 150))
    loaded = f"10 CALL POSITION(#1,Y,X):: PRINT Y\n{long}"
    console = console_with(f'{SHINING}120 RUN "DSK1.X"\n', X=loaded)
    console.run()
    frames = console.computer.workspace.store.loading_cycles // FRAME
    assert frames > 40
    row = console.variables["Y"]
    assert isinstance(row, int)
    assert row >= 50 + frames * 10 // 16


def test_starting_while_a_program_runs_begins_with_a_clean_picture() -> None:
    console = console_with(f"{SHINING}120 GOTO 120\n")
    fresh = picture(console)
    console.run(seconds=3)
    assert console.running
    assert picture(console) != fresh
    console.load(Program.from_listing("10 GOTO 10\n"))
    console.start()
    assert picture(console)[1:] == fresh[1:]


TRAPPED = """100 A=7:: ON ERROR 200:: GOSUB 110
105 PRINT "BACK":: END
110 RUN "DSK1.NONE"
120 PRINT "AFTER":: RETURN
200 PRINT "CAUGHT"
210 {}
"""


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("PRINT A", ["* SYNTAX ERROR IN 210"]),
        ("A=5", ["* SYNTAX ERROR IN 210"]),
        ("CALL CLEAR", ["* SUBPROGRAM NOT FOUND", "IN 210"]),
        ("RETURN NEXT", ["AFTER", "* RETURN WITHOUT GOSUB", "IN 120"]),
        ("RETURN 105", ["BACK", "* READY *"]),
        ('ON ERROR 220:: PRINT "A"+1\n220 PRINT "AGAIN"', ["AGAIN", "* READY *"]),
        ("GOSUB 220:: END\n220 PRINT 5:: RETURN", ["5", "* READY *"]),
        ("RUN 105", ["BACK", "* READY *"]),
    ],
)
def test_a_trapped_failing_run_leaves_a_program_without_names(
    statement: str, rows: list[str]
) -> None:
    console = console_with(TRAPPED.format(statement))
    console.run()
    assert full_rows(console) == ["CAUGHT", *rows, ">"]
    console.command("A=A+1::PRINT A")
    assert full_rows(console)[-2:] == ["1", ">"]


def test_statements_without_names_are_counted() -> None:
    image = DiskImage.new()
    console = Console({"DSK1": image}, watched=True)
    console.load(Program.from_listing(TRAPPED.format('PRINT "HERE"')))
    console.run()
    assert console.reached == {100, 110, 200, 210}


def test_a_run_of_a_damaged_program_cannot_be_caught() -> None:
    console = console_with(TRAPPED.format("END").replace("NONE", "BAD"))
    console.run()
    assert full_rows(console) == ["* I/O ERROR 50 IN 110", ">"]
    assert console.program is None


def test_a_break_without_names_goes_on_without_names() -> None:
    console = console_with(TRAPPED.format("BREAK\n220 PRINT 5\n230 PRINT A"))
    console.run()
    console.command("CON")
    assert full_rows(console)[-3:] == ["5", "* SYNTAX ERROR IN 230", ">"]


def test_con_after_res_goes_on_under_the_new_numbers() -> None:
    console = console_with(
        '100 A=5\n101 CALL S(A)\n102 GOTO 103\n103 PRINT VAL("X")\n'
        "110 SUB S(X)\n111 BREAK\n112 PRINT X\n113 SUBEND\n"
    )
    console.run()
    assert console.stopped_at == 111
    for typed in ("RES 10,10", "BREAK 40", "CON"):
        console.command(typed)
    assert full_rows(console)[-3:] == ["5", "* BREAKPOINT IN 40", ">"]
    console.command("CON")
    assert full_rows(console)[-2:] == ["* BAD ARGUMENT IN 40", ">"]


def test_a_typed_loop_leaves_the_stack_as_long_as_it_was() -> None:
    listing = "100 FOR I=1 TO 9\n110 BREAK\n120 NEXT I\n130 PRINT I\n"
    console = console_with(listing)
    console.run()
    for typed in ("FOR I=1 TO 2::NEXT I", "FOR J=1 TO 2::X=SQR(-1)::NEXT J", "CON"):
        console.command(typed)
    assert full_rows(console)[-3:] == ["4", "* READY *", ">"]


def test_a_typed_loop_that_fails_leaves_nothing_on_the_stack() -> None:
    console = console_with("100 END\n")
    console.run()
    console.command("FOR J=1 TO 2::X=SQR(-1)::NEXT J")
    assert console.execution is not None
    assert not console.execution.frames
    console.command("TRACE")


def test_con_after_a_refused_line_is_told() -> None:
    console = console_with("100 BREAK\n110 PRINT 1\n")
    console.run()
    console.command("RETURN")
    console.command("CON")
    assert full_rows(console)[-2:] == ["* SYNTAX ERROR", ">"]
    assert [remark for remark in console.remarks if "title screen" in remark]
    console.command("CON")
    assert full_rows(console)[-2:] == ["* CAN'T CONTINUE", ">"]


def test_a_line_that_runs_mends_what_a_refused_one_has_spoilt() -> None:
    console = console_with("100 BREAK\n110 PRINT 1\n")
    console.run()
    for typed in ("RETURN", "A=5", "CON"):
        console.command(typed)
    assert full_rows(console)[-3:] == ["1", "* READY *", ">"]
    assert not console.remarks


def test_trace_shows_a_line_once_where_a_breakpoint_stops() -> None:
    console = console_with("100 TRACE\n110 BREAK 120\n120 PRINT 1\n130 END\n")
    console.run()
    console.command("CON")
    text = " ".join(full_rows(console))
    assert text.index("<120>") < text.index("* BREAKPOINT IN 120") < text.index("<130>")
    assert text.count("<120>") == 1


def test_a_save_that_fails_leaves_a_copy_in_video_memory() -> None:
    console = console_with("100 A=5\n")
    console.run()
    console.command("SAVE DSK9.S")
    console.command("SIZE")
    assert f"{11840 - 11} BYTES OF STACK FREE" in full_rows(console)
    console.command("B=1")
    console.command("SIZE")
    assert f"{11840 - 11 - 9} BYTES OF STACK FREE" in full_rows(console)
    console.command("OLD DSK1.NONE")
    console.command("SIZE")
    assert "11840 BYTES OF STACK FREE" in full_rows(console)


def test_call_files_counts_from_new_on() -> None:
    console = console_with("100 END\n")
    console.run()
    for typed in ("CALL FILES(5)", "SIZE", "NEW", "SIZE"):
        console.command(typed)
    assert f"{11840 - 2 * 518} BYTES OF STACK FREE" in full_rows(console)
    for number in range(1, 7):
        console.command(f'OPEN #{number}:"DSK1.F{number}",OUTPUT')
    assert full_rows(console)[-2:] == ["* I/O ERROR 04", ">"]
    assert console.computer.workspace.runtime.files.memory() > 5 * 80
    console.command("CALL FILES(10)")
    assert full_rows(console)[-2:] == ["* SYNTAX ERROR", ">"]


def test_call_files_in_a_program_is_not_found() -> None:
    console = console_with("100 CALL FILES(1)\n")
    console.run()
    assert str(console.error) == "SUBPROGRAM NOT FOUND IN 100"
