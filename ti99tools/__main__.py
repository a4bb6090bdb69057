"""Entry point: answers `--version` at once, everything else through the command line.

Here is the one place that handles standard streams which are closed or full, and Ctrl-C wherever it
comes.
"""

import sys

from ti99tools.fronts.cli.streams import Streams, Unwritable


def main() -> None:
    """Run the command line; exit codes are those of the commands."""
    streams = None
    try:
        streams = Streams()
        code = _code()
    except Unwritable:
        code = 0
    except KeyboardInterrupt:
        from ti99tools.base.interrupts import EXIT_CODE

        # Before a command has begun, or where it could not say so itself.
        sys.stderr.write("interrupted\n")
        code = EXIT_CODE
    sys.exit(code if streams is None else streams.end(code))


def _code() -> int:
    """Run the command line; returns the exit code."""
    if sys.argv[1:] == ["--version"]:
        from ti99tools import __version__

        print(f"ti99tools {__version__}")
        return 0
    import gc

    from ti99tools.base.interrupts import listen

    listen()
    from ti99tools.fronts.cli.main import cli

    # A command makes many small objects and ends: looking for garbage every 700 costs 7 %.
    gc.set_threshold(100_000)
    try:
        cli(prog_name="ti99tools")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


if __name__ == "__main__":
    main()
