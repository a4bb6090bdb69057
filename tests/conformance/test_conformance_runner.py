"""The runner: broken and hanging cases are failures, lists are read, counts add up."""

import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.everycase import every_case
from ti99tools.base.errors import TIError
from ti99tools.games.conformance import known, playback, runner
from ti99tools.games.conformance import outcome as show
from ti99tools.games.conformance.cases import Case, CaseKind, load, stem_of
from ti99tools.games.conformance.comparing import Difference
from ti99tools.games.conformance.outcome import CaseOutcome, Summary
from ti99tools.hardware.machine.clock import CPU_HZ

HERE = Path(__file__).parent
ROWS = [" " * 32] * 24


def console_case(**changes: Any) -> Case:
    data = {"id": "x", "source": ["100 CALL CLEAR"], "expect": {"final": {"rows": ROWS}}}
    return Case("x", "test", CaseKind.CONSOLE, "file", {**data, **changes})


def test_a_case_that_breaks_is_a_failure_with_its_traceback() -> None:
    (outcome,) = runner.check(console_case(script=[3]))
    assert not outcome.ok
    assert outcome.differences[0].where == "broken: TypeError"
    assert "not iterable" in outcome.differences[0].lines[-1]


def test_a_case_that_hangs_is_a_failure() -> None:
    source = ["100 GOTO 100"]
    (outcome,) = runner.check(console_case(source=source, script=[{"wait": 10**9}]), limit=0.2)
    assert outcome.differences[0].where == "broken: CaseTimeout"


def test_a_machine_that_stands_still_is_looked_at_as_it_is() -> None:
    source = ['100 CALL CLEAR::PRINT "A"::::::PRINT "B"']
    rows = [*ROWS[:22], "  A".ljust(32), "\x1f\x1f".ljust(30) + "\x1f\x1f"]
    expect = {"final": {"rows": rows}}
    (outcome,) = runner.check(
        console_case(source=source, script=[{"wait": 300}, {"wait": 300}], expect=expect)
    )
    assert outcome.ok, outcome.differences
    (outcome,) = runner.check(console_case(source=source, script=[{"until": {"text": "B"}}]))
    assert "the machine stands still" in str(outcome.differences)


def test_an_until_that_is_never_reached_is_told() -> None:
    script = [{"until": {"text": "NEVER"}, "max": 600}, {"snap": "s"}]
    expect = {"final": {"rows": ROWS}, "snaps": {"s": {"rows": ROWS}}}
    (outcome,) = runner.check(console_case(script=script, expect=expect))
    assert [difference.where for difference in outcome.differences] == [
        "screen at s",
        "final screen",
        "script",
    ]
    assert "NEVER" in outcome.differences[-1].lines[0]


def test_workers_find_the_same() -> None:
    cases = load([HERE / "screen-using.jsonl"])
    alone = [o.id for outcomes in runner.run(cases, 1) for o in outcomes if o.ok]
    together = [o.id for outcomes in runner.run(cases, 2) for o in outcomes if o.ok]
    assert alone == together == [case.id for case in cases]


def test_a_wrong_vector_value_fails_alone() -> None:
    line = json.loads((HERE / "vectors" / "arith.jsonl").read_text().splitlines()[0])
    line[4] = line[4][:-2] + "63"
    outcomes = runner.check(Case("arith-1", "arith", CaseKind.VECTOR, "arith.jsonl", line))
    assert [outcome.id for outcome in outcomes if not outcome.ok] == ["arith-1:a*b"]
    assert len(outcomes) == 6


def test_displayed_digits_suffice_for_functions_only() -> None:
    values = json.loads((HERE / "vectors" / "func.jsonl").read_text().splitlines()[0])
    near = bytearray.fromhex(values[3])
    near[7] += 1
    values[3] = near.hex()
    outcomes = runner.check(Case("func-1", "func", CaseKind.VECTOR, "func.jsonl", values))
    sqr = next(outcome for outcome in outcomes if "SQR" in outcome.area)
    assert sqr.ok
    assert sqr.inexact == 1
    far = bytearray.fromhex(values[3])
    far[3] ^= 1
    values[3] = far.hex()
    outcomes = runner.check(Case("func-1", "func", CaseKind.VECTOR, "func.jsonl", values))
    assert not next(outcome for outcome in outcomes if "SQR" in outcome.area).ok


def test_changed_program_bytes_fail() -> None:
    case = next(case for case in load([HERE / "tokens-editor.jsonl"]) if case.data["messages"])
    for key, value in (
        ("program", "ff" + case.data["program"][2:]),
        ("merge", case.data["merge"][1:]),
        ("messages", []),
        ("listing_file", {**case.data["listing_file"], "records": ["41"]}),
    ):
        (outcome,) = runner.check(Case("t", "tokens", case.kind, "f", {**case.data, key: value}))
        assert not outcome.ok, key


