"""Several programs on one cartridge, and RUN: as Extended BASIC does it with files of a disk."""

from collections.abc import Mapping, Sequence

import pytest

from tests.compiler.bothforms import Left, full_rows, in_basic, played
from ti99tools.base.errors import SourceError, TIError
from ti99tools.compiler import cartridge as cartridges
from ti99tools.compiler.cartridge import BANK, TooManyParts, is_stored
from ti99tools.compiler.compiling import (
    ALL_SHORT,
    Collected,
    Wanted,
    compile_program,
    compile_programs,
    nowhere,
)
from ti99tools.compiler.linking import TooLarge
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.computer.console.collected import stored_programs
from ti99tools.computer.machinecode.cartridges import Cartridge
from ti99tools.games.conformance.playback import program_file
from ti99tools.language.program.program import Program
from ti99tools.media.disk.image import DiskImage

SHORT = (0, ALL_SHORT)
"""As machine code, and as byte code."""


def compiled(
    listings: Mapping[str, str], first: bool = False, words: bool = True, short: int = 0
) -> Collected:
    """Programs by name, on one cartridge."""
    wanted = [
        Wanted(name, name, f"THE {name}", Program.from_listing(listing), nowhere)
        for name, listing in listings.items()
    ]
    return compile_programs(wanted, first, words, short=short)


def disk_of(listings: Mapping[str, str]) -> dict[str, DiskImage]:
    """The same programs on a disk."""
    image = DiskImage.new("SSSD", "TEST")
    for name, listing in listings.items():
        image.add(program_file(name, listing))
    return {"DSK1": image}


def check(listings: Mapping[str, str], forms: Sequence[int] = SHORT) -> None:
    """Start the first program in all forms, and compare what is left."""
    expected = in_basic(next(iter(listings.values())), (), disk_of(listings))
    for short in forms:
        image = compiled(listings, True, not short, short).cartridge
        left = Left.of(played(image, (), disk_of({})))
        assert left.rows == expected.rows, short
        assert left == expected, short


KEPT = """\
100 CALL CLEAR::DISPLAY AT(3,3):"STAYS"::CALL SCREEN(5)::CALL COLOR(2,7,12)
110 CALL CHAR(130,"FF818181818181FF",65,"AA55AA55")::CALL MAGNIFY(2)
120 CALL SPRITE(#3,130,9,40,60)::ON WARNING NEXT::CALL KEY(3,K,S)
130 A=7::A$="TEXT"::PRINT A;A$;RND;"UNFINISHED";
140 OPEN #1:"DSK1.F",OUTPUT::PRINT #1:"LINE"
"""


def test_what_a_program_finds_that_another_one_has_run() -> None:
    """Variables, files and RND begin anew; the picture stays."""
    then = """\
100 PRINT A;A$;RND;B::PRINT 1E99*1E99
110 OPEN #1:"DSK1.F",INPUT::LINPUT #1:L$::PRINT L$::CLOSE #1
120 READ B,B$::PRINT B;B$::GOTO 120
130 DATA 5,"FIVE",6
"""
    check({"A": f'{KEPT}150 RUN "DSK1.B"\n', "B": then}, SHORT[:1])


@pytest.mark.parametrize("form", ["RUN 200", pytest.param("RUN", marks=pytest.mark.slow)])
def test_what_a_program_keeps_that_begins_again(form: str) -> None:
    """It has RUN itself when a character is drawn; BREAK and TRACE stay."""
    again = """\
90 CALL CHARPAT(130,P$)::IF P$<>RPT$("0",16)THEN 200
"""
    rest = """\
150 DIM Q(3)::Q(2)=4::READ B,B$::GOSUB 160
160 RUN
200 PRINT A;A$;RND;B$;Q(2)::READ B,B$::PRINT B;B$::PRINT 1E99*1E99
210 OPEN #1:"DSK1.F",INPUT::LINPUT #1:L$::PRINT L$::RETURN
220 DATA 5,"FIVE"
"""
    check({"A": again + KEPT + rest.replace("160 RUN", f"160 {form}")}, SHORT[1:])


def test_a_sub_runs_a_line_of_the_program() -> None:
    check({"A": """\
100 IF DONE THEN 130
110 X=3::CALL S(X)
120 END
130 PRINT "NEVER"
200 PRINT "AT 200";X;Y::END
300 SUB S(Y)::Y=Y+1::PRINT Y::RUN 200
310 SUBEND
"""}, SHORT[:1])  # fmt: skip


FAILS = """\
100 A=7::FOR I=1 TO 2::ON ERROR 140
110 CALL S
120 NEXT I
130 END
140 PRINT "CAUGHT"::{handled}
150 PRINT "ON"::END
160 PRINT "SUBROUTINE"::RETURN
200 SUB S::RUN "DSK1.NONE"
210 PRINT "BACK"
220 SUBEND
"""


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "handled",
    [
        "PRINT RND::GOSUB 160::CALL CLEAR",
        *(
            pytest.param(each, marks=SLOW)
            for each in ("CALL CLEAR", "RETURN NEXT", "RETURN", "A=1")
        ),
    ],
)
def test_a_run_that_fails_loses_all_names(handled: str) -> None:
    """As recorded of the main program: also in a SUB."""
    check({"A": FAILS.format(handled=handled)}, SHORT[:1])


