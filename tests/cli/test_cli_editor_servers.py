"""Commands for editors say on a terminal what they wait for."""

import io
import sys

import pytest

from ti99tools.fronts.cli.options import tell_a_person


@pytest.mark.parametrize("terminal", [True, False])
def test_a_person_is_told_and_an_editor_is_not(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stdin = io.StringIO()
    monkeypatch.setattr(stdin, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stdin", stdin)
    tell_a_person()
    output = capsys.readouterr()
    assert ("waiting for an editor" in output.err) is terminal
    assert output.out == ""
