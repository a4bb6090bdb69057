"""The page in WebKit, the engine of Safari: games play, programs run, work is kept, tools work.

WebKitGTK's MiniBrowser over WebDriver. Slow: `pytest -m slow tests/web/test_web_webkit.py`.
Skipped where its driver (Debian: webkit2gtk-driver), a display (or xvfb), npm or selenium is
missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.web.browsing import serving
from ti99tools.base.errors import TIError
from ti99tools.fronts.web.site.alone import PACKED, alone, parts
from ti99tools.fronts.web.site.making import make_site

selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
by_css = pytest.importorskip("selenium.webdriver.common.by").By.CSS_SELECTOR
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
ui = pytest.importorskip("selenium.webdriver.support.ui")
Service = pytest.importorskip("selenium.webdriver.webkitgtk.service").Service
pytestmark = pytest.mark.slow

DRIVER = "WebKitWebDriver"
READY = 600
"""Seconds: WebKit takes several times as long to start Python as other browsers."""
HELD = 0.3
"""Seconds that a key is held, so that a program that looks for keys sees it."""


@contextmanager
def display() -> Iterator[None]:
    """A screen to draw on: the one there is, or a virtual one."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        yield
        return
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        pytest.skip("there is neither a display nor Xvfb")
    ours, its = os.pipe()
    command = [xvfb, "-displayfd", str(its), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[its], stderr=subprocess.DEVNULL) as running:
        os.close(its)
        try:
            with os.fdopen(ours) as number, pytest.MonkeyPatch.context() as patch:
                patch.setenv("DISPLAY", f":{number.readline().strip()}")
                yield
        finally:
            running.terminate()