def test_cases_are_chosen_by_area_file_and_id() -> None:
    cases = every_case()
    by = {
        area: {stem_of(Path(case.file)) for case in cases if case.chosen(area, None)}
        for area in ("using", "screen-using", "screen", "files", "vec*", "func")
    }
    assert by["screen-using"] == {"screen-using"} < by["using"]
    assert by["screen"] == {stem_of(path) for path in HERE.glob("screen-*")}
    assert by["files"] == {stem_of(path) for path in HERE.glob("files-*")}
    assert by["func"] == {"func"}
    assert not by["vec*"]
    assert [case.id for case in cases if case.chosen(None, "using-decimal")] == ["using-decimal"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{nonsense", "not JSON"),
        ('{"id": "a"}', "a case of no known form; see tests/conformance/README.md"),
        ("7", "a case of no known form"),
    ],
)
def test_bad_case_files_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(f"\n{text}\n")
    with pytest.raises(TIError) as caught:
        load([file])
    assert str(caught.value).startswith(f"{file}:2")
    assert problem in str(caught.value)


def test_missing_and_empty_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TIError, match="no such file or folder"):
        load([tmp_path / "none"])
    with pytest.raises(TIError, match="no cases here"):
        load([tmp_path])


def test_the_list_of_known_failures(tmp_path: Path) -> None:
    file = tmp_path / known.NAME
    file.write_text("# comment\n\na-1\twhy\nb-2\tbecause\n")
    assert known.read(file) == {"a-1": "why", "b-2": "because"}
    assert known.beside([tmp_path]) == known.beside([tmp_path / "x.jsonl"]) == file
    assert known.beside([tmp_path / "deep" / "x.jsonl"]) is None
    file.write_text("a-1\n")
    with pytest.raises(TIError, match="no reason"):
        known.read(file)
    file.write_text("a-1\tx\na-1\ty\n")
    with pytest.raises(TIError, match="listed twice"):
        known.read(file)


def test_the_list_for_hosts(tmp_path: Path) -> None:
    file = tmp_path / known.NAME_FOR_HOSTS
    file.write_text("# comment\npow-*\t2\tlast digits\na-1\t1\twhy\n")
    kinds = known.read_kinds(file)
    assert kinds == [known.Kind("pow-*", 2, "last digits"), known.Kind("a-1", 1, "why")]
    assert known.beside([tmp_path], known.NAME_FOR_HOSTS) == file
    assert known.explained(kinds, ["pow-7:x", "b-1", "a-1"]) == (
        {"pow-7:x": "last digits", "a-1": "why"},
        [],
    )
    assert known.explained(kinds, ["pow-1", "pow-2", "pow-3"]) == (
        {},
        ["pow-*: 3 differ, at most 2 are known (last digits)"],
    )
    for line in ("a-1\twhy", "a-1\t9\t", "a-1\tx\twhy"):
        file.write_text(f"{line}\n")
        with pytest.raises(TIError, match="no number or no reason; write ids, tab, the most"):
            known.read_kinds(file)


def test_a_summary_knows_listed_failures() -> None:
    wrong = (Difference("final screen", ("x",)),)
    summary = Summary({"a": "hard", "b": "was hard"})
    summary.add(CaseOutcome("a", "one", 0, 1, wrong))
    summary.add(CaseOutcome("b", "one", 1, 0))
    summary.add(CaseOutcome("c", "two", 0, 1, wrong))
    assert (summary.passed, summary.failed) == (1, 2)
    assert [outcome.id for outcome in summary.unexpected] == ["c"]
    assert list(show.verdict(summary)) == [
        "PASSED b: listed as a known failure (was hard); take it off",
        "1 of the failures are listed as known",
        "1 passed, 2 failed",
    ]
    assert list(show.failures(summary, diff=False)) == [
        "FAILED a: final screen (known: hard)",
        "FAILED c: final screen",
    ]


def test_a_packed_file_reads_as_the_plain_one(tmp_path: Path) -> None:
    plain = tmp_path / "pow.jsonl"
    line = json.dumps(["4001000000000000"] * 4)
    plain.write_text('{"id": "a", "area": "lang", "expect": {"final": {}}}\n' + line + "\n")
    (tmp_path / "packed").mkdir()
    packed = tmp_path / "packed" / "pow.jsonl.xz"
    packed.write_bytes(lzma.compress(plain.read_bytes()))
    [first, second] = load([packed.parent])
    assert (first.id, second.id, second.area) == ("a", "pow-2", "pow")
    assert [case.data for case in load([plain])] == [first.data, second.data]
    assert first.chosen("pow", None)


