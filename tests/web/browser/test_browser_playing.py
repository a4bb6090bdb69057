"""Games are played: on a phone, by keys, with a joystick; a match is left, saved, taken back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.web.browser.studio import CANCEL, HASH, Studio, answered, axe_runs, expect, faults
from tests.web.browsing import Server


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
    studio.begin("CALL CLEAR\nPRITN 1\n")
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
    studio.begin(
        "100 CALL CLEAR\n110 CALL JOYST(1,X,Y)\n120 CALL KEY(1,K,S):: IF S=0 THEN CALL KEY(5,K,S)\n"
        "130 DISPLAY AT(5,5):X;Y;K\n140 GOTO 110\n"
    )
    page.click("#run")
    studio.shows("0  0 -1")
    page.check("#stick")
    page.check("#keys")
    for cap, text in (("◀", "-4  0 -1"), ("▲", "0  4 -1"), ("SPACE", "0  0  18")):
        key = page.locator(f"#keypad button[data-cap='{cap}']").bounding_box()
        page.mouse.move(key["x"] + 8, key["y"] + 8)
        page.mouse.down()
        studio.shows(text)
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


def test_a_click_on_a_switch_gives_the_keys_back_to_the_screen(studio: Studio) -> None:
    page = studio.page
    studio.begin("100 CALL JOYST(1,X,Y)\n110 DISPLAY AT(5,5):X;Y\n120 GOTO 100\n")
    page.click("#run")
    studio.shows("0  0")
    screen = page.locator("#screen")
    for switch in ("#stick + span", ".speed span >> text=10×", "#sound + span", "#sound + span"):
        page.click(switch)
        expect(screen).to_be_focused()
    page.keyboard.down("ArrowLeft")
    studio.shows("-4  0")
    page.keyboard.up("ArrowLeft")
    shown = page.locator("#text").text_content()
    assert not re.search(r"[^\n -~]", shown), "what is read out has no cursor and no edges"
    for state in ("Paused", "Running"):
        page.click("#pause")
        studio.state(state)
        expect(screen).to_be_focused()
    page.focus("#sound")
    for _ in range(2):
        page.keyboard.press("Space")  # who comes by keyboard stays
        expect(page.locator("#sound")).to_be_focused()
    page.click("#stick + span")
    page.click(".speed span >> text=1×")
    page.click("#stop")


PAD = """(held) => {
  const buttons = Array.from({ length: 16 }, (_, at) => ({ pressed: held?.pressed.includes(at) }));
  navigator.getGamepads = () => [held && { axes: held.axes, buttons }];
  window.dispatchEvent(new Event("gamepadconnected"));
}"""
