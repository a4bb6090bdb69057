"""Includes, pictures and texts in files; nothing outside the source's folder is read."""

import sys
from pathlib import Path

import pytest
from PIL import Image

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate, generate_file, reader
from ti99tools.language.dialect import reader as library


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.xb").write_text("PRINT 1")
    game = tmp_path / "game"
    (game / "parts").mkdir(parents=True)
    return game


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_includes_are_read_beside_the_file_that_names_them(folder: Path) -> None:
    write(folder / "parts" / "b.xb", "PRINT 3")
    write(folder / "parts" / "a.xb", 'PRINT 2\n#include "b.xb"')
    main = write(folder / "main.xb", 'PRINT 1\n#include "parts/a.xb"\nPRINT 4')
    generated = generate_file(main)
    assert generated.listing == ["100 PRINT 1::PRINT 2::PRINT 3::PRINT 4"]
    place = generated.sourcemap.statement(100, 2)
    assert place is not None
    assert place.file == str(folder / "parts" / "b.xb")
    assert place.line == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('#include "../secret.xb"', "outside the source's folder"),
        ('#include "/etc/passwd"', "outside the source's folder"),
        ('#include "missing.xb"', "cannot read missing.xb"),
        ("#include <missing.xb>", "no missing.xb in the library"),
        ("#include <../d5000/d5000.xb>", "no ../d5000/d5000.xb in the library"),
        ("#include missing.xb", "a file name in quotes is required"),
        ('#include "main.xb"', "includes itself"),
        ('#art 128 "../secret.png"', "outside the source's folder"),
        ('#art 128 "main.xb"', "cannot be read as a picture"),
        ('#text t "../secret.xb"', "outside the source's folder"),
        ('#text t "missing.txt"', "cannot read missing.txt"),
    ],
)
def test_files_that_cannot_be_had(folder: Path, line: str, message: str) -> None:
    main = write(folder / "main.xb", line)
    with pytest.raises(SourceError, match=message) as caught:
        generate_file(main)
    assert caught.value.place.line == 1


@pytest.mark.parametrize("line", ['#include "colors.xb"', "#include colors.xb"])
def test_a_file_of_the_library_is_named_in_brackets(folder: Path, line: str) -> None:
    with pytest.raises(SourceError) as caught:
        generate_file(write(folder / "main.xb", line))
    assert caught.value.remedy == "it is in the library: write #include <colors.xb>"


def test_a_link_does_not_lead_out_of_the_folder(folder: Path) -> None:
    (folder / "link.xb").symlink_to(folder.parent / "secret.xb")
    main = write(folder / "main.xb", '#include "link.xb"')
    with pytest.raises(SourceError, match="outside"):
        generate_file(main)


@pytest.mark.parametrize(
    ("limit", "most", "message"),
    [("_MOST_FILES", 30, "31 files"), ("_MOST_ROWS", 300, "3.. rows")],
)
def test_files_that_include_the_next_ten_times_are_bounded(
    folder: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, message: str
) -> None:
    monkeypatch.setattr(reader, limit, most)
    for depth in range(8):
        write(folder / f"f{depth}.xb", f'#include "f{depth + 1}.xb"\n' * 10)
    write(folder / "f8.xb", "PRINT 1\n" * 20)
    main = write(folder / "main.xb", '#include "f0.xb"\n#text t "f8.xb"')
    with pytest.raises(SourceError, match=f"{message}.* included .*; include at most") as caught:
        generate_file(main)
    assert not caught.value.others, "it is said once"


def test_a_text_without_a_file_includes_nothing() -> None:
    with pytest.raises(SourceError, match="save the source first"):
        generate('#include "a.xb"')


def test_a_picture_becomes_characters(folder: Path) -> None:
    picture = Image.new("RGBA", (16, 8), (255, 255, 255, 255))
    for y in range(8):
        picture.putpixel((0, y), (0, 0, 0, 255))
        picture.putpixel((15, y), (0, 0, 90, 255))
        picture.putpixel((8, y), (0, 0, 0, 0))
    picture.save(folder / "p.png")
    main = write(folder / "main.xb", '#art 128 "p.png"')
    digits = "80" * 8 + "01" * 8
    assert generate_file(main).listing == [f'100 CALL CHAR(128,"{digits}")']
    picture.crop((0, 0, 9, 8)).save(folder / "p.png")
    with pytest.raises(SourceError, match="9 by 8 dots"):
        generate_file(main)
    Image.new("1", (800, 800)).save(folder / "p.png")
    with pytest.raises(SourceError, match=r"800 by 800 dots; use at most"):
        generate_file(main)
    picture.save(folder / "p.png", "GIF")
    with pytest.raises(SourceError, match="give a PNG file"):
        generate_file(main)
    (folder / "p.png").unlink()
    with pytest.raises(SourceError, match=r"cannot read p.png: No such file.*; check the name"):
        generate_file(main)


def test_where_no_pictures_can_be_read_that_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in the web page, whose Python has no Pillow."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    main = write(folder / "main.xb", 'PRINT 1\n#art 128 "p.png"')
    with pytest.raises(SourceError, match=r"xb:2:1: no pictures can be read here; draw it"):
        generate_file(main)


def test_a_text_may_stand_in_a_file(folder: Path) -> None:
    write(folder / "rules.txt", "Hello\nworld\n---\nEnd")
    main = write(folder / "main.xb", 'RESTORE t\n#text t "rules.txt"')
    assert generate_file(main).listing[1] == '110 DATA 1,"Hello world",1,"End",0'


def test_a_missing_source_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot read"):
        generate_file(tmp_path / "none.xb")


@pytest.mark.parametrize("name", [None, "main.xb"])
def test_the_library_is_there_for_files_and_texts(name: str | None) -> None:
    generated = generate("GOTO getkey\n#include <keys.xb>", name)
    place = generated.sourcemap.statement(110, 0)
    assert place is not None
    assert place.file == "<keys.xb>"


def test_the_library_names_its_own_files_and_no_others(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = tmp_path / "lib"
    library.mkdir()
    write(library / "a.xb", 'PRINT 2\n#include "b.xb"')
    write(library / "b.xb", "PRINT 3")
    write(library / "bad.xb", '#include "../game/main.xb"')
    monkeypatch.setattr(reader, "library_folder", lambda: library.resolve())
    main = write(folder / "main.xb", "#include <a.xb>")
    assert generate_file(main).listing == ["100 PRINT 2::PRINT 3"]
    write(main, "#include <bad.xb>")
    with pytest.raises(SourceError, match=r"<bad\.xb>:1:1: .*outside the source's folder"):
        generate_file(main)


def test_an_installed_package_has_a_copy_of_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "ti99tools"
    monkeypatch.setattr(library, "__file__", str(package / "source" / "dialect" / "library.py"))
    find = library.library_folder.__wrapped__
    assert find() == package / "_xbasic" / "lib"
    (tmp_path / "xbasic" / "lib").mkdir(parents=True)
    assert find() == tmp_path / "xbasic" / "lib"
