"""The page with the words of its user, and what its tests share."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ti99tools.app.build import build_all

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect

READY = 180_000
"""Milliseconds: computers that test have much else to do."""
expect.set_options(timeout=READY)

PIXELS = """() => {
  const canvas = document.querySelector("#screen");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [...new Set(new Uint32Array(data.buffer))];
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
CANCEL = "button:not(.primary)"
DROP = """([name, letters]) => {
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  const event = new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""
HASH = "(hash) => void (location.hash = hash)"
AXE = """async ([rules, where]) => {
  const { violations } = await axe.run(where, { runOnly: rules, resultTypes: ["violations"] });
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html} ${failureSummary}`));
}"""
KEPT = """() => new Promise((resolve) => {
  navigator.serviceWorker.addEventListener("message", ({ data }) => data === "kept" && resolve());
  navigator.serviceWorker.controller.postMessage("keep");
})"""
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""Groups of rules, as axe calls them."""


class Studio:
    """The page, with the words of its user."""

    def __init__(self, context: Any, address: str) -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(READY)
        self.wrong: list[str] = []
        self.loaded: list[tuple[str, int]] = []
        """What the first load asked for, with its size."""
        self.opened = ""
        """The program that the page has opened then."""
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

    def begin(self, text: str) -> None:
        """Make a new program of a text."""
        self.page.click("#new")
        self.write(text)

    def shows(self, text: str) -> None:
        """Wait until the console's screen shows a text."""
        expect(self.page.locator("#text")).to_contain_text(text)

    def state(self, text: str) -> None:
        expect(self.page.locator("#state")).to_contain_text(text)

    def download(self, button: str) -> bytes:
        with self.page.expect_download() as info:
            self.page.click(button)
        return Path(info.value.path()).read_bytes()


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


def answered(studio: Studio, question: str, button: str = ".primary") -> None:
    """Answer the question that the page asks."""
    expect(studio.page.locator("#dialog h2")).to_contain_text(question)
    studio.page.click(f"#dialog {button}")


def axe_runs(page: Any) -> None:
    """Let the page have axe-core."""
    package = pytest.importorskip("axe_playwright_python.base", reason="axe is not installed")
    if page.evaluate("!globalThis.axe"):
        page.evaluate(package.AXE_SCRIPT)


def faults(page: Any, rules: Sequence[str] = RULES, where: str = "html") -> list[str]:
    """What keeps people from using the page as it is shown: rule, impact and element of each."""
    return list(page.evaluate(AXE, [rules, where]))
