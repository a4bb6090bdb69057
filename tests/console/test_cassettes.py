"""CS1 and CS2: prompts, tapes and errors as recorded, and what a program does with records."""

import json
import random
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

from ti99tools import Console, Program
from ti99tools.base.errors import TIError
from ti99tools.computer.console.session import RunEnd
from ti99tools.hardware.machine.ports import Port
from ti99tools.media.tape import wav
from ti99tools.media.tape.biphase import bits_of
from ti99tools.media.tape.cassette import MOST_SECONDS, Cassette
from ti99tools.media.tape.recovery import unit

RECORDED = Path(__file__).parents[1] / "tape" / "recorded.json"
TAPES = json.loads(RECORDED.read_text(encoding="utf-8"))["tapes"]
PROGRAMS, RECORDS = TAPES[:2], TAPES[2:]

SAVED = [
    "  * REWIND CASSETTE TAPE   CS1",
    "    THEN PRESS ENTER",
    "  * PRESS CASSETTE RECORD  CS1",
    "    THEN PRESS ENTER",
    "  * RECORDING",
    "  * PRESS CASSETTE STOP    CS1",
    "    THEN PRESS ENTER",
]
READ = [
    "  * REWIND CASSETTE TAPE   CS1",
    "    THEN PRESS ENTER",
    "  * PRESS CASSETTE PLAY    CS1",
    "    THEN PRESS ENTER",
]
STOP = ["  * PRESS CASSETTE STOP    CS1", "    THEN PRESS ENTER"]
FAILED = ["    PRESS C TO CHECK", "    PRESS E TO EXIT"]


def console_with(text: str = "", tape: Cassette | None = None) -> Console:
    console = Console(connected={"CS1": tape or Cassette()})
    if text:
        console.load(Program.from_listing(text))
    return console


def answer(console: Console, *given: str) -> None:
    for key in given:
        console.press(key)
        console.resume()


def full_rows(console: Console) -> list[str]:
    """The rows that are not empty, edge characters as dots."""
    rows = (row.replace("\x1f", ".") for row in console.screen.rows)
    return [row for row in rows if row.strip(" .")]


def rows_after(console: Console, since: str) -> list[str]:
    """What stands below the last row that begins so."""
    rows = [row.rstrip() for row in console.screen.text.split("\n") if row.strip()]
    last = max(n for n, row in enumerate(rows) if row.strip().startswith(since))
    return rows[last + 1 :]


def taped(text: str) -> list[bytes | None]:
    """What a program records that asks for nothing but ENTER."""
    tape = Cassette()
    console = console_with(text, tape)
    console.machine.keyboard.type("\n" * 9)
    console.run()
    assert console.error is None, console.screen.text
    return tape.units


# -- as recorded -------------------------------------------------------------------------


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case["title"])
def test_a_program_is_saved_as_recorded(case: dict[str, list[str]]) -> None:
    tape = Cassette()
    console = console_with("\n".join(case["source"]), tape)
    console.run()
    console.command("SAVE CS1")
    answer(console, "ENTER", "ENTER", "ENTER", "N")
    assert full_rows(console)[-len(case["screen"]) :] == case["screen"]
    image = Program.from_listing("\n".join(case["source"])).to_program_bytes()
    written = "".join(map(str, bits_of(unit(tape.units[0] or b""))))
    recorded = "0" * int(str(case["leader_bits"])) + "".join(
        map(str, bits_of(bytes.fromhex(str(case["bytes"]))))
    )
    # After the program's end the last block holds what happened to be in memory.
    same = 8 * (768 + 3 + 9 + len(image)) if len(image) <= 64 else 8 * (768 + 3 + 74)
    assert written[:same] == recorded[:same]


@pytest.mark.parametrize("case", RECORDS, ids=lambda case: case["title"])
def test_records_are_written_as_recorded(case: dict[str, list[str]]) -> None:
    tape = Cassette()
    console = console_with("\n".join(case["source"]), tape)
    assert console.run() is RunEnd.KEYS
    answer(console, "ENTER", "ENTER", "ENTER")
    rows = full_rows(console)
    assert rows[-len(case["screen"]) :] == case["screen"]
    recorded = "0" * int(str(case["leader_bits"])) + "".join(
        map(str, bits_of(bytes.fromhex(str(case["bytes"]))))
    )
    first = "".join(map(str, bits_of(unit(tape.units[0] or b""))))
    # The recorded tapes lack their last bits; of one with two records the first is on it.
    assert len(recorded) > 7000
    assert first.startswith(recorded[: min(len(first), len(recorded)) - 8])


