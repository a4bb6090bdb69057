"""The debugger as a Debug Adapter: it answers an editor's requests.

Whatever an editor asks for piece by piece has a reference: scopes, arrays and their rows. Source:
the protocol's specification (microsoft.github.io/debug-adapter-protocol).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

from ti99tools.app.debug.inspection import View
from ti99tools.app.debug.sources import Level, StatementLines, path_of
from ti99tools.app.debug.stops import (
    Backward,
    Breakpoint,
    EndSession,
    Forward,
    GiveKeys,
    Order,
    Reach,
    Restart,
    StopPlace,
    StopReason,
    Watch,
)
from ti99tools.app.debug.timeline import Play, Timeline
from ti99tools.base.errors import TIError
from ti99tools.computer.console.evaluating import value_text
from ti99tools.computer.console.keyscript import unescape
from ti99tools.computer.interp.run.runtime import Stepper
from ti99tools.fronts.wire import Inbox, Message, write

Rows = Sequence[tuple[str, Any]]
"""Names and values."""


class References:
    """Hands out references, which are valid until the program continues."""

    def __init__(self) -> None:
        self._rows: list[tuple[Callable[[], Rows], int]] = []

    def clear(self) -> None:
        """Make all references invalid: the run goes on, and values change."""
        self._rows.clear()

    def put(self, rows: Callable[[], Rows], level: int) -> int:
        """A reference to rows of a stack level; `rows` makes them when they are asked for."""
        self._rows.append((rows, level))
        return len(self._rows)

    def _at(self, reference: int) -> tuple[Callable[[], Rows], int]:
        if not 1 <= reference <= len(self._rows):
            raise TIError("the program has gone on since that was shown", remedy="ask again")
        return self._rows[reference - 1]

    def level(self, reference: int) -> int:
        """The level of the stack that a reference belongs to. Raises TIError."""
        return self._at(reference)[1]

    def rows(self, reference: int, base: int) -> list[dict[str, Any]]:
        """The rows at a reference, in the protocol's form of variables. Raises TIError."""
        rows, level = self._at(reference)
        return [self.described(name, value, base, level) for name, value in rows()]

    def described(
        self, name: str, value: Any, base: int, level: int, key: str = "value"
    ) -> dict[str, Any]:
        """A value with its text under `key`; an array with a reference to its elements."""
        description: dict[str, Any] = {"name": name, "variablesReference": 0}
        description["type"] = "string" if isinstance(value, str) else "number"
        if not isinstance(value, list):
            return {**description, key: value_text(value), "evaluateName": name}
        elements = [
            (f"{name.removesuffix(')')}{_comma(name)}{index})", one)
            for index, one in enumerate(value, base)
        ]
        description["type"] = "array"
        description["indexedVariables"] = len(elements)
        description["variablesReference"] = self.put(lambda: elements, level)
        return {**description, key: f"{len(elements)} elements"}


def _comma(name: str) -> str:
    return "" if name.endswith("()") else ","


def _apart(view: View, level: int, own: bool) -> Rows:
    """The variables at a level: its PROC's own, or all others."""
    proc = view.proc(level)
    names = set() if proc is None else set(proc.own)
    return [
        (name, value)
        for name, value in view.variables(level).items()
        if bool(names.intersection(name.removesuffix("()").split("/"))) is own
    ]


THREAD = 1
LISTED = 1
"""The reference of the LIST output, which stands in for a missing source."""

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsRestartRequest": True,
    "supportsTerminateRequest": True,
    "supportsDataBreakpoints": True,
    "supportsSetVariable": True,
}
_REASONS = {
    StopReason.START: "entry",
    StopReason.STEP: "step",
    StopReason.BREAKPOINT: "breakpoint",
    StopReason.WATCH: "data breakpoint",
    StopReason.PAUSE: "pause",
    StopReason.TYPED: "pause",
    StopReason.KEYS: "pause",
    StopReason.ERROR: "exception",
    StopReason.ENDED: "pause",
    StopReason.OVER: "pause",
}
_ORDERS: dict[str, Order] = {
    "continue": Forward(Reach.RUN),
    "next": Forward(Reach.OVER),
    "stepIn": Forward(Reach.STEP),
    "stepOut": Forward(Reach.OUT),
    "stepBack": Backward(Reach.STEP),
    "reverseContinue": Backward(Reach.RUN),
    "restart": Restart(),
    "disconnect": EndSession(),
    "terminate": EndSession(),
}
_KEYS = "the program waits for a key: `type BOB\\n` in the debug console gives some"

