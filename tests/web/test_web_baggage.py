"""Projects taken out of the page and brought in: zip archives and folders."""

from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from tests.web.bridgepage import Page
from ti99tools.fronts.web import projects


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path / "work")


def zipped(**files: bytes) -> bytes:
    data = BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def test_a_game_comes_back_as_it_went(page: Page) -> None:
    files = page.call("example", name="dimraw")
    page.call("pack", files=files)
    archive = page.blob
    reply = page.call("unpack", archive, name="dimraw.zip")
    assert reply == {"files": files, "main": "dimraw.xb", "left_out": []}
    page.call("pack", files=files)
    assert page.blob == archive


def test_a_folder_comes_in_with_what_was_left_out(page: Page) -> None:
    parts = {
        "chess/chess.xb": b'#include "board.xb"\nPRINT 1\n',
        "chess/board.xb": b"PRINT 2\n",
        "chess/.hidden.xb": b"PRINT 3\n",
        "chess/photo.png": b"\x89PNG\r\n\x1a\n\0\0",
        "chess/old/chess.xb": b"PRINT 4\n",
    }
    sizes = [[name, len(data)] for name, data in parts.items()]
    reply = page.call("gather", b"".join(parts.values()), sizes=sizes)
    assert reply["main"] == "chess.xb"
    assert sorted(reply["files"]) == ["board.xb", "chess.xb"]
    assert reply["files"]["board.xb"] == "PRINT 2\n"
    left_out = ["chess/.hidden.xb", "chess/photo.png", "chess/old/chess.xb"]
    assert reply["left_out"] == left_out


def test_the_manifest_names_the_main_source(page: Page) -> None:
    toml = b'title = "X"\nsource = "zoo.xb"\n'
    reply = page.call(
        "unpack",
        zipped(**{"game.toml": toml, "ape.xb": b"END\n", "zoo.xb": b"END\n"}),
        name="z.zip",
    )
    assert reply["main"] == "zoo.xb"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04 and then nothing", "is damaged"),
        (zipped(**{"a.xb": b"1"})[:-30], "is damaged"),
        (zipped(**{"a.xb": b"PRINT 1\n" * 99}).replace(b"\x0b\x08", b"\xff\xff", 1), "is damaged"),
        (zipped(**{"readme.txt": b"nothing to run"}), "no source"),
        (zipped(**{"a.xb": bytes(projects.WHOLE + 1)}), "come out"),
        (zipped(**{f"{n}.xb": b"" for n in range(projects.MOST + 1)}), "more than 200 files"),
    ],
    # Names of their own: archives hold the time, and processes must collect the same tests.
    ids=["no archive", "cut", "damaged", "nothing to run", "too large", "too many"],
)
def test_what_is_no_project_is_refused(page: Page, data: bytes, message: str) -> None:
    assert message in page.reply_to("unpack", data, name="x.zip")["error"]["text"]


def test_an_archive_that_lies_about_its_sizes_is_refused(page: Page) -> None:
    data = bytearray(zipped(**{"a.xb": bytes(1_000_000)}))
    at = data.index(b"PK\x01\x02") + 24  # the uncompressed size in the directory
    data[at : at + 4] = (100).to_bytes(4, "little")
    reply = page.reply_to("unpack", bytes(data), name="x.zip")
    assert "error" in reply or len(reply["result"]["files"]["a.xb"]) <= 100
