"""Jobs as text for drivers, what a driver says read back, and lines that look for keys."""

import pytest

from ti99tools import DiskImage, Program
from ti99tools.base.errors import ScriptError
from ti99tools.computer.console.keyscript import (
    Asked,
    Hold,
    Joystick,
    Press,
    Release,
    Rest,
    Snap,
    Step,
    Tap,
    Type,
    Until,
    Wait,
)
from ti99tools.games.hosts.driver import (
    UNFINISHED,
    Order,
    Setting,
    Transcript,
    boot_orders,
    job_text,
    orders_of,
    rows_of,
)
from ti99tools.games.hosts.host import Job, WithinFrames
from ti99tools.games.hosts.line_tables import (
    LineTable,
    entries_of,
    line_tables,
    lines_in_loops,
    looks_for_keys,
    number_of,
)
from ti99tools.games.hosts.matrix import places_of, stick
from ti99tools.games.making.artefacts import program_file

TABLE = LineTable((130, 120, 110, 100), frozenset({2}))
ALONE = Setting((TABLE,), boots=False)


def orders(*steps: Step, **options: object) -> list[str]:
    job = Job(b"", steps, "LOG", **options)  # type: ignore[arg-type]
    return [order.text for order in orders_of(job, ALONE)]


def test_lines_that_look_for_keys_in_a_counted_loop() -> None:
    listing = (
        "100 CALL KEY(3,K,S)::FOR I=1 TO 9::CALL KEY(3,K,S)\n110 NEXT I::CALL KEY(3,K,S)\n"
        "120 FOR I=1 TO 9\n130 ON WARNING NEXT::CALL KEY(3,K,S)::FOR J=1 TO 2\n140 NEXT J\n"
        "150 CALL KEY(3,K,S)\n160 INPUT A$::CALL KEY(3,K,S)\n170 NEXT I::CALL SOUND(9,110,2)\n"
        "180 NEXT K::CALL KEY(3,K,S)\n190 FOR I=1 TO 9::CALL KEY(3,K,S)\n"
    )
    program = Program.from_listing(listing)
    found = lines_in_loops([line.tokens for line in program.lines])
    assert [program.lines[at].number for at in sorted(found)] == [100, 130, 150]


def test_steps_as_orders() -> None:
    assert orders(Until('A"B'), Until(), Wait(7), Rest(9), Snap("é")) == [
        "until 0 0 x412242",
        "until 30 0 x2a205245414459202a",
        "wait 7",
        "rest 9",
        "snap xc3a9",
    ]
    assert orders(Asked(), Asked((110, 130)), Asked((999,))) == [
        "asked 1200",
        "asked 90 4 2 4 0",
        "asked 1200",
    ]
    assert orders(
        WithinFrames(None, 60), WithinFrames("A", 60), WithinFrames("A", 60, gone=True)
    ) == [
        "until 30 60 x2a205245414459202a",
        "until 0 60 x41",
        "gone 60 x41",
    ]


def test_keys_as_orders() -> None:
    assert orders(Type("a!"), Press("CLEAR", 9, 2), Hold("FCTN"), Release("Q")) == [
        "key 0 4 0 k55",
        "key 0 4 0 k05 k54",
        "key 9 2 60 k04 k34",
        "down k04",
        "up k56",
    ]
    assert orders(Type("A"), Press("LEFT", 9, 2), patient=False) == [
        "tap 4 4 k55",
        "tap 9 2 k04 k15",
    ]
    assert orders(Type("Aa!"), alpha_lock=False) == [
        "key 0 4 0 k05 k55",
        "key 0 4 0 k55",
        "key 0 4 0 k05 k54",
    ]
    assert orders(Tap("a"), Tap("A", 9, 20)) == ["tap 6 6 k55", "tap 9 20 k55"]
    assert orders(Joystick(2, 4, -4, True)) == ["up k70 k71 k72 k73 k74", "down k70 k72 k73"]
    assert orders(Joystick(1)) == ["up k60 k61 k62 k63 k64", "down"]
    with pytest.raises(ScriptError, match="no key"):
        orders(Type("é"))


def test_settings_come_first() -> None:
    job = Job(b"", (Wait(1),), "LOG", max_seconds=2, pace=5, sound=True, cell=0x8342)
    setting = Setting((TABLE,), {"disk1": "/a b"}, boots=False)
    assert job_text(job, setting, orders_of(job, setting)).splitlines() == [
        "offset 96",
        "limit 120",
        "alpha 1",
        "pace 5",
        "cell 33602",
        "sound 1",
        "known 4",
        "ask 4 2",
        "disk1 x2f612062",
        "begin",
        "wait 1",
    ]


