"""Command mode as the recorded sessions show it, and what the manual says beyond them."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.media.disk.image import DiskImage


class Desk:
    """A console at the prompt, with an empty disk."""

    def __init__(self) -> None:
        self.disk = DiskImage.new()
        self.console = Console({"DSK1": self.disk})
        self.console.boot()

    def type(self, *lines: str) -> None:
        """Command lines; words in angle brackets are keys, `+TEXT` is typed without ENTER."""
        for line in lines:
            if line.startswith("<"):
                self.console.press(line.strip("<>"))
            elif line.startswith("+"):
                self.console.type(line[1:])
            else:
                self.console.command(line)

    @property
    def rows(self) -> list[str]:
        """The rows below the first `* READY *`; the prompt's edge place counts."""
        rows = self.screen
        return rows[rows.index(" * READY *") + 1 :] if " * READY *" in rows else rows

    @property
    def screen(self) -> list[str]:
        """All rows, edge characters and the cursor as blanks."""
        return [row[1:30].rstrip() for row in self.console.screen.text.split("\n")]

    @property
    def listing(self) -> str:
        program = self.console.program
        return "" if program is None else program.listing()


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_lines_follow_each_other_without_empty_rows(desk: Desk) -> None:
    desk.type("110 PRINT 2", "100 PRINT 1", "LIST")
    assert desk.rows == [
        "",
        ">110 PRINT 2",
        ">100 PRINT 1",
        ">LIST",
        " 100 PRINT 1",
        " 110 PRINT 2",
        ">",
    ]


def test_statements_leave_an_empty_row(desk: Desk) -> None:
    desk.type("A=5", "PRINT A;A*2", 'PRINT "X";')
    assert desk.rows == ["", ">A=5", "", ">PRINT A;A*2", "  5  10", "", '>PRINT "X";', " X", ">"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("0 PRINT 1", ["* BAD LINE NUMBER"]),
        ("32768 PRINT 3", ["* BAD LINE NUMBER"]),
        ('100 ABCDEFGHIJKLMNO$="X"', ["* NAME TOO LONG"]),
        ("100 FOO BAR", ["* SYNTAX ERROR"]),
        ('100 PRINT "A', ["", "* UNMATCHED QUOTES"]),
        ("LIST 0", ["", "* BAD LINE NUMBER"]),
        ("RES 32768", ["", "* BAD LINE NUMBER"]),
        ("NUM 0", ["", "* BAD LINE NUMBER"]),
        ("100 GOTO 0", ["", "* BAD LINE NUMBER"]),
        ("SIZE 5", ["* SYNTAX ERROR"]),
        ("CON 5", ["* SYNTAX ERROR"]),
        ("100 NEW", ["", "* COMMAND ILLEGAL IN PROGRAM"]),
        ("PRINT NEW", ["* SYNTAX ERROR"]),
        ("CON", ["* CAN'T CONTINUE"]),
        ("OLD DSK1.NOPE", ["* I/O ERROR 02"]),
        ("OLD", ["* SYNTAX ERROR"]),
        ("MERGE FOO.X", ["* I/O ERROR 00"]),
        ("DELETE DSK1.X", ["* SYNTAX ERROR"]),
        ("PRIN 5", ["", "* SYNTAX ERROR"]),
        ("PRINT (", ["", "* SYNTAX ERROR"]),
        ("CALL HCHAR(0,0,0)", ["", "* BAD VALUE"]),
        ("GOTO 100", ["", "* ONLY LEGAL IN A PROGRAM"]),
        ("INPUT A", ["", "* ONLY LEGAL IN A PROGRAM"]),
        ("LINPUT A$", ["", "* ONLY LEGAL IN A PROGRAM"]),
        ("FOR I=1 TO 3", ["", "* FOR-NEXT NESTING"]),
        ("NEXT I", ["", "* NEXT WITHOUT FOR"]),
        ("RUN", ["", "", "* WARNING", "  NO PROGRAM PRESENT"]),
        ("RESTORE", ["", "* WARNING", "  NO PROGRAM PRESENT"]),
        ("X=1/0", ["", "* WARNING", "  NUMERIC OVERFLOW"]),
        ("DATA 1", []),
        ("", None),
    ],
)
def test_answers(desk: Desk, line: str, message: list[str] | None) -> None:
    desk.type(line)
    answer = ["", f">{line}"]
    if message is not None:
        answer += [*(f" {row}".rstrip() for row in message), ""]
    assert desk.rows == [*answer, ">"]


