"""All of the page can be used by keyboard, and axe finds nothing in any room."""

from __future__ import annotations

import pytest

from tests.web.browser.studio import HASH, RULES, Studio, axe_runs, expect, faults


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


def test_keys_close_the_menu_and_search_the_only_file(studio: Studio) -> None:
    page = studio.page
    studio.begin("N=1\nPRINT N\n")
    page.focus("#more summary")
    page.keyboard.press("Enter")
    expect(page.locator("#rename")).to_be_visible()
    page.focus("#file-remove")
    page.keyboard.press("Tab")
    expect(page.locator("#rename")).to_be_hidden()
    page.keyboard.press("Control+Shift+F")
    expect(page.locator(".cm-search [name=search]")).to_be_focused()
    page.keyboard.press("Escape")


def test_all_of_the_bar_above_the_text_is_seen_on_a_phone(studio: Studio) -> None:
    page = studio.page
    page.evaluate("studio.programs.add('long', 'a-name-with-many-letters.xb', 'PRINT 1')")
    page.set_viewport_size({"width": 390, "height": 844})
    page.click("#views [data-view=write]")
    words = page.locator("#compiled + span").bounding_box()
    assert words["x"] + words["width"] <= 390
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_room(studio: Studio, scheme: str) -> None:
    rules = RULES if scheme == "light" else ("color-contrast",)  # nothing else depends on it
    page = studio.page
    axe_runs(page)
    page.emulate_media(color_scheme=scheme)
    page.evaluate(HASH, "#edit")
    studio.begin("#art 128\nX.X.X.X.\n" + "........\n" * 7 + "#end\nCALL SOUND(99,440,2)\n")
    page.click("#for-help")
    assert not faults(page, rules)
    for tab in ("disks", "tune", "prove", "draw", "memory"):
        page.click(f"#for-{tab}")
        assert not faults(page, rules, "#tools"), tab
    for room, text in (("#play=dimraw", "#playing"), ("#", "#shop")):
        page.evaluate(HASH, room)
        expect(page.locator(text)).to_be_visible()
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
