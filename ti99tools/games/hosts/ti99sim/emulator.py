"""ti99sim as a host: our driver, its core, and the user's ROMs, in a process of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ti99tools.base.errors import HostError, Remedy
from ti99tools.games.hosts.driver import Setting
from ti99tools.games.hosts.emulator import JOB, Emulator
from ti99tools.games.hosts.host import Endless, Job
from ti99tools.games.hosts.ti99sim.building import built_driver, lay_out

SLOWEST = 10.0
"""It is expected to run at least at this multiple of the real machine's speed."""
WALL_MARGIN = 60


class Ti99sim(Emulator):
    """See `Host`."""

    name, title = "ti99sim", "ti99sim"
    install = Remedy.BUILD_DRIVER.of()

    def __init__(self, program: str | None = None, rom_folder: Path | None = None) -> None:
        super().__init__(program or built_driver(), rom_folder)

    def prepare(self, folder: Path, job: Job) -> Mapping[str, str]:
        """Write the ROMs as ti99sim requires them."""
        return lay_out(self.dumps().found, folder, job.expansion)

    def drive(self, folder: Path, job: Job, setting: Setting) -> list[str]:
        """Run the driver over a job. Returns its lines.

        Raises HostError when it does not start, ends with nothing said, or does not end in time.
        """
        wall = job.max_seconds / SLOWEST + WALL_MARGIN
        done = _run([str(self.program), str(folder / JOB)], folder, wall)
        said = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
        if not said:
            last = done.stderr.strip().splitlines()[-1:] or [
                f"it ended with code {done.returncode}"
            ]
            problem = f"ti99sim: {last[0]}"
            raise HostError(problem, remedy=Remedy.CHECK_HOST.of(host=self.name))
        return said


def _run(command: list[str], folder: Path, wall: float) -> subprocess.CompletedProcess[str]:
    """The driver's run, `wall` seconds at most; it must not touch files of the user."""
    try:
        return subprocess.run(
            command,
            env={**os.environ, "HOME": str(folder)},
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=wall,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise Endless(f"ti99sim: no end after {wall:.0f} seconds") from error
    except OSError as error:
        raise HostError(
            f"ti99sim: {command[0]} does not start: {error.strerror}",
            remedy=Remedy.BUILD_DRIVER,
        ) from error
