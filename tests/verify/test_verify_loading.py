"""Models and adapters are loaded from a game's folder; what is broken is told, and walls hold."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from ti99tools.base.errors import BuildError
from ti99tools.games.making.finding import game_names, games_root
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.adapter import Adapter
from ti99tools.games.verify.branches import watching
from ti99tools.games.verify.campaign import play_some
from ti99tools.games.verify.judging import judge
from ti99tools.games.verify.loading import adapter, check_model, model_modules
from ti99tools.games.verify.subject import Subject

TOML = """
title = "Guess"
version = "1.0"
source = "guess.xb"
program = "GUESS"
disk = "GUESS"

[seed]
prompt = "SEED"
keys = "{seed}\\n"

[verify]
model = "model.py:Guess"
"""
MODEL = """
from ti99tools.games.models.model import Ask, Flow, Model

from .words import GREETING


class Guess(Model):
    game = "GUESS"
    version = "1.0"

    def play(self) -> Flow:
        self.say(GREETING)
        letters = ""
        while len(letters) < 2:
            letters += chr((yield Ask(0, (65, 66))))
            if letters == "?":
                self.say("REFUSED", 63)
                letters = ""
        self.say("WORD", letters)

    def keys_of(self, event):
        if event.kind == "WORD":
            return [ord(letter) for letter in event.args[0]]
        return super().keys_of(event)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A game with a model and no adapter."""
    found = tmp_path / "guess"
    found.mkdir()
    (found / "game.toml").write_text(TOML)
    (found / "guess.xb").write_text('PRINT "SEED"\n')
    (found / "model.py").write_text(MODEL)
    (found / "words.py").write_text('GREETING = "HELLO"\n')
    return found


@pytest.mark.parametrize("name", game_names())
def test_our_own_models_keep_the_wall(name: str) -> None:
    model = games_root() / name / "model.py"
    if model.is_file():
        check_model(model)


def test_a_folder_is_loaded_and_leaves_nothing_behind(folder: Path) -> None:
    game = adapter(str(folder))
    assert type(game) is Adapter
    assert game.name == "guess"
    assert game.log_file == "GUESSLOG"
    match = Match(game.model(Setup(1, (Player("H", "PLAYER"),))))
    assert [str(event) for event in match.log] == ["HELLO"]
    assert not (folder / "__pycache__").exists()
    assert adapter(str(folder)) is game


def test_what_changes_is_loaded_anew(folder: Path) -> None:
    before = adapter(str(folder))
    (folder / "words.py").write_text('GREETING = "HALLO"\n')
    after = adapter(str(folder))
    match = Match(after.model(Setup(1, (Player("H", "PLAYER"),))))
    assert [str(event) for event in match.log] == ["HALLO"]
    assert before is not after


def test_an_environment_in_the_folder_is_left_alone(folder: Path) -> None:
    before = adapter(str(folder))
    for name, marks in (("env", ["pyvenv.cfg"]), (".hidden", []), ("__pycache__", [])):
        (folder / name).mkdir()
        for mark in [*marks, "x.py"]:
            (folder / name / mark).write_text("")
    assert adapter(str(folder)) is before
    (folder / "more").mkdir()
    (folder / "more" / "x.py").write_text("")
    assert adapter(str(folder)) is not before


def test_an_event_may_need_several_keys(folder: Path) -> None:
    model = adapter(str(folder)).model
    match = Match(model(Setup(1, (Player("H", "PLAYER"),))))
    for key in b"?AB":
        match.press(key)
    log = PlayLog("GUESS", "1.0", 1, tuple(match.log))
    assert [str(event) for event in log.events] == ["HELLO", "REFUSED 63", "WORD AB"]
    assert judge(log, model) is None
    wrong = PlayLog("GUESS", "1.0", 1, (*log.events[:2], log.events[0]))
    verdicts = judge(wrong, model)
    assert verdicts is not None
    assert verdicts.expected == "a key of the player"


def test_the_branches_of_a_loaded_model_are_counted(folder: Path) -> None:
    game = adapter(str(folder))
    with watching(*model_modules(game)) as taken:
        match = Match(game.model(Setup(1, (Player("H", "PLAYER"),))))
        for key in b"AB":
            match.press(key)
    assert len(taken.names) == 3


def test_other_processes_load_it_too(folder: Path) -> None:
    subject = Subject("guess", b"", "", folder=str(folder))
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(play_some, subject, "virtual", []).result() == []
        assert pool.submit(_greeting, str(folder)).result() == "HELLO"


def _greeting(folder: str) -> str:
    return str(Match(adapter(folder).model(Setup(1, (Player("H", "PLAYER"),)))).log[0])


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "model.py",
            "import ti99tools.computer.console.session",
            "must not import ti99tools.computer.console.sess",
        ),
        ("model.py", "from ti99tools import Console", "must not import ti99tools.Console"),
        (
            "model.py",
            "from ti99tools.computer.numbers.functions import RandomNumbers",
            r"model\.py:1: a model must not",
        ),
        ("words.py", "import ti99tools", r"words\.py:1: a model must not import ti99tools"),
        ("words.py", "def (", r"words\.py:1: cannot be read: SyntaxError"),
        ("model.py", "1 / 0", "cannot be loaded: ZeroDivisionError"),
        (
            "model.py",
            "class Guess: pass",
            "has no Guess that extends ti99tools.games.models.model.Model",
        ),
        ("model.py", None, r"guess: model\.py does not exist; check the name"),
    ],
)
def test_broken_models_are_told(folder: Path, file: str, text: str | None, message: str) -> None:
    (folder / file).unlink()
    if text is not None:
        (folder / file).write_text(text)
    with pytest.raises(BuildError, match=message):
        adapter(str(folder))


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("model.py", "names no class"),
        ("../model.py:Guess", "outside the game's folder"),
        ("no.such.module:Guess", "there is no module no.such.module"),
        ("json.decoder:JSONDecoder", "has no JSONDecoder that extends"),
    ],
)
def test_places_of_models_that_do_not_fit(folder: Path, where: str, message: str) -> None:
    (folder / "game.toml").write_text(TOML.replace("model.py:Guess", where))
    with pytest.raises(BuildError, match=message):
        adapter(str(folder))


def test_a_game_without_a_model_is_told(folder: Path) -> None:
    (folder / "game.toml").write_text(TOML.partition("[verify]")[0])
    with pytest.raises(BuildError, match=r"no model of guess; name one in game\.toml"):
        adapter(str(folder))
