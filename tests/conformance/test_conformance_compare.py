"""The comparison itself: whatever is changed in a recording is found, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from ti99tools.games.conformance.comparing import (
    CaseSnapshot,
    Holes,
    Observed,
    differences,
    file_lines,
    plain_zeros,
)

HERE = Path(__file__).parent


def recorded(name: str) -> dict[str, Any]:
    for file in HERE.glob("*.jsonl"):
        for line in file.read_text().splitlines():
            if f'"id": "{name}"' in line:
                case: dict[str, Any] = json.loads(line)
                return case
    raise LookupError(name)


def faithful(case: dict[str, Any]) -> Observed:
    """What a perfect console would show for a case."""
    expect = case["expect"]
    files = dict(case.get("disk_in") or {})
    if "remaining" in expect:
        files = {name: form for name, form in files.items() if name in expect["remaining"]}
    files.update(expect.get("files") or {})
    return Observed(
        snapshot(expect["final"]),
        {name: snapshot(snap) for name, snap in (expect.get("snaps") or {}).items()},
        files,
        bytes(expect.get("sound", ())),
    )


def snapshot(snap: dict[str, Any]) -> CaseSnapshot:
    captures = {
        name: value if name in ("patterns", "vregs") else bytes.fromhex(value)
        for name, value in snap.items()
        if name != "rows"
    }
    return CaseSnapshot(tuple(snap["rows"]), captures=captures)


ALL = [
    json.loads(line)
    for file in sorted(HERE.glob("*.jsonl"))
    for line in file.read_text().splitlines()
    if '"expect"' in line
]


def test_a_perfect_console_passes_every_case() -> None:
    for case in ALL:
        assert differences(case, faithful(case)) == [], case["id"]


def change_row(rows: tuple[str, ...], row: int, column: int, character: str) -> tuple[str, ...]:
    line = rows[row]
    return (*rows[:row], line[:column] + character + line[column + 1 :], *rows[row + 1 :])


@pytest.mark.parametrize("case", ALL[::25], ids=lambda case: case["id"])
def test_any_changed_cell_is_found(case: dict[str, Any]) -> None:
    seen = faithful(case)
    rows = change_row(seen.final.rows, 23, 30, "Q")
    found = differences(case, Observed(CaseSnapshot(rows), seen.snaps, seen.files, seen.sound))
    assert found[0].where == "final screen"
    assert any("Q" in line and line.startswith("24!") for line in found[0].lines)


def test_at_the_cursor_a_blank_and_what_is_beneath_are_the_same() -> None:
    case = recorded("files-cmd-old-missing")
    seen = faithful(case)
    theirs = case["expect"]["final"]["rows"][23][2]
    assert theirs == " "
    on = CaseSnapshot(change_row(seen.final.rows, 23, 2, "\x1e"))
    assert not differences(case, Observed(on, {}, seen.files, b""))
    case["expect"]["final"]["rows"] = list(change_row(seen.final.rows, 23, 2, "A"))
    assert differences(case, Observed(on, {}, seen.files, b""))
    covering = CaseSnapshot(on.rows, beneath="A")
    assert not differences(case, Observed(covering, {}, seen.files, b""))


def test_sounds_differ_by_one_byte() -> None:
    case = recorded("sound-tone-440")
    seen = faithful(case)
    sound = bytearray(seen.sound)
    sound[3] ^= 1
    (found,) = differences(case, Observed(seen.final, seen.snaps, seen.files, bytes(sound)))
    assert found.where == "sound"
    assert "different from byte 3" in found.lines[0]
    (found,) = differences(case, Observed(seen.final, seen.snaps, seen.files, seen.sound[:-1]))
    assert found.where == "sound"


@pytest.mark.parametrize(
    ("name", "capture", "place"),
    [
        ("chars-char-basic", "patterns", "screen at s"),
        ("chars-charset", "colors", "screen at s"),
        ("chars-charset", "vregs", "final screen"),
        ("sprites-one", "sprites", "screen at s"),
        ("sprites-one", "motion", "final screen"),
    ],
)
def test_captures_differ_by_one_byte(name: str, capture: str, place: str) -> None:
    case = recorded(name)
    seen = faithful(case)
    snap = seen.final if place == "final screen" else seen.snaps["s"]
    value = snap.captures[capture]
    if capture == "patterns":
        wrong: Any = {**value, "65": "0" * 16}
    elif capture == "vregs":
        wrong = [*value[:7], value[7] ^ 1]
    else:
        wrong = bytes([value[0] ^ 1]) + value[1:]
    bad = CaseSnapshot(snap.rows, captures={**snap.captures, capture: wrong})
    final = bad if place == "final screen" else seen.final
    snaps = {**seen.snaps, **({"s": bad} if place != "final screen" else {})}
    found = differences(case, Observed(final, snaps, seen.files, seen.sound))
    assert [difference.where for difference in found] == [f"{capture} ({place})"]


def test_loose_sprites_may_be_elsewhere_but_not_look_different() -> None:
    case = recorded("sprites-redefine")
    assert case["loose"] == {"sprite_pos": [1], "motion_aux": True}
    seen = faithful(case)
    name, snap = next(iter(seen.snaps.items()))
    for byte, differs in ((0, False), (1, False), (2, True), (3, True), (4, True)):
        sprites = bytearray(snap.captures["sprites"])
        sprites[byte] ^= 1
        moved = CaseSnapshot(snap.rows, captures={**snap.captures, "sprites": bytes(sprites)})
        found = differences(case, Observed(seen.final, {**seen.snaps, name: moved}, {}, b""))
        assert bool(found) == differs, byte


def with_file(seen: Observed, name: str, **changes: Any) -> Observed:
    files = {**seen.files, name: {**seen.files[name], **changes}}
    return Observed(seen.final, seen.snaps, files, seen.sound)


def test_files_differ_in_records_type_and_descriptor() -> None:
    case = recorded("files-display-numbers")
    seen = faithful(case)
    records = case["expect"]["files"]["OUT"]["records"]
    fdr = bytearray.fromhex(case["expect"]["files"]["OUT"]["fdr"])
    elsewhere, longer = bytearray(fdr), bytearray(fdr)
    elsewhere[0x1C] += 1
    longer[0x10] ^= 1
    for changes, differs in (
        ({"records": [*records[:-1], "00"]}, True),
        ({"records": records[:-1]}, True),
        ({"type": "DIS/FIX"}, True),
        ({"recl": 79}, True),
        ({"fdr": elsewhere.hex()}, False),
        ({"fdr": longer.hex()}, True),
        ({"problem": "damaged"}, True),
    ):
        found = differences(case, with_file(seen, "OUT", **changes))
        assert [d.where for d in found] == (["file OUT"] if differs else []), changes


def test_undefined_content_may_differ() -> None:
    case = recorded("files-internal-items")
    seen = faithful(case)
    ((record, offset, length),) = case["expect"]["ignore"]["zero_tail"]["OUT"]
    records = list(case["expect"]["files"]["OUT"]["records"])
    for at, differs in ((offset, False), (offset + length - 1, False), (offset - 1, True)):
        raw = bytearray.fromhex(records[record])
        raw[at] ^= 0x55
        changed = [*records[:record], raw.hex(), *records[record + 1 :]]
        assert bool(differences(case, with_file(seen, "OUT", records=changed))) == differs


def test_a_zero_is_a_zero_in_internal_files_only() -> None:
    garbage = bytes.fromhex("0841 08000000006020435f 0203".replace(" ", ""))
    for record, same in (
        ("0141" + "08000000006020435f", True),
        ("0141" + "0800000000000000ff", True),
        ("0142" + "080000000000000000", False),
        ("0141" + "080001000000000000", False),
    ):
        theirs = {"type": "INT/VAR", "recl": 80, "records": ["0141" + "080000000000000000"]}
        ours = {**theirs, "records": [record]}
        assert (list(file_lines(theirs, ours, Holes())) == []) == same
        theirs, ours = ({**form, "type": "DIS/VAR"} for form in (theirs, ours))
        assert list(file_lines(theirs, ours, Holes()))
    assert plain_zeros(garbage) == garbage, "a string is not a number"


def test_files_that_should_not_be_there_or_should_are_found() -> None:
    case = recorded("files-cmd-old-missing")
    seen = faithful(case)
    extra = {**seen.files, "NEW": {"type": "DIS/VAR", "recl": 80, "records": []}}
    (found,) = differences(case, Observed(seen.final, {}, extra, b""))
    assert found.where == "file NEW"
    (found,) = differences(case, Observed(seen.final, {}, {}, b""))
    assert found.where == "disk"
    changed = with_file(seen, "IN", records=["59"])
    (found,) = differences(case, changed)
    assert found.lines == ("changed here, not in the recording",)


@pytest.mark.parametrize(
    ("area", "theirs", "ours", "same"),
    [
        ("random-sprmove", " 93  101", " 95  99", True),
        ("random-sprmove", " 256  7", " 1  7", True),
        ("random-sprmove", " 93  101", " 93  104", False),
        ("random-sprmove", "-1  20", " 0  20", False),
        ("random-sprmove", " 0", " 1", False),
        ("random-sprmove", "A 20", "B 20", False),
        ("random4-interrupts", " 20", " 22", True),
        ("random-programs", " 93", " 95", False),
    ],
)
def test_places_of_sprites_in_motion(area: str, theirs: str, ours: str, same: bool) -> None:
    """Within two dots, in the areas that show them."""
    rows = [theirs.ljust(32), *[" " * 32] * 23]
    case = {"area": area, "expect": {"final": {"rows": rows}}}
    got = CaseSnapshot((ours.ljust(32), *[" " * 32] * 23))
    assert (differences(case, Observed(got, {}, {}, b"")) == []) is same
