"""The corpus of Extended BASIC listings, and mutations of them.

The corpus is every recorded case with a program: its listing, the files on its disk, and the keys
its script types. Mutations work on the words of a line, so that most results are programs that
the editor takes and that go wrong, if at all, only when they run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from tests.fuzz.fuzzcore import CASES

WORD = re.compile(
    r'"[^"]*"?|\d*\.?\d+(?:E[+-]?\d+)?|[A-Z@\[\]\\_][A-Z0-9@\[\]\\_]*\$?|::|\s+|[^\s]', re.ASCII
)
NUMBERS = tuple(
    """
    0 1 -1 2 3 5 7 10 16 24 25 28 29 32 33 80 255 256 257 32767 32768 -32768 -32769 65535 65536
    1E14 99999999999999 1E127 9.9999999999999E127 1E-128 -1E127 .5 .1 -.5 1.5 2.4999 1E5 100000
    0.0000001 PI RND 1E128 12345678901234567890
    """.split()
)
STRINGS = (
    '""',
    '"A"',
    '" "',
    '"1"',
    '"-"',
    '"1E5"',
    '"###.##"',
    '"#"',
    '"^^^^"',
    '"##.##^^^^^"',
    '"DSK1.OUT"',
    '"DSK1.IN"',
    '"DSK1."',
    '"DSK1.NOPE"',
    '"FOO"',
    '"FF00FF00"',
    '"X""Y"',
    'RPT$("X",255)',
    "CHR$(255)",
    "CHR$(0)",
    '"1,2"',
    '"A,""B"",3"',
)
OPERATORS = ("+", "-", "*", "/", "^", "&", "=", "<", ">", "<=", ">=", "<>", "AND", "OR", "XOR")
FUNCTIONS = tuple(
    """
    ABS ATN COS EXP INT LOG SGN SIN SQR TAN LEN CHR$ SEG$ POS VAL STR$ ASC MAX MIN RPT$ EOF REC
    TAB NOT PI RND
    """.split()
)
SUBPROGRAMS = tuple(
    """
    HCHAR VCHAR GCHAR CHAR CHARPAT CHARSET CLEAR COLOR SCREEN SPRITE MOTION LOCATE MAGNIFY
    POSITION DISTANCE COINC DELSPRITE PATTERN KEY JOYST SOUND SAY SPGET ERR PEEK LOAD INIT LINK
    VERSION NOPE
    """.split()
)
KEYWORDS = tuple(
    """
    ELSE IF GO GOTO GOSUB RETURN DEF DIM END FOR LET BREAK UNBREAK TRACE UNTRACE INPUT DATA
    RESTORE RANDOMIZE NEXT READ STOP DELETE REM ON PRINT CALL OPTION OPEN CLOSE SUB DISPLAY
    IMAGE ACCEPT ERROR WARNING SUBEXIT SUBEND RUN LINPUT THEN TO STEP NUMERIC DIGIT UALPHA SIZE
    ALL USING BEEP ERASE AT BASE VARIABLE RELATIVE INTERNAL SEQUENTIAL OUTPUT UPDATE APPEND
    FIXED PERMANENT TAB VALIDATE # ! , ; : ( ) ::
    """.split()
)
COMMANDS = (
    "LIST",
    "RUN",
    "CON",
    "SIZE",
    "RES",
    "RES 10,5",
    "RES 32760,10",
    "NEW",
    "LIST 100-",
    "SAVE DSK1.NEWPRG",
    "OLD DSK1.LOAD",
    "OLD DSK1.NEWPRG",
    'SAVE "DSK1.M",MERGE',
    "MERGE DSK1.M",
    "SAVE DSK1.P,PROTECTED",
    'LIST "DSK1.L"',
    "PRINT A;B;A$",
    "A=5::PRINT A",
    "TRACE",
    "UNTRACE",
    "BREAK 110,120",
    "UNBREAK",
    "RUN 110",
    'RUN "DSK1.LOAD"',
    "NUM",
    "NUM 500,1",
    "100",
    "110 PRINT 1",
    "32767 END",
    "1 GOSUB 100",
    "CALL CLEAR",
    "CLOSE #1",
    "X",
    '"',
    "GOTO 100",
    "GOSUB 100",
    "RETURN",
    "NEXT I",
    "FOR I=1 TO 3::PRINT I::NEXT I",
    "INPUT A$",
    "READ A",
    "ACCEPT A",
    "SUBEND",
    "DEF F=1",
    'DELETE "DSK1.LOAD"',
    "BYE",
    "STOP",
    "END",
    "CONTINUE",
)
KEYS = (
    "LEFT",
    "RIGHT",
    "UP",
    "DOWN",
    "CLEAR",
    "ERASE",
    "REDO",
    "BACK",
    "DEL",
    "INS",
    "PROCEED",
    "AID",
    "BEGIN",
    "A",
    "1",
    " ",
    ",",
    '"',
)


@dataclass(frozen=True)
class Sample:
    """A recorded program with what belongs to it."""

    name: str
    listing: tuple[str, ...]
    disk: Mapping[str, Any] = field(default_factory=dict)
    typed: str = ""


@lru_cache(maxsize=1)
def corpus() -> tuple[Sample, ...]:
    """All recorded programs that fit on a screen or two."""
    samples = []
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if "source" in case:
                steps = case.get("script") or ()
                typed = "".join(step.get("type", "") for step in steps)
                disk = case.get("disk_in") or {}
                samples.append(Sample(case["id"], tuple(case["source"]), disk, typed))
    return tuple(samples)


@lru_cache(maxsize=1)
def statements() -> tuple[str, ...]:
    """Every different statement of the corpus."""
    found = {
        part for s in corpus() for line in s.listing for part in split_line(line)[1] if part.strip()
    }
    return tuple(sorted(found))


def split_line(line: str) -> tuple[str, list[str]]:
    """A listing line's number, and its statements (`::` in quotes does not separate)."""
    match = re.match(r" *(\d*) ?", line)
    assert match is not None
    parts = [""]
    for word in WORD.findall(line[match.end() :]):
        if word == "::":
            parts.append("")
        else:
            parts[-1] += word
    return match[1], parts