class Studio:
    """The page, with the words of its user."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver = driver
        self.address = address

    def open(self, fragment: str) -> None:
        """Open the page anew."""
        self.driver.get("about:blank")
        self.driver.get(self.address + fragment)

    def script(self, text: str, *given: object) -> Any:
        return self.driver.execute_script(text, *given)

    def wait(self, what: Callable[[], object], text: str) -> None:
        ui.WebDriverWait(self.driver, READY, 0.2).until(lambda _: what(), text)

    def text(self, selector: str) -> str:
        return str(self.script("return document.querySelector(arguments[0]).textContent", selector))

    def shows(self, selector: str, text: str) -> None:
        """Wait for a text in an element."""
        self.wait(lambda: text in self.text(selector), f"{text} in {selector}")

    def find(self, selector: str) -> Any:
        self.wait(lambda: self.driver.find_elements(by_css, selector), selector)
        return self.driver.find_element(by_css, selector)

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def press(self, key: str, held: float = 0.0, *modifiers: str) -> None:
        """Press a key that is held for some seconds, with modifiers."""
        actions = selenium.ActionChains(self.driver)
        for each in modifiers:
            actions.key_down(each)
        actions.key_down(key).pause(held).key_up(key)
        for each in modifiers:
            actions.key_up(each)
        actions.perform()

    def write(self, text: str) -> None:
        """Write another text into the editor, key by key."""
        self.click(".cm-content")
        self.press("a", 0, Keys.CONTROL)
        # Enter would take what a list of completions offers: Escape closes it.
        self.find(".cm-content").send_keys(text.replace("\n", Keys.ESCAPE + Keys.ENTER))

    def drag(self, start: str, end: str) -> None:
        """Draw with the pointer from one element to another, in one jump."""
        actions = selenium.ActionChains(self.driver).move_to_element(self.find(start))
        actions.click_and_hold().move_to_element(self.find(end)).release().perform()

    def choose(self, selector: str, text: str) -> None:
        """Choose the line of a list that shows a text."""
        ui.Select(self.find(selector)).select_by_visible_text(text)

    def settle(self) -> None:
        self.wait(lambda: self.driver.find_elements(by_css, "body.ready"), "the studio is ready")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    try:
        make_site(folder)
    except TIError as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with serving(folder) as server:
        yield server.address


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    path = shutil.which(DRIVER)
    if path is None:
        pytest.skip(f"there is no {DRIVER}: WebKitGTK has it")
    with display():
        driver = selenium.WebKitGTK(service=Service(path))
        driver.set_window_size(1440, 900)
        yield driver
        driver.quit()


@pytest.fixture
def studio(driver: Any, address: str) -> Studio:
    return Studio(driver, address)


def test_a_game_of_the_shop_window_plays_and_takes_a_key(studio: Studio) -> None:
    studio.open("")
    pictures = "return [...document.querySelectorAll('#shop img')].map((each) => each.naturalWidth)"
    studio.wait(lambda: studio.script(pictures) == [288] * 4, "the pictures")
    studio.click("[href='#play=d5000']")
    studio.shows("#text", "5 END")
    assert studio.script("return document.activeElement.id") == "screen"
    studio.press("1", HELD)
    studio.shows("#text", "HOW MANY PLAYERS")


def test_a_program_is_written_run_drawn_tuned_kept_and_shared(studio: Studio) -> None:
    studio.open("#edit")
    studio.settle()
    assert studio.script("return document.querySelector('#old').hidden")
    assert studio.script("return document.querySelector('.top').offsetHeight") < 80, "one row"
    studio.click("#new")
    studio.write('CALL CLEAR\nPRITN "WEBKIT"\n')
    studio.shows("#problems", "did you mean PRINT?")
    studio.write('CALL CLEAR\nPRINT "WEBKIT"\n')
    studio.shows("#problems", "No mistakes")
    studio.press(Keys.ENTER, 0, Keys.CONTROL)
    studio.shows("#text", "WEBKIT")
    studio.click(".cm-content")
    studio.press(Keys.HOME, 0, Keys.CONTROL)
    studio.click("#for-draw")
    studio.choose("#draw-new", "Character, 8 × 8")
    studio.drag("#dots [data-x='1'][data-y='1']", "#dots [data-x='5'][data-y='1']")
    studio.shows(".cm-content", ".XXXXX..")
    studio.script("document.querySelector('#dots [tabindex=\"0\"]').focus()")
    studio.press(Keys.ARROW_DOWN)
    studio.press(Keys.SPACE)
    studio.shows(".cm-content", ".....X..")
    studio.click("#for-tune")
    studio.click("#notes [aria-label='A4, step 1']")
    studio.click("#tune-put")
    studio.shows(".cm-content", "CALL SOUND(200,440,2)")
    studio.click("#tune-listen")
    studio.shows("#tune-listen", "Stop")
    studio.shows("#tune-listen", "Listen")
    studio.click("#share")
    studio.shows("#toast", "on the clipboard")
    text = studio.script("return studio.editor.text")
    kept = "return !studio.store.writing.size && !studio.store.waiting.size"
    studio.wait(lambda: studio.script(kept), "the program is kept")
    studio.open("#edit")
    studio.settle()
    assert studio.script("return studio.editor.text") == text


def test_a_game_is_proven(studio: Studio) -> None:
    studio.open("#prove=dimraw")
    studio.settle()
    studio.shows("#proves", "dimraw, as it is in the editor")
    matches = studio.find("#tab-prove input[type=number]")
    matches.clear()
    matches.send_keys("1")
    studio.click("#verify")
    studio.shows("#verdict", "✓ 1 match")


def test_a_page_in_one_file_plays_its_program(studio: Studio, folder: Path, tmp_path: Path) -> None:
    source = 'CALL CLEAR\nPRINT "ONE FILE"\nREPEAT\nUNTIL 0\n'
    file = tmp_path / "own.html"
    names = ("main.js", "studio.css", "shop.css", *parts(PACKED.read_text(encoding="utf-8")))
    files = {name: (folder / name).read_bytes() for name in names}
    file.write_bytes(alone(files, "own", "Own", "own.xb", {"own.xb": source}))
    studio.driver.get(file.as_uri())
    studio.shows("#text", "ONE FILE")
