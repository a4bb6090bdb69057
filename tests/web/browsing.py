"""A web server that counts, and a browser to look at what it serves."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--autoplay-policy=no-user-gesture-required",
)


def browser_path() -> str | None:
    """Where Chromium is; None where it is not."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


class Handler(SimpleHTTPRequestHandler):
    """Hands out a folder and notes what was asked for."""

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""

    def do_GET(self) -> None:
        """Note the request, then answer it."""
        assert isinstance(self.server, Server)
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path = path / "index.html"
        size = path.stat().st_size if path.is_file() else 0
        self.server.asked.append((self.path, size))
        super().do_GET()


Handler.extensions_map = {
    **SimpleHTTPRequestHandler.extensions_map,
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
}


class Server(ThreadingHTTPServer):
    """A server on a free port of this computer."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.asked: list[tuple[str, int]] = []
        """What was asked for, and its size in bytes."""

    @property
    def address(self) -> str:
        """The page."""
        return f"http://127.0.0.1:{self.server_port}/"


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Serve a folder while the body lasts."""
    with Server(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
