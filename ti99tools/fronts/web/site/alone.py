"""The studio and one program as a single HTML file, made without a browser.

The page itself makes such files too: `page/src/packed.js` says which parts they have and what they
may load. Here that is read from its text.
"""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Mapping
from html import escape

from ti99tools import __version__
from ti99tools.base.errors import TIError
from ti99tools.fronts.web.projects import MOST, WHOLE
from ti99tools.fronts.web.site.making import PAGE

PACKED = PAGE / "src" / "packed.js"
PROGRAM = "program.json"
"""The name of the part with the program: name, title, main source, and files."""
_STYLES = ("studio.css", "shop.css")
_DROPPED = (
    r"<link\b[^>]*>",
    r"<script\b[^>]*\bsrc=[^>]*></script>",
    r"<picture>.*?</picture>",
    r'<img\b[^>]*\bsrc="icon\.svg"[^>]*>',
)
"""Elements of the template that refer to separate files: styles, the script, pictures."""


def alone(
    files: Mapping[str, bytes], name: str, title: str, main: str, sources: Mapping[str, str]
) -> bytes:
    """The page that plays a program; `files` are those of the studio (`parts_of`).

    `name` is the project's, `main` its main source, `sources` its texts by name. The same program
    gives the same bytes. Raises TIError for more files or bytes than the page takes.
    """
    size = sum(len(text.encode()) for text in sources.values())
    if len(sources) > MOST or size > WHOLE:
        problem = f"{len(sources)} files with {size:,} bytes"
        raise TIError(problem, remedy=f"a page takes {MOST} files and {WHOLE:,} bytes at most")
    script = PACKED.read_text(encoding="utf-8")
    page = (PAGE / "index.html").read_text(encoding="utf-8")
    for dropped in _DROPPED:
        page = re.sub(dropped, "", page, flags=re.S)
    # A function, since backslashes in a replacement string would be escapes.
    page = re.sub(r'(http-equiv="Content-Security-Policy" content=)"[^"]*"',
                  lambda match: f'{match[1]}"{policy(script)}"', page)  # fmt: skip
    page = re.sub(r"<title>.*?</title>", lambda _: f"<title>{escape(title)}</title>", page)
    page = page.replace("<body ", "<body data-packed ").replace("@NUMBER@", __version__)
    styles = "\n".join(files[each].decode() for each in _STYLES)
    page = page.replace("</head>", f"<style>{styles}</style></head>")
    program = {"name": name, "title": title, "main": main, "files": dict(sorted(sources.items()))}
    contents = {PROGRAM: json.dumps(program, ensure_ascii=False).encode()}
    contents |= {part: files[part] for part in parts(script)}
    elements = [
        f'<script type="application/gzip" data-part="{part}">{_letters(data)}</script>'
        for part, data in contents.items()
    ]
    code = files["main.js"].decode().replace("</script", "<\\/script")
    elements.append(f'<script type="module">{code}</script>')
    return page.replace("</body>", "".join(elements) + "</body>").encode()


def parts(script: str) -> list[str]:
    """The files that packed.js puts into a single one, by its text `script`."""
    match = re.search(r"const PARTS = \[(.*?)\];", script, re.S)
    assert match is not None
    return re.findall(r'"([^"]+)"', match[1])


def policy(script: str) -> str:
    """The Content-Security-Policy of a single-file page, by the text of packed.js."""
    match = re.search(r"const POLICY = (.*?);\n\n", script, re.S)
    assert match is not None
    return "".join(re.findall(r'"([^"]+)"', match[1]))


def _letters(data: bytes) -> str:
    """Bytes compressed by gzip (with no time stamp), in base64."""
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()
