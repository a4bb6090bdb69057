"""Names without a value, values without a use, speech."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ti99tools.language.analysis.names import names_set, names_used, scoped, subs_of
from ti99tools.language.findings import Noted, Severity
from ti99tools.language.listing.listing import NAME, scan
from ti99tools.language.remedies.misread_words import lookalike
from ti99tools.language.remedies.otherbasics import built_in, in_brackets, written_here
from ti99tools.language.syntax import statements as st
from ti99tools.language.syntax.failures import faults
from ti99tools.language.syntax.statements import every_statement

_SPEECH = ("SAY", "SPGET")


def silent(parsed: st.Parsed) -> Iterator[Noted]:
    """A note about the first CALL that needs a speech synthesizer, which our console lacks."""
    for _, number, statement in scoped(parsed):
        if isinstance(statement, st.Call) and statement.name in _SPEECH:
            message = f"CALL {statement.name} is silent: this console has no speech synthesizer"
            remedy = "hear it on a computer that has one"
            yield Noted("speech", number, statement.at, message, remedy, Severity.INFO)
            return


_BEGIN, _INSIDE = ("IF", "FOR", "LET", "DEF"), ("THEN", "ELSE")
"""Keywords before a name, and keywords after one."""
_SHORTEST = 4
"""Letters of a name that can be taken for a misspelt one."""
_WORD = re.compile(r"[A-Z]{3,}\$?")
"""Names chosen for what they hold; shorter ones are often used for 0 on purpose."""
_READERS = (st.Input, st.Linput, st.Read, st.Accept)


@dataclass(eq=False, repr=False, slots=True)
class _Scope:
    """First line of every name that is set or used.

    `computed` are names that another statement than INPUT, LINPUT, READ or ACCEPT sets (these may
    have to skip a value); `known` are functions, parameters and names that may be set unseen.
    `defined` are functions, `broken` names in lines that the parser could not follow.
    """

    title: str = ""
    written: dict[str, int] = field(default_factory=dict)
    computed: set[str] = field(default_factory=set)
    read: dict[str, int] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    defined: dict[str, int] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)

    def unset(self) -> Iterator[tuple[str, int]]:
        """The names that are read and never set, each with the first line that reads it."""
        for name, number in self.read.items():
            if name not in self.written and name not in self.known:
                yield name, number


def names(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    known: Collection[str] = (),
    constants: Collection[str] | None = None,
) -> Iterator[Noted]:
    """Warnings about names; every SUB has its own.

    There is none about the names `known` in the main program. `constants` are those of the source;
    None: it cannot have any.
    """
    subs = subs_of(parsed)
    for scope in _scopes(lines, parsed, subs, known):
        for name, number in scope.unset():
            meant = _meant(scope, name, lines, subs, constants) or _to_be_set(name, constants)
            yield _never_set(scope, name, number, lines, meant)
        yield from _bracketed(scope, lines)
        yield from _unused(scope, lines)
        for name, number in scope.written.items():
            if name not in scope.read and name not in scope.known:
                yield Noted(
                    "never-used",
                    number,
                    _offset(lines[number], name),
                    f"nothing uses {name}{scope.title}",
                    run_together(name, lines[number], {*scope.read, *scope.written})
                    or misspelt(name, scope.read)
                    or "remove it, or correct the name",
                    Severity.WARNING if name in scope.computed else Severity.INFO,
                )


def surprises(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    known: Collection[str] = (),
    constants: Collection[str] | None = None,
) -> Iterator[Noted]:
    """As `names`, only about names that are read, never set and not meant to be 0.

    Either something else was meant by the name, or it is a word: `PRINT SCORE` needs a score.
    """
    subs = subs_of(parsed)
    for scope in _scopes(lines, parsed, subs, known):
        for name, number in scope.unset():
            meant = _meant(scope, name, lines, subs, constants)
            if meant or _WORD.fullmatch(name):
                meant = meant or _to_be_set(name, constants)
                yield _never_set(scope, name, number, lines, meant)
        yield from _bracketed(scope, lines)


def _bracketed(scope: _Scope, lines: Mapping[int, bytes]) -> Iterator[Noted]:
    """Names that are set and end in brackets: `A[I]` is one variable, whatever I is."""
    for name, number in scope.written.items():
        if remedy := in_brackets(name):
            message = f"{name} is one name, not an element of an array"
            yield Noted("brackets", number, _offset(lines[number], name), message, remedy)


def _never_set(
    scope: _Scope,
    name: str,
    number: int,
    lines: Mapping[int, bytes],
    meant: str,
) -> Noted:
    """The warning about a name without a value, first read in line `number`."""
    empty = "the empty string" if name.endswith("$") else "0"
    message = f"{name}{scope.title} is never set: it is always {empty}"
    return Noted("never-set", number, _offset(lines[number], name), message, meant)


def _to_be_set(name: str, constants: Collection[str] | None) -> str:
    """What to do about a name whose intended meaning is unknown."""
    if constants is not None and _WORD.fullmatch(name) and not name.endswith("$"):
        from ti99tools.language.dialect.library_names import or_include

        return f"set it, write CONST {name}=…{or_include(name) or ', or correct the name'}"
    return "set it, or correct the name"


def _meant(
    scope: _Scope,
    name: str,
    lines: Mapping[int, bytes],
    subs: Collection[str],
    constants: Collection[str] | None,
) -> str:
    """What was meant by a name without a value, and what to do; empty where nothing tells."""
    return (
        _twin(scope, name, constants or ())
        or written_here(name)
        or _called(name, subs)
        or built_in(name)
        or run_together(name, lines[scope.read[name]])
        or lookalike(name, scope.written)
        or misspelt(name, {*scope.written, *(constants or ())})
    )


def misspelt(name: str, others: Iterable[str]) -> str:
    """What to do about a name that is one slip of the finger from another; or empty.

    Two letters have changed places, or one is wrong, lacking or there twice. Short names, the first
    letter and digits tell names apart on purpose: XPOS and YPOS, ROW1 and ROW2.
    """
    if len(name) < _SHORTEST:
        return ""
    meant = (each for each in others if each[:1] == name[:1] and _one_slip(name, each))
    return next((f"did you mean {each}?" for each in meant), "")


def _one_slip(name: str, other: str) -> bool:
    """Tell whether two names differ in one letter, or in the order of two."""
    shorter, longer = sorted((name, other), key=len)
    pairs = enumerate(zip(shorter, longer, strict=False))
    start = next((at for at, (one, two) in pairs if one != two), len(shorter))
    left, right = shorter[start:], longer[start:]
    differing = {*left[:1], *right[:1]}
    if any(character.isdigit() or character == "$" for character in differing):
        return False
    if len(shorter) == len(longer):
        return left[1:] == right[1:] or (left[:2] == right[1::-1] and left[2:] == right[2:])
    return left == right[1:]


def _twin(scope: _Scope, name: str, constants: Collection[str]) -> str:
    """What to do about a name of which there is another kind: A where A$ is set, or a constant."""
    other = name.removesuffix("$") if name.endswith("$") else f"{name}$"
    is_set = other in scope.written and other not in scope.read
    return f"did you mean {other}?" if is_set or other in constants else ""


def _unused(scope: _Scope, lines: Mapping[int, bytes]) -> Iterator[Noted]:
    """Functions of DEF that nothing uses."""
    for name, number in scope.defined.items():
        if name not in scope.read and name not in scope.broken:
            message = f"nothing uses the function {name}{scope.title}"
            remedy = "remove it, or correct the name"
            yield Noted("unused-def", number, _offset(lines[number], name), message, remedy)


def _called(name: str, subs: Collection[str]) -> str:
    """What to do about a subprogram's name in the place of a value."""
    if name not in subs:
        return ""
    return f"{name} is a subprogram and gives values by its parameters: CALL {name}(…,RESULT)"


