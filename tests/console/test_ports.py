"""PIO and RS232: the bytes that a printer gets, and what comes in."""

import random

import pytest

from ti99tools import Console, Program
from ti99tools.hardware.machine.ports import BAUD, MOST, Port


def run(text: str, **ports: Port) -> Console:
    connected = {name.replace("_", "/"): port for name, port in ports.items()}
    console = Console(connected=connected)
    console.load(Program.from_listing(text))
    console.run()
    return console


def printed(name: str, *words: str) -> bytes:
    """What OPEN #1:"name",words and two PRINTs send."""
    port = Port()
    attributes = ",".join(("", *words))
    text = f'1 OPEN #1:"{name}"{attributes}\n2 PRINT #1:"AB"\n3 PRINT #1:5\n4 CLOSE #1'
    console = run(text, **{name.partition(".")[0]: port})
    assert console.error is None, console.screen.text
    return bytes(port.output)


@pytest.mark.parametrize(
    ("name", "words", "sent"),
    [
        ("PIO", (), b"AB\r\n 5 \r\n"),
        ("PIO", ("OUTPUT",), b"AB\r\n 5 \r\n"),
        ("PIO.LF", (), b"AB\r 5 \r"),
        ("PIO.CR", (), b"AB 5 "),
        ("PIO.CR.LF", (), b"AB 5 "),
        ("PIO.NU", (), b"AB\r\n" + bytes(6) + b" 5 \r\n" + bytes(6)),
        ("PIO.EC", (), b"AB\r\n 5 \r\n"),
        ("RS232", (), b"AB\r\n 5 \r\n"),
        ("RS232.BA=9600.DA=8.PA=N", (), b"AB\r\n 5 \r\n"),
        ("RS232.TW.CH.EC.LF", (), b"AB\r 5 \r"),
        ("PIO", ("INTERNAL",), b"\3\2AB\x09\x08\x40\5\0\0\0\0\0\0"),
        ("PIO", ("FIXED 4",), b"AB  \r\n 5  \r\n"),
    ],
)
def test_a_record_is_sent_with_its_end(name: str, words: tuple[str, ...], sent: bytes) -> None:
    assert printed(name, *words) == sent


def test_seven_bits_lose_the_eighth() -> None:
    text = '1 OPEN #1:"{}.CR"\n2 PRINT #1:CHR$(193)\n'
    for name, sent in (("RS232", b"A"), ("RS232.DA=8", b"\xc1"), ("PIO", b"\xc1")):
        port = Port()
        run(text.format(name), PIO=port, RS232=port)
        assert bytes(port.output) == sent


def test_list_goes_to_the_printer() -> None:
    port = Port()
    console = Console(connected={"PIO": port})
    console.load(Program.from_listing('100 PRINT "HELLO"\n110 END\n'))
    console.command('LIST "PIO":110')
    assert bytes(port.output) == b"\r\n110 END\r\n"


def test_both_ports_of_the_interface_and_their_other_names() -> None:
    first, second, printer = Port(), Port(), Port()
    names = ("RS232/1", "RS232/2", "PIO/1")
    text = "\n".join(f'{n} OPEN #{n}:"{name}"::PRINT #{n}:{n}' for n, name in enumerate(names, 1))
    run(text, RS232=first, RS232_2=second, PIO=printer)
    assert [bytes(p.output) for p in (first, second, printer)] == [
        b" 1 \r\n",
        b" 2 \r\n",
        b" 3 \r\n",
    ]


@pytest.mark.parametrize("name", ["PIO", "RS232", "RS232.BA=300", "TP"])
def test_nothing_connected_is_no_device(name: str) -> None:
    console = run(f'100 OPEN #1:"{name}"')
    assert "* I/O ERROR 00 IN 100" in console.screen.text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("RS232.BA=99", ""),
        ("RS232.BA", ""),
        ("RS232.XX", ""),
        ("RS232.DA=9", ""),
        ("RS232.PA=X", ""),
        ("PIO.CR=1", ""),
        ("PIO.", ""),
        ("PIO", ",APPEND"),
        ("PIO", ",RELATIVE"),
    ],
)
def test_wrong_options_are_bad_attributes(name: str, words: str) -> None:
    console = run(f'100 OPEN #1:"{name}"{words}', PIO=Port(), RS232=Port())
    assert "* I/O ERROR 02 IN 100" in console.screen.text


def test_what_comes_in_is_read_line_by_line() -> None:
    port = Port(b'ONE\r\nTWO\n"THREE, 3",4\r')
    text = (
        '1 OPEN #1:"RS232.EC"\n2 LINPUT #1:A$\n3 INPUT #1:B$\n4 E=EOF(1)\n'
        "5 INPUT #1:C$,D\n6 F=EOF(1)\n7 INPUT #1:E$\n"
    )
    console = run(text, RS232=port)
    names = ("A$", "B$", "C$", "D", "E", "F")
    expected = ["ONE", "TWO", "THREE, 3", 4, 0, 1]
    assert [console.variables[name] for name in names] == expected
    assert "* I/O ERROR 26 IN 7" in console.screen.text
    assert not port.output


def test_what_comes_in_is_sent_back() -> None:
    port = Port(b"ONE\rTWO\r")
    run('1 OPEN #1:"RS232.LF"\n2 LINPUT #1:A$\n', RS232=port)
    assert bytes(port.output) == b"ONE\r"


def test_internal_records_come_with_their_length() -> None:
    port = Port(b"\3\2AB\x04\3XYZ")
    text = '1 OPEN #1:"RS232.EC",INTERNAL\n2 INPUT #1:A$\n3 INPUT #1:B$\n'
    console = run(text, RS232=port)
    assert (console.variables["A$"], console.variables["B$"]) == ("AB", "XYZ")


def test_the_line_takes_its_time() -> None:
    seconds = []
    for baud in BAUD[-1], BAUD[1]:
        text = f'1 OPEN #1:"RS232.BA={baud}"\n2 PRINT #1:RPT$("A",78)\n'
        seconds.append(run(text, RS232=Port()).clock.seconds)
    # 80 bytes of 10 bits each.
    assert round(seconds[1] - seconds[0], 2) == round(800 / 300 - 800 / 9600, 2)


def test_paper_comes_to_an_end() -> None:
    port = Port()
    port.output = bytearray(MOST - 3)
    console = run('1 OPEN #1:"PIO"\n2 PRINT #1:"ABC"', PIO=port)
    assert "* I/O ERROR 36 IN 2" in console.screen.text
    assert len(port.output) == MOST - 3


def test_illegal_operations() -> None:
    text = '1 OPEN #1:"PIO"\n2 RESTORE #1\n'
    assert "* I/O ERROR 43 IN 2" in run(text, PIO=Port()).screen.text
    console = run("1 END", PIO=Port())
    console.command("SAVE PIO")
    assert "* I/O ERROR 63" in console.screen.text
    console.command("OLD PIO")
    assert "* I/O ERROR 02" in console.screen.text or "* I/O ERROR 26" in console.screen.text


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes_may_come_in(seed: int) -> None:
    rng = random.Random(seed)
    port = Port(rng.randbytes(rng.randrange(400)))
    kind = rng.choice(("", ",INTERNAL", ",FIXED 10", ",VARIABLE 255"))
    words = rng.choice(("A$", "A", "A$,B", "A$,B,C$"))
    console = run(f'1 OPEN #1:"RS232.BA=9600"{kind}\n2 INPUT #1:{words}\n3 GOTO 2\n', RS232=port)
    assert console.error is not None