def test_a_run_that_fails_in_a_sub_shows_no_callers() -> None:
    check({"A": '100 A=1::CALL S\n110 SUB S::RUN "DSK1.NONE"\n120 SUBEND\n'})


def test_a_run_after_a_jump_in_its_line_keeps_the_picture() -> None:
    first = '100 PRINT "A"::FOR I=2 TO 1::GOTO 7::NEXT I::RUN "DSK1.B"\n'
    check({"A": first, "B": '100 PRINT "B"\n'}, SHORT[:1])


def test_a_missing_program_is_told() -> None:
    listings = {"A": '100 RUN "DSK1.B"\n110 RUN "DSK2.NONE"\n', "B": '100 PRINT "B"\n'}
    result = compiled(listings)
    assert [*result.programs[0].failing] == []
    alone = compile_program(Program.from_listing(listings["A"]))
    assert [(spot[0], code, remedy) for spot, code, remedy in alone.failing] == [
        (100, 130, "give `compile` the program B, too")
    ]


def test_a_program_runs_itself_by_name() -> None:
    listing = '100 N=N+1::CALL GCHAR(23,3,C)::PRINT "X";N::IF C<>88 THEN RUN "DSK1.A"\n'
    check({"A": listing}, SHORT[1:])


def test_the_menu_and_the_way_through_all_programs() -> None:
    names = ["ONE", "TWO", "THREE"]
    listings = {
        name: f'100 PRINT "{name}"\n110 CALL KEY(0,K,S)::IF S<1 THEN 110\n'
        f'120 IF K=65 THEN RUN "DSK1.{after}" ELSE END\n'
        for name, after in zip(names, [*names[1:], names[0]], strict=True)
    }
    image = compiled(listings).cartridge
    menu = [f"THE {name}" for name in names]
    for number, name in enumerate(names):
        console = CartridgeConsole(image)
        assert [entry.name for entry in console.menu] == menu
        console.choose(2 + number)
        assert console.run_until(name, seconds=5)
        assert console.clock.seconds < 1.3
        for _ in names:
            console.press("A")
            console.wait(30)
        console.press("B")
        console.resume(5)
        shown = [*names[number:], *names[:number], name]
        assert full_rows(console)[:-1] == [*shown, "* READY *"]
    first = CartridgeConsole(compiled(listings, first=True).cartridge)
    assert [entry.name for entry in first.menu] == menu[:1]


def test_every_bank_shows_all_entries() -> None:
    """FCTN-= leaves any bank selected."""
    rows = "\n".join(f"{n} A={n}::B=A*3+{n}::C=B-A::PRINT A;B;C" for n in range(100, 170))
    image = compiled({"A": rows, "B": '100 PRINT "B"\n', "C": rows}).cartridge
    assert len(image) >= 2 * BANK
    for bank in range(len(image) // BANK):
        console = CartridgeConsole(image)
        console.engine.slot.select(0x6000 + 2 * bank)
        assert len(Cartridge(image[bank * BANK :]).programs) == 3
        console.choose(3)
        assert console.run_until("B", seconds=5)


def test_programs_in_banks_share_what_is_left_over(monkeypatch: pytest.MonkeyPatch) -> None:
    from ti99tools.compiler import linking

    monkeypatch.setattr(linking, "HIGH_END", linking.ORIGIN + 3_900)
    rows = "\n".join(f"{n} A={n}::B=A*3+{n}/7::PRINT A;B" for n in range(100, 130))
    listings = {"A": f'{rows}\n190 RUN "DSK1.B"\n', "B": rows.replace("A;B", 'A;B;"B"')}
    result = compiled(listings)
    image = result.cartridge
    code = [len(program.linked.banks) for program in result.programs]
    assert min(code) >= 2
    assert len(image) // BANK < 2 * (sum(code) + 1), "images are where code leaves room"
    console = CartridgeConsole(image)
    console.choose()
    console.resume(20)
    assert full_rows(console)[-3] == "129  405.4285714 B"
    banks = console.cartridge.banks
    stored = stored_programs(banks)
    assert stored is not None
    assert stored.names == ("A", "B")
    for program, there in zip(result.programs, stored.programs, strict=True):
        assert is_stored(program.part, there, banks)
        assert there.bank == program.berth.bank
    assert not is_stored(result.programs[0].part, stored.programs[1], banks)


def test_what_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    listings = dict.fromkeys("ABCDEFGHI", '100 PRINT "A"\n')
    with pytest.raises(TIError, match="menu shows 8 programs, these are 9"):
        compiled(listings)
    monkeypatch.setattr(cartridges, "MOST", 1)
    with pytest.raises(TooManyParts, match=r"8,192 bytes are missing; the programs have A 1,"):
        assert compiled(listings, first=True).cartridge


def test_one_that_does_not_fit_is_named() -> None:
    large = "100 DIM A(2800)\n110 FOR I=0 TO 99::A(I)=I/3::NEXT I\n"
    with pytest.raises(TooLarge, match=r"LARGE: .* bytes are missing") as caught:
        compiled({"A": '100 PRINT "A"\n', "LARGE": large})
    assert 0 < caught.value.missing < 1000


def test_all_that_is_refused_is_told_at_once() -> None:
    bad = '100 CALL LINK("X")\n'
    with pytest.raises(SourceError) as caught:
        compiled({"A": bad, "B": '100 PRINT "B"\n', "C": bad})
    assert len(caught.value.others) == 1
