"""`list --width N | tokenize` gives the same program: all that were recorded, and the games."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ti99tools.app.program_files import inexact, listing
from ti99tools.app.source import written
from ti99tools.games.conformance.cases import load
from ti99tools.games.making.finding import game_names
from ti99tools.language.listing.numbered import read_text
from ti99tools.language.program.program import Program

ROOT = Path(__file__).parents[2]
LINE_FORMS = ("program", "saved", "input")


def recorded() -> Iterator[tuple[str, Program]]:
    for case in load([ROOT / "tests" / "conformance"]):
        data = case.data
        if not isinstance(data, dict):
            continue
        if "source" in data:
            yield case.id, Program.from_listing("\n".join(data["source"]), strict=False)
        for key in LINE_FORMS:
            if isinstance(data.get(key), str):
                yield case.id, Program.from_bytes(bytes.fromhex(data[key]))


def games() -> Iterator[tuple[str, Program]]:
    for name in game_names():
        yield name, written(name).program()


@pytest.fixture(scope="module")
def programs() -> list[tuple[str, Program]]:
    """All programs by the names of their cases."""
    return [*recorded(), *games()]


def found_to_be_wrapped(programs: list[tuple[str, Program]], width: int) -> None:
    for name, program in programs:
        reading = read_text(listing(program, width))
        hidden = {number for number, _ in inexact(program)}
        assert len(reading.errors) <= len(hidden), name
        found = [(e.number, e.tokens) for e in reading.entries if e.number not in hidden]
        lines = [(n.number, n.tokens) for n in program.lines if n.number not in hidden]
        assert found == lines, name


@pytest.mark.parametrize(("width", "first"), [(80, 0), (28, 1)])
def test_wrapped_listings_are_found_to_be_wrapped_and_joined(
    width: int, first: int, programs: list[tuple[str, Program]]
) -> None:
    assert len(programs) > 2500
    found_to_be_wrapped(programs[first::8] + programs[-len(game_names()) :], width)


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 28])
def test_all_wrapped_listings_are_found_to_be_wrapped_and_joined(
    width: int, programs: list[tuple[str, Program]]
) -> None:
    found_to_be_wrapped(programs, width)
