"""ti99sim as a host: our driver, its core, and the user's ROMs, in a process of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ti99tools.base.errors import HostError, Remedy
from ti99tools.games.hosts.driver import Setting
from ti99tools.games.hosts.emulator import JOB, Emulator, run_program
from ti99tools.games.hosts.host import Job
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
        # Files of its user are none of its business.
        home = {"HOME": str(folder)}
        command = [str(self.program), str(folder / JOB)]
        done = run_program("ti99sim", command, folder, wall, Remedy.BUILD_DRIVER, home)
        said = [line[1:] for line in done.stdout.splitlines() if line.startswith("@")]
        if not said:
            last = done.stderr.strip().splitlines()[-1:] or [
                f"it ended with code {done.returncode}"
            ]
            problem = f"ti99sim: {last[0]}"
            raise HostError(problem, remedy=Remedy.CHECK_HOST.of(host=self.name))
        return said
