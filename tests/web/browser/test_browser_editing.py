"""A program is written, mended, run, searched, learned with, and seen by the keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.browser.studio import PIXELS, Studio, expect
from ti99tools import Console, DiskImage
from ti99tools.computer.console.cartridge_console import CartridgeConsole

MISTAKEN = 'CALL CLEAR\nPRITN "WHAT IS YOUR NAME"\nINPUT N$\nPRINT "HELLO ";N$\n'


def test_a_program_is_written_mended_run_and_taken_home(studio: Studio, tmp_path: Path) -> None:
    page = studio.page
    studio.begin(MISTAKEN)
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
    studio.write('10 RUN "DSK1.NEXT"\n')
    page.click("#build")
    expect(page.locator("#toast")).to_contain_text("RUNs a program that is not on the cartridge")
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
    studio.write(MISTAKEN.replace("PRITN", "PRINT") + '\nRUN "DSK1.NEXT"\n')
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
    studio.begin("")
    page.keyboard.type("CALL SP", delay=20)
    offers = page.locator(".cm-tooltip-autocomplete")
    expect(offers).to_contain_text("SPRITE")
    expect(offers).not_to_contain_text("DISPLAY")
    page.keyboard.press("Escape")


def test_findings_of_another_program_are_dropped(studio: Studio) -> None:
    page = studio.page
    studio.begin("PRITN 1\n")
    expect(page.locator("#problems .error")).to_have_count(1)
    page.evaluate(OTHER)  # before the answer is there
    expect(page.locator("#problems")).to_contain_text("No mistakes")
    expect(page.locator("#problems")).not_to_contain_text("PRINT")


MARKER = """() => getComputedStyle(document.querySelector(".cm-lint-marker-error")).content"""
OTHER = """() => {
  studio.programs.check();
  studio.programs.use("other", { main: "other.xb", files: { "other.xb": "PRINT 1" } });
}"""


def test_there_is_room_to_write_and_all_files_are_searched(studio: Studio) -> None:
    page = studio.page
    studio.begin("N=1\n" * 60)
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
    studio.begin("N=-1\nPRINT SQR(N)\n")
    page.click("#run")
    studio.state("BAD ARGUMENT")
    expect(page.locator(".cm-line.stands")).to_contain_text("SQR")
