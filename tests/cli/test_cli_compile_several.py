"""`ti99tools compile` of several programs, and what runs such a cartridge."""

import json
from pathlib import Path

import pytest

from tests.cli.invoking import command, invoke
from ti99tools.app.consoles import console_for, with_source
from ti99tools.app.target import find_target
from ti99tools.fronts.play.playing import PlaySession

LISTINGS = {
    "menu.bas": '100 PRINT "MENU"\n110 RUN "DSK1.ONE"\n',
    "one.xb": 'A=5\nPRINT "ONE"\nCALL KEY(0,K,S)\nIF K=65 THEN RUN "DSK1.menu"\n',
    "two.bas": '100 PRINT "TWO"\n',
}


@pytest.fixture
def sources(tmp_path: Path) -> list[str]:
    for name, text in LISTINGS.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in LISTINGS]


@pytest.fixture
def cartridge(sources: list[str], tmp_path: Path) -> Path:
    path = tmp_path / "all_8.bin"
    code, output = invoke("compile", *sources, "-o", path)
    assert code == 0, output
    assert "3 programs, all in the menu, 8 KB" in output
    assert "\n  ONE: " in output
    return path


def test_the_program_that_runs_is_chosen(cartridge: Path) -> None:
    for words, shown in (((), "MENU"), (("two",), "TWO"), (("ONE",), "ONE")):
        code, output = invoke("run", cartridge, *words, "--screen", "--until", shown)
        assert code == 0, output
        assert shown in output
    code, output = invoke("run", cartridge, "THREE")
    assert code == 2
    assert "THREE is not on it; the menu has MENU, ONE, TWO" in output


def test_only_the_first_is_in_the_menu(sources: list[str], tmp_path: Path) -> None:
    path = tmp_path / "first.rpk"
    title = ("--title", "THE FIRST")
    words = ["compile", *sources, "--first", *title, "-o", str(path), "--json"]
    data = json.loads(command(*words).stdout)
    assert data["cartridge"] == 8192
    rows = [(row["name"], row["in_menu"], row["title"]) for row in data["programs"]]
    assert rows == [("MENU", True, "THE FIRST"), ("ONE", False, "one"), ("TWO", False, "two")]
    code, output = invoke("run", path, "--screen")
    assert "MENU" in output
    assert "ONE" in output
    code, output = invoke("run", path, "TWO")
    assert code == 2
    assert "TWO is not in the menu: another program RUNs it" in output


def test_the_source_of_each_program_is_known(cartridge: Path) -> None:
    target = with_source(find_target(str(cartridge), "ONE"))
    assert target.symbols is not None
    console = console_for(target, {})
    target.start(console)
    console.resume(20)
    assert console.variables["A"] == 5
    code, output = invoke("profile", cartridge, "TWO")
    assert code == 0, output
    assert 'PRINT "TWO"' in output
    sitting = PlaySession.of(str(cartridge), program="TWO")
    assert sitting.console.run_until("TWO", seconds=5)
    # What another program RUNs has no names here.
    console = console_for(find_target(str(cartridge)), {})
    console.start()
    assert console.run_until("ONE", seconds=5)
    assert console.variables.everything() == {}


def test_an_error_in_a_program_that_another_has_started_is_not_in_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "menu.bas").write_text('100 PRINT "MENU"\n110 RUN "DSK1.ONE"\n')
    (tmp_path / "one.bas").write_text("100 INPUT A\n110 PRINT SQR(A)\n")
    assert invoke("compile", "menu.bas", "one.bas", "-o", "all_8.bin")[0] == 0
    assert "all_8.bin: BAD ARGUMENT IN 110" in invoke("run", "all_8.bin", "--keys", "-1\\n")[1]
    output = invoke("run", "all_8.bin", "ONE", "--keys", "-1\\n")[1]
    assert "one.bas:2:5: BAD ARGUMENT IN 110" in output


def test_the_report_of_each(sources: list[str]) -> None:
    code, output = invoke("compile", sources[0], sources[2], "--report")
    assert code == 0, output
    assert output.count("line   bytes  cycles in Extended BASIC : compiled  statement") == 2
    assert "TWO\nline" in output
    code, output = invoke("compile", *sources[1:], "--show", "ir")
    assert "error 130" in output


NINE = tuple(f"p{number}.xb" for number in range(9))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("one.xb", "one.xb"), "are both called ONE"),
        (("one.xb", "--first"), "is the only program"),
        (
            NINE,
            "8 programs, these are 9; leave out some, or put only the first into the menu: --fi",
        ),
        (("one.xb", "two.bas", "--title", "X"), "each of several programs has its name"),
        (("one.xb", "two.bas", "-o", "x.dsk"), "a disk takes one compiled program"),
        (("one.xb", "a.name.too.long.xb"), "too.long.xb: RUN has no name for it; rename the file"),
        (("one.xb", "bad.bas"), "bad.bas:1:"),
        (("one.xb", "none.xb"), "none.xb: no such file"),
    ],
)
def test_what_is_refused(
    sources: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...],
    message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.bas").write_text('100 CALL LINK("X")\n')
    for name in NINE:
        (tmp_path / name).write_text("PRINT 1\n")
    (tmp_path / "a.name.too.long.xb").write_text("PRINT 1\n")
    output = () if "-o" in words else ("-o", "x_8.bin")
    code, text = invoke("compile", *words, *output)
    assert code == 2
    assert message in text
    assert not (tmp_path / "x_8.bin").exists()
