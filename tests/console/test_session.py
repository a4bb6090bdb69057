"""The public console: power-on, programs, keys, time, stops and goings on."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ti99tools import Console, DiskImage, Program
from ti99tools.base import xberrors as xb
from ti99tools.base.cycles.console import BOOT_CYCLES
from ti99tools.base.errors import TIError
from ti99tools.computer.console.session import RunEnd
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.media.disk.tifile import DiskFile


def disk_with(name: str, listing: str) -> DiskImage:
    image = DiskImage.new()
    image.add(DiskFile.program(name, Program.from_listing(listing).to_program_bytes()))
    return image


def loaded(listing: str) -> Console:
    console = Console()
    console.load(Program.from_listing(listing, strict=False))
    return console


def test_power_on_without_a_disk_comes_to_the_prompt() -> None:
    console = Console()
    console.boot()
    assert console.run_until(ready=True, seconds=5)
    assert console.screen.rows[23].startswith("\x1f>")


def test_power_on_runs_the_disks_load_program() -> None:
    console = Console(disks={"DSK1": disk_with("LOAD", '100 PRINT "FROM DISK"\n')})
    console.boot()
    assert console.run_until(text="FROM DISK", seconds=10)
    assert console.run_until(ready=True, seconds=10)


def test_run_starts_from_the_beginning_each_time() -> None:
    console = loaded("100 A=A+1::B$=B$&STR$(INT(RND*100))\n")
    assert console.run() == "ready"
    first = console.variables["B$"]
    assert console.run() == "ready"
    assert (console.variables["A"], console.variables["B$"]) == (1, first)


def test_outcomes_of_run() -> None:
    assert loaded("100 END\n").run() == "ready"
    console = loaded("100 A=VAL(A$)\n")
    assert console.run() == "error"
    assert console.error is not None
    assert (console.error.code, console.error.line) == (xb.BAD_ARGUMENT, 100)
    console = loaded("100 BREAK\n110 A=1\n")
    assert console.run() == "stopped"
    console = loaded("100 INPUT A\n")
    assert console.run() == "keys"
    console.machine.keyboard.type("42\n")
    assert console.resume() == "ready"
    assert console.variables["A"] == 42


def test_outcomes_are_words_and_members() -> None:
    end = loaded("100 END\n").run()
    assert end == "ready"
    assert f"{end}" == "ready"
    assert end is RunEnd.READY


def test_what_users_touch_shows_itself() -> None:
    console = loaded('100 PRINT "HI"\n110 A=VAL(A$)\n')
    assert repr(console) == "<Console with <Program of 2 lines, 24 bytes>, at rest after 0.0 s>"
    console.run()
    assert "stopped, BAD ARGUMENT IN 110 after" in repr(console)
    assert repr(console.screen) == "<Display\n  HI\n  * BAD ARGUMENT IN 110\n >>"
    assert repr(Console().screen) == "<Display, blank>"
    assert repr(DiskImage.new(name="T")) == "<DiskImage T, sector image, 358 of 360 sectors free>"


def test_variables_by_name() -> None:
    console = loaded('100 OPTION BASE 1::DIM A(3,2)::A(3,1)=7::N$="X"::B(10)=1/3\n')
    console.run()
    assert console.variables["A(3,1)"] == 7
    assert console.variables["N$"] == "X"
    assert console.variables["B(10)"] == 0.33333333333333
    assert set(console.variables) == {"N$"}
    assert repr(console.variables) == "{'N$': 'X'}"
    for missing in ("Z", "A", "A(0,1)", "A(1)", "N$(1)"):
        with pytest.raises(KeyError):
            console.variables[missing]


def test_variables_of_a_subprogram_that_waits() -> None:
    console = loaded("100 A=1\n110 CALL ASK(A)\n120 SUB ASK(B)\n130 INPUT N\n140 SUBEND\n")
    assert console.run() == "keys"
    assert console.variables["B"] == 1
    with pytest.raises(KeyError, match="A in SUB ASK, where the program is"):
        console.variables["A"]


def test_clear_stops_a_loop_and_con_goes_on() -> None:
    console = loaded("100 FOR I=1 TO 300\n110 A=A+I\n120 NEXT I\n130 PRINT A\n")
    console.start()
    console.wait(60)
    console.press("CLEAR")
    assert "* BREAKPOINT IN 1" in console.screen.text
    assert not console.running
    console.command("CON")
    assert "45150" in console.screen.text


def test_typed_assignments_hold_when_con_goes_on() -> None:
    console = loaded("100 FOR I=1 TO 5\n110 BREAK\n120 A=A+I\n130 NEXT I\n140 PRINT I;A\n")
    assert console.run() == "stopped"
    console.command("I=4.5")
    console.command("CON")
    assert "5.5  4.5" in console.screen.text


def test_trace_shows_every_line() -> None:
    console = loaded("100 TRACE\n110 GOSUB 130::A=1\n120 END\n130 RETURN\n")
    console.run()
    assert "<110><130><120>" in console.screen.text


def test_time_goes_on_while_waiting_for_keys() -> None:
    console = loaded('100 ACCEPT A$::PRINT "GOT ";A$\n')
    console.start()
    before = console.clock.seconds
    console.wait(120)
    assert console.clock.seconds - before == pytest.approx(2, abs=0.05)
    console.type("YES\n")
    assert console.run_until(text="GOT YES", seconds=5)


def test_frames_waited_for_one_by_one_are_as_many_as_at_once() -> None:
    console = loaded("100 FOR I=1 TO 1000\n110 CALL HCHAR(1,1,42,99)\n120 NEXT I\n")
    console.start()
    before = console.clock.cycles
    for _ in range(120):
        console.wait(1)
    assert 0 <= console.clock.cycles - before - 120 * FRAME < 12 * FRAME


def test_what_passes_between_two_waits_is_no_part_of_them() -> None:
    console = loaded("100 GOTO 100\n")
    console.start()
    console.wait(1)
    console.clock.advance(50 * FRAME)
    before = console.clock.cycles
    console.wait(10)
    assert console.clock.cycles - before >= 10 * FRAME


@pytest.mark.parametrize(("what", "text"), [("key", "65  0"), ("joystick", "-1  4")])
def test_a_wait_with_a_key_down_passes_its_frames_after_a_long_statement(
    what: str, text: str
) -> None:
    console = loaded(
        '100 A=POS(RPT$("A",255),"B",1)\n'
        "110 CALL KEY(0,K,S):: CALL JOYST(1,X,Y):: IF S<1 AND X=0 THEN 110\n"
        "120 PRINT K;X\n"
    )
    console.start()
    console.wait(1)
    if what == "key":
        console.hold("A")
        console.wait(40)
        console.release("A")
    else:
        console.joystick(1, x=4)
        console.wait(40)
        console.joystick(1)
    console.wait(40)
    assert console.screen.shows(text)


def test_new_takes_its_time() -> None:
    console = loaded("100 END\n")
    console.run()
    console.type("NEW")
    before = console.clock.cycles
    console.type("\n")
    assert console.program is None
    assert 40 * FRAME < console.clock.cycles - before < 56 * FRAME
    assert console.screen.shows("* READY *")


def test_run_until_gives_up_at_its_limit() -> None:
    console = loaded("100 GOTO 100\n")
    console.start()
    assert not console.run_until(text="NEVER", seconds=3)
    assert console.running


def test_run_of_a_program_on_disk() -> None:
    console = Console(disks={"DSK1": disk_with("NEXT", '100 PRINT "SECOND";X\n')})
    console.load(Program.from_listing('100 X=5::RUN "DSK1.NEXT"\n'))
    assert console.run() == "ready"
    assert "SECOND 0" in console.screen.text
    console.load(Program.from_listing('100 RUN "DSK1.NONE"\n'))
    assert console.run() == "error"
    assert console.error is not None
    assert str(console.error) == "I/O ERROR 02 IN 100"


def test_typed_names_are_gone_with_the_next_run() -> None:
    listing = "100 A=1\n110 !@P-\n120 B=A+1\n"
    console = loaded(listing)
    assert console.run() == "error"
    console.command("B=7")
    assert console.variables["B"] == 7
    console.command("PRINT B;A")
    assert "7  1" in console.screen.text
    assert console.run() == "error"
    assert loaded(listing).run() == "error"


def test_two_consoles_with_one_program() -> None:
    listing = "100 A=1.5\n110 INPUT B\n120 C=A+B*2.25\n130 PRINT C\n"
    first, second = loaded(listing), loaded(listing)
    assert first.run() == second.run() == "keys"
    for console in (second, first):
        console.type("2\n")
        assert console.resume() == "ready"
        assert "6" in console.screen.text


@pytest.mark.parametrize(
    "listing",
    [
        "100 CALL KEY(0,K,S)::IF S<1 THEN 100\n110 N=N+1::IF N<3 THEN 100\n120 GOTO 120\n",
        "100 ACCEPT A$\n110 N=3\n120 GOTO 120\n",
        "100 FOR I=1 TO 2000::NEXT I::INPUT A$::N=3\n",
    ],
    ids=["scanned", "accepted", "late"],
)
def test_keys_are_taken_and_no_more(listing: str) -> None:
    console = loaded(listing)
    console.start()
    console.machine.keyboard.type("AB\n")
    assert console.take_keys(60)
    assert console.machine.keyboard.rested
    console.wait(2)
    assert console.variables["N"] == 3


def test_keys_that_nobody_takes() -> None:
    console = loaded("100 GOTO 100\n")
    console.start()
    console.machine.keyboard.type("A")
    assert not console.take_keys(5)
    assert 5 <= console.clock.seconds < 5.1


def test_keys_held_joysticks_and_sprites() -> None:
    console = loaded(
        "100 CALL SPRITE(#2,65,16,90,100)\n110 CALL KEY(0,K,S)\n120 CALL JOYST(1,X,Y)\n"
        "130 CALL KEY(1,F,T)\n140 CALL MOTION(#2,-Y,X)\n150 GOTO 110\n"
    )
    console.start()
    console.wait(60)
    assert (console.sprite(1), console.sprite(2)) == ((0, 0), (90, 100))
    console.hold("D")
    console.wait(30)
    assert (console.variables["K"], console.variables["S"]) == (68, -1)
    console.release("D")
    console.joystick(1, x=4, y=-4, fire=True)
    console.wait(120)
    assert (console.variables["K"], console.variables["F"]) == (-1, 18)
    row, column = console.sprite(2)
    assert row > 90
    assert column > 100
    console.joystick(1)
    console.wait(30)
    assert (console.variables["X"], console.variables["F"]) == (0, -1)


def test_lines_that_ran() -> None:
    listing = (
        "100 FOR I=1 TO 3\n110 IF I<5 THEN 130\n120 PRINT I\n130 NEXT I\n140 STOP\n150 DATA 1\n"
    )
    console = Console(watched=True)
    console.load(Program.from_listing(listing))
    assert console.run() == "ready"
    assert console.reached == {100, 110, 130, 140}
    console.load(Program.from_listing("200 PRINT 1\n"))
    console.run()
    assert console.reached == {200}
    assert loaded(listing).reached == frozenset()


@pytest.mark.parametrize(
    ("mistake", "advice"),
    [
        (lambda: Console(disks={"DSK1": "game.dsk"}), "DiskImage.open"),  # type: ignore[dict-item]
        (lambda: Console(disks={"DSK9": DiskImage.new()}), "use one of DSK1, DSK2, DSK3"),
        (lambda: Console().joystick(3), "units are 1 and 2"),
        (lambda: Console().joystick(1, x=1), "x and y −4, 0 or 4"),
        (lambda: Console().sprite(0), "use #1 to #28"),
        (lambda: Console().load("game.xb"), "Program.open"),  # type: ignore[arg-type]
    ],
)
def test_mistakes_of_who_makes_a_console(mistake: Callable[[], object], advice: str) -> None:
    with pytest.raises(TIError, match=advice):
        mistake()


@pytest.mark.parametrize("way", ['RUN "DSK1.BIG"', "OLD DSK1.BIG"])
def test_a_program_takes_its_time_to_load_however_it_is_loaded(way: str) -> None:
    rows = "".join(f"{n} PRINT {n}\n" for n in range(1, 201))
    image = disk_with("BIG", rows)
    image.add(DiskFile.program("LOAD", Program.from_listing(rows).to_program_bytes()))
    booted, typed = Console(disks={"DSK1": image}), Console(disks={"DSK1": image})
    started = typed.clock.seconds
    booted.boot()
    typed.computer.show_ready()
    typed.command(way)
    loading = booted.clock.seconds - BOOT_CYCLES / 3_000_000
    assert loading > 2
    assert typed.clock.seconds - started > loading


def test_saving_forgets_the_variables() -> None:
    console = Console(disks={"DSK1": DiskImage.new()})
    console.load(Program.from_listing("100 A=5\n"))
    console.run()
    console.command("SAVE DSK1.X")
    console.command("SIZE")
    assert "11840 BYTES OF STACK FREE" in console.screen.text


def test_disks_are_the_images_as_they_are_now() -> None:
    console = Console(disks={"DSK2": DiskImage.new(name="TWO")})
    assert list(console.disks) == ["DSK2"]
    console.load(
        Program.from_listing(
            '100 OPEN #1:"DSK2.BEST",OUTPUT,DISPLAY,VARIABLE 80\n110 PRINT #1:"ANNA"\n120 CLOSE #1'
        )
    )
    assert console.run() == "ready"
    assert console.disks["DSK2"].read("BEST").records == (b"ANNA",)
