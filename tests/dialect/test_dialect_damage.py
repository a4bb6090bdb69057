"""Damaged sources give a listing that the editor takes or a SourceError, never anything else."""

import random
import re
from pathlib import Path
from time import process_time

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate
from ti99tools.language.listing.numbered import from_text
from ti99tools.language.listing.tokenize import tokenize_line

ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(r"```xb\n(.*?)```", (ROOT / "docs" / "dialect.md").read_text("utf-8"), re.S)
GAME = ROOT / "xbasic" / "d5000"
WORDS = re.split(
    " +",
    '" ( ) :: : , ; ! _ # = < > - + & ^ 5 1E 1E99 99999 A A$ \x00 \t é [ "" CHR$( '
    "REM DATA IF THEN ELSE END WHILE REPEAT UNTIL EXIT FOR NEXT SUB SUBEND CONST GOTO CALL DIM "
    "#if #elif #else #end #art #text #include #pack",
)


def damaged(text: str, seed: int) -> str:
    """A few random changes: words put in, pieces taken out, doubled or cut off."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.randrange(12))
        kind = chance.randrange(5)
        if kind == 0:
            text = text[:at] + chance.choice(WORDS) + text[at:]
        elif kind == 1:
            text = text[:at] + text[end:]
        elif kind == 2:
            text = text[:at] + text[at:end] * 2 + text[end:]
        elif kind == 3:
            lines = text.split("\n")
            chance.shuffle(lines)
            text = "\n".join(lines)
        else:
            text = text[:at] + "\n" + chance.choice(WORDS) + " " + text[at:]
    return text


def judge(text: str, root: Path | None) -> None:
    try:
        generated = generate(text, "x.xb", root=root)
    except SourceError as error:
        messages = [str(each) for each in (error, *error.others)]
        assert all(each.problem for each in (error, *error.others))
        assert len(set(messages)) == len(messages), "the same mistake twice"
        return
    for line in generated.listing:
        number, _ = tokenize_line(from_text(line))
        assert number in generated.sourcemap


@pytest.mark.parametrize("seed", range(400))
def test_damaged_examples(seed: int) -> None:
    judge(damaged(EXAMPLES[seed % len(EXAMPLES)], seed), None)


@pytest.mark.parametrize("seed", range(12))
def test_damaged_game(seed: int) -> None:
    judge(damaged((GAME / "d5000.xb").read_text("utf-8"), seed), GAME)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("CONST A=" + "(" * 3000 + "1" + ")" * 3000, "no constant value"),
        ("CONST A$=" + "STR$(" * 3000, "no constant value"),
        (
            'CONST A0$="XXXXXXXX"\n'
            + "".join(f"CONST A{n + 1}$=A{n}$&A{n}$\n" for n in range(6))
            + "PRINT 1",
            "x.xb:6:.* no constant value",
        ),
        ("IF A THEN\n" * 3000 + "END IF\n" * 3000, "more than 100 blocks"),
        ("FOR I=1 TO 2\n" * 3000, "more than 100 blocks"),
        ("#art " + "9" * 5000 + "\n" + "........\n" * 8 + "#end", "not a character code"),
    ],
    ids=["parentheses", "functions", "text", "IF", "FOR", "code"],
)
def test_depths_and_sizes_have_bounds(text: str, problem: str) -> None:
    with pytest.raises(SourceError, match=problem):
        generate(text, "x.xb")


def test_long_chains_of_signs_and_nots() -> None:
    assert generate("CONST A=" + "-" * 3001 + "1\nPRINT A").listing == ["100 PRINT -1"]
    text = "#if " + "NOT " * 3001 + "1\nPRINT 1\n#else\nPRINT 2\n#end"
    assert generate(text).listing == ["100 PRINT 2"]


def test_a_line_of_many_rows_is_read_in_time() -> None:
    start = process_time()
    with pytest.raises(SourceError, match="the line would have 32003 characters"):
        generate("A=1 _\n" * 8000, "x.xb")
    assert process_time() - start < 4, "places are looked for row by row"


def test_labels_spelled_alike_are_looked_for_in_few_mistakes_only() -> None:
    text = "".join(f"GOTO NAMF{n}\n" for n in range(60)) + "".join(
        f"NAME{n}: A={n}\n" for n in range(60)
    )
    with pytest.raises(SourceError) as caught:
        generate(text, "x.xb")
    remedies = [error.remedy for error in (caught.value, *caught.value.others)]
    assert len(remedies) == 60
    assert [remedy.startswith("did you mean") for remedy in remedies] == [True] * 50 + [False] * 10


@pytest.mark.slow
def test_many_damaged_sources(seed: int) -> None:
    for number in range(1000 + seed * 19_000, 1000 + (seed + 1) * 19_000):
        judge(damaged(EXAMPLES[number % len(EXAMPLES)], number), None)


def test_a_line_of_parentheses_takes_no_time() -> None:
    begun = process_time()
    with pytest.raises(SourceError):
        generate(f"A={'(' * 4000}1{')' * 4000}\n", "g.xb")
    assert process_time() - begun < 5
