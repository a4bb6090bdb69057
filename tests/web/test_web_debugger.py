"""The debugger of the page, without its page: stops, watches, values, and the way back."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.web.bridgepage import Page
from ti99tools import DiskImage
from ti99tools.fronts.web import page_debug
from ti99tools.fronts.web.page_debug import MOST_WATCHES

SUM = "FOR I=1 TO 6\n  T=T+I\n  CALL TWICE(T,D)\nNEXT I\nPRINT T\nSUB TWICE(X,Y)\n  Y=X+X\nSUBEND\n"
KEYS = """CALL CLEAR
again:
  N=N+1
  CALL KEY(0,K,S)
  IF S<1 THEN again
  A$=A$&CHR$(K)
  C=C+1
  M=N
  IF C<3 THEN again
PRINT A$;M
END
"""


class Debugged(Page):
    """A page whose program is debugged."""

    def go(self, pace: str = "run", frames: int = 300) -> Any:
        """Continue at the machine's own speed: the state after it."""
        self.call("go", pace=pace)
        return self.play(frames)

    def play(self, frames: int = 300) -> Any:
        return self.call("play", frames=frames)

    def back(self, pace: str = "step") -> Any:
        """Go back: the state after it."""
        assert not self.call("back", pace=pace)
        return self.retraced()

    def retraced(self, seconds: float = 1.0) -> Any:
        shares = [0.0]
        while shares[-1] < 1 and len(shares) < 400:
            reply = self.call("retrace", seconds=seconds)
            shares.append(reply["done"])
        assert shares[-1] == 1, shares
        return reply

    def values(self) -> dict[str, str]:
        """The variables by name."""
        return {each["name"]: each["value"] for each in self.call("variables")["values"]}

    def watches(self) -> dict[str, str]:
        """What is watched: values by expression."""
        rows = self.call("variables")["watches"]
        return {each["at"]["text"]: each.get("value", each.get("none")) for each in rows}


@pytest.fixture
def page(tmp_path: Path) -> Debugged:
    return Debugged(tmp_path)


