"""`ti99tools disk …` as users call it."""

import json
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from ti99tools.fronts.cli.disk import command
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk import hostfiles, records
from ti99tools.media.disk.image import DiskImage
from ti99tools.media.disk.tifile import DiskFile

SOURCE = '100 PRINT "HELLO"\n110 GOTO 100\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("game.xb").write_text(SOURCE)
    Path("notes.txt").write_text("ONE\nTWO\n")
    return tmp_path


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli, ["disk", *words])
    assert result.exit_code == code, result.output
    return result


def test_a_disk_from_sources_to_listing() -> None:
    run("new", "game.dsk", "game.xb", "notes.txt", "--name", "GAMES")
    listing = run("ls", "game.dsk").stdout.splitlines()
    assert listing[0].split() == [
        "Disk",
        "GAMES",
        "SSSD",
        "sector",
        "image",
        "used",
        "6",
        "free",
        "354",
    ]
    assert [line.split() for line in listing[2:]] == [
        ["GAME", "2", "PROGRAM", "32"],
        ["NOTES", "2", "DIS/VAR", "80", "8"],
    ]
    assert run("show", "game.dsk", "game").stdout == SOURCE
    assert run("show", "game.dsk", "NOTES").stdout == "ONE\nTWO\n"
    assert run("show", "game.dsk", "GAME", "--hex").stdout.startswith("0000  ")
    data = json.loads(run("show", "game.dsk", "NOTES", "--json").stdout)
    assert data["records"] == ["ONE", "TWO"]
    assert json.loads(run("show", "game.dsk", "GAME", "--json").stdout)["listing"] == (
        SOURCE.splitlines()
    )


def test_untidy_listings_go_onto_disks_as_the_editor_takes_them() -> None:
    Path("old.b99").write_text("REM TITLE\n100 PRINT 1\n110 END\n100 PRINT 2\n")
    for words in (("new", "game.dsk", "old.b99"), ("new", "boot.dsk", "--boot", "old.b99")):
        lines = run(*words).stderr.splitlines()
        assert lines[0].startswith("old.b99:1:1: info: a row without a line number was skipped")
        assert lines[1].startswith(
            "old.b99:4:1: warning: line 100 is also at old.b99:2:1: this one"
        )
    assert "this one counts" in run("add", "game.dsk", "old.b99", "--replace").stderr
    assert run("show", "game.dsk", "OLD").stdout == "100 PRINT 2\n110 END\n"
    assert run("show", "boot.dsk", "LOAD").stdout == "100 PRINT 2\n110 END\n"


def test_catalogue_as_data() -> None:
    run("new", "game.dsk", "game.xb", "notes.txt")
    data = json.loads(run("ls", "game.dsk", "--json", "N*").stdout)
    assert (data["free"], data["used"], data["geometry"]) == (354, 6, "SSSD")
    assert [f["name"] for f in data["files"]] == ["NOTES"]
    assert data["files"][0]["type"] == "DIS/VAR"


@pytest.mark.parametrize("form", ["dsk", "hfe", "pc99", "cf7"])
def test_every_command_on_every_form(form: str) -> None:
    run("new", "d.img", "notes.txt", "--form", form)
    run("add", "d.img", "game.xb", "--protect")
    run("rm", "d.img", "game", code=2)
    run("protect", "d.img", "*", "--off")
    run("rename", "d.img", "game", "G2")
    run("rename", "d.img", "--disk", "NEWNAME")
    run("check", "d.img")
    run("rm", "d.img", "NOTES")
    data = json.loads(run("ls", "d.img", "--json").stdout)
    assert ([f["name"] for f in data["files"]], data["name"]) == (["G2"], "NEWNAME")
    assert "0 repaired" in run("repair", "d.img").stdout


def test_files_to_the_host_and_back() -> None:
    run("new", "a.dsk", "game.xb", "notes.txt")
    run("get", "a.dsk", "--all", "out")
    assert sorted(p.name for p in Path("out").iterdir()) == ["GAME", "NOTES"]
    run("get", "a.dsk", "--all", "out", code=2)
    run("new", "b.dsk", "out/GAME", "out/NOTES")
    assert Path("a.dsk").read_bytes() == Path("b.dsk").read_bytes()
    run("get", "a.dsk", "game", "-o", "list.xb")
    assert Path("list.xb").read_text() == SOURCE
    run("get", "a.dsk", "*", "--to", "plain", "--form", "auto")
    assert sorted(p.name for p in Path("plain").iterdir()) == ["GAME.xb", "NOTES.txt"]
    assert run("get", "a.dsk", "NOTES", "-o", "-", "--form", "text").stdout == "ONE\nTWO\n"
    written = json.loads(run("get", "a.dsk", "NOTES", "--to", "j", "--json").stdout)
    assert written == [{"name": "NOTES", "form": "tifiles", "path": "j/NOTES"}]


