"""The command line used wrongly, as a stranger might: one line that says what to do, no traceback.

Each row: what is typed, the exit code, and what is told.
"""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.fronts.cli.main import cli

USAGES = [
    ("rnu g.xb", 2, "no command rnu; did you mean run?"),
    ("run", 2, "missing argument 'TARGET'; see `"),
    ("run nothing.xb", 2, "nothing.xb: no such file, and no such game; check the name"),
    ("run d500", 2, "d500: no such file, and no such game; did you mean d5000?"),
    ("run empty", 2, "empty: a folder without game.toml; give the folder of a game"),
    ("run noise", 2, "noise: neither a program nor a disk image; as a program:"),
    ("run d.dsk", 2, "no LOAD on the disk, which would start by itself; on it are G; name one"),
    ("run d.dsk GMAE", 2, "d.dsk: no program GMAE on the disk; on it are G"),
    ("run g.xb GAME", 2, "g.xb: not a disk image; leave out GAME"),
    ("run g.xb --png", 2, "option '--png' requires an argument"),
    ("run g.xb --png x.jpeg", 2, "what is written is a PNG picture; end the name in .png"),
    ("run g.xb --gif no/x.gif", 2, "no: no such folder; make it first"),
    ("run g.xb --fps 20", 2, "--fps says how a GIF is made; add --gif FILE.gif"),
    ("run g.xb --gif x.gif --fps 0", 2, "0 is not from 1 to 50; see `"),
    ("run g.xb --scale 3", 2, "--scale says how pictures are made; add --png FILE or --gif FILE"),
    ("run g.xb --wav x.aiff", 2, "what is written is a WAV sound; end the name in .wav"),
    ("run g.xb --save-disk DSK2=x.dsk", 2, "no disk in DSK2; give one with --disk DSK2=FILE"),
    ("run g.xb --disk DSK9=d.dsk", 2, "DSK9: no drive; drives are DSK1, DSK2, DSK3"),
    ("run g.xb --disk DSK2=", 2, "DSK2=: no file is named; write DSK2=FILE"),
    ("run g.xb --disk DSK2=nowhere/", 2, "nowhere: no such file or directory; check the path"),
    ("run g.xb --seed 3", 2, "g.xb asks for no seed; leave out --seed"),
    ("run g.xb --max-seconds 0", 2, "0.0 is not above 0 and up to 10000000; see `"),
    ("run g.xb --max-seconds long", 2, "'long' is not a number; see `"),
    ("run g.xb --script g.xb", 2, "unknown step: PRINT; steps are until, type, press"),
    ("run gg.xb", 2, "gg.xb: no such file, and no such game; did you mean g.xb?"),
    ("run DSK1.GAME", 2, "no such file, and no such game; name the disk image, then the program"),
    ("run g.xb --disk DSK2", 2, "DSK2: no file is named; write DSK2=FILE"),
    ("run g.xb --snaps out", 2, "--snaps writes what a script snaps; add --script FILE"),
    ("run g.xb --disk dd.dsk", 2, "dd.dsk: no such file or directory; did you mean d.dsk?"),
    ("version", 2, "no command version; did you mean --version? see `"),
    ("help", 2, "no command help; did you mean --help? see `"),
    ("verify d5000 --resume no/x", 2, "no: no such folder; make it first"),
    ("disk ls empty", 2, "empty: a folder; name a file in it"),
    ("disk show d.dsk GG", 2, "no file 'GG' on the disk; did you mean G?"),
    ("disk get d.dsk gx", 2, "no file 'gx' on the disk; did you mean G?"),
    ("disk undelete d.dsk G", 2, "no file 'G' among the deleted ones; none is left on the disk"),
    ("disk get d.dsk G --form text", 2, "`disk get --form listing` gets one"),
    ("run g.xb --until ''", 2, "--until has no text; write --until READY"),
    ("run in.xb", 1, "the program waits for a key in line 100"),
    ("play --debug", 2, "nothing to debug; name what is to be debugged"),
    ("play --terminal --joystick", 2, "a terminal does not tell when keys go up; leave out"),
    ("play nothing", 2, "nothing: no such file, and no such game; there are d5000"),
    ("lint", 2, "missing argument 'SOURCE|FOLDER|GAME...'; see `"),
    ("lint empty", 2, "empty: no source in this folder; sources end in .xb, .bas, .b99, .lst"),
    ("lint - --fix", 2, "-: no file to correct; name the file of the source"),
    ("lint d5000 --fix", 2, "d5000: no file to correct; name the file of the source"),
    ("lint g.xb --fix --join 28", 2, "--fix cannot correct a wrapped listing; leave out --join"),
    ("lint g.xb --format xml", 2, "'xml' is not one of 'text', 'github', 'json'"),
    ("lint d.dsk", 2, "d.dsk: a disk image, no program; `ti99tools disk ls` shows what is on it"),
    ("generate g.xb -D LEVEL", 2, "--define LEVEL has no value; write NAME=VALUE"),
    ("generate g.xb -D LEVEL=1", 2, "g.xb never uses the constant LEVEL; it has no constants"),
    ("generate g.xb -D LEVEL=a", 2, "a is not a whole number; names of texts end in $"),
    ("generate noise", 2, "noise: no text; `ti99tools list` shows the program in a file"),
    ("tokenize g.xb", 2, "missing option '-o' / '--output'"),
    ("tokenize g.xb -o g.xb", 2, "g.xb is the source itself; choose another output"),
    ("list noise", 2, "noise: "),
    ("disk new x.png", 2, ".png is the extension of no disk image; use one of .dsk (dsk)"),
    ("disk new x.dsk --geometry BIG", 2, "no geometry 'BIG'; use one of SSSD, DSSD"),
    ("disk new d.dsk", 2, "d.dsk: the file already exists; choose another name or use --replace"),
    ("disk new y.dsk --boot noise", 2, "noise: no program of Extended BASIC; give a source"),
    ("disk new y.dsk --name A.B", 2, "disk name 'A.B' is invalid; use 1 to 10 characters"),
    ("disk convert d.dsk d.zip", 2, ".zip is the extension of no disk image; use one of .dsk"),
    ("disk add d.dsk noise", 2, "noise: cannot tell what kind of TI file this is; give its type"),
    ("disk new y.dsk .", 2, ".: a folder, not a file; name the files in it, such as *.xb"),
    ("disk new y.dsk cart.bin", 2, "cart.bin: a cartridge, which no disk can hold; `ti99tools run"),
    ("disk new y.dsk noise", 2, "give its type: `ti99tools disk add IMAGE FILE --type PROGRAM`"),
    ("disk get d.dsk NIX", 2, "no file 'NIX' on the disk; `ti99tools disk ls` lists the files"),
    ("disk get d.dsk", 2, "give NAMES or --all DIR; see `"),
    (
        "assemble g.xb -o G",
        2,
        "g.xb: by its name a program of Extended BASIC, no assembly language",
    ),
    ("tape read noise -o t.bas", 2, "noise: no sound that can be read"),
    ("tape list d.dsk", 2, "d.dsk: no sound that can be read"),
    ("run g.xb --cs1 t.mp3", 2, "t.mp3: "),
    ("challenge --month 13", 2, "13"),
    ("generate g.xb -o no/g.bas", 2, "no: no such folder; make it first"),
    ("tape write g.xb -o g.mp3", 2, "g.mp3: a tape is a WAV file; name it NAME.wav"),
    ("new 1st", 2, "'1st' cannot be the name of a game; a name has 1 to 10 letters and digits"),
    ("build nix", 2, "no game named nix; there are d5000"),
    ("verify --month 2026-12", 2, "--month goes with --certificate; add --certificate CODE"),
    ("verify --machine x", 2, "--machine goes with --log; add --log FILE"),
    ("verify --log x --seed 4", 2, "--seed does not go with --log; leave out --seed"),
    ("verify --log x --html y", 2, "a log does not say which statements ran; leave out --html"),
    ("verify --stage shipped --shrink 3", 2, "--shrink does not go with --stage shipped"),
    ("verify --replay x --games 3", 2, "--games does not go with --replay; leave out --games"),
    ("build --html x", 2, "--html goes with --report; add --report"),
    ("build --check --replace --hot", 2, "--check does not go with --hot; leave out --check"),
    ("build --report --fast", 2, "--fast does not go with --report; leave out --fast"),
    ("verify --resume x", 2, "--resume keeps the matches of one game; name one GAME"),
    ("conformance empty", 2, "empty: no cases here; give a folder of *.jsonl files"),
    ("run --help-me", 2, "no such option '--help-me'"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.xb").write_text('PRINT "HI"\n')
    (tmp_path / "in.xb").write_text("INPUT A$\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "noise").write_bytes(bytes(range(251)) * 13)
    (tmp_path / "cart.bin").write_bytes(b"\xaa".ljust(8192, b"\0"))
    assert CliRunner().invoke(cli, ["disk", "new", "d.dsk", "g.xb"]).exit_code == 0
    return tmp_path


@pytest.mark.parametrize(("line", "code", "message"), USAGES, ids=[row[0] for row in USAGES])
def test_a_wrong_usage_is_told_with_what_to_do(
    folder: Path, line: str, code: int, message: str
) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    result = CliRunner().invoke(cli, shlex.split(line), input="")
    assert result.exit_code == code
    assert isinstance(result.exception, SystemExit), "no traceback"
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    after = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    assert after == before, "nothing was written"
