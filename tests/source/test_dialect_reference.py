"""Every example of the dialect's reference page does what the page says."""

import re
from pathlib import Path

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.source.dialect import generate

PAGE = Path(__file__).parents[2] / "xbasic" / "DIALECT.md"
EXAMPLE = re.compile(r"```xb\n(.*?)```\n```(listing|error)\n(.*?)```", re.S)
EXAMPLES = EXAMPLE.findall(PAGE.read_text(encoding="utf-8"))


def test_every_example_has_its_answer() -> None:
    assert len(EXAMPLES) == PAGE.read_text(encoding="utf-8").count("```xb") >= 20


@pytest.mark.parametrize(("source", "kind", "answer"), EXAMPLES)
def test_example(source: str, kind: str, answer: str) -> None:
    if kind == "listing":
        assert generate(source, "game.xb").text == answer
        return
    with pytest.raises(SourceError) as caught:
        generate(source, "game.xb")
    assert f"{caught.value}\n" == answer
