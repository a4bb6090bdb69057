"""Sources with labels as xbas99 takes them, as numbered listings."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.base.errors import SourceError
from ti99tools.fronts.cli.main import cli
from ti99tools.language.dialect.labelled import numbered

SOURCE = r"""
 CALL CLEAR
A_VERY_LONG_NAME_OF_A_LABEL:
 INPUT "NUMBER? ":PRIME :: IF PRIME=0 THEN @LAST
 IF PRIME THEN PRIME ELSE A_VERY_LONG_NAME_OF_A_LABEL
 ON PRIME GO SUB PRIME,last ! GOTO NOWHERE
PRIME:
 IF PRIME<5 THEN PRIME=PRIME+1 :: GO TO PRIME
 CALL S(PRIME):: RESTORE ITEMS :: READ A$
ITEMS:
 DATA LAST,GOTO LAST
 PRINT "GOTO LAST \xA1\d033";A$ :: PRINT USING FORM:PRIME
FORM:
 IMAGE LAST ###
LAST:
 ON ERROR LAST :: RETURN NEXT

 SUB S(X)
%AGAIN:
 X=X-1 :: IF X>0 THEN %AGAIN
 SUBEND :: SUB T
%AGAIN:
 GOTO %AGAIN
 SUBEND
"""
LINES = [
    "100 CALL CLEAR",
    '110 INPUT "NUMBER? ":PRIME :: IF PRIME=0 THEN 190',
    "120 IF PRIME THEN 140 ELSE 110",
    "130 ON PRIME GO SUB 140,190 ! GOTO NOWHERE",
    "140 IF PRIME<5 THEN PRIME=PRIME+1 :: GO TO 140",
    "150 CALL S(PRIME):: RESTORE 160 :: READ A$",
    "160 DATA LAST,GOTO LAST",
    '170 PRINT "GOTO LAST ¡!";A$ :: PRINT USING 180:PRIME',
    "180 IMAGE LAST ###",
    "190 ON ERROR 190 :: RETURN NEXT",
    "200 SUB S(X)",
    "210 X=X-1 :: IF X>0 THEN 210",
    "220 SUBEND :: SUB T",
    "230 GOTO 230",
    "240 SUBEND",
]


def test_a_labelled_source_that_is_read_as_one_of_ours_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.bas"
    for text, place in ((" GOTO @LAST\nLAST:\n END\n", "1:7"), (" SUB S\n%A:\n SUBEND\n", "2:1")):
        path.write_text(text)
        output = CliRunner().invoke(cli, ["run", str(path)]).output
        assert f":{place}: " in output and "`ti99tools generate --from xbas99 FILE" in output, (
            output
        )
    path.write_text("A%=5\nPRINT A%\n")
    assert "--from" not in CliRunner().invoke(cli, ["run", str(path)]).output


def test_a_statement_after_a_label_is_one_mistake() -> None:
    with pytest.raises(SourceError) as caught:
        numbered('HIGH: PRINT "X"\n GOTO HIGH\n', "a.bas")
    assert "a statement after the label HIGH" in str(caught.value)
    assert not caught.value.others


def test_labels_become_numbers() -> None:
    assert [line for line, _ in numbered(SOURCE)] == LINES
    assert str(numbered(SOURCE, "a.bas")[1][1]) == "a.bas:4:1"
    assert numbered(SOURCE, start=10, step=5)[1][0].endswith("THEN 55")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (" GOTO NOPE\n", "1:7: no label NOPE; write a row NOPE:"),
        (" IF A THEN @NOPE\n", "1:12: no label NOPE"),
        (" ON A GOTO X,Y\nX:\n END\n", "1:14: no label Y"),
        (" IF A THEN %L\n SUB S\n%L:\n SUBEND\n", "1:12: no label %L"),
        ("%L:\n GOTO %L\n", "1:1: %L outside a SUB"),
        ("L:\n A=1\nL:\n END\n", "3:1: the label L is there twice; the other is in row 1"),
        ("PRINT 1\n", "1:1: the row begins in column 1 and is no label"),
        (" PRINT 'A\n", "1:1: UNRECOGNIZED CHARACTER"),
        (" ON X GOTO " + "A," * 4000 + "A\nA:\n END\n", "1:1: a row of 8012 characters; divide it"),
        ("\n\n", "the source is empty"),
    ],
)
def test_a_mistake_has_its_place(source: str, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        numbered(source, "a.bas")
    assert str(caught.value).removeprefix("a.bas:").lstrip().startswith(message)


def test_generate_takes_them(tmp_path: Path) -> None:
    (tmp_path / "a.bas").write_text("LOOP:\n A=A+1\n GOTO @LOOP\n")
    words = ["generate", "--from", "xbas99", str(tmp_path / "a.bas")]
    result = CliRunner().invoke(cli, [*words, "--map"])
    assert result.output.splitlines()[1].endswith("a.bas:3:1: 110 GOTO 100")
    assert CliRunner().invoke(cli, [*words, "--no-pack"]).exit_code == 2
