"""Recorded cases played on an emulator with the original ROMs, and new ones recorded there.

Playing checks the recordings themselves; recording writes what the host did, in the same form.
`playback` turns a case into a script, which the host carries out. Numbers are computed by Extended
BASIC programs that read arguments from one file and write results to another, hundreds in a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ti99tools.base.basic import AUTOSTART
from ti99tools.base.errors import HostError, TIError
from ti99tools.computer.console.anyconsole import LOOK
from ti99tools.computer.console.keyscript import (
    Asked,
    Press,
    Rest,
    Snap,
    Step,
    Tap,
    Type,
    Until,
    Wait,
)
from ti99tools.games.conformance.cases import Case, CaseKind
from ti99tools.games.conformance.comparing import (
    CaseSnapshot,
    Difference,
    Observed,
    differences,
    on_host,
)
from ti99tools.games.conformance.outcome import CaseOutcome
from ti99tools.games.conformance.playback import (
    DEFAULT_SECONDS,
    MOST_FRAMES,
    began,
    captured,
    disk,
    file_of,
    files,
    program_file,
    steps_of,
)
from ti99tools.games.conformance.vectors import compared_files, judged, saved_files
from ti99tools.games.hosts.host import FINAL, Host, Job, Played, Since, WithinFrames
from ti99tools.hardware.machine.clock import FRAME
from ti99tools.hardware.machine.keyboard import GAP, HOLD
from ti99tools.media.disk.image import DiskImage

KINDS = (CaseKind.CONSOLE, CaseKind.VECTOR, CaseKind.EDITOR, CaseKind.SIZE)
"""Kinds of cases that can be played: not single instructions, times and tapes."""
LOG = "LOG"
LINE = 90
"""Frames that the editor needs to take a line."""
LATER = 2
"""Frames by which a second recording starts later."""

NUMBERS, RESULTS = "V", "R"
"""Names of the files with the arguments and with the results."""
NUMBER = 8
_READ = f"""\
100 ON WARNING NEXT
110 OPEN #1:"DSK1.{NUMBERS}",INPUT,INTERNAL,FIXED {2 * (NUMBER + 1)}
120 OPEN #2:"DSK1.{RESULTS}",OUTPUT,INTERNAL,VARIABLE 254
130 FOR I=1 TO {{count}}
140 INPUT #1:A,B
"""
_END = """\
900 NEXT I
910 CLOSE #1
920 CLOSE #2
"""
PROGRAMS = {
    "arith": "150 PRINT #2:A+B,A-B,A*B,A/B,A<B,A=B\n",
    "func": "150 PRINT #2:INT(A),SQR(ABS(A)),EXP(B),LOG(ABS(A)+1),SIN(B),COS(B),TAN(B),ATN(A)\n",
    "format": "150 PRINT #2:STR$(A),STR$(B)\n",
    "pow": """\
