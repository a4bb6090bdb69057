"""The fast start: the same game sooner; what happens without a part, and without the 32K."""

from pathlib import Path

import pytest

from tests.shipped import shipped
from ti99tools.app.build import fast_disk, picture_of, with_fast_disk
from ti99tools.base.basic import LONGEST_STEM
from ti99tools.base.errors import BuildError
from ti99tools.computer.console import programarea
from ti99tools.computer.console.session import Console
from ti99tools.computer.machinecode.cards import Card
from ti99tools.games.making.artefacts import Built, build_game
from ti99tools.games.making.faststart import LAST_PART, PART, part_size
from ti99tools.games.making.finding import game_names
from ti99tools.games.making.manifest import read_manifest
from ti99tools.hardware.cpu.core import Core
from ti99tools.media.disk.image import DiskImage

pytestmark = pytest.mark.usefixtures("anew")

MENU = "1 PLAY"
MOST = 9.1
"""Seconds of machine time to a menu at most: D5000 takes 9.02, Dice Rack 9.00."""


@pytest.fixture(scope="module")
def game() -> Built:
    return shipped("d5000")


@pytest.fixture(scope="module")
def fast(game: Built) -> bytes:
    return fast_disk(game).to_bytes()


def started(image: bytes, **options: bool) -> Console:
    console = Console({"DSK1": DiskImage.from_bytes(image)}, max_seconds=60, **options)  # type: ignore[arg-type]
    console.boot()
    return console


def test_the_menu_comes_in_less_than_half_of_the_time(game: Built, fast: bytes) -> None:
    plain, quick = started(game.image.to_bytes()), started(fast)
    assert plain.run_until(MENU)
    assert quick.run_until(MENU)
    assert quick.clock.seconds < plain.clock.seconds / 2
    assert quick.clock.seconds < MOST
    assert quick.screen.text == plain.screen.text
    assert quick.program is not None
    assert quick.program.lines == game.program.lines
    assert not quick.remarks


def test_the_picture_is_there_while_it_loads(fast: bytes, game: Built) -> None:
    console = started(fast)
    console.wait(40)
    picture = picture_of(game)
    assert bytes(console.machine.vdp.ram[:768]) == picture.memory[:768]


def test_the_plain_program_where_a_part_is_missing(game: Built, fast: bytes) -> None:
    for part in ("D5000-0", "D5000-1", "D5000-2"):
        image = DiskImage.from_bytes(fast)
        image.remove(part)
        console = started(image.to_bytes())
        console.wait(360)
        assert "NO FAST START: LOADING..." in console.screen.text
        assert console.run_until(MENU)
        assert console.clock.seconds > 15
        assert "NO FAST START" not in console.screen.text
        assert console.program is not None
        assert console.program.lines == game.program.lines


def test_the_plain_program_where_more_files_were_reserved(
    fast: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programarea, "VIDEO_TOP", programarea.VIDEO_TOP - 518)
    console = started(fast)
    console.wait(120)
    assert "NO FAST START: LOADING..." in console.screen.text
    assert console.run_until(MENU)


@pytest.mark.parametrize("name", game_names())
def test_all_games_start_fast_from_two_parts_at_most(name: str) -> None:
    built = shipped(name)
    image = fast_disk(built).to_bytes()
    stem = built.manifest.program[:LONGEST_STEM]
    names = DiskImage.from_bytes(image).names()
    parts = [file for file in names if file.startswith(f"{stem}-")]
    assert parts == [f"{stem}-{n}" for n in range(len(parts))]
    assert len(parts) <= 3
    plain, quick = started(built.image.to_bytes()), started(image)
    assert plain.run_until("5 END")
    assert quick.run_until("5 END")
    seconds = quick.clock.seconds, plain.clock.seconds
    plain.wait(60)
    quick.wait(60)
    assert quick.screen.text == plain.screen.text
    assert seconds[0] < min(MOST, 0.55 * seconds[1])


def test_without_the_expansion_it_says_so(fast: bytes) -> None:
    console = started(fast, expansion=False)
    assert console.run_until("NEEDS 32K MEMORY")


def test_the_files_are_whole_sectors(fast: bytes) -> None:
    image = DiskImage.from_bytes(fast)
    for name in ("D5000-0", "D5000-1", "D5000-2"):
        assert len(image.read(name).data) % 256 == 0


def test_games_without_a_picture(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "game.toml").write_text(
        'title = "Tiny"\nversion = "1"\nsource = "tiny.xb"\nprogram = "TINY"\ndisk = "TINY"\n'
    )
    (folder / "tiny.xb").write_text('PRINT "HELLO"\nPRINT "WORLD"\n')
    built = with_fast_disk(build_game(read_manifest(folder)))
    names = [artefact.name for artefact in built.artefacts]
    assert "tiny-fast.dsk" in names
    assert "tiny-fast.hfe" in names
    console = started(next(a.data for a in built.artefacts if a.name == "tiny-fast.dsk"))
    assert console.run_until("WORLD")


def test_parts_fit_and_the_last_covers_the_lines_of_load() -> None:
    for size in range(256, 3 * PART, 256):
        part = part_size(size)
        assert part <= PART
        assert part % 256 == 0
        assert size <= part or size % part == 0 or size % part >= LAST_PART
    assert part_size(PART + 256) == PART - LAST_PART


def test_a_picture_that_does_not_end(tmp_path: Path) -> None:
    folder = tmp_path / "stuck"
    folder.mkdir()
    (folder / "game.toml").write_text(
        'title = "Stuck"\nversion = "1"\nsource = "s.xb"\nprogram = "STUCK"\ndisk = "STUCK"\n'
    )
    (folder / "s.xb").write_text('PRINT "HELLO"\n')
    (folder / "picture.xb").write_text("CALL SCREEN(99)\n")
    with pytest.raises(BuildError, match="picture"):
        picture_of(build_game(read_manifest(folder)))


def test_the_plain_program_where_the_drive_declines(
    fast: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device routine may have used all registers when it comes back."""

    def declining(card: Card, cpu: Core) -> None:
        cpu.pc = cpu.register(11)
        for number in range(11):
            cpu.bus.load(cpu.at(number), b"\xff\xff")

    monkeypatch.setattr(Card, "serve", declining)
    console = started(fast)
    assert console.run_until(MENU)
    assert console.clock.seconds > 15


def test_the_plain_program_in_another_version(fast: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ti99tools.computer.interp.subprograms.misc.VERSION_NUMBER", 2020)
    console = started(fast)
    assert console.run_until(MENU)
    assert console.clock.seconds > 15
