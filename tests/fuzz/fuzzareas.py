"""All fuzz areas by name."""

from __future__ import annotations

from tests.fuzz.fuzzassembly import assembly, object_code
from tests.fuzz.fuzzcommands import disk_command, run_command
from tests.fuzz.fuzzcore import Area
from tests.fuzz.fuzzdisks import disk_image, disk_in_drive
from tests.fuzz.fuzzfiles import container_file, program_file, program_on_console
from tests.fuzz.fuzzfixes import fixed_source
from tests.fuzz.fuzzlint import linted_program
from tests.fuzz.fuzzoptimized import optimized_program
from tests.fuzz.fuzzprograms import (
    computed_program,
    grown_program,
    mutated_program,
    new_program,
    spoken_program,
)
from tests.fuzz.fuzzreaders import READERS
from tests.fuzz.fuzzscripts import key_script, manifest, play_log, scenario
from tests.fuzz.fuzzsessions import states
from tests.fuzz.fuzzsources import source

AREAS: dict[str, Area] = {
    "fixed-sources": fixed_source,
    "programs": mutated_program,
    "grown-programs": grown_program,
    "computed-programs": computed_program,
    "new-programs": new_program,
    "spoken-programs": spoken_program,
    "optimized-programs": optimized_program,
    "linted-programs": linted_program,
    "states": states,
    "program-files": program_file,
    "files-on-console": program_on_console,
    "containers": container_file,
    "disks": disk_image,
    "drives": disk_in_drive,
    "sources": source,
    "commands": run_command,
    "disk-commands": disk_command,
    "key-scripts": key_script,
    "play-logs": play_log,
    "scenarios": scenario,
    "manifests": manifest,
    "assembly": assembly,
    "object-code": object_code,
    **READERS,
}
