"""The language server as an editor meets it: marks, words, places; and nonsense."""

import io
import random
from pathlib import Path

import pytest

from tests.lsp.lspclient import Editor
from ti99tools.base.errors import TIError
from ti99tools.fronts.lsp.server import serve

GAME = """\
CONST TOP=5, NAME$="A, B"
again:
  CALL BAR(TOP)
  IF A<3 THEN again
CALL HCHAR(1,2,42)
PROC BAR(R)
  A=A+R
END PROC
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.xb"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_a_mistake_is_marked_while_it_is_typed_and_gone_when_mended(game: Path) -> None:
    editor = Editor()
    editor.open(game)
    editor.change(game, GAME.replace("CALL HCHAR(1,2,42)", "PRNT 42"))
    editor.change(game, GAME)
    editor.end()
    first, second, third = editor.marks[game]
    assert [mark["severity"] for mark in first + third].count(1) == 0
    (wrong,) = [mark for mark in second if mark["severity"] == 1]
    assert wrong["message"] == "this fails with SYNTAX ERROR; did you mean PRINT?"
    assert wrong["range"] == {
        "start": {"line": 4, "character": 0},
        "end": {"line": 4, "character": 4},
    }
    assert (wrong["source"], wrong["code"]) == ("ti99tools", "syntax")
    assert editor.code == 0
    assert game.read_text(encoding="utf-8") == GAME


def test_an_included_file_is_judged_with_the_source_that_includes_it(tmp_path: Path) -> None:
    main, part = tmp_path / "main.xb", tmp_path / "part.xb"
    main.write_text('#include "part.xb"\nCALL P\n', encoding="utf-8")
    part.write_text("PROC P\nPRINT 1\nEND PROC\n", encoding="utf-8")
    editor = Editor()
    editor.open(part)
    editor.change(part, "PROC P(A)\nPRINT A\nEND PROC\n")
    editor.end()
    assert editor.last_marks(part) == []
    assert [message for _, _, message in editor.last_marks(main)] == [
        f"the PROC P takes 1 value, 0 are given; see {part}:1:6"
    ]


def test_marks_of_other_files_go_when_the_mistake_goes(tmp_path: Path) -> None:
    main, part = tmp_path / "main.xb", tmp_path / "part.xb"
    main.write_text('#include "part.xb"\nPRINT 1\n', encoding="utf-8")
    part.write_text("PRNT 2\n", encoding="utf-8")
    editor = Editor()
    editor.open(main)
    editor.open(part, "PRINT 2\n")
    editor.end()
    assert [len(marks) for marks in editor.marks[part]] == [1, 0]


def test_a_numbered_listing_has_marks_and_jumps(tmp_path: Path) -> None:
    path = tmp_path / "old.bas"
    path.write_text('100 PRINT "A"\n110 GOTO 100\n120 GOTO 500\n', encoding="utf-8")
    editor = Editor()
    editor.open(path)
    place = editor.at("definition", path, 1, 10)
    editor.end()
    assert any(line == 2 and "500" in message for line, _, message in editor.last_marks(path))
    assert editor.answers[place]["range"]["start"] == {"line": 0, "character": 0}


def test_names_lead_to_their_definitions(game: Path) -> None:
    editor = Editor()
    editor.open(game)
    asked = {
        editor.at("definition", game, 2, 8): (5, 5),
        editor.at("definition", game, 2, 12): (0, 6),
        editor.at("definition", game, 3, 16): (1, 0),
    }
    nowhere = editor.at("definition", game, 4, 7)
    editor.end()
    for number, (line, character) in asked.items():
        start = editor.answers[number]["range"]["start"]
        assert (start["line"], start["character"]) == (line, character)
    assert editor.answers[nowhere] is None


def test_hover_shows_forms_and_definitions(game: Path) -> None:
    editor = Editor()
    editor.open(game)
    builtin, constant = editor.at("hover", game, 4, 7), editor.at("hover", game, 2, 12)
    routine = editor.at("hover", game, 2, 8)
    editor.end()
    assert "HCHAR(row,column,code" in editor.answers[builtin]["contents"]["value"]
    assert "TOP=5" in editor.answers[constant]["contents"]["value"]
    assert "PROC BAR(R)" in editor.answers[routine]["contents"]["value"]


def test_words_are_offered_where_they_fit(game: Path) -> None:
    editor = Editor()
    editor.open(game, GAME + "CALL \nGOTO \nPR\n")
    call = editor.at("completion", game, 8, 5)
    jump = editor.at("completion", game, 9, 5)
    word = editor.at("completion", game, 10, 2)
    editor.end()

    def labels(number: int) -> list[str]:
        return [offer["label"] for offer in editor.answers[number]]

    assert labels(call)[0] == "BAR"
    assert {"CLEAR", "SPRITE"} <= set(labels(call))
    assert labels(jump) == ["again"]
    assert {"TOP", "PRINT", "SELECT", "WHILE"} <= set(labels(word))


def test_the_outline_has_labels_routines_and_constants(game: Path) -> None:
    editor = Editor()
    editor.open(game)
    outline = editor.ask("textDocument/documentSymbol", textDocument={"uri": game.as_uri()})
    editor.end()
    assert [(each["name"], each["detail"]) for each in editor.answers[outline]] == [
        ("TOP", "constant"),
        ("NAME$", "constant"),
        ("AGAIN", "label"),
        ("BAR", "proc"),
    ]


def test_places_count_as_editors_do(tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    editor = Editor()
    editor.open(path, 'PRINT "\U0001f600" :: PRNT 1\n')
    editor.end()
    # The face is two UTF-16 units wide.
    assert any(character == 14 for _, character, _ in editor.last_marks(path))


def test_files_that_are_no_text_and_methods_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    editor = Editor()
    unknown = editor.ask("textDocument/rename")
    wrong = editor.ask("textDocument/hover", textDocument=5)
    editor.say("textDocument/didOpen", textDocument={"uri": "untitled:1", "text": "PRNT"})
    editor.say("textDocument/didOpen")
    editor.open(path, "")
    outside = editor.at("hover", path, 77, 3)
    editor.end()
    assert "no method" in editor.answers[unknown]["message"]
    assert editor.answers[wrong] is None
    assert editor.answers[outside] is None
    assert "the source is empty" in editor.last_marks(path)[0][2]


@pytest.mark.parametrize("data", [b"HELLO\n", b"Content-Length: 5\r\n\r\nhello", b"\r\n\r\n"])
def test_what_is_not_the_protocol_is_told(data: bytes) -> None:
    with pytest.raises(TIError, match=r"start it from an editor"):
        serve(io.BytesIO(data), io.BytesIO())


@pytest.mark.parametrize("seed", range(20))
def test_no_text_brings_it_down(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "game.xb"
    editor = Editor()
    for _ in range(5):
        text = list(GAME)
        for _ in range(rng.randrange(1, 8)):
            text[rng.randrange(len(text))] = rng.choice('"#(\n:!$é\U0001f600 0')
        editor.open(path, "".join(text))
        for method in ("hover", "definition", "completion"):
            editor.at(method, path, rng.randrange(10), rng.randrange(20))
    editor.end()
    assert len(editor.marks[path]) == 5


LATER = 'CALL HPUT(1,1,"HI")\nCALL SWAPCHAR(65,66)\n'


@pytest.mark.parametrize("way", ["option", "folder", "game", "none"])
def test_a_later_basic_is_known_by_option_folder_or_game(tmp_path: Path, way: str) -> None:
    path = tmp_path / "show.xb"
    path.write_text(LATER, encoding="utf-8")
    if way == "folder":
        (tmp_path / "ti99tools.toml").write_text('basic = "rxb"\n', encoding="utf-8")
    if way == "game":
        head = 'title = "S"\nversion = "1"\nsource = "show.xb"\nprogram = "S"\ndisk = "S"\n'
        (tmp_path / "game.toml").write_text(head + 'basic = "rxb"\n', encoding="utf-8")
    editor = Editor("rxb" if way == "option" else "")
    editor.open(path)
    hover = editor.at("hover", path, 1, 7)
    words = editor.at("completion", path, 0, 5)
    editor.end()
    unknown = [message for _, _, message in editor.last_marks(path) if "HPUT" in message]
    offered = {offer["label"] for offer in editor.answers[words]}
    assert bool(unknown) is (way == "none")
    assert ("SWAPCHAR" in offered) is (way != "none")
    assert ("SWAPCHAR(character code" in str(editor.answers[hover])) is (way != "none")


def test_defaults_of_a_folder_that_cannot_be_read_are_told(game: Path) -> None:
    (game.parent / "ti99tools.toml").write_text('basic = "foo"\n', encoding="utf-8")
    editor = Editor()
    editor.open(game)
    editor.end()
    file = game.parent / "ti99tools.toml"
    assert "no such Extended BASIC" in str(editor.marks[file])


SUBS = """\
ON K GOTO first,SECOND
first: CALL COUNT(3)
second: RESTORE RULES
#text rules
loop: a row of a text
#end
#art 128 "ball.png"
SUB COUNT(N)
loop: N=N-1::PRINT "SUBEND"
  IF N>0 THEN LOOP
  RESTORE RULES
