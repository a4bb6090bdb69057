"""The drivers inside emulators, run for real on a ROM of our own that treats keys as the machine
does: no key is lost and none counts twice, whoever else looks for keys.
"""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.hosts import tinyrom
from tests.hosts.tinyrom import Rom, sign_of
from ti99tools.computer.console.keyscript import (
    Asked,
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Type,
    Until,
    Wait,
)
from ti99tools.games.hosts import driver, roms
from ti99tools.games.hosts.driver import Setting, Transcript
from ti99tools.games.hosts.emulator import Emulator
from ti99tools.games.hosts.host import Job, Since, WithinFrames
from ti99tools.games.hosts.mame import Mame

pytestmark = pytest.mark.long

READY = Until(tinyrom.TEXT.strip())
QUICK = 30.0


def play(emulator: Emulator, folder: Path, rom: Rom, *steps: Step, **options: object) -> Transcript:
    """Follow steps on the ROM, from power-on."""
    files = rom.for_mame(folder) if isinstance(emulator, Mame) else rom.for_ti99sim(folder)
    options.setdefault("max_seconds", QUICK)
    job = Job(b"", steps, "LOG", **options)  # type: ignore[arg-type]
    return emulator.follow(folder, job, Setting((tinyrom.TABLE,), files, boots=False))


def keys_taken(transcript: Transcript) -> str:
    """The keys that the program has taken, as it shows them."""
    text = "".join(transcript.screens["final"]).removeprefix(tinyrom.TEXT)
    return text[: text.index("\xa0")]


def expected(keys: Sequence[str]) -> str:
    return "".join(map(sign_of, keys))


KEYS = ["2", "2", "A", "A", "H", "H", "a", "\n", " ", "=", "LEFT", "AID", "!", "?", "CTRL-A"]
"""Some twice, of both halves and of none, with each modifier."""


@pytest.mark.parametrize(
    "rom",
    [
        pytest.param(
            Rom(work, sounds, sticks=sticks, fresh=by_code, by_code=by_code), id=f"{work}-{n}"
        )
        for n, (work, sounds, sticks, by_code) in enumerate(
            product((0x180, 0x700), (0, 12), (False, True), (False, True))
        )
    ],
)
def test_every_key_is_taken_once_whoever_else_looks(
    emulator: Emulator, tmp_path: Path, rom: Rom
) -> None:
    if isinstance(emulator, Mame) and rom not in (Rom(0x180, 12, sticks=True), Rom(0x700)):
        pytest.skip("MAME takes its time: two of these are enough")
    transcript = play(emulator, tmp_path, rom, READY, *map(Press, KEYS), Wait(60))
    assert (transcript.problem, transcript.notes) == ("", [])
    assert keys_taken(transcript) == expected(KEYS)
    assert transcript.keys_taken == len(KEYS)
    assert transcript.spared > 0 or not rom.sticks, "the joystick's scan came first now and then"


def test_the_old_rule_loses_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """8375h is 0 between scans, so each key counts as seen; a sound's scan finds it, too."""
    host = Mame()
    if not host.program:
        pytest.skip(host.install)
    rule = Path(__file__).with_name("old_rule.lua").read_text()
    Rom(0x180, 12).for_mame(tmp_path)
    monkeypatch.setattr("ti99tools.games.hosts.mame.driver_text", lambda: rule)
    screen, _ = host.drive(tmp_path, Job(b"", (), "LOG", max_seconds=QUICK), Setting(boots=False))
    assert len(screen.removeprefix(tinyrom.TEXT).rstrip("\ufffd")) < 5, "of 10 keys"


def test_without_knowing_the_lines_keys_go_to_other_statements(
    emulator: Emulator, tmp_path: Path
) -> None:
    """Why 832Eh is looked at: a key that the joystick's scan finds is not new any more."""
    rom = Rom(0x180, sticks=True)
    files = rom.for_mame(tmp_path) if isinstance(emulator, Mame) else rom.for_ti99sim(tmp_path)
    job = Job(b"", (READY, Type("AAAAAAAAAA"), Wait(30)), "LOG", max_seconds=QUICK)
    transcript = emulator.follow(tmp_path, job, Setting((), files, boots=False))
    assert transcript.keys_taken == 10
    assert len(keys_taken(transcript)) < 10


def test_a_busy_program_gets_its_keys_all_the_same(emulator: Emulator, tmp_path: Path) -> None:
    transcript = play(emulator, tmp_path, Rom(0xFFFF), READY, Type("AB"), Wait(90), max_seconds=90)
    assert keys_taken(transcript) == expected("AB")