def test_hostile_names_stay_in_their_folder() -> None:
    disk = DiskImage.new()
    disk.add(DiskFile.program("/ETC/X", b"1"))
    disk.add(DiskFile.program("\\CON", b"2"))
    disk.save("evil.dsk")
    run("get", "evil.dsk", "--all", "out")
    assert sorted(p.name for p in Path("out").iterdir()) == ["%2FETC%2FX", "%5CCON"]
    run("new", "back.dsk", "out/%2FETC%2FX")
    assert "/ETC/X" in DiskImage.open("back.dsk")


def test_types_of_bare_bytes() -> None:
    Path("data.bin").write_bytes(bytes(256))
    run("new", "a.dsk")
    assert "--type" in run("add", "a.dsk", "data.bin", code=2).stderr
    run("add", "a.dsk", "data.bin", "--type", "int/fix", "--recl", "64")
    run("add", "a.dsk", "data.bin", "--type", "PROGRAM", "--name", "P")
    run("add", "a.dsk", "notes.txt", "--type", "DIS/FIX", "--recl", "10")
    assert "no file type" in run("add", "a.dsk", "data.bin", "--type", "TEXT", code=2).stderr
    assert [f.recl for f in DiskImage.open("a.dsk").files()] == [64, 10, 0]
    assert "--type" in run("add", "a.dsk", "data.bin", "--form", "raw", code=2).stderr


def test_a_name_with_a_slash() -> None:
    run("new", "a.dsk")
    run("add", "a.dsk", "notes.txt", "--name", "DM/2")
    run("get", "a.dsk", "--all", "out")
    assert [path.name for path in Path("out").iterdir()] == ["DM.2"]
    run("add", "a.dsk", "out/DM.2", "--replace")
    run("get", "a.dsk", "DM/2", "--form", "text")
    assert "use --name DM/2" in run("add", "a.dsk", "DM.2.txt", "--replace", code=2).stderr
    run("add", "a.dsk", "DM.2.txt", "--name", "DM/2", "--replace")
    assert DiskImage.open("a.dsk").names() == ["DM/2"]


def test_what_names_a_disk_is_no_name_of_a_file() -> None:
    for name in ("my game.xb", "averyverylongname.xb", "a.b.xb"):
        Path(name).write_text(SOURCE)
        result = run("new", "a.dsk", name, "--name", "X", code=2)
        words = result.stderr.partition("`ti99tools disk ")[2].partition("`")[0]
        assert words.startswith("add a.dsk ")
        assert not Path("a.dsk").exists()
        run("new", "a.dsk")
        run(*shlex.split(words.replace("NAME", "GAME")))
        assert DiskImage.open("a.dsk").names() == ["GAME"]
        Path("a.dsk").unlink()


def test_bare_records_of_display_files() -> None:
    run("new", "a.dsk")
    data = b"\1" + 39 * b"A" + b"\n" + 39 * b"A" + 80 * b"B"
    Path("data.bin").write_bytes(data)
    Path("both.bin").write_bytes(79 * b"A" + b"\n")
    run("add", "a.dsk", "data.bin", "--type", "DF80")
    assert run("get", "a.dsk", "DATA", "-o", "-", "--form", "raw").stdout_bytes == data
    refused = run("add", "a.dsk", "both.bin", "--type", "DF80", code=2).stderr
    assert "text of 1 lines, and 1 records" in refused
    assert "use --form text or --form raw" in refused
    for form, kept in (("text", 79 * b"A" + b" "), ("raw", 79 * b"A" + b"\n")):
        run("add", "a.dsk", "both.bin", "--type", "DF80", "--form", form, "--replace")
        assert run("get", "a.dsk", "BOTH", "-o", "-", "--form", "raw").stdout_bytes == kept
    run("add", "a.dsk", "both.bin", "--form", "text", "--name", "NOTE")
    assert (
        run("get", "a.dsk", "NOTE", "-o", "-", "--form", "text").stdout_bytes == 79 * b"A" + b"\n"
    )


