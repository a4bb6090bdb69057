"""The debugger's commands: stops, steps forward and back, what is shown, mistakes."""

import signal
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.debug.debugsession import BUG, answers, recipe, session
from ti99tools import DiskImage, Program
from ti99tools.app.debug.debugging import Recipe
from ti99tools.app.debug.timeline import Timeline
from ti99tools.app.run import RunRequest
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.debug.command_table import COMMANDS, command_named
from ti99tools.fronts.debug.commands import TerminalFront
from ti99tools.games.making.artefacts import program_file


def place(rows: list[str]) -> str:
    """Line and level of the last stop in some rows."""
    found = [row for row in rows if ", statement " in row]
    return found[-1].partition(", statement ")[0].rpartition("/")[2]


def test_stepping_back_over_a_bug(tmp_path: Path) -> None:
    replies = answers(
        recipe(tmp_path / "bug.xb", BUG),
        "continue",
        "print BEST",
        "watch BEST",
        "back continue",
        "print S",
        "back",
        "back",
        "print I",
        "print 4-I",
        "where",
    )
    assert replies[0][0] == "the program begins"
    assert place(replies[0]) == "bug.xb:3"
    assert replies[1][0] == "the program ended"
    assert place(replies[1]) == "bug.xb:10"
    assert replies[2] == ["BEST = 9.99999E+**"]
    assert replies[4][0] == ("a watched value changes: BEST: 100 to 9.99999E+**, by this statement")
    assert place(replies[4]) == "bug.xb:15 in GOSUB"
    assert replies[4][2] == ">   15 |     BEST=S"
    assert replies[5] == ["S = 9.99999E+**"]
    assert place(replies[7]) == "bug.xb:13 in GOSUB"
    assert (replies[8], replies[9]) == (["I = 4"], ["4-I = 0"])
    assert [row.rpartition("/")[2] for row in replies[10]] == [
        "bug.xb:13 (line 110) GOSUB",
        "bug.xb:5 (line 100) program",
    ]


def test_every_pace_has_its_way_back(tmp_path: Path) -> None:
    of = recipe(tmp_path / "bug.xb", BUG)
    replies = answers(
        of,
        "next",
        "next",
        "step",
        "back",
        "next",
        "back over",
        "step",
        "out",
        "step",
        "step",
        "step",
        "back out",
        "back",
        "step",
        "step",
        "out",
    )
    assert [place(rows) for rows in replies] == [
        "bug.xb:3",
        "bug.xb:4",
        "bug.xb:5",
        "bug.xb:13 in GOSUB",
        "bug.xb:5",
        "bug.xb:6",
        "bug.xb:5",
        "bug.xb:13 in GOSUB",
        "bug.xb:6",
        "bug.xb:7",
        "bug.xb:20 in SUB SHOW",
        "bug.xb:21 in SUB SHOW",
        "bug.xb:7",
        "bug.xb:6",
        "bug.xb:7",
        "bug.xb:20 in SUB SHOW",
        "bug.xb:8",
    ]


def test_each_statement_back_is_the_one_before(tmp_path: Path) -> None:
    """Forward to the end and all the way back: the same places, the same variables."""
    count = 30
    commands = ["step", "vars"] * count + ["back", "vars"] * count
    replies = answers(recipe(tmp_path / "bug.xb", BUG), *commands)
    places = [place(rows) for rows in replies[1::2]]
    values = replies[2::2]
    assert places[count:] == [*reversed(places[: count - 1]), "bug.xb:3"]
    assert values[count:-1] == list(reversed(values[: count - 1]))


def test_breakpoints(tmp_path: Path) -> None:
    of = recipe(tmp_path / "bug.xb", BUG)
    replies = answers(
        of,
        "break :13 if I=4",
        "break bug.xb:15",
        "c",
        "c",
        "c",
        "c",
        "back c",
        "delete 1",
        "points",
        "delete",
        "c",
        "back c",
    )
    assert replies[1] == [
        "breakpoint 1: " + str(tmp_path / "bug.xb") + ":13 if I=4",
        "    13 |   S=INT(100/(4-I))",
    ]
    stops = [rows[0] for rows in replies[3:8]]
    assert stops[:3] == ["a breakpoint: breakpoint 2"] * 3
    assert stops[3:] == ["a breakpoint: breakpoint 1, I=4", "a breakpoint: breakpoint 2"]
    assert len(replies[9]) == 1
    assert "breakpoint 2" in replies[9][0]
    assert replies[11][0] == "the program ended"
    assert replies[12][0] == "the program begins: there is nothing to stop at before"


