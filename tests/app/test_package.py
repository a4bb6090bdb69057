"""What one puts on a game's page: which files, the same each time, and what is said of the rest."""

import base64
import gzip
import json
import re
import sys
from io import BytesIO
from pathlib import Path
from types import ModuleType
from zipfile import ZipFile

import pytest

from tests.cli.invoking import command
from tests.web.nodemodules import stand_in
from ti99tools import DiskImage
from ti99tools.app import package as making_of
from ti99tools.app.manual_page import manual_page
from ti99tools.base.errors import BuildError, TIError
from ti99tools.fronts.web.site import making
from ti99tools.fronts.web.site.alone import PACKED, alone, parts, policy
from ti99tools.games.making.finding import find_game

pytestmark = pytest.mark.long

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def dare(here: Path) -> Path:
    assert command("new", "dare").exit_code == 0
    (here / "dare" / "private.txt").write_text("what the game is not made of")
    return here / "dare"


@pytest.fixture
def modules(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what looks like Pyodide, and an esbuild that makes nearly nothing."""
    return stand_in(here / "node_modules", monkeypatch, lambda name, _: f'"{name}</script>"')


def unpacked(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def part(page: str, name: str) -> bytes:
    """A part of a page that is a single file."""
    match = re.search(rf'data-part="{re.escape(name)}">([^<]*)</script>', page)
    assert match is not None
    return gzip.decompress(base64.b64decode(match[1]))


def test_a_strangers_game_is_packaged_whole_and_the_same_each_time(
    dare: Path, modules: Path, here: Path
) -> None:
    words = ("package", "./dare", "--games", 2, "--jobs", 1, "--modules", modules)
    first, again = command(*words), command(*words, "--out", "again.zip")
    assert first.exit_code == 0, first.output
    assert (here / "dare-1.0.zip").read_bytes() == (here / "again.zip").read_bytes()
    files = unpacked(here / "dare-1.0.zip")
    assert all(name.startswith("dare-1.0/") for name in files)
    names = {name.removeprefix("dare-1.0/") for name in files}
    assert names == {
        "README.txt", "manual.html", "play.html", "proof.html",
        "cartridge/dare_8.bin", "cartridge/dare.rpk",
        *(f"disks/dare{fast}.{form}" for fast in ("", "-fast") for form in ("dsk", "hfe")),
        *(f"compiled/dare-{start}.{form}" for start in ("xb", "ea5") for form in ("dsk", "hfe")),
        *(f"pictures/{name}.png" for name in ("title", "begin", "match", "late", "end")),
    }  # fmt: skip
    assert "DARE" in DiskImage.from_bytes(files["dare-1.0/disks/dare.dsk"]).names()
    assert files["dare-1.0/manual.html"].count(b"data:image/png;base64,") == 5
    proof = files["dare-1.0/proof.html"].decode()
    assert "2 matches, no difference" in proof
    assert "played in" not in proof
    message = files["dare-1.0/README.txt"].decode("ascii")
    assert "2 matches with" in message
    assert str(here) not in message + proof
    assert "left out" not in first.stdout + message
    for message in ("building ./dare", "taking pictures", "proving 2 matches"):
        assert message in first.stderr
    assert again.exit_code == 0


def test_the_page_has_the_game_and_nothing_else_of_its_folder(
    dare: Path, modules: Path, here: Path
) -> None:
    done = command("package", "dare", "--no-proof", "--modules", modules, "--json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    assert data["file"] == "dare-1.0.zip"
    assert "play.html" in data["files"]
    assert data["left out"]["a proof"] == "it was not asked for"
    assert "-fast" in unpacked(here / "dare-1.0.zip")["dare-1.0/README.txt"].decode()
    page = unpacked(here / "dare-1.0.zip")["dare-1.0/play.html"].decode()
    program = json.loads(part(page, "program.json"))
    assert (program["name"], program["title"], program["main"]) == ("dare", "DARE", "dare.xb")
    own = {"game.toml", "dare.xb", "instr.txt", "MANUAL.md", "model.py", "adapter.py"}
    assert set(program["files"]) == own
    assert part(page, "pyodide/pyodide.mjs") == b"pyodide.mjs"
    assert page.count("<script") == page.count("</script>")
    assert not re.search(r'<link|src="(?!data:)', page)
    assert "<title>DARE</title>" in page
    assert "@" not in page.partition("<style>")[0]


def test_an_environment_in_the_folder_is_no_part_of_the_game(
    dare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (dare / "venv" / "lib").mkdir(parents=True)
    (dare / "venv" / "pyvenv.cfg").touch()
    module = ModuleType("ours")
    module.__file__ = str(dare / "venv" / "lib" / "ours.py")
    Path(module.__file__).touch()
    monkeypatch.setitem(sys.modules, "ours", module)
    script = ModuleType("script")
    script.__file__ = str(dare / ".." / "script.py")
    (dare.parent / "script.py").touch()
    monkeypatch.setitem(sys.modules, "script", script)
    own = {"game.toml", "dare.xb", "instr.txt", "MANUAL.md", "model.py", "adapter.py"}
    assert set(making_of.sources_of(making_of.build_by_name(str(dare)))) == own


def test_an_adapter_may_take_pictures_of_its_own(dare: Path) -> None:
    with (dare / "adapter.py").open("a") as adapter:
        adapter.write(
            "\n    def closing(self):\n        return [Snap('../score'), *super().closing()]\n"
            "\nfrom ti99tools.computer.console.keyscript import Snap\n"
        )
    game = making_of.build_by_name(str(dare))
    package = making_of.Package(game.manifest)
    making_of.put_pictures(package, game)
    assert set(package.files) == {
        f"pictures/{name}.png" for name in ("title", "begin", "match", "late", "end")
    }


def test_a_broken_adapter_is_told_with_its_place(dare: Path) -> None:
    with (dare / "adapter.py").open("a") as adapter:
        adapter.write("\n    def opening(self, setup):\n        raise ValueError('oops')\n")
    done = command("package", "dare", "--no-page", "--no-proof")
    assert done.exit_code == 2
    assert re.search(r"dare/adapter\.py:\d+: ValueError: oops; correct it", done.stderr)


def test_the_page_is_made_of_what_the_page_itself_would_make_it_of() -> None:
    script = PACKED.read_text(encoding="utf-8")
    assert {"worker.js", making.ARCHIVE, "pyodide/pyodide.asm.wasm.packed"} <= set(parts(script))
    assert policy(script).startswith("default-src 'none'; script-src")
    assert policy(script).endswith("form-action 'none'")


def test_a_page_takes_so_much_and_no_more() -> None:
    with pytest.raises(TIError, match="a page takes 200 files"):
        alone({}, "x", "X", "x.xb", {"x.xb": "!" * 4_000_001})


def test_without_npm_there_is_no_page_and_the_reason_is_told(
    dare: Path, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    monkeypatch.setenv("PATH", "")
    done = command("package", "dare", "--no-proof")
    assert done.exit_code == 0, done.output
    assert "left out: a page that plays it: npm is not installed; install Node.js" in done.stdout
    text = unpacked(here / "dare-1.0.zip")["dare-1.0/README.txt"].decode()
    assert "npm is not installed" in text
    assert "play.html" not in text
    done = command("package", "dare", "--no-proof", "--modules", here)
    assert (done.exit_code, "esbuild and pyodide not in it" in done.stderr) == (2, True)


def test_a_game_that_differs_from_its_rules_is_not_packaged(dare: Path, here: Path) -> None:
    model = dare / "model.py"
    text = model.read_text()
    model.write_text(text.replace("self.rnd.below(6) + 1", "self.rnd.below(5) + 1"))
    assert model.read_text() != text
    done = command("package", "dare", "--games", 2, "--jobs", 1, "--no-page")
    assert done.exit_code == 1
    assert "matches differ from the rules; see `ti99tools verify dare`" in done.stderr
    assert not list(here.glob("*.zip"))


def test_a_game_that_shows_another_title_than_that_of_new_is_told_so(dare: Path) -> None:
    (dare / "dare.xb").write_text('PRINT "NIM"\nask: CALL KEY(0,K,S)\nGOTO ask\n')
    message = "the program never showed 1 PLAY: adapter.py and model.py are those of a new game"
    words = ("dare", "--games", 2, "--jobs", 1)
    for command_words in (("package", *words, "--no-page"), ("verify", *words, "--shrink", 0)):
        done = command(*command_words)
        assert done.exit_code == 1 and message in done.stderr, done.output
    (dare / "model.py").write_text((dare / "model.py").read_text() + "\n")
    assert (
        "1 PLAY: adapter.py is that of a new game" in command("package", *words, "--no-page").stderr
    )
    (dare / "adapter.py").write_text((dare / "adapter.py").read_text() + "\n")
    assert "a new game" not in command("package", *words, "--no-page").stderr


def test_a_folder_with_one_source_is_shown_the_smallest_manifest(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "nim").mkdir()
    monkeypatch.chdir(here / "nim")
    Path("load_3.xb").write_text('PRINT "NIM"\n')
    done = command("package", ".", "--no-page")
    assert done.exit_code == 2
    assert 'source = "load_3.xb"' in done.stderr
    assert not Path("game.toml").exists()
    monkeypatch.setattr("ti99tools.fronts.cli.package.at_terminal", lambda: True)
    words = ["package", ".", "--no-page"]
    assert command(*words, given="n\n").exit_code == 2
    assert not Path("game.toml").exists()
    done = command(*words, given="y\n")
    assert done.exit_code == 0, done.output
    assert Path("load-3-1.0.zip").exists()
    assert find_game(".").program == "LOAD3"


def test_the_archive_is_named_by_the_title(here: Path) -> None:
    folder = small(here / "tick", 'PRINT "HI"\n')
    (folder / "game.toml").write_text(SMALL.replace("Tick", "Tick & Tock: Ä!"))
    assert making_of.Package(find_game(folder)).name == "tick-tock-2-a"
    (folder / "game.toml").write_text(SMALL.replace("Tick", "Ä"))
    assert making_of.Package(find_game(folder)).name == "tick-2-a"


SMALL = 'title = "Tick"\nversion = "2/a"\nsource = "tick.xb"\nprogram = "TICK"\ndisk = "TICK"\n'


def small(folder: Path, source: str, more: str = "") -> Path:
    folder.mkdir()
    (folder / "game.toml").write_text(SMALL + more)
    (folder / "tick.xb").write_text(source)
    return folder


def test_a_game_without_manual_and_model_has_a_cartridge_where_it_compiles(here: Path) -> None:
    small(here / "tick", "again: CALL HCHAR(1,1,I+32)\nI=I+1-90*(I=90)\nGOTO again\n")
    done = command("package", "tick", "--no-page")
    assert done.exit_code == 0, done.output
    names = {name.partition("/")[2] for name in unpacked(here / "tick-2-a.zip")}
    assert {"cartridge/tick_8.bin", "cartridge/tick.rpk", "disks/tick.dsk"} <= names
    assert {"compiled/tick-xb.dsk", "compiled/tick-ea5.hfe"} <= names
    assert not {"manual.html", "proof.html"} & names
    for reason in (
        "a manual: there is no MANUAL.md",
        "a proof: there is no model of its rules",
        "a picture of the title: the game never waits for a key",
    ):
        assert f"left out: {reason}" in done.stdout


def test_a_game_for_a_later_basic(here: Path) -> None:
    small(here / "tick", 'CALL HPUT(1,1,"HI")\nask: CALL KEY(0,K,S)\nGOTO ask\n', 'basic = "rxb"\n')
    done = command("package", "tick", "--no-page")
    assert done.exit_code == 0, done.output
    names = {name.partition("/")[2] for name in unpacked(here / "tick-2-a.zip")}
    assert "pictures/title.png" in names
    assert "cartridge/tick_8.bin" not in names
    text = " ".join(unpacked(here / "tick-2-a.zip")["tick-2-a/README.txt"].decode().split())
    assert "choose RXB; the game starts by itself. TI's Extended BASIC lacks" in text
    assert "choose Extended BASIC" not in text
    assert "left out: a cartridge: RXB is not compiled" in done.stdout


def test_a_game_that_is_not_compiled_has_no_cartridge(here: Path) -> None:
    game = making_of.build_by_name(
        str(small(here / "tick", 'IF X THEN RUN "DSK1.A"\nRUN "DSK1.B"\n'))
    )
    package = making_of.Package(game.manifest)
    making_of.put_compiled(package, game)
    assert not package.files
    reason = package.left_out["a cartridge"]
    assert reason.startswith("line 100 RUNs a program that is not on the cartridge")
    assert reason.endswith("; and 1 more")


NEEDED = "It needs the 32K memory expansion."


@pytest.mark.parametrize(
    ("source", "needed"),
    [
        ("PRINT 1\n", False),
        ("CALL INIT\nPRINT 1\n", True),
        ("DIM A(1700)\nPRINT 1\n", True),
        ("".join(f'PRINT "{n:0100}"\n' for n in range(110)), True),
    ],
    ids=["small", "INIT", "numbers", "long form"],
)
def test_the_expansion_is_asked_for_where_a_program_needs_it(
    here: Path, source: str, needed: bool
) -> None:
    game = making_of.build_by_name(str(small(here / "tick", source)))
    package = making_of.Package(game.manifest)
    making_of.put_disks(package, game)
    text = " ".join(making_of.readme(package).split())
    assert (NEEDED in text) is needed
    faster = "half of the time"
    faster += ": use that one" if needed else ", but needs the 32K memory expansion."
    assert ("-fast" not in text) or faster in text


def test_another_program_of_the_disk_may_need_the_expansion(here: Path) -> None:
    more = '[[files]]\nname = "TWO"\nsource = "two.xb"\ntype = "PROGRAM"\n'
    folder = small(here / "tick", 'RUN "DSK1.TWO"\n', more)
    (folder / "two.xb").write_text("CALL INIT\n")
    game = making_of.build_by_name(str(folder))
    package = making_of.Package(game.manifest)
    making_of.put_disks(package, game)
    assert NEEDED in " ".join(making_of.readme(package).split())


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("PRINT CHR$(-1)\n", "the program stopped: BAD VALUE IN 100"),
        ('PRINT "HI"\n', "the program ended"),
        ('PRINT "HI"\nagain: GOTO again\n', "the game never waits for a key"),
        ("again: CALL HCHAR(1,1,I+32)\nI=1-I\nGOTO again\n", "the game never waits for a key"),
    ],
    ids=["fails", "ends", "rests", "moves"],
)
def test_a_title_that_waits_for_nobody_has_no_picture(here: Path, source: str, why: str) -> None:
    game = making_of.build_by_name(str(small(here / "tick", source)))
    package = making_of.Package(game.manifest)
    assert making_of.put_pictures(package, game) == []
    assert package.left_out == {"a picture of the title": why}


@pytest.mark.parametrize("question", ["CALL JOYST(1,X,Y)", "CALL KEY(1,K,S)"])
def test_a_title_may_wait_for_a_joystick_alone(here: Path, question: str) -> None:
    game = making_of.build_by_name(
        str(small(here / "tick", f'PRINT "PRESS FIRE"\nask: {question}\nGOTO ask\n'))
    )
    package = making_of.Package(game.manifest)
    assert [each.name for each in making_of.put_pictures(package, game)] == ["title.png"]
    assert package.left_out == {}


def test_a_match_that_fails_in_the_middle_has_fewer_pictures_and_says_why(dare: Path) -> None:
    source = dare / "dare.xb"
    text = source.read_text()
    broken = text.replace("turn:\n", "turn:\n  IF N=4 THEN PRINT CHR$(-1)\n")
    assert broken != text
    source.write_text(broken)
    game = making_of.build_by_name(str(dare))
    package = making_of.Package(game.manifest)
    names = [each.name for each in making_of.put_pictures(package, game)]
    assert names[0] == "title.png"
    assert 1 < len(names) < 5
    why = package.left_out["more pictures of a match"]
    assert re.fullmatch(r"the program stopped: BAD VALUE IN \d+", why)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--no-proof --games 3", "--games and --jobs say how to prove; leave out --no-proof"),
        ("--no-proof --jobs 3", "--games and --jobs say how to prove; leave out --no-proof"),
        ("--no-page --modules .", "--modules says how to make the page; leave out --no-page"),
    ],
)
def test_options_that_have_no_use_together_are_refused(
    dare: Path, words: str, message: str
) -> None:
    done = command("package", "dare", *words.split())
    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr
    assert not list(dare.parent.glob("*.zip"))


def test_sources_outside_of_the_folder_leave_the_page_out(here: Path, modules: Path) -> None:
    small(here / "tick", '#include "levels/one.xb"\nask: GOTO ask\n')
    (here / "tick" / "levels").mkdir()
    (here / "tick" / "levels" / "one.xb").write_text("PRINT 1\n")
    done = command("package", "tick", "--modules", modules)
    assert done.exit_code == 0, done.output
    assert (
        "left out: a page that plays it: it has parts outside of its folder: one.xb" in done.stdout
    )


@pytest.fixture
def manual(dare: Path) -> Path:
    return dare / "MANUAL.md"


def test_a_manual_is_one_page_with_its_pictures(dare: Path, manual: Path) -> None:
    (dare / "ein Würfel.png").write_bytes(PNG)
    manual.write_text(
        "# Dare\n\nA <b>game</b> [of ours](../x.md), [more](https://x.org)\n"
        "![a die](<ein Würfel.png>)\n",
        encoding="utf-8",
    )
    page = manual_page(find_game(str(dare))).decode()
    assert "&lt;b&gt;game&lt;/b&gt; of ours, <a href=" in page
    assert '<img src="data:image/png;base64,iVBOR' in page
    assert "../x.md" not in page
    assert page.count("<h1>") == 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("../secret.png", "the picture ../secret.png is elsewhere"),
        ("https://ti99.example/x.png", "is elsewhere"),
        ("none.png", "there is no picture none.png"),
        ("a%00b.png", "there is no picture"),
        ("x" * 300, "there is no picture"),
        ("dare.xb", "dare.xb is not a picture"),
    ],
)
def test_pictures_of_a_manual_are_in_its_folder(
    here: Path, dare: Path, manual: Path, source: str, message: str
) -> None:
    (here / "secret.png").write_bytes(PNG)
    manual.write_text(f"# Dare\n\n![x]({source})\n")
    with pytest.raises(BuildError, match=r"MANUAL\.md:3") as found:
        manual_page(find_game(str(dare)))
    assert message in str(found.value)


def test_a_link_out_of_the_folder_is_not_followed(here: Path, dare: Path, manual: Path) -> None:
    (here / "secret.png").write_bytes(PNG)
    (dare / "link.png").symlink_to(here / "secret.png")
    manual.write_text("# Dare\n\n![x](link.png)\n")
    with pytest.raises(BuildError, match="is elsewhere"):
        manual_page(find_game(str(dare)))


def test_the_archive_is_named_zip(dare: Path) -> None:
    done = command("package", "dare", "--out", "dare.tar")
    assert (done.exit_code, "end the name in .zip" in done.stderr) == (2, True)


def test_archives_say_nothing_of_this_computer(dare: Path, here: Path) -> None:
    assert command("package", "dare", "--no-proof", "--no-page").exit_code == 0
    with ZipFile(BytesIO((here / "dare-1.0.zip").read_bytes())) as archive:
        for info in archive.infolist():
            assert info.date_time == (1980, 1, 1, 0, 0, 0)
            assert (info.create_system, info.external_attr >> 16) == (3, 0o100644)
