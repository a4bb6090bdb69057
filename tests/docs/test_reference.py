"""docs/reference.txt is what docs/reference.py makes, is short, and has examples that are right."""

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from click.testing import CliRunner

from ti99tools.app.manual import PARTS
from ti99tools.fronts.cli.main import cli
from ti99tools.language.findings import Severity
from ti99tools.language.program.judgement import advise_file

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "reference.txt").read_text(encoding="utf-8")
MOST = 60_000
"""The most bytes of the text."""
FRAGMENTS = {"never-set", "never-used", "unused-proc", "unreachable"}
"""What may be found in an example that is a piece of a program."""
PARTED = dict(re.findall(r"^===== (\w+) =====\n\n(.*?)(?=^=====|\Z)", TEXT, re.M | re.S))
EXAMPLES = [
    (part, match[1])
    for part, text in PARTED.items()
    for match in re.finditer(r"```xb\n(.*?)\n```(\n```error)?", text, re.S)
    if not match[2]
]


def findings(source: str, folder: Path) -> list[str]:
    path = folder / "game.xb"
    path.write_text(source + "\n", encoding="utf-8")
    return [
        each.code for each in advise_file(path, root=folder)[0] if each.severity > Severity.INFO
    ]


def test_it_is_what_the_docs_and_commands_say_now() -> None:
    spec = spec_from_file_location("reference_maker", DOCS / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    maker = module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert maker.text() == TEXT, "python docs/reference.py"


def test_it_is_short() -> None:
    assert len(TEXT.encode()) <= MOST
    assert tuple(PARTED) == PARTS
    assert len(EXAMPLES) > 25


@pytest.mark.parametrize(("part", "source"), EXAMPLES)
def test_its_examples_are_lint_clean(part: str, source: str, tmp_path: Path) -> None:
    allowed = set() if part == "programs" else FRAGMENTS
    assert set(findings(source, tmp_path)) <= allowed


def test_each_mistake_is_one(tmp_path: Path) -> None:
    mistakes = re.findall(r"```mistake\n(.*?)\n```\n", PARTED["messages"], re.S)
    assert len(mistakes) > 20
    for source in mistakes:
        assert findings(source, tmp_path), source


def test_the_command_shows_it() -> None:
    whole = CliRunner().invoke(cli, ["manual"])
    assert whole.exit_code == 0
    assert whole.stdout == TEXT
    for part in PARTS:
        assert CliRunner().invoke(cli, ["manual", part]).stdout.strip() == PARTED[part].strip()
    assert CliRunner().invoke(cli, ["manual", "games"]).exit_code == 2


def test_the_command_is_in_it() -> None:
    assert "\nti99tools manual [" in PARTED["commands"]