def test_run_of_a_missing_line(desk: Desk) -> None:
    desk.type("100 PRINT 1", "RUN 200", "RUN 100")
    assert desk.rows[2:] == [
        *(">RUN 200", "", " * LINE NOT FOUND", ""),
        *(">RUN 100", "  1", "", " * READY *", "", ">"),
    ]


def test_new_clears_screen_and_program(desk: Desk) -> None:
    desk.type("100 PRINT 1", "A=5", "NEW", "PRINT A", "LIST")
    rows = desk.console.screen.rows
    assert rows[0] == " " * 32
    assert desk.rows[:5] == ["", ">PRINT A", "  0", "", ">LIST"]


def test_break_and_continue(desk: Desk) -> None:
    desk.type("100 X=5", "110 BREAK", '120 PRINT "B";X', "RUN", "X=9", "CON", "CON")
    assert desk.rows[4:] == [
        *(">RUN", "", " * BREAKPOINT IN 110", ""),
        *(">X=9", "", ">CON", " B 9", "", " * READY *", ""),
        *(">CON", " * CAN'T CONTINUE", "", ">"),
    ]


def test_breakpoints_set_at_the_prompt(desk: Desk) -> None:
    desk.type("100 PRINT 1", "110 PRINT 2", "BREAK 110", "RUN")
    assert desk.rows[-6:] == [">RUN", "  1", "", " * BREAKPOINT IN 110", "", ">"]
    desk.type("CON")
    assert desk.rows[-5:] == ["  2", "", " * READY *", "", ">"]
    desk.type("TRACE", "RUN")
    assert desk.rows[-7:] == [">RUN", " <100> 1", " <110> 2", "", " * READY *", "", ">"]


def test_editing_a_line_forgets_where_to_continue(desk: Desk) -> None:
    desk.type("100 X=5::BREAK 110", "110 PRINT X", "RUN", "120 PRINT 2", "PRINT X", "CON")
    assert desk.rows[-7:] == [">PRINT X", "  0", "", ">CON", " * CAN'T CONTINUE", "", ">"]


def test_clear_leaves_the_line(desk: Desk) -> None:
    desk.type("+PRINT 5", "<CLEAR>", "PRINT 6")
    assert desk.rows == ["", ">PRINT 5", ">PRINT 6", "  6", "", ">"]


def test_redo_offers_the_line_again(desk: Desk) -> None:
    desk.type("PRINT 51", "<REDO>", *["<RIGHT>"] * 6, "+72\n")
    assert desk.rows[4:] == [">", " PRINT 72", "  72", "", ">"], "a line offered has no prompt"
    desk.type("+PRINT 1", "<REDO>", *["<RIGHT>"] * 8, "+\n")
    assert desk.rows[-5:] == [">PRINT 1", " PRINT 72", "  72", "", ">"], "not entered: forgotten"
    desk.type("+72", "<DOWN>", "<REDO>")
    assert desk.rows[-3:] == ["", ">", "  2"], "a number and DOWN count; the cursor is on the 7"


def test_redo_before_anything_was_typed(desk: Desk) -> None:
    desk.type("<REDO>")
    assert desk.rows[1:] == [">", ""]
    assert desk.console.screen.rows[23].startswith("\x1f\x1f")


def test_number(desk: Desk) -> None:
    desk.type("110 PRINT 5", "NUM", "PRINT 1", "", "PRINT 3", "")
    assert desk.listing == "100 PRINT 1\n110 PRINT 5\n120 PRINT 3\n"
    desk.type("NUM 200,5", "PRINT 4", "PRINT 5", "", "PRINT 6")
    assert desk.listing.endswith("200 PRINT 4\n205 PRINT 5\n")
    assert desk.rows[-4:] == [">PRINT 6", "  6", "", ">"]


def test_number_over_lines_that_are_there(desk: Desk) -> None:
    desk.type("100 PRINT 1", "110 PRINT 2", "NUM", "140 DATA 1")
    assert desk.rows[3:] == [
        *(">NUM", " 100 140 DATA 1", " * SYNTAX ERROR", "", " 100 PRINT 1"),
    ], "a refused line is offered again, and what is there has no prompt"
    desk.type("PRINT 5", "", "", "LIST")
    assert desk.rows[-6:] == [" 110 PRINT 2", ">120", ">LIST", " 100 PRINT 5", " 110 PRINT 2", ">"]


def test_number_ends_after_the_last_number(desk: Desk) -> None:
    desk.type("NUM 32760,5", "LIST", "PRINT 1", "PRINT 2")
    assert desk.rows[1:] == [
        *(">NUM 32760,5", ">32760 LIST", "", " * COMMAND ILLEGAL IN PROGRAM", ""),
        *(">32760 PRINT 1", ">32765 PRINT 2", ">"),
    ]


