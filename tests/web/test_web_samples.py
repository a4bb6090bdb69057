"""The ten samples: each runs without an error and does what its first line says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.bridgepage import Page
from ti99tools import Console, DiskImage, Program
from ti99tools.app.lint import judge
from ti99tools.fronts.web.projects import SAMPLES
from ti99tools.hardware.machine.vdp import OFFSET

FILES = sorted(SAMPLES.glob("*.xb"))


def started(name: str, disk: DiskImage | None = None) -> Console:
    console = Console(disks={} if disk is None else {"DSK1": disk})
    console.load(Program.open(str(SAMPLES / f"{name}.xb")))
    console.start()
    return console


def test_there_are_ten_and_lint_has_nothing_to_say() -> None:
    assert len(FILES) == 10
    for path in FILES:
        first = path.read_text().splitlines()[0]
        title = first.removeprefix("! ").partition(":")[0]
        assert first.startswith("! ") and title and len(first) < 70, path.name
        assert not judge(str(path)).findings, path.name


def shows(console: Console, *texts: str) -> None:
    for text in texts:
        assert console.screen.shows(text), console.screen.text


def test_hello_and_a_table_are_printed() -> None:
    console = started("hello")
    assert console.run() == "ready"
    shows(console, "HELLO 1", "HELLO 2", "THE LAST TIME")
    console = started("table")
    assert console.run() == "ready"
    shows(console, " 12     144   3.464", " SUM   650  MEAN 54.17")


def test_words_are_turned_round() -> None:
    console = started("words")
    console.type("TEN GREEN BOTTLES\n")
    assert console.resume() == "ready"
    shows(console, "GREEN         NEERG", " 3 WORDS, BACKWARDS:", "SELTTOB NEERG NET")


def test_notes_are_on_the_disk_the_next_time() -> None:
    disk = DiskImage.new()
    console = started("notes", disk)
    assert console.run_until("NO NOTES YET")
    console.type("BUY MILK\n")
    console.type("CALL TEX\n")
    console.type("\n")
    assert console.resume() == "ready"
    again = started("notes", disk)
    assert again.run_until("WRITE (ENTER ENDS)")
    shows(again, "1 BUY MILK", "2 CALL TEX")


def test_tunes_and_noises_are_heard_to_their_end() -> None:
    for name in ("tune", "siren"):
        console = started(name)
        assert console.run() == "ready"
        assert len(console.sound.written) > 60, name


def test_all_colors_are_seen() -> None:
    console = started("colors")
    seen = set()
    for _ in range(3):
        assert console.run_until("ANY KEY")
        console.wait(120)
        seen |= {int(row[23:26]) for row in console.screen.rows if row[23:26].strip().isdigit()}
        console.press("SPACE")
        console.wait(30)
    assert seen == set(range(1, 17))
    console.press("Q")
    assert console.resume() == "ready"


def test_a_joystick_paints() -> None:
    console = started("paint")
    assert console.run_until("Q ENDS")
    console.wait(30)
    console.joystick(1, 4, 0)
    console.wait(30)
    console.joystick(1, 0, 0, fire=True)
    console.wait(20)
    console.joystick(1, 0, 4)
    console.wait(30)
    painted = {code - OFFSET for code in console.machine.vdp.ram[:768]} & {96, 104, 112}
    assert painted == {96, 104}
    console.joystick(1)
    console.press("Q")
    assert console.resume() == "ready"


def test_a_ship_is_steered() -> None:
    console = started("stars")
    assert console.run_until("Q ENDS")
    console.wait(60)
    row = console.sprite(1)[0]
    console.press("E")
    console.wait(60)
    assert 0 < console.sprite(1)[0] < row
    console.press("Q")
    assert console.resume() == "ready"


def test_apples_are_caught_by_whoever_follows_them_and_missed_by_others() -> None:
    console = started("catch")
    for _ in range(6000):
        if not console.running:
            break
        apple, basket = console.sprite(2)[1], console.sprite(1)[1]
        key = "S" if apple < basket - 6 else "D" if apple > basket + 6 else ""
        if key:
            console.hold(key)
        console.wait(4)
        if key:
            console.release(key)
    shows(console, "WELL CAUGHT!")
    lazy = started("catch")
    assert lazy.run_until("TOO MANY FELL")


def test_a_sample_runs_in_the_page(page: Page) -> None:
    files = page.call("example", name="catch")
    page.call("put", project="catch", files=files)
    page.call("run", project="catch", main="catch.xb", debug=False, rows={})
    page.call("play", frames=60)
    assert page.rows()[0].startswith("CAUGHT 0")


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)
