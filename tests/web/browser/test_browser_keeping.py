"""Work is kept: after a reload, in two tabs, in a full browser; programs are named and copied."""

from __future__ import annotations

from base64 import b64encode, urlsafe_b64encode
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zlib import compressobj

from tests.web.browser.studio import DROP, HASH, READY, Studio, answered, dropped, expect
from tests.web.browsing import Server


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
    for worker in studio.page.workers:
        (python,) = (each for each in worker.evaluate(FETCHED) if ".wasm" in each)
        assert python.endswith(".wasm"), "with an address, so that its machine code is kept, too"


FETCHED = "() => performance.getEntriesByType('resource').map(({ name }) => name)"
"""What a worker has fetched."""


def test_the_place_in_a_program_is_kept_however_soon_one_leaves(studio: Studio) -> None:
    """Both are done within one task of the page: no timer can run in between."""
    page = studio.page
    name = page.input_value("#project")
    page.select_option("#project", "d5000")
    expect(page.locator("#edited")).to_have_text("d5000")
    page.evaluate(
        """(name) => {
          studio.editor.go(40);
          const chosen = document.querySelector("#project");
          chosen.value = name;
          chosen.dispatchEvent(new Event("change"));
        }""",
        name,
    )
    expect(page.locator("#edited")).to_have_text(name)
    page.select_option("#project", "d5000")
    expect(page.locator("#edited")).to_have_text("d5000")
    page.wait_for_function("() => studio.editor.row === 40")
    page.select_option("#project", name)


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
    studio.begin("PRINT 1")
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


def test_a_program_renamed_in_one_tab_is_renamed_in_the_other(
    context: Any, studio: Studio, server: Server
) -> None:
    page = studio.page
    studio.begin("PRINT 1")
    old = page.input_value("#project")
    other = context.new_page()
    other.goto(server.address)
    other.wait_for_function("(name) => studio.programs.name === name", arg=old)
    rename(page, "called")
    expect(other.locator("#edited")).to_have_text("called")
    expect(other.locator("#toast")).to_contain_text(f"{old} is called called now")
    assert old not in other.evaluate("studio.store.names")
    other.evaluate("studio.programs.changed('program.xb', 'PRINT 2')")
    expect(page.locator(".cm-content")).to_have_text("PRINT 2")
    other.close()


def rename(page: Any, name: str) -> None:
    page.click("#more summary")
    page.click("#rename")
    page.fill("#dialog input", name)
    page.click("#dialog .primary")


def test_a_full_browser_keeps_the_old_name(studio: Studio) -> None:
    page = studio.page
    studio.begin("PRINT 7")
    page.wait_for_function("() => !studio.store.writing.size")
    old = page.input_value("#project")
    page.evaluate(FULL)
    rename(page, "large")
    expect(page.locator("#toast")).to_contain_text("no room left")
    expect(page.locator("#edited")).to_have_text(old)
    page.evaluate("() => void (IDBObjectStore.prototype.put = studio.put)")
    page.reload()
    studio.settle()
    expect(page.locator("#edited")).to_have_text(old)
    expect(page.locator(".cm-content")).to_have_text("PRINT 7")


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


def test_programs_are_named_copied_taken_home_and_brought_back(studio: Studio) -> None:
    page = studio.page

    def choose(what: str, name: str = "") -> None:
        page.click("#more summary")
        page.click(f"#{what}")
        if name:
            page.fill("#dialog input", name)
            page.click("#dialog .primary")

    studio.begin('#include "more.xb"\n')
    assert studio.download("#save").decode() == '#include "more.xb"\n'
    choose("rename", "my loop!")
    message = page.eval_on_selector("#dialog input", "input => input.validationMessage")
    assert "letters, digits" in message
    assert page.locator("#dialog").is_visible()
    page.fill("#dialog input", "mine")
    page.click("#dialog .primary")
    expect(page.locator("#project")).to_have_value("mine")
    choose("file-add", "more.xb")
    expect(page.locator("#files")).to_have_value("more.xb")
    studio.write("PRINT 1\n")
    choose("duplicate")
    expect(page.locator("#project")).to_have_value("my-mine")
    archive = studio.download("#save")
    choose("remove")
    expect(page.locator("#dialog h2")).to_have_text("Delete my-mine?")
    page.click("#dialog .primary")
    expect(page.locator("#project")).not_to_have_value("my-mine")
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
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")  # it may open where another test has left it
    expect(first).to_have_text(before)


def test_breakpoints_stay_with_their_program(studio: Studio) -> None:
    page = studio.page
    points = page.locator("#tab-variables .points li")
    first = points.nth(0)
    studio.begin("N=1\nPRINT N\n")
    page.click("#for-variables")
    page.keyboard.press("Escape")
    page.evaluate("studio.editor.point('program.xb', 2, 'N>0')")
    expect(points).to_have_count(1)
    page.fill(".watches input", "N*2")
    page.click(".watches form button")
    watched = page.locator(".watches th")
    expect(watched).to_have_text("N*2")
    rename(page, "stops")
    expect(page.locator("#edited")).to_have_text("stops")
    expect(first.locator("input")).to_have_value("N>0")
    page.select_option("#project", "tune")
    expect(points).to_have_count(0)
    expect(watched).to_have_count(0)
    page.select_option("#project", "stops")
    expect(first.locator("input")).to_have_value("N>0")
    expect(watched).to_have_text("N*2")
    page.evaluate("studio.programs.remember(0)")  # as when the page is left
    page.reload()
    studio.settle()
    expect(first.locator("input")).to_have_value("N>0")
    expect(page.locator(".breakpoint:visible")).to_have_count(1)
    expect(watched).to_have_text("N*2")
    page.click("#more summary")
    page.click("#file-rename")
    page.fill("#dialog input", "other.xb")
    page.click("#dialog .primary")
    expect(first).to_contain_text("other.xb:2")
    expect(points).to_have_count(1)
    page.click("#more summary")
    page.click("#duplicate")
    expect(page.locator("#edited")).to_have_text("my-stops")
    expect(first.locator("input")).to_have_value("N>0")
    for question in ("Delete my-stops?", "Delete stops?"):
        page.click("#more summary")
        page.click("#remove")
        answered(studio, question)
        expect(page.locator("#edited")).to_have_text("hello")
        if question != "Delete stops?":
            page.select_option("#project", "stops")
    page.evaluate("studio.programs.add('stops', 'other.xb', 'N=1\\nPRINT N\\n')")
    expect(page.locator("#edited")).to_have_text("stops")
    expect(points).to_have_count(0)  # it is another program
