"""The library for any program: its examples played with keys, and what its PROCs promise."""

import re
from pathlib import Path

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.computer.console.keyscript import parse
from ti99tools.computer.console.player import ScriptPlayer
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.language.dialect import generate
from ti99tools.language.dialect.reader import library_folder
from ti99tools.language.findings import Severity
from ti99tools.language.lint.linter import lint
from ti99tools.media.tape.cassette import Cassette

EXAMPLES = library_folder() / "examples"
ANY_KEY = 'until PRESS ANY KEY\nsnap end\ntype " "\n'
PLAYED = {
    "menu": ('wait 300\ntype "XX"\nwait 30\nsnap chosen\ntype "\\n4"\n', ["GOOD BYE"]),
    "field": ('type "CAROL-1\\n"\ntype "0\\n7\\nXY"\n', ["CAROL-1 PLAYS WITH 7 DICE", "AND SOUND"]),
    "mover": ("hold D\nwait 400\nrelease D\npress Q\n", ["GOOD BYE"]),
    "music": ("wait 900\npress Q\n", ["ROUNDS PLAYED:"]),
    "scores": ('type "ADAM\\n"\n', ["1  ADAM", "KEPT IN DSK1.BEST"]),
}
"""Keys of an example up to its end, and what stands on the screen then."""
LEADS = re.compile(r"^ +DATA >([0-9A-F]{4}),(L\d+),(\d+)$", re.MULTILINE)
"""Where the letters of leading.a99 go, their label, their bytes."""


def program(text: str) -> Program:
    return Program.from_listing(generate(text).text)


def example(name: str) -> Program:
    return Program.from_listing(generate((EXAMPLES / f"{name}.xb").read_text("utf-8")).text)


def run(text: str, script: str = "", seconds: float = 60) -> Console:
    """A program of the dialect with the keys of a script, to its end."""
    console = Console(max_seconds=seconds)
    console.load(program(text))
    console.start()
    player = ScriptPlayer(console, seconds)
    assert player.follow(parse(script, "keys")).done
    player.to_end()
    assert console.error is None, console.screen.text
    return console


@pytest.mark.parametrize("name", PLAYED)
def test_an_example_is_played_to_its_end(name: str) -> None:
    script, shown = PLAYED[name]
    console = Console(disks={"DSK1": DiskImage.new()}, max_seconds=100)
    console.load(example(name))
    console.start()
    player = ScriptPlayer(console, 100)
    end = player.follow(parse(script + ANY_KEY, name))
    assert end.done, f"{end}\n{console.screen.text}"
    last = "\n".join(player.screens["end"])
    assert all(text in last for text in shown), last
    assert player.to_end().done
    assert console.error is None
    assert not console.running


def test_the_letters_are_shown_one_set_after_the_other() -> None:
    console = Console(max_seconds=60)
    console.load(example("fonts"))
    console.machine.keyboard.type("     ")
    assert console.run() == "ready"


def test_scores_go_to_a_cassette_and_back() -> None:
    tape = Cassette()
    console = Console(connected={"CS1": tape})
    console.load(example("tape"))
    console.machine.keyboard.type("\n" * 6)
    assert console.run() == "ready"
    assert "BEST: 120  95  80" in console.screen.text
    assert tape.recorded == 1


def test_every_example_is_tested() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.xb")} == {*PLAYED, "fonts", "tape"}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.xb")), ids=lambda path: path.stem)
def test_lint_finds_no_error_in_them(path: Path) -> None:
    lines = example(path.stem).lines
    findings = lint((line.number, line.tokens) for line in lines)
    assert [each for each in findings if each.severity is Severity.ERROR] == []


# -- menu --------------------------------------------------------------------------------

MENU = "{}#include <menu.xb>\nRESTORE c\nCALL MENU(8,7,CHOICE)\nEND\nc: DATA 3,PLAY,RULES,LEAVE\n"


@pytest.mark.parametrize(
    ("keys", "choice"),
    [
        ("\\n", 1),
        (" ", 1),
        ("X\\n", 2),
        ("XXX\\n", 1),
        ("E\\n", 3),
        ("EEXX\\n", 1),
        ("2", 2),
        ("3", 3),
        ("40X\\n", 2),
    ],
)
def test_a_menu_gives_the_line_chosen(keys: str, choice: int) -> None:
    console = run(MENU.format(""), f'type "{keys}"\n')
    assert console.variables["CHOICE"] == choice
    assert sum(">" in row for row in console.screen.rows[:18]) == 1


def test_a_menu_takes_arrows_and_a_joystick() -> None:
    assert (
        run(MENU.format(""), "press DOWN\npress DOWN\npress UP\npress ENTER").variables["CHOICE"]
        == 2
    )
    script = (
        "wait 200\njoystick 1 DOWN\nwait 12\njoystick 1 CENTER\nwait 30\njoystick 1 FIRE\nwait 20\n"
    )
    console = run(MENU.format("CONST MENUSTICK=1\n"), script)
    assert console.variables["CHOICE"] == 2
    assert (
        run(MENU.format("CONST MENUSTICK=1\n"), 'type "XX"\npress ENTER').variables["CHOICE"] == 3
    )


