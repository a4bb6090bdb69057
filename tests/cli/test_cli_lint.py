"""`lint` of many sources, in its formats, and what `lint --fix` corrects."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from ti99tools.app import lint as fixing
from ti99tools.fronts.cli import lint as shown
from ti99tools.fronts.cli.main import cli
from ti99tools.language.findings import Finding

GOOD, BAD = 'PRINT "HELLO"\n', 'A=1\nPIRNT "X";A\n'


def lint(*words: object, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["lint", *map(str, words)], input=text)


def test_several_files_are_judged_in_turn(tmp_path: Path) -> None:
    good, bad = _write(tmp_path, "good.xb", GOOD), _write(tmp_path, "bad.xb", BAD)
    result = lint(good, bad)
    assert result.exit_code == 1
    assert f"{bad}:2:1: error: this fails with SYNTAX ERROR; did you mean PRINT?" in result.stdout
    assert f"{good}: memory: program" in result.stdout
    assert result.stdout.endswith("2 sources, 1 with errors\n")
    assert lint(good).stdout.startswith("memory: program")


def test_a_folder_stands_for_its_sources_and_those_below(tmp_path: Path) -> None:
    _write(tmp_path, "main.xb", '#include "part.xb"\nGOTO again\n')
    _write(tmp_path, "part.xb", "again: A=A+1\n")
    _write(tmp_path, "sub/old.bas", "100 PRINT 1\n")
    _write(tmp_path, "notes.txt", "To whom it may concern\n")
    data = json.loads(lint(tmp_path, "--format", "json").stdout)
    assert [Path(each["source"]).name for each in data] == ["main.xb", "old.bas"]
    (tmp_path / "empty").mkdir()
    result = lint(tmp_path / "empty")
    assert (result.exit_code, "no source in this folder" in result.stderr) == (2, True)


def test_a_folder_of_games_stands_for_the_games() -> None:
    games = Path(__file__).parents[2] / "xbasic"
    data = json.loads(lint(games / "d5000", games / "lambo", "--json").stdout)
    assert [Path(each["source"]).name for each in data] == ["d5000", "lambo"]


def test_standard_input_is_a_source_once(tmp_path: Path) -> None:
    result = lint("-", "--quiet", text=BAD)
    assert (result.exit_code, result.stdout.count("did you mean PRINT?")) == (1, 1)
    assert "standard input can be read once" in lint("-", "-", text=GOOD).stderr or (
        lint("-", "-", text=GOOD).exit_code == 2
    )


def test_json_of_one_source_is_no_list(tmp_path: Path) -> None:
    data = json.loads(lint(_write(tmp_path, "bad.xb", BAD), "--json").stdout)
    assert data["findings"][0]["code"] == "syntax"
    assert data["findings"][0]["row"] == 2


def test_github_shows_each_finding_at_its_line(tmp_path: Path) -> None:
    bad = _write(tmp_path, "b,ad.xb", BAD)
    result = lint(bad, "--format", "github")
    where = str(bad).replace(":", "%3A").replace(",", "%2C")
    assert result.stdout.startswith(
        f"::error file={where},line=2,col=1,title=syntax::this fails with SYNTAX ERROR; did you"
    )
    assert result.stdout.count("\n") == result.stdout.count("::error") + result.stdout.count(
        "::warning"
    )


def test_a_caret_stands_under_the_place(tmp_path: Path) -> None:
    lines = lint(_write(tmp_path, "bad.xb", BAD), "--caret").stdout.splitlines()
    assert lines[1:3] == ['    PIRNT "X";A', "    ^"]
    long = _write(tmp_path, "long.xb", f'PRINT "{"X" * 90}"::PRINT "{"Y" * 90}"::PIRNT A\n')
    row, caret = lint(long, "--caret").stdout.splitlines()[1:3]
    assert row[caret.index("^")] == "A"


def test_colors_follow_the_terminal_and_no_color(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = _write(tmp_path, "bad.xb", BAD)
    assert "\x1b[" not in lint(bad).stdout
    monkeypatch.setattr(shown, "colored", lambda: True)
    result = CliRunner().invoke(cli, ["lint", str(bad)], color=True)
    assert click.style("error", fg="red", bold=True) in result.stdout
    monkeypatch.undo()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not shown.colored()


FIXES = [
    ("100 A=1::PRINTA\n110 GOTO100", "100 A=1::PRINT A\n110 GOTO 100"),
    ('1OO PRINT "A"\n11O GOTO 100', '100 PRINT "A"\n110 GOTO 100'),
    ("100 PRINT “A − B”;5 − 3 × 2", '100 PRINT "A - B";5 - 3 * 2'),
    ("100 IF A≤3 THEN 100\n110 PRINT 2↑3", "100 IF A<=3 THEN 100\n110 PRINT 2^3"),
    ('PIRNT "A"', 'PRINT "A"'),
    ("A=1\nA+=2", "A=1\nA=A+2"),
    ("A=1\nA*=B+1", "A=1\nA=A*(B+1)"),
    ("A=1\nA++ ! A++", "A=1\nA=A+1 ! A++"),
    ("DIM A(3)\nA(2)--", "DIM A(3)\nA(2)=A(2)-1"),
    ("A=1\nIF A THEN A++ ELSE A-=1", "A=1\nIF A THEN A=A+1 ELSE A=A-1"),
    ("FORI=1TO3\nPRINT I\nNEXTI", "FOR I=1TO 3\nPRINT I\nNEXT I"),
    ("IFA=1 THEN\nPRINT A\nEND IF", "IF A=1 THEN\nPRINT A\nEND IF"),
    (
        "CALL P(T)\nPRINT T\nPROC P(V)\nFORI=1TO3\nV=I\nNEXT I\nEND PROC",
        "CALL P(T)\nPRINT T\nPROC P(V OUT)\nFOR I=1TO 3\nV=I\nNEXT I\nEND PROC",
    ),
    ("WHILEA<3\nA=A+1\nWEND", "WHILE A<3\nA=A+1\nWEND"),
    ('IF A==1 THEN PRINT "A==1"', 'IF A=1 THEN PRINT "A==1"'),
    ("IF A!=1 THEN B=2 !=", "IF A<>1 THEN B=2 !="),
    ("IF A=1&&B=2 THEN C=1", "IF A=1 AND B=2 THEN C=1"),
    ("A=&HFF", "A=255"),
    ('PRINT "1+1"+"="+A$', 'PRINT "1+1"&"="&A$'),
    ('PIRNT "A"+"B"', 'PRINT "A"&"B"'),
    ("CLS", "CALL CLEAR"),
    ('IF A=1 PRINT "X"', 'IF A=1 THEN PRINT "X"'),
    ("100 IF A=1 GOTO 100", "100 IF A=1 THEN 100"),
    ("CALL KEY(0,K) ! KEY(0,K)\nSTATUS=K", "CALL KEY(0,K,STATUS2) ! KEY(0,K)\nSTATUS=K"),
    ("COLOR 2,1,1", "CALL COLOR(2,1,1)"),
    ("FOO(3) ! HI\nSUB FOO(A)\nSUBEND", "CALL FOO(3) ! HI\nSUB FOO(A)\nSUBEND"),
    ("FOR J=1 TO 3\nFOR I=1 TO 3\nNEXT\nNEXT", "FOR J=1 TO 3\nFOR I=1 TO 3\nNEXT I\nNEXT J"),
    ("100 FORI=1 TO 1O\n110 NEXT I", "100 FOR I=1 TO 10\n110 NEXT I"),
    ("100 A=1:B=2\r\n110 GOTO 1OO\r", "100 A=1::B=2\r\n110 GOTO 100\r"),
]


def test_rows_that_end_in_cr_alone_are_corrected_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "game.bas"
    path.write_bytes(b"100 PIRNT 1\r110 CLS\r120 GOTO 1OO\r")
    result = lint(path, "--fix")
    assert path.read_bytes() == b"100 PRINT 1\r110 CALL CLEAR\r120 GOTO 100\r"
    assert ":2: 110 CLS\n" in result.stderr


def test_what_cannot_be_corrected_costs_a_bounded_number_of_trials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = 0
    checked = fixing._Trial.errors

    def counted(self: fixing._Trial, text: str) -> list[Finding]:
        nonlocal trials
        trials += 1
        return checked(self, text)

    monkeypatch.setattr(fixing._Trial, "errors", counted)
    monkeypatch.setattr(fixing, "_TRIALS", 8)
    row = "200 END" * 20
    path = _write(tmp_path, "game.bas", f"{row}\n300 PRINT A\n310 PIRNT A\n")
    assert lint(path, "--fix").exit_code == 1
    assert path.read_text() == f"{row}\n300 PRINT A\n310 PRINT A\n"
    assert trials < 4 * fixing._TRIALS
    monkeypatch.setattr(fixing, "_WORK", 0)
    _write(tmp_path, "game.bas", "310 PIRNT A\n")
    assert lint(path, "--fix").exit_code == 1, "no more work is allowed"


@pytest.mark.parametrize(("before", "after"), FIXES)
def test_what_is_certain_is_corrected_and_shown(tmp_path: Path, before: str, after: str) -> None:
    path = _write(tmp_path, "game.xb", before + "\n")
    result = lint(path, "--fix")
    assert path.read_bytes().decode() == after + "\n"
    assert result.exit_code == 0
    assert f"wrote {path}: " in result.stderr
    for old, new in zip(before.splitlines(), after.splitlines(), strict=True):
        assert (f": {old}\n" in result.stderr and f"→ {new}\n" in result.stderr) or old == new
    again = lint(path, "--fix")
    assert "wrote" not in again.stderr
    assert path.read_bytes().decode() == after + "\n"


@pytest.mark.parametrize(
    "text",
    [
        "GOTO lop\nloop: A=1\n",
        "X=Y++\n",
        "X=Y+=1\n",
        "100 NEXT 1\n",
        "A=B C\n",
        'PRINT "HELLO\n',
        "SLEEP 2\n",
        "100 GOTO 110\n",
        "PRINT 'HI'\n",
        "%LABEL:\nPRINT 1\nGOTO %LABEL\n",
        "'LABEL\nPRINT 1\n",
        "~LABEL:\n",
        "{LABEL}\n",
        "%NEXTT:\n",
        "WHILE A<5\n  A=A+1\nND IF\n",
    ],
)
def test_what_is_not_certain_stays(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path, "game.xb", text)
    result = lint(path, "--fix")
    assert (result.exit_code, path.read_bytes().decode()) == (1, text)
    assert "wrote" not in result.stderr


def test_only_files_of_text_are_corrected(tmp_path: Path) -> None:
    assert "no file to correct" in lint("-", "--fix", text=BAD).stderr
    assert "no file to correct" in lint("d5000", "--fix").stderr
    binary = tmp_path / "GAME"
    binary.write_bytes(b"\xff\xfe\x00\x01" * 40)
    assert lint(binary, "--fix").exit_code == 2
    assert binary.read_bytes() == b"\xff\xfe\x00\x01" * 40


def _write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("line", "corrected"),
    [
        ("100 IF A THEN100ELSE100", "100 IF A THEN 100 ELSE 100"),
        ("100 ON A GOTO100,100", "100 ON A GOTO 100,100"),
        ("100 PRINT A GOSUB100", None),
    ],
)
def test_words_run_into_line_numbers(tmp_path: Path, line: str, corrected: str | None) -> None:
    path = _write(tmp_path, "game.bas", f"{line}\n110 A=1\n")
    assert "is one name: put a space after" in lint(path).output
    lint(path, "--fix")
    if corrected:
        assert path.read_text().startswith(f"{corrected}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('A$="X"\nPRINT A\n', "2:7: warning: A is never set: it is always 0"),
        ('CONST STICK$="A"\nPRINT STICK\n', "2:7: warning: STICK is never set: it is always 0"),
    ],
)
@pytest.mark.parametrize("command", ["lint", "run"])
def test_the_other_kind_of_a_name_is_meant(
    tmp_path: Path, text: str, message: str, command: str
) -> None:
    path = _write(tmp_path, "game.xb", text)
    result = CliRunner().invoke(cli, [command, str(path)])
    assert message in result.output
    assert "; did you mean A$?" in result.output or "; did you mean STICK$?" in result.output


def test_what_cannot_be_removed_is_not_called_unreachable(tmp_path: Path) -> None:
    path = _write(tmp_path, "game.xb", "CALL P\nPROC P\n  PRINT 1\n  END\nEND PROC\n")
    assert "warning" not in lint(path).output
