"""OPEN's attributes."""

import pytest

from ti99tools.base import tokens as t
from ti99tools.base import xberrors as xb
from ti99tools.base.xberrors import XBError
from ti99tools.computer.interp.io.openfile import OpenBuilder
from ti99tools.hardware.machine.pab import Mode, OpenRequest


def build(*words: tuple[int, int] | int) -> OpenRequest:
    builder = OpenBuilder()
    for word in words:
        if isinstance(word, tuple):
            builder.word(*word)
        else:
            builder.word(word)
    return builder.request()


def test_the_defaults() -> None:
    assert build() == OpenRequest(Mode.UPDATE, False, True, False, 0, 0)
    assert build((t.RELATIVE, 30)) == OpenRequest(Mode.UPDATE, False, False, True, 0, 30)
    assert build((t.SEQUENTIAL, 30)) == OpenRequest(initial=30)
    assert build((t.FIXED, 20), t.INTERNAL, t.APPEND) == OpenRequest(
        Mode.APPEND, True, False, False, 20
    )


@pytest.mark.parametrize(
    "words",
    [
        (t.INPUT, t.OUTPUT),
        (t.DISPLAY, t.INTERNAL),
        (t.FIXED, t.VARIABLE),
        ((t.FIXED, 256),),
        ((t.FIXED, 0),),
        ((t.VARIABLE, -1),),
    ],
)
def test_what_is_a_syntax_error(words: tuple[tuple[int, int] | int, ...]) -> None:
    with pytest.raises(XBError) as error:
        build(*words)
    assert error.value.code == xb.SYNTAX_ERROR