def test_a_line_without_a_statement_means_the_next_one(tmp_path: Path) -> None:
    text = "! a remark\n\nN=1\n! another\nIF N THEN\n  N=2\nEND IF\nPRINT N\n"
    replies = answers(recipe(tmp_path / "p.xb", text), "break :1", "break :4", "break :7", "c")
    assert [rows[0].rpartition(":")[2] for rows in replies[1:4]] == ["3", "5", "8"]
    assert place(replies[4]) == "p.xb:5", "the first one is where it stood"


def test_breakpoints_by_the_numbers_of_a_listing(tmp_path: Path) -> None:
    text = "100 A=1\n110 B=2 :: C=3\n120 IF A=1 THEN D=4 ELSE D=5\n130 END\n"
    replies = answers(recipe(tmp_path / "p.bas", text), "break 110", "c", "step", "step", "step")
    assert [place(rows) for rows in replies[2:]] == [
        "p.bas:2 (1 of 2)",
        "p.bas:2 (2 of 2)",
        "p.bas:3 (1 of 3)",
        "p.bas:3 (2 of 3)",
    ]


def test_a_watch_stops_where_a_value_changed(tmp_path: Path) -> None:
    text = "A=1\nB=A\nCALL S(A)\nC=A\nSUB S(X)\n  A=9\n  X=2\nSUBEND\n"
    replies = answers(recipe(tmp_path / "p.xb", text), "step", "watch A", "c", "c")
    assert replies[2] == ["watching A = 1"]
    assert replies[3][0] == "a watched value changes: A: 1 to 2", "not the SUB's own A"
    assert place(replies[3]) == "p.xb:8 in SUB S", "by reference"
    assert replies[4][0] == "the program ended"


def test_a_break_of_the_program_is_told(tmp_path: Path) -> None:
    replies = answers(recipe(tmp_path / "p.xb", "A=1\nBREAK\nA=2\n"), "c")
    assert replies[1][0] == "the program ended: a break stopped it"


def test_a_warning_that_stops_the_program_is_told(tmp_path: Path) -> None:
    source = recipe(tmp_path / "p.xb", "ON WARNING STOP\nA=1E99*1E99\nA=2\n")
    assert (
        answers(source, "c")[1][0] == "the program ended: the warning NUMERIC OVERFLOW stopped it"
    )


def test_keys_are_given_and_given_again(tmp_path: Path) -> None:
    text = 'INPUT "NAME? ":N$\nPRINT "HI ";N$\nINPUT A\nPRINT A+1\n'
    replies = answers(
        recipe(tmp_path / "p.xb", text),
        "c",
        "c",
        r"type BOB\n",
        r"type 41\n",
        "print A",
        "restart",
        "c",
        "print N$&STR$(A)",
        "restart",
        "c",
    )
    assert replies[1][0] == "the program waits for a key"
    assert replies[2][0] == "the program waits for a key: give it one"
    assert replies[3][0] == "the program waits for a key"
    assert replies[4][0] == "the program ended"
    assert replies[5] == ["A = 41"]
    assert replies[7][0] == "the program ended", "what was typed is typed again"
    assert replies[8] == ['N$&STR$(A) = "BOB41"']


def test_the_way_back_leads_past_waits_where_keys_were_given(tmp_path: Path) -> None:
    of = recipe(tmp_path / "game.xb", "again: INPUT N\nT=T+N\nIF N THEN again\n")
    keys = [r"type 5\n", r"type 6\n", "continue", r"type 0\n", "continue"]
    lines = session(of, "watch T", "continue", *keys, *["back continue"] * 3)
    stops = [row for row in lines if row.startswith(("a watched", "the program"))]
    assert stops[-4:] == [
        "the program ended",
        "a watched value changes: T: 5 to 11, by this statement",
        "a watched value changes: T: 0 to 5, by this statement",
        "the program begins: there is nothing to stop at before",
    ]


