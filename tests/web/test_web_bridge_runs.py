"""Programs run through the bridge: in slices, compiled, stopped, looked at."""

import pytest

from tests.web.bridgepage import HELLO, Page
from ti99tools import Console, Program
from ti99tools.computer.console import standingalone
from ti99tools.hardware.machine.spritedots import DOTS, LINES
from ti99tools.hardware.render.picture import render

pytestmark = pytest.mark.long
LOOP = "100 FOR I=1 TO 3000\n110 A=A+I\n120 NEXT I\n130 PRINT A\n"


def test_all_examples_run(page: Page) -> None:
    for each in page.call("hello")["examples"]:
        page.call("put", project=each["name"], files=page.call("example", name=each["name"]))
        page.call("run", project=each["name"], main=each["main"], debug=False, rows={})
        state = page.call("hurry", seconds=5)
        assert "error" not in state, each
        assert page.rows(), each


def test_a_program_runs_in_slices_and_takes_keys(page: Page) -> None:
    page.run(HELLO)
    state = page.call("play", frames=60)
    assert state["running"]
    assert len(state["sounds"]) == 60
    assert page.blob is not None
    assert len(page.blob) == DOTS * LINES + 1
    assert page.rows() == ["HELLO", "?"]
    for key in "HI":
        page.call("key", key=key, way="down")
        page.call("play", frames=8)
        page.call("key", key=key, way="up")
        page.call("play", frames=8)
    page.call("type", text="\n")
    page.call("play", frames=60)
    assert page.rows() == ["HELLO", "? HI", "YOU SAID HI", "?"]


def test_dots_come_only_when_they_change(page: Page) -> None:
    page.run("100 CALL CLEAR\n110 GOTO 110\n")
    page.call("play", frames=30)
    page.call("play", frames=30)
    assert page.blob is None
    page.run('100 CALL CLEAR\n110 DISPLAY AT(1,1):"X"\n120 CALL SCREEN(5)\n130 GOTO 130\n')
    page.call("play", frames=30)
    console = Console()
    console.load(
        Program.from_listing(
            '100 CALL CLEAR\n110 DISPLAY AT(1,1):"X"\n120 CALL SCREEN(5)\n130 GOTO 130\n'
        )
    )
    console.run(1)
    vdp = console.machine.vdp
    assert page.blob == bytes(render(vdp)) + bytes([4])


def test_nobody_waits_while_a_game_is_loaded(page: Page) -> None:
    page.call("put", project="d5000", files=page.call("example", name="d5000"))
    page.call("run", project="d5000", main="d5000.xb", debug=False, rows={})
    state = page.call("play", frames=240)
    assert state["clock"] > 15
    assert any("1 PLAY" in row for row in page.rows())


def test_as_fast_as_it_goes_until_a_key_is_required(page: Page) -> None:
    page.run(HELLO)
    state = page.call("hurry", seconds=2)
    assert state["waits"]
    assert state["running"]
    assert state["clock"] < 3
    page.call("type", text="X\n")
    state = page.call("hurry", seconds=2)
    assert page.rows()[-2:] == ["YOU SAID X", "?"]


def test_an_endless_program_comes_back_from_every_slice(page: Page) -> None:
    page.run("100 GOTO 100\n")
    state = page.call("hurry", seconds=0.05)
    assert state["running"]
    assert not state["waits"]
    assert state["clock"] > 10


def test_both_ways_of_running_show_the_same(page: Page) -> None:
    page.run(LOOP)
    while page.call("play", frames=60)["running"]:
        pass
    slowly = page.rows()
    page.run(LOOP)
    page.call("hurry", seconds=5)
    assert page.rows() == slowly
    assert "4501500" in slowly


ASKING = "100 CALL CLEAR\n110 CALL KEY(0,K,S):: IF S<1 THEN 110\n120 PRINT K\n130 GOTO 110\n"


def test_a_compiled_program_shows_the_same_in_less_time(page: Page) -> None:
    text = "90 CALL CLEAR\n100 FOR I=1 TO 3000\n110 A=I\n120 NEXT I\n130 PRINT A\n"
    page.run(text)
    basic, rows = page.call("hurry", seconds=5), page.rows()
    assert page.run(text, compiled=True)["compiled"]
    state = page.call("hurry", seconds=5)
    assert not state["running"]
    assert state["waits"]
    assert state["clock"] < basic["clock"] / 4
    assert page.rows()[:-1] == rows[:-1]
    assert "3000" in rows
    assert "Extended BASIC" in page.call("variables")["told"]


def test_a_compiled_program_takes_keys_at_any_speed(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standingalone, "PATIENCE", 1.0)
    page.run(ASKING, compiled=True)
    state = page.call("hurry", seconds=20)
    assert state["waits"]
    assert state["running"]
    page.call("type", text="A")
    assert page.call("hurry", seconds=20)["waits"]
    assert page.rows() == ["65"]
    page.call("key", key="B", way="down")
    assert len(page.call("play", frames=20)["sounds"]) == 20
    assert page.blob
    page.call("key", key="B", way="up")
    assert "66" in page.rows()