def test_it_looks_where_the_program_waits(emulator: Emulator, tmp_path: Path) -> None:
    steps = (
        READY,
        Asked((100,)),
        Snap("first"),
        Press("A"),
        Asked((100,)),
        Snap("second"),
        Rest(60),
    )
    transcript = play(emulator, tmp_path, Rom(sounds=40), *steps)
    assert transcript.problem == ""
    assert [sign_of("A") in transcript.screens[name][0][15:] for name in ("first", "second")] == [
        False,
        True,
    ]
    late = play(emulator, tmp_path, Rom(), READY, Asked((120,)), max_seconds=6)
    assert late.problem.startswith("the program never waited for a key")


def test_lines_are_sampled(emulator: Emulator, tmp_path: Path) -> None:
    transcript = play(emulator, tmp_path, Rom(), READY, Wait(30))
    assert transcript.executed == {5: {1, 2, 3}}
    assert transcript.played_lines() == {100, 110, 120}


def test_screens_memory_and_time(emulator: Emulator, tmp_path: Path) -> None:
    transcript = play(emulator, tmp_path, Rom(), READY, Snap("züg №2"), Wait(120), sound=True)
    video = transcript.video["züg №2"]
    assert transcript.screens["züg №2"][0].startswith(tinyrom.TEXT)
    assert video.ram[:3] == bytes(ord(c) + tinyrom.OFFSET for c in "TI9")
    assert (len(video.ram), len(video.registers)) == (0x4000, 8)
    assert 2 < transcript.seconds < 4
    assert transcript.beneath["final"] == " "
    assert transcript.sound == b""


def test_a_script_can_wait_for_the_programs_beginning(emulator: Emulator, tmp_path: Path) -> None:
    """However late it comes, the same time passes from then on, to half a frame."""
    steps = (READY, Since(9, 6040), Snap("then"))
    transcripts = [play(emulator, tmp_path, Rom(late=late), *steps) for late in (0, 1, 2)]
    assert [run.missed for run in transcripts] == [[], [], []]
    first, second, third = (run.seconds for run in transcripts)
    assert 0.3 < second - first < 2
    assert abs(third - 2 * second + first) < 0.05


def test_a_program_that_never_begins_is_waited_for_in_vain(
    emulator: Emulator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "SLOWER", 40)
    transcript = play(emulator, tmp_path, Rom(late=99), Since(9, 100), Snap("then"))
    assert (transcript.problem, transcript.missed) == ("", ["the program's first line"])


def test_sounds_of_a_program_that_is_over_within_a_frame(
    emulator: Emulator, tmp_path: Path
) -> None:
    transcript = play(emulator, tmp_path, Rom(brief=True), READY, Wait(9), sound=True)
    assert transcript.sound == (b"" if isinstance(emulator, Mame) else b"\x91")
    assert transcript.executed == {}, "no look at the end of a frame has seen it"


def test_keys_of_a_person_go_up_after_their_frames(emulator: Emulator, tmp_path: Path) -> None:
    """A busy program loses what is let go too early."""
    busy = Rom(0xFFFF)
    transcript = play(emulator, tmp_path, busy, READY, Type("AAAA"), Wait(90), patient=False)
    assert len(keys_taken(transcript)) < 4
    transcript = play(emulator, tmp_path, Rom(), READY, Type("AAAA"), Wait(20), patient=False)
    assert keys_taken(transcript) == expected("AAAA")


def test_keys_that_stay_down_and_joysticks(emulator: Emulator, tmp_path: Path) -> None:
    steps = (READY, Hold("FCTN"), Press("S"), Release("FCTN"), Wait(10), Type("S"), Wait(10))
    transcript = play(emulator, tmp_path, Rom(), *steps)
    assert keys_taken(transcript) == expected(["LEFT", "S"])
    transcript = play(
        emulator, tmp_path, Rom(), READY, Joystick(1, 4, 0, True), Wait(9), Joystick(1)
    )
    assert keys_taken(transcript) == "", "its column is not one of keys"


def test_a_key_that_nobody_takes_is_named_with_its_line(emulator: Emulator, tmp_path: Path) -> None:
    transcript = play(emulator, tmp_path, Rom(scans=False), Wait(40), Type("2"), max_seconds=3)
    assert transcript.problem.startswith("the program never asked for the key 2 (it is in line 1")
    assert transcript.screens["final"][0].startswith(tinyrom.TEXT)
    transcript = play(emulator, tmp_path, Rom(scans=False), Wait(40), Press("CLEAR"), Wait(2))
    assert transcript.problem == "", "nobody has to take CLEAR"


