"""`list --width N | tokenize` gives the same program: all that were recorded, and the games."""

from collections.abc import Callable, Iterator
from functools import cache, partial

import pytest

from tests.conformance.everycase import every_case
from ti99tools.app.program_files import inexact, listing
from ti99tools.app.source import written
from ti99tools.games.making.finding import game_names
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.program.program import Program

LINE_FORMS = ("program", "saved", "input")


Making = tuple[str, Callable[[], Program]]
"""The name of a case, and what makes its program."""


def recorded() -> Iterator[Making]:
    for case in every_case():
        data = case.data
        if not isinstance(data, dict):
            continue
        if "source" in data:
            text = "\n".join(data["source"])
            yield case.id, partial(Program.from_listing, text, strict=False)
        for key in LINE_FORMS:
            if isinstance(data.get(key), str):
                yield case.id, partial(Program.from_bytes, bytes.fromhex(data[key]))


def games() -> Iterator[Making]:
    for name in game_names():
        yield name, partial(game, name)


@cache
def game(name: str) -> Program:
    return written(name).program()


@pytest.fixture(scope="module")
def programs() -> list[Making]:
    """All programs by the names of their cases."""
    return [*recorded(), *games()]


def found_to_be_wrapped(programs: list[Making], width: int) -> None:
    for name, make in programs:
        program = make()
        reading = read_text(listing(program, width))
        hidden = {number for number, _ in inexact(program)}
        assert len(reading.errors) <= len(hidden), name
        found = [(e.number, e.tokens) for e in reading.entries if e.number not in hidden]
        lines = [(n.number, n.tokens) for n in program.lines if n.number not in hidden]
        assert found == lines, name


@pytest.mark.parametrize(("width", "first"), [(80, 0), (28, 1)])
def test_wrapped_listings_are_found_to_be_wrapped_and_joined(
    width: int, first: int, programs: list[Making]
) -> None:
    assert len(programs) > 2500
    found_to_be_wrapped(programs[first::8] + programs[-len(game_names()) :], width)


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 28])
def test_all_wrapped_listings_are_found_to_be_wrapped_and_joined(
    width: int, programs: list[Making]
) -> None:
    found_to_be_wrapped(programs, width)
