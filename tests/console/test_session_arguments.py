"""What the classes of Python take, and what they say of other things."""

import pytest

from ti99tools import Cassette, Console, Port, Program
from ti99tools.base.errors import TIError


@pytest.mark.parametrize(
    ("name", "code"), [("FCTN-4", 2), ("fctn-7", 1), ("CLEAR", 2), ("FCTN-P", 34), ("FCTN-Z", 92)]
)
def test_a_key_has_the_names_that_it_has_in_key_scripts(name: str, code: int) -> None:
    console = Console()
    source = "ON BREAK NEXT\nREPEAT\nCALL KEY(5,K,S)\nUNTIL S"
    console.load(Program.from_source(source))
    console.start()
    console.wait(30)
    console.tap(name)
    assert console.run_until(ready=True, seconds=10)
    assert console.variables["K"] == code


def test_a_port_and_a_cassette_take_bytes() -> None:
    with pytest.raises(TIError, match=r'write Port\(b"…"\)'):
        Port("HELLO")  # type: ignore[arg-type]
    with pytest.raises(TIError, match=r"write Cassette\.open"):
        Cassette("tape.wav")  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", [-1, 0, "60", None, float("nan"), float("inf")])
def test_a_limit_is_a_time(seconds: object) -> None:
    with pytest.raises(TIError, match="max_seconds is"):
        Console(max_seconds=seconds)  # type: ignore[arg-type]
