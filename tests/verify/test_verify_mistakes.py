"""Mistakes that people make in a model or an adapter name their place and what to write instead."""

from pathlib import Path

import pytest

from tests.verify.test_verify_loading import TOML
from ti99tools.base.errors import BuildError
from ti99tools.games.models.model import Match, Player, Setup
from ti99tools.games.models.playlog import PlayLog
from ti99tools.games.verify.judging import compare_logs, unread
from ti99tools.games.verify.loading import adapter, blaming
from ti99tools.games.verify.scenario import POLICIES, make

MODEL = """from ti99tools.games.models.model import Ask, Model

class Guess(Model):
    game = "GUESS"
    version = "1.0"

    def play(self):
        {line}
        self.say("KEY", key)

    def keys_of(self, event):
        if event.kind == "KEY":
            return [int(event.args[0])]
"""
SETUP = Setup(1, (Player("H", "ANN"),))


def _folder(where: Path, line: str) -> Path:
    (where / "game.toml").write_text(TOML)
    (where / "guess.xb").write_text("END\n")
    (where / "model.py").write_text(MODEL.format(line=line))
    return where


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("key = 65", "7: play never asks for a key; write `yield Ask"),
        ("return None", "7: play never asks for a key; write `yield Ask"),
        ("key = yield 5", "8: TypeError: it yields 5 instead of an Ask"),
        (
            "key = yield Ask(1, (65,))",
            "8: ValueError: Ask for player 1; players are counted from 0",
        ),
        ("key = yield Ask(0, ('R', 'H'))", "which is not the code of a key; write ord('"),
        ("key = yield Ask(0, (65,), safe=999)", "Ask names 999, which is not the code of a key;"),
        ("yield Ask(0, (65 + self.rnd.below(0),))", "8: ValueError: below(0); give a whole number"),
        ("yield self.say(5)", "8: TypeError: an event begins with a word, not with 5"),
    ],
)
def test_a_model_that_asks_wrongly(tmp_path: Path, line: str, problem: str) -> None:
    game = adapter(_folder(tmp_path, line))
    with pytest.raises(BuildError) as caught, blaming(game):
        Match(game.model(SETUP))
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("opening", "return steps"), ("shown", "return a dict of numbers by name")],
)
def test_an_adapter_that_forgets_to_return(tmp_path: Path, name: str, remedy: str) -> None:
    folder = _folder(tmp_path, "key = yield Ask(0, (65,))")
    (folder / "game.toml").write_text(TOML + 'adapter = "adapter.py:Own"\n')
    (folder / "adapter.py").write_text(
        "from ti99tools.games.verify.adapter import Adapter\n\n\nclass Own(Adapter):\n"
        f"    def {name}(self, *arguments):\n        super().{name}(*arguments)\n"
    )
    own = adapter(folder)
    arguments: tuple[object, ...] = ([], SETUP) if name == "shown" else (SETUP,)
    with pytest.raises(BuildError) as caught:
        getattr(own, name)(*arguments)
    assert f"adapter.py:5: {name} returns None; {remedy}" in str(caught.value)


@pytest.mark.parametrize(
    ("setting", "remedy"),
    [
        ('looks = "3"', "looks of Own is '3'; write a whole number"),
        ("pace = -1", "pace of Own is -1; write a whole number of frames"),
        ("players = [len]", "; write a dict of players by name"),
    ],
)
def test_an_adapter_with_a_setting_of_another_kind(
    tmp_path: Path, setting: str, remedy: str
) -> None:
    folder = _folder(tmp_path, "key = yield Ask(0, (65,))")
    (folder / "game.toml").write_text(TOML + 'adapter = "adapter.py:Own"\n')
    (folder / "adapter.py").write_text(
        "from ti99tools.games.verify.adapter import Adapter\n\n\n"
        f"class Own(Adapter):\n    {setting}\n"
    )
    with pytest.raises(BuildError) as caught:
        adapter(folder)
    assert remedy in str(caught.value)