def test_what_does_not_compile_runs_as_it_is_and_says_why(page: Page) -> None:
    text = HELLO.replace("GOTO again", 'IF A$="" THEN GOTO again ELSE RUN "DSK1.NEXT"')
    state = page.run(text, compiled=True)
    assert not state["compiled"]
    assert "own.xb:6" in state["why"]
    assert "RUNs a program that is not on the cartridge" in state["why"]
    page.call("play", frames=60)
    assert page.rows() == ["HELLO", "?"]
    page.call("put", project="own", files={"own.xb": "FRO I=1 TO 3\n"})
    wish = {"project": "own", "main": "own.xb", "debug": False, "rows": {}, "compiled": True}
    assert page.reply_to("run", **wish)["error"]["mistakes"][0]["line"] == 1


def test_what_is_wrong_is_told_with_its_place(page: Page) -> None:
    page.call("put", project="own", files={"own.xb": 'PRINT "A"\nFRO I=1 TO 3\n'})
    error = page.reply_to("run", project="own", main="own.xb", debug=False, rows={})["error"]
    assert "own.xb:2" in error["text"]
    assert error["mistakes"][0]["line"] == 2


def test_an_error_of_the_program_is_told_with_its_row(page: Page) -> None:
    page.run("N=-1\n! nothing\nA=SQR(N)\n")
    state = page.call("hurry", seconds=1)
    assert state["error"]["row"] == 3
    assert state["error"]["file"] == "own.xb"
    assert "BAD ARGUMENT" in state["error"]["text"]


def test_stops_steps_and_variables(page: Page) -> None:
    page.run("N=1\nN=N+1\nPRINT N\n", debug=True, rows={"own.xb": [2]})
    stop = page.call("play", frames=60)["stop"]
    assert (stop["file"], stop["row"]) == ("own.xb", 2)
    assert "breakpoint" in stop["text"]
    assert page.call("variables")["values"] == [{"name": "N", "value": "1"}]
    page.call("go", pace="step")
    assert page.call("hurry", seconds=1)["stop"]["row"] == 3
    assert page.call("variables")["values"] == [{"name": "N", "value": "2"}]
    page.call("go", pace="run")
    page.call("hurry", seconds=1)
    assert "2" in page.rows()


def test_without_breakpoints_it_stops_at_the_first_statement(page: Page) -> None:
    page.run("N=1\nPRINT N\n", debug=True)
    assert page.call("play", frames=60)["stop"]["row"] == 1


def test_variables_of_a_program_that_runs(page: Page) -> None:
    page.run('OPTION BASE 1\nDIM A(3)\nA(2)=7\nX$=RPT$("A",3)\nINPUT B\n')
    page.call("hurry", seconds=1)
    values = {each["name"]: each["value"] for each in page.call("variables")["values"]}
    assert values == {"A()": "(1) [0, 7, 0]", "B": "0", "X$": '"AAA"'}


def test_nothing_runs_before_it_was_started(page: Page) -> None:
    assert "nothing runs" in page.reply_to("play", frames=1)["error"]["text"]
    page.call("key", key="A", way="down")
    page.call("boot", owner="own")
    page.call("play", frames=10)
    assert "* READY *" in page.rows()


def test_memory_registers_and_sprites_are_shown(page: Page) -> None:
    page.run(
        "CALL SCREEN(5)\nCALL MAGNIFY(3)\nCALL SPRITE(#2,65,7,50,100,-9,0)\nlook:\n  GOTO look\n"
    )
    page.call("play", frames=30)
    reply = page.call("memory", space="video", address=0x300, count=8)
    assert reply["screen"] == 5
    assert reply["magnify"] == 3
    assert reply["registers"][7] & 15 == 4
    (sprite,) = reply["sprites"]
    assert 30 <= sprite.pop("row") < 50
    assert sprite == {
        **{"number": 2, "character": 65, "color": 7},
        **{"column": 100, "down": -9, "right": 0},
    }
    assert page.blob is not None
    assert page.blob[5:8] == bytes((99, 65 + 0x60, 6))
    page.call("memory", space="processor", address=0xFFFE, count=4)
    assert page.blob is not None
    assert len(page.blob) == 4
    page.call("memory", space="processor", address=0x837A, count=1)
    assert page.blob == b"\2", "as CALL PEEK finds the number of moving sprites"
    for wrong in (
        {"space": "video", "address": 0x4000, "count": 1},
        {"space": "processor", "address": 0, "count": 513},
        {"space": "grom", "address": 0, "count": 1},
    ):
        assert "no memory" in page.reply_to("memory", **wrong)["error"]["text"]