def mutated_listing(lines: tuple[str, ...], rng: Random) -> list[str]:
    """A listing with one to a few mutations, its lines in ascending order of their numbers."""
    program = [split_line(line) for line in lines]
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        _mutate_program(program, rng)
    return [f"{number} {'::'.join(parts)}" for number, parts in program]


Lines = list[tuple[str, list[str]]]


def _mutate_program(program: Lines, rng: Random) -> None:
    if not program:
        program.append(("100", [rng.choice(statements())]))
    at = rng.randrange(len(program))
    number, parts = program[at]
    which = rng.randrange(len(parts))
    match rng.randrange(24):
        case 0:
            del program[at]
        case 1:
            program.append((str(int(number or 1) + rng.choice((1, 5, 10, -1))), list(parts)))
        case 2:
            other = rng.randrange(len(program))
            program[at], program[other] = (
                (number, program[other][1]),
                (program[other][0], parts),
            )
        case 3:
            parts.insert(which, rng.choice(statements()))
        case 4:
            parts.insert(which, parts[rng.randrange(len(parts))])
        case 5:
            del parts[which]
            if not parts:
                del program[at]
        case 6:
            rng.shuffle(parts)
        case 7:
            _into_sub(program, at, rng)
        case 8:
            parts[which] = _nested(parts[which], rng)
        case 9:
            parts.insert(which, rng.choice(("", "!", " ", "REM", "DATA 1,A", "IMAGE ##.#")))
        case _:
            parts[which] = _mutate_statement(parts[which], program, rng)


def _into_sub(program: Lines, at: int, rng: Random) -> None:
    """Move a line, or a few, into a SUB at the end, and call it in their place."""
    end = at + rng.choice((1, 1, 2, 3))
    moved = [parts for _, parts in program[at:end]]
    parameters = rng.choice(("", "(A)", "(A,B$)", "(A())", "(X,Y)"))
    arguments = rng.choice((parameters, parameters, "", "(1)", "((A),B$)", "(A(1))", '(1,"X")'))
    program[at:end] = [(program[at][0], [f"CALL SS{arguments}"])]
    last = max((int(number) for number, _ in program if number.isdigit()), default=0)
    body = [[f"SUB SS{parameters}"], *moved, ["SUBEND"]]
    if rng.random() < 0.3:
        program.append((str(last + 10), ["END"]))
        last += 10
    program.extend((str(last + 10 * n), parts) for n, parts in enumerate(body, 1))


