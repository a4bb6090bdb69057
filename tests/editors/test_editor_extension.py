"""The VS Code extension: its grammar knows all words, its files are there, it can be packaged."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ti99tools import __version__
from ti99tools.base import tokens as t
from ti99tools.language.listing.builtins import SUBPROGRAMS

EDITORS = Path(__file__).parents[2] / "editors"
EXTENSION = EDITORS / "vscode"


def test_the_grammar_is_made_from_the_words_of_the_project() -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import grammar; print(grammar.text(), end='')"],
        cwd=EDITORS,
        capture_output=True,
        text=True,
        check=True,
    )
    path = EXTENSION / "syntaxes" / "xb.tmLanguage.json"
    assert path.read_text(encoding="utf-8") == process.stdout, "run python editors/grammar.py"


def test_the_grammar_has_every_word() -> None:
    text = (EXTENSION / "syntaxes" / "xb.tmLanguage.json").read_text(encoding="utf-8")
    known = set(re.findall(r"[A-Z]+\$?", text.replace("\\\\$", "$")))
    words = {word for word in t.TOKENS if word[0].isalpha()}
    assert words | set(SUBPROGRAMS) <= known


def test_what_the_extension_names_is_there() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    files = [package["main"], package["contributes"]["languages"][0]["configuration"]]
    files += [grammar["path"] for grammar in package["contributes"]["grammars"]]
    assert [file for file in files if not (EXTENSION / file).is_file()] == []
    configuration = json.loads((EXTENSION / files[1]).read_text(encoding="utf-8"))
    assert configuration["comments"]["lineComment"] == "!"


def test_the_extension_has_the_version_of_the_package() -> None:
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    page = (EDITORS.parent / "docs" / "editors.md").read_text(encoding="utf-8")
    changes = (EDITORS.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert package["version"] == __version__
    assert f"ti99tools-{__version__}.vsix" in page
    assert re.search(r"^## (\d\S+)", changes, re.M)[1] == __version__  # type: ignore[index]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_the_extension_is_tested_and_packaged(tmp_path: Path) -> None:
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules", "*.vsix"))
    for command in ("npm install --no-audit --no-fund", "npm test", "npx vsce package"):
        subprocess.run(command.split(), cwd=folder, check=True)
    assert list(folder.glob("*.vsix"))
