"""Every example of the pages about the dialect and its library does what the page says."""

import re
from pathlib import Path

import pytest

from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate

ROOT = Path(__file__).parents[2]
PAGES = {ROOT / "docs" / "dialect.md": 20, ROOT / "xbasic" / "lib" / "README.md": 2}
"""The pages, and how many examples they have at least."""
EXAMPLE = re.compile(r"```xb\n(.*?)```\n```(listing|error)\n(.*?)```", re.S)
EXAMPLES = [
    example for page in PAGES for example in EXAMPLE.findall(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "least"), PAGES.items())
def test_every_example_has_its_answer(page: Path, least: int) -> None:
    text = page.read_text(encoding="utf-8")
    assert len(EXAMPLE.findall(text)) == text.count("```xb") >= least


@pytest.mark.parametrize(("source", "kind", "answer"), EXAMPLES)
def test_example(source: str, kind: str, answer: str) -> None:
    if kind == "listing":
        assert generate(source, "game.xb").text == answer
        return
    with pytest.raises(SourceError) as caught:
        generate(source, "game.xb")
    assert f"{caught.value}\n" == answer