# -- fields ------------------------------------------------------------------------------


def test_a_field_has_its_default_its_length_and_its_characters() -> None:
    call = '#include <field.xb>\nCALL FIELD(5,5,4,{},"BOB",N$)\nEND\n'
    assert run(call.format("CAPITALS$"), 'type "\\n"').variables["N$"] == "BOB"
    assert run(call.format("CAPITALS$"), 'type "A1B\\n"').variables["N$"] == "ABB"
    assert run(call.format('""'), 'type "?-!*\\n"').variables["N$"] == "?-!*"
    script = 'press ERASE\ntype "\\n"\nwait 30\ntype "ANNAX\\n"'
    assert run(call.format("CAPITALS$"), script).variables["N$"] == "ANNX"


def test_a_number_outside_its_bounds_is_asked_for_again() -> None:
    call = "#include <field.xb>\nCALL NUMBERFIELD(5,5,{},{},{},N)\nEND\n"
    assert run(call.format(1, 12, 4), 'type "\\n"').variables["N"] == 4
    script = 'type "13\\n"\nwait 60\ntype "12\\n"'
    assert run(call.format(1, 12, 4), script).variables["N"] == 12
    script = 'press ERASE\ntype "-\\n"\nwait 60\ntype "-9\\n"'
    assert run(call.format(-10, 10, 4), script).variables["N"] == -9
    script = 'type "1-2\\n"\nwait 60\ntype "1  \\n"'
    assert run(call.format(-10, 10, 4), script).variables["N"] == 1


def test_yes_and_no() -> None:
    call = "#include <field.xb>\nCALL YESNO(5,5,YES)\nEND\n"
    assert run(call, 'type "AY"').variables["YES"] == 1
    assert run(call, 'type "1N"').variables["YES"] == 0


def test_a_key_that_is_down_before_yes_or_no_is_asked_is_no_answer() -> None:
    busy = "#include <field.xb>\nFOR I=1 TO 200\nNEXT I\nCALL YESNO(5,5,YES)\nEND\n"
    assert run(busy, 'tap Y hold 120\nwait 30\ntype "N"').variables["YES"] == 0


# -- sprites -----------------------------------------------------------------------------

STEER = (
    "#include <mover.xb>\nCALL SPRITE(#1,42,2,90,120)\n"
    "REPEAT\n  CALL STEER(1,16)\nUNTIL FIRE\nCALL POSITION(#1,ROW,COL)\nEND\n"
)


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        ("E", (2, 120), (25, 120)),
        ("X", (153, 120), (182, 120)),
        ("S", (90, 8), (90, 33)),
        ("D", (90, 209), (90, 236)),
        ("W", (2, 8), (26, 34)),
        ("C", (153, 190), (182, 236)),
    ],
)
def test_a_steered_sprite_stops_at_the_field(
    key: str, low: tuple[int, int], high: tuple[int, int]
) -> None:
    console = run(STEER, f"wait 200\nhold {key}\nwait 400\nrelease {key}\nwait 60\npress Q\n")
    at = console.variables["ROW"], console.variables["COL"]
    assert all(a <= int(str(b)) <= c for a, b, c in zip(low, at, high, strict=True)), at


def test_a_joystick_steers_and_rest_is_rest() -> None:
    script = "wait 200\njoystick 1 RIGHT\nwait 60\njoystick 1 CENTER\nwait 60\n"
    console = run(STEER, script + "joystick 1 FIRE\nwait 60\n")
    assert console.variables["ROW"] == 90
    assert 150 < int(str(console.variables["COL"])) < 210


def test_a_bouncing_sprite_stays_on_the_field() -> None:
    text = (
        "CONST BOUNCES=2\n#include <mover.xb>\nCALL SPRITE(#2,42,2,90,120)\n"
        "CALL LAUNCH(2,11,-20)\nTOP=99\nLEFT=99\nFOR I=1 TO 150\n  CALL BOUNCE(2)\n"
        "  CALL POSITION(#2,R,C)\n  TOP=MIN(TOP,R)\n  BOTTOM=MAX(BOTTOM,R)\n"
        "  LEFT=MIN(LEFT,C)\n  RIGHT=MAX(RIGHT,C)\nNEXT I\nEND\n"
    )
    seen = run(text, seconds=120).variables
    bounds = [int(str(seen[name])) for name in ("TOP", "LEFT", "BOTTOM", "RIGHT")]
    assert bounds[0] in range(8, 26)
    assert bounds[1] in range(8, 34)
    assert bounds[2] in range(153, 180)
    assert bounds[3] in range(209, 240)


def test_the_sprite_that_is_touched() -> None:
    text = (
        "#include <mover.xb>\nCALL SPRITE(#1,42,2,90,120,#2,42,2,90,140,#3,42,2,95,{})\n"
        "CALL TOUCHED(1,2,3,8,WHICH)\nEND\n"
    )
    assert run(text.format(125)).variables["WHICH"] == 3
    assert run(text.format(200)).variables["WHICH"] == 0


