"""The studio in a real browser: a program is written, mended, run, played, debugged, proven.

Skipped where Chromium, npm or playwright (`pip install 'ti99tools[web]'`) is missing.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zlib import compressobj

import pytest

from tests.shipped import shipped
from tests.web.browsing import FLAGS, Server, browser_path, serving
from ti99tools import Console, DiskImage, Program
from ti99tools.app.build import build_all
from ti99tools.base.codes import RGB
from ti99tools.base.errors import TIError
from ti99tools.base.workers import workers
from ti99tools.computer.console.cartridge_console import CartridgeConsole
from ti99tools.fronts.web.site.making import IMAGE as KEPT_IMAGE
from ti99tools.fronts.web.site.making import make_site
from ti99tools.games.making.finding import find_game, game_names
from ti99tools.games.verify.campaign import Campaign, subject_of
from ti99tools.media.disk.tifile import DiskFile, FileType

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect

MISTAKEN = 'CALL CLEAR\nPRITN "WHAT IS YOUR NAME"\nINPUT N$\nPRINT "HELLO ";N$\n'
FIRST_LOAD = 16_000_000
LATER_LOAD = 10_000_000
IMAGE = f"pyodide/{KEPT_IMAGE}"
READY = 180_000
"""Milliseconds: computers that test have much else to do."""
expect.set_options(timeout=READY)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for program in ("npm", "node"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("site")
    try:
        make_site(folder)
    except TIError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="module")
def server(site: Path) -> Iterator[Server]:
    with serving(site) as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    path = browser_path()
    if path is None:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


class Studio:
    """The page, with the words of its user."""

    def __init__(self, context: Any, address: str) -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(READY)
        self.wrong: list[str] = []
        self.loaded: list[tuple[str, int]] = []
        """What the first load asked for, with its size."""
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._note)
        self.address = address

    def _note(self, message: Any) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def load(self, fragment: str = "#edit") -> None:
        self.page.goto(self.address + fragment)
        self.settle()

    def settle(self) -> None:
        expect(self.page.locator("body.ready")).to_be_attached(timeout=READY)
        expect(self.page.locator("#problems")).not_to_be_empty(timeout=READY)

    def write(self, text: str) -> None:
        """Put another text into the editor, as a paste does."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def shows(self, text: str) -> None:
        """Wait until the console's screen shows a text."""
        expect(self.page.locator("#text")).to_contain_text(text)

    def state(self, text: str) -> None:
        expect(self.page.locator("#state")).to_contain_text(text)

    def download(self, button: str) -> bytes:
        with self.page.expect_download() as info:
            self.page.click(button)
        return Path(info.value.path()).read_bytes()


