"""Standard streams that are closed, full or cut off: one line, and an exit code that tells."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FULL = "/dev/full"
SCRIPT = f"""
import os, sys
sys.path[:0] = {sys.path!r}
from ti99tools.__main__ import main

def begin(way):
    if way == "full":
        os.dup2(os.open({FULL!r}, os.O_WRONLY), 1)
        sys.stdout = open(1, "w", closefd=False)
    elif way == "cut":
        reads, writes = os.pipe()
        os.close(reads)
        os.dup2(writes, 1)
        sys.stdout = open(1, "w", closefd=False)
    elif way == "mute":
        os.close(2)
        sys.stderr = None
    else:
        number = "in out".split().index(way)
        os.close(number)
        setattr(sys, f"std{{way}}", None)

way = sys.argv[1]
for words in sys.argv[2:]:
    begin(way)
    sys.argv = ["ti99tools", *words.split()]
    try:
        main()
    except SystemExit as end:
        os.write(3, f"{{end.code}} ".encode())
"""
PRINTS = ("--version", "--help", "list p.xb", "lint bad.xb", "disk ls d.dsk")
"""Commands that print."""
READS = ("lint -", "tokenize - -o P", "generate -", "debug --dap", "lsp", "debug p.xb")
"""Commands that read standard input."""


def ended(folder: Path, way: str, *commands: str) -> tuple[list[int], list[str]]:
    """The exit codes of commands with a stream that is closed, …, and the lines of their errors."""
    (folder / "p.xb").write_text("100 PRINT 1\n")
    (folder / "bad.xb").write_text("100 PIRNT 1\n")
    reads, writes = os.pipe()

    def third() -> None:
        os.dup2(writes, 3)

    done = subprocess.run(
        [sys.executable, "-S", "-c", SCRIPT, way, *commands],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=third,
        close_fds=False,
        text=True,
        timeout=100,
    )
    os.close(writes)
    with os.fdopen(reads) as codes:
        return [int(code) for code in codes.read().split()], done.stderr.splitlines()


@pytest.mark.skipif(not Path(FULL).exists(), reason="no full device here")
def test_a_full_output_is_told_in_one_line(tmp_path: Path) -> None:
    codes, lines = ended(tmp_path, "full", "disk new d.dsk", *PRINTS)
    assert codes == [0, *[2] * len(PRINTS)]
    message = "error: standard output fails: no space left on device; output is missing"
    assert lines[1:] == [message] * len(PRINTS)


def test_a_closed_output_is_told_in_one_line(tmp_path: Path) -> None:
    codes, lines = ended(tmp_path, "out", "disk new d.dsk", *PRINTS)
    assert codes == [0, *[2] * len(PRINTS)]
    assert lines[1:] == ["error: standard output is closed; output is missing"] * len(PRINTS)
    # No file that a command opens takes the place of the closed stream.
    assert (tmp_path / "d.dsk").stat().st_size == 92160


def test_nobody_is_told_when_the_reader_has_seen_enough(tmp_path: Path) -> None:
    codes, lines = ended(tmp_path, "cut", "disk new d.dsk", *PRINTS)
    assert codes == [0, *[141] * len(PRINTS)]
    assert lines == ["wrote d.dsk: disk image, 92,160 bytes"]


def test_messages_that_cannot_be_written_change_nothing(tmp_path: Path) -> None:
    codes, lines = ended(tmp_path, "mute", "disk new d.dsk", *PRINTS, "rnu")
    assert (codes, lines) == ([0, 0, 0, 0, 1, 0, 2], [])


def test_a_closed_input_is_told_in_one_line(tmp_path: Path) -> None:
    codes, lines = ended(tmp_path, "in", *READS, "list p.xb")
    assert codes == [*[2] * len(READS), 0]
    message = "error: standard input is closed; name a file, or give it an input"
    assert lines == [message] * len(READS)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_a_file_gets_block_elements_whatever_the_system_takes_for_texts(
    tmp_path: Path, encoding: str
) -> None:
    """As where Windows sends the output into a file: its code page has no block elements."""
    (tmp_path / "p.xb").write_text('100 PRINT "\u2580"\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ti99tools", "list", "p.xb"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.stdout.decode(), done.stderr) == ('100 PRINT "\u2580"\n', b"")
