"""A folder node_modules that has only what making the page looks at."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ti99tools.fronts.web.site import making


def stand_in(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    script: Callable[[str, Mapping[str, str]], str],
    lock: str = "{}",
) -> Path:
    """The folder, with what looks like Pyodide and its `lock`; esbuild makes a `script` of the name
    of an entry and the texts that it is given.
    """
    (folder / "esbuild").mkdir(parents=True)
    python = folder / "pyodide"
    python.mkdir()
    for name in (*making.PYTHON, making.WASM):
        (python / name).write_text(name)
    (python / making.LOCK).write_text(lock)

    def bundle(_modules: Path, texts: Mapping[str, str], out: Path) -> None:
        for name in making.ENTRIES:
            (out / f"{name}.js").write_text(script(name, texts))

    def prepared(archive: bytes, _pyodide: Path) -> dict[str, bytes]:
        return {making.ARCHIVE: archive, making.LIBRARY: b"library", making.IMAGE: b"image"}

    monkeypatch.setattr(making, "bundle", bundle)
    monkeypatch.setattr(making, "prepared", prepared)
    return folder