def test_a_value_is_set_and_set_again(tmp_path: Path) -> None:
    replies = answers(
        recipe(tmp_path / "bug.xb", BUG),
        "break :15 if I=4",
        "c",
        "set S=I*50",
        "set high(2)=-1",
        "c",
        "print BEST",
        "restart",
        "delete",
        "c",
        "print BEST+HIGH(2)",
        "back c",
        "set BEST=99",
        'set BEST="X"',
        "set BEST",
        "c",
        "print BEST",
    )
    assert replies[3] == ["S = 200"]
    assert replies[4] == ["high(2) = -1"]
    assert replies[6] == ["BEST = 200"]
    assert replies[10] == ["BEST+HIGH(2) = 199"], "the same course again"
    assert replies[12] == ["BEST = 99"]
    assert "holds numbers" in replies[13][0]
    assert "write set X=5" in replies[14][0]
    assert replies[16] == ["BEST = 9.99999E+**"], "another course, without what came later"


def test_a_byte_of_memory_is_watched(tmp_path: Path) -> None:
    text = "CALL INIT\nCALL LOAD(9460,7)\nA=1\n"
    replies = answers(recipe(tmp_path / "p.xb", text), "watch >24F4", "c", "print V>0000", "back c")
    assert replies[1] == ["watching >24F4 = 0"]
    assert replies[2][0] == "a watched value changes: >24F4: 0 to 7"
    assert place(replies[2]) == "p.xb:3"
    assert replies[3] == ["V>0000 = 128"]
    assert replies[4][0].endswith("by this statement")
    assert place(replies[4]) == "p.xb:2"


def test_other_keys_in_the_past_make_another_course(tmp_path: Path) -> None:
    text = "INPUT N$\nA=LEN(N$)\nINPUT M$\n"
    replies = answers(
        recipe(tmp_path / "p.xb", text),
        "c",
        r"type BOB\n",
        r"type X\n",
        "restart",
        r"type ANNA\n",
        "c",
        "print N$",
        "print A",
    )
    assert replies[5][0] == "the keys are queued"
    assert replies[6][0] == "the program waits for a key"
    assert replies[7:] == [['N$ = "ANNA"'], ["A = 4"]]


def test_an_error_is_stepped_back_from(tmp_path: Path) -> None:
    text = "FOR I=1 TO 3\n  CALL HCHAR(3-I,1,65)\nNEXT I\n"
    replies = answers(recipe(tmp_path / "p.xb", text), "c", "back", "print 3-I", "back over", "c")
    assert replies[1][0].startswith("the program stopped with an error: BAD VALUE IN 1")
    assert place(replies[1]) == "p.xb:2"
    assert replies[1][1].endswith("after this statement")
    assert place(replies[2]) == "p.xb:2"
    assert replies[3] == ["3-I = 0"]
    assert place(replies[4]) == "p.xb:3"
    assert replies[5][0] == replies[1][0]


def test_the_screen_and_the_source(tmp_path: Path) -> None:
    text = 'CALL CLEAR\nDISPLAY AT(2,3):"HELLO"\nN=1\n'
    replies = answers(recipe(tmp_path / "p.xb", text), "n", "n", "screen", "list", "list :1")
    assert replies[3][2] == "|    HELLO                       |"
    assert len(replies[3]) == 26
    assert replies[4] == ["     1 | CALL CLEAR", '     2 | DISPLAY AT(2,3):"HELLO"', ">    3 | N=1"]


def test_a_program_without_a_source_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "p.bin"
    path.write_bytes(Program.from_listing("100 A=1\n110 B=2\n").to_program_bytes())
    replies = answers(Recipe.of(str(path), RunRequest(max_seconds=60.0)), "break 110", "c", "list")
    assert replies[2][-1] == "> 110 B=2"
    assert replies[3] == ["  100 A=1", "> 110 B=2"]


