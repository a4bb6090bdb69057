"""Disks and files: opened, dropped on the page, kept with their program, never lost."""

from __future__ import annotations

import re
from base64 import b64encode, urlsafe_b64encode
from typing import Any
from zlib import compressobj

from tests.web.browser.studio import CANCEL, DROP, HASH, Studio, answered, dropped, expect
from ti99tools import DiskImage, Program
from ti99tools.media.disk.tifile import DiskFile, FileType


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


def drive(studio: Studio) -> Any:
    """DSK1 of the program in the editor."""
    studio.page.click("#for-disks")
    expect(studio.page.locator("#drives-of b")).to_have_text(studio.page.input_value("#project"))
    return studio.page.locator("[data-drive=DSK1]")


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
    studio.begin(WRITES)
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


def test_what_is_damaged_empty_or_endless_is_told(studio: Studio) -> None:
    page = studio.page
    page.click("#for-disks")
    drive = page.locator("[data-drive=DSK1]")
    expect(drive).to_be_visible()
    before, program = drive.inner_text(), page.input_value("#project")
    disk = bytearray(DiskImage.new("SSSD", "BAD").to_bytes())
    disk[256:258] = b"\xff\xff"
    toast = page.locator("#toast")
    for name, data, message in (
        ("bad.dsk", bytes(disk), "bad.dsk is damaged"),
        ("none.dsk", b"", "none.dsk is empty"),
        ("none.xb", b"", "none.xb is empty"),
        ("zeros.bin", bytes(5_000_000), "zeros.bin is too large"),
    ):
        page.evaluate(DROP, [name, b64encode(data).decode()])
        expect(toast).to_contain_text(message)
    deflate = compressobj(9, wbits=-15)
    bomb = deflate.compress(bytes(20_000_000)) + deflate.flush()
    for link, message in ((bomb, "too long to be"), (2 * bomb, "too long:"), (b"??", "damaged")):
        page.evaluate(HASH, "#xb=" + urlsafe_b64encode(link).decode().rstrip("="))
        expect(toast).to_contain_text(message)
    assert drive.inner_text() == before
    assert page.input_value("#project") == program


def test_the_disks_that_are_shown_follow_the_program_that_writes(studio: Studio) -> None:
    page = studio.page
    studio.begin(WRITES)
    first = drive(studio)
    new = first.get_by_role("button", name="New…")
    new.focus()
    page.keyboard.press("Enter")
    page.fill("#dialog input", "MY DISK")
    page.keyboard.press("Enter")
    assert "no blank" in page.evaluate("document.querySelector('#dialog input').validationMessage")
    page.fill("#dialog input", "mine")
    page.keyboard.press("Enter")
    expect(first).to_contain_text("MINE")
    expect(first).to_contain_text("358 of 360 sectors free")
    expect(new).to_be_focused()
    page.click("#run")
    studio.shows("WRITTEN")
    expect(first).to_contain_text("NOTE")
    page.click("#more summary")
    page.click("#remove")
    answered(studio, "Delete program")
    expect(page.locator("#stop")).to_be_disabled()  # what is deleted does not run on
