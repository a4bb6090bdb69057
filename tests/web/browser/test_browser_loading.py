"""What is loaded: how much, what an address opens, a link, one page that has all, old browsers."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.web.browser.studio import HASH, READY, Studio, dropped, expect
from tests.web.browsing import Server
from ti99tools import Console, Program
from ti99tools.base.workers import workers
from ti99tools.fronts.web.site.making import IMAGE as KEPT_IMAGE
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.games.verify.campaign import Campaign
from ti99tools.games.verify.subject import subject_of

FIRST_LOAD = 16_000_000
LATER_LOAD = 10_000_000
IMAGE = f"pyodide/{KEPT_IMAGE}"


def test_the_first_load_is_small(studio: Studio) -> None:
    *needed, (last, size) = [each for each in studio.loaded if each[0] != "/sw.js"]
    assert last == f"/{IMAGE}", "for later visits, after all else"
    assert size < LATER_LOAD
    whole = sum(size for _, size in needed)
    assert 5_000_000 < whole < FIRST_LOAD
    assert abs(told_size("web", "The first visit loads") - whole) < 300_000
    names = [name for name, _ in needed if name.endswith((".packed", ".zip"))]
    assert len(names) == len(set(names)), "each file is fetched once"
    assert last not in names
    assert studio.page.locator("#old").is_hidden(), "this browser is not too old"


TWICE = """async (name) => {
  for (const kept of await caches.keys()) {
    await (await caches.open(kept)).delete(new URL(name, document.baseURI));
  }
  let told = 0;
  await new Promise((resolve) => {
    const count = ({ data }) => data === "kept" && ++told === 2 && resolve();
    navigator.serviceWorker.addEventListener("message", count);
    for (const _ of [1, 2]) navigator.serviceWorker.controller.postMessage("keep");
  });
}"""
"""Forgets a file, and asks twice at the same moment for all that is missing."""


def test_two_pages_that_ask_at_once_fetch_a_file_once(studio: Studio, server: Server) -> None:
    before = len(server.asked)
    studio.page.evaluate(TWICE, IMAGE)
    asked = [name for name, _ in server.asked[before:]]
    assert asked.count(f"/{IMAGE}") == 1, "the browser asks for sw.js when it likes"


def told_size(document: str, before: str) -> float:
    """The bytes that a page of the manual tells, in MB after these words."""
    text = (Path(__file__).parents[3] / "docs" / f"{document}.md").read_text()
    (found,) = re.findall(rf"{before} ([\d.]+) MB", text)
    return 1e6 * float(found)


def test_an_address_opens_its_program(studio: Studio) -> None:
    page = studio.page
    assert studio.opened == "dimraw", "the page was opened with #edit=dimraw"
    page.select_option("#project", "hello")
    expect(page).to_have_url(re.compile("#edit$"))
    page.evaluate(HASH, "#edit=nothing")
    expect(page.locator("#toast")).to_contain_text("no program nothing")
    assert page.input_value("#project") == "hello"


def test_an_address_opens_a_source_of_this_site_and_no_other(
    studio: Studio, site: Path, tmp_path: Path
) -> None:
    page = studio.page
    (site / "lessons").mkdir()
    (site / "lessons" / "first.xb").write_text('PRINT "FIRST LESSON"\n')
    (site / "lessons" / "long.xb").write_text("!" * 500_001)
    (site / "lessons" / "odd.xb").write_bytes(b"A=1\0\xff")
    page.evaluate(HASH, "#open=lessons/first.xb")
    expect(page.locator(".cm-content")).to_contain_text("FIRST LESSON")
    assert page.input_value("#project") == "first"
    for asked, message in (
        ("https://example.org/x.xb", "of this site only"),
        ("//example.org/x.xb", "of this site only"),
        ("javascript:alert(1)//x.xb", "of this site only"),
        ("lessons/none.xb", "cannot be loaded from this site (404)"),
        ("index.html", "end in .xb or .bas"),
        ("lessons/long.xb", "too long for a program"),
        ("lessons/odd.xb", "is not a text"),
    ):
        page.evaluate(HASH, f"#open={asked}")
        expect(page.locator("#toast")).to_contain_text(message)
        assert page.input_value("#project") == "first"
    studio.wrong = [each for each in studio.wrong if "404" not in each]


def test_what_the_page_needs_is_compiled_and_built_before(site: Path) -> None:
    library = ZipFile(site / "pyodide/python_stdlib.zip").namelist()
    assert "json/__init__.pyc" in library
    assert not [n for n in library if n.endswith(".py")]
    ours = ZipFile(site / "ti99tools.zip").namelist()
    assert len([name for name in ours if "/_kept/game-" in name]) == len(game_names())
    texts = [name for name in ours if name.endswith(".py")]
    assert texts
    assert all(name.startswith("ti99tools/_xbasic/") for name in texts)


def test_without_a_sound_image_python_begins_afresh(context: Any, server: Server) -> None:
    studio = Studio(context, server.address)
    studio.page.goto(server.address + "#help")
    damaged = studio.page.evaluate(SPOILT, IMAGE)
    studio.page.reload()
    studio.settle()
    assert damaged
    assert not studio.page.evaluate("studio.machine.client.woken")
    assert not studio.wrong
    studio.page.close()


SPOILT = """async (name) => {
  for (const kept of await caches.keys()) {
    const cache = await caches.open(kept);
    const address = new URL(name, document.baseURI);
    if (!(await cache.match(address))) continue;
    const text = new Blob(["not what it was"]).stream().pipeThrough(new CompressionStream("gzip"));
    await cache.put(address, new Response(text));
    return true;
  }
}"""


def test_a_link_carries_a_program(context: Any, studio: Studio, server: Server) -> None:
    dropped(studio)
    studio.page.click("#share")
    expect(studio.page).to_have_url(re.compile("#run="))
    expect(studio.page.locator("#toast")).to_contain_text("on the clipboard")
    other = Studio(context, server.address)
    link = studio.page.url.partition("#")[2]
    other.page.goto(f"{server.address}#{link}")
    other.shows("DROPPED")
    expect(other.page).to_have_url(re.compile("#play=old"))
    names = other.page.evaluate("Object.keys(studio.store.projects)")
    other.page.evaluate(HASH, "#" + link.replace("run=", "xb="))
    expect(other.page).to_have_url(re.compile("#edit"))
    expect(other.page.locator(".cm-content")).to_contain_text("DROPPED")
    assert other.page.evaluate("Object.keys(studio.store.projects)") == names, "one is enough"
    other.page.close()


def test_a_reload_brings_what_was_written_since_the_program_was_shared(studio: Studio) -> None:
    page = studio.page
    studio.begin('PRINT "SHARED"\n')
    name = page.input_value("#project")
    page.click("#share")
    expect(page).to_have_url(re.compile("#run="))
    studio.write('PRINT "WRITTEN SINCE"\n')
    expect(page).to_have_url(re.compile("#edit$"))
    page.evaluate("studio.store.write(studio.programs.name)")
    page.reload()
    studio.settle()
    expect(page.locator("#project")).to_have_value(name)
    expect(page.locator(".cm-content")).to_contain_text("WRITTEN SINCE")
    page.click("#share")
    expect(page).to_have_url(re.compile("#run="))
    page.select_option("#project", "tune")
    expect(page).to_have_url(re.compile("#edit$"))


def test_a_program_goes_as_one_page_that_plays_it(
    chromium: Any, studio: Studio, tmp_path: Path
) -> None:
    page = studio.page
    studio.begin('CALL CLEAR\nPRINT "ONE FILE"\nREPEAT\nUNTIL 0\n')
    page.select_option("#form", "html")
    file = tmp_path / "own.html"
    file.write_bytes(studio.download("#build"))
    page.select_option("#form", "dsk")
    alone = chromium.new_context()
    found = Studio(alone, file.as_uri())
    found.page.goto(found.address)
    found.shows("ONE FILE")
    assert not found.wrong
    for document in ("web", "publishing"):
        assert abs(told_size(document, "one page of") - file.stat().st_size) < 300_000, document
    found.page.click("#change")
    expect(found.page.locator(".cm-content")).to_contain_text("ONE FILE")
    alone.close()


@pytest.mark.parametrize("lack", ["streams", "exceptions", "grammar"])
def test_a_browser_that_is_too_old_is_told_so(chromium: Any, server: Server, lack: str) -> None:
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    if lack == "streams":
        page.add_init_script("delete window.DecompressionStream")
    elif lack == "exceptions":
        page.add_init_script("WebAssembly.validate = () => false")
    else:
        script = {"body": "class { later }", "content_type": "text/javascript"}
        page.route("**/main.js", lambda route: route.fulfill(**script))
    before = len(server.asked)
    page.goto(server.address + "#play=d5000")
    expect(page.locator("#old")).to_contain_text("This browser is too old")
    page.wait_for_load_state("networkidle")
    assert not [name for name, _ in server.asked[before:] if "pyodide" in name]
    context.close()


LOOP = "100 FOR I=1 TO 20000\n110 A=A+I*2\n120 IF A>5000 THEN A=A-5000 ELSE B=B+1\n130 NEXT I\n"
SLOWER = 6
"""How many times as long as this computer's own Python the page may take."""
MATCHES = 100