Begin = Callable[[Stepper], Play]
Launch = Callable[[Mapping[str, Any]], tuple[Begin, StatementLines | None]]
"""From the arguments of `launch` to a function that begins a run, and the program if already known.
Raises TIError.
"""


class DebugAdapter:
    """Serves one editor on two streams."""

    def __init__(self, source: IO[bytes], out: IO[bytes], launch: Launch) -> None:
        self.timeline: Timeline
        self._inbox = Inbox(source)
        self._out = out
        self._launch = launch
        self._serial = 0
        self._main: StatementLines | None = None
        self._launched: Message | None = None
        self._configured = False
        self._entry = False
        self._plain = False
        self._watchable: dict[str, Watch] = {}
        """Data id given to the editor → the expression that it may ask to watch."""
        self._fresh = True
        self._running = True
        self._leaving = False
        self._pausing = False
        self._finished = False
        self._lines = self._columns = 0
        """Correction to the editor's lines and columns: −1 if it counts from 0, else 0."""
        self._references = References()
        self._answers: dict[str, Callable[[Mapping[str, Any]], Any]] = {
            "initialize": self._initialize,
            "launch": self._begin,
            "attach": self._attach,
            "setBreakpoints": self._set_breakpoints,
            "setFunctionBreakpoints": lambda _arguments: {"breakpoints": []},
            "setExceptionBreakpoints": lambda _arguments: {"breakpoints": []},
            "dataBreakpointInfo": self._watch_info,
            "setDataBreakpoints": self._set_watches,
            "threads": lambda _arguments: {"threads": [{"id": THREAD, "name": "program"}]},
            "stackTrace": self._stack,
            "scopes": self._scopes,
            "variables": self._variables,
            "evaluate": self._evaluate,
            "source": self._source,
            "pause": self._pause,
            "setVariable": self._set_variable,
        }

    def serve(self) -> None:
        """Serve until the editor leaves. Raises TIError when the input is not a message."""
        while not (self._launched and self._configured):
            message = self._inbox.get()
            if message is None or self._handle(message) is not None:
                return
        self._respond(self._launched)
        try:
            self.timeline.run()
        except TIError as error:
            self._say(str(error))
        self._event("terminated", {})
        self._event("exited", {"exitCode": 0})

    # -- what the timeline calls ----------------------------------------------------------

    def stopped(self, stop: StopPlace) -> Order:
        """Report the stop to the editor and answer its requests until it continues."""
        if self._leaving:
            return EndSession()
        if self._fresh and stop.reason is StopReason.START and not self._entry:
            self._fresh = False
            return Forward(Reach.RUN)
        self._fresh = self._running = self._pausing = False
        self._finished = stop.reason in (StopReason.ENDED, StopReason.ERROR, StopReason.OVER)
        if self._finished and self._plain:
            self._say(f"{stop.reason.value}: {stop.text}" if stop.text else stop.reason.value)
            return EndSession()
        self._references.clear()
        self._tell_breakpoints()
        text = stop.reason.value + (f": {stop.text}" if stop.text else "")
        self._event(
            "stopped",
            {
                "reason": _REASONS[stop.reason],
                "threadId": THREAD,
                "allThreadsStopped": True,
                "description": _KEYS if stop.reason is StopReason.KEYS else text,
                "text": text,
            },
        )
        if stop.reason in (StopReason.KEYS, StopReason.ERROR, StopReason.ENDED):
            self._say(_KEYS if stop.reason is StopReason.KEYS else text)
        order: Order | None = None
        while order is None:
            message = self._inbox.get()
            order = EndSession() if message is None else self._handle(message)
        self._running = True
        return order

    def pause_wanted(self) -> bool:
        """Answer waiting requests; tell whether the editor asks for a pause."""
        while not self._inbox.empty:
            message = self._inbox.get()
            order = EndSession() if message is None else self._handle(message)
            self._leaving = self._leaving or isinstance(order, EndSession)
        return self._pausing or self._leaving

    # -- messages -------------------------------------------------------------------------

    def _send(self, message: dict[str, Any]) -> None:
        self._serial += 1
        write(self._out, {"seq": self._serial, **message})

    def _event(self, name: str, body: Mapping[str, Any]) -> None:
        self._send({"type": "event", "event": name, "body": body})

    def _say(self, text: str) -> None:
        self._event("output", {"category": "console", "output": f"{text}\n"})

    def _respond(self, request: Message, body: Any = None, problem: str = "") -> None:
        message: dict[str, Any] = {
            "type": "response",
            "request_seq": request.get("seq", 0),
            "success": not problem,
            "command": request.get("command", ""),
        }
        if problem:
            message["message"] = problem
            message["body"] = {"error": {"id": 1, "format": problem, "showUser": True}}
        elif body is not None:
            message["body"] = body
        self._send(message)

    def _handle(self, request: Message) -> Order | None:
        """Answer a request; returns the order that it means, if any."""
        command = str(request.get("command", ""))
        arguments = request.get("arguments") or {}
        try:
            if command == "configurationDone":
                self._configured = True
                self._respond(request)
                return None
            if command in _ORDERS:
                return self._order(request, command)
            if command not in self._answers:
                raise TIError(f"{command or 'a request without a command'} is not supported")
            body = self._answers[command](arguments)
        except TIError as error:
            self._respond(request, problem=str(error))
            return None
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            self._respond(request, problem=f"{command}: wrong arguments ({error!r})")
            return None
        if isinstance(body, GiveKeys):
            self._respond(request, {"result": "", "variablesReference": 0})
            return body
        if command == "launch":
            self._launched = request
            self._event("initialized", {})
            return None
        self._respond(request, body)
        return None

    def _order(self, request: Message, command: str) -> Order | None:
        order = _ORDERS[command]
        if not isinstance(order, EndSession) and self._running:
            raise TIError("the program runs", remedy="pause it first")
        body = {"allThreadsContinued": True} if command == "continue" else None
        self._respond(request, body)
        if isinstance(order, Restart):
            self._fresh = True
        if isinstance(order, Forward) and self._finished:
            return EndSession()
        return order

    # -- beginning ------------------------------------------------------------------------

    def _initialize(self, arguments: Mapping[str, Any]) -> Any:
        self._lines = 0 if arguments.get("linesStartAt1", True) else -1
        self._columns = 0 if arguments.get("columnsStartAt1", True) else -1
        return CAPABILITIES

    def _attach(self, _arguments: Mapping[str, Any]) -> Any:
        raise TIError("there is nothing to attach to", remedy='use "request": "launch"')

    def _begin(self, arguments: Mapping[str, Any]) -> Any:
        begin, self._main = self._launch(arguments)
        self._plain = bool(arguments.get("noDebug"))
        self._entry = bool(arguments.get("stopOnEntry")) and not self._plain
        self.timeline = Timeline(begin, self)
        return None

    def _still(self) -> View:
        if self._running:
            raise TIError("the program runs", remedy="pause it first")
        return View(self.timeline)

    def _pause(self, _arguments: Mapping[str, Any]) -> None:
        self._pausing = True

    # -- breakpoints ----------------------------------------------------------------------

    def _set_breakpoints(self, arguments: Mapping[str, Any]) -> Any:
        if self._launched is None:
            raise TIError("nothing was launched", remedy="wait for the event initialized")
        file = str(arguments["source"].get("path") or arguments["source"].get("name") or "")
        points: list[Breakpoint] = []
        placements: list[dict[str, Any]] = []
        for wish in arguments.get("breakpoints") or ():
            point = Breakpoint(file, int(wish["line"]) - self._lines)
            point.condition = str(wish.get("condition") or "").strip()
            placements.append(self._placed(point))
            points.append(point)
        good = [
            point
            for point, placed in zip(points, placements, strict=True)
            if "message" not in placed
        ]
        self.timeline.rule.points.replace(file, [] if self._plain else good)
        for point, placed in zip(points, placements, strict=True):
            placed["id"] = point.key
        return {"breakpoints": placements}

    def _placed(self, point: Breakpoint) -> dict[str, Any]:
        """A breakpoint for the editor: the line that it is at, or why it has none."""
        book = self._main or self.timeline.rule.book
        try:
            point.settle(book)
        except TIError as error:
            return {"verified": False, "message": str(error)}
        if point.line is None:
            return {"verified": False}
        return {"verified": True, "line": point.line.number + self._lines}

    def _tell_breakpoints(self) -> None:
        """Report breakpoints that could be placed only now that the program is loaded."""
        for point in self.timeline.rule.points.breakpoints:
            if point.line is not None and self._main is None:
                line = point.line.number + self._lines
                placement = {"id": point.key, "verified": True, "line": line}
                self._event("breakpoint", {"reason": "changed", "breakpoint": placement})
        self._main = self._main or self.timeline.rule.book

    def _watch_info(self, arguments: Mapping[str, Any]) -> Any:
        name = str(arguments["name"])
        view = self._still()
        try:
            level = self._level(arguments)
            view.value(name, level)
            watch = Watch.at(name, view.stack[level], self.timeline.rule.book)
        except TIError as error:
            return {"dataId": None, "description": str(error)}
        self._watchable[str(watch)] = watch
        return {"dataId": str(watch), "description": str(watch), "accessTypes": ["write"]}

    def _level(self, arguments: Mapping[str, Any]) -> int:
        """The stack level of a request, by its scope's reference or its frame."""
        reference = int(arguments.get("variablesReference") or 0)
        return (
            self._references.level(reference)
            if reference
            else int(arguments.get("frameId") or 1) - 1
        )

    def _set_watches(self, arguments: Mapping[str, Any]) -> Any:
        points = self.timeline.rule.points
        points.watches.clear()
        replies: list[dict[str, Any]] = []
        for wish in arguments["breakpoints"]:
            watch = self._watchable.get(str(wish["dataId"]))
            if watch is None:
                replies.append({"verified": False, "message": f"{wish['dataId']}: choose it again"})
                continue
            points.watch(watch)
            replies.append({"verified": True})
        return {"breakpoints": replies}

    # -- looking --------------------------------------------------------------------------

    def _stack(self, arguments: Mapping[str, Any]) -> Any:
        levels = self._still().stack
        frames = [self._frame(index, level) for index, level in enumerate(levels)]
        first = int(arguments.get("startFrame") or 0)
        count = int(arguments.get("levels") or len(frames))
        return {"stackFrames": frames[first : first + count], "totalFrames": len(frames)}

    def _frame(self, index: int, level: Level) -> dict[str, Any]:
        book = self.timeline.rule.book
        assert book is not None
        line = level.line.number
        source: dict[str, Any] = {"name": Path(level.line.file).name}
        if book.has_source:
            source["path"] = str(path_of(level.line.file).resolve())
        else:
            source["sourceReference"] = LISTED
            line = book.listing.numbers.index(line) + 1
        return {
            "id": index + 1,
            "name": f"{level.name} (line {level.number})",
            "source": source,
            "line": line + self._lines,
            "column": level.column + self._columns,
        }

    def _scopes(self, arguments: Mapping[str, Any]) -> Any:
        view, level = self._still(), int(arguments["frameId"]) - 1
        at = view.stack[level]
        sub, proc = at.activation.scope.name, view.proc(level)
        rest = f"Variables of SUB {sub}" if sub else "Variables"
        rows: dict[str, Callable[[], Rows]] = {rest: partial(_apart, view, level, False)}
        if proc is not None:
            rows = {f"Variables of PROC {proc.name}": partial(_apart, view, level, True), **rows}
        rows["Screen"] = lambda: [(f"{n:02}", row) for n, row in enumerate(view.screen(), 1)]
        return {
            "scopes": [
                {
                    "name": title,
                    "variablesReference": self._references.put(elements, level),
                    "expensive": False,
                }
                for title, elements in rows.items()
            ]
        }

    def _variables(self, arguments: Mapping[str, Any]) -> Any:
        self._still()
        base = View(self.timeline).base()
        return {"variables": self._references.rows(int(arguments["variablesReference"]), base)}

    def _evaluate(self, arguments: Mapping[str, Any]) -> Any:
        text = str(arguments["expression"]).strip()
        view = self._still()
        word, _, rest = text.partition(" ")
        if arguments.get("context") == "repl":
            if word.lower() == "type" and rest:
                return GiveKeys(unescape(rest))
            if text.lower() == "screen":
                return {"result": "\n".join(view.screen()), "variablesReference": 0}
        level = self._level(arguments)
        name = f"{text.upper()}()"
        variables = view.variables(level)
        if name in variables:
            return self._references.described(name, variables[name], view.base(), level, "result")
        return self._references.described(
            text, view.value(text, level), view.base(), level, "result"
        )

    def _set_variable(self, arguments: Mapping[str, Any]) -> Any:
        view, name = self._still(), str(arguments["name"])
        if self._level(arguments):
            raise TIError(f"{name} is not at the top of the stack", remedy="step out first")
        self.timeline.set(name, str(arguments["value"]))
        return {"value": value_text(view.value(name)), "variablesReference": 0}

    def _source(self, _arguments: Mapping[str, Any]) -> Any:
        book = self.timeline.rule.book
        if book is None:
            raise TIError("no program runs")
        return {"content": "\n".join(book.listed()) + "\n"}
