"""`ti99tools compile`, and `run` of what it makes."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.cli.invoking import invoke
from ti99tools.app.compile import name_remarks, suited
from ti99tools.compiler import linking

SOURCE = '100 PRINT "HELLO"\n110 N=N+1.5::PRINT N\n'


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "hello.bas"
    path.write_text(SOURCE)
    return path


def test_compile_and_run(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "hello.bin"
    code, output = invoke("compile", source, "-o", path, "--title", "GREETING")
    assert code == 0, output
    assert "GREETING" in output
    code, output = invoke("run", path, "--screen")
    assert code == 0, output
    assert output.startswith("  HELLO\n")
    assert " 1.5" in output
    assert "* READY *" in output


def test_an_rpk(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "hello.rpk"
    assert invoke("compile", source, "-o", path)[0] == 0
    assert path.read_bytes()[:2] == b"PK"
    code, output = invoke("run", path, "--screen")
    assert code == 0 and "HELLO" in output, output


def test_a_run_ends_where_a_key_is_missing(tmp_path: Path) -> None:
    source, target = tmp_path / "wait.bas", tmp_path / "wait.bin"
    source.write_text("100 CALL KEY(0,K,S)\n110 IF S<1 THEN 100\n120 PRINT K\n")
    invoke("compile", source, "-o", target)
    code, output = invoke("run", target)
    assert code == 1 and "waits for a key in line 100, after 11." in output, output
    assert "wait.bas:1:5: " in output, "the place in the source"
    code, output = invoke("run", target, "--max-seconds", 5)
    assert "waits for a key in line 100, and 5.0 seconds of machine time are over" in output, output
    code, output = invoke("run", target, "--keys", "ABCD")
    assert code == 1 and "the program has ended, and nobody takes the key B" in output, output
    assert "in --keys ABCD" in output


def test_a_profile_leaves_out_the_last_wait(tmp_path: Path) -> None:
    source, image = tmp_path / "wait.bas", tmp_path / "wait.bin"
    source.write_text(
        "100 FOR I=1 TO 9 :: PRINT I :: NEXT I\n110 CALL KEY(0,K,S)\n120 IF S<1 THEN 110\n"
    )
    invoke("compile", source, "-o", image)
    for target, least in ((image, 9), (source, 30)):
        code, output = invoke("profile", target)
        assert code == 0 and "waits for a key in line 110" in output, output
        data = json.loads(invoke("profile", target, "--json")[1].partition("\n}\n")[0] + "}")
        assert data["waited"] > least and data["lines"][0]["line"] == 100, data
        assert data["seconds"] < 2
        assert "NEXT I" in data["lines"][0]["text"]
        assert "left out: the last wait" in output
        assert ("start-up: cartridge" in output) is (target == image)
        assert ("start-up: pre-scan" in output) is (target == source)


def test_a_cartridge_is_told_by_its_content(source: Path, tmp_path: Path) -> None:
    for name in ("made.bin", "made.rpk"):
        path = tmp_path / name
        invoke("compile", source, "-o", path)
        renamed = path.with_suffix(".c")
        path.rename(renamed)
        code, output = invoke("run", renamed, "--screen")
        assert code == 0, output
        renamed.unlink()


def test_a_zip_without_rom_is_said_to_be_one(tmp_path: Path) -> None:
    path = tmp_path / "x.rpk"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("layout.xml", "<romset/>")
    code, output = invoke("run", path)
    assert code == 2
    assert "without a program in ROM: GROM is not emulated" in output


def test_what_is_shown(source: Path) -> None:
    assert "show text" in invoke("compile", source, "--show", "ir")[1]
    assert "BLWP @PTEXT" in invoke("compile", source, "--show", "asm")[1]
    assert "N is a cell" in invoke("compile", source, "--show", "ranges")[1]
    table = invoke("compile", source, "--report")[1]
    assert re.search(r"^110 +\d+ +[\d,]+ : [\d,]+ +\d+ x  ", table, re.M)
    assert "N may be 1..2 with fractions in line 110" in table


def test_figures_as_data(source: Path) -> None:
    code, output = invoke("compile", source, "--json")
    assert code == 0
    assert json.loads(output)["cells"] == 1


def test_the_report_as_data(source: Path) -> None:
    code, output = invoke("compile", source, "--report", "--json")
    data = json.loads(output)
    assert code == 0
    assert data["cells"] == 1
    assert "with fractions in line 110" in data["not_words"]["N"]
    assert data["runtime_parts"]
    statement = next(each for each in data["statements"] if each["line"] == 110)
    assert statement["basic_cycles"] > statement["compiled_cycles"] > statement["bytes"] > 0


def test_the_pace_of_a_loop(tmp_path: Path) -> None:
    source = tmp_path / "steer.bas"
    source.write_text("100 CALL JOYST(1,X,Y)\n110 CALL HCHAR(9,N,32)::N=N+1\n120 GOTO 100\n")
    rows = re.findall(
        r"^line 100 looks for keys: .* (\d+) ms", invoke("compile", source, "--report")[1], re.M
    )
    assert len(rows) == 1 and 30 < int(rows[0]) < 90
    data = json.loads(invoke("compile", source, "--report", "--json")[1])
    assert data["paced"] == [{"line": 100, "milliseconds": int(rows[0])}]
    assert "looks for keys" not in invoke("compile", source, "--report", "--pace", "none")[1]
    sizes = [
        json.loads(invoke("compile", source, "--json", "--pace", pace)[1])["program"]
        for pace in ("basic", "none")
    ]
    assert sizes[0] == sizes[1] + 8


def test_help_begins_with_what_can_be_compiled() -> None:
    first = " ".join(invoke("compile", "--help")[1].split()).partition("The cartridge starts")[0]
    assert "It takes what games use: numbers, strings" in first
    assert "does not take cassettes" in first


def test_statements_that_always_fail_are_told(tmp_path: Path) -> None:
    path = tmp_path / "lost.xb"
    path.write_text("100 PRINT 1\n110 GOTO 999\n")
    code, output = invoke("compile", str(path), "-o", str(tmp_path / "lost_8.bin"))
    assert code == 0
    assert "lost.xb:2:5: line 110 always fails with LINE NOT FOUND; name a line that is" in output


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "nothing to do"),
        (("--show", "ir", "--json"), "--json does not give what --show prints"),
        (("--title", "A TITLE OF MANY LETTERS", "-o", "x.bin"), "too long for the menu"),
        (("-o", "x.txt"), "neither .bin nor .rpk"),
    ],
)
def test_wrong_usages(source: Path, words: tuple[str, ...], reason: str) -> None:
    code, output = invoke("compile", source, *words)
    assert code == 2
    assert reason in output


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("p09sound.bin", "takes a name that ends in D for a part of another image; Classic99 req"),
        ("dog.BIN", "ends in G for a part of another image; Classic99 requires"),
        ("game.bin", "game.bin: Classic99 requires a name that ends in _8; game_8.bin suits both"),
        ("somewhatlong.bin", "at most 8 letters before .bin; Classic99"),
        (
            "longname_8.bin",
            "longname_8.bin: FinalGROM 99 takes at most 8 letters",
        ),
        ("game_8.bin", ""),
        ("dog.rpk", ""),
    ],
)
def test_names_that_loaders_take_otherwise_are_remarks(
    source: Path, tmp_path: Path, name: str, remark: str
) -> None:
    code, output = invoke("compile", source, "-o", tmp_path / name)
    assert code == 0
    assert (tmp_path / name).is_file()
    assert remark in output
    assert bool(remark) == ("note: " in output)


def test_a_suggested_name_suits_both() -> None:
    for stem in ("p09sound", "game", "somewhatlong", "longname_8", "d", "game_8", "abcde__8"):
        output = Path(f"{suited(stem)}.bin")
        assert name_remarks(output) == []
        assert len(output.stem) <= 8
    assert suited("p09sound") == "p09sou_8"
    assert suited("d5000_nb") == "d5000_8"


def test_a_refusal_names_the_place(tmp_path: Path) -> None:
    path = tmp_path / "names.bas"
    path.write_text('100 PRINT 1\n110 CALL LINK("X")\n')
    code, output = invoke("compile", path, "-o", tmp_path / "n8.bin")
    assert code == 2
    assert "names.bas:2" in output
    assert "LINK runs other machine code" in output


def test_a_cartridge_has_all_options_of_a_run(source: Path, tmp_path: Path) -> None:
    image, disk = tmp_path / "hello.bin", tmp_path / "data.dsk"
    invoke("compile", source, "-o", image)
    assert invoke("disk", "new", disk, source)[0] == 0
    script = tmp_path / "script.keys"
    script.write_text("until 1.5\nsnap sum\nrest 60\nuntil ready\n")
    files = {kind: tmp_path / f"last.{kind}" for kind in ("png", "gif", "wav", "dsk")}
    code, output = invoke(
        *("run", image, "--json", "--script", script, "--disk", disk, "--pio", tmp_path / "paper"),
        *("--png", files["png"], "--gif", files["gif"], "--wav", files["wav"]),
        *("--snaps", tmp_path / "snaps", "--save-disk", files["dsk"]),
    )
    assert code == 0, output
    data = json.loads(output.partition("\n}\n")[0] + "}")
    assert (data["status"], data["ok"]) == ("ended", True)
    assert data["variables"] == {"N": 1.5}
    assert "HELLO" in "".join(data["snaps"]["sum"])
    assert [row["name"] for row in data["files"]["DSK1"]] == ["HELLO"]
    assert all(file.stat().st_size for file in files.values())
    assert (tmp_path / "snaps" / "sum.png").is_file()


def test_an_error_of_a_cartridge_is_that_of_the_program(tmp_path: Path) -> None:
    source, image = tmp_path / "bad.bas", tmp_path / "bad.bin"
    source.write_text("100 FOR I=1 TO 3::J=J+I::NEXT I\n110 GOSUB 200\n200 RETURN\n")
    invoke("compile", source, "-o", image)
    for target in (source, image):
        code, output = invoke("run", target)
        assert code == 1 and "bad.bas:3:5: RETURN WITHOUT GOSUB IN 200" in output, output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "--coverage", "text"), "--coverage counts statements of Extended BASIC"),
        (("run", "--seed", "1"), "--seed answers a game in Extended BASIC (type the answer"),
        (("run", "--randomize", "1"), "run the source"),
        (("run", "--show-code"), "--show asm"),
        (("run", "OTHER"), "OTHER is not on it (there are HELLO"),
        (("profile", "--basic", "rxb"), "a cartridge runs without BASIC (leave out --basic"),
        (("play", "--basic", "rxb"), "a cartridge runs without BASIC"),
        (("debug", "--seed", "1"), "type the answer"),
    ],
)
def test_what_only_extended_basic_has(
    source: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "hello.bin"
    invoke("compile", source, "-o", path)
    code, found = invoke(words[0], path, *words[1:])
    assert code == 2 and message.split(" (")[0] in found, found


def test_a_cartridge_runs_in_a_project_with_disks(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hello.bin"
    invoke("compile", source, "-o", path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TI99TOOLS_CONFIG", raising=False)
    (tmp_path / "ti99tools.toml").write_text('drives = ["DSK2=work.dsk"]\nseed = 7\n')
    invoke("disk", "new", "work.dsk", source)
    code, output = invoke("run", path, "--json")
    assert code == 0, output
    assert list(json.loads(output)["files"]) == ["DSK1", "DSK2"]


def test_a_game_is_compiled_as_its_source_says(tmp_path: Path) -> None:
    folder = tmp_path / "sums"
    folder.mkdir()
    (folder / "sums.xb").write_text(
        "RANGE COUNTER=1 TO 9\nCOUNTER=COUNTER+1\nPRINT COUNTER\nOTHER=1.5\nPRINT OTHER\n"
    )
    (folder / "game.toml").write_text(
        'title = "Sums"\nversion = "1.0"\nsource = "sums.xb"\nprogram = "SUMS"\ndisk = "SUMS"\n'
    )
    code, output = invoke("compile", folder, "--show", "ranges")
    assert code == 0, output
    assert re.search(r"^COUNTER +0\.\.1$", output, re.M)
    assert "OTHER is a cell" in output


def test_a_disk_that_extended_basic_starts(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "hello.dsk"
    code, output = invoke("compile", source, "-o", path, "--title", "GREETING")
    assert code == 0, output
    assert "Extended BASIC starts DSK1.LOAD" in output
    code, output = invoke("run", path, "--screen")
    assert code == 0, output
    assert output.startswith("  HELLO\n")
    assert " 1.5" in output
    code, output = invoke("profile", path)
    assert code == 2
    assert "profile its cartridge" in output
    assert invoke("compile", source, "-o", path)[0] == 2, "a disk may hold what people have made"
    assert invoke("compile", source, "-o", path, "--replace")[0] == 0


def test_files_that_option_5_starts(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "hello.hfe"
    code, output = invoke("compile", source, "-o", path, "--form", "ea5", "--name", "game")
    assert code == 0, output
    assert "option 5 of Editor/Assembler starts DSK1.GAME" in output
    names = [row.split()[0] for row in invoke("disk", "ls", path)[1].splitlines()[2:]]
    assert names == ["GAME", "GAMF"]
    code, output = invoke("run", path)
    assert code == 2
    assert "GAME is machine code for Editor/Assembler, option 5; " in output
    assert f"ti99tools run {path} GAME starts it" in output
    code, output = invoke("run", path, "game", "--screen")
    assert code == 0, output
    assert output.startswith("  HELLO\n")
    assert invoke("disk", "rm", path, "GAMF")[0] == 0
    code, output = invoke("run", path, "GAME")
    assert code == 2 and "another file follows GAME: GAMF is missing" in output, output
    folder = tmp_path / "files"
    code, output = invoke("compile", source, "-o", folder, "--form", "ea5", "--tifiles", "--json")
    assert code == 0, output
    assert '"form": "ea5"' in output
    assert sorted(path.name for path in folder.iterdir()) == ["HELLO", "HELLP"]
    assert all(path.read_bytes().startswith(b"\x07TIFILES") for path in folder.iterdir())
    again = ("compile", source, "-o", folder, "--form", "ea5", "--tifiles")
    code, output = invoke(*again)
    assert code == 2 and "1 more already exist, nothing was written" in output, output
    assert invoke(*again, "--replace")[0] == 0


def test_a_disk_refuses_what_does_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "large.bas"
    source.write_text("100 DIM A(3000):: A(1)=1.5 :: PRINT A(1)\n")
    code, output = invoke("compile", source, "-o", tmp_path / "large.dsk")
    assert code == 2
    missing = (
        r"large.bas: .*\d+ bytes are missing; the largest parts: A\(\) 24008, main program \d+; "
    )
    assert re.search(missing + "use smaller arrays", output), output
    source.write_text("".join(f"{n} PRINT A{n}*{n}/B{n}\n" for n in range(1, 200)))
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + 2000)
    code, output = invoke("compile", source, "-o", tmp_path / "large.dsk")
    assert code == 2
    assert re.search(r"parts: main program \d+; compile it as a cartridge", output), output
    assert not (tmp_path / "large.dsk").exists()


def test_options_of_disks_go_with_disks(source: Path, tmp_path: Path) -> None:
    for words in (("--form", "xb"), ("--name", "GAME"), ("--tifiles",)):
        code, output = invoke("compile", source, "-o", tmp_path / "hello.bin", *words)
        assert code == 2 and f"{words[0]} has no effect here" in output, output
    code, output = invoke("compile", source, "--report", "--tifiles")
    assert code == 2 and "it goes with a folder: -o FOLDER" in output, output
    code, output = invoke("compile", source, "-o", tmp_path / "hello.dsk", "--tifiles")
    assert code == 2 and "leave out --tifiles, or name a folder" in output, output
    code, output = invoke("compile", source, "-o", tmp_path)
    assert code == 2 and "a folder; name a file in it, or add --tifiles" in output, output
    code, output = invoke("compile", source, "-o", tmp_path / "hello.dsk", "--name", "NO NAME")
    assert code == 2 and "file name 'NO NAME' is invalid" in output, output
