"""The functions that the page's workers call, by name, with arguments as JSON and bytes.

The answer has the same form. Each worker has one bridge, including the language server for the
page's editor. A `TIError` comes back as `error`; other exceptions are bugs, and the page reports
them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ti99tools import __version__
from ti99tools.base.codes import RGB
from ti99tools.base.errors import SourceError, TIError
from ti99tools.fronts.lsp.server import Server
from ti99tools.fronts.web.page_debug import PageDebugger, Point
from ti99tools.fronts.web.page_disks import ProgramDrives
from ti99tools.fronts.web.page_memory import stretch, video
from ti99tools.fronts.web.page_run import CompiledRun, PageRun
from ti99tools.fronts.web.page_states import Answer, Start, StateCalls
from ti99tools.fronts.web.projects import (
    Projects,
    checked,
    example,
    examples,
    in_a_row,
    opened,
    packed,
    provable,
    unpacked,
)
from ti99tools.fronts.wire import Message, read
from ti99tools.hardware.machine.clock import FRAME_SECONDS
from ti99tools.hardware.machine.keycodes import FUNCTION_KEYS
from ti99tools.hardware.machine.soundchip import Registers
from ti99tools.hardware.machine.spritedots import DOTS, LINES
from ti99tools.hardware.render.picture import BORDER
from ti99tools.media.disk.image import DiskImage

if TYPE_CHECKING:
    from ti99tools.fronts.web.proving import GatheredProof, Watched


Findings = dict[str, list[dict[str, Any]]]
"""File name → diagnostics of the Language Server Protocol."""


class PageLanguageServer:
    """A language server without streams: each request comes with the text that it is about."""

    def __init__(self) -> None:
        self._out = BytesIO()
        self._server = Server(BytesIO(), self._out)

    def look(self, path: Path, text: str) -> Findings:
        """The findings of lint in a file's program, whose other files are read from disk."""
        self._server = Server(BytesIO(), self._out)
        document = {"uri": path.resolve().as_uri(), "text": text}
        messages = self._take("textDocument/didOpen", {"textDocument": document})
        found: Findings = {path.name: []}
        for message in messages:
            params = message["params"]
            found[Path(params["uri"]).name] = params["diagnostics"]
        return found

    def ask(self, what: str, path: Path, text: str, row: int, column: int) -> Any:
        """The server's answer about a place (from 0): `completion` or `hover`."""
        uri = path.resolve().as_uri()
        self._server.note(uri, text)
        place = {"line": row, "character": column}
        params = {"textDocument": {"uri": uri}, "position": place}
        return self._take(f"textDocument/{what}", params, {"id": 1})[0]["result"]

    def _take(
        self, method: str, params: dict[str, Any], more: dict[str, Any] | None = None
    ) -> list[Message]:
        self._server.take({"method": method, "params": params, **(more or {})})
        self._out.seek(0)
        messages = []
        while (answer := read(self._out)) is not None:
            messages.append(answer)
        self._out.seek(0)
        self._out.truncate()
        return messages


Blob = bytes | None
MOST_MISTAKES = 50
"""The most mistakes of one source that are shown."""


