"""Commands as from a command line, in this process."""

from click.testing import CliRunner, Result

from ti99tools.fronts.cli.main import cli


def command(*words: object, given: str | None = None) -> Result:
    """What a command does and says; `given` is its standard input."""
    return CliRunner().invoke(cli, list(map(str, words)), input=given)


def invoke(*words: object, given: str | None = None) -> tuple[int, str]:
    """Its exit code and all that it says."""
    result = command(*words, given=given)
    return result.exit_code, result.output
