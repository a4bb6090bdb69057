"""How much faster compiled programs are than Extended BASIC, by our machine's clock.

Run with `pytest -m bench -s tests/bench/test_bench_compiled.py`: it prints the table. The time is
that between two texts on the screen, less that of an empty program between them.
"""

from __future__ import annotations

import time

import pytest

from ti99tools.compiler.compiling import Wanted, compile_program, compile_programs, nowhere
from ti99tools.compiler.pace import Pace
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.session import Console
from ti99tools.hardware.cpu.bus import CARTRIDGE, HIGH
from ti99tools.language.program.program import Program

pytestmark = pytest.mark.bench

LOOK = 2_000
"""Cycles between looks at the screen of a compiled program."""
SIEVE = """\
100 DIM F(1001)
110 PRINT "BEGIN!"
115 FOR K=1 TO 2
120 C=0
130 FOR I=0 TO 1000
140 F(I)=1
150 NEXT I
160 FOR I=0 TO 1000
170 IF F(I)=0 THEN 240
180 P=I+I+3
190 J=I+P
200 IF J>1000 THEN 230
210 F(J)=0
220 J=J+P::GOTO 200
230 C=C+1
240 NEXT I
245 NEXT K
250 PRINT "END!";C
"""
LOOP = """\
100 PRINT "BEGIN!"
110 S=0
120 FOR I=1 TO 3000
130 S=S+1
140 IF S>5000 THEN S=0
150 NEXT I
160 PRINT "END!";S
"""
SORT = """\
100 DIM A(200)
110 PRINT "BEGIN!"
120 X=7::FOR I=1 TO 200::X=X*21+11::X=X-1000*INT(X/1000)::A(I)=X::NEXT I
150 FOR I=2 TO 200::V=A(I)::J=I-1
160 IF J=0 THEN 190
170 IF A(J)<=V THEN 190
180 A(J+1)=A(J)::J=J-1::GOTO 160
190 A(J+1)=V::NEXT I
200 PRINT "END!";A(1);A(100);A(200)
"""
GROUPS = """\
DIM B(729),G(729),Q(400)
FOR R=1 TO 25
  FOR C=1 TO 25
    B(27*R+C)=INT(RND*3)
  NEXT C
NEXT R
PRINT "BEGIN!"
CALL GROUPS(B(),G(),Q(),N,L)
PRINT "END!";N;L
SUB GROUPS(B(),G(),Q(),N,L)
  {ranges}
  N,L=0
  FOR P=28 TO 700
    IF B(P)>0 AND G(P)=0 THEN
      N=N+1
      T=B(P)
      E=1
      Q(1)=P
      G(P)=N
      K=0
      WHILE E>0
        Z=Q(E)
        E=E-1
        K=K+1
        RESTORE steps
        FOR I=1 TO 6
          READ D
          Y=Z+D
          IF B(Y)=T THEN IF G(Y)=0 THEN G(Y)=N :: E=E+1 :: Q(E)=Y
        NEXT I
      END WHILE
      L=MAX(L,K)
    END IF
  NEXT P
  steps:
  DATA -27,-26,-1,1,26,27
SUBEND
"""
"""Lambo's search for groups on its board of 25 rows as a plain SUB: how many, the largest."""
RANGES = "RANGE N=0 TO 729, L=0 TO 729, G()=0 TO 729, Q()=0 TO 729, E=0 TO 400, K=0 TO 729"


def looped(body: str, rounds: int = 300, after: str = "", before: str = "REM") -> str:
    """A statement in a loop."""
    return (
        f'90 {before}\n100 PRINT "BEGIN!"\n110 FOR I=1 TO {rounds}\n120 {body}\n150 NEXT I\n'
        f'160 PRINT "END!"\n170 END\n{after}'
    )