@pytest.fixture(scope="module")
def context(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(
        viewport={"width": 1440, "height": 900}, permissions=["clipboard-write"]
    )
    yield context
    context.close()


@pytest.fixture(scope="module")
def studio(context: Any, server: Server) -> Studio:
    studio = Studio(context, server.address)
    before = len(server.asked)
    studio.load("#edit=dimraw")
    studio.page.evaluate(KEPT)
    studio.loaded = server.asked[before:]
    return studio


def test_the_first_load_is_small(studio: Studio) -> None:
    *needed, (last, size) = [each for each in studio.loaded if each[0] != "/sw.js"]
    assert last == f"/{IMAGE}" and size < LATER_LOAD, "for later visits, after all else"
    whole = sum(size for _, size in needed)
    assert 5_000_000 < whole < FIRST_LOAD
    assert abs(told_size("web", "The first visit loads") - whole) < 300_000
    names = [name for name, _ in needed if name.endswith((".packed", ".zip"))]
    assert len(names) == len(set(names)) and last not in names, "each file is fetched once"


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
    text = (Path(__file__).parents[2] / "docs" / f"{document}.md").read_text()
    (found,) = re.findall(rf"{before} ([\d.]+) MB", text)
    return 1e6 * float(found)


def test_an_address_opens_its_program(studio: Studio) -> None:
    page = studio.page
    assert page.input_value("#project") == "dimraw", "the page was opened with #edit=dimraw"
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
    for asked, told in (
        ("https://example.org/x.xb", "of this site only"),
        ("//example.org/x.xb", "of this site only"),
        ("javascript:alert(1)//x.xb", "of this site only"),
        ("lessons/none.xb", "cannot be loaded from this site (404)"),
        ("index.html", "end in .xb or .bas"),
        ("lessons/long.xb", "too long for a program"),
        ("lessons/odd.xb", "is not a text"),
    ):
        page.evaluate(HASH, f"#open={asked}")
        expect(page.locator("#toast")).to_contain_text(told)
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


def test_a_program_is_written_mended_run_and_taken_home(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    page.click("#new")
    studio.write(MISTAKEN)
    mark = page.locator(".cm-lintRange-error")
    expect(mark).to_have_count(1)
    expect(page.locator("#problems .error")).to_contain_text("did you mean PRINT?")
    assert "circle" not in page.evaluate(MARKER), "breakpoints are circles"
    page.click("#run")
    expect(page.locator("#toast")).to_contain_text("PRINT")
    studio.write(MISTAKEN.replace("PRITN", "PRINT"))
    expect(mark).to_have_count(0)
    expect(page.locator(".numbers")).to_contain_text("100")
    page.keyboard.press("Control+Enter")
    studio.shows("WHAT IS YOUR NAME")
    expect(page.locator("#screen")).to_be_focused()
    ran = page.locator("#ran")
    expect(ran).to_have_text(re.compile(r"^program[\w-]*, as in the editor$"))
    for key in ("B", "o", "B", "Enter"):
        page.keyboard.press(key, delay=150)
        page.wait_for_timeout(150)
    studio.shows("HELLO BOB")
    studio.state("At the prompt")
    assert len({*page.evaluate(PIXELS)}) > 1, "something is drawn"
    disk = tmp_path / "own.dsk"
    disk.write_bytes(studio.download("#build"))
    console = Console({"DSK1": DiskImage.open(disk)})
    console.boot()
    assert console.run_until("WHAT IS YOUR NAME", seconds=20)
    page.select_option("#form", "bin")
    studio.write('10 INPUT "NAME":N$\n')
    page.click("#build")
    expect(page.locator("#toast")).to_contain_text("INPUT")
    studio.write('10 PRINT "CARTRIDGE"\n20 GOTO 20\n')
    cartridge = CartridgeConsole(studio.download("#build"))
    cartridge.choose()
    cartridge.wait(60)
    assert any("CARTRIDGE" in row for row in cartridge.screen.rows)
    page.select_option("#form", "dsk")
    page.check("#compiled")
    page.click("#run")
    studio.shows("CARTRIDGE")
    expect(ran).to_contain_text(", compiled, as in the editor")
    studio.write(MISTAKEN.replace("PRITN", "PRINT"))
    page.click("#run")
    studio.shows("WHAT IS YOUR NAME")
    expect(page.locator("#toast")).to_contain_text("does not compile: program")
    expect(ran).not_to_contain_text("compiled")
    page.uncheck("#compiled")
    studio.write(MISTAKEN)
    expect(ran).to_contain_text("before you changed the text")
    page.select_option("#project", "tune")
    expect(ran).to_contain_text("the editor shows tune")
    expect(page.locator("#edited")).to_have_text("tune")


def test_completion_is_asked_about_the_text_that_is_there(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("")
    page.keyboard.type("CALL SP", delay=20)
    offers = page.locator(".cm-tooltip-autocomplete")
    expect(offers).to_contain_text("SPRITE")
    expect(offers).not_to_contain_text("DISPLAY")
    page.keyboard.press("Escape")


def test_findings_of_another_program_are_dropped(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("PRITN 1\n")
    expect(page.locator("#problems .error")).to_have_count(1)
    page.evaluate(OTHER)  # before the answer is there
    expect(page.locator("#problems")).to_contain_text("No mistakes")
    expect(page.locator("#problems")).not_to_contain_text("PRINT")


MARKER = """() => getComputedStyle(document.querySelector(".cm-lint-marker-error")).content"""
OTHER = """() => {
  studio.programs.check();
  studio.programs.use("other", { main: "other.xb", files: { "other.xb": "PRINT 1" } });
}"""


PIXELS = """() => {
  const canvas = document.querySelector("#screen");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [...new Set(new Uint32Array(data.buffer))];
}"""


def test_a_game_plays_and_its_disk_is_that_of_build(studio: Studio) -> None:
    page = studio.page
    page.select_option("#project", "d5000")
    page.click("#tree [title='dice.xb']")
    expect(page.locator(".cm-content")).to_contain_text("dice")
    assert page.locator(".files").bounding_box()["height"] < 50, "a line, not a wall"
    page.click("#run")
    studio.shows("5 END")
    page.keyboard.press("1", delay=400)
    studio.shows("HOW MANY PLAYERS")
    built, _ = build_all(["d5000"])
    assert studio.download("#build") == built[0].image.to_bytes()
    page.click("#for-disks")
    expect(page.locator("[data-drive=DSK1]")).to_contain_text("D5000DOC")


def test_there_is_room_to_write_and_all_files_are_searched(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("N=1\n" * 60)
    page.click("#run")
    studio.state("At the prompt")
    page.set_viewport_size({"width": 1366, "height": 768})
    page.click("#fold-tools")
    assert page.evaluate(ROWS) >= 20
    page.click("#fold-console")
    assert page.evaluate(ROWS) >= 30
    page.click("#for-help")  # a tab that is chosen shows the tools
    folded = page.evaluate(ROWS)
    page.focus("#split-rows")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    assert page.evaluate(ROWS) > folded
    bar = page.locator("#split-rows").bounding_box()
    page.mouse.move(bar["x"] + 50, bar["y"] + 3)
    page.mouse.down()
    page.mouse.move(bar["x"] + 50, bar["y"] - 150)
    page.mouse.up()
    assert page.evaluate(ROWS) < folded
    page.dblclick("#split-rows")
    assert page.evaluate(ROWS) == folded
    page.click("#run-here")
    expect(page.locator("#screen")).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.select_option("#project", "d5000")
    expect(page.locator("#search-all")).to_be_visible()
    page.keyboard.press("Control+Shift+F")
    page.keyboard.type("call init")
    expect(page.locator("#tree [role=status]")).to_contain_text("found")
    place = page.locator("#tree .places button").last
    file, row = place.locator("b").inner_text().split(":")
    place.click()
    expect(page.locator("#files")).to_have_value(file)
    assert page.evaluate("studio.editor.row") == int(row)
    page.fill("#search-all", "")


ROWS = """() => {
  const row = document.querySelector(".cm-line").getBoundingClientRect().height;
  return Math.floor(document.querySelector(".cm-scroller").clientHeight / row);
}"""


def test_an_endless_program_is_fast_and_can_be_stopped(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("100 FOR I=1 TO 20000\n110 A=A+I*2\n120 NEXT I\n130 A=0 :: GOTO 100\n")
    page.locator("input[value=max]").check(force=True)
    page.click("#run")
    expect(page.locator("#clock")).to_contain_text("×")
    page.wait_for_function("() => studio.machine.ratio > 20")
    page.click("#pause")
    studio.state("Paused")
    expect(page.locator("#tab-variables")).to_contain_text("I")
    page.click("#stop")
    expect(page.locator("#stop")).to_be_disabled()
    page.locator("input[value='1']").check(force=True)


def test_a_tune_is_heard(studio: Studio) -> None:
    page = studio.page
    page.select_option("#project", "tune")
    page.evaluate(LISTEN)
    page.click("#run")
    page.wait_for_function("() => studio.loudness() > 0.05")
    page.click("#stop")
    page.wait_for_function("() => studio.loudness() === 0")


def test_the_audio_rests_in_silence_and_a_sound_that_wakes_it_is_whole(studio: Studio) -> None:
    page = studio.page
    page.evaluate("void (studio.machine.sound.rest = 400)")
    page.evaluate(LISTEN)
    page.evaluate("studio.machine.sound.stir()")
    page.wait_for_function("() => studio.machine.sound.context.state === 'suspended'")
    assert page.evaluate(HEARD, BEEP) == pytest.approx(BEEP * FRAME, rel=0.02)
    page.evaluate("void (studio.machine.sound.rest = 3000)")


BEEP = 12
"""Frames that sound: more than the processor lets wait when they are silent."""
FRAME = 50064 / 3e6
"""Seconds."""
HEARD = """async (beep) => {
  const { sound } = studio.machine;
  const { context, node } = sound;
  const analyser = context.createAnalyser();
  analyser.fftSize = 32768;
  node.connect(analyser);
  const frame = (level) => [254, 254, 254, 0, level, 15, 15, 15];
  sound.play([...Array(beep).fill(frame(0)), ...Array(4).fill(frame(15))]);
  while (context.state === "suspended") await new Promise((resolve) => setTimeout(resolve, 10));
  while (context.state === "running") await new Promise((resolve) => setTimeout(resolve, 10));
  const samples = new Float32Array(analyser.fftSize);
  analyser.getFloatTimeDomainData(samples);
  return samples.filter((sample) => sample).length / context.sampleRate;
}"""
LISTEN = """async () => {
  await studio.machine.sound.wake();
  const { context, node } = studio.machine.sound;
  const analyser = context.createAnalyser();
  node.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  studio.loudness = () => {
    analyser.getFloatTimeDomainData(samples);
    return Math.max(...samples.map(Math.abs));
  };
}"""


def test_a_console_that_does_not_answer_is_started_anew(studio: Studio) -> None:
    page = studio.page
    page.select_option("#project", "tune")
    page.evaluate("studio.machine.client.insist(new Promise(() => {}))")
    expect(page.locator("#toast")).to_contain_text("started anew")
    page.click("#run")
    studio.state("Running")


def test_breakpoints_steps_and_variables(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("N=1\nFOR I=1 TO 3\n  N=N*2\nNEXT I\nPRINT N\n")
    page.keyboard.press("Control+Home")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("F9")
    expect(page.locator(".breakpoint:visible")).to_have_count(1)
    page.click("#debug")
    studio.state("Stopped at program.xb:3, a breakpoint")
    value = page.locator(".variables [data-value=N]")
    expect(value).to_have_value("1")
    page.keyboard.press("F8")
    expect(value).to_have_value("2")
    page.keyboard.press("F11")
    expect(value).to_have_value("4")
    page.keyboard.press("F9")
    page.click("#stop")


TOTAL = 'FOR I=1 TO 6\n  T=T+I\nNEXT I\nPRINT "SUM";T\n'


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_debugger_goes_back_watches_and_sets(studio: Studio, scheme: str) -> None:
    page = studio.page
    page.emulate_media(color_scheme=scheme)
    page.click("#new")
    studio.write(TOTAL)
    name = page.input_value("#project")
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("F9")
    page.click("#for-variables")
    condition = page.locator(".breakpoints input")
    condition.fill("I=")
    page.click("#debug")
    studio.state("Stopped at program.xb:2, a breakpoint, whose condition fails")
    expect(page.locator(".breakpoint.asks:visible")).to_have_count(1)
    expect(condition).to_have_attribute("aria-invalid", "true")
    condition.fill("I=4")
    condition.press("Enter")
    page.click("#steps [data-pace=run]")
    studio.state("Stopped at program.xb:2, a breakpoint, I=4")
    value = page.locator(".variables [data-value=T]")
    expect(value).to_have_value("6")
    page.fill("[aria-label='Expression to watch']", "T>5")
    page.keyboard.press("Enter")
    expect(page.locator(".watches td").first).to_have_text("-1")
    page.click("#steps [data-back=run]")
    studio.state("Stopped at program.xb:2, T>5: 0 to -1, by this statement")
    expect(value).to_have_value("3")
    expect(page.locator(".cm-line.stands")).to_have_text("  T=T+I")
    page.keyboard.press("F7")
    studio.state("Stopped at program.xb:3, a step is done")
    page.keyboard.press("Shift+F8")
    studio.state("Stopped at program.xb:1, there is nothing to stop at before")
    page.keyboard.press("F7")
    studio.state("Stopped at program.xb:1, there is nothing before")
    axe_runs(page)
    assert not faults(page, RULES if scheme == "light" else ("color-contrast",))
    value.fill("100+I")
    value.press("Enter")
    expect(page.locator("#toast")).to_contain_text("T is 100+I now")
    page.click(".watches [aria-label='Watch T>5 no longer']")
    page.click(".breakpoints [aria-label='Remove the breakpoint at program.xb:2']")
    expect(page.locator(".breakpoint:visible")).to_have_count(0)
    page.click("#steps [data-pace=run]")
    studio.shows("SUM 121")
    studio.state("At the prompt")
    expect(page.locator("#steps [data-pace=step]")).to_be_disabled()
    page.click("#steps [data-back=step]")
    studio.state("Stopped at program.xb:4")
    expect(value).to_have_value("121")
    assert name == page.input_value("#project")
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("#views [data-view=play]")
    for each in page.locator("#steps button").all():
        expect(each).to_be_in_viewport(ratio=1)
        assert each.bounding_box()["height"] >= 24
    overflow = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(overflow)
    page.click("#views [data-view=tools]")
    expect(value).to_be_in_viewport(ratio=1)
    assert not page.evaluate(overflow)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.click("#stop")
    expect(page.locator("#steps")).to_be_hidden()
    page.emulate_media(color_scheme="light")


def test_a_character_is_drawn_and_becomes_source(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("#include <colors.xb>\nCALL CLEAR\nCALL HCHAR(12,16,128)\nREPEAT\nUNTIL 0\n")
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.click("#for-draw")
    page.select_option("#draw-new", "Character, 8 × 8")
    text = page.locator(".cm-content")
    expect(text).to_contain_text("#art 128")
    dot = page.locator("#dots [data-x='0'][data-y='0']")
    dot.hover()
    page.mouse.down()
    page.locator("#dots [data-x='3'][data-y='0']").hover()
    page.mouse.up()
    expect(text).to_contain_text("XXXX....")
    page.focus("#dots [tabindex='0']")
    for key in ("ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(page.locator("#dots [data-y='1'][aria-selected=true]")).to_have_count(1)
    page.click("#tab-draw button:has-text('Flip')")
    page.click("[aria-label=Dots] [aria-label='dark red']")
    expect(text).to_contain_text("COLOR DARK_RED,TRANSPARENT")
    expect(page.locator("#draw-rule")).to_contain_text("128 to 135 are set 13")
    expect(page.locator("#problems")).to_contain_text("No mistakes")
    page.click("#run")
    red = 0xFF000000 | int.from_bytes(bytes(RGB[6]), "little")
    page.wait_for_function(f"() => ({PIXELS})().some((each) => each === {red})")
    page.click("#stop")
    page.click("#for-help")


def test_a_drawing_goes_before_the_statement_that_shows_it(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write(
        "CONST SHIP=128\n! CALL SPRITE(#1,SHIP)\nCALL CLEAR\n"
        "CALL SPRITE(#1,SHIP,5,9,9)\nREPEAT\nUNTIL 0\n"
    )
    page.keyboard.press("Control+End")
    page.click("#for-draw")
    page.select_option("#draw-new", "Character, 8 × 8")
    rows = page.evaluate("studio.editor.text").split("\n")
    assert rows[2:4] == ["CALL CLEAR", "#art SHIP"]
    assert rows[13].startswith("CALL SPRITE")
    expect(page.locator("#problems")).to_contain_text("No mistakes")
    page.click("#for-help")


def test_a_tune_is_written_and_read_back(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("PRINT 1\n")
    page.keyboard.press("Control+Home")
    page.click("#for-tune")
    page.click("#notes [aria-label='C5, step 1']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.click("#tab-tune button:has-text('Voice 2')")
    page.click("#notes [aria-label='E4, step 2']")
    page.click("#tab-tune button:has-text('Noise')")
    page.click("#notes [aria-label='hiss, step 3']")
    page.get_by_label("Steps").fill("4")
    page.keyboard.press("Tab")
    page.click("#tune-put")
    text = page.locator(".cm-content")
    expect(text).to_contain_text("CALL SOUND(200,523,2)")
    expect(text).to_contain_text("CALL SOUND(200,523,2,330,6)")
    expect(text).to_contain_text("CALL SOUND(200,-6,8)")
    expect(text).to_contain_text("CALL SOUND(200,40000,30)")
    expect(page.locator("#problems")).to_contain_text("No mistakes")
    page.click("#tab-tune button:has-text('New tune')")
    page.locator(".cm-line", has_text="-6").click()
    page.click("#for-help")
    page.click("#for-tune")
    page.click("#tab-tune button:has-text('Voice 1')")
    for name in ("C5, step 1", "C5, step 2"):
        pressed = page.locator(f"#notes [aria-label='{name}']")
        expect(pressed).to_have_attribute("aria-selected", "true")
    page.evaluate(LISTEN)
    page.click("#tune-listen")
    page.wait_for_function("() => studio.loudness() > 0.05")
    page.wait_for_function("() => studio.loudness() === 0")
    expect(page.locator("#tune-listen")).to_contain_text("Listen")
    page.click("#new")
    page.click("#notes [aria-label='C5, step 4']")
    page.click("#tune-put")
    assert page.evaluate("studio.editor.text").count("CALL SOUND") == 2, "a rest, and the last note"


def test_a_tune_that_is_read_goes_back_as_it_was(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    tune = (
        "CALL SOUND(200,523,2)\nCALL SOUND(400,441,4,660,6)\nCALL SOUND(200,40000,30,330,9)\n"
        "CALL SOUND(200,110,30,110,30,2000,30,-4,0)\nCALL SOUND(200,9000,1,-6,8)\n"
    )
    studio.write(tune)
    page.keyboard.press("Control+Home")
    page.click("#for-tune")
    page.click("#tab-tune button:has-text('Voice 2')")
    expect(page.get_by_label("Volume of voice 2")).to_have_attribute("placeholder", "mixed")
    page.click("#tune-put")
    assert page.evaluate("studio.editor.text") == tune
    page.click("#tab-tune button:has-text('Voice 1')")
    page.click("#notes [aria-label='C5, step 2']")
    page.click("#for-help")
    page.click("#for-tune")
    expect(page.locator("#tab-tune")).to_contain_text("before you changed it here")
    page.click("#tune-put")
    changed = tune.replace("400,441,4", "200,523,1,660,6)\nCALL SOUND(200,441,4")
    assert page.evaluate("studio.editor.text") == changed
    studio.write("CALL SOUND(D,440,2)\n")
    page.keyboard.press("Control+Home")
    page.click("#for-help")
    page.click("#for-tune")
    expect(page.locator("#tab-tune")).to_contain_text("cannot be shown as steps")
    assert page.evaluate("studio.editor.text") == "CALL SOUND(D,440,2)\n"


def test_the_first_steps_are_ticked_as_they_are_done(studio: Studio) -> None:
    page = studio.page
    page.click("#for-help")
    page.click("#lessons button")
    now = page.locator("#lessons .now b")
    expect(now).to_have_text("Run a program")
    page.locator("input[value=max]").check(force=True)
    hello = 'CALL CLEAR\nPRINT "ANNA"\n'
    asking = hello + 'INPUT "NAME? ":N$\n'
    greeting = asking + 'PRINT "HELLO ";N$\n'
    loop = "FOR I=1 TO 10\nPRINT I;I*I\nNEXT I\n"
    drawn = "#art 128\n" + "XXXXXXXX\n" * 8 + "#end\nCALL HCHAR(12,10,128,8)\n"
    last = "REPEAT\nCALL KEY(0,K,S)\nUNTIL S=1\n"

    def run(text: str, then: str) -> None:
        if text:
            studio.write(text)
        page.click("#run")
        expect(now).to_have_text(then)

    run("", "Change it")
    run(hello, "Ask for something")
    studio.write(asking)
    expect(page.locator("#lessons .hint")).to_contain_text("Now print N$")
    studio.write(greeting)
    page.click("#run")
    studio.shows("NAME?")
    page.focus("#screen")
    page.keyboard.press("B", delay=100)
    page.keyboard.press("Enter", delay=100)
    expect(now).to_have_text("Make a mistake")
    studio.write(hello.replace("PRINT", "PRITN"))
    expect(now).to_have_text("Mend it")
    studio.write(hello)
    expect(now).to_have_text("Repeat")
    run(hello + loop, "Use color")
    run("CALL SCREEN(12)\n" + hello + loop, "Draw")
    run(drawn, "Wait for a key")
    studio.write(drawn + last)
    page.click("#run")
    expect(page.locator("#lessons .good")).to_contain_text("All done")
    page.click("#stop")
    page.locator("input[value='1']").check(force=True)
    page.evaluate("studio.programs.add('first-steps-of-mine', 'own.xb', 'PRINT 1')")
    expect(page.locator("#lessons ol")).to_have_count(0)  # a name like it is no lesson
    expect(page.locator("#lessons button")).to_be_visible()


def test_an_error_leads_to_its_row(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write("N=-1\nPRINT SQR(N)\n")
    page.click("#run")
    studio.state("BAD ARGUMENT")
    expect(page.locator(".cm-line.stands")).to_contain_text("SQR")


def test_a_disk_opens_with_its_catalogue_and_its_program(studio: Studio) -> None:
    page = studio.page
    page.evaluate(HASH, "#edit")
    image = DiskImage.new(name="MANY")
    saved = Program.from_listing('100 PRINT "FROM DISK"\n').saved().content
    assert isinstance(saved, bytes)
    image.add(DiskFile("GREET", FileType.PROGRAM, data=saved))
    page.evaluate(DROP, ["bad.zip", b64encode(b"PK").decode()])
    expect(page.locator("#toast")).to_have_class(re.compile("bad"))
    page.evaluate(DROP, ["my disk.dsk", b64encode(image.to_bytes()).decode()])
    expect(page.locator("#project")).to_have_value("my-disk")
    expect(page.locator(".cm-content")).to_contain_text("FROM DISK")
    expect(page.locator("[data-drive=DSK1]")).to_contain_text("MANY disk of my-disk")
    expect(page.locator("[data-drive=DSK1]")).to_contain_text("GREET")
    expect(page.locator("#toast")).not_to_have_class(re.compile("bad"))


def dropped(studio: Studio) -> str:
    """Drop a disk and a source on the page; gives the program whose drive has the disk."""
    built, _ = build_all(["lambo"])
    hfe = next(each.data for each in built[0].artefacts if each.name == "lambo.hfe")
    page = studio.page
    page.click("#new")  # its drives are empty
    page.evaluate(DROP, ["lambo.hfe", b64encode(hfe).decode()])
    expect(page.locator("[data-drive=DSK1]")).to_contain_text("LAMBO")
    before: str = page.input_value("#project")
    page.evaluate(DROP, ["old.bas", b64encode(b'100 PRINT "DROPPED"\n').decode()])
    expect(page.locator("#project")).not_to_have_value(before)
    expect(page.locator("#project")).to_have_value(re.compile("old"))
    return before


def drive(studio: Studio) -> Any:
    """DSK1 of the program in the editor."""
    studio.page.click("#for-disks")
    expect(studio.page.locator("#drives-of b")).to_have_text(studio.page.input_value("#project"))
    return studio.page.locator("[data-drive=DSK1]")


def answered(studio: Studio, asked: str, button: str = ".primary") -> None:
    """Answer the question that the page asks."""
    expect(studio.page.locator("#dialog h2")).to_contain_text(asked)
    studio.page.click(f"#dialog {button}")


def fetched(studio: Studio, label: str) -> None:
    """Fetch back what was replaced or deleted."""
    studio.page.click("#more summary")
    studio.page.click("#back")
    studio.page.locator(f"#dialog [aria-label='Fetch back {label}']").first.click()


WRITES = """100 OPEN #1:"DSK1.NOTE",OUTPUT
110 PRINT #1:"MINE"
120 CLOSE #1
130 PRINT "WRITTEN"
"""
CANCEL = "button:not(.primary)"


def test_disks_stay_with_their_programs_in_all_orders(studio: Studio) -> None:
    page = studio.page
    own = writer(studio)
    for game in ("d5000", "dimraw", "d5000"):
        page.evaluate(HASH, f"#play={game}")
        studio.shows("1 PLAY")
        page.evaluate(HASH, f"#edit={game}")
        expect(page.locator("#project")).to_have_value(game)
        expect(drive(studio)).to_contain_text(f"disk of {game}")
        expect(drive(studio)).not_to_contain_text("NOTE")
        remove = drive(studio).locator("[aria-label='Remove D5000DOC']")
        if game == "d5000" and remove.count():
            remove.click()
            answered(studio, "Remove D5000DOC")
        if game == "d5000":
            expect(remove).to_have_count(0)
            expect(drive(studio)).to_contain_text("LOAD")
    page.select_option("#project", own)
    expect(drive(studio)).to_contain_text("NOTE")
    page.click("#run")
    studio.shows("WRITTEN")
    page.reload()
    studio.settle()
    expect(drive(studio)).to_contain_text(f"MYDISK disk of {own}")
    expect(drive(studio)).to_contain_text("NOTE")
    page.select_option("#project", "d5000")
    expect(drive(studio)).to_contain_text("LOAD")
    expect(drive(studio)).not_to_contain_text("D5000DOC")
    fetched(studio, "disk D5000")
    answered(studio, "as it was")
    expect(drive(studio)).to_contain_text("D5000DOC")


def test_nothing_is_replaced_without_a_question_and_a_way_back(studio: Studio) -> None:
    page = studio.page
    own = writer(studio)
    other = DiskImage.new(name="OTHER").to_bytes()
    page.evaluate(DROP, ["other.dsk", b64encode(other).decode()])
    answered(studio, "Replace MYDISK in DSK1", CANCEL)
    page.evaluate(DROP, ["cut.dsk", b64encode(other[:5000]).decode()])
    answered(studio, "cut.dsk is damaged: image: it has 19 of 360 sectors. Replace MYDISK", CANCEL)
    expect(drive(studio)).to_contain_text("NOTE")
    page.evaluate(DROP, ["other.dsk", b64encode(other).decode()])
    answered(studio, "Replace MYDISK in DSK1")
    expect(drive(studio)).to_contain_text("OTHER")
    fetched(studio, "disk MYDISK")  # OTHER is empty: nothing to ask
    expect(drive(studio)).to_contain_text("NOTE")
    drive(studio).locator("button:has-text('New…')").click()
    page.click("#dialog .primary")
    answered(studio, "with a new disk")
    expect(drive(studio)).not_to_contain_text("NOTE")
    fetched(studio, "disk MYDISK")
    expect(drive(studio)).to_contain_text("NOTE")
    page.click("#more summary")
    page.click("#remove")
    answered(studio, f"Delete {own}?")
    expect(page.locator("#project")).to_have_value("hello")
    fetched(studio, f"program {own}")
    expect(page.locator("#project")).to_have_value(own)
    expect(page.locator(".cm-content")).to_contain_text("OPEN #1")
    expect(drive(studio)).to_contain_text("NOTE")
    studio.write("! LONG\n" * 100)
    studio.write("! GONE\n")
    fetched(studio, "text program.xb")
    expect(page.locator(".cm-content")).to_contain_text("LONG")
    page.evaluate(MANY)
    assert page.evaluate("studio.bin.all().then((all) => all.map(({ name }) => name))") == [
        f"{number}.xb" for number in range(24, 4, -1)
    ]


MANY = """async () => {
  for (let at = 0; at < 25; at++) {
    const thing = { kind: "file", name: `${at}.xb`, owner: "own", text: "", why: "removed" };
    await studio.bin.add(thing);
  }
}"""


def writer(studio: Studio) -> str:
    """Make a program of the user's that has written NOTE to its disk MYDISK; gives its name."""
    page = studio.page
    page.evaluate(HASH, "#edit")
    page.click("#new")
    studio.write(WRITES)
    own: str = page.input_value("#project")
    mine = b64encode(DiskImage.new(name="MYDISK").to_bytes()).decode()
    page.evaluate(DROP, ["my.dsk", mine])
    expect(drive(studio)).to_contain_text(f"MYDISK disk of {own}")
    page.click("#run")
    studio.shows("WRITTEN")
    return own


def test_files_are_dropped_on_the_page(studio: Studio) -> None:
    dropped(studio)
    studio.page.click("#run")
    studio.shows("DROPPED")


DROP = """([name, letters]) => {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""


def test_what_is_damaged_empty_or_endless_is_told(studio: Studio) -> None:
    page = studio.page
    page.click("#for-disks")
    drive = page.locator("[data-drive=DSK1]")
    expect(drive).to_be_visible()
    before, program = drive.inner_text(), page.input_value("#project")
    disk = bytearray(DiskImage.new("SSSD", "BAD").to_bytes())
    disk[256:258] = b"\xff\xff"
    toast = page.locator("#toast")
    for name, data, told in (
        ("bad.dsk", bytes(disk), "bad.dsk is damaged"),
        ("none.dsk", b"", "none.dsk is empty"),
        ("none.xb", b"", "none.xb is empty"),
        ("zeros.bin", bytes(5_000_000), "zeros.bin is too large"),
    ):
        page.evaluate(DROP, [name, b64encode(data).decode()])
        expect(toast).to_contain_text(told)
    deflate = compressobj(9, wbits=-15)
    bomb = deflate.compress(bytes(20_000_000)) + deflate.flush()
    for link, told in ((bomb, "too long to be"), (2 * bomb, "too long:"), (b"??", "damaged")):
        page.evaluate(HASH, "#xb=" + urlsafe_b64encode(link).decode().rstrip("="))
        expect(toast).to_contain_text(told)
    assert drive.inner_text() == before
    assert page.input_value("#project") == program


HASH = "(hash) => void (location.hash = hash)"


def test_the_text_in_the_editor_is_proven_and_a_change_greys_the_verdict(studio: Studio) -> None:
    page = studio.page
    page.click("#for-prove")
    expect(page.locator("#proves")).to_contain_text("no model of its rules")
    page.click("#proves button:has-text('Dice Rack')")
    page.click("#mine")
    expect(page.locator("#proves")).to_contain_text("my-dicerack, as it is in the editor")
    matches = page.locator("#tab-prove input[type=number] >> nth=0")
    verdict = page.locator("#verdict")
    matches.fill("4")
    page.click("#verify")
    expect(verdict).to_contain_text("✓ 4 matches")
    expect(verdict).to_have_class("good")
    assert page.locator("#wall figure.right canvas").count() >= 1
    report = page.frame_locator("#tab-prove iframe").locator("h1")
    expect(report).to_have_text("Games against their rules")
    digest = sha256(shipped("dicerack").image.to_bytes()).hexdigest()
    expect(page.locator("#proven")).to_contain_text(digest[:12])
    studio.write('PRINT "HELLO"\n')
    expect(verdict).to_have_class("stale")
    expect(page.locator("#proven")).to_contain_text("changed since")
    matches.fill("1")
    page.click("#verify")
    first = page.locator("#first-difference")
    expect(first).to_contain_text("seed 0: differs from the rules")
    expect(verdict).to_contain_text("✗ 1 of 1 matches differ")
    expect(page.locator("#wall figure.wrong")).to_have_count(1)
    expect(page.locator("#proven")).not_to_contain_text(digest[:12])


def test_all_of_it_is_reached_by_keyboard(studio: Studio) -> None:
    page = studio.page
    assert not page.evaluate(NAMELESS)
    page.set_viewport_size({"width": 1440, "height": 560})
    for tab in ("help", "disks", "prove"):
        page.click(f"#for-{tab}")
        assert not page.evaluate(STUCK), tab
    page.click("#for-help")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.wait_for_function("() => document.querySelector('#tab-help').scrollTop > 0")
    with page.expect_popup() as popup:
        page.click("#tab-help a")
    expect(popup.value.locator("h1")).to_contain_text("The dialect")
    popup.value.close()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.focus("#screen")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") != "screen"
    page.locator(".cm-content").click()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.activeElement.classList.contains('cm-content')")
    seen = set()
    page.focus("#project")
    for _ in range(110):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id"))
        if page.evaluate("document.activeElement.classList.contains('cm-content')"):
            page.keyboard.press("Escape")
    assert {"new", "open", "share", "build", "run", "debug", "screen", "sound"} <= seen


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_room(studio: Studio, scheme: str) -> None:
    rules = RULES if scheme == "light" else ("color-contrast",)  # nothing else depends on it
    page = studio.page
    axe_runs(page)
    page.emulate_media(color_scheme=scheme)
    page.evaluate(HASH, "#edit")
    page.click("#new")
    studio.write("#art 128\nX.X.X.X.\n" + "........\n" * 7 + "#end\nCALL SOUND(99,440,2)\n")
    page.click("#for-help")
    assert not faults(page, rules)
    for tab in ("disks", "tune", "prove", "draw", "memory"):
        page.click(f"#for-{tab}")
        assert not faults(page, rules, "#tools"), tab
    for room, shown in (("#play=dimraw", "#playing"), ("#", "#shop")):
        page.evaluate(HASH, room)
        expect(page.locator(shown)).to_be_visible()
        assert not faults(page, rules), room
    page.evaluate(HASH, "#edit")
    page.emulate_media(color_scheme="light")


def test_axe_names_the_rule_and_the_element(studio: Studio) -> None:
    page = studio.page
    axe_runs(page)
    page.evaluate("$save = document.querySelector('#save'); void ($save.innerHTML = '')")
    page.evaluate("void $save.removeAttribute('title')")
    (found,) = faults(page)
    assert found.startswith('button-name (critical): <button id="save"')
    page.evaluate("void ($save.textContent = 'Download source')")
    assert not faults(page)


RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""Groups of rules, as axe calls them."""
AXE = """async ([rules, where]) => {
  const { violations } = await axe.run(where, { runOnly: rules, resultTypes: ["violations"] });
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html} ${failureSummary}`));
}"""


def axe_runs(page: Any) -> None:
    """Let the page have axe-core."""
    package = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
    if page.evaluate("!globalThis.axe"):
        page.evaluate(package.AXE_SCRIPT)


def faults(page: Any, rules: Sequence[str] = RULES, where: str = "html") -> list[str]:
    """What keeps people from using the page as it is shown: rule, impact and element of each."""
    return list(page.evaluate(AXE, [rules, where]))


STUCK = """() => [...document.querySelectorAll("main *")]
  .filter((each) => each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 0)
  .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowY))
  .filter((each) => each.tabIndex < 0 && !each.querySelector("button, a, input, [tabindex='0']"))
  .map((each) => each.outerHTML.slice(0, 80))"""
NAMELESS = """() => [...document.querySelectorAll("button, select, input, canvas, iframe")]
  .filter((each) => !each.hidden && each.type !== "file")
  .filter((each) => !(each.innerText?.trim() || each.labels?.length || each.title ||
                      each.getAttribute("aria-label") || each.textContent.trim()))
  .map((each) => each.outerHTML)"""


def test_nothing_was_wrong(studio: Studio) -> None:
    assert not studio.wrong
    assert studio.page.locator("#old").is_hidden(), "this browser is not too old"


def test_a_reload_keeps_the_sources_and_needs_no_server(studio: Studio, server: Server) -> None:
    before_it = dropped(studio)
    name = studio.page.input_value("#project")
    studio.page.click("#for-tune")
    studio.page.click("#notes [aria-label='C5, step 1']")
    before = len(server.asked)
    studio.page.reload()
    studio.settle()
    expect(studio.page.locator("#project")).to_have_value(name)
    expect(studio.page.locator(".cm-content")).to_contain_text("DROPPED")
    studio.page.select_option("#project", "d5000")
    studio.page.click("#tree [title='score.xb']")
    studio.page.evaluate("studio.editor.go(40)")
    studio.page.click("#fold-tools")
    studio.page.reload()
    studio.settle()
    expect(studio.page.locator("#files")).to_have_value("score.xb")
    assert studio.page.evaluate("studio.editor.row") == 40
    expect(studio.page.locator("#tab-help")).to_be_hidden()
    studio.page.select_option("#project", name)
    studio.page.click("#for-disks")
    expect(studio.page.locator("[data-drive=DSK1]")).to_contain_text("empty")
    studio.page.select_option("#project", before_it)
    expect(studio.page.locator("[data-drive=DSK1]")).to_contain_text("LAMBODOC")
    studio.page.select_option("#project", name)
    assert [name for name, _ in server.asked[before:] if name != "/sw.js"] == []
    assert studio.page.evaluate("studio.machine.client.woken")


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


def test_a_tune_that_is_not_in_the_source_stays_with_its_program(studio: Studio) -> None:
    page = studio.page
    page.click("#for-tune")
    name = page.input_value("#project")
    pressed = page.locator("#notes [aria-selected=true]")
    expect(pressed).to_have_count(1)  # the page was loaded anew since it was set
    page.select_option("#project", "hello")
    expect(pressed).to_have_count(0)
    page.click("#notes [aria-label='C5, step 2']")
    assert page.evaluate(LEAVING), "a shipped program keeps no tune"
    page.click("#mine")
    expect(page.locator("#notes [aria-label='C5, step 2']")).to_have_attribute(*SELECTED)
    page.wait_for_function(f"!({LEAVING})()")  # the copy is being written until then
    page.select_option("#project", "hello")
    expect(pressed).to_have_count(0)
    page.select_option("#project", name)
    expect(page.locator("#notes [aria-label='C5, step 1']")).to_have_attribute(*SELECTED)
    page.click("#tune-put")
    expect(page.locator(".cm-content")).to_contain_text("CALL SOUND(200,523,2)")
    assert page.evaluate("studio.store.projects[studio.programs.name].tune") is None


SELECTED = ("aria-selected", "true")


SAVE = """([name, text]) =>
  studio.store.save(name, { main: "program.xb", files: { "program.xb": text } })"""


def test_two_tabs_do_not_destroy_each_others_work(
    context: Any, studio: Studio, server: Server
) -> None:
    page = studio.page
    page.click("#new")
    studio.write("PRINT 1")
    name = page.input_value("#project")
    page.wait_for_timeout(300)
    other = context.new_page()
    other.goto(server.address)
    other.wait_for_function("(name) => studio.store.projects[name]", arg=name)
    other.evaluate(SAVE, [name, "PRINT 2"])
    expect(page.locator(".cm-content")).to_have_text("PRINT 2")
    page.evaluate("studio.store.hear = () => {}")  # this tab does not hear it in time
    other.evaluate(SAVE, [name, "PRINT 3"])
    studio.write("PRINT 4")
    expect(page.locator("#toast")).to_contain_text("another tab")
    expect(page.locator("#project")).not_to_have_value(name)
    other.close()
    third = context.new_page()
    third.goto(server.address)
    third.wait_for_function("() => Object.keys(studio.store.projects).length")
    kept = third.evaluate("Object.values(studio.store.projects).map((each) => each.files)")
    assert {"program.xb": "PRINT 3"} in kept
    assert {"program.xb": "PRINT 4"} in kept
    third.close()
    page.evaluate("delete studio.store.hear")


def test_a_browser_that_keeps_nothing_says_so(chromium: Any, server: Server) -> None:
    private = chromium.new_context()
    private.add_init_script(NOTHING)
    page = private.new_page()
    page.goto(server.address)
    page.wait_for_function("() => globalThis.studio")
    page.evaluate(SAVE, ["own", "PRINT 1"])
    expect(page.locator("#toast")).to_contain_text("keeps nothing")
    assert page.evaluate(LEAVING), "a page that cannot keep its programs is not left unasked"
    private.close()


def test_what_is_damaged_is_left_alone_and_a_full_browser_says_so(
    chromium: Any, server: Server
) -> None:
    alone = chromium.new_context()
    page = alone.new_page()
    page.set_default_timeout(READY)
    page.goto(server.address)
    page.wait_for_function("() => globalThis.studio?.store.base")
    page.evaluate(DAMAGE)
    page.reload()
    expect(page.locator("body.ready")).to_be_attached(timeout=READY)
    expect(page.locator("#toast")).to_contain_text("left as it is in this browser: broken")
    names = page.evaluate("studio.store.names")
    assert names == ["odd", "whole"], "the older form, as far as it goes"
    assert page.evaluate("studio.store.projects.odd.tune") is None
    page.evaluate("studio.programs.add('broken', 'own.xb', 'PRINT 1')")
    page.evaluate("studio.diskStore.save()")
    page.wait_for_function("() => !studio.store.writing.size && !studio.diskStore.saving")
    kept = page.evaluate(KEPT_RECORDS)
    assert {"name": "broken", "files": {"own.xb": "MY WORK"}} in kept["programs"]
    assert [each["drive"] for each in kept["disks"]] == ["DSK1"]
    assert any(each["name"] == "broken-2" for each in kept["programs"])
    page.evaluate(FULL)
    page.evaluate(SAVE, ["large", "PRINT 2"])
    expect(page.locator("#toast")).to_contain_text("no room left")
    assert page.evaluate(LEAVING)
    page.evaluate("() => void (IDBObjectStore.prototype.put = studio.put)")
    page.evaluate(SAVE, ["large", "PRINT 2"])
    page.wait_for_function("() => !studio.store.unkept.size")
    assert not page.evaluate(LEAVING)
    alone.close()


LEAVING = """() => {
  const event = new Event("beforeunload", { cancelable: true });
  return !window.dispatchEvent(event);
}"""
DAMAGE = """async () => {
  const { store, diskStore } = studio;
  const put = (table, record) => new Promise((resolve) => {
    table.put(record);
    table.transaction.oncomplete = resolve;
  });
  await put(store.table("readwrite"), { name: "broken", files: { "own.xb": "MY WORK" } });
  const [files, tune] = [{ "a.xb": "PRINT 1" }, { tune: { steps: [1] } }];
  await put(store.table("readwrite"), { name: "odd", main: "a.xb", files, tune });
  const disk = { drive: "DSK1", origin: "", data: new Uint8Array(7) };
  await put(await diskStore.table("readwrite"), disk);
  const older = { whole: { main: "a.xb", files: { "a.xb": "PRINT 1" } }, torn: null };
  localStorage.setItem("ti99tools.projects", JSON.stringify(older));
  store.set("current", "broken");
}"""
KEPT_RECORDS = """async () => {
  const all = (table) => new Promise((resolve) => {
    table.getAll().onsuccess = ({ target }) => resolve(target.result);
  });
  const disks = await all(await studio.diskStore.table("readonly"));
  const programs = await all(studio.store.table("readonly"));
  return { programs, disks: disks.map(({ drive }) => ({ drive })) };
}"""
FULL = """() => {
  const error = { configurable: true, get: () => new DOMException("full", "QuotaExceededError") };
  studio.put = IDBObjectStore.prototype.put;
  Object.defineProperty(IDBTransaction.prototype, "error", error);
  IDBObjectStore.prototype.put = function () { this.transaction.abort(); };
}"""


NOTHING = """{
  const refuse = () => { throw new DOMException("denied", "SecurityError"); };
  indexedDB.open = refuse;
  for (const name of ["localStorage", "sessionStorage"]) {
    Object.defineProperty(window, name, { get: refuse });
  }
}"""


KEPT = """() => new Promise((resolve) => {
  navigator.serviceWorker.addEventListener("message", ({ data }) => data === "kept" && resolve());
  navigator.serviceWorker.controller.postMessage("keep");
})"""


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


def test_a_program_goes_as_one_page_that_plays_it(
    chromium: Any, studio: Studio, tmp_path: Path
) -> None:
    page = studio.page
    page.click("#new")
    studio.write('CALL CLEAR\nPRINT "ONE FILE"\nREPEAT\nUNTIL 0\n')
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


def test_a_game_of_the_shop_window_is_played_on_a_phone(chromium: Any, server: Server) -> None:
    phone = chromium.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme="dark"
    )
    studio = Studio(phone, server.address)
    page = studio.page
    page.goto(server.address)
    page.wait_for_function(PICTURES)
    assert not page.locator("body.ready").count(), "the pictures do not wait for Python"
    page.tap("#still")
    page.wait_for_function(PICTURES.replace(".gif", ".png"))
    overflow = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(overflow)
    page.tap("[href='#play=dimraw']")
    expect(page.locator("#playing")).to_have_text("Dimraw")
    studio.shows("1 PLAY")
    screen = page.locator("#screen").bounding_box()
    assert screen["width"] >= 370
    assert screen["y"] + screen["height"] < 844
    assert not page.evaluate(overflow)
    for each in ("#pause", "#stop", "#reset", ".speed"):
        expect(page.locator(each)).to_be_in_viewport(ratio=1)
    key = page.locator("#named button[data-key='1']").bounding_box()
    assert min(key["width"], key["height"]) >= 44
    finger = phone.new_cdp_session(page)
    touched = {"x": key["x"] + 8, "y": key["y"] + 8}
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [touched]})
    expect(page.locator("#named button[data-key='1']")).to_have_class("down")
    expect(page.locator("#text")).not_to_contain_text("1 PLAY")
    expect(page.locator("#named button[data-key='5']")).to_have_text("5Men")
    expect(page.locator("#named button.down")).to_have_text("1White")
    page.evaluate("() => studio.machine.on.read('PLAY AGAIN? Y/N')")
    assert page.locator("#named button").all_text_contents() == ["YYes", "NNo", "1White"]
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("#named button")).to_have_text(["YYes", "NNo"])
    page.evaluate("() => studio.machine.on.read(studio.machine.told)")
    expect(page.locator("#named button[data-key='5']")).to_have_text("5Men")
    page.tap("#all-keys")
    expect(page.locator("#keypad button[data-cap='1']")).to_be_visible()
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator("#keypad button[data-cap='1']")).to_be_in_viewport(ratio=1)
    page.set_viewport_size({"width": 390, "height": 844})
    page.tap("#change")
    expect(page.locator("#edited")).to_have_text("dimraw")
    page.tap("#views [data-view=play]")
    box = page.locator("#sound").bounding_box()
    assert min(box["width"], box["height"]) >= 24
    assert not page.evaluate(overflow)
    assert not studio.wrong
    phone.close()


PICTURES = """() => {
  const all = [...document.querySelectorAll("#shop img")];
  return all.length === 4 && all.every((each) => each.src.includes(".gif") && each.naturalWidth);
}"""


def test_what_does_not_build_is_told_in_the_play_room_with_a_way_to_the_place(
    studio: Studio,
) -> None:
    page = studio.page
    page.evaluate(HASH, "#edit")
    page.click("#new")
    studio.write("CALL CLEAR\nPRITN 1\n")
    name = page.input_value("#project")
    page.evaluate(HASH, f"#play={name}")
    wrong = page.locator("#wrong")
    expect(wrong).to_contain_text(
        "program.xb:2:1: this fails with SYNTAX ERROR; did you mean PRINT?"
    )
    expect(page.locator("#state")).not_to_contain_text("Building")
    wrong.locator("a").click()
    expect(page.locator("#project")).to_have_value(name)
    expect(page.locator(".cm-activeLine")).to_have_text("PRITN 1")
    studio.write("PRINT 1\n")
    page.evaluate(HASH, f"#play={name}")
    studio.state("At the prompt")
    expect(wrong).to_be_hidden()


def test_a_match_that_was_left_goes_on_and_is_not_ended_unasked(studio: Studio) -> None:
    page = studio.page
    page.evaluate(HASH, "#play=lambo")
    studio.shows("1 PLAY")
    page.keyboard.press("1", delay=250)
    expect(page.locator("#text")).not_to_contain_text("1 PLAY")
    page.evaluate(HASH, "#")
    page.wait_for_function("() => studio.machine.paused")
    left = page.evaluate("studio.machine.state.clock")
    page.evaluate(HASH, "#play=lambo")
    expect(page.locator("#toast")).to_contain_text("goes on where you left it")
    page.wait_for_function("() => !studio.machine.paused")
    assert left <= page.evaluate("studio.machine.state.clock") < left + 60
    page.evaluate(HASH, "#play=dimraw")
    answered(studio, "End Lambo", CANCEL)
    expect(page.locator("#shop")).to_be_visible()
    page.evaluate(HASH, "#play=lambo")
    page.click("#pause")
    studio.state("Paused")
    page.click("#reset")
    studio.shows("1 PLAY")
    page.click("#stop")
    expect(page.locator("#stop")).to_be_disabled()
    page.evaluate(HASH, "#edit")
    expect(page.locator("#reset")).to_be_hidden()


EARLIER = """(most) => {
  const [minutes, seconds] = document.querySelector("#clock").textContent.split(/[: ]/);
  return 60 * minutes + Number(seconds) < most;
}"""


def test_a_moment_is_saved_and_comes_back_and_ten_seconds_are_taken_back(studio: Studio) -> None:
    page = studio.page
    page.evaluate(HASH, "#play=lambo")
    expect(page.locator("#stop")).to_be_enabled()
    studio.shows("1 PLAY")
    page.click("#states")
    axe_runs(page)
    assert not faults(page, where="#dialog")
    page.click("#dialog .primary")
    expect(page.locator("#toast")).to_contain_text("This moment of Lambo is saved")
    page.focus("#screen")
    page.keyboard.press("1", delay=250)
    expect(page.locator("#text")).not_to_contain_text("1 PLAY")
    page.wait_for_timeout(1500)
    page.click("#states")
    with page.expect_download() as found:
        page.click("text=GIF of the last seconds")
    assert Path(found.value.path()).read_bytes()[:6] == b"GIF89a"
    page.click("#states")
    page.click("#dialog li >> text=Load")
    studio.shows("1 PLAY")
    page.focus("#screen")
    page.keyboard.press("1", delay=250)
    expect(page.locator("#text")).not_to_contain_text("1 PLAY")
    page.click("input[value='10'] + span")
    page.wait_for_timeout(1500)
    page.click("input[value='1'] + span")
    before = page.evaluate("studio.machine.state.clock")
    page.click("#rewind")
    page.wait_for_function(EARLIER, arg=before - 5)
    page.click("#stop")
    expect(page.locator("#rewind")).to_be_disabled()
    page.click("#states")
    expect(page.locator("#dialog .primary")).to_be_disabled()
    page.click("#dialog li >> text=Load")
    studio.state("Running")
    page.click("#states")
    page.click("#dialog li >> text=Delete")
    page.click("#dialog .primary")
    expect(page.locator("#dialog")).to_contain_text("There is none yet")
    page.click("#dialog >> text=Go on")
    page.evaluate(HASH, "#edit")
    page.click("#more summary")
    page.click("#back")
    page.click("#dialog li:has-text('lambo saved state') button")
    expect(page.locator("#toast")).to_contain_text("The state of Lambo is there again")


def test_a_game_is_reached_and_played_by_keys_alone_and_nothing_moves(studio: Studio) -> None:
    page = studio.page
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(HASH, "#")
    page.wait_for_function(STANDING)
    expect(page.locator("#still")).to_be_hidden()
    page.evaluate("document.activeElement.blur()")
    seen: list[str] = []
    while "#play=lambo" not in seen:
        assert len(seen) < 20, seen
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.hash"))
    assert [name for name in seen if name and "play=" in name][:2] == [
        "#play=dicerack",
        "#play=d5000",
    ]
    page.keyboard.press("Enter")
    expect(page.locator("#playing")).to_have_text("Lambo")
    studio.shows("1 PLAY")
    expect(page.locator("#screen")).to_be_focused()
    page.keyboard.press("1", delay=250)
    expect(page.locator("#text")).not_to_contain_text("1 PLAY")
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(HASH, "#edit")
    expect(page.locator("#new")).to_be_visible()


STANDING = """() => {
  const all = [...document.querySelectorAll("#shop img")];
  return all.length === 4 && all.every((each) => each.currentSrc.endsWith(".png") && each.complete);
}"""


def test_keys_on_the_screen_move_the_joystick(studio: Studio) -> None:
    page = studio.page
    page.click("#new")
    studio.write(
        "100 CALL CLEAR\n110 CALL JOYST(1,X,Y)\n120 CALL KEY(1,K,S):: IF S=0 THEN CALL KEY(5,K,S)\n"
        "130 DISPLAY AT(5,5):X;Y;K\n140 GOTO 110\n"
    )
    page.click("#run")
    studio.shows("0  0 -1")
    page.check("#stick")
    page.check("#keys")
    for cap, shown in (("◀", "-4  0 -1"), ("▲", "0  4 -1"), ("SPACE", "0  0  18")):
        key = page.locator(f"#keypad button[data-cap='{cap}']").bounding_box()
        page.mouse.move(key["x"] + 8, key["y"] + 8)
        page.mouse.down()
        studio.shows(shown)
        page.mouse.up()
        studio.shows("0  0 -1")
    page.evaluate(PAD, {"axes": [-1, 0], "pressed": []})
    studio.shows("-4  0 -1")
    page.uncheck("#stick")
    studio.shows("0  0  2")  # the cross is the arrow keys again: S of keyboard 1
    page.evaluate(PAD, {"axes": [0, 0], "pressed": [0]})  # ENTER
    studio.shows("0  0  13")
    page.evaluate(PAD, None)
    page.focus("#screen")
    page.keyboard.press("F4", delay=300)
    studio.shows("BREAKPOINT")


PAD = """(held) => {
  const buttons = Array.from({ length: 16 }, (_, at) => ({ pressed: held?.pressed.includes(at) }));
  navigator.getGamepads = () => [held && { axes: held.axes, buttons }];
  window.dispatchEvent(new Event("gamepadconnected"));
}"""
LOOP = "100 FOR I=1 TO 20000\n110 A=A+I*2\n120 IF A>5000 THEN A=A-5000 ELSE B=B+1\n130 NEXT I\n"


def test_programs_are_named_copied_taken_home_and_brought_back(studio: Studio) -> None:
    page = studio.page

    def choose(what: str, name: str = "") -> None:
        page.click("#more summary")
        page.click(f"#{what}")
        if name:
            page.fill("#dialog input", name)
            page.click("#dialog .primary")

    page.click("#new")
    studio.write('#include "more.xb"\n')
    assert studio.download("#save").decode() == '#include "more.xb"\n'
    choose("rename", "my loop!")
    told = page.eval_on_selector("#dialog input", "input => input.validationMessage")
    assert "letters, digits" in told
    assert page.locator("#dialog").is_visible()
    page.fill("#dialog input", "mine")
    page.click("#dialog .primary")
    expect(page.locator("#project")).to_have_value("mine")
    choose("file-add", "more.xb")
    studio.write("PRINT 1\n")
    choose("duplicate")
    expect(page.locator("#project")).to_have_value("my-mine")
    archive = studio.download("#save")
    choose("remove")
    expect(page.locator("#dialog h2")).to_have_text("Delete my-mine?")
    page.click("#dialog .primary")
    page.evaluate(DROP, ["back.zip", b64encode(archive).decode()])
    expect(page.locator("#project")).to_have_value("back")
    expect(page.locator("#files")).to_contain_text("more.xb")
    expect(page.locator(".cm-content")).to_contain_text("include")


HOLD = """(wish) => {
  const { client } = studio.machine;
  const { call } = client;
  window.late = [];
  client.call = (name, ...rest) => {
    if (name !== wish) return call.call(client, name, ...rest);
    return new Promise((go) => late.push(() => go(call.call(client, name, ...rest))));
  };
  window.release = async () => {
    client.call = call;
    for (const go of late.splice(0)) go();
    await call.call(client, "hello"); // answers come in order
    await new Promise((go) => setTimeout(go, 50));
  };
}"""
"""Let the worker's answers of one name come late: when `release` is called."""


def test_of_two_openings_the_later_one_stays(studio: Studio) -> None:
    page = studio.page
    asked = "wish => late.length === wish"
    for opened, wish in (("late-1", "example"), ("late-2", "unpack")):
        page.click("#new")
        studio.write("PRINT 1\n")
        archive = studio.download("#save")
        page.evaluate(HOLD, wish)
        if wish == "example":
            page.click("#more summary")
            page.click("#remove")
            page.click("#dialog .primary")  # and the first sample opens
        else:
            with ZipFile(made := BytesIO(), "w") as zipped:
                zipped.writestr("late.xb", "PRINT 2\n")
            page.evaluate(DROP, ["late.zip", b64encode(made.getvalue()).decode()])
        page.wait_for_function(asked, arg=1)
        page.evaluate(DROP, [f"{opened}.bas", b64encode(archive).decode()])
        expect(page.locator("#project")).to_have_value(opened)
        page.evaluate("() => release()")
        assert page.input_value("#project") == opened
        assert page.locator(".cm-content").text_content() == "PRINT 1"
    kept = page.locator("#project option[value=late]")
    assert kept.count() == 1, "what was dropped is kept, though not shown"
    page.evaluate(HOLD, "example")
    page.select_option("#project", "dicerack")
    page.wait_for_function(asked, arg=1)
    page.evaluate(HASH, f"#edit={opened}")
    page.evaluate("() => release()")
    assert page.input_value("#project") == opened, "it was asked for again"


def test_a_folder_is_opened(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    folder = tmp_path / "My Game"
    (folder / "pictures").mkdir(parents=True)
    (folder / "main.xb").write_text('#include "more.xb"\n')
    (folder / "more.xb").write_text("PRINT 1\n")
    (folder / "pictures" / "one.png").write_bytes(b"\x89PNG\0")
    page.click("#more summary")
    with page.expect_file_chooser() as asked:
        page.click("#folder")
    asked.value.set_files(folder)
    expect(page.locator("#project")).to_have_value("my-game")
    expect(page.locator(".cm-content")).to_contain_text("include")
    expect(page.locator("#files")).to_contain_text("more.xb")
    expect(page.locator("#toast")).to_contain_text("one.png")


def test_shipped_games_stay_as_they_are(studio: Studio) -> None:
    page = studio.page
    deflate = compressobj(9, wbits=-15)
    link = deflate.compress(b"dimraw.xb\nPRINT 1\n") + deflate.flush()
    page.evaluate(HASH, "#xb=" + urlsafe_b64encode(link).decode().rstrip("="))
    expect(page.locator("#project")).to_have_value("dimraw-2")
    page.select_option("#project", "dimraw")
    expect(page.locator("#whose")).to_be_visible()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    first = page.locator(".cm-line >> nth=0")
    before = first.inner_text()
    page.keyboard.type("Z")
    expect(page.locator("#toast")).to_contain_text("Make my own copy")
    assert first.inner_text() == before
    page.click("#mine")
    page.keyboard.type("Z")
    expect(first).to_have_text(f"Z{before}")
    expect(page.locator("#project")).to_have_value("my-dimraw")
    page.select_option("#project", "dimraw")
    expect(page.locator("#whose")).to_be_visible()
    assert first.inner_text() == before


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
    found = re.search(r"\(([\d.]+) s\)", page.inner_text("#verdict"))
    assert found is not None
    seconds = float(found[1])
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
