"""Subprograms of later Extended BASICs: what their manuals say; TI's cartridge lacks them."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools import Console, DiskImage, Program
from ti99tools.app.project import basic_in
from ti99tools.base.errors import TIError
from ti99tools.computer.interp.subprograms.later import LATER
from ti99tools.fronts.cli.main import cli
from ti99tools.language.listing.builtins import SUBPROGRAMS
from ti99tools.language.listing.laterprofiles import PROFILES


def ran(*lines: str, basic: str = "rxb") -> Console:
    """A console after a program of these lines."""
    console = Console({"DSK1": DiskImage.new()}, basic=basic, max_seconds=60)
    console.load(Program.from_listing("".join(f"{n} {x}\n" for n, x in enumerate(lines, 100))))
    console.run()
    return console


def values(*lines: str, basic: str = "rxb") -> dict[str, object]:
    """The variables after a program that ended without an error."""
    console = ran(*lines, basic=basic)
    assert console.error is None, console.error
    return dict(console.variables.everything())


def error(*lines: str) -> str:
    return str(ran(*lines).error)


def test_what_a_profile_names_is_there_and_nothing_of_the_cartridge_is_hidden() -> None:
    for profile in PROFILES.values():
        assert set(profile.subprograms) <= set(LATER)
        assert not set(profile.subprograms) & set(SUBPROGRAMS)
    assert set(LATER) == set(PROFILES["rxb"].subprograms)


@pytest.mark.parametrize("name", sorted(LATER))
def test_without_a_profile_they_are_not_found(name: str) -> None:
    console = ran(f"CALL {name}", basic="")
    assert str(console.error) == "SUBPROGRAM NOT FOUND IN 100"


def test_an_own_sub_hides_one_of_the_profile() -> None:
    lines = ("CALL HEX(A)", "STOP", "SUB HEX(A)", "A=7", "SUBEND")
    assert values(*lines)["A"] == 7


def test_a_profile_has_no_subprograms_of_another() -> None:
    assert "SUBPROGRAM NOT FOUND" in str(ran("CALL HPUT(1,1,1)", basic="xb29").error)
    assert values("CALL POKEV(4096,7)", "CALL PEEKV(4096,A)", basic="xb29")["A"] == 7


def test_hput_goes_on_in_the_next_row_and_never_scrolls() -> None:
    screen = ran("CALL CLEAR", 'CALL HPUT(10,31,"ABCD",24,32,"XY",5,3,456)', "GOTO 102").screen
    assert (screen.rows[9][30:], screen.rows[10][:2]) == ("AB", "CD")
    assert (screen.rows[23][31], screen.rows[0][0]) == ("X", "Y")
    assert screen.rows[4][2:5] == "456"


def test_hput_takes_rows_and_columns_of_the_screen() -> None:
    assert error("CALL HPUT(25,1,1)") == error("CALL HPUT(1,33,1)") == "BAD VALUE IN 100"
    assert error("CALL HPUT(1,1)") == "SYNTAX ERROR IN 100"


def test_hget_reads_what_hput_wrote() -> None:
    lines = ("CALL CLEAR", 'CALL HPUT(24,31,"ABCD")', "CALL HGET(24,31,4,A$,24,32,1,B$)")
    data = values(*lines)
    assert (data["A$"], data["B$"]) == ("ABCD", "B")
    assert error("CALL HGET(1,1,0,A$)") == error("CALL HGET(1,1,256,A$)") == "BAD VALUE IN 100"


@pytest.mark.parametrize(
    ("number", "digits"),
    [(0, "0000"), (255, "00FF"), (32767, "7FFF"), (-32768, "8000"), (-1, "FFFF")],
)
def test_hex_turns_numbers_both_ways(number: int, digits: str) -> None:
    data = values(f'CALL HEX({number},A$,"{digits}",N)')
    assert (data["A$"], data["N"]) == (digits, number)


def test_hex_of_odd_texts() -> None:
    data = values('CALL HEX("f",A,"",B,"00FFxyz",C,12.5,D$)')
    assert (data["A"], data["B"], data["C"], data["D$"]) == (15, 0, 255, "000D")
    assert error('CALL HEX("G",A)') == error("CALL HEX(32768,A$)") == "BAD VALUE IN 100"


def test_moves_copies_between_texts_and_memories() -> None:
    lines = (
        'A$="HELLO"',
        'CALL MOVES("$V",5,A$,4096,"VR",5,4096,-24576,"R$",5,-24576,B$,"$$",3,B$,C$)',
    )
    data = values(*lines)
    assert (data["B$"], data["C$"]) == ("HELLO", "HEL")


def test_moves_ripples_through_places_that_overlap() -> None:
    lines = ("CALL POKEV(4096,9,1,2,3)", 'CALL MOVES("VV",3,4096,4097)', "CALL PEEKV(4096,A,B,C,D)")
    data = values(*lines)
    assert [data[name] for name in "ABCD"] == [9, 9, 9, 9]


@pytest.mark.parametrize(
    "line",
    ['CALL MOVES("GV",8,0,0)', 'CALL MOVES("V",8,0,0)', 'CALL MOVES("V$",256,0,A$)'],
)
def test_moves_refuses_groms_and_long_texts(line: str) -> None:
    assert error(line) == "BAD VALUE IN 100"


def test_patterns_are_swapped_and_inverted() -> None:
    lines = (
        'CALL CHAR(128,"FF")',
        "CALL SWAPCHAR(128,65)",
        "CALL CHARPAT(65,A$)",
        "CALL INVERSE(65)",
        "CALL CHARPAT(65,B$)",
        "CALL INVERSE(ALL)",
        "CALL CHARPAT(65,C$)",
    )
    data = values(*lines)
    assert data["A$"] == data["C$"] == "FF00000000000000"
    assert data["B$"] == "00FFFFFFFFFFFFFF"
    assert error("CALL SWAPCHAR(29,65)") == error("CALL INVERSE(160)") == "BAD VALUE IN 100"


def test_colours_of_sets_and_sprites_are_swapped() -> None:
    lines = (
        "CALL COLOR(1,2,3,2,4,5)",
        "CALL SWAPCOLOR(1,2)",
        "CALL SPRITE(#1,65,7,9,9,#2,66,12,9,9)",
        "CALL SWAPCOLOR(#1,#2)",
        "GOTO 104",
    )
    console = ran(*lines)
    ram = console.machine.vdp.ram
    assert (ram[0x800 + 16], ram[0x800 + 17]) == (0x34, 0x12)
    assert (console.machine.sprites.attributes[3], console.machine.sprites.attributes[7]) == (11, 6)


@pytest.mark.parametrize(
    ("name", "row", "column"),
    [("SCROLLUP", 9, 10), ("SCROLLDOWN", 13, 10), ("SCROLLLEFT", 11, 8), ("SCROLLRIGHT", 11, 12)],
)
def test_the_screen_scrolls_each_way(name: str, row: int, column: int) -> None:
    console = ran("CALL CLEAR", "CALL HCHAR(12,11,65)", f"CALL {name}(2)", "GOTO 103")
    full = [
        (r, c)
        for r, cells in enumerate(console.screen.rows)
        for c, x in enumerate(cells)
        if x == "A"
    ]
    assert full == [(row, column)]
    assert error(f'CALL {name}(1,"X")') == "BAD ARGUMENT IN 100"
    assert set(
        "".join(ran("CALL CLEAR", 'PRINT "X"', f"CALL {name}(65535)", "GOTO 103").screen.rows)
    ) == {" "}


def test_sounds_and_files() -> None:
    console = ran('OPEN #1:"DSK1.X",OUTPUT', "CALL BEEP", "CALL HONK", "CALL CLSALL", "PRINT #1:1")
    assert str(console.error) == "FILE ERROR IN 104"
    assert console.sound.written


@pytest.mark.parametrize(("basic", "quits"), [("", True), ("rxb", False), ("xb29", True)])
def test_quit_is_off_in_rxb_until_quiton(basic: str, quits: bool) -> None:
    assert ran("PRINT 1", basic=basic).machine.memory.keeps_quit is not quits
    if basic:
        assert not ran("CALL QUITON", basic=basic).machine.memory.keeps_quit


def test_a_profile_that_is_none() -> None:
    with pytest.raises(TIError, match="profiles are rxb, xb29"):
        Console(basic="gwbasic")


def test_the_command_line_names_a_profile(tmp_path: Path) -> None:
    program = tmp_path / "x.bas"
    program.write_text('100 CALL HPUT(1,1,"HI")\n110 CALL KEY(0,K,S)\n120 IF S=0 THEN 110\n')

    def result(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, [words[0], str(program), *words[1:]])
        return result.exit_code, result.output

    assert result("run", "--basic", "rxb", "--until", "HI", "--screen")[0] == 0
    assert "HPUT is a subprogram of RXB" in result("run")[1]
    assert result("lint", "--basic", "rxb")[0] == 0
    code, output = result("lint")
    assert code == 1
    assert "or choose the profile rxb" in output
    assert "no such Extended BASIC" in result("run", "--basic", "foo")[1]
    code, output = result("compile", "-o", str(tmp_path / "x.bin"))
    assert code == 0, "as TI's Extended BASIC, which finds out when it comes there"
    assert "x.bas:1:5: line 100 always fails with SUBPROGRAM NOT FOUND" in output


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("SWAPCHAR(65)", "SWAPCHAR does not take these arguments"),
        ("SWAPCHAR(65,200)", "SWAPCHAR takes no character code 200; the console takes 30 to 159"),
        ("HGET(25,1,1,A$)", "HGET takes no row 25; the console takes 1 to 24"),
        ('HGET(1,1,5,"X")', "HGET gives its text to a variable: this fails"),
        ("PEEKV(0,A$)", "PEEKV gives its byte to a variable: this fails"),
        ("SCROLLUP(0)", "SCROLLUP takes no repetition 0; the console takes 1 to 65535"),
        ('SCROLLUP("X")', "STRING-NUMBER MISMATCH; give a number"),
        ('INVERSE("X")', "STRING-NUMBER MISMATCH; write 88, its code"),
        ("HPUTT(1,1,A)", "no subprogram HPUTT; did you mean HPUT?"),
    ],
)
def test_lint_knows_their_arguments(tmp_path: Path, call: str, message: str) -> None:
    program = tmp_path / "x.xb"
    program.write_text(f"CALL {call}\n")
    result = CliRunner().invoke(cli, ["lint", str(program), "--basic", "rxb"])
    assert message in result.output
    assert ran(f"CALL {call}").error is not None


@pytest.mark.parametrize(
    "call",
    [
        "INVERSE(65,66,ALL)",
        "INVERSE(ALL,65,66)",
        "SCROLLDOWN",
        "SCROLLLEFT(3)",
        "SWAPCOLOR(#1,#2,#3,#4)",
        "SWAPCOLOR(0,16,1,2)",
        "PEEKV(0,A,B,C)",
        "POKEV(0,1,2,300)",
        "HGET(1,1,2,A$,3,3,255,B$)",
    ],
)
def test_lint_and_the_console_take_the_same_long_forms(tmp_path: Path, call: str) -> None:
    program = tmp_path / "x.bas"
    program.write_text(f"100 CALL {call}\n")
    result = CliRunner().invoke(cli, ["lint", str(program), "--basic", "rxb", "--quiet"])
    assert (result.exit_code, result.output) == (0, "")
    assert ran(f"CALL {call}").error is None


def test_a_proc_with_a_similar_name_does_not_hide_them(tmp_path: Path) -> None:
    program = tmp_path / "x.xb"
    program.write_text("CALL SHOWHEX(A$)\nPROC SHOWHEX(A$ OUT)\nCALL HEX(255,A$)\nEND PROC\n")
    result = CliRunner().invoke(cli, ["lint", str(program), "--basic", "rxb", "--quiet"])
    assert (result.exit_code, result.output) == (0, "")
    result = CliRunner().invoke(cli, ["lint", str(program)])
    assert "there is no subprogram HEX; it is one of RXB" in result.output


def test_a_game_names_its_profile(tmp_path: Path) -> None:
    folder = tmp_path / "show"
    folder.mkdir()
    (folder / "show.xb").write_text('CALL HPUT(1,1,"HI")\nPRINT "THERE"\n')
    manifest = (
        'title = "SHOW"\nversion = "1"\nsource = "show.xb"\nprogram = "SHOW"\ndisk = "SHOW"\n'
    )
    (folder / "game.toml").write_text(manifest + 'basic = "rxb"\n')

    def result(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, [*words, str(folder)])
        return result.exit_code, result.output

    assert result("lint")[0] == 0
    code, output = result("run", "--screen")
    assert (code, "THERE" in output) == (0, True), output
    assert "nothing proves it" in result("verify")[1]
    (folder / "game.toml").write_text(manifest + 'basic = "foo"\n')
    assert "profiles are rxb, xb29" in result("run")[1]


PROGRAM = '100 CALL HPUT(1,1,"HI")\n110 CALL HEX(255,A$)\n120 PRINT A$\n'


def test_debug_and_profile_know_the_profile(tmp_path: Path) -> None:
    (tmp_path / "x.bas").write_text(PROGRAM)

    def result(*words: str, given: str | None = None) -> tuple[int, str]:
        result = CliRunner().invoke(
            cli, [words[0], str(tmp_path / "x.bas"), *words[1:]], input=given
        )
        return result.exit_code, result.output

    looks = "break 120\ncontinue\nprint A$\nquit\n"
    for words in (("debug",), ("run", "--debug")):
        assert '"00FF"' in result(*words, "--basic", "rxb", given=looks)[1], words
        assert "SUBPROGRAM NOT FOUND" in result(*words, given=looks)[1], words
    assert result("profile", "--basic", "rxb")[0] == 0
    assert result("profile")[0] == 1
    (tmp_path / "x.bin").write_bytes(b"\xaa" + bytes(8191))
    for words in (("run",), ("debug",), ("profile",), ("play",)):
        made = CliRunner().invoke(cli, [*words, str(tmp_path / "x.bin"), "--basic", "rxb"])
        assert "a cartridge runs without BASIC" in made.output, words
    for word in ("debug", "profile", "lsp"):
        made = CliRunner().invoke(cli, [word, "--basic", "foo"])
        assert made.exit_code == 2, word


def test_a_projects_file_names_the_profile_for_all_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TI99TOOLS_CONFIG", raising=False)
    Path("x.bas").write_text(PROGRAM)
    assert CliRunner().invoke(cli, ["lint", "x.bas"]).exit_code == 1
    Path("ti99tools.toml").write_text('basic = "rxb"\n')
    for command in ("lint", "run", "profile"):
        assert CliRunner().invoke(cli, [command, "x.bas"]).exit_code == 0, command
    assert basic_in(tmp_path) == "rxb"
    Path("x.bin").write_bytes(b"\xaa" + bytes(8191))
    assert "runs without BASIC" not in CliRunner().invoke(cli, ["run", "x.bin"]).output
    Path("ti99tools.toml").write_text('basic = "foo"\n')
    with pytest.raises(TIError, match=r"ti99tools.toml: foo: no such Extended BASIC"):
        basic_in(tmp_path)