TEXTS = 'DIM N$(300)::C$="ORLD"::B$="W"&C$&" WID"::C$=B$&"E"::B$=C$&""'
"""Texts of ten characters, in memory of their own."""
EMPTY = looped("REM", 1)
BENCHES: dict[str, tuple[str, float, float]] = {
    "sieve": (SIEVE, 250, 60),
    "loop": (LOOP, 250, 60),
    "sort": (SORT, 250, 60),
    "gosub": (looped("GOSUB 300", after="300 RETURN\n"), 40, 0),
    "call of a sub": (looped("CALL S(A)", after="300 SUB S(X)::SUBEND\n"), 40, 0),
    "arrays": (looped("B(I)=B(I)+1", before="DIM B(300)"), 40, 40),
    "number in a field": (looped("DISPLAY AT(12,10)SIZE(6):STR$(I)", 100), 60, 0),
    "INT(RND*6)+1": (looped("D=INT(RND*6)+1"), 20, 20),
    "HCHAR": (looped("CALL HCHAR(5,6,65)"), 15, 15),
    "GCHAR": (looped("CALL GCHAR(5,6,G)"), 15, 15),
    "KEY": (looped("CALL KEY(0,K,S)"), 15, 15),
    "CHAR": (looped('CALL CHAR(128,"FF818181818181FF")', 100), 15, 15),
    "S=S+I*1.5": (looped("S=S+I*1.5"), 5.5, 5.5),
    **{
        f"{name}(I+.7)": (looped(f"A={name}(I+.7)", 30), least, least)
        for name, least in (
            ("SQR", 2.2),
            ("EXP", 3.2),
            ("LOG", 3),
            ("SIN", 3),
            ("COS", 3),
            ("TAN", 3),
            ("ATN", 2.2),
        )
    },
    "X^3": (looped("A=X^3", 60, before="X=1.7"), 4, 4),
    "X^.7": (looped("A=X^.7", 20, before="X=1.7"), 3, 3),
    "product of long numbers": (looped("A=X*Y", before="X,Y=3.1415926535"), 1.5, 1.5),
    "quotient of long numbers": (looped("A=X/Y", before="X=2.718281828::Y=3.1415926535"), 1.5, 1.5),
    "X/3": (looped("A=X/3", before="X=3.1415926535"), 1.5, 1.5),
    "SEG$": (looped("A$=SEG$(B$,2,3)", before=TEXTS), 10, 10),
    "a character": (looped('IF SEG$(B$,5,1)="X" THEN A=1', before=TEXTS), 10, 10),
    "POS": (looped('A=POS(B$,"W",1)', before=TEXTS), 10, 10),
    "&": (looped('A$=B$&"X"', before=TEXTS), 10, 10),
    "texts compared": (looped("IF B$=C$ THEN A=1", before=TEXTS), 10, 10),
    "order of texts": (looped("IF B$<C$ THEN A=1", before=TEXTS), 10, 9),
    "A$=B$": (looped("A$=B$", before=TEXTS), 10, 10),
    "array of texts": (looped("N$(I)=B$", before=TEXTS), 10, 10),
    "element of texts": (looped("A=LEN(N$(I))", before=TEXTS), 10, 10),
    "STR$": (looped("A$=STR$(I)", before=TEXTS), 10, 10),
    "STR$ of a fraction": (looped("A$=STR$(C)", before="C=1/3"), 8, 8),
    "text in a field": (looped("DISPLAY AT(12,10)SIZE(9):B$", 100, before=TEXTS), 30, 30),
    "PRINT in a new row": (looped('PRINT "X"', 60), 4, 4),
    "PRINT in a row": (looped("PRINT C$;", 20, before='C$="X"'), 30, 30),
}
"""Name → program, the ratios aimed at with words and with cells (0: none)."""


def in_basic(listing: str) -> int:
    """Cycles of Extended BASIC between the texts."""
    return program_in_basic(Program.from_listing(listing))


def program_in_basic(program: Program) -> int:
    """The same of a program."""
    console = Console(max_seconds=1000)
    console.load(program)
    console.start()
    assert console.run_until("BEGIN!")
    begin = console.clock.cycles
    assert console.run_until("END!")
    return console.clock.cycles - begin