def test_nothing_is_overwritten_unasked() -> None:
    run("new", "a.dsk", "notes.txt")
    before = Path("a.dsk").read_bytes()
    assert "already exists" in run("new", "a.dsk", code=2).stderr
    assert "already exists" in run("add", "a.dsk", "notes.txt", code=2).stderr
    assert "already exists" in run("convert", "a.dsk", "a.dsk", code=2).stderr
    assert Path("a.dsk").read_bytes() == before
    run("add", "a.dsk", "notes.txt", "--replace")
    assert Path("a.dsk").read_bytes() == before


def test_a_failing_add_writes_nothing() -> None:
    run("new", "a.dsk")
    before = Path("a.dsk").read_bytes()
    Path("bad.xb").write_text('100 PRINT "OPEN\n')
    run("add", "a.dsk", "notes.txt", "bad.xb", code=2)
    assert Path("a.dsk").read_bytes() == before


def test_a_protected_disk_refuses_changes() -> None:
    run("new", "a.dsk", "notes.txt")
    run("protect", "a.dsk", "--disk")
    assert "protected" in run("ls", "a.dsk").stdout
    for words in (("rm", "a.dsk", "NOTES"), ("add", "a.dsk", "game.xb"), ("protect", "a.dsk", "*")):
        assert "--disk --off" in run(*words, code=2).stderr
    run("protect", "a.dsk", "--disk", "--off")
    run("rm", "a.dsk", "NOTES")


def test_cards() -> None:
    run("new", "card.img", "notes.txt", "--form", "cf7", "--volume", "2", "--name", "TWO")
    run("new", "one.dsk", "game.xb", "--name", "ONE")
    run("convert", "one.dsk", "card.img", "--form", "cf7")
    assert run("ls", "card.img", "--volumes").stdout.split() == ["1", "ONE", "2", "TWO"]
    assert json.loads(run("ls", "card.img", "--volumes", "--json").stdout)[1]["name"] == "TWO"
    assert "NOTES" in run("ls", "card.img", "--volume", "2").stdout
    assert "exists" in run("convert", "one.dsk", "card.img", "--form", "cf7", code=2).stderr
    run("convert", "one.dsk", "card.img", "--form", "cf7", "--replace", "--to-volume", "2")
    assert run("ls", "card.img", "--volumes").stdout.split() == ["1", "ONE", "2", "ONE"]
    assert "no volume 9" in run("ls", "card.img", "--volume", "9", code=2).stderr


def test_damage_is_reported_and_mended() -> None:
    run("new", "a.dsk", "notes.txt", "game.xb")
    disk = DiskImage.open("a.dsk")
    disk.volume.set_pointers(1, disk.volume.pointers(1)[::-1])
    disk.volume.mark({0x22}, False)
    disk.save("a.dsk")
    result = run("check", "a.dsk", code=1)
    assert "2 wrong, 2 of them can be repaired" in result.stdout
    assert {f["code"] for f in json.loads(run("check", "a.dsk", "--json", code=1).stdout)} == {
        "index-order",
        "bitmap-free",
    }
    assert "disk check" in run("ls", "a.dsk").stderr
    run("repair", "a.dsk", "-o", "b.dsk")
    assert "nothing wrong" in run("check", "b.dsk").stdout
    assert len(json.loads(run("repair", "a.dsk", "--json").stdout)["done"]) == 2
    assert Path("a.dsk").read_bytes() == Path("b.dsk").read_bytes()


def test_conversions() -> None:
    run("new", "a.dsk", "notes.txt")
    run("convert", "a.dsk", "a.hfe")
    run("convert", "a.hfe", "b.dsk")
    assert Path("a.dsk").read_bytes() == Path("b.dsk").read_bytes()
    run("convert", "a.dsk", "big.dsk", "--geometry", "dsdd")
    assert "DSDD" in run("ls", "big.dsk").stdout
    assert "no geometry" in run("convert", "a.dsk", "c.dsk", "--geometry", "XX", code=2).stderr