@pytest.mark.parametrize("key", ["<DOWN>", "<UP>"])
def test_number_takes_down_and_up_for_enter(desk: Desk, key: str) -> None:
    desk.type("100 PRINT 1", "120 PRINT 2", "NUM", key, "+PRINT 3", key, "")
    assert desk.rows[3:] == [">NUM", " 100 PRINT 1", ">110 PRINT 3", " 120 PRINT 2", ">130"]


def test_what_follows_a_listing_stands_in_a_row_of_its_own(desk: Desk) -> None:
    desk.type("100 END", "LIST", "PRINT 5", "PRINT 6")
    assert desk.rows[2:] == [
        *(">LIST", " 100 END", ">PRINT 5", "", "  5", "", ">PRINT 6", "  6", "", ">"),
    ]


def test_data_typed_after_a_run_that_met_an_image(desk: Desk) -> None:
    desk.type("100 IMAGE #", "DATA 1", "RUN", "DATA 1")
    assert desk.rows[-5:] == [">DATA 1", "", " * SYNTAX ERROR", "", ">"]
    desk.type("100 DATA 1", "RUN", "DATA 1")
    assert desk.rows[-3:] == [">DATA 1", "", ">"]


def test_down_and_up_edit_lines(desk: Desk) -> None:
    desk.type("100 PRINT 1", "110 PRINT 2", "120 PRINT 3", "+110", "<DOWN>")
    right = ["<RIGHT>"] * 6
    desk.type(*right, "+7", "<DOWN>", *right, "+8", "<UP>", "<UP>", *right, "+6\n")
    assert desk.listing == "100 PRINT 6\n110 PRINT 7\n120 PRINT 8\n"
    desk.type("+99", "<UP>")
    assert desk.rows[-3:] == [" * LINE NOT FOUND", "", ">"]


@pytest.mark.parametrize(
    ("command", "numbers"),
    [
        ("LIST", [100, 110, 120, 200]),
        ("LIST 110", [110]),
        ("LIST 115", [120]),
        ("LIST 300", [200]),
        ("LIST 110-", [110, 120, 200]),
        ("LIST -110", [100, 110]),
        ("LIST 105-150", [110, 120]),
        ("LIST 130-150", [200]),
    ],
)
def test_list(desk: Desk, command: str, numbers: list[int]) -> None:
    desk.type(*(f"{n} STOP" for n in (100, 110, 120, 200)), command)
    assert desk.rows[5:] == [f">{command}", *(f" {n} STOP" for n in numbers), ">"]


def test_list_wraps_at_28_columns(desk: Desk) -> None:
    desk.type("100 PRINT I::REM LONG LINE THAT WRAPS", "LIST")
    assert desk.rows[-3:] == [" 100 PRINT I :: REM LONG LINE", "  THAT WRAPS", ">"]


def test_save_old_merge(desk: Desk) -> None:
    desk.type('100 PRINT "A"', "SAVE DSK1.A", "NEW", "110 PRINT 2", "SAVE DSK1.M,MERGE", "NEW")
    desk.type("OLD DSK1.A", "MERGE DSK1.M", "RES 10,5")
    assert desk.listing == '10 PRINT "A"\n15 PRINT 2\n'
    assert [(f.name, f.type.label) for f in desk.disk.files()] == [
        ("A", "PROGRAM"),
        ("M", "DIS/VAR"),
    ]
    desk.type("SAVE DSK1.X,FOO")
    assert desk.rows[-3:] == [" * SYNTAX ERROR", "", ">"]


def test_a_protected_program_only_runs(desk: Desk) -> None:
    desk.type('100 PRINT "A"', "SAVE DSK1.Q,PROTECTED", "LIST", "OLD DSK1.Q")
    for line in ("LIST", "10 PRINT", "SAVE DSK1.R", "MERGE DSK1.Q", "RES", "NUM"):
        desk.type(line)
        assert desk.rows[-4:] == [f">{line}", " * PROTECTION VIOLATION", "", ">"]
    desk.type("RUN")
    assert desk.screen[-6:] == [">RUN", " A", "", " * READY *", "", ">"]


def test_size(desk: Desk) -> None:
    desk.type("SIZE")
    assert desk.rows[1:5] == [
        *(">SIZE", "   11840 BYTES OF STACK FREE", "   24488 BYTES OF PROGRAM", "     SPACE FREE"),
    ]
    desk.type('100 A$="HELLO"', "RUN", "SIZE")
    assert "   11821 BYTES OF STACK FREE" in desk.rows


