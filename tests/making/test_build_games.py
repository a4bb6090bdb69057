"""Manifests, games and the folder of disks: what is refused, what is written, what is checked."""

import hashlib
from pathlib import Path

import pytest

from tests.shipped import shipped
from ti99tools import Console
from ti99tools.app.build import build_all as make_all
from ti99tools.base.errors import BuildError, SourceError
from ti99tools.games.making.artefacts import ROOM, Bundle, build_game, generate_game
from ti99tools.games.making.collection import CATALOG, differences, write_folder
from ti99tools.games.making.finding import find_game, game_names, games_root
from ti99tools.games.making.manifest import read_manifest
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

pytestmark = pytest.mark.usefixtures("anew")

MANIFEST = """
title = "Hello"
version = "2.1"
source = "main.xb"
program = "HELLO"
disk = "HELLODISK"
"""


def make(root: Path, name: str = "hello", extra: str = "", source: str = "PRINT VERSION$") -> Path:
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "game.toml").write_text(MANIFEST + extra, encoding="utf-8")
    (folder / "main.xb").write_text(source, encoding="utf-8")
    return folder


def test_a_game_becomes_a_disk_that_boots(tmp_path: Path) -> None:
    folder = make(tmp_path, extra='[[files]]\nname = "DOC"\nsource = "doc.txt"\n')
    (folder / "doc.txt").write_text("READ ME\n", encoding="utf-8")
    built = build_game(read_manifest(folder))
    image = DiskImage.from_bytes(built.artefacts[0].data)
    assert image.name == "HELLODISK"
    assert image.geometry.sectors == 360
    assert sorted(image.names()) == ["DOC", "HELLO", "LOAD"]
    program = Program.from_bytes(image.read("LOAD").data)
    assert program.listing() == '100 PRINT "2.1"\n'
    assert image.read("HELLO").data == image.read("LOAD").data
    assert image.read("DOC").records == (b"READ ME",)
    names = [artefact.name for artefact in built.artefacts]
    assert names == ["hello.dsk", "hello.hfe", "hello-HELLO.tfi", "hello-DOC.tfi"]
    assert DiskImage.from_bytes(built.artefacts[1].data).volume.data == image.volume.data


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    first = build_game(read_manifest(make(tmp_path / "a")))
    second = build_game(read_manifest(make(tmp_path / "b")))
    assert first.artefacts == second.artefacts


def test_a_long_program_goes_on_the_disk_in_the_long_form(tmp_path: Path) -> None:
    source = "\n".join(f'PRINT "{"X" * 90}{i}"' for i in range(200))
    image = build_game(read_manifest(make(tmp_path, source=source))).image
    assert image.read("HELLO").type.label == "INT/VAR"
    assert image.read("HELLO").recl == 254


def test_what_takes_long_to_load_says_so_and_starts(tmp_path: Path) -> None:
    source = "\n".join(f'PRINT "{"X" * 90}{i}"' for i in range(200))
    image = build_game(read_manifest(make(tmp_path, source=source))).image
    assert image.read("LOAD").type.label == "PROGRAM"
    console = Console(disks={"DSK1": image})
    console.boot()
    assert console.run_until(text="LOADING HELLO...", seconds=5)
    assert console.run_until(text="X199", seconds=120), console.screen.text
    assert console.error is None


def test_without_the_32k_what_cannot_be_loaded_says_so(tmp_path: Path) -> None:
    """Without the expansion CALL INIT fails as CALL LINK does before CALL INIT: SYNTAX ERROR."""
    source = "\n".join(f'PRINT "{"X" * 90}{i}"' for i in range(200))
    image = build_game(read_manifest(make(tmp_path, source=source))).image
    listing = Program.from_bytes(image.read("LOAD").data).listing()
    assert listing.count("CALL INIT") == 1
    console = Console(disks={"DSK1": image})
    console.load(Program.from_listing(listing.replace("CALL INIT", 'CALL LINK("X")')))
    assert console.run() == "ready"
    assert console.error is None
    assert "HELLO NEEDS 32K MEMORY" in console.screen.text


def test_defined_constants_reach_the_source(tmp_path: Path) -> None:
    folder = make(tmp_path, extra="[define]\nDEBUG = 1\n", source="#if DEBUG\nPRINT 1\n#end")
    assert generate_game(read_manifest(folder)).listing == ["100 PRINT 1"]


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ("nonsense", "no TOML"),
        ('[seed]\nprompt = "S"\n', r"\[seed\] has no keys"),
        ('[seed]\nprompt = "S"\nkeys = "5"\n', r"keys in \[seed\] has no {seed}"),
        ("colour = 5\n", "game.toml has unknown keys: colour"),
        ("summary = 5\n", "summary in game.toml is not text"),
        ('geometry = "XXSD"\n', "XXSD"),
        ('[[files]]\nname = "TOO.LONG"\nsource = "main.xb"\n', "is not a valid name on a TI disk"),
        ('[[files]]\nname = "LOAD"\nsource = "main.xb"\n', "two files on the disk are named LOAD"),
        ('[[files]]\nname = "A"\nsource = "../x"\n', "outside the game's folder"),
        ('[[files]]\nname = "A"\nsource = "x"\n', "x does not exist"),
        ('[[files]]\nname = "A"\nsource = "main.xb"\ntype = "INT/FIX"\n', "has the type INT/FIX"),
        ("files = 5\n", "files has the wrong form"),
        ("files = [5]\n", "files has the wrong form"),
        ("[define]\nA = 1.5\n", "is neither a number nor text"),
    ],
)
def test_manifests_that_do_not_fit(tmp_path: Path, extra: str, message: str) -> None:
    with pytest.raises(BuildError, match=message) as caught:
        read_manifest(make(tmp_path, extra=extra))
    assert caught.value.remedy
    assert "game.toml" in str(caught.value)


