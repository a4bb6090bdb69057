"""The page in Firefox: the games play, programs run, work is kept, tools work by pointer and keys.

The system's Firefox, over WebDriver BiDi. Slow: `pytest -m slow tests/web/test_web_firefox.py`.
Skipped where Firefox, npm or a playwright that speaks its language is missing.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browsing import serving
from ti99tools.base.errors import TIError
from ti99tools.fronts.web.site.making import make_site

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
pytestmark = pytest.mark.slow

READY = 180_000
NO_OVERRIDE = dict.fromkeys(("color_scheme", "reduced_motion", "forced_colors", "contrast"), "null")
"""What this Firefox cannot be told."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    try:
        make_site(folder)
    except TIError as error:
        pytest.skip(str(error))
    with serving(folder) as server:
        yield server.address


@pytest.fixture
def page(address: str) -> Iterator[Any]:
    path = shutil.which("firefox-esr") or shutil.which("firefox")
    if path is None:
        pytest.skip("there is no Firefox")
    with playwright.sync_playwright() as started:
        browser = started.firefox.launch(executable_path=path, channel="moz-firefox")
        try:
            page = browser.new_context(**NO_OVERRIDE).new_page()
        except playwright.Error as error:
            browser.close()
            pytest.skip(f"this playwright does not suit this Firefox: {error}")
        page.set_default_timeout(READY)
        expect.set_options(timeout=READY)
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        yield page
        browser.close()
    assert not wrong


def test_a_game_plays_and_takes_a_key(page: Any) -> None:
    page.click("[href='#play=dimraw']")
    text = page.locator("#text")
    expect(text).to_contain_text("1 PLAY")
    page.keyboard.press("1", delay=300)
    expect(text).not_to_contain_text("1 PLAY")


def test_a_program_is_written_run_drawn_tuned_and_kept(page: Any) -> None:
    page.goto(page.url.partition("#")[0] + "#edit")
    expect(page.locator("body.ready")).to_be_attached()
    page.click("#new")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('CALL CLEAR\nPRITN "FIREFOX"\n')
    expect(page.locator("#problems .error")).to_contain_text("did you mean PRINT?")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('CALL CLEAR\nPRINT "FIREFOX"\n')
    expect(page.locator("#problems")).to_contain_text("No mistakes")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#text")).to_contain_text("FIREFOX")
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.click("#for-draw")
    page.select_option("#draw-new", "Character, 8 × 8")
    page.click("#dots [data-x='1'][data-y='1']")
    page.focus("#dots [tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("#dots [aria-selected=true]")).to_have_count(2)
    page.click("#for-tune")
    page.click("#notes [aria-label='A4, step 1']")
    page.click("#tune-put")
    expect(page.locator(".cm-content")).to_contain_text("CALL SOUND(200,440,2)")
    text = page.evaluate("studio.editor.text")  # downloads are not told over BiDi
    assert ".XX....." in text
    assert "CALL SOUND" in text
    page.wait_for_function("() => !studio.store.writing.size && !studio.store.waiting.size")
    page.reload()
    expect(page.locator(".cm-content")).to_contain_text("FIREFOX")
    page.select_option("#project", "d5000")
    page.click("#for-prove")
    # Over BiDi `fill` writes behind what a field of numbers holds.
    page.locator("#tab-prove input[type=number] >> nth=0").evaluate("(field) => (field.value = 2)")
    page.click("#verify")
    expect(page.locator("#verdict")).to_contain_text("✓ 2 matches")