def test_call_files_gives_room_after_new(desk: Desk) -> None:
    """Answers 12-6; the buffers themselves are there at once."""
    desk.type("CALL FILES(1)", "CALL PEEK(-31888,A,B)", "PRINT A;B", "SIZE")
    rows = [row.strip() for row in desk.rows if row and not row.startswith(">")]
    assert rows == [
        "59  227",
        "11810 BYTES OF STACK FREE",
        "24472 BYTES OF PROGRAM",
        "SPACE FREE",
    ]
    desk.type("NEW", 'OPEN #1:"DSK1.A",OUTPUT', 'OPEN #2:"DSK1.B",OUTPUT')
    assert "* I/O ERROR 04" in desk.console.screen.text
    desk.type("NEW", "SIZE")
    assert "12876 BYTES OF STACK FREE" in desk.console.screen.text
    desk.type("CALL FILES(3)", "NEW", "SIZE")
    assert "11840 BYTES OF STACK FREE" in desk.console.screen.text
    desk.type("100 CALL FILES(1)", "RUN")
    assert "* SUBPROGRAM NOT FOUND" in desk.console.screen.text


def test_a_line_of_140_characters(desk: Desk) -> None:
    desk.type("100 REM " + "A" * 140)
    assert desk.listing == "100 REM " + "A" * 132 + "\n"
    assert desk.rows[1:6] == [">100 REM " + "A" * 20, *[" " + "A" * 28] * 4]


def test_files_are_closed_by_editing_but_not_by_res(desk: Desk) -> None:
    desk.type(
        '100 OPEN #1:"DSK1.A",OUTPUT::PRINT #1:"X"', "110 PRINT 1/0::BREAK", "RUN", "RES 50,10"
    )
    assert desk.disk.read("A").records == ()
    desk.type("90 REM")
    assert desk.disk.read("A").records == (b"X",)


def test_what_a_typed_line_draws_does_not_outlast_it(desk: Desk) -> None:
    machine = desk.console.machine
    before = bytes(machine.vdp.registers), bytes(machine.vdp.ram[0x800:0x820])
    desk.type('CALL SCREEN(2)::CALL COLOR(1,2,3)::CALL CHAR(65,"FF")')
    assert (bytes(machine.vdp.registers), bytes(machine.vdp.ram[0x800:0x820])) == before
    assert any(machine.vdp.patterns[8 * (65 - 30) + 1 : 8 * (66 - 30)])


def test_clear_held_in_a_typed_accept_opens_one_prompt(desk: Desk) -> None:
    desk.type("ACCEPT A$")
    desk.console.hold("CLEAR")
    desk.console.wait(4)
    desk.console.release("CLEAR")
    desk.console.wait(60)
    assert desk.rows[-2:] == ["", ">"], "CLEAR is not new to the prompt"


def test_keys_are_lost_after_an_error_of_the_editor(desk: Desk) -> None:
    desk.type("+100")
    due = desk.console.clock.cycles
    for key, gap in (("UP", 4), ("A", 60), ("B", 4)):
        desk.console.hold(key)
        due += 4 * FRAME
        desk.console.advance_to(due)
        desk.console.release(key)
        due += gap * FRAME
        desk.console.advance_to(due)
    assert desk.rows[-1] == ">B"


@pytest.mark.parametrize(
    ("key", "rest", "listed", "shown"),
    [
        ("CTRL-;", '"HELLO"', '1 PRINT "HELLO"', "HELLO"),
        ("CTRL-F", "1", "1 GOTO 1", "* SYNTAX ERROR IN 1"),  # the number is no line's
        ("CTRL-D", " 1 THEN PRINT 2", "1 IF 1 THEN PRINT 2", "2"),
        ("{", "=5::PRINT 6", "1 {=5 :: PRINT 6", "6"),
    ],
)
def test_a_key_with_ctrl_after_a_line_number_is_a_token(
    desk: Desk, key: str, rest: str, listed: str, shown: str
) -> None:
    """Its code is kept as it is, and codes from 128 on are tokens: reported of the machine."""
    desk.type("+1", f"<{key}>", rest)
    assert desk.listing == f"{listed}\n"
    desk.type("RUN")
    assert shown in [row.strip() for row in desk.rows]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("", '"HELLO"', " * UNRECOGNIZED CHARACTER"),
        ("1 PRINT ", '"HELLO"', " * UNRECOGNIZED CHARACTER"),
        ("1", "A", " * SYNTAX ERROR"),  # two names side by side
    ],
)
def test_elsewhere_a_key_with_ctrl_is_refused(
    desk: Desk, before: str, after: str, message: str
) -> None:
    desk.type(f"+{before}", "<CTRL-;>", after)
    assert desk.rows[-3] == message