def test_single_files_change_their_container() -> None:
    run("new", "a.dsk", "notes.txt")
    run("get", "a.dsk", "NOTES", "-o", "n.tfi")
    run("convert", "n.tfi", "n.fiad", "--form", "fiad")
    run("convert", "n.fiad", "back.tfi", "--form", "tifiles")
    run("convert", "n.fiad", "text", "--form", "text")
    assert Path("n.tfi").read_bytes() == Path("back.tfi").read_bytes()
    assert Path("text").read_text() == "ONE\nTWO\n"
    run("convert", "n.tfi", "n.TXT")
    assert Path("n.TXT").read_text() == "ONE\nTWO\n"
    assert "use one of .dsk (dsk)" in run("convert", "a.dsk", "disk.txt", code=2).stderr
    run("convert", "a.dsk", "disk.txt", "--form", "dsk")
    assert Path("disk.txt").read_bytes() == Path("a.dsk").read_bytes(), "a disk stays a disk"
    run("new", "b.dsk", "game.xb")
    run("get", "b.dsk", "GAME", "--form", "tifiles", "-o", "g.tfi")
    assert "`ti99tools list` shows a program" in run("convert", "g.tfi", "g.txt", code=2).stderr
    assert "disk get" in run("convert", "a.dsk", "x", "--form", "text", code=2).stderr


def test_usage_errors() -> None:
    run("new", "a.dsk", "notes.txt", "game.xb")
    for words in (
        ("get", "a.dsk"),
        ("get", "a.dsk", "*", "--all", "out"),
        ("get", "a.dsk", "*", "-o", "x"),
        ("rename", "a.dsk", "NOTES"),
        ("protect", "a.dsk"),
        ("add", "a.dsk", "notes.txt", "game.xb", "--name", "X"),
        ("show", "a.dsk", "NONE"),
        ("ls", "none.dsk"),
        ("ls", "notes.txt"),
    ):
        assert run(*words, code=2).stderr


def test_a_foreign_text_or_program_is_recognised() -> None:
    run("new", "a.dsk", "game.xb")
    run("get", "a.dsk", "game", "-o", "bare.prg", "--form", "raw")
    run("add", "a.dsk", "bare.prg")
    assert run("show", "a.dsk", "BARE").stdout == SOURCE
    Path("old.tfi").write_bytes(
        hostfiles.build_tifiles(records.store(DiskFile.internal_var("INT", [b"\1\2"], 80)))
    )
    run("add", "a.dsk", "old.tfi", "--name", "OTHER")
    assert "record 0 (2 bytes)" in run("show", "a.dsk", "other").stdout


@pytest.mark.parametrize(("form", "kind"), [("long", "INT/VAR 254"), ("merge", "DIS/VAR 163")])
def test_bare_records_of_a_program_are_recognised(form: str, kind: str) -> None:
    done = CliRunner().invoke(cli, ["tokenize", "game.xb", "-o", "GAME", "--format", form])
    assert done.exit_code == 0, done.output
    run("new", "b.dsk", "GAME")
    assert kind in run("ls", "b.dsk").stdout
    assert run("show", "b.dsk", "GAME").stdout == SOURCE


def test_internal_records_are_shown_as_values() -> None:
    Path("w.bas").write_text(
        '100 OPEN #1:"DSK1.F",INTERNAL,OUTPUT,FIXED 64\n'
        '110 PRINT #1:"A ""B""",-1.5,0,""\n120 PRINT #1:1E20,"12345678"\n130 CLOSE #1\n'
    )
    done = CliRunner().invoke(cli, ["run", "w.bas", "--save-disk", "w.dsk"])
    assert done.exit_code == 0, done.stderr
    assert run("show", "w.dsk", "F").stdout == (
        'record 0: "A ""B""", -1.5, 0\nrecord 1: 1.E+20, "12345678"\n'
    )
    data = json.loads(run("show", "w.dsk", "F", "--json").stdout)
    assert data["values"] == [['A "B"', -1.5, 0], [1e20, "12345678"]]
    assert run("show", "w.dsk", "F", "--hex").stdout.startswith("record 0 (64 bytes)\n  0000  05")


@pytest.mark.parametrize("name", sorted(command.commands))
def test_every_help_has_an_example(name: str) -> None:
    text = run(name, "--help").stdout
    assert f"ti99tools disk {name} " in text
    assert isinstance(command.commands[name], click.Command)


def test_where_files_are_to_go_onto_no_disk_its_making_is_proposed() -> None:
    run("new", "game.dsk", "game.xb")
    remedy = "error: all.dsk: no such disk image; `ti99tools disk new` makes a new one"
    for words in (("add", "all.dsk", "game.xb"), ("copy", "game.dsk", "all.dsk")):
        assert remedy in run(*words, code=2).stderr
    assert "did you mean game.dsk?" in run("rm", "gane.dsk", "GAME", code=2).stderr