def compiled(listing: str, words: bool) -> int:
    """Cycles of the compiled program between the texts."""
    return program_compiled(Program.from_listing(listing), words)


def program_compiled(program: Program, words: bool = True, short: int = 0) -> int:
    """The same of a program."""
    own = compile_program(program, "T", words, pace=Pace.NONE, short=short)
    console = CartridgeConsole(own.cartridge)
    console.choose()
    times = []
    for text in ("BEGIN!", "END!"):
        while not console.screen.shows(text):
            assert not console.over, text
            console.advance_to(console.clock.cycles + LOOK)
        times.append(console.clock.cycles)
    return times[1] - times[0]


@pytest.mark.parametrize("name", BENCHES)
def test_ratio(name: str) -> None:
    listing, with_words, with_cells = BENCHES[name]
    basic = in_basic(listing) - in_basic(EMPTY)
    ratios = [
        basic / (compiled(listing, words) - compiled(EMPTY, words)) for words in (True, False)
    ]
    print(f"\n{name:<20} {basic / 3e6:8.2f} s  words {ratios[0]:6.1f}  cells {ratios[1]:6.1f}")
    assert ratios[0] >= with_words
    assert ratios[1] >= with_cells


def test_groups_of_lambo() -> None:
    plain, with_ranges = (
        Program.from_source(GROUPS.format(ranges=one)) for one in ("! none", RANGES)
    )
    basic = program_in_basic(plain)
    for name, program in (("groups", plain), ("groups with RANGE", with_ranges)):
        cycles = program_compiled(program)
        print(f"\n{name:<20} {basic / 3e6:8.2f} s : {cycles / 3e6:.2f} s, {basic / cycles:.1f} x")
        assert basic >= 20 * cycles


def large(lines: int) -> Program:
    """A program of so many lines of three statements."""
    rows = ['100 PRINT "BEGIN!"', "105 CALL KEY(0,K,S)::IF S=0 THEN 105"]
    rows += [
        f"{n} A(3)=B*1.7+C/3::B=A(3)-{n}.5::IF C>{n} THEN C=C*2"
        for n in range(110, 110 + 10 * lines, 10)
    ]
    return Program.from_listing("\n".join(rows))


def test_start_of_24_kb() -> None:
    program = compile_program(large(300), "T")
    console = CartridgeConsole(program.cartridge)
    console.choose()
    assert console.run_until("BEGIN!", seconds=5)
    print(f"\nstart of {len(program.linked.image)} bytes {console.clock.seconds:.3f} s")
    assert len(program.linked.image) > 23_000
    assert console.clock.seconds <= 1.3


def until(console: CartridgeConsole, memory: tuple[int, int]) -> float:
    """Wait until instructions come from a memory; seconds of machine time, from the menu's key."""
    while not memory[0] <= console.engine.cpu.pc < memory[1]:
        console.advance_to(console.clock.cycles + LOOK // 10)
        assert console.clock.seconds < 10
    return console.clock.seconds


def test_start_of_three_programs() -> None:
    rows = large(300).listing()
    listings = {name: f'{rows}5000 RUN "DSK1.{after}"\n' for name, after in ("AB", "BC", "CA")}
    wanted = [
        Wanted(name, name, name, Program.from_listing(listing), nowhere)
        for name, listing in listings.items()
    ]
    result = compile_programs(wanted)
    assert min(len(program.linked.image) for program in result.programs) > 23_000
    for number, name in enumerate(listings):
        console = CartridgeConsole(result.cartridge)
        console.choose(2 + number)
        started = until(console, HIGH)
        console.wait(30)
        console.machine.keyboard.key_down("A")
        run = -until(console, CARTRIDGE) + until(console, HIGH)
        print(f"\nstart of {name} {started:.3f} s, RUN of the next program {run:.3f} s")
        assert started <= 1.3


def test_compiling_600_statements() -> None:
    program = large(200)
    began = time.process_time()
    compile_program(program, "T")
    taken = time.process_time() - began
    print(f"\ncompiled in {taken:.2f} s")
    assert taken <= 2
