"""The static folder: what is in it, that it is the same each time, and what npm's absence means."""

import json
import re
import shutil
import subprocess
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.web.nodemodules import stand_in
from ti99tools.base.errors import Remedy, TIError
from ti99tools.fronts.cli.main import cli
from ti99tools.fronts.web.site import making
from ti99tools.fronts.web.site import making as bundling
from ti99tools.fronts.web.site.making import PAGE
from ti99tools.language.listing.listing import word_lists

PARTS = sorted((PAGE / "src").glob("*.js"))


@pytest.fixture
def node_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what looks like Pyodide, and an esbuild that only notes what it is given."""
    lock = json.dumps({"info": {"abi_version": "1"}, "packages": {"numpy": {}}})
    return stand_in(
        tmp_path / "node_modules", monkeypatch, lambda _, texts: texts["words.js"], lock
    )


def test_the_folder_is_whole_and_the_same_each_time(node_modules: Path, tmp_path: Path) -> None:
    first, again = tmp_path / "a" / "b", tmp_path / "c"
    again.mkdir()
    (again / "mine.txt").write_text("stays")
    sites = [making.make_site(folder, node_modules) for folder in (first, again)]
    assert sites[0].sizes == sites[1].sizes
    assert sites[0].version == sites[1].version
    for name, size in sites[0].sizes.items():
        assert (first / name).read_bytes() == (again / name).read_bytes()
        assert (first / name).stat().st_size == size
    assert (again / "mine.txt").read_text() == "stays"
    kept = json.loads(re.search(r"FILES = (\[.*?\]);", (first / "sw.js").read_text())[1])  # type: ignore[index]
    assert {*kept} == {"./", *sites[0].sizes} - {"sw.js"}
    assert sites[0].version in (first / "index.html").read_text()
    assert "@" not in re.sub(r"[\w.]+@[\w.]+", "", (first / "index.html").read_text())
    lock = json.loads((first / "pyodide" / making.LOCK).read_text())
    assert lock == {"info": {"abi_version": "1"}, "packages": {}}


def test_what_the_page_names_is_there(node_modules: Path, tmp_path: Path) -> None:
    site = making.make_site(tmp_path / "a", node_modules)
    page = (site.folder / "index.html").read_text()
    named = {*re.findall(r'(?:href|src|srcset)="([^"#]+)"', page)}
    assert "dialect.html" in named
    assert named <= {*site.sizes}
    assert "xbasic/" not in page, "visitors have no checkout"
    dialect = (site.folder / "dialect.html").read_text()
    assert "<h1>The dialect" in dialect
    assert dialect.count("<pre") > 20
    assert "```" not in dialect
    assert "<p>|" not in dialect


def test_another_content_is_another_version(
    node_modules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = making.make_site(tmp_path / "a", node_modules).version
    monkeypatch.setattr(making, "packed", lambda: b"changed")
    assert making.make_site(tmp_path / "a", node_modules).version != before


def test_the_command_says_what_it_made(node_modules: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    arguments = ["web", "--out", str(out), "--modules", str(node_modules)]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0
    assert "MB" in done.output
    assert "http.server" in done.output
    data = json.loads(CliRunner().invoke(cli, [*arguments, "--json"]).output)
    assert data["total"] == sum(data["files"].values())
    assert "index.html" in data["files"]


def test_without_npm_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(TIError) as caught:
        making.make_site(tmp_path / "site")
    assert caught.value.meaning is Remedy.INSTALL_NPM
    done = CliRunner().invoke(cli, ["web", "--out", str(tmp_path / "site")])
    assert done.exit_code == 2
    assert "Node.js" in done.stderr
    assert not (tmp_path / "site").exists()


def test_offline_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "npm error network getaddrinfo\n")

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(subprocess, "run", failing)
    with pytest.raises(TIError) as caught:
        bundling.modules()
    assert caught.value.meaning is Remedy.NPM_OFFLINE
    assert "network" in caught.value.problem
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_npm_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def install(arguments: list[str], folder: Path) -> None:
        asked.append(arguments[0])
        (folder / "node_modules" / "esbuild").mkdir(parents=True)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(bundling, "npm", install)
    found = bundling.modules()
    assert bundling.modules() == found
    assert (found / "esbuild").is_dir()
    assert asked == ["ci"]


def test_a_folder_without_modules_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TIError, match="esbuild and pyodide"):
        bundling.modules(tmp_path)


def test_versions_are_exact_and_no_host_is_named() -> None:
    package = json.loads((PAGE / "package.json").read_text())
    lock = json.loads((PAGE / "package-lock.json").read_text())
    assert lock["packages"][""]["dependencies"] == package["dependencies"]
    for name, version in package["dependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
        assert lock["packages"][f"node_modules/{name}"]["version"] == version
    assert "http" not in (PAGE / "package-lock.json").read_text()


def test_the_page_has_every_element_that_its_parts_look_for() -> None:
    page = (PAGE / "index.html").read_text()
    there = set(re.findall(r'\bid="([\w-]+)"', page))
    made = {"boot", "dots", "notes", "verify", "verdict", "proves", "proven"}
    for part in PARTS:
        named = set(re.findall(r'\$\$?\("#([\w-]+)', part.read_text()))
        assert named <= there | made, part.name


def test_the_script_in_the_page_is_the_one_that_may_run() -> None:
    page = (PAGE / "index.html").read_text()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert re.findall("'sha256-(.*?)'", page) == [digest]
    # Browsers of any age read it.
    assert not re.search(r"=>|`|\b(const|let|class|async)\b|\?\.", script)


def test_parts_are_small_and_say_what_they_are() -> None:
    assert len(PARTS) > 10
    for part in PARTS:
        lines = part.read_text().splitlines()
        assert lines[0].startswith("// ") and len(lines) < 400, part.name


def test_the_page_loads_nothing_from_elsewhere() -> None:
    for path in [*PARTS, *PAGE.glob("*.*")]:
        hosts = re.findall(r"https?://([\w.-]+)", path.read_text())
        assert {*hosts} <= {"www.w3.org"}, path.name


def test_words_are_in_one_group_each() -> None:
    groups = word_lists()
    words = [word for name, group in groups.items() if name != "subprograms" for word in group]
    assert len(words) == len(set(words))
    assert "GOSUB" in groups["statements"]


def palettes() -> dict[str, dict[str, str]]:
    """The colours of the page, light and dark."""
    css = (PAGE / "studio.css").read_text()
    block = re.search(r":root \{(.*?)\n\}", css, re.S)
    assert block is not None
    both = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block[1]))
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", block[1])
    return {
        "light": both | {name: color for name, color, _ in pairs},
        "dark": both | {name: color for name, _, color in pairs},
    }


def light(color: str) -> float:
    """The relative luminance of a colour (WCAG 2.2)."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_all_text_can_be_read(name: str) -> None:
    colors = palettes()[name]
    inks = ["ink", "quiet", "bad", "warn", "good", *(c for c in colors if c.startswith("code-"))]
    pairs = [(ink, "pane") for ink in inks] + [("ink", "stand"), ("quiet", "raised")]
    pairs += [("accent-ink", "accent"), ("key-ink", "key"), ("key-small", "key")]
    poor = {
        pair: round(contrast(colors[pair[0]], colors[pair[1]]), 2)
        for pair in pairs
        if contrast(colors[pair[0]], colors[pair[1]]) < 4.5
    }
    assert not poor


def test_light_and_dark_are_chosen_or_the_system_decides() -> None:
    css = (PAGE / "studio.css").read_text()
    schemes = dict(re.findall(r"(:root\S*) \{\s+color-scheme: ([a-z ]+);", css))
    assert schemes == {
        ":root": "light dark",
        ':root[data-theme="light"]': "light",
        ':root[data-theme="dark"]': "dark",
    }
    found = palettes()
    assert found["dark"]["pane"] != found["light"]["pane"]
    assert round(contrast("#000000", "#ffffff")) == 21
