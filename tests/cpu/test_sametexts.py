"""Texts of traces that differ in numbers share one compilation, and mean what they say."""

from types import CodeType, FunctionType

import pytest

from ti99tools.hardware.cpu.jit import sametexts
from ti99tools.hardware.cpu.jit.sametexts import code_of, marked

TEXT = """\
def run(c, m, R):
    if c != {0}:
        return {1}, c
    m[{2}] = {3}
    v = R({4}) + 7
    if not (0): m[1] = v
    return {5}, c & 5
"""


def direct(text: str) -> CodeType:
    return next(
        each for each in compile(text, "<trace>", "exec").co_consts if isinstance(each, CodeType)
    )


def results(code: CodeType) -> list[object]:
    """What a function returns, and what it leaves in memory, for two values of its argument."""
    run = FunctionType(code, {})
    left = []
    for given in (4, 7):
        memory = [0] * 10
        left += [run(given, memory, lambda place: place * 2), memory]
    return left


@pytest.mark.parametrize("numbers", [(4, 1, 2, 3, 4, 5), (7, 0, 0, 0, 0, 0), (7, 9, 9, 9, 7, 4)])
def test_a_text_means_what_it_says_whatever_was_compiled_before(numbers: tuple[int, ...]) -> None:
    code_of(TEXT.format(*map(marked, range(100, 106))))
    text = TEXT.format(*map(marked, numbers))
    assert results(code_of(text)) == results(direct(TEXT.format(*numbers)))


def test_texts_that_differ_in_numbers_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []

    def noted(text: str) -> CodeType:
        compiled.append(text)
        return direct(text)

    monkeypatch.setattr(sametexts, "_FORMS", {})
    monkeypatch.setattr(sametexts, "_compiled", noted)
    for number in (100, 100, 101, 102):
        text = f"def run(m):\n    return m[{marked(number)}]\n"
        assert FunctionType(code_of(text), {})({number: 8}) == 8
    assert len(compiled) == 1


@pytest.mark.parametrize(
    "condition", ["not (0)", "(4096) & 7", "5", "not 5", "5 & 0x8000", "0 < 5 < 0x8000", "5 - 5"]
)
def test_constants_that_python_works_out_are_part_of_the_form(condition: str) -> None:
    text = "def run(c, m, R):\n    if {}: return 1, c\n    return 2, c\n"
    code_of(text.format("8"))
    assert results(code_of(text.format(condition))) == results(direct(text.format(condition)))


def test_a_full_collection_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sametexts, "_FORMS", {})
    monkeypatch.setattr(sametexts, "MOST_FORMS_KEPT", 2)
    for name in "abcab":
        assert FunctionType(code_of(f"def run({name}):\n    return {name}\n"), {})(3) == 3
        assert len(sametexts._FORMS) <= 2
