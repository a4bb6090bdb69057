"""`ti99tools tape`: a program to sound and back, and what is wrong on the way."""

import json
import wave
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.tape.soundfaults import Faults, spoiled
from ti99tools.fronts.cli.main import cli
from ti99tools.media.disk.hostfiles import build_tifiles, contained
from ti99tools.media.disk.records import load, store
from ti99tools.media.disk.tifile import DiskFile, FileType

LISTING = "".join(f'{n} PRINT "LINE {n} OF THE PROGRAM"\n' for n in range(100, 220, 10))


def tape(*words: object) -> Result:
    return CliRunner().invoke(cli, ["tape", *map(str, words)])


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.bas"
    path.write_text(LISTING, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The listing as sound."""
    game = tmp_path_factory.mktemp("written") / "game.bas"
    game.write_text(LISTING, encoding="utf-8")
    path = game.with_suffix(".wav")
    result = tape("write", game, "-o", path)
    assert result.exit_code == 0, result.output
    assert "program, 12 lines" in result.output
    assert "0:11 of sound" in result.output
    return path.read_bytes()


@pytest.fixture
def sound(game: Path, written: bytes) -> Path:
    path = game.with_suffix(".wav")
    path.write_bytes(written)
    return path


def test_a_listing_goes_to_sound_and_back(sound: Path, tmp_path: Path) -> None:
    back = tmp_path / "back.bas"
    assert tape("read", sound, "-o", back).exit_code == 0
    assert back.read_text(encoding="utf-8") == LISTING


def test_list_and_its_json_count_the_same_bytes(sound: Path) -> None:
    (unit,) = json.loads(tape("list", sound, "--json").output)
    assert f"12 lines, {unit['bytes']} bytes" in tape("list", sound).output
    assert unit["blocks"] == -(-(unit["bytes"] + 8) // 64)


def test_what_to_do_about_several_programs(game: Path, tmp_path: Path) -> None:
    sound = tmp_path / "two.wav"
    tape("write", game, game, "-o", sound)
    output = tape("read", sound, "-o", tmp_path / "one.bas").output
    assert "2 units, 2 of them programs; choose one with --unit N" in output
    output = tape("read", sound, "-o", tmp_path / "one", "--form", "records").output
    assert "it has only programs: leave out --form records" in output


def test_a_program_file_goes_to_sound_and_back(sound: Path, tmp_path: Path) -> None:
    for form in ("program", "tifiles"):
        back = tmp_path / "BACK"
        assert tape("read", sound, "-o", back, "--form", form).exit_code == 0
        listed = CliRunner().invoke(cli, ["list", str(back)])
        assert listed.output == LISTING


def test_records_go_to_sound_and_back(tmp_path: Path) -> None:
    records = [f"RECORD {n}".encode().ljust(128) for n in range(3)]
    scores = tmp_path / "scores.tfi"
    scores.write_bytes(build_tifiles(store(DiskFile.display_fix("SCORES", records, 128))))
    sound, back = tmp_path / "scores.wav", tmp_path / "back.tfi"
    assert tape("write", scores, "-o", sound).exit_code == 0
    assert tape("list", sound).output.count("record of 128 bytes") == 3
    output = tape("read", sound, "-o", back).output
    assert "3 units, 0 of them programs; use --form records" in output
    assert tape("read", sound, "-o", tmp_path / "a.b", "--form", "records").exit_code == 0
    output = tape("read", sound, "-o", tmp_path / "elevenchars", "--form", "records").output
    assert "gives no TI file name; use 1 to 10 characters" in output
    assert tape("read", sound, "-o", back, "--form", "records", "--internal").exit_code == 0
    stored = contained(back.read_bytes())
    assert stored is not None
    file = load(stored)
    assert (file.type, file.recl, list(file.records)) == (FileType.INT_FIX, 128, records)


def test_several_programs_are_listed_and_chosen(game: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.bas"
    other.write_text("1 END\n", encoding="utf-8")
    sound, back = tmp_path / "two.wav", tmp_path / "back.bas"
    assert tape("write", game, other, "-o", sound).exit_code == 0
    listed = json.loads(tape("list", sound, "--json").output)
    assert [each["kind"] for each in listed] == ["program", "program"]
    assert "choose one" in tape("read", sound, "-o", back).output
    assert tape("read", sound, "-o", back, "--unit", 2).exit_code == 0
    assert back.read_text(encoding="utf-8") == "1 END\n"


def test_a_worn_tape_tells_what_was_restored(sound: Path, tmp_path: Path) -> None:
    worn, back = tmp_path / "worn.wav", tmp_path / "back.bas"
    worn.write_bytes(spoiled(sound.read_bytes(), Faults(noise=0.03, dropouts=9), seed=1))
    assert "restored from the other copy" in tape("list", worn).output
    result = tape("read", worn, "-o", back)
    assert result.exit_code == 0, result.output
    assert back.read_text(encoding="utf-8") == LISTING


def test_a_damaged_tape_is_read_only_if_allowed(sound: Path, tmp_path: Path) -> None:
    worn, back = tmp_path / "worn.wav", tmp_path / "back"
    worn.write_bytes(spoiled(sound.read_bytes(), Faults(dropouts=5, dropout=1.4), seed=2))
    assert "damaged blocks" in tape("list", worn).output
    result = tape("read", worn, "-o", back, "--unit", 1)
    assert result.exit_code == 2
    assert "are damaged; record it again" in result.output
    assert not back.exists()


def test_the_whole_lines_of_a_damaged_program_are_kept_if_allowed(
    sound: Path, tmp_path: Path
) -> None:
    cut, back = tmp_path / "cut.wav", tmp_path / "back.bas"
    with wave.open(str(sound)) as file:
        frames, rate = file.readframes(file.getnframes()), file.getframerate()
    with wave.open(str(cut), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(rate)
        file.writeframes(frames[: round(0.8 * len(frames))])
    assert "--damaged keeps what could be read" in tape("read", cut, "-o", back).output
    (listed,) = json.loads(tape("list", cut, "--json").output)
    assert (listed["kind"], listed["damaged"][-1]) == ("program", listed["blocks"])
    result = tape("read", cut, "-o", back, "--damaged")
    assert result.exit_code == 0, result.output
    kept = back.read_text(encoding="utf-8").splitlines(keepends=True)
    assert 0 < len(kept) < 12
    assert set(kept) < set(LISTING.splitlines(keepends=True))
    assert f"program, {len(kept)} lines, {12 - len(kept)} more lost" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("write", "game.bas", "-o", "game.mp3"), "a tape is a WAV file; name it NAME.wav"),
        (("write", "nothing.bas", "-o", "game.wav"), "nothing.bas"),
        (("list", "game.bas"), "no sound that can be read"),
        (("read", "game.wav", "-o", "x", "--unit", "7"), "no unit 7; there are 1"),
        (("read", "game.wav", "-o", "x", "--form", "records"), "records of one length"),
        (("read", "game.wav", "-o", "x", "--internal"), "--internal goes with --form records"),
        (("read", "game.wav", "-o", "game.wav"), "is the source itself"),
        (("lst", "game.wav"), "did you mean list?"),
    ],
)
def test_mistakes_are_told(
    sound: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(sound.parent)
    result = tape(*words)
    assert result.exit_code == 2
    assert message in result.output


def test_a_long_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.bas"
    path.write_text("".join(f'{n} PRINT "{"X" * 100}"\n' for n in range(1, 120)), encoding="utf-8")
    result = tape("write", path, "-o", tmp_path / "long.wav")
    assert result.exit_code == 2
    assert "CS1 takes 11584; put it on a disk" in result.output