# -- music -------------------------------------------------------------------------------


def notes(text: str, seconds: float = 30) -> list[float]:
    """The frames at which a program's notes begin."""
    console = Console(max_seconds=seconds)
    console.load(program(text))
    console.start()
    begins: list[float] = []
    before = 0
    while console.running and console.clock.seconds < seconds:
        console.wait(1)
        written = len(console.sound.written)
        if written > before:
            if bytes(console.sound.written[before:written]).count(0x9F) == 0:
                begins.append(console.clock.cycles / FRAME)
            before = written
    return begins


@pytest.mark.parametrize("work", ["", "CALL HCHAR(1,1,42,260)\n", "FOR J=1 TO 60\nNEXT J\n"])
def test_a_tune_keeps_its_tempo_whatever_the_program_does(work: str) -> None:
    text = (
        '#include <music.xb>\nCALL TUNE("M2O2Q2R2",15)\nFOR I=1 TO {}\nCALL MUSIC\n{}NEXT I\nEND\n'
    )
    begins = notes(text.format(60 if work else 150, work))[:12]
    assert len(begins) >= 8
    first = begins[0]
    # Thirty sixtieths each; a note begins at most a round late, and lateness does not add up.
    late = [at - first - 30 * n for n, at in enumerate(begins)]
    assert all(-16 <= each <= 30 for each in late), late


def test_a_tune_ends_once_and_rests_are_silent() -> None:
    text = '#include <music.xb>\nCALL TUNE("M1 2O1",20)\nFOR I=1 TO 60\nCALL MUSIC\nNEXT I\nEND\n'
    once = notes("CONST ONCE=1\n" + text)
    assert len(once) == 2
    assert 50 < once[1] - once[0] < 75
    assert len(notes(text)) > 2
    assert notes(text.replace('"M1 2O1"', '""')) == []


# -- letters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "name", "codes"),
    [
        ("lower", "LOWERCASE", range(97, 123)),
        ("sixdot", "SIXDOT", (*range(48, 58), *range(65, 91))),
        ("bold", "BOLD", (*range(48, 58), *range(65, 91))),
    ],
)
def test_letters_are_drawn_anew_and_differ(file: str, name: str, codes: range) -> None:
    console = Console()
    plain = bytes(console.machine.vdp.ram)
    console.load(
        program(f"#include <{file}.xb>\nCALL {name}\nREPEAT\n  CALL KEY(0,K,S)\nUNTIL S\n")
    )
    console.start()
    console.advance_to(8 * 3_000_000)
    ram = bytes(console.machine.vdp.ram)

    def pattern(of: bytes, code: int) -> bytes:
        start = 0x300 + 8 * code
        return of[start : start + 8]

    drawn = {pattern(ram, code) for code in codes}
    assert len(drawn) == len(list(codes))
    same = [chr(code) for code in codes if pattern(ram, code) == pattern(plain, code)]
    assert set(same) <= {"T", "Y"}
    # A column is left free on either side, and of capitals the first row.
    assert all(not any(row & 0x81 for row in each) for each in drawn)


def test_rows_of_letters_with_leading_may_adjoin() -> None:
    """Capitals and small letters of leading.xb; machine code draws the same capitals."""
    console = Console()
    console.load(
        program(
            "#include <leading.xb>\nCALL CAPITALS\nCALL SMALLS\n"
            "REPEAT\n  CALL KEY(0,K,S)\nUNTIL S\n"
        )
    )
    console.start()
    console.advance_to(9 * 3_000_000)
    ram = bytes(console.machine.vdp.ram)
    library = (library_folder() / "leading.a99").read_text()
    table = {int(at, 16): (int(many), label) for at, label, many in LEADS.findall(library)}
    assert sum(many for many, _ in table.values()) == 8 * 45
    for at, (many, label) in table.items():
        digits = library.split(f"\n{label} ")[1].split(f"{chr(10)}L")[0]
        words = bytes.fromhex("".join(re.findall(r">([0-9A-F]{4})", digits)))[:many]
        assert ram[at : at + many] == words, label
    for number in (*range(44, 59), *range(65, 91), *range(97, 123)):
        rows = ram[0x300 + 8 * number : 0x308 + 8 * number]
        assert not rows[0] and not any(row & 0x80 for row in rows), chr(number)
        assert not rows[7] or chr(number) in ",gjpqy", chr(number)
        assert any(rows)


# -- what is not called is left out --------------------------------------------------------


def test_a_proc_of_the_library_that_nothing_calls_is_left_out() -> None:
    text = generate("#include <field.xb>\nCALL YESNO(5,5,A)\nEND\n").text
    assert "ACCEPT" not in text
    text = generate("PRINT 1\nEND\nPROC OWN\n  PRINT 2\nEND PROC\n").text
    assert "PRINT 2" in text
    text = generate('#include <music.xb>\nCALL TUNE("",1)\nEND\n').text
    assert "SOUND" not in text