150 ON ERROR 200
160 X=ABS(A)^B
170 PRINT #2:X
180 GOTO 300
200 RETURN 210
210 PRINT #2:"ERR"
300 ON ERROR 400
310 X=ABS(A)^INT(B)
320 PRINT #2:X
330 GOTO 500
400 RETURN 410
410 PRINT #2:"ERR"
500 ON ERROR STOP
""",
}
"""Stem of the file of vectors → lines that compute the results for each pair of numbers."""
VALUES = {"arith": 6, "func": 8, "format": 2, "pow": 2}
"""The number of results for each pair of numbers."""
SECONDS_A_PAIR = 3.0
"""The most seconds of machine time for a pair of numbers."""


def play(host: Host, case: Mapping[str, Any], later: int = 0) -> Observed:
    """Play a console case on a host, starting `later` frames after the disk has booted.

    Raises HostError when the host itself fails.
    """
    return observed(host.play(job_of(case, later)), case)


def observed(played: Played, case: Mapping[str, Any]) -> Observed:
    """What a host has seen of a case. Raises HostError where that is nothing."""
    assert played.disk is not None
    wanted = tuple(case.get("capture") or ())
    if FINAL not in played.screens:
        raise HostError(played.problem)
    moments = {name: _snapshot(played, name, wanted) for name in played.screens}
    notes = [f"until {text}: not reached" for text in played.missed]
    if played.problem:
        notes.append(played.problem)
    final = moments.pop(FINAL)
    written = files(played.disk)
    return Observed(final, moments, written, played.sound, tuple(notes), played.cycles)


def job_of(case: Mapping[str, Any], later: int = 0) -> Job:
    """The disk and the script of a console case."""
    steps: list[Step] = [Wait(later)] if later else []
    steps += script_of(case)
    cycle = began(case)
    return Job(
        disk(case).to_bytes(),
        tuple(clocked(steps, cycle) if cycle else steps),
        LOG,
        max_seconds=DEFAULT_SECONDS,
        patient=False,
        expansion=case.get("ram") != "NONE",
        alpha_lock=case.get("alpha_lock", True),
        sound="sound" in (case.get("capture") or ()),
    )


def script_of(case: Mapping[str, Any]) -> list[Step]:
    """The script of a case as a host carries it out."""
    return [one for step in case.get("script") or [{"until": "ready"}] for one in _steps(step)]


def clocked(steps: Sequence[Step], began: int) -> list[Step]:
    """A script whose clock starts with the program, which began at that cycle since power-on.

    The first wait that ends after the beginning becomes `Since`. If the script first looks for a
    text, it begins to at the look at which the recording could see it: they are `LOOK` frames
    apart.
    """
    passed = 0
    for at, step in enumerate(steps):
        if isinstance(step, Until | Rest | Asked):
            looks = max(0, -(-(began - passed * FRAME) // (LOOK * FRAME)))
            first = _since(LOOK * looks, passed + LOOK * looks, began)
            return [*steps[:at], first, *steps[at:]]
        passed += _frames(step)
        if isinstance(step, Wait) and passed * FRAME > began:
            return [*steps[:at], _since(step.frames, passed, began), *steps[at + 1 :]]
    return list(steps)


def _since(frames: int, end: int, began: int) -> Since:
    """A wait of some frames that ends `end` frames after power-on."""
    return Since(frames, round((end * FRAME - began) * 100 / FRAME))


def _frames(step: Step) -> int:
    """The frames that an impatient player needs for a step."""
    match step:
        case Type(text):
            return (HOLD + GAP) * len(text)
        case Press(_, hold, gap) | Tap(_, hold, gap):
            return hold + gap
        case Wait(frames):
            return frames
    return 0


def _steps(step: Mapping[str, Any]) -> Sequence[Step]:
    if "snap" in step:
        return [Snap(step["snap"])]
    if "until" not in step:
        return steps_of(step)
    goal, frames = step["until"], step.get("max", MOST_FRAMES)
    if goal == "ready":
        return [WithinFrames(None, frames)]
    gone = "gone" in goal
    return [WithinFrames(goal["gone" if gone else "text"], frames, gone)]


def _snapshot(played: Played, name: str, wanted: Sequence[str]) -> CaseSnapshot:
    video = played.video[name]
    captures = captured(video.ram, video.registers, wanted)
    return CaseSnapshot(played.screens[name], played.beneath.get(name, " "), captures)


def check(host: Host, cases: Sequence[Case]) -> Iterator[list[CaseOutcome]]:
    """Play cases of one kind on a host and compare; vectors of one file run together.

    A case that the host cannot play fails.
    """
    if cases and cases[0].kind is CaseKind.VECTOR:
        for stem in dict.fromkeys(case.area for case in cases):
            yield from _vectors(host, stem, [case for case in cases if case.area == stem])
        return
    for case in cases:
        found = _differences(host, case)
        values = int(not found), int(bool(found))
        yield [CaseOutcome(case.id, case.area, *values, tuple(found))]


def _differences(host: Host, case: Case) -> list[Difference]:
    try:
        if case.kind is CaseKind.CONSOLE:
            return differences(case.data, play(host, case.data), on_host(host.name))
        return _typed(host, case.data) if case.kind is CaseKind.EDITOR else _sized(host, case.data)
    except TIError as error:
        return [Difference("not played", (str(error),))]


def _typed(host: Host, case: Mapping[str, Any]) -> list[Difference]:
    """Type lines into the editor and save them in every form."""
    steps: list[Step] = [Until(">"), Wait(LINE)]
    for line in case["typed"]:
        steps += [Type(f"{line}\n"), Wait(LINE)]
    names = {"program": "P", "merge": "M", "listing": "L", "protected": "Q"}
    commands = ("SAVE DSK1.P", "SAVE DSK1.M,MERGE", 'LIST "DSK1.L"', "SAVE DSK1.Q,PROTECTED")
    return _saved(host, case, {}, (*steps, *_commands(commands)), names)


def _sized(host: Host, case: Mapping[str, Any]) -> list[Difference]:
    """Load a long program and save it in every form."""
    names = {"saved": "Y", "protected": "Q", "merge": "M", "listing": "L"}
    steps = (Until(">"), Wait(LINE), *_commands(case["commands"]))
    return _saved(host, case, {"X": case["input"]}, steps, names)


def _commands(commands: Iterable[str]) -> Iterator[Step]:
    """Type commands, each after the prompt has come back."""
    for command in commands:
        yield from (Type(f"{command}\n"), Asked())


def _saved(
    host: Host,
    case: Mapping[str, Any],
    before: Mapping[str, Mapping[str, Any]],
    steps: tuple[Step, ...],
    names: Mapping[str, str],
) -> list[Difference]:
    """Do steps at the prompt, and compare the files that they save; `names`: kind → disk file."""
    image = DiskImage.new(geometry="DSSD", name="TEST")
    for name, form in before.items():
        image.add(file_of(name, form))
    small = any(character.islower() for line in case.get("typed", ()) for character in line)
    seconds = DEFAULT_SECONDS * 10
    job = Job(image.to_bytes(), steps, LOG, seconds, patient=False, alpha_lock=not small)
    played = host.play(job)
    assert played.disk is not None
    written = files(played.disk)
    nothing = {"problem": played.problem or "it was not written"}
    ours = {what: written.get(name, nothing) for what, name in names.items()}
    return list(compared_files(saved_files(case), ours, on_host(host.name)))


def _vectors(host: Host, stem: str, cases: Sequence[Case]) -> Iterator[list[CaseOutcome]]:
    """Compare the recorded results of vectors of one kind with those of a program on the host."""
    try:
        results = worked_out(host, stem, [case.data[:2] for case in cases])
    except TIError as error:
        wrong = (Difference("not played", (str(error),)),)
        yield from ([CaseOutcome(case.id, stem, 0, len(case.data) - 2, wrong)] for case in cases)
        return
    for case, got in zip(cases, results, strict=True):
        yield judged(stem, case.id, case.data, got, on_host(host.name))


def worked_out(host: Host, stem: str, pairs: Sequence[Sequence[str]]) -> list[list[str]]:
    """The results for pairs of numbers, in hexadecimal as the numbers; those of `format` as text.

    Raises TIError when the program does not write all results.
    """
    image = DiskImage.new(geometry="DSSD", name="TEST")
    listing = _READ.format(count=len(pairs)) + PROGRAMS[stem] + _END
    image.add(program_file(AUTOSTART, listing))
    records = ["".join(f"{NUMBER:02x}{number}" for number in pair) for pair in pairs]
    size = 2 * (NUMBER + 1)
    image.add(file_of(NUMBERS, {"type": "INT/FIX", "recl": size, "records": records}))
    seconds = 60 + SECONDS_A_PAIR * len(pairs)
    played = host.play(Job(image.to_bytes(), (Until(),), RESULTS, max_seconds=seconds))
    items = [item for record in played.records or () for item in _items(record)]
    count = VALUES[stem]
    if len(items) != count * len(pairs):
        raise TIError(f"{stem}: {len(items)} results of {len(pairs)} pairs; {played.problem}")
    texts = [item.decode("latin-1") if stem == "format" else item.hex() for item in items]
    return [texts[at : at + count] for at in range(0, len(texts), count)]


def _items(record: bytes) -> Iterator[bytes]:
    """The items of an INTERNAL record, each after its length."""
    at = 0
    while at < len(record):
        yield record[at + 1 : at + 1 + record[at]]
        at += 1 + record[at]


CONTENT = ("type", "recl", "records", "data")
"""Keys by which files are compared, to see whether a program has written to them."""


def recorded(case: Mapping[str, Any], seen: Observed) -> dict[str, Any]:
    """The case with the observations as its result, without `LOAD` and unchanged files."""
    before = case.get("disk_in") or {}
    written = {
        name: file
        for name, file in seen.files.items()
        if any(file.get(key) != before.get(name, {}).get(key) for key in CONTENT)
    }
    expect = {
        "final": _moment(seen.final),
        "snaps": {name: _moment(snap) for name, snap in seen.snaps.items()},
        "files": {name: file for name, file in written.items() if name != AUTOSTART},
        "remaining": sorted(name for name in seen.files if name != AUTOSTART),
        "cycles": seen.cycles,
    }
    if "sound" in (case.get("capture") or ()):
        expect["sound"] = list(seen.sound)
    return {**case, "expect": expect}


def _moment(snap: CaseSnapshot) -> dict[str, Any]:
    """A snapshot in the form of recordings: the cursor is a space, tables are hexadecimal."""
    tables: dict[str, Any] = {"rows": [row.replace("\x1e", " ") for row in snap.rows]}
    for name, value in snap.captures.items():
        raw = isinstance(value, bytes)
        tables[name] = value if not raw else list(value) if name == "vregs" else value.hex()
    return tables


def record(host: Host, cases: Sequence[Case]) -> Iterator[tuple[Case, dict[str, Any] | None]]:
    """Record console cases, each twice, the second time starting `LATER` frames later.

    Gives None for a case whose two recordings differ, since it depends on the exact frame. Raises
    HostError when the host itself fails.
    """
    for case in cases:
        if case.kind is CaseKind.CONSOLE:
            recording = recorded(case.data, play(host, case.data))
            again = differences(recording, play(host, case.data, LATER))
            yield case, None if again else recording
