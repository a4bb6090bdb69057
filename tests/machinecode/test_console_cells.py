"""Cells of the console that users know: what LOAD changes, what PEEK reads, what is remarked."""

import pytest

from ti99tools.computer.console.session import Console
from ti99tools.language.program.program import Program


def ran(listing: str, keys: str = "") -> Console:
    console = Console(max_seconds=20)
    console.load(Program.from_listing(f"1 CALL INIT\n{listing}"))
    console.run(seconds=2)
    if console.running:
        console.type(keys)
        console.resume()
    assert console.error is None
    return console


def number(console: Console, name: str) -> object:
    return console.variables[name]


def test_the_mode_comes_into_force_when_a_key_is_found() -> None:
    """CALL LOAD(-31788,…): a copy of the video processor's register 1."""
    console = ran("100 CALL LOAD(-31788,226):: CALL PEEK(-31788,A)\n110 GOTO 110\n")
    registers = console.machine.vdp.registers
    assert number(console, "A") == 226
    assert registers[1] == 0xE0
    console = ran("100 CALL LOAD(-31788,226)\n110 CALL KEY(0,K,S):: IF S=0 THEN 110\n", "A")
    assert console.machine.vdp.mode == 0xE0  # the prompt has set it back
    console = ran(
        "100 CALL LOAD(-31788,226)\n110 CALL KEY(0,K,S):: IF S=0 THEN 110\n120 GOTO 120\n", "A"
    )
    assert console.machine.vdp.registers[1] == 226


def test_magnify_sets_the_mode() -> None:
    assert number(ran("100 CALL MAGNIFY(3):: CALL PEEK(-31788,A)\n"), "A") == 226


def test_extended_basic_takes_the_code_of_a_key_from_its_cell() -> None:
    listing = "100 CALL KEY(0,K,S):: IF S=0 THEN 100\n110 CALL PEEK(-31883,A)\n"
    assert number(ran(listing, "X"), "A") == 0
    assert number(ran("100 CALL KEY(0,K,S):: CALL PEEK(-31883,A)\n"), "A") == 0


def test_the_keys_of_the_last_scans_can_be_seen_and_forgotten() -> None:
    console = Console()
    listing = (
        "100 CALL INIT\n110 CALL KEY(0,K,S):: IF S=0 THEN 110\n"
        "120 CALL PEEK(-31800,A,L,R):: CALL KEY(0,K,S)\n"
        "130 CALL LOAD(-31800,255):: CALL KEY(0,K,T)\n"
    )
    console.load(Program.from_listing(listing))
    console.hold("J")
    console.run()
    assert number(console, "A") == number(console, "R") != 255
    assert number(console, "L") == 255
    assert (number(console, "S"), number(console, "T")) == (-1, 1)


def test_the_unit_of_the_keyboard_can_be_chosen() -> None:
    listing = "100 CALL LOAD(-31884,3)\n110 CALL KEY(0,K,S):: IF S=0 THEN 110\n"
    assert number(ran(listing, "a"), "K") == ord("A")


def test_two_random_bytes_change_by_randomize() -> None:
    """CALL PEEK(-31808,A,B)."""
    listing = "100 FOR I=1 TO 4 :: RANDOMIZE :: CALL PEEK(-31808,A(I),B(I)):: NEXT I\n"
    values = ran(listing + "110 C=A(1)*256+B(1):: D=A(2)*256+B(2)\n")
    first, second = number(values, "C"), number(values, "D")
    assert first != second


def test_the_reset_vector_as_hook_leaves_the_program() -> None:
    """CALL PEEK(2,A,B) :: CALL LOAD(-31804,A,B)."""
    console = ran("100 CALL PEEK(2,A,B):: CALL LOAD(-31804,A,B)\n110 GOTO 110\n")
    assert console.program is None


@pytest.mark.parametrize("value", ["100,155", "160,4"])
def test_the_end_of_the_program_may_be_run(value: str) -> None:
    listing = f'100 PRINT "AGAIN"\n110 CALL LOAD(-31962,{value})\n'
    console = ran(listing)
    assert console.running
    assert console.screen.text.count("AGAIN") > 2


def test_another_end_of_the_program_is_remarked() -> None:
    console = ran("100 CALL LOAD(-31962,100,126)\n")
    assert not console.running
    assert [">647E" in remark for remark in console.remarks] == [True]


def test_mirrors_of_the_scratch_pad_are_one() -> None:
    """CALL LOAD(-32699,…) is CALL LOAD(-31931,…)."""
    listing = "100 CALL LOAD(-32699,128):: CALL PEEK(-31931,A):: CALL LOAD(-31931,0)\n"
    assert number(ran(listing), "A") == 128


@pytest.mark.parametrize(
    ("listing", "remark"),
    [
        ("CALL LOAD(-31888,63,255)", ">8370 (-31888) (highest address of video memory)"),
        ("CALL LOAD(-31860,4)", ">838C (-31860) (stacks of the GPL interpreter)"),
        ("CALL LOAD(-31868,0,0)", ">8384 (-31868) (limits of memory)"),
        ("CALL LOAD(-27648,64)", ">9400 (-27648): no speech synthesizer is here"),
        ("CALL PEEK(-31770,A)", ">83E6 (-31770) (registers of the GPL interpreter)"),
        ("CALL PEEK(24576,A)", ">6000 (24576): no ROM is here"),
        ("A=1 :: B=2 :: CALL PEEK(-31952,C,D):: CALL PEEK(256*C+D-65546,E)", "numeric variables"),
        ("A=1 :: CALL PEEK(-31952,C,D):: CALL LOAD(256*C+D-65546,64)", "numeric variables"),
        ("CALL PEEK(-26624,A)", ">9800 (-26624): no GROM is here"),
    ],
)
def test_what_is_not_modelled_is_remarked(listing: str, remark: str) -> None:
    assert remark in ran(f"100 {listing}\n").remarks[0]


@pytest.mark.parametrize(
    "listing",
    [
        "CALL LOAD(-31806,16):: CALL LOAD(-31878,0):: CALL LOAD(-31873,5)",
        "CALL LOAD(12288,1,2,3):: CALL LOAD(-24576,5):: CALL LOAD(8196,63,248)",
        "CALL LOAD(-31744,159):: CALL LOAD(-31804,0,0):: CALL LOAD(-32000,1)",
        "CALL PEEK(-28672,A):: CALL PEEK(-31880,A):: CALL PEEK(-31952,A,B,C,D)",
        "CALL PEEK(8198,A):: CALL PEEK(-31877,A):: CALL PEEK(-31974,A,B)",
    ],
)
def test_what_is_modelled_is_not_remarked(listing: str) -> None:
    assert not ran(f"100 {listing}\n").remarks
