"""The tutorial and the recipes of the cookbook, done literally in an empty folder."""

import re
from pathlib import Path

import pytest

from tests.docs.follow import Step, run, steps, steps_of, write

pytestmark = pytest.mark.long

DOCS = Path(__file__).parents[2] / "docs"


def test_the_tutorial_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = 0
    for step in steps(DOCS / "tutorial.md"):
        if "title" in step.options:
            write(step, tmp_path)
        else:
            run(step, exactly=True)
            done += 1
    assert done >= 7
    assert (tmp_path / "pictures" / "right.png").stat().st_size > 500
    assert (tmp_path / "stars.dsk").is_file()
    assert (tmp_path / "cartridge.png").stat().st_size > 500


def recipes() -> list[list[Step]]:
    """The steps of each recipe of the cookbook."""
    found: list[list[Step]] = []
    for part in (DOCS / "cookbook.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        found.append(steps_of(part))
    return found


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: recipe[0].options["title"])
def test_each_recipe_does_what_it_says(
    recipe: list[Step], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert recipe[-1].kind == "console"
    for step in recipe:
        if "title" in step.options:
            write(step, tmp_path)
        else:
            run(step)


@pytest.mark.parametrize(
    "page", ["keeps.md", "keyscripts.md", "machine-code.md", "machines.md", "python.md"]
)
def test_the_examples_of_a_page_do_what_they_say(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = steps(DOCS / page)
    assert sum(step.kind == "console" for step in found) >= 2
    for step in found:
        if "title" in step.options:
            write(step, tmp_path)
        else:
            run(step)


def test_every_page_beside_the_games_is_in_the_site() -> None:
    hooks = (DOCS / "hooks.py").read_text(encoding="utf-8")
    root = DOCS.parent
    pages = [*(root / "xbasic").glob("*.md"), *(root / "xbasic").glob("*/MANUAL.md")]
    assert pages
    assert [p for p in pages if f'"{p.relative_to(root).as_posix()}"' not in hooks] == []


def test_every_page_is_reached_from_the_menu() -> None:
    menu = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    assert [page.name for page in DOCS.glob("*.md") if f": {page.name}\n" not in menu] == []


PAGES = sorted(
    path
    for path in DOCS.parent.rglob("*.md")
    if not {".venv", "node_modules", "template"} & set(path.relative_to(DOCS.parent).parts)
)
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#([^)]*))?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(DOCS.parent)))
def test_links_lead_to_files_that_are_there(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
    broken = [match[1] for match in LINK.finditer(text) if not (page.parent / match[1]).exists()]
    assert broken == []