class Bridge(StateCalls):
    """The studio without its page. `root` contains the projects' folders."""

    def __init__(self, root: Path) -> None:
        self._projects = Projects(root)
        self._disks = ProgramDrives()
        self._owner = ""
        self._desk = PageLanguageServer()
        self._run = None
        self._start = None
        self._return = None
        self._proof: GatheredProof | None = None
        self._watched: Watched | None = None
        self._calls: Mapping[str, Callable[..., Answer]] = {
            name.removeprefix("on_"): getattr(self, name)
            for name in dir(self)
            if name.startswith("on_")
        }

    def call(self, name: str, arguments: str = "{}", blob: Blob = None) -> tuple[str, Blob]:
        """Call the function `on_NAME`; the JSON has `result`, or `error` with all mistakes."""
        fields = json.loads(arguments)
        if blob is not None:
            fields["blob"] = blob
        try:
            answer = self._calls[name](**fields)
        except TIError as error:
            return self._projects.shortened(json.dumps({"error": _error_data(error)})), None
        data = None
        if isinstance(answer, tuple):
            answer, data = answer
        return json.dumps({"result": answer}), data

    # -- what there is --------------------------------------------------------------------

    def on_hello(self) -> Answer:
        """The facts that the page needs at its start."""
        return {
            "version": __version__,
            "palette": [list(rgb) for rgb in RGB],
            "width": DOTS,
            "height": LINES,
            "border": BORDER,
            "frame": FRAME_SECONDS,
            "fctn": FUNCTION_KEYS,
            "examples": examples(),
            "provable": provable(),
        }

    def on_example(self, name: str) -> Answer:
        """The files of an example."""
        return example(name)

    # -- sources --------------------------------------------------------------------------

    def on_put(self, project: str, files: dict[str, str]) -> Answer:
        """Replace the files of a project."""
        self._projects.put(project, files)

    def on_look(
        self, version: int, project: str, main: str, file: str, files: dict[str, str]
    ) -> Answer:
        """The findings for a project's files; `file` is the one shown.

        `version` comes back, so that the page knows to which text the answer belongs. `program` is
        that of `checked`, None if there are mistakes.
        """
        self._projects.put(project, files)
        findings = self._desk.look(self._projects.folder(project) / file, files[file])
        shortened = json.loads(self._projects.shortened(json.dumps(findings)))
        try:
            program = checked(self._projects.source(project, main))
        except TIError:
            program = None
        return {"version": version, "findings": shortened, "program": program}

    def on_ask(
        self, what: str, project: str, file: str, text: str, row: int, column: int
    ) -> Answer:
        """The language server's answer about a place in a file whose present text is `text`."""
        return self._desk.ask(what, self._projects.folder(project) / file, text, row, column)

    def on_open(self, name: str, blob: bytes) -> Answer:
        """The source in a file."""
        return opened(name, blob)

    def on_pack(self, files: dict[str, str]) -> Answer:
        """The files of a project as a zip archive."""
        return len(files), packed(files)

    def on_unpack(self, name: str, blob: bytes) -> Answer:
        """The project in a zip archive: see `gathered`."""
        return unpacked(name, blob)

    def on_gather(self, sizes: list[tuple[str, int]], blob: bytes) -> Answer:
        """The project in a folder, whose files are concatenated in `blob`: see `gathered`."""
        return in_a_row(sizes, blob)

    def on_build(self, project: str, main: str, form: str) -> Answer:
        """The disk of a project, or its program as a cartridge (`bin`): its name, and its bytes."""
        if form == "bin":
            return self._projects.cartridge(project, main)
        return self._projects.disk(project, main, form)

    # -- running --------------------------------------------------------------------------

    def on_run(
        self,
        project: str,
        main: str,
        debug: bool,
        rows: dict[str, list[Point]],
        compiled: bool = False,
        replace: bool = False,
        watches: list[dict[str, Any]] | None = None,
    ) -> Answer:
        """Start a project; a game's disk goes into DSK1, or stays there with its scores.

        Only answers `asks` if a disk of the user's is there, unless `replace`. If another disk was
        replaced, its bytes come along, with the files that were `carried` over from it, and those
        for which there was no room (`left`).
        `rows` and `watches` are those of the debugger: see `PageDebugger`.
        With `compiled` it runs as machine code; if it does not compile, it runs in Extended BASIC,
        and `why` gives the reason.
        """
        why = ""
        if compiled:
            try:
                _, cartridge = self._projects.cartridge(project, main)
                state = self._begin(CompiledRun(cartridge, self._disks[project].images), project)
                return {**state, "compiled": True}
            except TIError as error:
                why = str(error)
        target = self._projects.target(project, main)
        disks, old = self._disks[project], None
        if target.disk is not None:
            if disks.in_the_way("DSK1") and not replace:
                return {"asks": disks["DSK1"].name}
            old = disks.insert("DSK1", target.disk)
        files = self._projects.files(project)
        start = None if debug else Start.of(project, main, files, disks)
        run = PageRun(target, disks.images, debug, at_start=not any(rows.values()))
        if run.debugger is not None:
            run.debugger.break_at(rows)
            for at in watches or ():
                run.debugger.watch(at["text"], at)
        state = {**self._begin(run, project, start), "compiled": False, "why": why}
        if old is None:
            return state
        return {**state, "carried": old.carried, "left": old.left}, old.old

    def _begin(
        self, run: PageRun | CompiledRun, owner: str, start: Start | None = None
    ) -> dict[str, Any]:
        run.start()
        self._run, self._owner, self._start, self._return = run, owner, start, None
        return run.state()

    def on_boot(self, owner: str) -> Answer:
        """Start the console without a program; the disk in DSK1 of this program's drives starts."""
        return self._begin(PageRun(None, self._disks[owner].images), owner)

    def on_play(self, frames: int) -> Answer:
        """Let frames pass; returns the state, the sound, and the dots if they changed."""
        run = self._present
        sounds = [_sound(each) for each in run.engine.play(frames)]
        return {**run.state(), "sounds": sounds}, run.engine.dots()

    def on_hurry(self, seconds: float) -> Answer:
        """Work for `seconds` of the host; returns the same as `on_play`."""
        run = self._present
        run.engine.hurry(seconds)
        return {**run.state(), "sounds": []}, run.engine.dots()

    def on_key(self, key: str, way: str) -> Answer:
        """Press or release a key; `way` is `down`, `up` or `tap`."""
        if self._run is not None:
            engine = self._run.engine
            {"down": engine.down, "up": engine.up, "tap": engine.tap}[way](key)

    def on_type(self, text: str) -> Answer:
        """Type a text; each character is held until the program has seen it."""
        for character in text:
            self._present.engine.tap(character)

    def on_joystick(self, x: int, y: int, fire: bool) -> Answer:
        """Move joystick 1; `x` and `y` are -1, 0 or 1."""
        if self._run is not None:
            self._run.engine.joystick(1, x, y, fire)

    # -- the debugger ---------------------------------------------------------------------

    @property
    def _debugger(self) -> PageDebugger:
        debugger = self._present.debugger
        if debugger is None:
            raise TIError("the program runs without the debugger", remedy="choose Debug")
        return debugger

    def on_break_at(self, rows: dict[str, list[Point]]) -> Answer:
        """Stop before these rows; returns what is wrong with their conditions."""
        debugger = None if self._run is None else self._run.debugger
        return [] if debugger is None else debugger.break_at(rows)

    def on_go(self, pace: str) -> Answer:
        """Continue after a stop."""
        self._debugger.go(pace)

    def on_back(self, pace: str) -> Answer:
        """Begin to go back; returns why that is impossible, else an empty text."""
        return self._debugger.back(pace)

    def on_retrace(self, seconds: float) -> Answer:
        """Work on the way back for `seconds` of the host: how much of it is done, up to 1.

        At its end the state and the dots come, too, and the disks are those of that moment:
        `drives` has those whose disks have changed.
        """
        debugger, run = self._debugger, self._present
        done = debugger.retrace(seconds)
        if done < 1:
            return {"done": done}
        drives = self._disks[self._owner].swap(run.console.machine.drives.images())
        return {"done": done, "drives": drives, **run.state(), "sounds": []}, run.engine.dots()

    def on_watch(self, text: str) -> Answer:
        """Stop when the value of an expression changes; returns it with the place of its names."""
        return self._debugger.watch(text)

    def on_unwatch(self, at: dict[str, Any]) -> Answer:
        """Watch an expression no longer, by what `on_watch` returned."""
        self._debugger.unwatch(at)

    def on_set(self, name: str, text: str) -> Answer:
        """Set a variable to the value of an expression where the program stands."""
        self._debugger.set(name, text)

    def on_variables(self) -> Answer:
        """The stack of the program, and the values of its variables."""
        return self._present.variables()

    def on_memory(self, space: str, address: int, count: int) -> Answer:
        """The video processor and its sprites, with bytes of a memory: see `page_memory`."""
        machine = self._present.console.machine
        return video(machine), stretch(machine, space, address, count)

    def on_screen(self) -> Answer:
        """The screen as 24 rows of text."""
        return self._present.console.screen.rows

    # -- disks: `owner` is the program whose drives they are in ------------------------------

    def on_drives(self, owner: str) -> Answer:
        """All drives of a program with their catalogues."""
        return self._disks[owner].described()

    def on_disks(self) -> Answer:
        """The disks of all programs, as the browser is to keep them."""
        return self._disks.described()

    def on_disks_copy(self, owner: str, name: str) -> Answer:
        """Give a program copies of another one's disks."""
        self._disks.copy(owner, name)

    def on_disks_move(self, owner: str, name: str) -> Answer:
        """Give a program's disks to the name that it has from now on."""
        self._disks.move(owner, name)
        if self._owner == owner:
            self._owner = name

    def on_disks_forget(self, owner: str) -> Answer:
        """Forget the disks of a program that is no more."""
        self._disks.forget(owner)

    def on_disk_new(self, owner: str, drive: str, geometry: str, name: str) -> Answer:
        """Put an empty disk into a drive."""
        self._disks[owner].make(drive, geometry, name)
        self._mount(owner, drive)

    def on_disk_look(self, owner: str, drive: str, name: str, blob: bytes) -> Answer:
        """What `on_disk_take` would replace, and what is wrong with the disk."""
        return self._disks[owner].look(drive, name, blob)

    def on_disk_take(self, owner: str, drive: str, name: str, blob: bytes) -> Answer:
        """Open a disk, or put a TI file onto one."""
        done = self._disks[owner].take(drive, name, blob)
        self._mount(owner, drive)
        return done

    def on_disk_restore(
        self, owner: str, drive: str, origin: str | dict[str, Any] | None, blob: bytes
    ) -> Answer:
        """Put back a disk that the browser has kept, with its origin."""
        self._disks[owner].restore(drive, origin, blob)
        self._mount(owner, drive)

    def on_disk_eject(self, owner: str, drive: str) -> Answer:
        """Take a disk out; a console that runs keeps it until the next run."""
        self._disks[owner].eject(drive)

    def on_disk_save(self, owner: str, drive: str, form: str) -> Answer:
        """The disk in a drive as a file."""
        disks = self._disks[owner]
        return f"{disks[drive].name.lower()}.{form}", disks.saved(drive, form)

    def on_disk_bytes(self, owner: str, drive: str) -> Answer:
        """The disk in a drive as it is, even if it is damaged: its facts, and its bytes."""
        disks = self._disks[owner]
        return disks.record_of(drive), disks[drive].to_bytes()

    def on_disk_file(self, owner: str, drive: str, name: str, form: str) -> Answer:
        """A file of a disk."""
        return self._disks[owner].file(drive, name, form)

    def on_disk_remove(self, owner: str, drive: str, name: str) -> Answer:
        """Remove a file from a disk."""
        self._disks[owner].remove(drive, name)
        if self._run is not None and owner == self._owner:
            self._run.changed(drive, self._disks[owner][drive])

    def _mount(self, owner: str, drive: str) -> None:
        """Put the disk of a drive into the running console too, if it has this program's drives."""
        image: DiskImage | None = self._disks[owner].images.get(drive)
        if self._run is not None and owner == self._owner and image is not None:
            self._run.mounted(drive, image)

    # -- proving --------------------------------------------------------------------------

    def on_prove_seeds(self, matches: int, seed: int) -> Answer:
        """The seeds of a campaign, to be distributed to workers; forgets earlier results."""
        from ti99tools.fronts.web.proving import GatheredProof, seeds_of

        self._proof = GatheredProof()
        return seeds_of(matches, seed)

    def on_prove_some(self, project: str, seeds: list[int], coverage: bool) -> Answer:
        """Play some matches: how each differs from the rules, and bytes for `on_prove_take`.

        A match that follows them has an empty text.
        """
        from ti99tools.fronts.web.proving import Watched, play_seeds

        self._watched = self._watched or Watched()
        return play_seeds(self._projects.folder(project), seeds, coverage, self._watched)

    def on_prove_pictures(self) -> Answer:
        """The number of pictures of the last match, and the pictures."""
        pictures = b"" if self._watched is None else self._watched.pictures()
        return len(pictures) // (DOTS * LINES + 1), pictures

    def on_prove_take(self, blob: bytes) -> Answer:
        """Add the results of another worker."""
        assert self._proof is not None
        self._proof.take(blob)

    def on_prove_shorten(self, project: str) -> Answer:
        """Make one trial to shorten a failure: see `GatheredProof.shorten`."""
        assert self._proof is not None
        return self._proof.shorten(self._projects.folder(project))

    def on_prove_end(
        self, project: str, matches: int, seed: int, coverage: bool, seconds: float
    ) -> Answer:
        """The report on all results that have been added."""
        assert self._proof is not None
        folder = self._projects.folder(project)
        return self._proof.report(folder, matches, seed, coverage, seconds)


def _sound(chip: Registers) -> list[int]:
    """Three periods, the noise control, four attenuations."""
    return [*chip.periods, chip.noise, *chip.attenuations]


def _error_data(error: TIError) -> dict[str, Any]:
    """An error for the page: one line, and the places of all mistakes."""
    others = error.others if isinstance(error, SourceError) else ()
    places = [
        {**asdict(each.place), "problem": each.problem, "remedy": str(each.remedy)}
        for each in (error, *others)
    ]
    return {"text": str(error), "mistakes": places[:MOST_MISTAKES]}