@pytest.mark.parametrize("data", [b"no xz", lzma.compress(b"\xff\xfe"), lzma.compress(b"[]")[:20]])
def test_a_damaged_packed_file_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "some.jsonl.xz"
    path.write_bytes(data)
    with pytest.raises(TIError, match=r"not a text file|the archive is damaged"):
        load([path])


GOOD = {"id": "a", "source": ["100 END"], "expect": {"final": {"rows": [" " * 32] * 24}}}
REGISTERS = {"pc": "A000", "wp": "8300", "st": "0"}
STATE = {**REGISTERS, "cycles": 1, "mem": {}, "after": {**REGISTERS, "changed": {}}}
DAMAGED: list[tuple[dict[str, Any], str]] = [
    ({"expect": {}}, "expect.final is missing"),
    ({"expect": None}, "expect is not an object"),
    ({"expect": {"final": {"rows": [" " * 32] * 23}}}, "rows is not a list of 24"),
    ({"expect": {"final": {"rows": ["X"] * 24}}}, r"rows\[0\] is not a row of 32"),
    ({"expect": {"final": {"colors": "0"}}}, "final.colors is not hexadecimal"),
    ({"expect": {"final": {}, "snaps": {"s": []}}}, "snaps.s is not an object"),
    ({"expect": {"final": {}, "files": {"F": {"records": "40"}}}}, "records is not a list"),
    ({"expect": {"final": {}, "sound": [256]}}, r"sound\[0\] is not a number from 0 to 255"),
    ({"source": "100 END"}, "source is not a list"),
    ({"source": [100]}, r"source\[0\] is not a text"),
    ({"script": [{"hold": 4}]}, r"script\[0\] is no step"),
    ({"script": [{"wait": -1}]}, "wait is not a number of frames"),
    ({"script": [{"until": {}}]}, "until is neither ready nor a text"),
    ({"script": [{"until": "soon"}]}, "until is not an object"),
    ({"disk_in": {"F": {"type": "TEXT"}}}, "disk_in.F.type is not a type of file"),
    ({"disk_in": {"F": {"type": "PROGRAM", "data": "4"}}}, "F.data is not hexadecimal"),
    ({"disk_in": {"F": {"type": "DIS/VAR", "recl": 80}}}, "disk_in.F.records is missing"),
    ({"exact": "soon"}, "exact is not a whole number"),
    ({"typed": []}, "messages is missing"),
    ({"commands": []}, "input is missing"),
    ({"op": "MOV", "after": {}}, "pc is missing"),
    ({**STATE, "op": "MOV", "mem": {"x": "1"}}, "an address of mem.* is not a word"),
    ({**STATE, "op": "MOV", "mem": {"2": "x"}}, "mem.2 is not a word"),
    ({**STATE, "op": "MOV", "mem": None}, "mem is not an object"),
]


