"""`verify --certificate` and `challenge`: proven, or refused with the right reason."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ti99tools.app import certify
from ti99tools.app.certify import monthly_seed
from ti99tools.fronts.cli.main import cli
from ti99tools.games.models.certificate import Certificate
from ti99tools.games.models.model import Match, Model, Player, Setup
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.loading import adapter
from ti99tools.games.verify.scenario import Scenario, make, to_script

RACK = adapter("dicerack")


def played_out(game: Adapter, scenario: Scenario) -> Model:
    """The model of a match after its last key."""
    played = Match(game.model(scenario.setup))
    for key in scenario.keys:
        played.press(key)
    return played.model


def match() -> tuple[Scenario, list[str], Model]:
    """A match with a score: its scenario, its log, its model at the end."""
    for number in range(100, 200):
        scenario, log = make(RACK, number)
        plain = all(32 <= key < 127 or key == 13 for key in scenario.keys)
        if plain and not scenario.setup.options and any(e.kind == "SCORE" for e in log.events):
            return scenario, list(log.lines()), played_out(RACK, scenario)
    raise AssertionError("no match with a score")


SCENARIO, LOG, MODEL = match()
RIGHT = MODEL.certificate()
SCORE = MODEL.final_score()
KEYS = "".join("\\n" if key == 13 else chr(key) for key in SCENARIO.keys)


def verify(code: str, *args: str) -> Result:
    return CliRunner().invoke(cli, ["verify", "--certificate", code, *args])


def played(code: str, *args: str, keys: str = KEYS, seed: int = SCENARIO.setup.seed) -> Result:
    return verify(code, "dicerack", "--seed", str(seed), "--keys", keys, *args)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.txt"
    path.write_text("\n".join(LOG) + "\n")
    return path


def test_proven_by_keys_by_a_script_and_by_a_log_alike(tmp_path: Path, log: Path) -> None:
    script = tmp_path / "match.keys"
    script.write_text(to_script(SCENARIO, []))
    results = (
        played(RIGHT.code),
        verify(str(RIGHT).lower(), "--log", str(log)),
        verify(str(RIGHT), "--replay", str(script)),
    )
    for result in results:
        assert result.exit_code == 0, result.output
        assert result.output.startswith(f"{RIGHT}: proven: dicerack, seed {SCENARIO.setup.seed}: ")
        assert f"the score of {SCORE} follows from " in result.output


def forged(**changed: object) -> str:
    """A certificate whose check characters fit, made for another match."""
    parts = {"letter": "R", "seed": RIGHT.seed, "score": RIGHT.score, "choices": RIGHT.choices}
    return Certificate(**{**parts, **changed}).code  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"letter": "D"}, "another game: it begins with D, not R"),
        ({"seed": (RIGHT.seed + 1) % 1021}, "another seed"),
        ({"choices": RIGHT.choices ^ 1}, "other choices with this seed"),
        (
            {"score": RIGHT.score + 100},
            f"says a score of {RIGHT.score + 100}, but these choices make {SCORE}",
        ),
    ],
)
def test_a_forged_one_is_refused_with_its_reason(
    changed: dict[str, object], reason: str, log: Path
) -> None:
    for result in (played(forged(**changed)), verify(forged(**changed), "--log", str(log))):
        assert result.exit_code == 1
        assert f": refused: it {'is of ' if 'says' not in reason else ''}{reason}" in result.output


def test_another_choice_or_seed_is_refused() -> None:
    place = KEYS.index(" ")
    assert (
        "other choices" in played(RIGHT.code, keys=KEYS[:place] + "\\nT" + KEYS[place + 1 :]).output
    )
    assert "another seed" in played(RIGHT.code, seed=SCENARIO.setup.seed + 1).output
    short = played(RIGHT.code, keys=KEYS.replace("\\n", "")[:9])
    assert short.exit_code == 1
    assert "the match is not over" in short.output
    elsewhere = played(RIGHT.code, seed=SCENARIO.setup.seed + 1, keys=KEYS[:3])
    assert "another seed" in elsewhere.output
    assert "not over" not in elsewhere.output


def test_a_log_that_was_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    number = next(n for n, line in enumerate(LOG) if line.startswith("SCORE"))
    path.write_text("\n".join([*LOG[:number], "SCORE 9999", *LOG[number + 1 :]]) + "\n")
    result = verify(RIGHT.code, "--log", str(path))
    assert result.exit_code == 1
    assert f"does not follow the rules in line {number + 1}" in result.output
    assert "not SCORE 9999" in result.output


def test_typing_errors_and_a_certificate_alone(tmp_path: Path) -> None:
    wrong = RIGHT.code[:3] + ("2" if RIGHT.code[3] != "2" else "3") + RIGHT.code[4:]
    result = played(wrong)
    assert result.exit_code == 2
    assert "mistyped" in result.stderr
    alone = verify(RIGHT.code)
    assert alone.exit_code == 2
    assert f"is of Dice Rack, score {RIGHT.score}; by itself it proves nothing" in alone.stderr
    keys = CliRunner().invoke(cli, ["verify", "dicerack", "--keys", "x"])
    assert keys.exit_code == 2
    assert "add --certificate" in keys.stderr
    folder = str(tmp_path / "quest")
    assert CliRunner().invoke(cli, ["new", folder]).exit_code == 0
    none = verify(RIGHT.code, folder, "--seed", "1", "--keys", "x")
    assert none.exit_code == 2
    assert "quest shows no certificates" in none.stderr


@pytest.mark.parametrize("name", ("lambo", "dimraw"))
def test_a_board_game_is_proven_by_its_log_and_by_no_other_match(name: str, tmp_path: Path) -> None:
    board = adapter(name)
    codes, files = [], []
    for number in (1, 2):
        scenario, log = make(board, number)
        codes.append(played_out(board, scenario).certificate().code)
        files.append(tmp_path / f"{number}.txt")
        files[-1].write_text("\n".join(log.lines()) + "\n")
    assert verify(codes[0], "--log", str(files[0])).exit_code == 0
    assert verify(codes[1], "--log", str(files[1])).exit_code == 0
    assert verify(codes[0], "--log", str(files[1])).exit_code == 1


def test_json() -> None:
    (proof,) = json.loads(played(RIGHT.code, "--json").stdout)
    assert proof["proven"]
    assert proof["score"] == SCORE
    assert proof["game"] == "dicerack"


def test_the_seed_of_the_month() -> None:
    result = CliRunner().invoke(cli, ["challenge", "dicerack", "--month", "2026-12"])
    assert result.exit_code == 0
    assert result.stdout.startswith("Dice Rack, 2026-12: seed 85175935\n")
    assert "play dicerack --save-disk dicerack.dsk" in result.stdout
    assert "verify --certificate CODE --month 2026-12 --log dicerack.dsk" in result.stdout
    seeds = {monthly_seed("DICERACK", f"2026-{month:02}") for month in range(1, 13)}
    assert len(seeds) == 12
    assert max(seeds) < 10**8
    every = json.loads(CliRunner().invoke(cli, ["challenge", "--json"]).stdout)
    assert "dicerack" in [each["game"] for each in every]
    bad = CliRunner().invoke(cli, ["challenge", "--month", "12/2026"])
    assert bad.exit_code == 2
    assert "YYYY-MM" in bad.stderr


def test_the_seed_for_a_game_in_a_folder_names_the_folder() -> None:
    folder = str(RACK.manifest.folder)
    output = CliRunner().invoke(cli, ["challenge", folder, "--month", "2026-12"]).stdout
    assert f"play {folder} --save-disk dicerack.dsk" in output
    assert f"verify {folder} --certificate CODE" in output


def test_a_match_with_an_option() -> None:
    setup = Setup(5, (Player("H", "P1"),), {"ladder": "yes"})
    ladder = Match(RACK.model(setup))
    while ladder.ask is not None:
        ladder.press(32)
    code = ladder.model.certificate().code
    keys = ("dicerack", "--seed", "5", "--keys", " " * 25)
    assert verify(code, *keys, "--option", "ladder=yes").exit_code == 0
    assert "other choices" in verify(code, *keys).output
    bad = verify(code, *keys, "--option", "ladder")
    assert bad.exit_code == 2
    assert "NAME=VALUE" in bad.stderr


def test_a_match_that_was_left_has_no_certificate(tmp_path: Path) -> None:
    place = next(n for n, line in enumerate(LOG) if line.startswith("DROP"))
    number = next(n for n, line in enumerate(LOG) if n > place and line.startswith("DIE"))
    path = tmp_path / "log.txt"
    path.write_text("\n".join([*LOG[: number + 1], "LEFT", "END"]) + "\n")
    result = verify(RIGHT.code, "--log", str(path))
    assert result.exit_code == 1
    assert "the match is not over" in result.output


def told_by_log(tmp_path: Path, lines: list[str], *args: str, code: str = RIGHT.code) -> Result:
    path = tmp_path / "changed.txt"
    path.write_text("\n".join(lines) + "\n")
    return verify(code, "--log", str(path), *args)


def test_a_month_needs_its_whole_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = SCENARIO.setup.seed
    monkeypatch.setattr(certify, "monthly_seed", lambda game, month: seed)
    ways: list[tuple[str, ...]] = [
        ("--log", str(tmp_path / "changed.txt")),
        ("dicerack", "--keys", KEYS),
    ]
    assert told_by_log(tmp_path, LOG, "--month", "2026-12").exit_code == 0
    for way in ways:
        right = verify(RIGHT.code, *way, "--month", "2026-12")
        assert right.exit_code == 0
        assert f"seed {seed} of 2026-12: " in right.output
    # The same remainder of 1021, which is all of the seed that the certificate holds.
    monkeypatch.setattr(certify, "monthly_seed", lambda game, month: seed + 1021)
    for way in (ways[0], (*ways[1], "--seed", str(seed))):
        other = verify(RIGHT.code, *way, "--month", "2026-12")
        assert other.exit_code == 1
        assert f"its seed is {seed}, but the seed of 2026-12 is {seed + 1021}" in other.output
        assert verify(RIGHT.code, *way).exit_code == 0, "without a month it proves what it proved"
    assert "2026-13 is not a month" in told_by_log(tmp_path, LOG, "--month", "2026-13").stderr
    alone = CliRunner().invoke(cli, ["verify", "dicerack", "--month", "2026-12"])
    assert alone.exit_code == 2
    assert "add --certificate" in alone.stderr


@pytest.mark.parametrize("seed", ["100000000", "12345678901234", "-1"])
def test_no_game_takes_a_seed_of_nine_digits(tmp_path: Path, seed: str) -> None:
    refused = verify(RIGHT.code, "dicerack", "--seed", seed, "--keys", "x")
    assert refused.exit_code == 2
    assert "no game takes the seed" in refused.stderr or seed == "-1"
    changed = [LOG[0], f"SEED {seed}", *LOG[2:]]
    result = told_by_log(tmp_path, changed)
    assert result.exit_code == 1
    assert "n of up to 8 digits" in result.output


def test_a_log_without_end_or_of_another_version_proves_nothing(tmp_path: Path) -> None:
    cut = told_by_log(tmp_path, LOG[:-1])
    assert cut.exit_code == 1
    assert "refused: the log breaks off" in cut.output
    old = LOG[0].replace(RACK.model.version, "1.0")
    assert told_by_log(tmp_path, [old, *LOG[1:]]).exit_code == 0, "an old one stays proven"
    other = [LOG[0].replace(RACK.model.version, "9.9"), *LOG[1:]]
    result = told_by_log(tmp_path, other)
    assert result.exit_code == 1
    assert "it is of version 9.9, the rules here are of" in result.output
    judged = CliRunner().invoke(cli, ["verify", "--log", str(tmp_path / "changed.txt")])
    assert judged.exit_code == 2
    assert "foreign: it is of version 9.9" in judged.output


@pytest.mark.parametrize("name", ("d5000", "lambo", "dimraw"))
def test_a_proof_tells_who_has_won_and_who_were_people(name: str, tmp_path: Path) -> None:
    game = adapter(name)
    for number in range(40):
        scenario, log = make(game, number)
        model = played_out(game, scenario)
        seats = scenario.setup.players
        if len(seats) > 1 and {"H"} < {player.kind for player in seats} and log.complete:
            break
    won = model.winner_seat()
    assert won is not None
    output = told_by_log(tmp_path, list(log.lines()), code=model.certificate().code).output
    people = ", ".join(player.name for player in seats if player.kind == "H")
    assert output.endswith(f"; {seats[won].name} has won; people: {people}\n")
