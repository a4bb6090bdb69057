"""Verdicts as text, JSON and HTML: everything that was found out is in them."""

import io
import json
from html.parser import HTMLParser

import pytest
from rich.console import Console

from ti99tools.models.model import Player, Setup
from ti99tools.report.data import headline, log_data, percent, spoken_time, verdict_data
from ti99tools.report.html import page
from ti99tools.report.text import print_logs, print_verdicts
from ti99tools.trace.events import Event
from ti99tools.trace.playlog import PlayLog
from ti99tools.verify.result import Counted, Failure, LogVerdict, MatchResult, Mismatch, Verdict
from ti99tools.verify.scenario import Scenario

SCENARIO = Scenario("d5000", Setup(42, (Player("H", "<BOB>"),)), (13,), ("greedy",))
MISMATCH = Mismatch("log", "BUST 0 1", "BUST 50 1", 7, ("ROLL 2 3 4 6 2",))


def verdict(mismatch: Mismatch | None = None) -> Verdict:
    made = Verdict("d5000", "1.0", "virtual", disk="ab" * 32, seed=3, wall_seconds=2.4)
    for _ in range(3):
        made.add(MatchResult(SCENARIO, 100, 1, 20, 61.0))
    if mismatch is not None:
        made.add(MatchResult(SCENARIO, 100, 1, 20, 61.0, mismatch))
        made.failures = [Failure(mismatch, SCENARIO, "# scenario: {}\ntype <&>\n")]
    made.program = Counted(frozenset({"100", "110"}), frozenset({"100", "110", "120"}))
    made.model = Counted(frozenset({"7 yes"}), frozenset({"7 yes"}))
    return made


NOT_RUN = Verdict("d5000", "1.0", "mame", not_run="no ROMs & no hope")


def printed(*verdicts: Verdict) -> str:
    out = io.StringIO()
    print_verdicts(verdicts, Console(file=out, width=80))
    return out.getvalue()


def test_the_table_fits_eighty_columns() -> None:
    text = printed(verdict(), NOT_RUN)
    assert all(len(line) <= 80 for line in text.splitlines())
    row = next(line for line in text.splitlines() if "d5000 1.0" in line)
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells == ["d5000 1.0", "3", "300", "3", "66 %", "100 %", "verified"]
    assert "every one as the rules say" in text
    assert "3 min 3 s of machine time, played in 2 s" in text
    assert "not run: no ROMs & no hope" in text


def test_a_difference_is_shown() -> None:
    text = printed(verdict(MISMATCH))
    assert "1 differ" in text and "1 of 4 matches differ from the rules" in text
    assert text.rstrip().splitlines()[-5:] == [
        "d5000, seed 42:",
        "    ROLL 2 3 4 6 2",
        "  log line 10:",
        "    rules  BUST 0 1",
        "    game   BUST 50 1",
    ]


def test_json_holds_everything() -> None:
    data = json.loads(json.dumps(verdict_data(verdict(MISMATCH))))
    assert not data["verified"] and data["mismatches"] == 1
    assert data["matches"] == 4 and data["events"] == 400 and data["machine_seconds"] == 244
    assert data["policies"] == {"greedy": 4}
    assert data["program_lines"] == {"reached": 2, "total": 3, "missed": ["120"]}
    (failure,) = data["failures"]
    assert (failure["log_line"], failure["rules"], failure["game"]) == (10, "BUST 0 1", "BUST 50 1")
    assert verdict_data(verdict())["verified"] is True
    assert verdict_data(NOT_RUN)["verified"] is False
    assert verdict_data(NOT_RUN)["not_run"] == "no ROMs & no hope"


class Balanced(HTMLParser):
    """Checks that tags nest."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_and_escaped() -> None:
    text = page([verdict(), verdict(MISMATCH), NOT_RUN])
    reader = Balanced()
    reader.feed(text)
    assert reader.open == []
    for shown in ("verified", "1 differ", "not run", "no ROMs & no hope", "BUST 50 1"):
        assert shown in reader.text, shown
    assert "type <&>" in reader.text and "type <&>" not in text
    assert "http" not in text, "the page needs nothing from elsewhere"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (59.4, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (7384, "2 h 3 min")],
)
def test_times(seconds: float, text: str) -> None:
    assert spoken_time(seconds) == text


def test_shares_are_rounded_down() -> None:
    total = frozenset(map(str, range(200)))
    assert percent(Counted(total - {"7"}, total)) == "99 %"
    assert percent(Counted(total, total)) == "100 %"
    assert percent(Counted()) == "–"
    assert Counted(frozenset({"10", "9"}), frozenset({"10", "9", "11", "8"})).missed == ["8", "11"]


def test_headlines() -> None:
    assert headline(NOT_RUN) == "not run: no ROMs & no hope"
    assert headline(verdict()).startswith("3 matches, 300 events: every one")


def test_logs() -> None:
    log = PlayLog("D5000", "1.0", 42, (Event("TURN"),), complete=False)
    out = io.StringIO()
    print_logs(
        [LogVerdict("D5000LOG", log, None), LogVerdict("OTHER", log, MISMATCH)],
        Console(file=out, width=120),
    )
    lines = out.getvalue().splitlines()
    assert lines[0] == "D5000LOG: D5000 1.0, seed 42, 1 events, truncated: follows the rules"
    assert lines[1].endswith("does NOT follow the rules")
    assert lines[-1] == "    game   BUST 50 1"
    assert log_data(LogVerdict("X", log, None))["follows_the_rules"] is True
    assert log_data(LogVerdict("X", log, MISMATCH))["mismatch"]["log_line"] == 10