def test_a_log_that_does_not_give_its_match_back(tmp_path: Path) -> None:
    model = adapter(_folder(tmp_path, "key = (yield Ask(0, (65, 66)))")).model
    twice = adapter(_folder(tmp_path, "key = (yield Ask(0, (65,))) + (yield Ask(0, (66,)))")).model
    for kind, keys, line in ((model, (65,), ""), (twice, (65, 66), "KEY 131")):
        match = Match(kind(SETUP))
        for key in keys:
            match.press(key)
        log = PlayLog("GUESS", "1.0", 1, tuple(match.log))
        assert unread(log, kind) == line


def test_a_version_that_only_the_model_has() -> None:
    wrong = compare_logs(PlayLog("GUESS", "2.0", 1, ()), PlayLog("GUESS", "1.0", 1, ()))
    assert wrong is not None
    assert "the model's version must be that of game.toml" in "\n".join(wrong.lines())


def test_a_model_that_is_not_python(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        adapter(_folder(tmp_path, "key = yeld Ask(0, (65,))"))
    assert "model.py:8: cannot be read: SyntaxError: invalid syntax;" in str(caught.value)


@pytest.mark.parametrize(
    ("right", "wrong", "problem"),
    [
        ('    game = "GUESS"', "", 'game of Guess is None; write game = "'),
        ('"1.0"', "1.0", 'version of Guess is 1.0; write version = "1.0" in it'),
        ('"1.0"', '"1.0"\n    letter = "g"', "'g' cannot be the letter of Guess; use one of 234"),
    ],
)
def test_a_model_without_its_words(tmp_path: Path, right: str, wrong: str, problem: str) -> None:
    folder = _folder(tmp_path, "yield Ask(0, (65,))")
    (folder / "model.py").write_text((folder / "model.py").read_text().replace(right, wrong))
    with pytest.raises(BuildError) as caught:
        adapter(folder)
    assert problem in str(caught.value)


@pytest.mark.parametrize("keys", ["65", "'A'", "['A']"])
def test_keys_of_gives_codes(tmp_path: Path, keys: str) -> None:
    folder = _folder(tmp_path, "key = yield Ask(0, (65,))")
    text = (folder / "model.py").read_text().replace("[int(event.args[0])]", keys)
    (folder / "model.py").write_text(text)
    model = adapter(folder).model
    match = Match(model(SETUP))
    match.press(65)
    with pytest.raises(BuildError, match="return a list of key codes"):
        unread(PlayLog("GUESS", "1.0", 1, tuple(match.log)), model)


@pytest.mark.parametrize("decorator", ["staticmethod", "cache"])
def test_keys_of_may_be_decorated(tmp_path: Path, decorator: str) -> None:
    folder = _folder(tmp_path, "key = yield Ask(0, (65,))")
    text = "from functools import cache\n" + (folder / "model.py").read_text()
    own = "(event)" if decorator == "staticmethod" else "(self, event)"
    text = text.replace("    def keys_of(self, event)", f"    @{decorator}\n    def keys_of{own}")
    (folder / "model.py").write_text(text.replace("[int(event.args[0])]", "65"))
    model = adapter(folder).model
    match = Match(model(SETUP))
    match.press(65)
    with pytest.raises(BuildError, match=r"model.py:\d+: keys_of returns 65"):
        unread(PlayLog("GUESS", "1.0", 1, tuple(match.log)), model)


def test_keys_of_may_yield_its_keys(tmp_path: Path) -> None:
    folder = _folder(tmp_path, "key = yield Ask(0, (65,))")
    text = (folder / "model.py").read_text()
    text = text.replace("return [int(event.args[0])]", "yield int(event.args[0])")
    (folder / "model.py").write_text(text)
    model = adapter(folder).model
    match = Match(model(SETUP))
    match.press(65)
    assert unread(PlayLog("GUESS", "1.0", 1, tuple(match.log)), model) == ""


def test_a_player_presses_keys(tmp_path: Path) -> None:
    own = adapter(_folder(tmp_path, "key = yield Ask(0, (65,))"))
    own.players = dict.fromkeys(POLICIES, lambda _model, _ask, _random: "A")  # type: ignore
    with pytest.raises(BuildError, match="presses 'A'; return the code of a key"):
        make(own, 1)
