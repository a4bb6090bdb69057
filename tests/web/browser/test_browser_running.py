"""Programs run: fast, with sound, stopped at breakpoints, back in time; and games are proven."""

from __future__ import annotations

from hashlib import sha256

import pytest

from tests.shipped import shipped
from tests.web.browser.studio import LISTEN, RULES, Studio, axe_runs, expect, faults
from ti99tools.app.build import build_all


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


def test_an_endless_program_is_fast_and_can_be_stopped(studio: Studio) -> None:
    page = studio.page
    studio.begin("100 FOR I=1 TO 20000\n110 A=A+I*2\n120 NEXT I\n130 A=0 :: GOTO 100\n")
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


def test_a_console_that_does_not_answer_is_started_anew(studio: Studio) -> None:
    page = studio.page
    page.select_option("#project", "tune")
    page.evaluate("studio.machine.client.insist(new Promise(() => {}))")
    expect(page.locator("#toast")).to_contain_text("started anew")
    page.click("#run")
    studio.state("Running")


def test_breakpoints_steps_and_variables(studio: Studio) -> None:
    page = studio.page
    studio.begin("N=1\nFOR I=1 TO 3\n  N=N*2\nNEXT I\nPRINT N\n")
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


def test_the_debugger_leaves_room_for_the_keyboard_and_for_what_went_wrong(studio: Studio) -> None:
    page = studio.page
    studio.begin('PRINT 1\nOPEN #1:"DSK1.SCORES",DISPLAY,VARIABLE 80,OUTPUT\n')
    page.click("#debug")
    studio.state("the program begins")
    page.set_checked("#keys", True)
    expect(page.locator("#keypad button[data-cap=SPACE]")).to_be_in_viewport(ratio=1)
    page.click("#steps [data-pace=run]")
    studio.state("I/O ERROR 06")
    status, pads = (page.locator(each).bounding_box() for each in (".status", ".pads"))
    inside = page.locator(".status").evaluate("each => each.scrollHeight")
    assert max(inside, status["height"]) <= pads["y"] - status["y"] + 1
    page.click("#stop")


def test_the_variables_that_are_shown_are_those_of_the_program(studio: Studio) -> None:
    page = studio.page
    page.click("#for-variables")
    studio.begin("N=41\nN=N+1\nPRINT N\n")
    page.fill(".watches input", "N*2")
    page.keyboard.press("Enter")
    watched = page.locator(".watches th")
    expect(watched).to_have_text("N*2")
    page.click("#run")
    studio.state("At the prompt")
    expect(page.locator(".variables td")).to_have_text("42")
    page.click("#debug")
    studio.state("Stopped")
    expect(page.locator(".levels")).to_contain_text("program.xb:1")
    page.click("#stop")
    expect(page.locator(".levels")).to_contain_text("stands nowhere")
    page.select_option("#project", "tune")
    expect(watched).to_have_count(0)
    page.click("#run")
    expect(page.locator(".variables td")).not_to_have_text(["42"])
    page.click("#stop")


TOTAL = 'FOR I=1 TO 6\n  T=T+I\nNEXT I\nPRINT "SUM";T\n'


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_debugger_goes_back_watches_and_sets(studio: Studio, scheme: str) -> None:
    page = studio.page
    page.emulate_media(color_scheme=scheme)
    studio.begin(TOTAL)
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
