"""Files and values that a command cannot use: one line that says so, exit code 2."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli

NOT_TEXT = "{0}/noise: not a text in UTF-8; give a text file"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("run {0}/p.bas --script {0}/noise", NOT_TEXT),
        ("profile {0}/p.bas --script {0}/noise", NOT_TEXT),
        ("verify --replay {0}/noise", NOT_TEXT),
        ("conformance {0}/case.jsonl --known {0}/noise", NOT_TEXT),
        ("conformance {0}/noise", "{0}/noise: not a text file"),
        ("verify --log {0}/noise", "{0}/noise: neither a disk image nor a play log"),
        ("run {0}/noise", "{0}/noise: neither a program nor a disk image"),
        ("list {0}/noise", "{0}/noise: "),
        ("generate {0}/p.bas -D A=--5", "--5 is not a whole number; names of texts end in $"),
        ("generate {0}/p.bas -D A=²", "² is not a whole number; names of texts end in $"),
        ("run {0}/p.bas --disk DSK2=", "DSK2=: no file is named; write DSK2=FILE"),
        ("run {0}/p.bas --save-disk DSK1=", "DSK1=: no file is named; write DSK1=FILE"),
        ("run {0}/p.bas --save-disk", "option '--save-disk' requires an argument; --help tells"),
        ("run {0}/p.bas --max-seconds nan", "invalid value for '--max-seconds': 'nan' is not a"),
        (
            "run {0}/p.bas --max-seconds inf",
            "invalid value for '--max-seconds': inf is not above 0 and",
        ),
        ("run {0}/p.bas --max-seconds x", "invalid value for '--max-seconds': 'x' is not a number"),
        ("run {0}/p.bas --seed 5.5", "invalid value for '--seed': '5.5' is not a whole number"),
        ("run {0}/p.bas --until=", "--until has no text; write --until READY"),
        ("run {0}/none.bas", "{0}/none.bas: no such file, and no such game"),
        ("run {0}/p.bas --script {0}/none", "{0}/none: no such file or directory; check the path"),
        ("generate {0}/none", "{0}/none: no such file or directory; check the path"),
        ("verify --replay {0}/none", "{0}/none: no such file or directory; check the path"),
        ("verify --log {0}/none", "{0}/none: no such file or directory; check the path"),
        ("tokenize {0}/p.bas -o {0}/o --name X", "--name goes with --tifiles; see `cli tokenize"),
        (
            "tokenize {0}/p.bas -o {0}/o --tifiles --name ELEVENCHARS",
            "file name 'ELEVENCHARS' is invalid; use 1 to 10 characters",
        ),
        ("hosts --roms {0}/none --prepare {0}/out", "{0}/none: no such folder of ROM dumps"),
        ("hosts --roms {0} --prepare {0}/out", "{0}: none of the ROM dumps is here"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(
    arguments: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TI99_ROMS", "")
    (tmp_path / "p.bas").write_text("100 PRINT 1\n")
    case = {"id": "x", "expect": {"final": {"rows": [" " * 32] * 24}}}
    (tmp_path / "case.jsonl").write_text(json.dumps(case) + "\n")
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 3)
    result = CliRunner().invoke(cli, arguments.format(tmp_path).split())
    assert (result.exit_code, result.stdout) == (2, ""), result.exception
    assert result.stderr.startswith("error: " + line.format(tmp_path))
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "define", "message"),
    [
        ("#if DEBUG\nPRINT 1\n#end\nPRINT 2\n", "DEBUG=1", ""),
        ("CONST LEVEL=2\nPRINT LEVEL\n", "level=3", ""),
        ("CONST A=1,B=A*2\nPRINT B\n", "A=3", ""),
        ("#if NO\nPRINT DEEP\n#end\nPRINT 2\n", "DEEP=1", ""),
        (
            "CONST LEVEL=2\nPRINT LEVEL\n",
            "LEVLE=3",
            "never uses the constant LEVLE; did you mean LE",
        ),
        ("CONST LEVEL=2\nPRINT LEVEL\n", "ZZ=3", "never uses the constant ZZ; it knows LEVEL"),
        ("PRINT 1\n", "DEBUG=1", "never uses the constant DEBUG; it has no constants"),
        ("100 PRINT 1\n", "DEBUG=1", "never uses the constant DEBUG; it has no constants"),
    ],
)
def test_a_constant_from_outside_must_be_one_of_the_source(
    tmp_path: Path, text: str, define: str, message: str
) -> None:
    path = tmp_path / "game.xb"
    path.write_text(text)
    result = CliRunner().invoke(cli, ["generate", str(path), "-D", define])
    assert result.exit_code == (2 if message else 0), result.output
    assert message in result.stderr
