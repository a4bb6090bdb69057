"""The debugger: a run stopped at its statements, inspected, and stepped forward and back.

`timeline` runs a program again and again, each time as far as required: runs are deterministic, so
going back is a new run up to an earlier statement. `sources` maps statements to the lines that were
written and back, `stops` has where a run is to stop, `inspection` shows a stopped program. The
front ends are `commands`, commands as text, and `debug_adapter`, the Debug Adapter Protocol for
editors. `debugging` has the parts of a debugged run (disks, keys).
"""
