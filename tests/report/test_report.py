"""Verdicts as text, JSON and HTML: everything that was found out is in them."""

import io
import json
import re
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser

import pytest
from rich.console import Console

from ti99tools.base.errors import Place
from ti99tools.games.hosts.host import Evidence, Shot
from ti99tools.games.models.model import Player, Setup
from ti99tools.games.models.playlog import Event, PlayLog
from ti99tools.games.report.data import (
    headline,
    log_data,
    percent,
    shortened,
    spoken_time,
    verdict_data,
)
from ti99tools.games.report.html import About, page
from ti99tools.games.report.text import print_logs, print_verdicts
from ti99tools.games.verify.result import (
    Counted,
    Failure,
    LogVerdict,
    MatchResult,
    Mismatch,
    Verdict,
)
from ti99tools.games.verify.scenario import Scenario
from ti99tools.language.program.coverage import Count, Coverage

SCENARIO = Scenario("d5000", Setup(42, (Player("H", "<BOB>"),)), (13,), ("greedy",))
MISMATCH = Mismatch("log", "BUST 0 1", "BUST 50 1", 7, ("ROLL 2 3 4 6 2",))


def verdict(mismatch: Mismatch | None = None) -> Verdict:
    verdict = Verdict("d5000", "1.0", "virtual", disk="ab" * 32, seed=3, wall_seconds=2.4)
    for _ in range(3):
        verdict.add(MatchResult(SCENARIO, 100, 1, 20, 61.0))
    if mismatch is not None:
        verdict.add(MatchResult(SCENARIO, 100, 1, 20, 61.0, mismatch))
        verdict.failures = [Failure(mismatch, SCENARIO, "# scenario: {}\ntype <&>\n")]
    verdict.program = Counted(frozenset({"100", "110"}), frozenset({"100", "110", "120"}))
    verdict.model = Counted(frozenset({"7 yes"}), frozenset({"7 yes"}))
    return verdict


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
    assert "1 differ" in text
    assert "1 of 4 matches differ from the rules" in text
    assert text.rstrip().splitlines()[-5:] == [
        "d5000, seed 42:",
        "    ROLL 2 3 4 6 2",
        "  log line 10:",
        "    rules  BUST 0 1",
        "    game   BUST 50 1",
    ]


def test_json_holds_everything() -> None:
    data = json.loads(json.dumps(verdict_data(verdict(MISMATCH))))
    assert not data["verified"]
    assert data["mismatches"] == 1
    assert data["matches"] == 4
    assert data["events"] == 400
    assert data["machine_seconds"] == 244
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
    assert "type <&>" in reader.text
    assert "type <&>" not in text
    assert "http" not in text, "the page needs nothing from elsewhere"


PNG = b"\x89PNG picture"
EVIDENCE = Evidence(
    (Shot("<before>", PNG, ("SCORE 1",)), Shot("after", PNG, ("SCORE 2",))),
    ((0, 6, 1),),
    ((100, 0), (200, 4)),
    "The line is made here:",
)
TEXTS = {"game.xb": ["A=1", "IF A<2 THEN B=1 :: C=2", "! a remark", "PRINT A"]}


def with_evidence() -> Verdict:
    made = verdict(MISMATCH)
    calls = (Place("lib.xb", 7, 3), Place("game.xb", 2, 1))
    made.failures = [replace(made.failures[0], evidence=EVIDENCE, calls=calls, own=1)]
    made.coverage = Coverage(
        {
            "game.xb": {
                (1, 1): Count(4),
                (2, 1): Count(4, 0, 4),
                (2, 13): Count(0),
                (2, 20): Count(0),
                (4, 1): Count(0),
            }
        }
    )
    return made


def test_a_difference_has_its_pictures_place_and_command() -> None:
    replays = {"d5000": ["ti99tools verify --replay failed/d5000-1.keys"]}
    about = About(datetime(2026, 5, 4, 3, 2), TEXTS, replays)
    text = page([with_evidence()], about)
    reader = Balanced()
    reader.feed(text)
    assert reader.open == []
    assert text.count("data:image/png;base64,") == 2
    assert '<rect x="47" y="-1" width="10" height="10"/>' in text
    for shown in (
        "2026-05-04 03:02",
        "ti99tools verify --replay failed/d5000-1.keys",
        "The line is made here:",
        "called from game.xb:2:1",
        "SCORE 2",
        "<before>",
        "▶",
    ):
        assert shown in reader.text, shown
    assert "http" not in text
    assert "<script" not in text


def test_the_source_is_annotated_by_sign_and_colour() -> None:
    text = page([with_evidence()], About(texts=TEXTS))
    rows = dict(re.findall(r'<tr class="(\w+)" id="game0-f0-\d+">(.*?)</tr>', text))
    assert {*rows} == {"all", "some", "idle", "no"}
    assert "✓" in rows["all"]
    assert "4×" in rows["all"]
    assert "◐" in rows["some"]
    assert '<span class="never">B=1 :: </span>' in rows["some"]
    assert "IF yes 0×, no 4× – never yes" in rows["some"]
    assert "✗" in rows["no"]
    assert "never ran" in rows["no"]
    assert '<a href="#game0-f0-2">game.xb:2:13</a>: never ran' in text
    assert '<a href="#game0-f0-2">game.xb:2:1</a>: the condition never held' in text
    assert "a remark" in rows["idle"]
    assert "×" not in rows["idle"]
    assert 'href="#game0-f0"' in text
    assert 'id="game0-f0"' in text


def test_pages_are_for_light_and_dark_and_for_keys() -> None:
    text = page([with_evidence()], About(texts=TEXTS))
    assert "prefers-color-scheme: dark" in text
    assert ":focus-visible" in text
    scrolls = re.findall(r'<div class="wide"([^>]*)>', text)
    assert scrolls
    assert all('tabindex="0"' in attributes for attributes in scrolls)


def test_texts_keep_their_contrast() -> None:
    """At least 4.5 to 1 (WCAG AA) on each ground that they may stand on, light and dark."""
    sheets = re.findall(r":root \{(.*?)\}", page([]), re.DOTALL)
    assert len(sheets) == 2
    for sheet in sheets:
        colors = dict(re.findall(r"--([\w-]+): (#\w+)", sheet))
        for text in ("text", "soft", "good", "bad", "part", "link"):
            for ground in ("ground", "panel"):
                assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground, sheet)
        for kind in ("good", "bad", "part"):
            for text in (kind, "text", "soft"):
                assert contrast(colors[text], colors[f"{kind}-back"]) >= 4.5, (text, kind, sheet)


def contrast(one: str, other: str) -> float:
    """The ratio of two colours' luminance."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    digits = color[1:] if len(color) == 7 else "".join(2 * digit for digit in color[1:])
    levels = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in levels]
    return sum(part * x for part, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


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
    assert headline(replace(verdict(), matches=1)).startswith("1 match, ")


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


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        (0, ""),
        (5, "3 keys, shortened from 5 in 1 trial"),
        (2, "3 keys, which lead to its end; 2 when it failed, 1 trial"),
    ],
)
def test_how_a_match_was_shortened(keys: int, words: str) -> None:
    scenario = replace(SCENARIO, keys=(13, 14, 15))
    assert shortened(Failure(MISMATCH, scenario, "", keys=keys, trials=1)) == words