@pytest.mark.bench
def test_the_page_is_fast(studio: Studio, capsys: pytest.CaptureFixture[str]) -> None:
    """Measured on an idle computer, as ratios to its own Python: `pytest -m bench tests/web`."""
    page = studio.page
    page.reload()
    studio.settle()
    ready = page.evaluate("performance.getEntriesByName('ready')[0].startTime / 1000")
    page.click("#new")
    text = LOOP + "140 A=0 :: B=0 :: GOTO 100\n"
    studio.write(text)
    page.locator("input[value=max]").check(force=True)
    page.click("#run")
    page.wait_for_timeout(5000)
    speed = page.evaluate("studio.machine.ratio")
    page.click("#stop")
    page.locator("input[value='1']").check(force=True)
    console = Console()
    console.load(Program.from_listing(text))
    console.run(seconds=600)
    before, begun = console.clock.seconds, time.perf_counter()
    while time.perf_counter() - begun < 5:
        console.resume(600)
    own_speed = (console.clock.seconds - before) / (time.perf_counter() - begun)
    page.select_option("#project", "d5000")
    page.click("#for-prove")
    page.fill("#tab-prove input[type=number] >> nth=0", str(MATCHES))
    page.click("#verify")
    expect(page.locator("#verdict")).to_contain_text(f"✓ {MATCHES} matches", timeout=5 * READY)
    match = re.search(r"\(([\d.]+) s\)", page.inner_text("#verdict"))
    assert match is not None
    seconds = float(match[1])
    jobs = page.evaluate("Math.min(4, navigator.hardwareConcurrency)")
    begun = time.perf_counter()
    with workers(jobs) as pool:
        assert Campaign(subject_of(find_game("d5000")), matches=MATCHES).run(pool).ok
    own = time.perf_counter() - begun
    with capsys.disabled():
        print(
            f"\nready in {ready:.1f} s; {speed:,.0f} x (Python: {own_speed / speed:.1f} times"
            f" that); {MATCHES} matches in {seconds:.1f} s, {seconds / own:.1f} times"
            f" as long as in {jobs} processes"
        )
    assert own_speed / speed < SLOWER
    assert seconds / own < SLOWER
