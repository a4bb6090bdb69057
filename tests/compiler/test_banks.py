"""Programs with code in banks of the cartridge: they do what they do in high memory."""

from contextlib import suppress
from random import Random

import pytest

from tests.compiler.bothforms import Left, as_cartridge, check, full_rows, in_basic
from tests.compiler.randomerrors import maker
from tests.compiler.randomlines import LineMaker
from tests.compiler.randomprograms import Maker
from ti99tools.base.errors import SourceError, TIError
from ti99tools.compiler import linking
from ti99tools.compiler.banking import Rooms
from ti99tools.compiler.cartridge import BANK, code_start
from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.compiler.emit.emission import FIRST_BANK
from ti99tools.compiler.symbols import symbols_of
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.compiledmemory import WORD_COUNT
from ti99tools.computer.console.following import Follower, following
from ti99tools.computer.interp.run.stack import CallFrame
from ti99tools.language.program.program import Program

SCATTERED = Rooms(0, 1)
"""Each block in a bank of its own."""
FEW, MANY = range(2), range(2000, 2400)


def rooms(seed: int) -> Rooms:
    """Small rooms, so that a small program needs several banks."""
    r = Random(f"rooms {seed}")
    return Rooms(r.choice((0, 0, 100, 400, 1500)), r.choice((1, 60, 150, 400, 1500, 6000)))


def scattered(listing: str) -> Compiled:
    return compile_program(Program.from_listing(listing), "TEST", rooms=SCATTERED)


@pytest.mark.parametrize("seed", FEW)
def test_random_programs_in_banks(seed: int) -> None:
    check(Maker(seed).program(), (seed % 2 == 0,), rooms=rooms(seed))


@pytest.mark.parametrize("seed", FEW)
def test_random_programs_with_errors_in_banks(seed: int) -> None:
    check(maker(seed).program(), (seed % 2 == 0,), rooms=rooms(seed))


@pytest.mark.slow
def test_many_random_programs_in_banks() -> None:
    for seed in MANY:
        check(Maker(seed).program(), (seed % 2 == 0,), rooms=rooms(seed))
        lines = LineMaker(seed)
        check(lines.program(), (seed % 2 == 0,), lines.keys(), rooms(seed))
        with suppress(SourceError):  # RUN refuses some programs with errors
            check(maker(seed).program(), (seed % 2 == 0,), rooms=rooms(seed))


ERRORS = """\
100 ON ERROR 500
110 A=LOG(-1)
120 PRINT "NEXT";A::GOSUB 300
130 CALL S(A)
140 ON ERROR 600::B=SQR(-4)::PRINT "AGAIN";B
150 ON ERROR 700::PRINT LOG(0)
160 PRINT "NOT HERE"
170 PRINT "LINE"::FOR I=1 TO 2::GOSUB 300::NEXT I
180 CALL T(3)
190 END
300 ON ERROR 500::C=C+1::A=ASC("")::PRINT "SUBROUTINE";C
310 RETURN
500 CALL ERR(K,L,M,N)::PRINT "ERR";K;L;M;N
510 RETURN NEXT
600 PRINT "ERR"::B=2::ON ERROR 510::RETURN 610
610 ON ERROR 620::PRINT SQR(B-4)::GOTO 150
620 IF B>3 THEN RETURN NEXT
625 B=5::RETURN
700 RETURN 170
800 SUB S(A)
810 ON ERROR 830
820 A=A+LOG(-A-1)::PRINT "S";A
825 SUBEXIT
830 A=A+1::ON ERROR STOP::RETURN NEXT
840 SUBEND
850 SUB T(X)
860 PRINT 1/0::CALL U(X)
870 SUBEND
880 SUB U(Y)
885 DEF F(Z)=LOG(Z-Y)
890 A=F(Y)
895 SUBEND
"""


def test_errors_their_handlers_and_the_lines_of_messages() -> None:
    expected = in_basic(ERRORS)
    assert any("CALLED FROM  T" in row for row in expected.rows)
    assert Left.of(as_cartridge(ERRORS, rooms=Rooms(0, 120))) == expected


IN_TWO_BANKS = """\
100 X=X+9
110 CALL N(A,A)
200 SUB N(A,B)
210 CALL M(Y,(F(F(Y))))
220 SUBEND
230 SUB M(A,B)
240 GOSUB 250
250 CALL SOUND(100,F(1/0),1)
260 SUBEND
"""
"""Line 250 fails at the address that line 110 has in another bank."""


def test_a_caller_is_named_that_has_the_address_of_the_error_in_another_bank() -> None:
    check(IN_TWO_BANKS, (True,), rooms=SCATTERED)


LOOP = """\
100 CALL S(N)
110 GOTO 100
200 SUB S(N)
210 N=N+1
220 IF N<9 THEN 240
230 N=0
240 SUBEND
"""


def test_clear_stops_a_loop_over_banks() -> None:
    console = CartridgeConsole(scattered(LOOP).cartridge)
    console.choose()
    console.wait(90)
    assert console.running
    console.hold("CLEAR")
    console.wait(30)
    console.release("CLEAR")
    assert console.stopped_at in (100, 110, 210, 220, 230, 240)
    assert full_rows(console)[0].startswith("* BREAKPOINT IN ")


COUNTED = """\
100 FOR I=1 TO 7
110 GOSUB 150
120 CALL S(I)
130 NEXT I
140 END
150 IF I>3 THEN 170
160 A=A+1
170 RETURN
200 SUB S(I)
210 IF I<6 THEN 230
220 B=B+1
230 SUBEND
"""


