"""Runs without a command line: what a word means, disks in drives, how a run came out."""

from pathlib import Path

import pytest

from ti99tools.app.profile import profile
from ti99tools.app.run import Ending, Headless, Outcome, RunRequest, generated_code, steps_of
from ti99tools.app.run_drives import check_saves, mounted, save_disks
from ti99tools.app.run_output import record, snaps_into, write_animation, write_picture
from ti99tools.app.source import find, looks_like_file
from ti99tools.app.target import find_target
from ti99tools.base.errors import Remedy, TIError
from ti99tools.computer.console.keyscript import Snap, Type, Until
from ti99tools.fronts.cli.run_report import report
from ti99tools.games.making.finding import find_game
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile


def source(folder: Path, text: str) -> str:
    path = folder / "p.xb"
    path.write_text(text)
    return str(path)


def run(name: str, *steps: Type | Until | Snap, seconds: float = 20) -> Outcome:
    headless = Headless.of(name, RunRequest(max_seconds=seconds))
    headless.target.start(headless.console)
    return headless.run(steps)


@pytest.mark.parametrize(
    ("text", "steps", "ending", "line"),
    [
        ("PRINT 1", [], Ending.ENDED, None),
        ("PRINT 1\nloop: GOTO loop", [Until("1")], Ending.RUNNING, None),
        ('PRINT 1\nA=VAL("1/0")', [], Ending.ERROR, 110),
        ("INPUT A", [], Ending.WAITING, 100),
        ("loop: GOTO loop", [], Ending.LATE, 100),
        ("loop: CALL KEY(0,K,S)\nN=N+1\nGOTO loop", [], Ending.LATE_ASKING, None),
        ("INPUT A", [Type("\u00e4")], Ending.REFUSED, None),
        ('INPUT A\nA=VAL("1/0")', [Type("1\n2\n3\n")], Ending.ERROR, 110),
    ],
)
def test_how_a_run_comes_out(
    tmp_path: Path, text: str, steps: list[Type | Until], ending: Ending, line: int | None
) -> None:
    outcome = run(source(tmp_path, "#pack off\n" + text), *steps)
    assert outcome.ending is ending, outcome
    assert outcome.ok == (ending in (Ending.ENDED, Ending.RUNNING))
    if line is not None:
        assert outcome.line == line
        assert outcome.place is not None
        assert outcome.place.line == text.count("\n", 0, max(0, text.rfind("VAL"))) + 2
    assert report(outcome) == int(not outcome.ok)


def test_a_text_that_never_comes_is_told(tmp_path: Path) -> None:
    outcome = run(source(tmp_path, "INPUT A"), Until("HELLO"), seconds=200)
    assert outcome.ending is Ending.WAITING
    assert outcome.text == "HELLO"
    assert outcome.line == 100


def test_steps_come_in_order(tmp_path: Path) -> None:
    script = tmp_path / "s.keys"
    script.write_text("until A?\n")
    assert steps_of(script, r"5\n", "READY") == [Until("A?"), Type("5\n"), Until("READY")]
    assert steps_of(None, None, None) == []


def test_a_seed_needs_a_question(tmp_path: Path) -> None:
    with pytest.raises(TIError, match="asks for no seed; leave out the seed") as caught:
        Headless.of(source(tmp_path, "PRINT 1"), RunRequest(seed=7))
    assert caught.value.meaning is Remedy.NO_SEED


def test_a_word_means_a_file_or_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d5000").write_text("100 PRINT 1\n")
    assert find("d5000") == Path("d5000")
    assert find("dicerack") == find_game("dicerack")
    assert looks_like_file("a/b")
    assert looks_like_file("a.xb")
    assert not looks_like_file("chess")
    with pytest.raises(TIError, match=r"a\.xb: no such file, and no such game; check the name"):
        find("a.xb")


def test_disks_are_mounted_and_saved(tmp_path: Path) -> None:
    image = DiskImage.new(name="DATA")
    image.add(DiskFile.display_var("A", [b"HELLO"]))
    image.save(tmp_path / "data.dsk")
    target = find_target(source(tmp_path, 'OPEN #1:"DSK2.A",INPUT\nINPUT #1:A$\nPRINT A$'))
    images = mounted(target, [("DSK2", tmp_path / "data.dsk")])
    assert images["DSK1"].names() == []
    assert images["DSK2"].names() == ["A"]
    with pytest.raises(TIError, match="no disk in DSK3; put one into DSK3") as caught:
        check_saves(target, images, [("DSK3", tmp_path / "x.dsk")])
    assert caught.value.meaning is Remedy.DISK_FOR_DRIVE
    with pytest.raises(TIError, match="is the source itself"):
        check_saves(target, images, [("DSK1", tmp_path / "p.xb")])
    save_disks(images, [("DSK2", tmp_path / "after.dsk")])
    assert DiskImage.open(tmp_path / "after.dsk").names() == ["A"]


def test_pictures_of_a_run(tmp_path: Path) -> None:
    headless = Headless.of(source(tmp_path, "CALL CLEAR\nPRINT 1"), RunRequest())
    recording = record(headless.console)
    headless.player.when_snapped = snaps_into(headless.console, tmp_path / "snaps")
    headless.target.start(headless.console)
    assert headless.run([Snap("a/b")]).ok
    write_animation(headless.console, recording, tmp_path / "a.gif")
    write_picture(headless.console, tmp_path / "a.png")
    assert (tmp_path / "a.gif").read_bytes()[:3] == b"GIF"
    assert (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"
    assert [path.name for path in (tmp_path / "snaps").iterdir()] == ["a%2Fb.png"]
    assert headless.run([]).ok
    assert any("def " in part for part in generated_code(headless.console))


def test_the_time_of_lines(tmp_path: Path) -> None:
    text = "#pack off\nFOR I=1 TO 200\nA=SIN(I)\nNEXT I\n"
    found = profile(Headless.of(source(tmp_path, text), RunRequest()), (), 2)
    assert found.outcome.ok
    assert len(found.rows) == 2
    first = found.rows[0]
    assert (first.line, first.times, first.text) == (110, 200, "A=SIN(I)")
    assert first.place.endswith("p.xb:3:1")
    assert 0.5 < first.share < 1
    assert first.seconds < found.seconds <= found.outcome.seconds
