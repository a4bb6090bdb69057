"""Fuzz areas: key scripts, play logs, scenarios and manifests with mutations."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from tests.fuzz.fuzzcore import ROOT, Attempt, Fault
from ti99tools.base.errors import TIError
from ti99tools.computer.console import keyscript
from ti99tools.games.making.artefacts import build_game
from ti99tools.games.making.manifest import read_manifest
from ti99tools.games.models import playlog
from ti99tools.games.verify.scenario import Scenario, from_script, to_script

SCRIPT = r"""
# a match
until PLAYERS?
type 3
type "  BOB\n"
press LEFT
press A hold 30 gap 10
press CTRL-A
hold E
release E
joystick 1 UP FIRE
joystick 2 LEFT DOWN
joystick 1 CENTER
wait 60
snap board
until ready
"""
LOG = (
    "TI99LOG 1 D5000 1.0",
    "SEED 1234",
    "PLAYERS 2 BOB ANN",
    "ROLL 1 2 3 4 5",
    "KEEP 1 3",
    "SCORE 1 150",
    "REFUSED 4",
    "TURN 2",
    "ROLL 5 5 1 2 2",
    "TOTAL 1 5000",
    "END",
)
SCENARIO = (
    '# scenario: {"game": "d5000", "seed": 7, "players": [["human", "BOB"], ["computer", "ANN"]], '
    '"options": {"log": true}, "keys": [49, 13, 83, 8], "policies": ["random"]}\n'
)
PIECES = (
    "",
    " ",
    '"',
    "\\",
    "-1",
    "0",
    "99999999999999999999",
    "1.5",
    "nan",
    "Infinity",
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    "ready",
    "é",
    "\0",
    "\t",
    "\x85",
    "²",
    "٣",
    "hold",
    "gap",
    "press",
    "type",
    "SEED",
    "END",
    "TI99LOG",
    "#",
    "= ",
    "[seed]",
    "[[files]]",
    '"../x"',
    "'''",
    "NONE",
)


def mutated_text(text: str, rng: Random) -> str:
    """Text with pieces put in, taken out or exchanged."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        lines = text.splitlines() or [""]
        at = rng.randrange(len(lines))
        line = lines[at]
        cut = rng.randint(0, len(line))
        match rng.randrange(8):
            case 0:
                del lines[at]
            case 1:
                lines.insert(rng.randrange(len(lines)), line)
            case 2:
                lines[at] = line[:cut] + rng.choice(PIECES) + line[cut:]
            case 3:
                lines[at] = line[:cut]
            case 4:
                words = line.split(" ")
                words[rng.randrange(len(words))] = rng.choice(PIECES)
                lines[at] = " ".join(words)
            case 5:
                lines[at] = line[:cut] + line[cut + 1 :]
            case 6:
                words = line.split(" ")
                rng.shuffle(words)
                lines[at] = " ".join(words)
            case 7:
                lines[at] = line * rng.choice((2, 50))
        text = "\n".join(lines) + "\n"
    return text


def key_script(one: Attempt) -> str:
    """A key script; what is read is written so that it reads the same."""
    one.input = text = mutated_text(SCRIPT, one.rng)
    try:
        steps = keyscript.parse(text)
    except TIError as error:
        assert error.problem
        return "refused"
    if keyscript.parse(keyscript.write(steps)) != steps:
        raise Fault("written and read again it is another script")
    return "read"


def play_log(one: Attempt) -> str:
    """A play log as records of a DIS/VAR 80 file."""
    rng = one.rng
    text = mutated_text("\n".join(LOG * rng.choice((1, 2))), rng)
    records = [line.encode("utf-8")[:80] for line in text.splitlines()]
    if rng.random() < 0.2 and records:
        records[rng.randrange(len(records))] = rng.randbytes(rng.randrange(20))
    one.input = b"\n".join(records)
    try:
        logs = playlog.read_all(records)
    except TIError as error:
        assert error.problem
        return "refused"
    for log in logs:
        lines = [line.encode() for line in log.lines()]
        if playlog.read(lines) != log:
            raise Fault("written and read again it is another log")
    return "read"


def scenario(one: Attempt) -> str:
    """A scenario in the first line of a key script."""
    one.input = text = mutated_text(SCENARIO, one.rng)
    try:
        found = from_script(text, "file")
    except TIError as error:
        assert error.problem
        return "refused"
    if from_script(to_script(found, []), "file") != found:
        raise Fault("written and read again it is another scenario")
    assert isinstance(found, Scenario)
    return "read"


def manifest(one: Attempt) -> str:
    """A game's manifest, with a source and a text beside it."""
    example = (ROOT / "ti99tools" / "games" / "making" / "manifest.py").read_text(encoding="utf-8")
    text = example.split("```toml\n")[1].split("```")[0].replace("\\\\", "\\")
    one.input = text = mutated_text(text, one.rng)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "game"
        folder.mkdir()
        (folder / "game.toml").write_text(text, encoding="utf-8")
        (folder / "d5000.xb").write_text('PRINT "HI";VERSION$\n', encoding="utf-8")
        (folder / "manual.txt").write_text("TEXT\n" * 20, encoding="utf-8")
        try:
            built = build_game(read_manifest(folder))
        except TIError as error:
            assert error.problem
            return "refused"
        if any("/" in artefact.name or "\\" in artefact.name for artefact in built.artefacts):
            raise Fault("a built file would leave its folder")
    return "built"
