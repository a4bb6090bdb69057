"""The Language Server Protocol on two streams: the editor's requests, and the responses.

Source: the protocol's specification 3.17. Texts are sent whole; positions count in UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

from ti99tools import __version__
from ti99tools.app.project import basic_in
from ti99tools.app.source import Written
from ti99tools.base.errors import ScriptError, TIError
from ti99tools.fronts.lsp.documents import (
    Documents,
    Found,
    Project,
    SourceName,
    about,
    column,
    leads,
    offers,
    path_of,
    subs_of,
    symbols,
    units,
    word_at,
)
from ti99tools.fronts.wire import Inbox, Message, read, write
from ti99tools.language.findings import Finding, Severity, from_error
from ti99tools.language.listing.builtins import SUBPROGRAMS, Subprogram
from ti99tools.language.listing.laterprofiles import added_by, profile_of

_SEVERITIES = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFO: 3}
_SYMBOL_KINDS = {"sub": 12, "proc": 12, "function": 12, "constant": 14, "#art": 14, "#text": 15}
_FIELD, _OFFER_KINDS = 5, {"call": 3, "label": 18, "constant": 21, "word": 14}
_UNKNOWN_METHOD = -32601
WHOLE_TEXTS = 1

Answer = Callable[[dict[str, Any]], object]


class Server:
    """One editor's session; `basic` is the profile of all sources, instead of their own.

    With `ahead` messages are read while others are being processed: then a text is checked when no
    message waits, so that somebody who types quickly does not wait for the check of every letter.
    """

    def __init__(
        self, incoming: IO[bytes], outgoing: IO[bytes], basic: str = "", ahead: bool = False
    ) -> None:
        inbox = Inbox(incoming, read) if ahead else None
        self._read: Callable[[], Message | None] = (
            partial(read, incoming) if inbox is None else inbox.get
        )
        self._inbox = inbox
        self._unchecked: dict[Path, None] = {}
        """The texts that are to be checked, the first one to change first."""
        self._outgoing = outgoing
        self._basic = basic
        self._documents = Documents()
        self._project = Project(self._documents)
        self._files_with_findings: dict[Path, list[Path]] = {}
        """Main source → the files for which findings were sent."""
        self._stopping = False
        self._answers: dict[str, Answer] = {
            "initialize": self._initialize,
            "shutdown": self._shutdown,
            "textDocument/completion": self._completion,
            "textDocument/hover": self._hover,
            "textDocument/definition": self._definition,
            "textDocument/documentSymbol": self._outline,
        }
        self._notices: dict[str, Answer] = {
            "textDocument/didOpen": self._opened,
            "textDocument/didChange": self._changed,
            "textDocument/didSave": self._saved,
            "textDocument/didClose": self._closed,
        }

    def serve(self) -> int:
        """Answer until the editor sends `exit`; returns the exit code.

        Raises ScriptError for input that is not the protocol.
        """
        while (message := self._next()) is not None:
            # By the protocol, `exit` without `shutdown` before it is an error.
            if message.get("method") == "exit":
                return 0 if self._stopping else 1
            self.take(message)
        return 1

    def _next(self) -> Message | None:
        """The next message; texts are checked while none waits."""
        while self._unchecked and self._inbox is not None and self._inbox.empty:
            self._safely(self._judge_first, {})
        return self._read()

    def _judge_first(self, _fields: dict[str, Any]) -> None:
        path = next(iter(self._unchecked))
        del self._unchecked[path]
        self._judge(path)

    def take(self, request: Message) -> None:
        """Process a message of the editor: answer a request, act on a notification."""
        method, params = request.get("method"), request.get("params")
        if not isinstance(method, str):
            return
        fields = params if isinstance(params, dict) else {}
        # A message without an id is a notification and gets no response.
        if "id" not in request:
            notice = self._notices.get(method)
            if notice is not None:
                self._safely(notice, fields)
            return
        answer = self._answers.get(method)
        if answer is None:
            error = {"code": _UNKNOWN_METHOD, "message": f"no method {method}"}
            self._send({"id": request["id"], "error": error})
            return
        self._send({"id": request["id"], "result": self._safely(answer, fields)})

    def _safely(self, work: Answer, fields: dict[str, Any]) -> object:
        """The result of `work`; None for a message whose fields do not follow the protocol."""
        try:
            return work(fields)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OSError, TIError):
            return None

    def _send(self, message: Message) -> None:
        write(self._outgoing, {"jsonrpc": "2.0", **message})

    # -- the session ----------------------------------------------------------------------

    def _initialize(self, _fields: dict[str, Any]) -> object:
        return {
            "capabilities": {
                "textDocumentSync": {"openClose": True, "change": WHOLE_TEXTS, "save": True},
                "completionProvider": {"triggerCharacters": [" "]},
                "hoverProvider": True,
                "definitionProvider": True,
                "documentSymbolProvider": True,
            },
            "serverInfo": {"name": "ti99tools", "version": __version__},
        }

    def _shutdown(self, _fields: dict[str, Any]) -> object:
        self._stopping = True
        return None

    # -- texts ----------------------------------------------------------------------------

    def _opened(self, fields: dict[str, Any]) -> None:
        document = fields["textDocument"]
        self._put(document["uri"], document["text"])

    def _changed(self, fields: dict[str, Any]) -> None:
        self._put(fields["textDocument"]["uri"], fields["contentChanges"][-1]["text"])

    def _put(self, uri: str, text: str) -> None:
        path = self.note(uri, text)
        if path is not None:
            self._check(path)

    def _check(self, path: Path) -> None:
        """Check a text now, or when no message waits."""
        if self._inbox is None:
            self._judge(path)
        else:
            self._unchecked[path] = None

    def note(self, uri: str, text: str) -> Path | None:
        """Note a text without checking it, for a request about it; returns its path.

        None if `uri` does not name a file.
        """
        path = path_of(uri)
        if path is not None:
            self._documents.set(path, text)
        return path

    def _saved(self, fields: dict[str, Any]) -> None:
        path = path_of(fields["textDocument"]["uri"])
        if path is not None:
            self._check(path)

    def _closed(self, fields: dict[str, Any]) -> None:
        path = path_of(fields["textDocument"]["uri"])
        if path is not None:
            self._documents.close(path)
            self._unchecked.pop(path, None)
            self._tell(path, [])

    # -- lint -----------------------------------------------------------------------------

    def _judge(self, path: Path) -> None:
        """Report the findings of lint in the source that a file belongs to."""
        main = self._project.main_of(path)
        try:
            findings, _ = main.advise(read=self._documents.read, basic=self._profile(main))
        except TIError as error:
            findings = [from_error(error, "source")]
        except OSError as error:
            findings = [from_error(TIError(str(error.strerror)), "source")]
        by_file: dict[Path, list[Finding]] = {path: []}
        for finding in findings:
            file = Path(finding.place.file).resolve() if finding.place.file else main.path.resolve()
            by_file.setdefault(file, []).append(finding)
        # A file without findings any more needs an empty list, or the editor keeps the old one.
        for file in self._files_with_findings.get(main.path, []):
            by_file.setdefault(file, [])
        self._files_with_findings[main.path] = [
            file for file, in_file in by_file.items() if in_file
        ]
        for file, in_file in by_file.items():
            self._tell(file, in_file)

    def _profile(self, main: Written) -> str:
        """The profile of a source: the session's, that of its folder's defaults, or its game's.

        Raises TIError for defaults of the folder that cannot be read.
        """
        return self._basic or basic_in(main.path.resolve().parent) or main.basic

    def _built_in(self, path: Path) -> Mapping[str, Subprogram]:
        """The built-in subprograms that a file's program can call."""
        added = added_by(self._profile(self._project.main_of(path)))
        return {**SUBPROGRAMS, **added} if added else SUBPROGRAMS

    def _tell(self, path: Path, findings: list[Finding]) -> None:
        rows = self._documents.rows(path)
        marks = [self._mark(finding, rows) for finding in findings]
        params = {"uri": path.as_uri(), "diagnostics": marks}
        self._send({"method": "textDocument/publishDiagnostics", "params": params})

    def _mark(self, finding: Finding, rows: list[str]) -> dict[str, Any]:
        # The editor's text may be newer than the findings: rows may have gone.
        number = max((finding.place.line or 1) - 1, 0)
        row = rows[number] if number < len(rows) else ""
        start = min(max((finding.place.column or 1) - 1, 0), len(row))
        word = word_at(row, start)
        end = word.end if word is not None and word.start <= start < word.end else start + 1
        # A finding without a column is about its whole row.
        if finding.place.column is None:
            start, end = len(row) - len(row.lstrip()), len(row.rstrip())
        text = finding.message + (f"; {finding.remedy}" if finding.remedy else "")
        return {
            "range": _span(row, number, start, max(end, start)),
            "severity": _SEVERITIES[finding.severity],
            "code": finding.code,
            "source": "ti99tools",
            "message": text,
        }

    # -- names ----------------------------------------------------------------------------

    def _names(self, path: Path, number: int) -> Iterator[Found]:
        """The names of a source for row `number` of a file; those of the file itself first."""
        subs = subs_of(self._documents.rows(path))
        inside = subs[number] if 0 <= number < len(subs) else ""
        files = self._project.files(self._project.main_of(path).path)
        # The file itself first: its own names take precedence over those of an include.
        for file in sorted(files, key=lambda each: each != path):
            for symbol in symbols(self._documents.rows(file)):
                here = symbol.sub == (inside or "") and (file == path or not inside)
                yield Found(symbol, file, here)

    def _place(self, fields: dict[str, Any]) -> tuple[Path, int, str, int] | None:
        """The file, row (from 0, and its text) and column that a request is about."""
        path = path_of(fields["textDocument"]["uri"])
        position = fields["position"]
        if path is None:
            return None
        row = self._documents.rows(path)[position["line"]]
        return path, position["line"], row, column(row, position["character"])

    def _completion(self, fields: dict[str, Any]) -> object:
        place = self._place(fields)
        if place is None:
            return []
        path, number, row, at = place
        return [
            {"label": offer.word, "kind": _OFFER_KINDS[offer.kind], "detail": offer.detail}
            for offer in offers(row[:at], self._names(path, number), self._built_in(path))
        ]

    def _hover(self, fields: dict[str, Any]) -> object:
        place = self._place(fields)
        if place is None:
            return None
        path, number, row, at = place
        word = word_at(row, at)
        if word is None:
            return None
        text = about(word.text, row[: word.start], self._names(path, number), self._built_in(path))
        return None if text is None else {"contents": {"kind": "markdown", "value": text}}

    def _definition(self, fields: dict[str, Any]) -> object:
        place = self._place(fields)
        if place is None:
            return None
        path, number, row, at = place
        word = word_at(row, at)
        name = word.text if word is not None else _number_at(row, at)
        found = leads(name, self._names(path, number))
        if found is None:
            return None
        rows = self._documents.rows(found.path)
        return {"uri": found.path.as_uri(), "range": _range(found.symbol, rows)}

    def _outline(self, fields: dict[str, Any]) -> object:
        path = path_of(fields["textDocument"]["uri"])
        if path is None:
            return []
        rows = self._documents.rows(path)
        return [
            {
                "name": symbol.name,
                "detail": symbol.kind,
                "kind": _SYMBOL_KINDS.get(symbol.kind, _FIELD),
                "range": _span(rows[symbol.row], symbol.row, 0, len(rows[symbol.row])),
                "selectionRange": _range(symbol, rows),
            }
            for symbol in symbols(rows)
            if symbol.kind != "line"
        ]


def _number_at(row: str, at: int) -> str:
    """The line number that contains column `at`; empty if there is none."""
    start = end = at
    while start > 0 and row[start - 1].isdecimal():
        start -= 1
    while end < len(row) and row[end].isdecimal():
        end += 1
    return row[start:end]


def _range(symbol: SourceName, rows: list[str]) -> dict[str, Any]:
    row = rows[symbol.row]
    return _span(row, symbol.row, symbol.column, symbol.column + len(symbol.name))


def _span(row: str, number: int, start: int, end: int) -> dict[str, Any]:
    return {
        "start": {"line": number, "character": units(row, start)},
        "end": {"line": number, "character": units(row, end)},
    }


def serve(incoming: IO[bytes], outgoing: IO[bytes], basic: str = "", *, ahead: bool = False) -> int:
    """Serve one editor; returns the exit code. See `Server` for `ahead`.

    Raises TIError for input that is not the protocol, and for an unknown profile `basic`.
    """
    profile_of(basic)
    try:
        return Server(incoming, outgoing, basic, ahead).serve()
    except ScriptError as error:
        raise TIError(
            error.problem, remedy="start it from an editor: see docs/editors.md"
        ) from error
