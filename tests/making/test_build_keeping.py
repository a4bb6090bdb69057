"""Games from the cache are what the sources build, whatever is changed, and whoever builds too."""

import json
import os
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from PIL import Image

from tests.making.madeupgames import collection, write_game
from tests.shipped import shipped
from ti99tools.app.build import build_all, fast_disk
from ti99tools.base import cache
from ti99tools.games.making.artefacts import Built, build_game
from ti99tools.games.making.finding import game_names, games_root
from ti99tools.games.making.keeping import kept_collection, kept_game, packed_game, unpacked_game
from ti99tools.games.making.manifest import read_manifest

pytestmark = pytest.mark.long

TOOL = Path(__file__).parents[2]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    monkeypatch.setenv("TI99TOOLS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def everything_about(built: Built) -> tuple[object, ...]:
    """All that is known of a game."""
    known, program = built.generated.sourcemap, built.program
    lines = {number: known.marks(number) for number in known}
    return (
        built.manifest,
        built.generated.entries,
        built.generated.listing,
        built.generated.constants,
        lines,
        known.names,
        known.uncalled,
        known.ranges,
        program,
        program.image,
        program.ranges,
        built.image.to_bytes(),
        built.files,
        built.drawn,
        built.artefacts,
    )


@pytest.mark.parametrize("name", game_names())
def test_a_kept_game_is_the_game(name: str) -> None:
    built = shipped(name)
    assert everything_about(unpacked_game(built.manifest, packed_game(built))) == everything_about(
        built
    )


def test_a_kept_game_with_all_that_games_have_is_the_game(tmp_path: Path) -> None:
    folder = write_game(tmp_path / "little")
    (folder / "part.xb").write_text(
        "RANGE COUNT=0 TO 9\nCOUNT=DEEP\nB=COUNT\nPROC LOST\nC=1\nEND PROC\n"
    )
    built = build_game(read_manifest(folder), passes=())
    assert built.generated.sourcemap.uncalled
    assert built.generated.sourcemap.ranges
    assert everything_about(unpacked_game(built.manifest, packed_game(built))) == everything_about(
        built
    )


def test_a_game_is_built_once(little: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = read_manifest(little)
    first = everything_about(kept_game(manifest))
    with monkeypatch.context() as patch:
        patch.setattr("ti99tools.games.making.keeping.build_game", None)
        assert everything_about(kept_game(manifest)) == first
    assert everything_about(kept_game(manifest, ["lines"])) != first, (
        "other passes make another program"
    )
    assert everything_about(kept_game(manifest, native=False)) != first, (
        "so do SUBs without their twins"
    )
    assert everything_about(kept_game(manifest)) == first
    assert first == everything_about(build_game(manifest))


def test_the_disk_of_all_games_is_built_once(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [shipped(name) for name in game_names()]
    first = kept_collection(games_root(), games)
    with monkeypatch.context() as patch:
        patch.setattr("ti99tools.games.making.keeping.build_collection", None)
        again = kept_collection(games_root(), games)
        assert again.menu == first.menu
        assert again.artefacts == first.artefacts
    assert kept_collection(games_root(), games[1:]).artefacts != first.artefacts
    copytree(games_root() / "menu", tmp_path / "menu")
    menu = tmp_path / "menu" / "menu.xb"
    kept_collection(tmp_path, games)
    menu.write_text(menu.read_text() + "! END\nKEEP REM NEW\n")
    assert kept_collection(tmp_path, games).artefacts != first.artefacts


def test_a_planted_entry_does_not_pass_the_proof(
    own_cache: Path, two_games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even an entry that looks right in all ways: --check builds anew."""
    from click.testing import CliRunner

    from ti99tools.fronts.cli.main import cli

    def build(*arguments: str) -> int:
        words = ["build", "ant", "--out", str(tmp_path / "out"), *arguments]
        return CliRunner().invoke(cli, words).exit_code

    wrong = packed_game(build_game(read_manifest(two_games / "bee")))
    with monkeypatch.context() as patch:
        patch.setattr("ti99tools.games.making.keeping.packed_game", lambda built: wrong)
        assert build() == 0
        assert build("--check") == 0
    assert build() == 0
    assert build("--check") == 1


INPUTS = """
import json, sys
from pathlib import Path
opened = set()
watching = False
def hook(event, arguments):
    if watching and event == "open" and isinstance(arguments[0], str):
        if not any(mark in str(arguments[1]) for mark in "wxa"):
            opened.add(str(Path(arguments[0]).resolve()))
import ti99tools.app.build
import ti99tools.games.making.finding
from ti99tools.app.build import build_all
from ti99tools.base.inputs import watch_reading
root = Path(sys.argv[1])
for module in (ti99tools.app.build, ti99tools.games.making.finding):
    module.games_root = lambda: root
build_all([str(root / "ant")])  # imports what it needs
sys.addaudithook(hook)
with watch_reading() as inputs:
    watching = True
    made, collection = build_all(sys.argv[2:])
    for bundle in (*made, *([collection] if collection else [])):
        bundle.artefacts
    watching = False
print(json.dumps([sorted(opened), sorted(inputs.files)]))
"""


@pytest.mark.parametrize("together", [True, False], ids=["all games", "one"])
def test_no_file_is_read_that_is_no_input(tmp_path: Path, together: bool) -> None:
    root = collection(tmp_path / "xbasic")
    games = [] if together else [str(root / "bee")]
    environment = os.environ | {"TI99TOOLS_CACHE": ""}
    done = subprocess.run(
        [sys.executable, "-c", INPUTS, str(root), *games],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=TOOL,
    )
    opened, inputs = (set(found) for found in json.loads(done.stdout))
    manifests = {path for path in opened if path.endswith("game.toml")}
    # A module that is compiled meanwhile is written as NAME.pyc.NUMBER first.
    code = {path for path in opened if path.endswith(".py") or ".pyc" in Path(path).name}
    assert len(opened - code) > 10
    assert opened - code - manifests <= inputs
    assert (str(root / "menu" / "menu.xb") in opened) == together


class Copy:
    """A copy of the tool with a game beside it; its commands run in processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.game = folder, folder / "little"
        skipped = ignore_patterns("site", "*.png", "*.html", "*.js")
        copytree(TOOL / "ti99tools", folder / "ti99tools", ignore=skipped)
        copytree(TOOL / "xbasic" / "lib", folder / "xbasic" / "lib")
        (folder / "xbasic" / "empty").mkdir()
        (folder / "xbasic" / "empty" / "game.toml").write_text("")
        write_game(self.game)

    def started(self, place: str) -> subprocess.Popen[str]:
        """Building, with this cache ("" is none)."""
        command = [sys.executable, "-m", "ti99tools", "build", "little", "--out", "disks"]
        environment = os.environ | {"TI99TOOLS_CACHE": place, "PYTHONPATH": str(self.folder)}
        return subprocess.Popen(
            command,
            env=environment,
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def built(self, place: str) -> dict[str, bytes]:
        """What is built; see `started`."""
        process = self.started(place)
        _, errors = process.communicate()
        assert process.returncode == 0, errors
        return self.disks()

    def disks(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (self.folder / "disks").iterdir()}


def kept_files(folder: Path) -> dict[str, object]:
    """What is built of a game, as the command builds it: its disks, and the files on them.

    The images in other forms follow from the disks.
    """
    ((built,), _) = build_all([str(folder)])
    assert built.fast is not None
    disks = {"plain": built.image.to_bytes(), "fast": built.fast.to_bytes()}
    return {**disks, **{file.name: file for file in built.files}}


def check_kept(folder: Path) -> dict[str, object]:
    """See `kept_files`; it must be what is built without a cache."""
    data = kept_files(folder)
    with cache.nothing_kept():
        assert data == kept_files(folder)
    return data


@pytest.fixture
def little(tmp_path: Path, own_cache: Path) -> Path:
    """The game, and a cache of its own."""
    return write_game(tmp_path / "little")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


EDITS = {
    "the source": ("little.xb", "PRINT A;B", "PRINT B;A"),
    "an include": ("part.xb", "B=DEEP", "B=DEEP+1"),
    "a text": ("page.txt", "A TEXT", "ANOTHER"),
    "a twin": ("twin.a99", "R1,5", "R1,6"),
    "what a twin copies": ("rest.a99", "B    *R11", "NOP\n       B    *R11"),
    "a file": ("note.txt", "A NOTE", "ANOTHER"),
    "the picture": ("picture.xb", "SCREEN(3)", "SCREEN(4)"),
    "the manual": ("MANUAL.md", "A text", "Another"),
    "the manifest": ("game.toml", "DEEP = 1", "DEEP = 3"),
}


@pytest.mark.parametrize("what", EDITS)
def test_what_changes_is_built_anew(little: Path, what: str) -> None:
    before = check_kept(little)
    name, old, new = EDITS[what]
    edit(little / name, old, new)
    assert check_kept(little) != before
    edit(little / name, new, old)
    assert check_kept(little) == before


def test_another_drawing_is_built_anew(little: Path) -> None:
    before = check_kept(little)
    Image.new("1", (8, 8), 1).save(little / "dots.png")
    assert check_kept(little) != before


@pytest.mark.parametrize("name", ["MANUAL.md", "picture.xb"])
def test_what_comes_and_goes_is_seen(little: Path, name: str) -> None:
    before, there = check_kept(little), (little / name).read_bytes()
    (little / name).unlink()
    assert check_kept(little) != before
    (little / name).write_bytes(there)
    assert check_kept(little) == before


def test_a_file_that_is_found_first_is_seen(little: Path) -> None:
    edit(little / "twin.a99", "rest.a99", "DSK1.REST")
    before = check_kept(little)
    (little / "REST").write_text("       NOP\n       B    *R11\n")
    assert check_kept(little) != before


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_link_that_leads_elsewhere_is_seen(little: Path) -> None:
    part = little / "part.xb"
    part.rename(little / "first.xb")
    (little / "second.xb").write_text("B=99\n")
    part.symlink_to("first.xb")
    before = check_kept(little)
    part.unlink()
    part.symlink_to("second.xb")
    assert check_kept(little) != before


@pytest.mark.skipif(sys.platform == "win32", reason="links")
def test_a_folder_that_is_another_is_seen(little: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = write_game(little.parent / "other")
    (other / "part.xb").write_text("B=99\n")
    monkeypatch.chdir(little.parent)
    game = Path("game")
    game.symlink_to("little")
    before = check_kept(game)
    game.unlink()
    game.symlink_to("other")
    assert check_kept(game) != before


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("xbasic/lib/keys.xb", "CALL KEY(3,KB,S)", "CALL KEY(5,KB,S)"),
        ("ti99tools/games/making/artefacts.py", "FIRST_LINE = 100", "FIRST_LINE = 200"),
    ],
    ids=["library", "tool"],
)
def test_another_tool_builds_anew(
    copy: Copy, tmp_path: Path, file: str, old: str, new: str
) -> None:
    place = str(tmp_path / "cache")
    before = copy.built(place)
    edit(copy.folder / file, old, new)
    after = copy.built(place)
    assert after != before
    assert after == copy.built("")


def test_two_at_a_time_do_no_harm(copy: Copy, tmp_path: Path) -> None:
    right, place = copy.built(""), tmp_path / "cache"
    running = [copy.started(str(place)) for _ in range(2)]
    for process in running:
        process.communicate()
        assert process.returncode == 0
    assert copy.disks() == right == copy.built(str(place))
    assert {path.suffix for path in place.iterdir()} == {".kept"}


def test_what_is_kept_of_all_games_is_small(own_cache: Path, two_games: Path) -> None:
    built, collection = build_all([])
    assert collection is not None
    assert collection.artefacts
    assert all(game.artefacts for game in built)
    assert fast_disk(built[0]).to_bytes() == next(
        each.data for each in built[0].artefacts if each.name == f"{built[0].fast_name}.dsk"
    )
    kinds = Counter(path.name.partition("-")[0] for path in own_cache.iterdir())
    assert kinds["game"] == len(built) == 2
    games = [zlib.compress(packed_game(shipped(name)), 1) for name in game_names(games_root())]
    assert sum(map(len, games)) < cache.LIMIT / 20
    assert sum(path.stat().st_size for path in own_cache.iterdir()) < cache.LIMIT / 20
