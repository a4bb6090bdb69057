"""All fuzz areas by name."""

from __future__ import annotations

from fuzzassembly import assembly, object_code
from fuzzcommands import disk_command, run_command
from fuzzcore import Area
from fuzzdisks import disk_image, disk_in_drive
from fuzzfiles import container_file, program_file, program_on_console
from fuzzlint import linted_program
from fuzzoptimized import optimized_program
from fuzzprograms import (
    computed_program,
    grown_program,
    mutated_program,
    new_program,
    spoken_program,
)
from fuzzscripts import key_script, manifest, play_log, scenario
from fuzzsessions import states
from fuzzsources import source

AREAS: dict[str, Area] = {
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
}
