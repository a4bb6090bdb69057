"""The disk of all games: its files, its menu on the console, what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from ti99tools import Console, DiskImage
from ti99tools.base.errors import BuildError
from ti99tools.games.making.artefacts import Built, build_game
from ti99tools.games.making.collection import MENU, MOST, build_collection, menu_data
from ti99tools.games.making.finding import games_root
from ti99tools.games.making.manifest import Manifest, read_manifest

pytestmark = pytest.mark.usefixtures("anew")

SUMMARY = "A game about nothing that goes on and on and is never over or done"
MANIFEST = """
title = "The {0} game"
version = "1"
source = "main.xb"
program = "{0}"
disk = "{0}"
summary = "{1}"
"""


def game(root: Path, name: str, program: str, source: str = 'PRINT "HERE IS {0}"') -> Built:
    folder = root / name
    folder.mkdir()
    (folder / "game.toml").write_text(MANIFEST.format(program, SUMMARY))
    (folder / "main.xb").write_text(source.format(program))
    return build_game(read_manifest(folder))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "menu").mkdir()
    for source in (games_root() / MENU).parent.iterdir():
        (tmp_path / MENU).with_name(source.name).write_bytes(source.read_bytes())
    return tmp_path


def test_the_menu_starts_each_game(root: Path) -> None:
    games = [game(root, name, name.upper()) for name in ("ant", "bee", "cow", "dog")]
    built = build_collection(root, games)
    assert built.artefacts[0].name == "games.dsk"
    assert sorted(built.image.names()) == ["ANT", "BEE", "COW", "DOG", "LOAD"]
    assert DiskImage.from_bytes(built.artefacts[1].data).volume.data == built.image.volume.data
    for key, name in zip("1234", ("ANT", "BEE", "COW", "DOG"), strict=True):
        console = Console(disks={"DSK1": built.image})
        console.boot()
        assert console.run_until(text="0 END", seconds=20)
        console.wait(30)
        rows = console.screen.rows
        assert rows[0].strip() == "FOUR GAMES AND ONE COIN"
        assert rows[17].split() == ["ANT", "BEE", "COW", "DOG"]
        assert rows[19].split() == ["1", "2", "3", "4"]
        assert rows[21].strip() == "A GAME ABOUT NOTHING ..."
        console.type("9X" + key)
        assert console.run_until(text=f"HERE IS {name}", seconds=20)
        assert console.error is None


def console_of(root: Path, *names: str) -> Console:
    """The menu of such games, waiting for a key."""
    games = [game(root, name, name.upper()) for name in names]
    console = Console(disks={"DSK1": build_collection(root, games).image})
    console.boot()
    assert console.run_until(text="0 END", seconds=20)
    console.wait(180)  # the child and the pictures come between looks for a key
    return console


@pytest.mark.parametrize(
    ("keys", "place", "name"),
    [
        (("ENTER",), 1, "ANT"),
        (("RIGHT", "RIGHT", " "), 3, "COW"),
        (("D", "RIGHT", "LEFT", "S", "RIGHT", "ENTER"), 2, "BEE"),
        (("LEFT", "RIGHT", "RIGHT", "RIGHT", "ENTER"), 3, "COW"),
    ],
)
def test_the_child_walks_to_the_game_that_is_chosen(
    root: Path, keys: tuple[str, ...], place: int, name: str
) -> None:
    console = console_of(root, "ant", "bee", "cow")
    assert console.screen.rows[0].strip() == "THREE GAMES AND ONE COIN"
    assert not console.screen.rows[8][24:].strip(), "no fourth cabinet"
    for key in keys[:-1]:
        console.tap(key, hold=7, gap=60)
    column = 56 * place - 23
    assert console.sprite(5) == console.sprite(6) == (121, column)
    assert console.sprite(place) == (61, column), "he stands below the picture"
    console.tap(keys[-1])
    assert console.run_until(text=f"HERE IS {name}", seconds=20)
    assert console.error is None


def test_the_joystick_and_its_button_choose(root: Path) -> None:
    console = console_of(root, "ant", "bee")
    console.joystick(1, 4, 0)
    console.wait(60)
    console.joystick(1, 0, 0)
    console.wait(60)
    assert console.sprite(5) == (121, 89)
    console.joystick(1, 0, 0, fire=True)
    assert console.run_until(text="HERE IS BEE", seconds=20)


@pytest.mark.parametrize("key", ["1", "2", "ENTER", "RIGHT"])
def test_the_menu_takes_a_key_before_its_pictures_are_there(root: Path, key: str) -> None:
    games = [game(root, name, name.upper()) for name in ("ant", "bee")]
    console = Console(disks={"DSK1": build_collection(root, games).image})
    console.boot()
    assert console.run_until(text="TWO GAMES AND ONE COIN", seconds=20)
    assert console.sprite(1) == console.sprite(5) == (0, 0)
    assert not console.screen.shows("1      2"), "what can be pressed comes last"
    console.tap(key, hold=240, gap=180)
    if key == "RIGHT":
        assert console.sprite(5) == console.sprite(6) == (121, 89)
        assert console.sprite(2) == (61, 89)
        console.tap("ENTER")
    name = "ANT" if key in ("1", "ENTER") else "BEE"
    assert console.run_until(text=f"HERE IS {name}", seconds=20)
    assert console.error is None


def test_back_leads_out(root: Path) -> None:
    console = console_of(root, "ant")
    console.tap("BACK")
    assert console.run_until(ready=True, seconds=20)
    assert console.error is None


def test_a_summary_ends_before_a_comma_where_it_is_too_long(root: Path) -> None:
    manifest = game(root, "ant", "ANT").manifest
    about = "Close a shape, two humans or computers"
    data = menu_data([replace(manifest, summary=about)], [[]])
    assert 'DATA "CLOSE A SHAPE",' in data
    assert '" ANT  "' in data


ARCADE = """
[arcade]
name = "{name}"
line = "{line}"
color = {color}
picture = '''
{picture}
'''
"""
PICTURE = "\n".join(["X" * 8 + "." * 8] * 16)


def test_a_manifest_may_have_a_cabinet(root: Path) -> None:
    given = {"name": "Ants", "line": "They bite.", "color": "7", "picture": PICTURE}

    def manifest(**other: str) -> Manifest:
        folder = root / f"ants{len(list(root.iterdir()))}"
        folder.mkdir()
        text = MANIFEST.format("ANT", SUMMARY) + ARCADE.format(**given | other)
        (folder / "game.toml").write_text(text)
        (folder / "main.xb").write_text("END")
        return read_manifest(folder)

    data = menu_data([manifest()], [[]])
    assert 'DATA "THEY BITE.",""\nDATA 7,' + "F" * 32 + "0" * 32 in data
    for other, message in (
        ({"name": "LONGEST"}, "too long"),
        ({"line": "X" * 29}, "too long"),
        ({"color": "2"}, "color in .* is not 3 to 16"),
        ({"picture": "X.X"}, "16 rows of 16 dots"),
        ({"picture": PICTURE.replace("X", "O")}, "16 rows of 16 dots"),
    ):
        with pytest.raises(BuildError, match=message):
            manifest(**other)


def test_another_disk_in_the_drive_is_told(root: Path) -> None:
    built = build_collection(root, [game(root, "ant", "ANT")])
    console = Console(disks={"DSK1": DiskImage.from_bytes(built.image.to_bytes())})
    console.boot()
    assert console.run_until(text="0 END", seconds=20)
    console.machine.drives.mount("DSK1", DiskImage.new(name="OTHER"))
    console.type("1")
    assert console.run_until(text="PUT THE DISK INTO DRIVE 1!", seconds=20)
    assert console.screen.shows("0 END")
    assert console.running
    console.machine.drives.mount("DSK1", DiskImage.from_bytes(built.image.to_bytes()))
    console.type("1")
    assert console.run_until(text="HERE IS ANT", seconds=20)
    assert console.error is None


def test_the_disk_is_looked_for_before_a_game_is_run(root: Path) -> None:
    row = "X" * 90
    long = "".join(f'PRINT "{{0}} {number} {row}"\n' for number in range(130))
    games = [game(root, "ant", "ANT"), game(root, "bee", "BEE", long)]
    built = build_collection(root, games)
    assert games[1].files[0].type.label != "PROGRAM"
    console = Console(disks={"DSK1": DiskImage.from_bytes(built.image.to_bytes())})
    console.boot()
    assert console.run_until(text="0 END", seconds=20)
    console.machine.drives.mount("DSK1", DiskImage.new(name="OTHER"))
    console.hold("2")
    assert console.run_until(text="PUT THE DISK INTO DRIVE 1!", seconds=20)
    console.machine.drives.mount("DSK1", built.image, write_protected=True)
    console.wait(200)
    assert console.screen.shows("0 END"), "no picture, and a key that is held asks once"
    console.release("2")
    console.wait(20)
    console.tap("2")
    assert console.run_until(text="BEE 129", seconds=60), console.screen.text
    assert console.error is None


def test_a_game_that_is_missing_leads_back_to_the_menu(root: Path) -> None:
    image = build_collection(root, [game(root, "ant", "ANT"), game(root, "bee", "BEE")]).image
    image.remove("BEE")
    console = Console(disks={"DSK1": image})
    console.boot()
    assert console.run_until(text="0 END", seconds=20)
    console.hold("2")
    assert console.run_until(text="PUT THE DISK INTO DRIVE 1!", seconds=20)
    console.wait(100)
    assert console.screen.shows("BEE")
    assert console.running
    console.release("2")
    console.wait(20)
    console.tap("1")
    assert console.run_until(text="HERE IS ANT", seconds=20), console.screen.text


def test_the_menu_ends(root: Path) -> None:
    console = Console(disks={"DSK1": build_collection(root, [game(root, "ant", "ANT")]).image})
    console.boot()
    console.type("20")
    assert console.run_until(ready=True, seconds=20)
    assert console.error is None


def test_large_games_make_the_disk_larger(root: Path) -> None:
    source = "".join(f'PRINT "{{0}} {"X" * 99}"\n' for _ in range(200))
    games = [game(root, name, name.upper(), source) for name in ("ant", "bee", "cow", "dog")]
    assert build_collection(root, games[:3]).image.geometry.name == "SSSD"
    assert build_collection(root, games).image.geometry.name == "DSSD"


def test_two_files_of_one_name_are_refused(root: Path) -> None:
    games = [game(root, "ant", "SAME"), game(root, "bee", "SAME")]
    with pytest.raises(BuildError, match="games: two files are named SAME"):
        build_collection(root, games)


def test_a_menu_needs_games_and_a_source(root: Path) -> None:
    for many in ([], [game(root, f"g{n}", f"G{n}").manifest for n in range(MOST + 1)]):
        with pytest.raises(BuildError, match="the menu has room for 1 to 4 games"):
            menu_data(many, [])
    (root / MENU).unlink()
    with pytest.raises(BuildError, match="cannot read"):
        build_collection(root, [game(root, "ant", "ANT")])