def _nested(statement: str, rng: Random) -> str:
    other = rng.choice(statements())
    condition = rng.choice(("1", "0", "A=B", 'A$=""', "RND>.5", "X", "1=1 AND A<5", '"A"="A"'))
    return rng.choice(
        (
            f"IF {condition} THEN {statement}",
            f"IF {condition} THEN {statement} ELSE {other}",
            f"IF {condition} THEN {other} ELSE {statement}",
            f"IF {condition} THEN {rng.choice((100, 110, 120, 999))} ELSE {statement}",
            f"IF {condition} THEN IF {condition} THEN {statement} ELSE {other} ELSE 100",
            f"FOR Q=1 TO 3::{statement}::NEXT Q",
            f"{statement}::{other}",
        )
    )


def _mutate_statement(statement: str, program: Lines, rng: Random) -> str:
    words = WORD.findall(statement)
    if not words:
        return rng.choice(statements())
    at = rng.randrange(len(words))
    word = words[at]
    match rng.randrange(14):
        case 0:
            del words[at]
        case 1:
            words.insert(at, words[rng.randrange(len(words))])
        case 2:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], word
        case 3:
            return _arguments_changed(statement, rng)
        case 4:
            words.insert(at, f" {rng.choice(KEYWORDS)} ")
        case 5:
            words[at] = rng.choice((*NUMBERS, *STRINGS))
        case 6:
            del words[at:]
        case 7 if numbers := [number for number, _ in program if number]:
            targets = [n for n, w in enumerate(words) if w.isdigit()]
            if targets:
                words[rng.choice(targets)] = rng.choice((*numbers, "32767", "1", "99"))
        case _:
            words[at] = _other_word(word, words, rng)
    return "".join(words)


def _arguments_changed(statement: str, rng: Random) -> str:
    """Arguments between commas swapped, dropped, doubled or made something else."""
    pieces = re.split(r"([,;:()])", statement)
    values = [n for n in range(0, len(pieces), 2) if pieces[n].strip()]
    if not values:
        return statement
    at, other = rng.choice(values), rng.choice(values)
    match rng.randrange(5):
        case 0:
            pieces[at], pieces[other] = pieces[other], pieces[at]
        case 1:
            pieces[at] = ""
        case 2:
            pieces[at] = f"{pieces[at]},{pieces[other]}"
        case 3:
            pieces[at] = rng.choice((*NUMBERS, *STRINGS, "A", "B$", "A(1)", "A$(2)", "A()", "#1"))
        case 4 if at + 1 < len(pieces):
            pieces[at + 1] = rng.choice(",;:()")
    return "".join(pieces)


def _other_word(word: str, words: list[str], rng: Random) -> str:
    """A word of the same kind, mostly."""
    if rng.random() < 0.05:
        return rng.choice((*KEYWORDS, *FUNCTIONS))
    if word[0] == '"':
        return rng.choice(STRINGS)
    if word[0].isdigit() or word[0] == ".":
        return rng.choice(NUMBERS)
    if word in OPERATORS:
        return rng.choice(OPERATORS)
    if word in FUNCTIONS:
        return rng.choice(FUNCTIONS)
    if word in SUBPROGRAMS:
        return rng.choice(SUBPROGRAMS)
    if word in KEYWORDS:
        return rng.choice(KEYWORDS)
    if word[0].isalpha():
        names = [w for w in words if w[0].isalpha() and w not in KEYWORDS] + ["A", "A$", "I", "N$"]
        flipped = word[:-1] if word.endswith("$") else f"{word}$"
        return rng.choice((flipped, *names))
    return rng.choice((*KEYWORDS[-8:], word))
