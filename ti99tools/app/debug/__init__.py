"""The debugger: a run stopped at its statements, inspected, and stepped forward and back.

Runs are deterministic, so going back is a new run up to an earlier statement: `timeline` runs a
program as often as required. `sources` maps statements to source lines and back, `stops` holds
breakpoints and watches, `inspection` shows a stopped program. `debugging` has the parts of a
debugged run (disks, keys). The front ends are in fronts/debug.
"""
