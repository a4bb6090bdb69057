"""Make README's pictures of the debugger, of a proof and of the studio, from real runs.

    python docs/screenshots.py              # or some of: debugger proof studio

It needs Chromium, npm, and `pip install --editable '.[dev,web]'`. Pages are photographed in the
browser; the debugger runs in a pseudo terminal, and what it shows is put on a page.
"""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
import threading
import time
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "pictures"
WIDTH = 1100
COLORS = 128
"""Colours of a picture: fewer bytes, and no difference to be seen."""
BUG = """\
! The best of four scores, all below 200
CALL CLEAR
DIM S(4)
FOR I=1 TO 4
  S(I)=50*I
NEXT I
FOR I=1 TO 4
  GOSUB better
NEXT I
PRINT "BEST";BEST
STOP

better:
  V=S(I)/(4-I)
  IF V>BEST THEN BEST=V
RETURN
"""
SESSION = ("break :10", "continue", "print BEST", "watch BEST", "back continue", "print I", "quit")
_PAGE = """<!doctype html><meta charset="utf-8"><style>
body{{margin:0;background:#14171b}}pre{{margin:0;padding:22px 26px;color:#e4e7eb;
font:17px/1.45 "DejaVu Sans Mono",monospace}}b{{color:#7fd694}}i{{color:#f0c063;font-style:normal}}
</style><pre>{text}</pre>"""


def terminal(folder: Path, words: tuple[str, ...], rows: tuple[str, ...]) -> str:
    """What a command shows in a terminal of 80 columns in which these rows are typed."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (60, 84))
    process = subprocess.Popen(
        [sys.executable, "-m", "ti99tools", *words], cwd=folder, stdin=theirs, stdout=theirs,
        stderr=theirs, env={**os.environ, "TERM": "dumb", "NO_COLOR": "1"},
    )  # fmt: skip
    output = ""
    for row in (*rows, ""):
        output += _more(ours, process)
        if row:
            os.write(ours, f"{row}\n".encode())
    process.wait(timeout=60)
    return f"$ ti99tools {' '.join(words)}\n{output}".replace("\r", "")


def _more(ours: int, process: subprocess.Popen[bytes]) -> str:
    """What comes until the prompt, or the end of the process."""
    text, end = "", time.monotonic() + 30
    while time.monotonic() < end and not text.endswith("(debug) "):
        ready, _, _ = select.select([ours], [], [], 0.5)
        if ready:
            text += os.read(ours, 65536).decode()
        elif process.poll() is not None:
            break
    return text


def debugger(browser: Any, folder: Path) -> Path:
    """A session that goes back to the statement at fault."""
    (folder / "best.xb").write_text(BUG)
    text = escape(terminal(folder, ("debug", "best.xb"), SESSION), quote=False)
    text = re.sub(r"^(\$ |\(debug\) )(.+)$", r"\1<b>\2</b>", text, flags=re.M)
    text = re.sub(r"^(&gt;.*)$", r"<i>\1</i>", text, flags=re.M)
    page = folder / "debugger.html"
    page.write_text(_PAGE.format(text=text.strip()), encoding="utf-8")
    return _photographed(browser, page.as_uri(), "debugger", width=820, element="pre")


def proof(browser: Any, folder: Path) -> Path:
    """The report on the four games, and below it what was never reached."""
    report = folder / "proof.html"
    command = ("verify", "--games", "8", "--html", str(report))
    subprocess.run([sys.executable, "-m", "ti99tools", *command], cwd=folder, check=True)
    return _photographed(browser, report.as_uri(), "proof", height=440, style=".lead{display:none}")


def studio(browser: Any, folder: Path) -> Path:
    """The studio in a browser, a game in its editor and on its screen."""
    site = folder / "site"
    subprocess.run([sys.executable, "-m", "ti99tools", "web", "--out", str(site)], check=True)
    handler = partial(_Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/#edit"
        picture = _photographed(browser, address, "studio", height=768, width=1366, before=_run_it)
        server.shutdown()
    return picture


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


_Quiet.extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript"}


def _run_it(page: Any) -> None:
    """Run the game as far as its title, whose letters are drawings, so that no text tells of it."""
    page.locator("body.ready").wait_for(state="attached", timeout=120_000)
    page.select_option("#project", "dicerack")
    page.click("label:has(input[value=max])")
    page.click("#run")
    page.evaluate("studio.programs.show('rack.xb')")
    page.evaluate("studio.editor.go(36)")
    page.wait_for_timeout(30_000)


def _photographed(
    browser: Any,
    address: str,
    name: str,
    height: int = 800,
    width: int = WIDTH,
    style: str = "",
    element: str | None = None,
    before: Any = None,
) -> Path:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(address)
    page.wait_for_timeout(1500)
    if style:
        page.add_style_tag(content=style)  # what is of this computer alone
    if before is not None:
        before(page)
    path = FOLDER / f"{name}.png"
    (page.locator(element) if element else page).screenshot(path=path)
    page.close()
    image = Image.open(path).convert("RGB").quantize(COLORS)
    image.save(path, optimize=True)
    return path


def main() -> None:
    """Make all three."""
    chromium = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright, TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for make in (debugger, proof, studio):
            if sys.argv[1:] and make.__name__ not in sys.argv[1:]:
                continue
            path = make(browser, Path(place))
            print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
