"""A structured source on the console: the rows that it leaves on the screen; and its mistakes."""

import pytest

from ti99tools import Console, Program
from ti99tools.base.errors import SourceError
from ti99tools.language.dialect import generate


def printed_rows(source: str) -> list[str]:
    """The rows that a program prints, without blanks around them."""
    console = Console()
    console.load(Program.from_listing(generate(source, "g.xb").text))
    assert console.run() == "ready", console.error
    rows = [row.strip() for row in console.screen.text.splitlines()]
    return [row for row in rows if row and row != "* READY *" and row != ">"]


def mistakes(source: str) -> list[str]:
    """The mistakes without the name of the file."""
    with pytest.raises(SourceError) as caught:
        generate(source, "g.xb")
    return [str(e).removeprefix("g.xb:") for e in (caught.value, *caught.value.others)]
