"""The functions of the bridge about saved states; see `page_states`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ti99tools.base.errors import TIError
from ti99tools.fronts.web.page_disks import ProgramDrives
from ti99tools.fronts.web.page_run import CompiledRun, PageRun
from ti99tools.fronts.web.page_states import Return, Start, State
from ti99tools.fronts.web.projects import Projects
from ti99tools.hardware.machine.clock import CPU_HZ

Answer = Any
"""A JSON value, or a pair of one and bytes."""


class StateCalls:
    """What a bridge knows of the run on its console, and of a state that is being loaded."""

    _projects: Projects
    _disks: ProgramDrives
    _owner: str
    """The program whose disks are in the drives of the console."""
    _run: PageRun | CompiledRun | None
    _start: Start | None
    """What the run began with, if it can be played again."""
    _return: Return | None

    def on_state_save(self) -> Answer:
        """The present moment of what runs: its facts, and its bytes for `on_state_load`."""
        state = self._state()
        return state.facts(), state.packed()

    def on_state_load(self, blob: bytes) -> Answer:
        """Begin to play a state again; `on_return_work` does it, what runs goes on meanwhile."""
        state = State.unpacked(blob)
        start = state.start
        self._projects.put(start.project, start.files)
        self._return = Return.to(state, self._projects.target(start.project, start.main))
        return {**state.facts(), "files": start.files}

    def on_rewind(self, seconds: float) -> Answer:
        """Begin to play what runs again, up to some seconds of machine time before now."""
        run, state = self._present, self._state()
        assert isinstance(run, PageRun)
        assert run.target is not None
        end = max(0, state.end - round(seconds * CPU_HZ))
        self._return = Return.to(replace(state, end=end, seen=""), run.target)

    def _state(self) -> State:
        """The state of what runs. Raises TIError if there is none."""
        run = self._present
        if self._start is None or not isinstance(run, PageRun):
            raise TIError(
                "only what runs in Extended BASIC, without debugger, can be saved",
                remedy="start it with Run or Play",
            )
        return State.now(run, self._start)

    def on_return_work(self, seconds: float) -> Answer:
        """Go on playing again: see `Return.work`."""
        back = self._returning
        return back.work(seconds, self._disks[back.state.start.project])

    def on_return_take(self) -> Answer:
        """Put what was played again in the place of what runs, its disks into the drives."""
        back, self._return = self._returning, None
        owner = back.state.start.project
        self._disks[owner].take_over(back.disks)
        self._run, self._owner, self._start = back.take(), owner, back.state.start
        return self._run.state()

    def on_return_drop(self) -> Answer:
        """Leave what runs as it is."""
        self._return = None

    @property
    def _returning(self) -> Return:
        if self._return is None:
            raise TIError("no state is being loaded", remedy="load one first")
        return self._return

    @property
    def _present(self) -> PageRun | CompiledRun:
        if self._run is None:
            raise TIError("nothing runs", remedy="run a program first")
        return self._run