def test_booting_is_waiting_for_the_title_and_the_menu() -> None:
    texts = [order.text for order in boot_orders()]
    assert texts == ["wait 90", "key 0 4 0 k01", "wait 60", "key 0 0 0 k14", "mark"]
    booted = orders_of(Job(b"", (), "LOG"), Setting())
    assert [order.text for order in booted] == texts


def test_every_key_of_a_keyboard_has_its_place() -> None:
    for code in range(32, 127):
        assert places_of(chr(code)), chr(code)
    assert places_of("A") == places_of("a") == ((5, 5),), "alpha lock is down"
    assert places_of("CTRL-A") == ((0, 6), (5, 5))
    assert places_of("fctn") == ((0, 4),)
    assert stick(1, -4, 4, False) == ((6, 1), (6, 4))


LINES = {
    "CALL KEY(0,K,S)": True,
    "IF A THEN CALL KEY(0,K,S)": True,
    "INPUT A": True,
    "PRINT 1::LINPUT A$": True,
    "ACCEPT AT(1,1):A$": True,
    'CALL LINK("X")': True,
    "INPUT #1:A": False,
    "LINPUT #1:A$": False,
    'OPEN #1:"DSK1.A",INPUT': False,
    'CALL SOUND(9,110,2)::CALL LINK("X")': False,
    "CALL JOYST(1,X,Y)": False,
    'PRINT "CALL KEY"': False,
    "REM INPUT A": False,
    "X=1 ! ACCEPT A": False,
    "GOTO 100": False,
    'OPEN #1:"DSK1.A",INPUT::INPUT A$': True,
    "ON A GOTO 164,146": False,
}


@pytest.mark.parametrize(("statement", "asks"), LINES.items())
def test_lines_that_look_for_keys(statement: str, asks: bool) -> None:
    [line] = Program.from_listing(f"100 {statement}\n").lines
    assert looks_for_keys(line.tokens) == asks


def test_tables_of_the_programs_on_a_disk() -> None:
    image = DiskImage.new(name="T")
    image.add(program_file(Program.from_listing("10 INPUT A\n20 GOTO 10\n"), "LOAD"))
    short = Program.from_listing("5 REM\n")
    image.add(program_file(short, "B"))
    tables = line_tables(image)
    assert tables == [LineTable((20, 10), frozenset({1})), LineTable((5,), frozenset())]
    assert entries_of(tables, 10) == [(2, 1)]
    assert entries_of(tables, 11) == []
    assert number_of(tables, 1, 0) == 5
    assert number_of(tables, 3, 0) is None


def test_a_transcript_is_read() -> None:
    transcript = Transcript(
        [
            f"SNAP {b'a'.hex()} {'20' * 768} 41",
            f"VIDEO {b'a'.hex()} {'00' * 16384} {'07' * 8}",
            "MISSED 1",
            "NOTE a word",
            "LINES 4 0,3",
            "KEYS 7 2",
            "SOUND 9fbf",
            "CYCLES 99",
            "DONE 1.50",
        ],
        [Order("wait 1"), Order("until 0 9 x", "HELLO")],
        [TABLE],
    )
    assert transcript.screens["a"] == (" " * 32,) * 24
    assert transcript.beneath["a"] == "A"
    assert (transcript.missed, transcript.notes, transcript.problem) == (["HELLO"], ["a word"], "")
    played = transcript.played(DiskImage.new(), "LOG")
    assert (played.keys_taken, played.spared, played.sound, played.cycles) == (
        7,
        2,
        b"\x9f\xbf",
        99,
    )
    assert played.lines == {130, 100}
    assert played.seconds == 1.5
    assert played.records is None


@pytest.mark.parametrize(
    ("order", "phase", "message"),
    [
        (Order("key 0 4 0 k54", "A"), 0, "the program never asked for the key A"),
        (Order("key 0 4 0 k54", "A"), 1, "the program never took the key A"),
        (Order("until 0 0 x41", "A"), 0, "never on the screen: A"),
        (Order("rest 9"), 0, "the screen never came to rest"),
        (Order("wait 9"), 0, "the machine time is over"),
    ],
)
def test_what_never_happened_is_told(order: Order, phase: int, message: str) -> None:
    transcript = Transcript([f"FAIL 0 {phase} late", "AT 4 1", "DONE 2"], [order], [TABLE])
    assert transcript.problem == f"{message} (it is in line 120)"
    unknown = Transcript([f"FAIL 0 {phase} late", "AT 5 1", "DONE 2"], [order], [TABLE])
    assert unknown.problem == message


def test_a_run_that_breaks_off_is_told() -> None:
    assert Transcript([]).problem == Transcript(["NOTE x"]).problem == UNFINISHED


def test_rows() -> None:
    codes = bytes(range(256)) * 3
    assert len(rows_of(codes.hex())) == 24
    assert rows_of(codes.hex())[1] == "".join(map(chr, range(32, 64)))
