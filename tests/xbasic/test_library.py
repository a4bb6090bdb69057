"""The library of the games on the console: what its examples do not show."""

from random import Random

import pytest

from tests.xbasic.gamedriver import lines_of
from ti99tools import Console, DiskImage, Program
from ti99tools.games.models.certificate import LETTERS, Certificate
from ti99tools.language.dialect import generate

LOGGED = """
CONST LOGGAME$="GUESS", VERSION$="1.0"
  LF$="DSK1.LOG" :: LG=1 :: SD=5
  GOSUB openlog
  FOR I=1 TO 40
    IF LG THEN L$="LINE "&STR$(I) :: GOSUB logit
  NEXT I
  {then}
  GOSUB closelog
  PRINT "DONE"
  END
warn:
  PRINT L$
  RETURN
#include <keys.xb>
#include <log.xb>
"""


def run(then: str = "", room: int | None = None) -> Console:
    """The program above, on a disk with so many free sectors."""
    image = DiskImage.new("SSSD")
    console = Console(disks={"DSK1": image})
    drives = console.machine.drives
    drives.mount("DSK1", image, write_protected=room == 0)
    console.load(Program.from_listing(generate(LOGGED.replace("{then}", then)).text))
    console.run()
    return console


def test_a_log_is_whole() -> None:
    console = run()
    assert console.error is None
    assert "DONE" in console.screen.text
    middle = [f"LINE {number}" for number in range(1, 41)]
    assert lines_of(console, "LOG") == ["TI99LOG 1 GUESS 1.0", "SEED 5", *middle, "END"]


def test_a_log_that_fails_says_so_once_and_the_program_goes_on() -> None:
    console = run(room=0)
    assert console.error is None
    assert "DONE" in console.screen.text
    assert console.screen.text.count("NO PLAY LOG") == 1


@pytest.mark.parametrize(
    ("then", "error"),
    [
        ('A=VAL("X")', "BAD ARGUMENT"),
        ("CALL SCREEN(0)", "BAD VALUE"),
    ],
)
def test_an_error_that_is_none_of_the_log_stops_the_program_as_ever(then: str, error: str) -> None:
    listing = generate(LOGGED.replace("{then}", then)).text
    console = Console(disks={"DSK1": DiskImage.new("SSSD")})
    console.load(Program.from_listing(listing))
    console.run()
    assert error in str(console.error)
    line = next(row for row in listing.splitlines() if then in row)
    assert f"IN {line.split()[0]}" in console.screen.text
    assert "NO PLAY LOG" not in console.screen.text


def test_with_the_log_armed_a_line_arms_nothing() -> None:
    """ON ERROR takes 0.8 s in a long program: `logit` is one PRINT."""
    rows = generate(LOGGED.replace("{then}", "")).listing
    assert sum("ON ERROR" in row for row in rows) == 4
    assert any(row.endswith("PRINT#1:L$::RETURN") for row in rows)


CERTIFIED = """
CONST CERTGAME=23
  FOR K=1 TO {count}
    READ SD,CS,N
    GOSUB opencert
    FOR L=1 TO N
      READ F
      GOSUB choose
    NEXT L
    GOSUB certify
    PRINT A$
  NEXT K
{data}
#include <cert.xb>
"""


def test_certificates_are_those_of_the_models() -> None:
    random = Random(7)
    matches = [(0, 0, []), (99999999999999, 32768, [9999] * 30), (1048573, 32767, [0] * 3)]
    for _ in range(9):
        choices = [
            random.randrange(10 ** random.randint(1, 4)) for _ in range(random.randrange(40))
        ]
        matches.append(
            (random.randrange(10 ** random.randint(1, 8)), random.randrange(9999), choices)
        )
    data = [f"DATA {seed},{score},{len(choices)}" for seed, score, choices in matches]
    rows = []
    for head, (_, _, choices) in zip(data, matches, strict=True):
        rows += [head, *(f"DATA {choice}" for choice in choices)]
    source = CERTIFIED.format(count=len(matches), data="\n".join(rows))
    console = Console(max_seconds=1000)
    console.load(Program.from_listing(generate(source).text))
    console.run()
    lines = [row.strip() for row in console.screen.rows]
    right = [
        str(Certificate.of(LETTERS[23], seed, choices, score)) for seed, score, choices in matches
    ]
    assert [row for row in lines if row in right] == right
