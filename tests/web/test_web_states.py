"""States of the play room: a match is saved, loaded, taken back by ten seconds, and played on."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.web.bridgepage import Page
from ti99tools.fronts.web import page_states

MATCH = """RANDOMIZE
CALL CLEAR
OPEN #1:"DSK1.LOG",OUTPUT,DISPLAY,VARIABLE 80
REPEAT
  CALL KEY(0,K,S)
  T=T+1
  IF S=1 THEN
    N=N+1
    X=INT(RND*1000)
    PRINT CHR$(K);X;T
    PRINT #1:X
  END IF
UNTIL K=81
CLOSE #1
"""


@pytest.fixture
def page(tmp_path: Path) -> Page:
    page = Page(tmp_path)
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="WORK")
    page.run(MATCH)
    return page


def plays(page: Page, keys: str, frames: int = 40) -> None:
    """Press these keys at the machine's speed."""
    for key in keys:
        for way in ("down", "up"):
            page.call("key", key=key, way=way)
            page.call("play", frames=frames)


def saved(page: Page) -> bytes:
    page.call("state_save")
    assert page.blob is not None
    return page.blob


def comes_back(page: Page) -> dict[str, Any]:
    """Play what was begun to its end; the last answer."""
    while not (answer := page.call("return_work", seconds=0.02))["done"]:
        assert 0 <= answer["share"] < 1
    found: dict[str, Any] = answer
    return found


def assert_comes_back(page: Page, rows: list[str]) -> None:
    """The present moment is saved, loaded and taken; these rows are on its screen."""
    page.call("state_load", saved(page))
    assert comes_back(page)["same"]
    page.call("return_take")
    assert page.rows() == rows


def test_a_state_comes_back_and_goes_on_as_it_would_have(page: Page) -> None:
    plays(page, "ABC")
    state = saved(page)
    plays(page, "DE")
    after = page.rows()
    page.call("state_load", state)
    assert page.rows() == after, "what runs stays until the state is taken"
    reply = comes_back(page)
    assert reply["same"]
    assert reply["project"] == "own"
    page.call("return_take")
    assert [row[0] for row in page.rows()] == ["A", "B", "C"]
    plays(page, "DE")
    assert page.rows() == after
    page.call("state_load", saved(page))
    assert comes_back(page)["same"], "the state of a state that was loaded"


def test_keys_at_other_speeds_come_back_too(page: Page) -> None:
    for key in "ABC":
        page.call("hurry", seconds=0.01)
        page.call("key", key=key, way="tap")
    page.call("hurry", seconds=0.01)
    plays(page, "D")
    page.call("key", key="CLEAR", way="tap")
    page.call("hurry", seconds=0.01)
    rows = page.rows()
    assert rows[-2].startswith("* BREAKPOINT")
    assert_comes_back(page, rows)


def test_ten_seconds_are_taken_back(page: Page) -> None:
    plays(page, "A", 400)
    plays(page, "BC", 100)
    assert len(page.rows()) == 3
    before = page.call("play", frames=1)["clock"]
    page.call("rewind", seconds=10)
    assert comes_back(page)["same"]
    state = page.call("return_take")
    assert before - 11 < state["clock"] < before - 7.5
    assert [row[0] for row in page.rows()] == ["A"]
    plays(page, "X")
    assert [row[0] for row in page.rows()] == ["A", "X"]
    page.call("rewind", seconds=1000)
    comes_back(page)
    page.call("return_take")
    assert not page.rows()


def test_files_that_would_be_lost_are_named(page: Page) -> None:
    plays(page, "A")
    state = saved(page)
    plays(page, "BQ")
    page.call("state_load", state)
    assert comes_back(page)["lost"] == [{"drive": "DSK1", "name": "WORK", "files": ["LOG"]}]
    page.call("return_drop")
    assert "log" in page.call("disk_file", owner="own", drive="DSK1", name="LOG", form="text")


def test_a_state_that_another_version_plays_otherwise_is_told(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    plays(page, "AB")
    with monkeypatch.context() as patch:
        patch.setattr(page_states.State, "version", "0.9")
        patch.setattr(page_states, "digest", lambda run: "as it was then")
        state = page_states.State.now(page.bridge._run, page.bridge._start)  # type: ignore[arg-type]
    page.call("state_load", state.packed())
    reply = comes_back(page)
    assert not reply["same"]


def test_what_was_changed_from_outside_is_not_saved(page: Page) -> None:
    plays(page, "A")
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="OTHER")
    message = page.reply_to("state_save")["error"]["text"]
    assert message.startswith(
        "this cannot be saved: the disk in DSK1 was changed while it ran; Reset"
    )
    page.run("PRINT 1\n", debug=True)
    assert "without debugger" in page.reply_to("state_save")["error"]["text"]


def changed(state: bytes, name: str, content: str) -> bytes:
    """A state in which one part is another."""
    with ZipFile(BytesIO(state)) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    out = BytesIO()
    with ZipFile(out, "w") as archive:
        for each, data in {**parts, name: content.encode()}.items():
            archive.writestr(each, data)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("state.json", "[]"),
        ("state.json", "{}"),
        ("state.json", "no"),
        ("keys.txt", '["x", "hold", "A"]\n'),
        ("keys.txt", '[9, "hold", "A"]\n[8, "release", "A"]\n'),
        ("keys.txt", '[9, "disk", "DSK1", ""]\n'),
        ("keys.txt", '[9, "hold", "F99"]\n'),
        ("keys.txt", '[9, "joystick", 1, 2, 0, true]\n'),
        ("files/../x.xb", "PRINT"),
    ],
)
def test_what_is_no_state_is_refused(page: Page, name: str, content: str) -> None:
    state = saved(page)
    assert "error" in page.reply_to("state_load", changed(state, name, content))
    assert "error" in page.reply_to("state_load", state[:-9])
    assert "error" in page.reply_to("return_work", seconds=1)
    facts = json.loads(ZipFile(BytesIO(state)).read("state.json"))
    later = changed(state, "state.json", json.dumps({**facts, "form": 2}))
    assert "load it in version" in page.reply_to("state_load", later)["error"]["text"]


STRAIGHT = (
    "".join(f"{n} B=B+SQR(A)*2 :: C=C+B :: A=A+1\n" for n in range(100, 160)) + "160 GOTO 100\n"
)


@pytest.mark.parametrize("after", [20, 39, 53])
def test_clear_stops_a_program_that_runs_straight_where_it_did(page: Page, after: int) -> None:
    page.run(STRAIGHT, file="own.bas")
    page.call("play", frames=after)
    page.call("key", key="CLEAR", way="down")
    page.call("play", frames=9)
    rows = page.rows()
    assert rows[-2].startswith("* BREAKPOINT IN")
    assert_comes_back(page, rows)


def test_a_key_that_is_held_repeats_as_often(page: Page) -> None:
    """It is held while another press of it waits; then the speed changes."""
    page.run('PRINT "ASK"\nLINPUT A$\n')
    page.call("play", frames=20)
    page.call("key", key="A", way="down")
    page.call("play", frames=63)
    page.call("key", key="A", way="tap")
    page.call("play", frames=55)
    page.call("hurry", seconds=0.01)
    rows = page.rows()
    assert rows[-1].count("A") > 10
    assert_comes_back(page, rows)