def test_a_text_that_never_comes(emulator: Emulator, tmp_path: Path) -> None:
    transcript = play(emulator, tmp_path, Rom(), Until("NEVER SHOWN"), Snap("after"), max_seconds=2)
    assert transcript.problem.startswith("never on the screen: NEVER SHOWN (it is in line 1")
    assert list(transcript.screens) == ["final"]
    steps = (WithinFrames("NEVER", 40), READY, WithinFrames("TOOLS", 40, gone=True), Snap("after"))
    transcript = play(emulator, tmp_path, Rom(), *steps)
    assert (transcript.problem, transcript.missed) == ("", ["NEVER", "TOOLS"])
    assert "after" in transcript.screens


def test_a_program_without_basic_tells_in_a_cell_that_it_waits(
    emulator: Emulator, tmp_path: Path
) -> None:
    rom = Rom(0x180, sticks=True)
    files = rom.for_mame(tmp_path) if isinstance(emulator, Mame) else rom.for_ti99sim(tmp_path)
    steps = (READY, Type("AAAAAAAAAA"), Wait(30))
    job = Job(b"", steps, "LOG", max_seconds=QUICK, cell=tinyrom.CELL)
    transcript = emulator.follow(tmp_path, job, Setting((), files, boots=False))
    assert keys_taken(transcript) == expected("AAAAAAAAAA")


def summed(data: bytes) -> str:
    """What the ROM shows of the 16 bytes from 10h on."""
    total = 0
    for byte in data[0x10:0x20]:
        total = ((total << 1 | total >> 15) & 0xFFFF) + byte & 0xFFFF
    return "".join(chr(0x30 + (total >> shift & 15)) for shift in (12, 8, 4, 0))


def made_up(emulator: Emulator, folder: Path) -> dict[str, bytes]:
    """Random dumps in all sockets, but the console's ROM, which shows what it finds there."""
    random = Random(5)
    sizes = {"grom": 6144, "phm3026g": 6144, "phm3026d": 8192}
    dumps = {
        piece.path: random.randbytes(next((n for k, n in sizes.items() if k in piece.path), 4096))
        for piece in roms.PIECES
    }
    own = Rom(probe=True).pieces()
    dumps |= {path: own[path] for path in own if "994a_rom" in path}
    shown_type = type("Shown", (roms.RomSet,), {"missing": []})
    emulator.rom_folder, emulator._dumps = folder, (folder, shown_type(dumps))
    return dumps


NEVER_SET = 0x8360
"""A scratchpad word that stays 0."""


def test_a_program_that_tells_in_a_cell_is_booted_like_any_other(
    emulator: Emulator, tmp_path: Path
) -> None:
    """Title and menu do not know the program's cell; from then on it alone counts."""
    made_up(emulator, tmp_path)
    steps = (Wait(5), Snap("booted"), Type("A"))
    job = Job(b"", steps, "LOG", max_seconds=4, cell=NEVER_SET)
    files = emulator.prepare(tmp_path, job)
    transcript = emulator.follow(tmp_path, job, Setting((), files))
    assert "booted" in transcript.screens
    assert transcript.keys_taken == 2
    assert transcript.problem.startswith("the program never asked for the key A")


@pytest.mark.parametrize("expansion", [True, False])
def test_every_rom_is_where_it_belongs_after_booting(
    emulator: Emulator, tmp_path: Path, expansion: bool
) -> None:
    """The keys of title and menu are the first two taken."""
    dumps = made_up(emulator, tmp_path)
    job = Job(b"", (Wait(20), Type("A"), Wait(10)), "LOG", max_seconds=QUICK, expansion=expansion)
    files = emulator.prepare(tmp_path, job)
    transcript = emulator.follow(tmp_path, job, Setting((tinyrom.TABLE,), files))
    console = [dumps[f"ti99_4a/994a_grom{n}.u50{n}"] for n in range(3)]
    groms = [*console, *(dumps[f"ti99_cart/exbasic/phm3026g{n}.bin"] for n in range(3, 7))]
    uppers = dumps[roms.XB_D]
    banks = [dumps[roms.XB_C], uppers[:4096], dumps[roms.XB_C], uppers[4096:]]
    card = [dumps[f"ti99_fdc/fdc_dsr.u{n}"] for n in (26, 27)]
    memory = [f"{0x1234 + n * expansion if expansion else 0:04x}" for n in range(4)]
    sums = [*map(summed, [*groms, *banks, *card]), *memory]
    assert keys_taken(transcript) == "".join(sums) + expected([" ", "2", "A"])
