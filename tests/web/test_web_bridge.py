"""The bridge between the page and the package: what workers call, without a browser."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.shipped import shipped
from tests.web.bridged import Page
from ti99tools import Console, DiskImage, Program
from ti99tools.computer.console import cartridge_console
from ti99tools.games.making.finding import game_names
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.verify.campaign import verify_game
from ti99tools.hardware.machine.spritedots import DOTS, LINES
from ti99tools.hardware.render.picture import render
from ti99tools.media.disk import hostfiles
from ti99tools.media.disk.tifile import DiskFile, FileType

pytestmark = pytest.mark.long

HELLO = 'CALL CLEAR\nPRINT "HELLO"\nagain:\n  INPUT A$\n  PRINT "YOU SAID ";A$\n  GOTO again\n'
LOOP = "100 FOR I=1 TO 3000\n110 A=A+I\n120 NEXT I\n130 PRINT A\n"


def tifile(name: str) -> bytes:
    """A host file with a TI file of this name."""
    image = DiskImage.new()
    image.add(DiskFile(name, FileType.PROGRAM, data=b"WORK"))
    return hostfiles.write_form(image.read_stored(name), "tifiles")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    before = Path.cwd()
    yield Page(tmp_path / "work")
    os.chdir(before)


def test_it_says_what_there_is(page: Page) -> None:
    hello = page.call("hello")
    names = {each["name"]: each["kind"] for each in hello["examples"]}
    assert {name for name, kind in names.items() if kind == "game"} == set(game_names())
    assert len(hello["palette"]) == 16
    assert hello["fctn"]["4"] == "CLEAR"
    assert "d5000" in [each["name"] for each in hello["provable"]]


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
    monkeypatch.setattr(cartridge_console, "PATIENCE", 1.0)
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
    state = page.run(HELLO, compiled=True)
    assert not state["compiled"]
    assert "own.xb:4" in state["why"]
    assert "INPUT" in state["why"]
    page.call("play", frames=60)
    assert page.rows() == ["HELLO", "?"]
    page.call("put", project="own", files={"own.xb": "FRO I=1 TO 3\n"})
    wish = {"project": "own", "main": "own.xb", "debug": False, "rows": {}, "compiled": True}
    assert page.told("run", **wish)["error"]["mistakes"][0]["line"] == 1


def test_what_is_wrong_is_told_with_its_place(page: Page) -> None:
    page.call("put", project="own", files={"own.xb": 'PRINT "A"\nFRO I=1 TO 3\n'})
    error = page.told("run", project="own", main="own.xb", debug=False, rows={})["error"]
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


def test_the_disk_of_a_game_is_what_build_writes(page: Page) -> None:
    page.call("put", project="d5000", files=page.call("example", name="d5000"))
    built = shipped("d5000")
    assert page.call("build", project="d5000", main="d5000.xb", form="dsk") == "d5000.dsk"
    assert page.blob == built.image.to_bytes()
    page.call("build", project="d5000", main="d5000.xb", form="hfe")
    assert page.blob == next(each.data for each in built.artefacts if each.name == "d5000.hfe")


def test_the_disk_of_a_source_starts_it(page: Page) -> None:
    page.call("put", project="own", files={"own.xb": HELLO})
    page.call("build", project="own", main="own.xb", form="dsk")
    assert page.blob is not None
    image = DiskImage.from_bytes(page.blob)
    assert sorted(image.names()) == ["LOAD", "OWN"]
    console = Console({"DSK1": image})
    console.boot()
    assert console.run_until("HELLO", seconds=10)


def test_lines_go_where_the_listing_has_them(page: Page) -> None:
    found = look(page, HELLO)["program"]
    assert found["numbers"][0] == ["own.xb", 1, 100]
    assert found["listing"].startswith("100 CALL CLEAR")
    assert found["free"] > 20000


def test_disks_are_made_filled_and_saved(page: Page) -> None:
    page.call("disk_new", owner="own", drive="DSK2", geometry="SSSD", name="WORK")
    page.run('100 OPEN #1:"DSK2.NOTE",OUTPUT\n110 PRINT #1:"HELLO"\n120 CLOSE #1\n')
    page.call("hurry", seconds=2)
    drives = {each["drive"]: each for each in page.call("drives", owner="own")}
    assert drives["DSK1"]["name"] is None
    assert drives["DSK2"]["name"] == "WORK"
    assert drives["DSK2"]["files"][0]["name"] == "NOTE"
    assert page.call("disk_file", owner="own", drive="DSK2", name="NOTE", form="text") == "note.txt"
    assert page.blob == b"HELLO\n"
    assert page.call("disk_save", owner="own", drive="DSK2", form="hfe") == "work.hfe"
    saved = page.blob
    assert saved is not None
    page.call("disk_file", owner="own", drive="DSK2", name="NOTE", form="tifiles")
    tifiles = page.blob
    assert "DSK3" in page.call("disk_take", saved, owner="own", drive="DSK3", name="work.hfe")
    page.call("disk_remove", owner="own", drive="DSK3", name="NOTE")
    assert page.call("disk_take", tifiles, owner="own", drive="DSK3", name="x.tfi").startswith(
        "NOTE"
    )
    page.call("disk_eject", owner="own", drive="DSK2")
    drives = {each["drive"]: each for each in page.call("drives", owner="own")}
    assert drives["DSK2"]["name"] is None
    assert len(drives["DSK3"]["files"]) == 1


def test_a_game_keeps_its_disk_and_a_new_build_takes_over_what_play_has_written(page: Page) -> None:
    def run(**more: Any) -> Any:
        return page.call("run", project="d5000", main="d5000.xb", debug=False, rows={}, **more)

    def there() -> list[str]:
        (drive,) = (d for d in page.call("drives", owner="d5000") if d["drive"] == "DSK1")
        return [each["name"] for each in drive["files"]]

    files = page.call("example", name="d5000")
    page.call("put", project="d5000", files=files)
    assert "carried" not in run()
    names = there()
    page.call("disk_remove", owner="d5000", drive="DSK1", name=names[0])
    page.call("disk_take", tifile("SCORES"), owner="d5000", drive="DSK1", name="scores.tfi")
    assert "carried" not in run()
    assert there() == sorted([*names[1:], "SCORES"])
    (kept,) = page.call("disks")
    page.call("disk_bytes", owner="d5000", drive="DSK1")
    before = page.blob
    page.call("disks_forget", owner="d5000")
    assert run()["compiled"] is False
    assert there() == names
    page.call("disk_restore", before, owner="d5000", drive="DSK1", origin=kept["origin"])
    page.call("put", project="d5000", files={**files, "instr.txt": "ANOTHER PAGE\n"})
    answer = run()
    assert answer["carried"] == ["SCORES"]
    assert answer["left"] == []
    assert page.blob == before
    assert there() == sorted([*names, "SCORES"])
    assert "carried" not in run()


def test_a_disk_of_the_users_in_a_games_drive_is_asked_for(page: Page) -> None:
    wish = {"project": "d5000", "main": "d5000.xb", "debug": False, "rows": {}}
    page.call("put", project="d5000", files=page.call("example", name="d5000"))
    place = {"owner": "d5000", "drive": "DSK1"}
    page.call("disk_new", **place, geometry="SSSD", name="MINE")
    page.call("disk_take", tifile("WORK"), **place, name="work.tfi")
    assert page.call("run", **wish) == {"asks": "MINE"}
    assert page.call("drives", owner="d5000")[0]["name"] == "MINE"
    assert page.call("run", **wish, replace=True)["running"]
    assert page.blob is not None
    assert "WORK" in DiskImage.from_bytes(page.blob)
    assert page.call("drives", owner="d5000")[0]["name"] != "MINE"


def test_each_program_has_drives_of_its_own(page: Page) -> None:
    write = '100 OPEN #1:"DSK1.NOTE",OUTPUT\n110 PRINT #1:"HELLO"\n120 CLOSE #1\n'
    for owner in ("own", "other"):
        page.call("disk_new", owner=owner, drive="DSK1", geometry="SSSD", name=owner.upper())
    page.run(write)
    page.call("hurry", seconds=2)
    names = {each["owner"]: each["name"] for each in page.call("disks")}
    assert names == {"own": "OWN", "other": "OTHER"}
    assert page.call("drives", owner="own")[0]["files"][0]["name"] == "NOTE"
    assert not page.call("drives", owner="other")[0]["files"]
    page.call("disks_move", owner="own", name="new")
    page.call("disk_new", owner="new", drive="DSK2", geometry="SSSD", name="TWO")
    page.call("type", text='OPEN #1:"DSK2.LATER",OUTPUT\r')
    page.call("hurry", seconds=2)
    found = page.call("drives", owner="new")[1]["files"]
    assert [each["name"] for each in found] == ["LATER"], "the console has the moved drives"
    page.call("disks_copy", owner="new", name="copy")
    page.call("disks_forget", owner="other")
    owners = [(each["owner"], each["drive"]) for each in page.call("disks")]
    assert owners == [("new", "DSK1"), ("new", "DSK2"), ("copy", "DSK1"), ("copy", "DSK2")]


def test_what_would_be_replaced_is_told_before(page: Page) -> None:
    def look(name: str, data: bytes) -> Any:
        return page.call("disk_look", data, owner="own", drive="DSK1", name=name)

    new = DiskImage.new(name="NEW").to_bytes()
    assert look("new.dsk", new)["replaces"] == ""
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="OLD")
    assert look("new.dsk", new)["replaces"] == "", "an empty disk is no loss"
    nothing = {"replaces": "", "damage": "", "program": None}
    assert look("a.tfi", tifile("A")) == {**nothing, "name": "A"}
    page.call("disk_take", tifile("A"), owner="own", drive="DSK1", name="a.tfi")
    assert look("a.tfi", tifile("A"))["replaces"] == "file"
    assert look("cut.dsk", new[:5000]) == {
        "replaces": "disk",
        "damage": "image: it has 19 of 360 sectors",
        "name": "cut.dsk",
        "program": None,
    }
    disk = DiskImage.new(name="PROGRAMS")
    for name, text in (("FIRST", "100 PRINT 1\n"), ("LOAD", '100 RUN "DSK1.FIRST"\n')):
        saved = Program.from_listing(text).saved().content
        assert isinstance(saved, bytes)
        disk.add(DiskFile(name, FileType.PROGRAM, data=saved))
    assert look("my.dsk", disk.to_bytes())["program"] == ["LOAD", '100 RUN "DSK1.FIRST"\n']
    disk.remove("LOAD")
    assert look("my.dsk", disk.to_bytes())["program"] == ["FIRST", "100 PRINT 1\n"]
    page.call("disk_bytes", owner="own", drive="DSK1")
    assert page.blob is not None
    assert look("same.dsk", page.blob)["replaces"] == ""


def test_what_is_no_disk_is_refused(page: Page) -> None:
    error = page.told("disk_take", b"nothing", owner="own", drive="DSK1", name="x.dsk")["error"]
    assert "x.dsk" in error["text"]
    assert (
        "no disk in DSK2"
        in page.told("disk_save", owner="own", drive="DSK2", form="dsk")["error"]["text"]
    )
    assert (
        "DSK9"
        in page.told("disk_new", owner="own", drive="DSK9", geometry="SSSD", name="X")["error"][
            "text"
        ]
    )


def test_a_disk_that_is_cut_off_is_taken_and_told(page: Page) -> None:
    cut = DiskImage.new(name="WORK").to_bytes()[:5000]
    told = page.call("disk_take", cut, owner="own", drive="DSK2", name="cut.dsk")
    assert told == "cut.dsk is in DSK2, but it is damaged: image: it has 19 of 360 sectors"


def test_a_damaged_disk_is_refused_and_the_drive_keeps_its_disk(page: Page) -> None:
    page.call("disk_new", owner="own", drive="DSK1", geometry="SSSD", name="GOOD")
    data = bytearray(DiskImage.new("SSSD", "BAD").to_bytes())
    data[256:258] = b"\xff\xff"  # the first file's descriptor: no sector of this disk
    error = page.told("disk_take", bytes(data), owner="own", drive="DSK1", name="bad.dsk")["error"]
    assert "bad.dsk is damaged" in error["text"]
    assert "repair" in error["text"]
    assert page.call("drives", owner="own")[0]["name"] == "GOOD"
    page.call("disk_restore", bytes(data), owner="own", drive="DSK2", origin="")
    assert "outside the disk" in page.call("drives", owner="own")[1]["damaged"]


@pytest.mark.parametrize("call", ["disk_take", "open"])
def test_files_without_end_and_without_bytes_are_refused_at_once(page: Page, call: str) -> None:
    wish = {"owner": "own", "drive": "DSK1"} if call == "disk_take" else {}
    begun = time.perf_counter()
    error = page.told(call, bytes(20_000_000), name="zeros.dsk", **wish)["error"]
    assert "too l" in error["text"]
    assert time.perf_counter() - begun < 1
    assert "is empty" in page.told(call, b"", name="none.dsk", **wish)["error"]["text"]


def test_a_program_file_opens_as_its_listing(page: Page) -> None:
    saved = Program.from_listing("100 PRINT 1\n").saved().content
    assert isinstance(saved, bytes)
    assert page.call("open", saved, name="X") == "100 PRINT 1\n"
    assert page.call("open", b"PRINT 1\n", name="x.xb") == "PRINT 1\n"


def look(page: Page, text: str, **more: Any) -> Any:
    wish = {"version": 7, "project": "own", "main": "own.xb", "file": "own.xb", **more}
    return page.call("look", **wish, files={"own.xb": text})


def test_what_is_found_belongs_to_a_version_of_the_text(page: Page) -> None:
    found = look(page, "PRITN 1\nCALL CLEAR\n")
    assert found["version"] == 7
    assert found["program"] is None
    marks = [each["message"] for each in found["findings"]["own.xb"]]
    assert any("did you mean PRINT" in mark for mark in marks), marks
    found = look(page, "PRINT 1\nCALL CLEAR\n", version=8)
    assert found["version"] == 8
    assert found["findings"] == {"own.xb": []}
    assert found["program"]["listing"].startswith("100 PRINT 1")


def test_nothing_is_remembered_of_a_text_that_is_gone(page: Page) -> None:
    wish = {"version": 1, "project": "own", "main": "a.xb"}
    files = {"a.xb": '#include "b.xb"\n', "b.xb": "PRITN 1\n"}
    assert page.call("look", **wish, file="b.xb", files=files)["findings"]["b.xb"]
    files["b.xb"] = "PRINT 1\n"
    found = page.call("look", **wish, file="a.xb", files=files)
    assert not any(found["findings"].values())


def test_what_is_asked_is_about_the_text_as_it_is_now(page: Page) -> None:
    look(page, "PRINT 1\n")
    text = "PRINT 1\nCALL SP"
    wish = {"what": "completion", "project": "own", "file": "own.xb", "row": 1, "column": 7}
    offers = [each["label"] for each in page.call("ask", **wish, text=text)]
    assert "SPRITE" in offers
    assert "DISPLAY" not in offers
    hover = page.call("ask", **{**wish, "what": "hover", "column": 6}, text="PRINT 1\nCALL CLEAR")
    assert "CLEAR" in hover["contents"]["value"]


def proven(page: Page, project: str, seeds: list[list[int]], coverage: bool = False) -> Any:
    """What the page is told when a project has played these matches, split among workers."""
    wish = {"matches": sum(map(len, seeds)), "seed": min(map(min, seeds)) // 1_000_000}
    page.call("prove_seeds", **wish)
    for some in seeds:
        done = page.call("prove_some", project=project, seeds=some, coverage=coverage)
        assert len(done) == len(some)
        page.call("prove_take", page.blob)
    return page.call("prove_end", project=project, **wish, coverage=coverage, seconds=1.5)


def put_small_game(page: Page, folder: Path, before: str = "", after: str = "") -> None:
    """Make the project of a new game, with a change of its source."""
    new_game(folder / "dare")
    files = {path.name: path.read_text("utf-8") for path in (folder / "dare").iterdir()}
    assert before in files["dare.xb"]
    files["dare.xb"] = files["dare.xb"].replace(before, after)
    page.call("put", project="dare", files=files)


def test_a_game_is_proven_with_its_report(page: Page, tmp_path: Path) -> None:
    put_small_game(page, tmp_path)
    seeds = page.call("prove_seeds", matches=4, seed=3)
    answer = proven(page, "dare", [seeds[2:], seeds[:2]], coverage=True)
    expected = verify_game(tmp_path / "dare", matches=4, seed=3)
    assert answer["verified"]
    assert answer["matches"] == 4
    assert answer["wall_seconds"] == 1.5
    assert (answer["events"], answer["keys"]) == (expected.events, expected.keys)
    assert answer["machine_seconds"] == round(expected.machine_seconds, 1)
    assert answer["disk_sha256"] == expected.disk
    assert "<h1>Games against their rules</h1>" in answer["html"]


def test_what_is_proven_is_what_the_project_holds_now(page: Page) -> None:
    files = page.call("example", name="dicerack")
    page.call("put", project="own", files=files)
    seeds = page.call("prove_seeds", matches=1, seed=0)
    shipped_one = proven(page, "own", [seeds])
    assert shipped_one["verified"]
    assert shipped_one["rules"] == "dicerack"
    pictures = page.call("prove_pictures")
    size = 256 * 192 + 1
    seen = page.blob or b""
    assert 1 <= pictures <= 4
    assert len(seen) == pictures * size
    assert len(set(seen[-size:])) > 3, "something is drawn"
    page.call("put", project="own", files={**files, "dicerack.xb": 'PRINT "HELLO"\n'})
    answer = proven(page, "own", [seeds])
    assert not answer["verified"]
    assert answer["mismatches"] == 1
    assert page.call("prove_some", project="own", seeds=seeds, coverage=False) != [""]
    assert answer["disk_sha256"] != shipped_one["disk_sha256"]
    assert answer["rules"] == "dicerack"
    page.call("put", project="own", files={**files, "model.py": files["model.py"] + "\n"})
    assert proven(page, "own", [seeds])["rules"] == ""


def test_a_program_changed_meanwhile_is_not_called_proven(page: Page) -> None:
    files = page.call("example", name="dicerack")
    page.call("put", project="own", files=files)
    seeds = page.call("prove_seeds", matches=1, seed=0)
    page.call("prove_some", project="own", seeds=seeds, coverage=False)
    page.call("prove_take", page.blob)
    page.call("put", project="own", files={**files, "dicerack.xb": 'PRINT "HELLO"\n'})
    wish = {"project": "own", "matches": 1, "seed": 0, "coverage": False, "seconds": 1}
    assert "changed while" in page.told("prove_end", **wish)["error"]["text"]


def test_what_has_no_rules_cannot_be_proven(page: Page) -> None:
    page.call("put", project="own", files={"own.xb": HELLO})
    error = page.told("prove_some", project="own", seeds=[0], coverage=False)["error"]
    assert "no model of its rules" in error["text"]


def test_a_game_that_breaks_its_rules_is_told(page: Page, tmp_path: Path) -> None:
    put_small_game(page, tmp_path, "T=T+P", "T=T+P-(P>5)")
    seeds = page.call("prove_seeds", matches=4, seed=0)[2:]
    wish = {"project": "dare", "coverage": False}
    right, wrong = page.call("prove_some", **wish, seeds=seeds)
    assert right == ""
    assert wrong.startswith(f"seed {seeds[1]}: differs from the rules")
    assert "rules  " in wrong
    assert "game   " in wrong
    page.call("prove_take", page.blob)
    first = page.call("prove_shorten", project="dare")
    assert first["number"] == first["count"] == 1
    assert first["keys"] > 1
    for _ in range(3):
        later = page.call("prove_shorten", project="dare")
    answer = page.call("prove_end", **wish, matches=4, seed=0, seconds=1)  # as after Cancel
    assert not answer["verified"]
    assert "differ" in answer["headline"]
    (failure,) = answer["failures"]
    assert answer["matches"] == 2
    assert answer["cut_off"]
    assert failure["trials"]
    assert later["keys"] <= first["keys"]


def test_names_that_lead_elsewhere_are_refused(page: Page) -> None:
    for project in ("..", "a/b", "", ".hidden"):
        assert "error" in page.told("put", project=project, files={})
    assert "error" in page.told("put", project="own", files={"../x": ""})
    assert "no example" in page.told("example", name="../d5000")["error"]["text"]


def test_messages_name_files_and_no_folders_of_the_page(page: Page, tmp_path: Path) -> None:
    files = {**page.call("example", name="d5000"), "d5000.xb": '#include "parts.xb"\n'}
    files["parts.xb"] = "PRITN 1\n"
    page.call("put", project="d5000", files=files)
    told = page.told("run", project="d5000", main="d5000.xb", debug=False, rows={})["error"]
    assert told["text"].startswith("parts.xb:1")
    assert told["mistakes"][0]["file"] == "parts.xb"
    look = {"version": 1, "project": "d5000", "main": "d5000.xb", "file": "d5000.xb"}
    assert str(tmp_path) not in str(page.call("look", **look, files=files))


def test_nothing_runs_before_it_was_started(page: Page) -> None:
    assert "nothing runs" in page.told("play", frames=1)["error"]["text"]
    page.call("key", key="A", way="down")
    page.call("boot", owner="own")
    page.call("play", frames=10)
    assert "* READY *" in page.rows()


@pytest.mark.parametrize("way", ["folder", "game"])
def test_a_project_for_a_later_basic_runs_and_is_looked_at(page: Page, way: str) -> None:
    files = {"own.xb": 'CALL CLEAR\nCALL HPUT(3,3,"LATER")\nagain: GOTO again\n'}
    if way == "folder":
        files["ti99tools.toml"] = 'basic = "rxb"\n'
    else:
        head = 'title = "O"\nversion = "1"\nsource = "own.xb"\nprogram = "O"\ndisk = "O"\n'
        files["game.toml"] = head + 'basic = "rxb"\n'
    page.call("put", project="own", files=files)
    look = {"version": 1, "project": "own", "main": "own.xb", "file": "own.xb", "files": files}
    assert "HPUT" not in str(page.call("look", **look)["findings"])
    page.call("run", project="own", main="own.xb", debug=False, rows={})
    page.call("hurry", seconds=3.0)
    assert page.rows() == ["LATER"]


def test_memory_registers_and_sprites_are_shown(page: Page) -> None:
    page.run(
        "CALL SCREEN(5)\nCALL MAGNIFY(3)\nCALL SPRITE(#2,65,7,50,100,-9,0)\nlook:\n  GOTO look\n"
    )
    page.call("play", frames=30)
    told = page.call("memory", space="video", address=0x300, count=8)
    assert told["screen"] == 5
    assert told["magnify"] == 3
    assert told["registers"][7] & 15 == 4
    (sprite,) = told["sprites"]
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
        assert "no memory" in page.told("memory", **wrong)["error"]["text"]