def test_a_game_on_a_disk_begins_where_its_source_does() -> None:
    of = Recipe.of("d5000", RunRequest(seed=7))
    replies = answers(of, "where", "c")
    assert "d5000.xb:" in replies[1][0], "not in LOAD, which loads it"
    assert replies[2][0] == "the program waits for a key"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("contiune", "no command contiune; did you mean continue?"),
        ("xyzzy", "no command xyzzy; help lists the commands"),
        ("w", None),
        ("re", None),
        ("l :99", "no statement is there or further down; lines with statements are 3 to 22"),
        ("break other.xb:3", "not a file of this program"),
        ("break bog.xb:3", "did you mean bug.xb?"),
        ("break 105", "the program has no line 105; the nearest one is 100"),
        ("break 7", "the nearest one is 100; :7 means row 7 of the source"),
        ("break here", "here is no place; write game.xb:12, :12"),
        ("break :3 when I", "write break :12 if X>3"),
        ("break :3 if I+", "I+ is not an expression"),
        ("delete 3", "no breakpoint 3; there is none"),
        ("delete x", "x is not the number of a breakpoint; points lists them"),
        ("unwatch X", "X is not watched; nothing is watched"),
        ("print", "nothing to print; write print X"),
        ("print BESTT", "no variable BESTT; did you mean BEST?"),
        ("vars BESTT", "no variable BESTT here; did you mean BEST?"),
        ("back ward", "write back, back over, back out or back continue"),
        ("back", "there is nothing before"),
        ("type", r"no keys are given; write type BOB\n"),
        ("type \\x", "unknown: \\x"),
        ("help stap", "did you mean step?"),
        ("points", "no breakpoints, no watches; break :12 and watch X make some"),
    ],
)
def test_mistakes_say_what_to_do(tmp_path: Path, command: str, says: str | None) -> None:
    replies = answers(recipe(tmp_path / "bug.xb", BUG), command)
    assert says is None or any(says in row for row in replies[1]), replies[1]


FUNCTIONS = """N=3
A$="HELLO"
DEF F(X)=X*2
END
"""


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        *[("LEN(A$)", "5"), ('LEN("")', "0"), ("ASC(A$)", "72"), ("SEG$(A$,2,2)", '"EL"')],
        *[('POS(A$,"L",1)', "3"), ("STR$(N)", '"3"'), ('VAL("12")', "12"), ("CHR$(65)", '"A"')],
        *[("RPT$(A$,2)", '"HELLOHELLO"'), ("ABS(-N)", "3"), ("SGN(N)", "1"), ("INT(2.5)", "2")],
        *[("SQR(9)", "3"), ("EXP(0)", "1"), ("LOG(1)", "0"), ("SIN(0)", "0"), ("COS(0)", "1.")],
        *[("TAN(0)", "0"), ("ATN(0)", "0"), ("MAX(1,N)", "3"), ("MIN(1,N)", "1"), ("F(N)", "6")],
        *[("LEN(A$)>4", "-1"), ("PI", "3.141592654"), ("REC(1)", "0"), ("NOT N", "-4")],
    ],
)
def test_every_function_is_known(tmp_path: Path, expression: str, value: str) -> None:
    of = recipe(tmp_path / "f.xb", FUNCTIONS)
    replies = answers(of, "break :4", "c", f"print {expression}", f"watch {expression}")
    assert replies[3] == [f"{expression} = {value}"]
    assert replies[4] == [f"watching {expression} = {value}"]


def test_commands_by_their_beginnings() -> None:
    assert command_named("cont").name == "continue"
    assert command_named("N").name == "next"
    for command in COMMANDS:
        assert command_named(command.name) is command
    names = [name for command in COMMANDS for name in (command.name, *command.others)]
    assert len(names) == len(set(names))


def test_an_empty_line_does_the_last_step_again(tmp_path: Path) -> None:
    replies = answers(recipe(tmp_path / "bug.xb", BUG), "step", "", "print I", "", "back", "")
    stops = [place(rows) for rows in (replies[1], replies[2], replies[5], replies[6])]
    assert stops == ["bug.xb:4", "bug.xb:5", "bug.xb:4", "bug.xb:3"]
    assert replies[4] == [], "looking is not done again"


def test_help_names_every_command(tmp_path: Path) -> None:
    rows = session(recipe(tmp_path / "bug.xb", BUG), "help")
    for command in COMMANDS:
        assert any(row.startswith(f"  {command.name}") for row in rows)