SUBEND
SUB SHOW(N)
loop: PRINT N::GOTO LOOP
  GOTO FIRST
SUBEND
last: GOTO LAST
"""


@pytest.mark.parametrize(
    ("row", "word", "leads_to"),
    [
        (0, "SECOND", 2),
        (9, "LOOP", 8),
        (10, "RULES", 3),
        (13, "LOOP", 13),
        (16, "LAST", 16),
    ],
)
def test_a_label_leads_into_its_own_sub(tmp_path: Path, row: int, word: str, leads_to: int) -> None:
    path = tmp_path / "game.xb"
    editor = Editor()
    editor.open(path, SUBS)
    at = SUBS.split("\n")[row].index(word)
    definition, hover = (editor.at(each, path, row, at) for each in ("definition", "hover"))
    editor.end()
    assert editor.answers[definition]["range"]["start"]["line"] == leads_to
    assert SUBS.split("\n")[leads_to].strip() in editor.answers[hover]["contents"]["value"]


def test_rows_of_texts_and_drawings_have_no_names(tmp_path: Path) -> None:
    path = tmp_path / "game.xb"
    editor = Editor()
    editor.open(path, SUBS)
    outline = editor.ask("textDocument/documentSymbol", textDocument={"uri": path.as_uri()})
    editor.end()
    names = [(each["name"], each["range"]["start"]["line"]) for each in editor.answers[outline]]
    assert ("LOOP", 4) not in names
    assert ("COUNT", 7) in names


@pytest.mark.parametrize(
    ("row", "before", "labels"),
    [
        (0, "ON K GOTO first,SEC", ["first", "second", "rules", "last"]),
        (9, "  GOTO LO", ["loop"]),
        (9, "  RESTORE RU", ["first", "second", "rules", "loop", "last"]),
        (0, "GOTO LA", ["first", "second", "rules", "last"]),
    ],
)
def test_labels_are_offered_where_they_count(
    tmp_path: Path, row: int, before: str, labels: list[str]
) -> None:
    path = tmp_path / "game.xb"
    rows = SUBS.split("\n")
    rows[row] = before
    editor = Editor()
    editor.open(path, "\n".join(rows))
    offered = editor.at("completion", path, row, len(before))
    editor.end()
    assert [each["label"] for each in editor.answers[offered]] == labels


@pytest.mark.parametrize("word", ["THEN", "ELSE"])
def test_statements_are_offered_where_a_label_or_a_statement_may_follow(
    tmp_path: Path, word: str
) -> None:
    path = tmp_path / "game.xb"
    editor = Editor()
    editor.open(path, f"again: IF A THEN 5 {word} ")
    offered = editor.at("completion", path, 0, 1000)
    editor.end()
    labels = [each["label"] for each in editor.answers[offered]]
    assert labels[0] == "again"
    assert "PRINT" in labels