@pytest.mark.parametrize(("changes", "message"), DAMAGED)
def test_a_damaged_case_is_bad_input(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{json.dumps({**GOOD, **changes})}\n")
    with pytest.raises(TIError, match=rf"some\.jsonl:2: a damaged case: .*{message}"):
        load([path])


@pytest.mark.parametrize(
    ("stem", "line", "message"),
    [
        ("func", ["00"] * 10, "not a number of eight bytes"),
        ("func", ["455252"] * 10, "a and b"),
        ("pow", ["0" * 16] * 3, "not a list of 4"),
        ("some", [], "a line of arith, func, pow, format"),
        ("arith", [1] * 8, "not a text"),
    ],
)
def test_a_damaged_line_of_vectors_is_bad_input(
    tmp_path: Path, stem: str, line: list[object], message: str
) -> None:
    path = tmp_path / f"{stem}.jsonl"
    path.write_text(json.dumps(line))
    with pytest.raises(TIError, match=message):
        load([path])


def test_a_case_that_ours_refuses_is_a_difference_without_a_traceback() -> None:
    case = console_case(source=["100 END"], script=[{"press": "NOKEY"}])
    (outcome,) = runner.check(case)
    assert [each.where for each in outcome.differences] == ["cannot be played"]


@pytest.mark.parametrize("text", ["[" * 100_000, "[" + "1" * 5000 + "]", '{"id": '])
def test_a_line_that_is_not_json_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{text}\n")
    with pytest.raises(TIError, match=r"some\.jsonl:2.*not JSON"):
        load([path])


LOOP = ['500 PRINT "BEGIN!"', "510 FOR I=1 TO 9::NEXT I", '530 PRINT "END!"']


def timing_case(**changes: Any) -> Case:
    data = {"id": "t", "source": LOOP, "exact": 1_000_000, **changes}
    area = "timing-programs" if "until" in changes else "timing-loops"
    return Case("t", area, CaseKind.TIMING, "timing.jsonl", data)


@pytest.mark.parametrize(("area", "until"), [("timing-loops", {}), ("timing-programs", "END!")])
def test_times_pass_within_five_percent(area: str, until: Any) -> None:
    changes = {"until": until} if until else {}
    (first,) = runner.check(timing_case(**changes))
    assert first.area == area
    assert first.off is not None
    ours = round(1_000_000 * (1 + first.off))
    for share in (0.0, 0.045, -0.045, 0.055, -0.055):
        passes = abs(share) < 0.05
        (outcome,) = runner.check(timing_case(exact=round(ours / (1 + share)), **changes))
        assert outcome.ok is passes
        assert outcome.off == pytest.approx(share, abs=0.001)
        if not passes:
            assert outcome.differences[0].where == f"time {share:+.1%}"


def test_a_text_that_never_comes_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert playback._limit({"exact": 1000}) > 60 * CPU_HZ
    monkeypatch.setattr(playback, "_limit", lambda _: 2 * CPU_HZ)
    (outcome,) = runner.check(timing_case(until="NEVER", exact=1000))
    assert not outcome.ok
    assert outcome.off is None
    assert "NEVER did not come within" in outcome.differences[0].lines[0]


def test_how_far_times_are_off_is_summed_up() -> None:
    summary = Summary({})
    for share in (0.01, -0.02, 0.03, -0.5):
        summary.add(CaseOutcome("t", "timing-loops", 1, 0, off=share))
    (row,) = show.areas(summary)
    assert row.endswith("off by 2.5% (median), 50.0% (nine in ten), 50.0% (worst)")


def conversation(name: str) -> Any:
    with lzma.open(HERE / "cassette-asked3.json.xz", "rt") as packed:
        return {**json.load(packed)[name], "name": name}


def test_conversations_pass_and_a_wrong_row_fails() -> None:
    data = conversation("save-E1")
    assert playback.cassette_differences(data) == []
    wrong = {**data, "snaps": [*data["snaps"][:-1], conversation("save-R1")["snaps"][-1]]}
    (found,) = playback.cassette_differences(wrong)
    assert found.where == "screen 2"


def test_a_conversation_of_no_known_name_breaks_that_case_alone(tmp_path: Path) -> None:
    file = tmp_path / "cassette-x.json"
    file.write_text(json.dumps({"record-E1": {"snaps": [ROWS], "screen": ROWS, "cycles": 1}}))
    (case,) = load([tmp_path])
    (outcome,) = runner.check(case)
    assert "a conversation of no known form: record-E1" in outcome.differences[0].lines[-1]


def test_a_screen_seen_in_the_middle_is_the_same() -> None:
    rows = [f"ROW {n}".ljust(32) for n in range(24)]
    blank = " " * 32
    later = [*rows[1:], "AND MORE".ljust(32)]
    written = [*rows[:23], "ROW".ljust(32)]
    assert playback.same(rows, rows)
    assert not playback.same(rows, later), "only what was seen half done may be behind"
    assert playback.same(written, later)
    assert not playback.same([*rows[:23], "RAW".ljust(32)], later)
    scrolling = [*rows[1:8], *rows[7:]]
    assert playback.same(scrolling, [*rows[1:], blank])
    assert playback.same(scrolling, [*rows[2:], blank, "  >".ljust(32)])
    assert not playback.same(scrolling, [*rows[1:20], "WRONG".ljust(32), *rows[21:], blank])


def test_sectors_used_beforehand_count() -> None:
    cases = {case.id: case for case in load([HERE / "files-rawdisk-asked3.jsonl"])}
    full, few = cases["asked3b-18-10e"], cases["asked3b-12-1"]
    (outcome,) = runner.check(full)
    assert outcome.ok
    for case, used in ((full, []), (few, [[34, 719]])):
        data = {**case.data, "used_sectors": used}
        (outcome,) = runner.check(Case(case.id, case.area, case.kind, case.file, data))
        assert not outcome.ok, "where the file lies is compared too"


def test_files_of_no_known_form_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "x"}\n')
    (tmp_path / "pow.jsonl").write_text(json.dumps(["0" * 16] * 4))
    (tmp_path / "sizes.json").write_text('{"no": "cases"}')
    left_out: list[TIError] = []
    assert [case.id for case in load([tmp_path], left_out)] == ["pow-1"]
    assert [str(error.place) for error in left_out] == [f"{tmp_path / 'a.jsonl'}:1"]
    with pytest.raises(TIError, match="not a file of cases"):
        load([tmp_path / "sizes.json"])
    assert load([HERE.parent / "tape" / "recorded.json", HERE / "size-dev.json"]) == []
