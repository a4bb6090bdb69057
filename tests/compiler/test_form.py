"""The form of a cartridge: header, banks, loader, .rpk."""

import io
import zipfile
from typing import Any

import pytest

from ti99tools.base.errors import TIError
from ti99tools.compiler import linking
from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.cartridge import BANK, START, Part, cartridge, code_start, rpk
from ti99tools.compiler.compiling import compile_program
from ti99tools.compiler.emit.assembly import bytes_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.language.program.program import Program

HELLO = '100 PRINT "HELLO"\n'


def test_every_bank_begins_alike() -> None:
    image = cartridge([Part("BIG", bytes(20_000))], ["BIG"])
    assert len(image) == 4 * BANK, "a power of two of banks"
    words, size = slice(0x10, 0x1E), code_start(["BIG"]) - START
    heads = {image[at : at + words.start] + image[at + words.stop : at + size]
             for at in range(0, len(image), BANK)}  # fmt: skip
    assert len(heads) == 1


def test_a_program_of_several_banks_is_copied_whole() -> None:
    rows = [f"{n} A={n}::B=A*3+{n}::C=B-A::PRINT A;B;C" for n in range(100, 260)]
    program = compile_program(Program.from_listing("\n".join(rows)))
    assert len(program.cartridge) > BANK
    console = CartridgeConsole(program.cartridge)
    console.choose()
    assert console.run_until(ready=True, seconds=60)
    image = program.linked.image
    assert console.engine.bus.bytes_at(0xA000, 64) == image[:64]
    assert " 259  1036  777" in console.screen.text


def test_the_menu_shows_the_title() -> None:
    program = compile_program(Program.from_listing(HELLO), "my game")
    assert [entry.name for entry in CartridgeConsole(program.cartridge).menu] == ["MY GAME"]


def test_without_memory_expansion_it_says_so() -> None:
    program = compile_program(Program.from_listing(HELLO))
    console = CartridgeConsole(program.cartridge, expansion=False)
    console.choose()
    console.wait(30)
    text = bytes(console.machine.vdp.ram[:768])
    assert b"NEEDS 32K MEMORY EXPANSION" in text


def test_a_start_takes_little_more_than_the_menu() -> None:
    program = compile_program(Program.from_listing(HELLO))
    console = CartridgeConsole(program.cartridge)
    console.choose()
    assert console.run_until("HELLO", seconds=5)
    assert console.clock.seconds < 1.3


def test_a_small_program_has_a_small_runtime() -> None:
    listing = "".join(f"{n} A=A+1::PRINT A\n" for n in range(100, 200, 10))
    assert compile_program(Program.from_listing(listing)).linked.runtime_bytes <= 2_048


GUESS = """\
100 CALL CLEAR
110 CALL SCREEN(4)
120 RANDOMIZE::N=INT(RND*6)+1
130 DISPLAY AT(3,5):"GUESS"
140 CALL HCHAR(5,5,42,20)
150 CALL KEY(0,K,S)
160 IF S<1 THEN 150
170 IF K<>48+N THEN 150
180 DISPLAY AT(10,5)SIZE(6):STR$(N)
190 GOTO 120
"""


def test_keys_and_the_screen_take_little_of_the_runtime() -> None:
    """Nothing of files, DEFs and errors; units and repeat of keys take 32 bytes, rows 52."""
    linked = compile_program(Program.from_listing(GUESS)).linked
    assert linked.runtime_bytes <= 2_164
    assert not {"joyst.a99", "magnify.a99", "put.a99", "rndset.a99"} & set(linked.parts)


def test_an_rpk_holds_the_image_and_its_layout() -> None:
    image = compile_program(Program.from_listing(HELLO)).cartridge
    with zipfile.ZipFile(io.BytesIO(rpk(image))) as archive:
        assert archive.read("program.bin") == image
        assert b"paged378" in archive.read("layout.xml")