def real_tape(case: dict[str, str]) -> Cassette:
    """A recorded tape as a WAV file, as far as it was recorded."""
    leader = bytes(int(case["leader_bits"]) // 8)
    return Cassette(wav.sound([leader + bytes.fromhex(case["bytes"])]))


@pytest.mark.parametrize("case", PROGRAMS, ids=lambda case: case["title"])
def test_a_real_tape_loads(case: dict[str, str]) -> None:
    console = console_with(tape=real_tape(case))
    console.command("OLD CS1")
    answer(console, "ENTER", "ENTER", "ENTER")
    expected = Program.from_listing("\n".join(case["source"])).listing()
    assert console.program is not None
    assert console.program.listing() == expected


@pytest.mark.parametrize(
    ("index", "words", "values"),
    [
        (0, "INTERNAL,FIXED 64:A$,A", ("ABC", 5)),
        (1, "FIXED 128:A$,", ("ABC 5",)),
        (2, "FIXED 192:A$,", ("XY" * 90,)),
        (3, "FIXED:A$,", ("A",)),
    ],
)
def test_a_record_of_a_real_tape_is_read(
    index: int, words: str, values: tuple[object, ...]
) -> None:
    attributes, _, targets = words.partition(":")
    text = f'1 OPEN #1:"CS1",INPUT,{attributes}\n2 INPUT #1:{targets.rstrip(",")}\n3 CLOSE #1'
    console = console_with(text, real_tape(RECORDS[index]))
    console.machine.keyboard.type("\n\n\n")
    assert console.run() == "ready", console.screen.text
    assert tuple(console.variables[name] for name in ("A$", "A")[: len(values)]) == values


def test_old_reads_what_was_saved_and_says_so() -> None:
    text = '100 PRINT "HELLO"\n110 END\n'
    tape = Cassette(wav.sound([unit(Program.from_listing(text).to_program_bytes())]))
    console = console_with(tape=tape)
    console.command("OLD CS1")
    answer(console, "ENTER", "ENTER", "ENTER")
    assert rows_after(console, ">OLD") == [*READ, "  * READING", "  * DATA OK", *STOP, " >"]
    assert console.program is not None
    assert console.program.listing() == text


def test_check_compares_the_tape_with_the_program() -> None:
    console = console_with("100 END")
    console.command("SAVE CS1")
    answer(console, "ENTER", "ENTER", "ENTER", "Y", "ENTER", "ENTER", "ENTER")
    messages = ["  * CHECK TAPE (Y OR N)?   Y", *READ, "  * CHECKING", "  * DATA OK", *STOP, " >"]
    assert full_rows(console)[-len(messages) :][1:-1] == [row.ljust(32) for row in messages[1:-1]]


def test_no_signal_is_told_after_half_a_minute_and_can_be_left() -> None:
    console = console_with()
    console.command("OLD CS1")
    answer(console, "ENTER")
    before = console.clock.seconds
    answer(console, "ENTER")
    assert 27 < console.clock.seconds - before < 29
    messages = ["  * ERROR - NO DATA FOUND", "    PRESS R TO READ        CS1", *FAILED]
    assert rows_after(console, ">OLD") == [*READ, "  * READING", *messages]
    answer(console, "E", "ENTER")
    assert rows_after(console, "PRESS E") == [*STOP, "  * I/O ERROR 03", " >"]


def test_damaged_data_is_told_and_read_again() -> None:
    right = unit(Program.from_listing("100 END").to_program_bytes())
    damaged = bytearray(right)
    for copy in range(2):
        damaged[771 + 74 * copy + 9 + 20] ^= 1
    tape = Cassette(wav.sound([bytes(damaged), right]))
    console = console_with(tape=tape)
    console.command("OLD CS1")
    answer(console, "ENTER", "ENTER")
    assert rows_after(console, "* READING")[0] == "  * ERROR IN DATA DETECTED"
    tape.home = 1
    answer(console, "R", "ENTER", "ENTER", "ENTER")
    assert console.program is not None
    assert console.program.listing() == "100 END\n"


def test_a_tape_with_something_else_gives_a_load_error() -> None:
    console = console_with(tape=Cassette(wav.sound([unit(b"NO PROGRAM")])))
    console.command("OLD CS1")
    answer(console, "ENTER", "ENTER", "ENTER")
    assert rows_after(console, "* PRESS CASSETTE STOP")[1:] == ["  * I/O ERROR 50", " >"]


# -- programs ----------------------------------------------------------------------------

WRITE = '100 OPEN #1:"CS1",OUTPUT,FIXED\n110 PRINT #1:"ONE"\n120 PRINT #1:2;3\n130 CLOSE #1\n'
INPUT = '200 OPEN #2:"CS1",INPUT,FIXED\n210 LINPUT #2:A$\n220 INPUT #2:B$\n230 CLOSE #2\n'


def test_a_program_reads_what_it_has_written() -> None:
    console = console_with(WRITE + INPUT)
    console.machine.keyboard.type("\n" * 6)
    assert console.run() == "ready"
    assert (console.variables["A$"], console.variables["B$"]) == ("ONE".ljust(64), "2  3")


def test_without_data_an_input_is_an_error_after_the_prompt_for_stop() -> None:
    console = console_with(INPUT)
    console.machine.keyboard.type("\n\n")
    assert console.run() is RunEnd.KEYS
    assert rows_after(console, "* PRESS CASSETTE PLAY")[1:] == STOP
    answer(console, "ENTER")
    assert "* I/O ERROR 26 IN 210" in console.screen.text


def test_on_error_catches_it() -> None:
    text = '90 ON ERROR 300\n{}240 END\n300 CALL ERR(C,T,S,L)\n310 PRINT "CAUGHT";T;L\n'
    console = console_with(text.format(INPUT))
    console.machine.keyboard.type("\n\n\n\n")
    assert console.run() == "ready"
    assert "CAUGHT 2  210" in console.screen.text


def test_records_of_another_length_are_no_data() -> None:
    console = console_with(INPUT.replace("FIXED", "FIXED 128"), Cassette(wav.sound([unit(b"A")])))
    console.machine.keyboard.type("\n\n\n")
    assert console.run() == "error"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("OUTPUT", "03"),
        ("OUTPUT,VARIABLE 64", "03"),
        ("FIXED", "03"),
        ("APPEND,FIXED", "03"),
        ("RELATIVE,OUTPUT", "03"),
    ],
)
def test_only_fixed_records_in_one_direction(words: str, code: str) -> None:
    console = console_with(f'100 OPEN #1:"CS1",{words}')
    assert console.run() == "error"
    assert f"* I/O ERROR {code} IN 100" in console.screen.text