@pytest.fixture(params=[page_debug.SPACING, 7])
def spaced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go back from power-on, or from copies of the console on its way."""
    monkeypatch.setattr(page_debug, "SPACING", request.param)


def at(state: Any) -> tuple[int, str]:
    """Row and reason of a stop."""
    return state["stop"]["row"], state["stop"]["text"] or state["stop"]["reason"]


def test_conditions_of_breakpoints(page: Debugged) -> None:
    page.run(SUM, debug=True, rows={"own.xb": [[2, "I=4"], [3, " "]]})
    assert at(page.play())[0] == 3
    reply = page.call("break_at", rows={"own.xb": [[2, "I=4"], [5, "T>"]]})
    assert [each["row"] for each in reply] == [5]
    assert "T> is not an expression" in reply[0]["text"]
    assert at(page.go()) == (2, "a breakpoint, I=4")
    assert page.values()["T"] == "6"
    row, why = at(page.go())
    assert row == 5
    assert "whose condition fails" in why


def test_a_watch_stops_where_a_value_has_changed(page: Debugged) -> None:
    page.run(SUM, debug=True)
    assert at(page.play()) == (1, "the program begins")
    watch = page.call("watch", text="T>3")
    assert at(page.go()) == (3, "T>3: 0 to -1")
    page.call("unwatch", at=watch)
    assert page.watches() == {}
    page.call("break_at", rows={"own.xb": [7]})
    page.go()
    inner = page.call("watch", text="Y")
    assert inner["inside"] == "SUB TWICE"
    assert page.watches() == {"Y": "6"}
    page.call("break_at", rows={})
    assert at(page.go()) == (8, "Y (SUB TWICE): 6 to 12")
    page.run(SUM, debug=True, rows={"own.xb": [5]}, watches=[inner])
    assert at(page.play()) == (8, "Y (SUB TWICE): 0 to 2"), (
        "in another run the same names are meant"
    )
    error = page.reply_to("watch", text="Q+")["error"]["text"]
    assert "Q+ is not an expression" in error
    for number in range(1, MOST_WATCHES):
        page.call("watch", text=f"T+{number}")
    assert "remove one" in page.reply_to("watch", text="T")["error"]["text"]


def test_bytes_of_memory_are_watched(page: Debugged) -> None:
    page.run("CALL CLEAR\nA=1\nCALL INIT\nCALL LOAD(9460,7)\nCALL HCHAR(1,1,65)\nA=2\n", debug=True)
    page.play()
    for text in (">24F4", "v>0000"):
        page.call("watch", text=text)
    assert at(page.go()) == (5, ">24F4: 0 to 7")
    assert at(page.go()) == (6, "v>0000: 128 to 161")
    assert page.watches() == {">24F4": "7", "v>0000": "161"}


@pytest.mark.usefixtures("spaced")
def test_back_by_every_pace(page: Debugged) -> None:
    page.run(SUM, debug=True, rows={"own.xb": [5]})
    ended = page.play()
    assert at(ended) == (5, "a breakpoint")
    assert page.values()["T"] == "21"
    assert at(page.back())[0] == 4
    assert at(page.back())[0] == 8
    assert page.values() == {"X": "21", "Y": "42"}
    assert at(page.back("out"))[0] == 3
    assert at(page.back("over"))[0] == 2
    assert page.values()["T"] == "15"
    page.call("watch", text="T")
    assert at(page.back("run")) == (2, "T: 10 to 15, by this statement")
    assert page.values()["I"] == "5"
    assert at(page.go()) == (3, "T: 10 to 15")
    page.call("unwatch", at=page.call("variables")["watches"][0]["at"])
    assert at(page.back("run")) == (1, "there is nothing to stop at before")
    assert page.call("back", pace="step") == "there is nothing before"
    again = page.go()
    assert again["stop"] == ended["stop"]
    assert again["clock"] == ended["clock"]


def test_back_from_the_end_and_from_an_error(page: Debugged) -> None:
    page.run("FOR I=1 TO 3\n  CALL HCHAR(3-I,1,65)\nNEXT I\n", debug=True)
    page.play()
    state = page.go()
    assert "BAD VALUE" in state["error"]["text"]
    assert state["debug"]
    assert at(page.back())[0] == 2
    assert page.values() == {"I": "3"}
    assert "BAD VALUE" in page.go()["error"]["text"]
    page.run("A=1\nA=2\n", debug=True)
    page.play()
    assert not page.go()["running"]
    assert at(page.back())[0] == 2
    assert page.values() == {"A": "1"}


def test_a_program_that_runs_without_the_debugger_says_so(page: Debugged) -> None:
    page.run("10 GOTO 10\n", file="own.bas")
    assert "choose Debug" in page.reply_to("back", pace="step")["error"]["text"]


def press(page: Debugged, key: str, frames: int = 20) -> Any:
    page.call("key", key=key, way="down")
    page.play(frames)
    page.call("key", key=key, way="up")
    return page.play(frames)


@pytest.mark.usefixtures("spaced")
def test_keys_are_given_again_at_the_same_moments(page: Debugged) -> None:
    page.run(KEYS, debug=True, rows={"own.xb": [10]})
    page.play(50)
    press(page, "A", 13)
    press(page, "B", 7)
    there = press(page, "C", 9)
    assert at(there)[0] == 10
    assert page.values()["A$"] == '"ABC"'
    count = page.values()["M"]
    for _ in range(3):
        page.back()
    assert page.values()["A$"] == '"ABC"'
    page.call("break_at", rows={"own.xb": [7]})
    assert at(page.back("run"))[0] == 7
    assert page.values()["A$"] == '"AB"'
    page.call("break_at", rows={"own.xb": [10]})
    state = page.go()
    assert at(state)[0] == 10 and page.values()["M"] == count, "C comes by itself"
    assert state["clock"] == there["clock"]


@pytest.mark.usefixtures("spaced")
def test_another_key_makes_another_future(page: Debugged) -> None:
    page.run(KEYS, debug=True, rows={"own.xb": [7]})
    page.play(50)
    page.call("key", key="A", way="down")
    assert at(page.play())[0] == 7
    page.call("go", pace="run")
    page.play(20)
    page.call("key", key="A", way="up")
    page.play(20)
    page.call("key", key="B", way="tap")
    assert at(page.play())[0] == 7
    assert at(page.back("run"))[0] == 7
    assert page.values()["A$"] == '"A"'
    page.call("go", pace="run")
    page.play(10)
    page.call("key", key="X", way="tap")
    assert at(page.play())[0] == 7 and page.values()["A$"] == '"AX"', "A was let go, B forgotten"


@pytest.mark.usefixtures("spaced")
def test_keys_at_full_speed_and_while_it_stands_come_again(page: Debugged) -> None:
    text = 'INPUT "NAME? ":N$\nPRINT "HI ";N$\nINPUT A\nPRINT A+1\nB=A\n'
    page.run(text, debug=True)
    page.call("hurry", seconds=5)
    page.call("type", text="BOB\n")
    page.call("go", pace="step")
    assert at(page.call("hurry", seconds=5))[0] == 2
    page.call("type", text="41\n")
    page.call("break_at", rows={"own.xb": [5]})
    page.call("go", pace="run")
    there = page.call("hurry", seconds=5)
    assert at(there)[0] == 5
    assert page.values()["A"] == "41"
    assert at(page.back("run"))[0] == 1
    page.call("go", pace="run")
    state = page.call("hurry", seconds=5)
    assert state["stop"] == there["stop"]
    assert state["clock"] == there["clock"]
    assert page.values()["N$"] == '"BOB"'


@pytest.mark.usefixtures("spaced")
def test_a_value_is_set_and_set_again(page: Debugged) -> None:
    page.run(SUM, debug=True, rows={"own.xb": [[3, "I=2"]]})
    page.play()
    page.call("set", name="t", text="I*50")
    assert page.values()["T"] == "100"
    page.call("break_at", rows={"own.xb": [5]})
    end = page.go()
    assert page.values()["T"] == str(100 + 3 + 4 + 5 + 6)
    assert at(page.back("run"))[0] == 1
    assert page.go()["clock"] == end["clock"]
    assert page.values()["T"] == "118"
    refused = (("T", '"X"', "holds numbers"), ("Q", "1", "no variable Q"), ("T", "1+", "1+ is not"))
    for name, text, why in refused:
        assert why in page.reply_to("set", name=name, text=text)["error"]["text"]
    page.call("break_at", rows={"own.xb": [7]})
    page.back("run")
    page.call("set", name="X", text="7")
    assert page.values()["X"] == "7", "of the SUB"
    page.call("go", pace="run")
    assert "stop it" in page.reply_to("set", name="X", text="1")["error"]["text"]


def test_an_element_of_an_array_and_a_text_are_set(page: Debugged) -> None:
    page.run('DIM A(3)\nN$="OLD"\nPRINT N$;A(2)\n', debug=True, rows={"own.xb": [3]})
    page.play()
    page.call("set", name="A(2)", text="-1.5")
    page.call("set", name="N$", text='"NEW"&N$')
    page.go()
    assert "NEWOLD-1.5" in page.rows()


@pytest.mark.usefixtures("spaced")
def test_disks_go_back_with_the_program(page: Debugged) -> None:
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="MINE")
    text = 'OPEN #1:"DSK1.A"\nPRINT #1:"X"\nCLOSE #1\nDELETE "DSK1.A"\n'
    text += 'OPEN #1:"DSK1.B"\nCLOSE #1\nEND\n'

    def files() -> list[str]:
        drives = page.call("drives", owner="own")
        return [file["name"] for file in drives[0]["files"]]

    page.run(text, debug=True, rows={"own.xb": [4, 7]})
    page.play(900)
    assert files() == ["A"]
    page.go(frames=900)
    assert files() == ["B"]
    assert at(page.back("run"))[0] == 4
    assert files() == ["A"]
    saved = DiskImage.new("SSSD", "OTHER").to_bytes()
    page.call("disk_take", saved, owner="own", drive="DSK1", name="other.dsk")
    page.go(frames=900)
    assert "stop" not in page.play(1) or page.values() == {}
    page.back("step")
    assert page.call("drives", owner="own")[0]["name"] == "OTHER", "it was put in before"


def test_the_way_back_in_slices_and_with_a_game(page: Debugged) -> None:
    files = page.call("example", name="dimraw")
    page.call("put", project="dimraw", files=files)
    page.call("run", project="dimraw", main="dimraw.xb", debug=True, rows={})
    first = page.play(1500)
    assert at(first)[1] == "the program begins"
    page.go(frames=1500)
    page.call("key", key="1", way="tap")
    state = page.play(300)
    assert "stop" not in state
    page.call("go", pace="step")
    there = page.play(300)
    rows = page.call("screen")
    page.call("back", pace="step")
    before = page.retraced(seconds=0.05)
    assert before["stop"]["count"] < there["stop"]["count"]
    again = page.go("step")
    assert again["stop"] == there["stop"]
    assert again["clock"] == there["clock"]
    assert page.call("screen") == rows


LINE = "CALL CLEAR\nagain:\nN=N+1\nA=A+1 :: B=B+2 :: C=C+SIN(A) :: D=A*B\nGOTO again\n"


@pytest.mark.parametrize("frames", [31, 47])
def test_back_from_where_clear_stopped_the_program(page: Debugged, frames: int) -> None:
    page.run(LINE, debug=True, rows={"own.xb": [1]})
    page.play()
    page.go(frames=frames)
    page.call("key", key="CLEAR", way="down")
    assert not page.play(20)["running"]
    stopped = page.values()
    assert "stop" in page.back("over")
    assert not page.go(frames=60)["running"], "CLEAR comes again"
    assert abs(int(page.values()["N"]) - int(stopped["N"])) <= 1, "perhaps a statement later"
    assert at(page.back("run"))[0] == 1


def test_clear_at_full_speed_meets_a_breakpoint_or_a_stop(page: Debugged) -> None:
    page.run(LINE, debug=True, rows={"own.xb": [[3, "N=9"]]})
    page.call("hurry", seconds=0)
    page.call("key", key="CLEAR", way="tap")
    state = page.call("hurry", seconds=1)
    assert at(state)[1] == "a breakpoint, N=9", "it comes within the frames before the key"
    page.call("key", key="CLEAR", way="tap")
    assert page.call("hurry", seconds=1)["clock"] == state["clock"], "it stands"
    page.call("go", pace="run")
    assert not page.call("hurry", seconds=1)["running"]


def test_the_way_back_ends_even_if_the_run_ends_sooner(page: Debugged) -> None:
    page.run("A=1\nA=2\nA=3\n", debug=True)
    page.play()
    page.go()
    debugger = page.bridge._run.debugger  # type: ignore[union-attr]
    assert debugger is not None
    assert not page.call("back", pace="step")
    debugger.halting.rule._why = replace(debugger.halting.rule._why, count=9)  # type: ignore
    debugger.halting.rule._goal = 9
    assert at(page.retraced())[0] == 3


def test_copies_of_the_console_are_few_and_farther_apart_the_older_they_are(
    page: Debugged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_debug, "SPACING", 20)
    page.run("again:\nN=N+1\nGOTO again\n", debug=True)
    page.play()
    page.call("go", pace="run")
    for _ in range(40):
        page.play(12)
    debugger = page.bridge._run.debugger  # type: ignore[union-attr]
    assert debugger is not None
    counts = [each.count for each in debugger.waypoints._kept]
    gaps = [later - one for one, later in pairwise(counts)]
    assert debugger.halting.rule.count > 500
    assert 4 <= len(counts) <= 14
    assert gaps[0] > 2 * gaps[-1], gaps
    page.call("watch", text="N=40")
    assert at(page.back("run")) == (2, "N=40: -1 to 0, by this statement")
    assert at(page.back("run")) == (2, "N=40: 0 to -1, by this statement")
    assert at(page.back("run")) == (2, "there is nothing to stop at before")
