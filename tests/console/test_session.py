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
    made = Console()
    made.load(Program.from_listing(listing, strict=False))
    return made


def test_power_on_without_a_disk_comes_to_the_prompt() -> None:
    made = Console()
    made.boot()
    assert made.run_until(ready=True, seconds=5)
    assert made.screen.rows[23].startswith("\x1f>")


def test_power_on_runs_the_disks_load_program() -> None:
    made = Console(disks={"DSK1": disk_with("LOAD", '100 PRINT "FROM DISK"\n')})
    made.boot()
    assert made.run_until(text="FROM DISK", seconds=10)
    assert made.run_until(ready=True, seconds=10)


def test_run_starts_from_the_beginning_each_time() -> None:
    made = loaded("100 A=A+1::B$=B$&STR$(INT(RND*100))\n")
    assert made.run() == "ready"
    first = made.variables["B$"]
    assert made.run() == "ready"
    assert (made.variables["A"], made.variables["B$"]) == (1, first)


def test_outcomes_of_run() -> None:
    assert loaded("100 END\n").run() == "ready"
    made = loaded("100 A=VAL(A$)\n")
    assert made.run() == "error"
    assert made.error is not None
    assert (made.error.code, made.error.line) == (xb.BAD_ARGUMENT, 100)
    made = loaded("100 BREAK\n110 A=1\n")
    assert made.run() == "stopped"
    made = loaded("100 INPUT A\n")
    assert made.run() == "keys"
    made.machine.keyboard.type("42\n")
    assert made.resume() == "ready"
    assert made.variables["A"] == 42


def test_outcomes_are_words_and_members() -> None:
    end = loaded("100 END\n").run()
    assert end == "ready"
    assert f"{end}" == "ready"
    assert end is RunEnd.READY


def test_what_users_touch_shows_itself() -> None:
    made = loaded('100 PRINT "HI"\n110 A=VAL(A$)\n')
    assert repr(made) == "<Console with <Program of 2 lines, 24 bytes>, at rest after 0.0 s>"
    made.run()
    assert "stopped, BAD ARGUMENT IN 110 after" in repr(made)
    assert repr(made.screen) == "<Display\n  HI\n  * BAD ARGUMENT IN 110\n >>"
    assert repr(Console().screen) == "<Display, blank>"
    assert repr(DiskImage.new(name="T")) == "<DiskImage T, sector image, 358 of 360 sectors free>"


def test_variables_by_name() -> None:
    made = loaded('100 OPTION BASE 1::DIM A(3,2)::A(3,1)=7::N$="X"::B(10)=1/3\n')
    made.run()
    assert made.variables["A(3,1)"] == 7
    assert made.variables["N$"] == "X"
    assert str(made.variables["B(10)"]).startswith("Radix")
    assert set(made.variables) == {"N$"}
    assert repr(made.variables) == "{'N$': 'X'}"
    for missing in ("Z", "A", "A(0,1)", "A(1)", "N$(1)"):
        with pytest.raises(KeyError):
            made.variables[missing]


def test_variables_of_a_subprogram_that_waits() -> None:
    made = loaded("100 A=1\n110 CALL ASK(A)\n120 SUB ASK(B)\n130 INPUT N\n140 SUBEND\n")
    assert made.run() == "keys"
    assert made.variables["B"] == 1
    with pytest.raises(KeyError, match="A in SUB ASK, where the program is"):
        made.variables["A"]


def test_clear_stops_a_loop_and_con_goes_on() -> None:
    made = loaded("100 FOR I=1 TO 300\n110 A=A+I\n120 NEXT I\n130 PRINT A\n")
    made.start()
    made.wait(60)
    made.press("CLEAR")
    assert "* BREAKPOINT IN 1" in made.screen.text
    assert not made.running
    made.command("CON")
    assert "45150" in made.screen.text


def test_typed_assignments_hold_when_con_goes_on() -> None:
    made = loaded("100 FOR I=1 TO 5\n110 BREAK\n120 A=A+I\n130 NEXT I\n140 PRINT I;A\n")
    assert made.run() == "stopped"
    made.command("I=4.5")
    made.command("CON")
    assert "5.5  4.5" in made.screen.text


def test_trace_shows_every_line() -> None:
    made = loaded("100 TRACE\n110 GOSUB 130::A=1\n120 END\n130 RETURN\n")
    made.run()
    assert "<110><130><120>" in made.screen.text


def test_time_goes_on_while_waiting_for_keys() -> None:
    made = loaded('100 ACCEPT A$::PRINT "GOT ";A$\n')
    made.start()
    before = made.clock.seconds
    made.wait(120)
    assert made.clock.seconds - before == pytest.approx(2, abs=0.05)
    made.type("YES\n")
    assert made.run_until(text="GOT YES", seconds=5)


def test_frames_waited_for_one_by_one_are_as_many_as_at_once() -> None:
    made = loaded("100 FOR I=1 TO 1000\n110 CALL HCHAR(1,1,42,99)\n120 NEXT I\n")
    made.start()
    before = made.clock.cycles
    for _ in range(120):
        made.wait(1)
    assert 0 <= made.clock.cycles - before - 120 * FRAME < 12 * FRAME


