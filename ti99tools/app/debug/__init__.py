"""The debugger: a run stopped at its statements, looked at, and stepped forward and back.

`timeline` runs a program again and again, as far as it is asked to: runs are deterministic, so
going back is running anew to an earlier statement. `sources` leads from statements to the lines
that were written and back, `view` shows a program that stands still. In front are `terminal`,
commands in a text, and `adapter`, the Debug Adapter Protocol for editors. What a debugged run is
made of (disks, keys) is in `debugging`.
"""
