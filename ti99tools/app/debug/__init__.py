"""The debugger: a run stopped at its statements, inspected, and stepped forward and back.

Runs are deterministic, so going back is a new run up to an earlier statement. `stoprule` decides
where a run stops, forward and back, for all who run programs: `timeline`, as often as required, and
`halting`, for a caller that lets the console work in slices, as the page does. `sources` maps
statements to source lines and back, `stops` holds breakpoints and watches, `inspection` shows a
stopped program. `debugging` has the parts of a
debugged run (disks, keys). The front ends are in fronts/debug.
"""