def test_help_for_one_command_shows_examples(tmp_path: Path) -> None:
    rows = session(recipe(tmp_path / "bug.xb", BUG), "help b")
    assert "  Examples: break, break :12, break game.xb:12 if X>3, break 120." in rows


def test_names_are_completed(tmp_path: Path) -> None:
    """Of commands everywhere, of variables where an expression is expected."""
    of = recipe(tmp_path / "bug.xb", BUG)
    front = TerminalFront(StringIO("c\nq\n"), StringIO(), of.main)
    front.timeline = Timeline(of.begin, front)
    assert front.completenames("re") == ["restart"]
    found = []

    def look() -> bool:
        found.append(front.completedefault("be", "p be", 2, 4))
        found.append(front.completedefault("be", "type be", 5, 7))
        return False

    front.preloop = look  # type: ignore[assignment]
    front.timeline.run()
    assert found[2:] == [["BEST"], []]


def test_what_cannot_be_debugged_is_told(tmp_path: Path) -> None:
    def refusal(*arguments: str) -> str:
        result = CliRunner().invoke(cli, ["debug", *arguments], input="q\n")
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        return result.stderr

    disk = tmp_path / "d.dsk"
    image = DiskImage.new(name="D")
    image.add(program_file(Program.from_listing("100 END"), "ONE"))
    image.save(disk)
    assert refusal(str(disk)).endswith(f"name one: ti99tools debug {disk} ONE\n")
    assert "write ti99tools debug game.xb" in refusal()
    assert "leave out x.xb" in refusal("--dap", "x.xb")
    assert "no such file, and no such game" in refusal("none.xb")
    wrong = tmp_path / "wrong.xb"
    wrong.write_text("PRNT 1\n")
    assert "did you mean PRINT?" in refusal(str(wrong))


def test_a_program_that_never_begins(tmp_path: Path) -> None:
    of = recipe(tmp_path / "p.bas", "100 FOR I=1 TO 3\n")
    replies = answers(of, "where", "vars", "print I", "back", "restart", "list", "c")
    why = "FOR-NEXT NESTING IN 100 (FOR I has no NEXT: write NEXT I)"
    assert replies[0] == [f"the program stopped with an error: {why}"]
    assert replies[1] == []
    assert replies[2] == ["no variables"]
    assert replies[3] == ["no program runs; go back, or restart"]
    assert "there is nothing before" in replies[4][0]
    assert "there is nothing before" in replies[5][0]
    assert replies[6] == ["     1 | 100 FOR I=1 TO 3"]


@pytest.mark.parametrize("command", [["debug"], ["run", "--debug"]])
def test_the_command_line(tmp_path: Path, command: list[str]) -> None:
    path = tmp_path / "bug.xb"
    path.write_text(BUG)
    result = CliRunner().invoke(cli, [*command, str(path)], input="break :15\nc\nq\n")
    assert result.exit_code == 0, result.output
    assert "a breakpoint: breakpoint 1" in result.stdout
    for option in (["--json"], ["--wav", "x.wav"], ["--coverage", "text"]):
        refused = CliRunner().invoke(cli, ["run", "--debug", *option, str(path)])
        assert refused.exit_code == 2
        assert "leave out the others" in refused.stderr


def test_ctrl_c_stops_a_running_program(tmp_path: Path) -> None:
    path = tmp_path / "loop.xb"
    path.write_text("again:\nN=N+1\nIF N<1E9 THEN again\n")
    command = [sys.executable, "-u", "-m", "ti99tools", "debug", str(path)]
    with subprocess.Popen(
        [*command, "--max-seconds", "9999999"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("c\n")
        process.stdin.flush()
        while "(debug) c" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "a pause was asked for\n"
        rest, _ = process.communicate("print N>0\nq\n", timeout=30)
        assert "N>0 = -1" in rest
        assert process.returncode == 0


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("step 5", "step takes no 5; an empty line repeats it"),
        ("n 3", "next takes no 3; an empty line repeats it"),
        ("where now", "where takes no now; leave it out"),
    ],
)
def test_a_word_too_many_is_not_passed_over(tmp_path: Path, command: str, problem: str) -> None:
    before, after = answers(recipe(tmp_path / "bug.xb", BUG), "", command)[1:]
    assert after == [problem]
    assert before == []