@pytest.mark.parametrize("key", ["title", "version", "source", "program", "disk"])
def test_every_manifest_needs(tmp_path: Path, key: str) -> None:
    folder = make(tmp_path)
    rows = [row for row in MANIFEST.splitlines() if not row.startswith(key)]
    (folder / "game.toml").write_text("\n".join(rows))
    with pytest.raises(BuildError, match=f"has no {key}"):
        read_manifest(folder)


def test_what_does_not_go_on_the_disk_is_said(tmp_path: Path) -> None:
    folder = make(tmp_path, extra='[[files]]\nname = "BIG"\nsource = "big.txt"\n')
    (folder / "big.txt").write_text(("X" * 79 + "\n") * 2200)
    with pytest.raises(BuildError, match="BIG does not go on the disk: the disk is full"):
        build_game(read_manifest(folder))


@pytest.mark.parametrize(
    ("extra", "lines", "geometry"),
    [("", 800, "SSSD"), ("", 900, "DSSD"), ("", 1500, "DSSD"), ('geometry="SSSD"\n', 900, "SSSD")],
)
def test_a_disk_is_as_large_as_it_must_be(
    tmp_path: Path, extra: str, lines: int, geometry: str
) -> None:
    folder = make(tmp_path, extra=extra + '[[files]]\nname = "BIG"\nsource = "big.txt"\n')
    (folder / "big.txt").write_text(("X" * 79 + "\n") * lines)
    built = build_game(read_manifest(folder))
    assert built.image.geometry.name == geometry
    assert (built.image.free_sectors >= ROOM) == (not extra)
    assert DiskImage.from_bytes(built.artefacts[1].data).to_bytes() is not None


def test_the_manual_goes_on_the_disk_as_text(tmp_path: Path) -> None:
    folder = make(tmp_path)
    (folder / "MANUAL.md").write_text("# Hello\nPress `S` to **stop**.\n")
    built = build_game(read_manifest(folder))
    assert built.image.read("HELLODOC").records == (b"HELLO", b"", b"Press S to stop.")
    assert "hello-HELLODOC.tfi" in [artefact.name for artefact in built.artefacts]
    doubled = '[[files]]\nname = "HELLODOC"\nsource = "main.xb"\n'
    (folder / "game.toml").write_text(MANIFEST + doubled)
    with pytest.raises(BuildError, match="two files on the disk are named HELLODOC"):
        read_manifest(folder)


def test_games_are_found_by_name_in_any_case(tmp_path: Path) -> None:
    make(tmp_path, "zebra")
    make(tmp_path, "apple")
    assert game_names(tmp_path) == ["apple", "zebra"]
    assert find_game("Apple", tmp_path).game == "apple"
    with pytest.raises(BuildError, match="no game named appel; did you mean apple"):
        find_game("appel", tmp_path)
    with pytest.raises(BuildError, match="there are none"):
        find_game("x", tmp_path / "zebra")


def test_the_folder_holds_what_the_sources_build(tmp_path: Path) -> None:
    built = [build_game(read_manifest(make(tmp_path / "x", name))) for name in ("one", "two")]
    out = tmp_path / "disks"
    assert differences(out, built, whole=True)
    write_folder(out, built, whole=True)
    assert differences(out, built, whole=True) == []
    for line in (out / CATALOG).read_text().splitlines():
        digest, size, name, title = line.split(maxsplit=3)
        data = (out / name).read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest
        assert len(data) == int(size)
        assert title == "Hello 2.1"

    image = out / "one.dsk"
    image.write_bytes(image.read_bytes()[:-1] + b"X")
    assert differences(out, built, whole=True) == ["one.dsk is not what the sources build"]
    image.unlink()
    assert differences(out, built, whole=True) == ["one.dsk is missing"]
    write_folder(out, built[:1], whole=False)
    assert differences(out, built, whole=True) == []
    assert differences(out, built[1:], whole=False) == []
    assert differences(out, built[1:], whole=True) == [
        "one-HELLO.tfi is built by no source",
        "one.dsk is built by no source",
        "one.hfe is built by no source",
        "CATALOG does not match",
    ]
    (out / "mine.dsk").write_bytes(b"not ours")
    (out / "one-OLD.tfi").write_bytes(b"")
    assert differences(out, built, whole=True) == ["one-OLD.tfi is built by no source"]
    write_folder(out, built, whole=True)
    assert differences(out, built, whole=True) == []
    (out / CATALOG).write_text("")
    assert differences(out, built, whole=True) == [f"{CATALOG} does not match"]
    write_folder(out, built, whole=True)
    write_folder(out, built[1:], whole=True)
    assert sorted(path.name for path in out.iterdir()) == [
        CATALOG,
        "mine.dsk",
        "two-HELLO.tfi",
        "two.dsk",
        "two.hfe",
    ]


def test_a_source_that_fails_writes_nothing(tmp_path: Path) -> None:
    manifest = read_manifest(make(tmp_path, source="GOTO nowhere"))
    with pytest.raises(SourceError, match=r"main\.xb:1:6: no label NOWHERE"):
        build_game(manifest)


def test_the_disks_in_the_repository_are_what_the_sources_build() -> None:
    games, collection = make_all([])
    assert collection is not None
    built: list[Bundle] = [*games, collection]
    assert differences(games_root().parent / "disks", built, whole=True) == []


@pytest.mark.parametrize("game", game_names())
def test_games_keep_the_limits_of_the_machine(game: str) -> None:
    built = shipped(game)
    assert built.program.size <= 24_487
    seed = built.manifest.seed
    assert seed is not None
    assert "42" in seed.keys(42)
