"""Entry point: answers `--version` at once, everything else through the command line."""

import sys


def main() -> None:
    """Run the command line; exit codes are those of the commands."""
    if sys.argv[1:] == ["--version"]:
        from ti99tools import __version__

        print(f"ti99tools {__version__}")
        return
    import gc

    from ti99tools.fronts.cli.main import cli

    # A command makes many small objects and ends: looking for garbage every 700 costs 7 %.
    gc.set_threshold(100_000)
    cli(prog_name="ti99tools")


if __name__ == "__main__":
    main()