def test_what_passes_between_two_waits_is_no_part_of_them() -> None:
    made = loaded("100 GOTO 100\n")
    made.start()
    made.wait(1)
    made.clock.advance(50 * FRAME)
    before = made.clock.cycles
    made.wait(10)
    assert made.clock.cycles - before >= 10 * FRAME


@pytest.mark.parametrize(("what", "shown"), [("key", "65  0"), ("joystick", "-1  4")])
def test_a_wait_with_a_key_down_passes_its_frames_after_a_long_statement(
    what: str, shown: str
) -> None:
    made = loaded(
        '100 A=POS(RPT$("A",255),"B",1)\n'
        "110 CALL KEY(0,K,S):: CALL JOYST(1,X,Y):: IF S<1 AND X=0 THEN 110\n"
        "120 PRINT K;X\n"
    )
    made.start()
    made.wait(1)
    if what == "key":
        made.hold("A")
        made.wait(40)
        made.release("A")
    else:
        made.joystick(1, x=4)
        made.wait(40)
        made.joystick(1)
    made.wait(40)
    assert made.screen.shows(shown)


def test_new_takes_its_time() -> None:
    made = loaded("100 END\n")
    made.run()
    made.type("NEW")
    before = made.clock.cycles
    made.type("\n")
    assert made.program is None
    assert 40 * FRAME < made.clock.cycles - before < 56 * FRAME
    assert made.screen.shows("* READY *")


def test_run_until_gives_up_at_its_limit() -> None:
    made = loaded("100 GOTO 100\n")
    made.start()
    assert not made.run_until(text="NEVER", seconds=3)
    assert made.running


def test_run_of_a_program_on_disk() -> None:
    made = Console(disks={"DSK1": disk_with("NEXT", '100 PRINT "SECOND";X\n')})
    made.load(Program.from_listing('100 X=5::RUN "DSK1.NEXT"\n'))
    assert made.run() == "ready"
    assert "SECOND 0" in made.screen.text
    made.load(Program.from_listing('100 RUN "DSK1.NONE"\n'))
    assert made.run() == "error"
    assert made.error is not None
    assert str(made.error) == "I/O ERROR 02 IN 100"


def test_typed_names_are_gone_with_the_next_run() -> None:
    listing = "100 A=1\n110 !@P-\n120 B=A+1\n"
    made = loaded(listing)
    assert made.run() == "error"
    made.command("B=7")
    assert made.variables["B"] == 7
    made.command("PRINT B;A")
    assert "7  1" in made.screen.text
    assert made.run() == "error"
    assert loaded(listing).run() == "error"


def test_two_consoles_with_one_program() -> None:
    listing = "100 A=1.5\n110 INPUT B\n120 C=A+B*2.25\n130 PRINT C\n"
    first, second = loaded(listing), loaded(listing)
    assert first.run() == second.run() == "keys"
    for made in (second, first):
        made.type("2\n")
        assert made.resume() == "ready"
        assert "6" in made.screen.text


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
    made = loaded(listing)
    made.start()
    made.machine.keyboard.type("AB\n")
    assert made.take_keys(60)
    assert made.machine.keyboard.rested
    made.wait(2)
    assert made.variables["N"] == 3


def test_keys_that_nobody_takes() -> None:
    made = loaded("100 GOTO 100\n")
    made.start()
    made.machine.keyboard.type("A")
    assert not made.take_keys(5)
    assert 5 <= made.clock.seconds < 5.1


def test_keys_held_joysticks_and_sprites() -> None:
    made = loaded(
        "100 CALL SPRITE(#2,65,16,90,100)\n110 CALL KEY(0,K,S)\n120 CALL JOYST(1,X,Y)\n"
        "130 CALL KEY(1,F,T)\n140 CALL MOTION(#2,-Y,X)\n150 GOTO 110\n"
    )
    made.start()
    made.wait(60)
    assert (made.sprite(1), made.sprite(2)) == ((0, 0), (90, 100))
    made.hold("D")
    made.wait(30)
    assert (made.variables["K"], made.variables["S"]) == (68, -1)
    made.release("D")
    made.joystick(1, x=4, y=-4, fire=True)
    made.wait(120)
    assert (made.variables["K"], made.variables["F"]) == (-1, 18)
    row, column = made.sprite(2)
    assert row > 90
    assert column > 100
    made.joystick(1)
    made.wait(30)
    assert (made.variables["X"], made.variables["F"]) == (0, -1)


def test_lines_that_ran() -> None:
    listing = (
        "100 FOR I=1 TO 3\n110 IF I<5 THEN 130\n120 PRINT I\n130 NEXT I\n140 STOP\n150 DATA 1\n"
    )
    made = Console(watched=True)
    made.load(Program.from_listing(listing))
    assert made.run() == "ready"
    assert made.reached == {100, 110, 130, 140}
    made.load(Program.from_listing("200 PRINT 1\n"))
    made.run()
    assert made.reached == {200}
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
    made = Console(disks={"DSK1": DiskImage.new()})
    made.load(Program.from_listing("100 A=5\n"))
    made.run()
    made.command("SAVE DSK1.X")
    made.command("SIZE")
    assert "11840 BYTES OF STACK FREE" in made.screen.text


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