def test_cs2_only_records() -> None:
    tape = Cassette()
    console = Console(connected={"CS2": tape})
    console.load(Program.from_listing(WRITE.replace("CS1", "CS2")))
    console.machine.keyboard.type("\n\n\n")
    assert console.run() == "ready"
    assert tape.recorded == 2
    assert "REWIND CASSETTE TAPE   CS2" in console.screen.text
    console.load(Program.from_listing(INPUT.replace("CS1", "CS2")))
    assert console.run() == "error"
    assert "I/O ERROR 03 IN 200" in console.screen.text
    console.command("OLD CS2")
    assert rows_after(console, ">OLD") == ["  * I/O ERROR 03", " >"]
    console.command("SAVE CS2")
    answer(console, "ENTER", "ENTER", "ENTER")
    assert rows_after(console, "* PRESS CASSETTE STOP")[1:] == [" >"]


@pytest.mark.parametrize("length", [64, 100, 128, 150, 192])
def test_records_fill_whole_blocks(length: int) -> None:
    text = f'100 OPEN #1:"CS1",OUTPUT,INTERNAL,FIXED {length}\n110 PRINT #1:"A"\n120 CLOSE #1'
    assert taped(text) == [b"\1A".ljust(-(-length // 64) * 64, b"\0")]


def test_what_a_program_leaves_open_is_closed_after_ready() -> None:
    console = console_with('100 OPEN #1:"CS1",OUTPUT,FIXED\n110 PRINT #1:"A"')
    console.machine.keyboard.type("\n\n")
    assert console.run() is RunEnd.KEYS
    assert console.running
    assert rows_after(console, "* READY") == STOP
    answer(console, "ENTER")
    assert rows_after(console, "* READY") == [*STOP, " >"]
    assert not console.running


def test_the_recorder_is_asked_in_if_and_in_typed_lines() -> None:
    text = '100 IF A=0 THEN OPEN #1:"CS1",OUTPUT,FIXED :: B=1 ELSE B=2\n110 PRINT #1:"A"\n'
    tape = Cassette()
    console = console_with(text + "120 CLOSE #1 :: C=3\n", tape)
    console.machine.keyboard.type("\n\n\n")
    assert console.run() == "ready"
    assert (console.variables["B"], console.variables["C"], tape.recorded) == (1, 3, 1)
    console.command('OPEN #3:"CS1",OUTPUT,FIXED')
    answer(console, "ENTER", "ENTER")
    console.command('PRINT #3:"TYPED"')
    console.command("CLOSE #3")
    answer(console, "ENTER")
    assert tape.units[-1] == b"TYPED".ljust(64)


def test_e_leaves_an_open_and_the_file_is_not_open() -> None:
    console = console_with('100 ON ERROR 120\n110 OPEN #1:"CS1",OUTPUT,FIXED\n120 PRINT #1:"A"\n')
    console.run()
    answer(console, "E", "ENTER")
    assert "* FILE ERROR IN 120" in console.screen.text


def test_clear_does_not_stop_a_program_that_waits_for_the_recorder() -> None:
    console = console_with(WRITE)
    console.run()
    answer(console, "CLEAR")
    assert console.running
    assert "BREAKPOINT" not in console.screen.text
    answer(console, "ENTER", "ENTER", "ENTER")
    assert console.error is None
    assert not console.running


def test_run_from_a_cassette() -> None:
    sound = wav.sound([unit(Program.from_listing('10 PRINT "LOADED"').to_program_bytes())])
    for console in (console_with('100 RUN "CS1"', Cassette(sound)), console_with("", Cassette())):
        if console.program is None:
            console = console_with("", Cassette(sound))
            console.command('RUN "CS1"')
        else:
            console.run()
        answer(console, "ENTER", "ENTER", "ENTER")
        assert "LOADED" in console.screen.text
        assert not console.running
    console = console_with('100 RUN "CS1"')
    console.run()
    answer(console, "E", "ENTER")
    assert "* I/O ERROR 03 IN 100" in console.screen.text


def test_a_file_left_open_by_an_error_is_closed_before_the_next_command_acts() -> None:
    console = console_with('100 OPEN #1:"CS1",OUTPUT,FIXED\n110 A=1/"A"')
    console.load(Program.from_listing('100 OPEN #1:"CS1",OUTPUT,FIXED\n110 CALL SCREEN(0)'))
    console.machine.keyboard.type("\n\n")
    assert console.run() == "error"
    console.command('110 PRINT "LATER"')
    assert rows_after(console, ">110") == STOP
    answer(console, "ENTER")
    console.command("LIST")
    assert 'PRINT "LATER"' in console.screen.text


def test_the_time_of_a_save_is_the_tapes() -> None:
    console = console_with("100 END")
    console.command("SAVE CS1")
    answer(console, "ENTER")
    before = console.clock.seconds
    answer(console, "ENTER")
    # Ten seconds of empty tape, and 919 bytes at 1379 bits a second; the motor has three halves.
    assert 15.3 + 1.0 < console.clock.seconds - before < 15.3 + 2.5


SOME = (
    'OPEN #1:"CS1",OUTPUT,FIXED',
    'OPEN #1:"CS1",INPUT,INTERNAL,FIXED 128',
    "PRINT #1:A$,B;",
    "INPUT #1:A$",
    "LINPUT #1:A$",
    "CLOSE #1",
    "RESTORE #1",
    'DELETE "CS1"',
    "PRINT EOF(1);REC(1)",
    "ON ERROR 900",
    "CLOSE #1:DELETE",
    'OPEN #2:"CS2",OUTPUT,FIXED',
    'PRINT #2:"TWO"',
    "CLOSE #2",
    'IF B THEN OPEN #1:"CS1",OUTPUT,FIXED ELSE CLOSE #1',
    "CALL C",
    'RUN "CS1"',
    "B=B+1",
)
TYPED = (
    "SAVE CS1",
    "OLD CS1",
    "RUN",
    "CON",
    "NEW",
    "100 CLOSE #1",
    'RUN "CS1"',
    "LIST",
    "SAVE CS2",
)


@cache
def heard_already(number: int) -> Cassette:
    """A tape with some bytes and a record; to copy: hearing them takes long."""
    some = random.Random(number).randbytes(64)
    tape = Cassette(wav.sound([unit(some), unit(b"\2AB".ljust(128))]))
    assert len(tape.units) == 2
    return tape


@pytest.mark.parametrize("seed", range(40))
def test_any_order_of_statements_keys_and_commands(seed: int) -> None:
    rng = random.Random(seed)
    lines = [f"{n * 10} {' :: '.join(rng.choices(SOME, k=2))}" for n in range(10, 18)]
    tail = ["900 RETURN NEXT", "910 SUB C", f"920 {rng.choice(SOME[:6])}", "930 SUBEND"]
    console = console_with("\n".join([*lines, *tail]), deepcopy(heard_already(seed % 4)))
    console.max_seconds = 300
    console.run()
    for _ in range(30):
        if rng.random() < 0.2 and not console.busy:
            console.type(rng.choice(TYPED) + "\n")
        answer(console, rng.choice(("ENTER", "ENTER", "ENTER", "Y", "N", "R", "C", "E", "CLEAR")))
    assert len(console.screen.rows) == 24


# -- the cassette ------------------------------------------------------------------------


def test_recordings_come_after_what_is_on_the_tape() -> None:
    old = wav.sound([unit(b"OLD")])
    tape = Cassette(old)
    tape.rewind()
    tape.record(b"NEW")
    sound = tape.sound()
    again = Cassette(sound)
    assert [data and data.rstrip(b"\0") for data in again.units] == [b"OLD", b"NEW"]
    assert wav.read(sound).samples[: len(wav.read(old).samples)] == wav.read(old).samples
    assert Cassette(old).sound() == old


@pytest.mark.parametrize("form", [(1, 1, 22050), (2, 2, 48000), (1, 3, 44100)], ids=str)
def test_a_tape_keeps_the_form_of_its_file(form: tuple[int, int, int], tmp_path: Path) -> None:
    import wave

    path = tmp_path / "form.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(form[0])
        file.setsampwidth(form[1])
        file.setframerate(form[2])
        file.writeframes(bytes((128,) if form[1] == 1 else (0,)) * form[0] * form[1] * 5000)
    tape = Cassette.open(path)
    assert tape.units == []
    tape.record(b"RECORD")
    path.write_bytes(tape.sound())
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == form
    assert Cassette.open(path).units == [b"RECORD".ljust(64, b"\0")]


def test_replacing_forgets_what_was_there_but_not_what_is_recorded() -> None:
    tape = Cassette(wav.sound([unit(b"OLD")]), replace=True)
    for data in (b"A", b"B"):
        tape.rewind()
        tape.record(data)
    assert [data and data[:1] for data in Cassette(tape.sound()).units] == [b"A", b"B"]


def test_after_the_end_of_the_tape_nothing_is_recorded() -> None:
    tape = Cassette()
    while tape.seconds < MOST_SECONDS - 7:
        tape.record(b"A")
    count = tape.recorded
    tape.record(b"A")
    tape.record(b"A")
    assert tape.recorded - count <= 1
    assert tape.seconds <= MOST_SECONDS


def test_cassettes_and_ports_say_what_they_are() -> None:
    tape = Cassette(wav.sound([unit(b"A")]))
    tape.record(b"B")
    assert repr(tape) == "<Cassette, 6 s of sound, 1 recorded>"
    assert repr(Cassette()) == "<Cassette, blank, 0 recorded>"
    assert repr(Port(b"ABC")) == "<Port, 0 bytes sent, 0 of 3 taken>"


def test_what_is_no_cassette_is_told(tmp_path: Path) -> None:
    path = tmp_path / "tape.wav"
    path.write_bytes(b"RIFF nothing")
    with pytest.raises(TIError, match=r"tape\.wav: no sound that can be read"):
        Cassette.open(path)
    assert Cassette.open(tmp_path / "none.wav").units == []
    for wrong in ({"CS1": Port()}, {"PIO": Cassette()}, {"CS3": Port()}):
        with pytest.raises(TIError):
            Console(connected=wrong)