def test_a_title_needs_letters() -> None:
    with pytest.raises(TIError):
        cartridge([Part("X", bytes(100))], ["äöü"])


def test_a_program_that_does_not_fit_becomes_compact(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ["90 FOR I=1 TO 9", *(f"{n} A=A+B::B=B*1.5-A" for n in range(100, 160)), "160 NEXT I"]
    program = Program.from_listing("\n".join(rows))
    quick = compile_program(program).linked.image
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + len(quick) - 2)
    compact = compile_program(program).linked.image
    assert len(compact) < 0.8 * len(quick)
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + len(compact) - 2)
    linked = compile_program(program).linked
    assert linked.banks
    assert len(linked.image) < len(compact)


def test_the_size_is_known_before_it_is_assembled() -> None:
    rows = [
        '100 CALL A(1)::PRINT "IT\'S";3*RND::READ B$::IF B$>"AB" THEN 100',
        *(f"{n} CALL HCHAR(N,{n - 90},42)::N=N+1.5" for n in range(110, 120)),
        '130 DATA "ODD"',
        "140 SUB A(X)::CALL SCREEN(X)::SUBEND",
    ]
    linked = compile_program(Program.from_listing("\n".join(rows))).linked
    assert bytes_of(linked.source) == linked.assembled.address_of("ARRLO") - linking.ORIGIN


def test_what_is_too_large_is_told_with_its_largest_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = "\n".join((
        "100 CALL BIG", "110 CALL SMALL", "120 SUB SMALL::CALL CLEAR::SUBEND", "130 SUB BIG",
        *(f"{n} CALL HCHAR({n - 139},1,42,3)" for n in range(140, 150)), "150 SUBEND",
    ))  # fmt: skip
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + 500)
    with pytest.raises(TIError, match=r"missing; the largest parts: BIG \d+, main program \d+, SM"):
        compile_program(Program.from_listing(listing))


def test_lines_of_on_error_belong_to_the_program_and_once_more_to_each_sub(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listing = "\n".join((
        "100 ON ERROR 140::CALL FAILS(1)", "110 END",
        *(f"{n} CALL HCHAR({n - 139},1,42,3)" for n in range(140, 150)), "150 END",
        "160 SUB FAILS(X)::X=SQR(-X)::SUBEND",
    ))  # fmt: skip
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + 500)
    with pytest.raises(TIError, match=r"missing; the largest parts: main program \d+, FAILS \d+"):
        compile_program(Program.from_listing(listing), banks=False)


def test_arrays_far_too_large_are_told() -> None:
    rows = "100 DIM B(9)", "110 CALL S(B())", "120 SUB S(X())::DIM A(2900)::A(X(1))=1/3::SUBEND"
    program = Program.from_listing("\n".join(rows))
    needed = (
        r"needs [0-9]+ bytes of high memory, there are 24576: .* parts: A\(\) of S 23208, S \d+,"
    )
    with pytest.raises(TIError, match=needed):
        compile_program(program)


@pytest.mark.parametrize(
    ("form", "lost"),
    [({}, 100), ({"rooms": Rooms(0, 1500)}, 100), ({"rooms": Rooms(0, 1500)}, BANK)],
)
def test_a_cartridge_whose_end_is_missing_is_refused(form: dict[str, Any], lost: int) -> None:
    rows = [f"{n} A={n}::B=A*3+{n}::C=B-A::PRINT A;B;C" for n in range(100, 140)]
    data = compile_program(Program.from_listing("\n".join(rows)), **form).cartridge
    used = data.rstrip(b"\xff")
    assert CartridgeConsole(used).menu, "nothing is lost but what is not used"
    with pytest.raises(TIError, match="the cartridge is cut off"):
        CartridgeConsole(used[:-lost])


def test_another_cartridge_of_any_length_is_taken() -> None:
    data = bytes.fromhex("AA01 0100 0000 600C 0000 0000 0000 6016 0141")
    assert [entry.name for entry in CartridgeConsole(data).menu] == ["A"]