def test_lines_in_banks_are_profiled() -> None:
    counts = []
    for where in (None, SCATTERED):
        program = compile_program(Program.from_listing(COUNTED), "TEST", rooms=where)
        console = CartridgeConsole(program.cartridge)
        console.choose()
        with following(console.engine) as profile:
            console.resume(5)
        counts.append({line: runs for line, _, runs in profile.by_line()})
    assert counts[0] == counts[1]
    assert counts[0][160] == 3
    assert counts[0][220] == 2


def test_callers_in_banks_are_known() -> None:
    listing = "100 GOSUB 200\n110 END\n200 CALL S\n210 RETURN\n300 SUB S\n310 A=1\n320 SUBEND\n"
    seen = []
    program = scattered(listing)
    symbols = symbols_of(program, Program.from_listing(listing))
    console = CartridgeConsole(program.cartridge, symbols=lambda: symbols)
    console.choose()

    def entered(spot: tuple[int, int]) -> None:
        execution = console.execution
        assert execution is not None
        backs = []
        for frame in execution.frames:
            assert isinstance(frame, CallFrame | tuple)
            backs.append(frame.place if isinstance(frame, CallFrame) else frame[1])
        seen.append((spot[0], [execution.listing.numbers[line] for line, _ in backs]))

    Follower(console.engine, symbols, entered)
    console.resume(5)
    assert seen == [
        (100, []),
        (200, [110]),
        (310, [110, 210]),
        (320, [110, 210]),
        (210, [110]),
        (110, []),
    ]


def test_every_bank_starts_the_program() -> None:
    program = scattered(COUNTED)
    image = program.cartridge
    banks = [image[at : at + BANK] for at in range(0, len(image), BANK)]
    assert len(banks) == 16
    heads = {
        bank[:0x10] + bank[0x10 + 2 * WORD_COUNT : code_start(["TEST"]) - 0x6000] for bank in banks
    }
    assert len(heads) == 1
    for selected in (FIRST_BANK, FIRST_BANK + 1, len(banks) - 1):
        console = CartridgeConsole(image)
        console.engine.slot.select(0x6000 + 2 * selected)
        console.choose()
        console.resume(5)
        assert console.error is None
        assert console.over


def test_a_cartridge_without_its_last_banks_is_refused() -> None:
    """Also where what is left has a power of two of them."""
    rows = "".join(f"{n} A={n}::B=A*3+{n}::PRINT A;B\n" for n in range(100, 140))
    data = compile_program(Program.from_listing(rows), rooms=Rooms(0, 300)).cartridge
    with pytest.raises(TIError, match="cut off"):
        CartridgeConsole(data[: len(data) // 2])
    assert CartridgeConsole(data.rstrip(b"\xff")).menu


CROSSING = """\
100 FOR I=1 TO 1000
110 GOSUB 200
120 NEXT I
130 PRINT "END"::END
200 A=A+1
210 RETURN
"""


def test_going_to_another_bank_takes_few_cycles() -> None:
    """GOSUB and RETURN over banks against both in high memory: two crossings."""
    cycles = []
    for where in (None, SCATTERED):
        program = compile_program(Program.from_listing(CROSSING), "TEST", rooms=where)
        console = CartridgeConsole(program.cartridge)
        console.choose()
        with following(console.engine) as profile:
            console.resume(60)
        cycles.append(sum(spent for line, spent, _ in profile.by_line() if line in (110, 210)))
    assert cycles[1] - cycles[0] <= 1000 * 2 * 250


def test_what_high_memory_must_hold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + 1000)
    with pytest.raises(TIError, match=r"needs \d+ bytes of high memory, there are 1000: \d+ bytes"):
        compile_program(Program.from_listing(ERRORS))


@pytest.mark.slow
def test_a_program_of_120_kb() -> None:
    """As large as Extended BASIC takes: sums in a loop, which are long when they are quick."""
    sums = "::".join(["S=S+T::T=T+U::U=U+V::V=V+S"] * 4)
    cut = "::".join(f"{name}={name}-INT({name})" for name in "STUV")
    branches = (f"IF S<T THEN {n + 2} ELSE U=U+S" for n in range(1000, 1310, 2))
    lines = [
        f"{n} {sums}::{cut}::{then}" for n, then in zip(range(1000, 1310, 2), branches, strict=True)
    ]
    listing = "\n".join(["100 V=.3::FOR I=1 TO 2", *lines, "1310 NEXT I::PRINT S;T;U;V", ""])
    program = compile_program(Program.from_listing(listing))
    linked = program.linked
    in_high_memory = len(linked.image) - linked.runtime_bytes
    assert in_high_memory + sum(len(bank.data) for bank in linked.banks) > 120_000
    console = CartridgeConsole(program.cartridge)
    console.choose()
    console.resume(100)
    console.wait(30)
    assert Left.of(console) == in_basic(listing)


def test_a_long_stretch_without_jumps_is_divided() -> None:
    """Its code and its patterns are longer than a bank."""
    numbers = range(100, 400)
    patterns = (f'{n} CALL CHAR({n % 100 + 40},"{n * 7919 * 65537 % 2**64:016X}")' for n in numbers)
    check("\n".join([*patterns, '900 PRINT "DONE"', ""]), (True,), rooms=Rooms(0, 6000))
