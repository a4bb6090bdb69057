"""Characters are drawn, tunes are written: both become source, and are read from it."""

from __future__ import annotations

from tests.web.browser.studio import LISTEN, PIXELS, Studio, expect
from ti99tools.base.codes import RGB


def test_a_character_is_drawn_and_becomes_source(studio: Studio) -> None:
    page = studio.page
    studio.begin("#include <colors.xb>\nCALL CLEAR\nCALL HCHAR(12,16,128)\nREPEAT\nUNTIL 0\n")
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
    studio.begin(
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
    studio.begin("PRINT 1\n")
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