def _scopes(
    lines: Mapping[int, bytes],
    parsed: st.Parsed,
    subs: Collection[str],
    known: Collection[str],
) -> list[_Scope]:
    """The main program, where the names `known` count as set, and each SUB."""
    scope = main = _Scope()
    scopes = [main]
    main.known.update(known)
    for number, statements in parsed.items():
        broken = False
        for statement in every_statement(statements):
            if isinstance(statement, st.Sub):
                scope = _Scope(f" of SUB {statement.name}")
                scopes.append(scope)
                scope.known.update(p.name for p in statement.parameters)
            elif isinstance(statement, st.Def):
                scope.known.add(statement.name)
                scope.defined.setdefault(statement.name, number)
            for name in names_set(statement, subs):
                scope.written.setdefault(name, number)
                if not isinstance(statement, _READERS):
                    scope.computed.add(name)
            for name in names_used(statement):
                scope.read.setdefault(name, number)
            broken = broken or next(faults(statement), None) is not None
            if isinstance(statement, st.Subend):
                scope = main
        if broken:
            # After an error the parser saw nothing: the rest of the line may set or use any name.
            unseen = {e.text for e in scan(lines[number]) if e.token == NAME}
            scope.known |= unseen
            scope.broken |= unseen
    return scopes


def run_together(name: str, tokens: bytes, others: Collection[str] = ()) -> str:
    """What to do about a name that may be a keyword and more, as in `IFA=BTHEN50`; or empty.

    `tokens` are its line, `others` the program's names: FORCE is a name, FORI in a program with an
    I is not.
    """
    names = [e.text for e in scan(tokens) if e.token == NAME]
    begins = next((word for word in _BEGIN if name.startswith(word) and name != word), "")
    inside = next((word for word in _INSIDE if re.search(f".{word}.", name)), "")
    if begins and (name.removeprefix(begins) in others or any("THEN" in each for each in names)):
        return f"{name} is one name: put a space after {begins}"
    if inside and any(each.startswith("IF") for each in names):
        return f"{name} is one name: put spaces around {inside}"
    return ""


def _offset(tokens: bytes, name: str) -> int:
    """The first offset of a name in the tokens of its line."""
    wanted = name.encode("latin-1")
    return next((e.start for e in scan(tokens) if e.token == NAME and e.data == wanted), 0)
