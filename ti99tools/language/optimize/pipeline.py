"""The passes in order, the program that they make, and the way back to the source."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ti99tools.base import tokens as t
from ti99tools.base.errors import TIError
from ti99tools.language.listing.listing import listed_marks, scan, statement_offsets
from ti99tools.language.listing.sourcemap import Declared, Mark, SourceMap
from ti99tools.language.optimize.line_passes import (
    drop_remarks,
    front_handlers,
    join_lines,
    move_data,
    numbered,
)
from ti99tools.language.optimize.prescan import hide_from_prescan
from ti99tools.language.optimize.rows import (
    Facts,
    Part,
    Row,
    Rows,
    bodies,
    facts_after,
    facts_of,
    names,
    rows_of,
    words,
)
from ti99tools.language.optimize.sharing import (
    name_of,
    new_names,
    share_names,
    shared_names,
    shorten_names,
)

Pass = Callable[[Rows, Facts], Rows]
Lines = Sequence[tuple[int, bytes]]
Names = dict[str, dict[str, str]]
"""SUB (empty: main) → old name → new name."""

PASSES: dict[str, Pass] = {
    "remarks": drop_remarks,
    "sharing": share_names,
    "names": shorten_names,
    "lines": join_lines,
    "data": move_data,
    "handlers": front_handlers,
    "prescan": hide_from_prescan,
}
"""Name → pass, in the order in which they are applied."""
RENAMING = ("sharing", "names")
"""The passes that only rename variables."""


@dataclass(frozen=True, slots=True)
class Optimized:
    """The result of optimizing a program.

    `lines` are numbers and tokens, ascending; `parts` maps each to the given lines that it holds;
    `applied` names the passes that changed something; `refused` says why nothing was changed;
    `names` are the variables with their new names, empty where none was renamed.
    """

    lines: tuple[tuple[int, bytes], ...]
    parts: dict[int, tuple[Part, ...]]
    applied: tuple[str, ...] = ()
    refused: str = ""
    names: Names = field(default_factory=dict)


def optimize(
    lines: Lines,
    passes: Collection[str] | None = None,
    routines: Collection[str] = (),
    hot: Sequence[str] = (),
) -> Optimized:
    """A program of numbered lines of tokens made faster; it does the same.

    `passes` (default: all) names those to apply; `routines` are those of machine code that do not
    look at the program; `hot` are the variables of the main program that are looked up most, the
    most frequent first. Raises TIError for an unknown pass.
    """
    unknown = sorted(set(passes or ()) - set(PASSES))
    if unknown:
        raise TIError(f"unknown pass: {unknown[0]}", remedy=f"passes are {', '.join(PASSES)}")
    lines = tuple(lines)
    original = Optimized(lines, {n: (Part(n, tokens),) for n, tokens in lines})
    facts = replace(facts_of(lines, routines), hot=tuple(hot))
    if not lines or facts.refused:
        return Optimized(
            original.lines, original.parts, refused=facts.refused or "an empty program"
        )
    rows = rows_of(lines)
    applied: list[str] = []
    renamed: Names = {}
    for name, apply in PASSES.items():
        if passes is not None and name not in passes:
            continue
        changed = apply(rows, facts)
        if changed == rows:
            continue
        numbered_rows = numbered(changed, facts.tells_lines)
        # The lines no longer fit their numbers: the program stays as it was before this pass.
        if numbered_rows is None:
            continue
        if name in RENAMING:
            new = _given(rows, changed)
            main = new[""]
            # Two hot names may have become one.
            facts = replace(facts, hot=tuple(dict.fromkeys(main.get(n, n) for n in facts.hot)))
            renamed = _composed(renamed, new) if renamed else new
        rows = changed
        applied.append(name)
        facts = facts_after([(number, row.tokens) for number, row in numbered_rows], facts.hot)
    numbered_rows = numbered(rows, facts.tells_lines) or []
    return Optimized(
        tuple((number, row.tokens) for number, row in numbered_rows),
        {number: row.parts for number, row in numbered_rows},
        tuple(applied),
        names=renamed,
    )


def _given(rows: Rows, changed: Rows) -> Names:
    """The new names of all variables after a pass that only renames."""
    new_names = {"": _pairs(rows.main, changed.main)}
    for body, other in zip(bodies(rows.subs), bodies(changed.subs), strict=True):
        new_names[name_of(body)] = _pairs(body, other)
    return new_names


def _pairs(body: Sequence[Row], changed: Sequence[Row]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for row, other in zip(body, changed, strict=True):
        both = zip(names(row.tokens), names(other.tokens), strict=True)
        pairs |= {old.text: new.text for old, new in both}
    return pairs


def _composed(first: Names, second: Names) -> Names:
    """The names after both passes."""
    return {
        scope: {old: second[scope][new] for old, new in pairs.items()}
        for scope, pairs in first.items()
    }


def renamings(
    lines: Lines, passes: Collection[str] | None = None, routines: Collection[str] = ()
) -> Names:
    """What `optimize` calls the variables of a program: SUB (empty: main) → old name → new name.

    Variables that are never alive together may share a new name.
    """
    chosen = [name for name in PASSES if passes is None or name in passes]
    first, second = (_before(name, chosen) for name in ("sharing", "names"))
    names: Names = {}
    if second is not None:
        optimized = optimize(lines, second, routines)
        names = {} if optimized.refused else new_names(rows_of(optimized.lines))
    if first is not None:
        optimized = optimize(lines, first, routines)
        shared = {} if optimized.refused else _shared(optimized.lines, routines)
        short = names.setdefault("", {})
        shared |= {name: name for name in shared.values()}
        short |= {old: short.get(name, name) for old, name in shared.items()}
    return names


def _before(name: str, chosen: list[str]) -> list[str] | None:
    """The passes before a given one; None if it is not chosen."""
    return chosen[: chosen.index(name)] if name in chosen else None


def _shared(lines: Lines, routines: Collection[str]) -> dict[str, str]:
    return shared_names(rows_of(lines), facts_of(lines, routines))


def mapped(known: SourceMap, optimized: Optimized) -> SourceMap:
    """The source map of an optimized program, given that of the original.

    A line that a pass added has no place in the source, and no entry.
    """
    marks: dict[int, list[Mark]] = {}
    for number, tokens in optimized.lines:
        columns_of = dict(listed_marks(number, tokens))
        columns = [columns_of[at] for at in statement_offsets(tokens)]
        parts = optimized.parts[number]
        marks[number] = [*_marks(known, parts, columns)]
        if len(parts) > 1:
            marks[number] += _after_else(known, parts, tokens, columns_of)
    ranges = tuple(_ranges(known.ranges, optimized.names))
    return SourceMap({number: some for number, some in marks.items() if some}, ranges=ranges)


def _ranges(declared: Sequence[Declared], new: Names) -> Iterator[Declared]:
    """What RANGE declares, under the new names of the variables.

    A name that several variables share has the values of all of them; it has no RANGE where one of
    them has none.
    """
    known = {(one.scope, one.name): one for one in declared}
    for one in declared:
        pairs = new.get(one.scope, {})
        name = pairs.get(one.name, one.name)
        together = [known.get((one.scope, old)) for old, own in pairs.items() if own == name]
        sharing = [each for each in together if each is not None]
        if len(sharing) == len(together):
            low = min((each.low for each in sharing), default=one.low)
            high = max((each.high for each in sharing), default=one.high)
            yield Declared(one.scope, name, low, high, one.place)


def _marks(known: SourceMap, parts: Sequence[Part], columns: list[int]) -> Iterator[Mark]:
    before = 0
    for part in parts:
        # Of several marks in a statement the first one says where it begins.
        first = {mark.statement: mark for mark in reversed(known.marks(part.number))}
        count = len(list(statement_offsets(part.tokens)))
        for mark in sorted(first.values(), key=lambda mark: mark.statement):
            statement = before + mark.statement - part.first
            if before <= statement < min(before + count, len(columns)):
                column = columns[statement] if statement else 1
                yield Mark(column, statement, mark.place, mark.inverted)
        before += count


def _after_else(
    known: SourceMap, parts: Sequence[Part], tokens: bytes, columns_of: Mapping[int, int]
) -> Iterator[Mark]:
    """What follows an ELSE that a pass added: the last part again; see `lines`.

    `columns_of` has the column of each token.
    """
    place = known.statement(parts[-1].number, parts[-1].first)
    scanned = list(scan(tokens))
    put_in = next((e for e in scanned if e.token == t.ELSE), None)
    if place is None or put_in is None or any(t.ELSE in words(part.tokens) for part in parts):
        return
    ordinal = sum(len(list(statement_offsets(part.tokens))) for part in parts[:-1])
    offsets = list(statement_offsets(tokens))
    copied = ordinal < sum(at < put_in.start for at in offsets)
    copy_of = ordinal if copied else None
    if scanned[-1].token != t.LINE_NUMBER:
        if copied:
            *_, last = offsets
            yield Mark(columns_of[last], len(offsets) - 1, place, copy_of=copy_of)
        return
    column = columns_of[put_in.start] + len("ELSE")
    is_if = [at for at, e in enumerate(scanned) if e.token == t.IF]
    begun = sum(at <= scanned[is_if[-1]].start for at in offsets)
    yield Mark(column, begun - 1, place, otherwise=True, copy_of=copy_of)
