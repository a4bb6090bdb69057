"""The bridge between the page and the package: texts, proofs, projects, without a browser."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.bridgepage import HELLO, Page
from ti99tools.games.making.finding import game_names
from ti99tools.games.making.scaffold import new_game
from ti99tools.games.verify.campaign import verify_game

pytestmark = pytest.mark.long


def test_it_says_what_there_is(page: Page) -> None:
    hello = page.call("hello")
    names = {each["name"]: each["kind"] for each in hello["examples"]}
    assert {name for name, kind in names.items() if kind == "game"} == set(game_names())
    assert len(hello["palette"]) == 16
    assert hello["fctn"]["4"] == "CLEAR"
    assert "d5000" in [each["name"] for each in hello["provable"]]


def test_lines_go_where_the_listing_has_them(page: Page) -> None:
    found = look(page, HELLO)["program"]
    assert found["numbers"][0] == ["own.xb", 1, 100]
    assert found["listing"].startswith("100 CALL CLEAR")
    assert found["free"] > 20000


def look(page: Page, text: str, **more: Any) -> Any:
    wish = {"version": 7, "project": "own", "main": "own.xb", "file": "own.xb", **more}
    return page.call("look", **wish, files={"own.xb": text})


def test_what_is_found_belongs_to_a_version_of_the_text(page: Page) -> None:
    data = look(page, "PRITN 1\nCALL CLEAR\n")
    assert data["version"] == 7
    assert data["program"] is None
    marks = [each["message"] for each in data["findings"]["own.xb"]]
    assert any("did you mean PRINT" in mark for mark in marks), marks
    data = look(page, "PRINT 1\nCALL CLEAR\n", version=8)
    assert data["version"] == 8
    assert data["findings"] == {"own.xb": []}
    assert data["program"]["listing"].startswith("100 PRINT 1")


def test_nothing_is_remembered_of_a_text_that_is_gone(page: Page) -> None:
    wish = {"version": 1, "project": "own", "main": "a.xb"}
    files = {"a.xb": '#include "b.xb"\n', "b.xb": "PRITN 1\n"}
    assert page.call("look", **wish, file="b.xb", files=files)["findings"]["b.xb"]
    files["b.xb"] = "PRINT 1\n"
    reply = page.call("look", **wish, file="a.xb", files=files)
    assert not any(reply["findings"].values())


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
    assert "changed while" in page.reply_to("prove_end", **wish)["error"]["text"]


def test_what_has_no_rules_cannot_be_proven(page: Page) -> None:
    page.call("put", project="own", files={"own.xb": HELLO})
    error = page.reply_to("prove_some", project="own", seeds=[0], coverage=False)["error"]
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
        assert "error" in page.reply_to("put", project=project, files={})
    assert "error" in page.reply_to("put", project="own", files={"../x": ""})
    assert "no example" in page.reply_to("example", name="../d5000")["error"]["text"]


def test_messages_name_files_and_no_folders_of_the_page(page: Page, tmp_path: Path) -> None:
    files = {**page.call("example", name="d5000"), "d5000.xb": '#include "parts.xb"\n'}
    files["parts.xb"] = "PRITN 1\n"
    page.call("put", project="d5000", files=files)
    error = page.reply_to("run", project="d5000", main="d5000.xb", debug=False, rows={})["error"]
    assert error["text"].startswith("parts.xb:1")
    assert error["mistakes"][0]["file"] == "parts.xb"
    look = {"version": 1, "project": "d5000", "main": "d5000.xb", "file": "d5000.xb"}
    assert str(tmp_path) not in str(page.call("look", **look, files=files))


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
