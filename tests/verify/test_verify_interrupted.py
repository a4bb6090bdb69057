"""Ctrl-C in a run of `verify`: its verdict, its journal, its exit code, and its workers."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.verify.interrupting import CASES, Case
from ti99tools.games.making.scaffold import new_game

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals of Unix"),
]
NAMES = [f"{c.number.name}-{'group' if c.group else 'main'}-{c.jobs}-{c.matches}" for c in CASES]
Outcome = dict[str, Any]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[Case, Outcome]:
    """What became of the runs of a game, some of whose matches differ."""
    folder = tmp_path_factory.mktemp("games") / "dare"
    new_game(folder)
    source = folder / "dare.xb"
    text = source.read_text()
    assert "T=T+P\n" in text
    source.write_text(text.replace("T=T+P\n", "T=T+P+(P>15)\n"))
    command = [sys.executable, "-m", "tests.verify.interrupting", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return dict(zip(CASES, json.loads(done.stdout), strict=True))


@pytest.fixture(params=CASES, ids=NAMES)
def case(request: pytest.FixtureRequest) -> Case:
    found: Case = request.param
    return found


def test_it_ends_with_its_workers(case: Case, outcomes: dict[Case, Outcome]) -> None:
    outcome = outcomes[case]
    killed = case.number is signal.SIGKILL
    assert outcome["code"] == (-signal.SIGKILL if killed else 130), outcome["err"]
    assert outcome["gone"], "no worker is left"
    assert "Traceback" not in outcome["err"]


def test_its_journal_is_whole(case: Case, outcomes: dict[Case, Outcome]) -> None:
    outcome = outcomes[case]
    lines = outcome["journal"].splitlines(keepends=True)
    assert all(line.endswith("}\n") and json.loads(line) for line in lines)
    if case.matches:
        assert outcome["seen"] > case.matches, "it was interrupted too soon"
        assert len(lines) >= outcome["seen"], "a match was lost"


def test_what_was_finished_gets_a_verdict(case: Case, outcomes: dict[Case, Outcome]) -> None:
    outcome = outcomes[case]
    if case.number is signal.SIGKILL:
        return
    if not case.matches:
        assert (outcome["out"], outcome["err"]) == ("", "interrupted\n")
        return
    match = re.search(r"cut off \(interrupted\): (.*)", outcome["out"])
    assert match is not None
    # The last match may be in the journal, and not yet counted.
    kept = outcome["journal"].count("\n") - 1
    right = (kept - 1, kept)
    differ = re.fullmatch(r"(\d+) of (\d+) matches differ from the rules", match[1])
    if differ is None:
        assert int(match[1].partition(" match")[0]) in right
        assert outcome["saved"] == []
    else:
        assert int(differ[2]) - int(differ[1]) in right
        assert len(outcome["saved"]) == min(3, int(differ[1]))


def test_a_second_ctrl_c_ends_at_once() -> None:
    script = (
        "import signal; from ti99tools.base.interrupts import listen\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler); listen()\n"
        "try: signal.raise_signal(signal.SIGINT)\n"
        "except KeyboardInterrupt:\n"
        "    print('ending', flush=True)\n"
        "    try: signal.raise_signal(signal.SIGINT)\n"
        "    finally: print('ended')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, "ending\n", "")
