"""All passes in order, and what they have found; one program on a cartridge, or several.

Each of several programs has banks of its own; images share what is left over.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from ti99tools.base import xberrors as xb
from ti99tools.base.errors import Place, Remedy, SourceError, TIError, Where, together
from ti99tools.compiler import ir
from ti99tools.compiler.banking import Rooms, in_banks, split_blocks
from ti99tools.compiler.bankparts import Berth, TooManyBanks
from ti99tools.compiler.cartridge import MOST_ENTRIES, Part, cartridge, code_start
from ti99tools.compiler.certain import ranges_of
from ti99tools.compiler.emit.emission import FIRST_BANK, NO_BANKS, Emission
from ti99tools.compiler.emit.emitter import Emitter
from ti99tools.compiler.full import Depths, depths, taken_by_names
from ti99tools.compiler.graph import measure_depths, prune
from ti99tools.compiler.heat import HOTTEST, heat_of
from ti99tools.compiler.kinds import Kinds, Places
from ti99tools.compiler.linking import Linked, TooLarge, free_bytes, link
from ti99tools.compiler.lower.flow import names_run
from ti99tools.compiler.lower.lowering import Lowering
from ti99tools.compiler.pace import Pace, gather_pace, settle_pace
from ti99tools.compiler.placing import Placing, sizes_of
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.refusing import Refused, located
from ti99tools.compiler.short.bytecode import Video, shorten
from ti99tools.compiler.taking import begin_at, gather_whole
from ti99tools.language.analysis.intervals import Interval
from ti99tools.language.listing.sourcemap import Declared
from ti99tools.language.program.program import Program

ALL_SHORT = HOTTEST + 1
"""No statement is as hot as this."""
HOT_DEPTHS = (1, 2, 3, ALL_SHORT)
"""Loops around a statement from which on cells are calculated in place. The first value is used
with which the program fits, or the first of all if it fits with none."""


@dataclass(frozen=True)
class Compiled:
    """A compiled program, with what the passes found."""

    title: str
    code: ir.Code
    ranges: Ranges
    kinds: Kinds
    places: Places
    linked: Linked
    berth: Berth

    @property
    def failing(self) -> Iterator[tuple[ir.Spot, int, str]]:
        """Statements that control comes to and that always fail: the error, and what to do.

        A line that a SUB goes to by ON ERROR is compiled for the names of the SUB, too: it may fail
        there and not in the program.
        """
        variants: defaultdict[ir.Spot, set[str]] = defaultdict(set)
        stopping: defaultdict[tuple[ir.Spot, int], set[str]] = defaultdict(set)
        for block in self.code.blocks.values():
            for part in (*block.body, block.end):
                if part is not None:
                    variants[part.spot].add(block.variant)
            if isinstance(block.end, ir.Stop) and block.end.code is not None:
                stopping[block.end.spot, block.end.code].add(block.variant)
        for spot, code, remedy in dict.fromkeys(self.code.failing):
            # RUN of a program that is not there fails whatever names there are.
            everywhere = stopping[spot, code] == variants[spot] or code == xb.IO_ERROR
            if stopping[spot, code] and everywhere:
                yield spot, code, remedy

    @property
    def cartridge(self) -> bytes:
        """The banks of 8 KB of a cartridge with this program alone."""
        return cartridge([self.part], [self.title], self.berth.chained)

    @property
    def part(self) -> Part:
        """What its cartridge has of it."""
        linked = self.linked
        return Part(self.berth.name, linked.image, linked.banks, self.berth.bank, linked.low)


def compile_program(
    program: Program,
    title: str = "PROGRAM",
    words: bool = True,
    where: Where | None = None,
    *,
    pace: Pace = Pace.BASIC,
    rooms: Rooms | None = None,
    banks: bool = True,
    short: int = 0,
    video: Video = Video.PLACES,
    berth: Berth | None = None,
) -> Compiled:
    """Compile a program. Raises SourceError, TIError.

    `words` False: every number is a cell. `pace`: what takes the time that it takes in
    Extended BASIC. `rooms`: the code is in banks even if it fits into high memory, in
    pieces of these sizes. `banks` False: code that does not fit is byte code instead. `short`:
    statements of less heat than this are byte code in any case, `ALL_SHORT` all. `video`: what byte
    code has in video memory, or more if it does not fit so. `berth`: where the program is in its
    cartridge; without one it is there alone, and has no name for RUN.
    """
    where = where or nowhere
    own = berth or Berth(code_start([title]))
    code = _lowered(program, where, pace, own.programs)
    if pace is Pace.ALL:
        gather_whole(code)
    else:
        gather_pace(code)
    measure_depths(code)
    code.names_take = taken_by_names(program.analysis)
    ranges = ranges_of(code)
    kinds = Kinds(code, ranges, words, bool(short))
    places = Places(code, kinds)
    heat = heat_of(program.analysis)

    def emitted(hot: int, homes: Mapping[str, int] = NO_BANKS) -> Emission:
        emitter = Emitter(code, kinds, places, heat, hot, homes, own.bank)
        try:
            emission = emitter.run()
        except Refused as refused:
            spot = emitter.spot
            raise located(refused, spot[0], where(*spot)) from refused
        if own.chained:
            emission.out.uses("CHAINS")
        return emission

    quickly = cache(emitted)

    def shortened(hot: int, in_video: Video = Video.PLACES) -> Emission:
        emission = emitted(hot)
        shorten(emission, {spot for spot, own in heat.items() if own >= hot}, in_video)
        return emission

    if short:
        linked = link(shortened(short, video), own)
    elif rooms is None and (found := _first_that_fits(quickly, own)) is not None:
        linked = found
    elif banks:
        split_blocks(code, ranges)
        linked = in_banks(
            partial(emitted, HOT_DEPTHS[0]),
            Placing(code, heat, sizes_of(quickly(HOT_DEPTHS[0]))),
            own,
            rooms,
        )
    else:
        kinds = Kinds(code, ranges, words, small=True)
        places = Places(code, kinds)
        linked = _first_that_fits(shortened, own) or _with_most_room(
            partial(shortened, ALL_SHORT), video, own
        )
    return Compiled(title, code, ranges, kinds, places, linked, own)


def _first_that_fits(emitted: Callable[[int], Emission], berth: Berth) -> Linked | None:
    """Link a program that fits into high memory.

    Code in place is quicker and longer: first as much of it as possible, then less. Nothing is
    tried between the quickest and the shortest if the shortest does not fit.
    """
    for hot in HOT_DEPTHS:
        if hot == HOT_DEPTHS[1] and free_bytes(emitted(HOT_DEPTHS[-1])) < 0:
            return None
        try:
            return link(emitted(hot), berth)
        except TooLarge:
            continue
    return None


def _with_most_room(emitted: Callable[[Video], Emission], least: Video, berth: Berth) -> Linked:
    """Link a program with as little in video memory as there can be. Raises TooLarge."""
    full: list[TooLarge] = []
    for video in Video:
        if video < least:
            continue
        try:
            return link(emitted(video), berth)
        except TooLarge as error:
            full.append(error)
    raise min(full, key=lambda error: error.missing)


def nowhere(line: int, _: int) -> Place:
    """The place of a line of a program that has no source."""
    return Place("program", line)


def _lowered(
    program: Program,
    where: Where,
    pace: Pace,
    programs: Sequence[str],
    found: Depths | None = None,
) -> ir.Code:
    """The blocks of a program that are reached; `found`: how many GOSUBs may be under way."""
    rooms = found.at if found else {}
    lowering = Lowering(program.analysis, where, _words(program), pace, programs, rooms)
    code = lowering.run()
    if pace is Pace.BASIC:
        settle_pace(code)
    elif pace is Pace.ALL:
        from ti99tools.compiler.wholetime import phase  # loads the interpreter's times

        begin_at(code, phase(program))
    prune(code)
    if found is None:
        found = depths(program.analysis, code, lowering.low.loops)
        if found.at:
            return _lowered(program, where, pace, programs, found)
    code.deepest, code.looks = found.most, bool(found.at)
    return code


def _words(program: Program) -> list[Declared]:
    """The RANGEs of words: of larger numbers only SUBs that are compiled alone make use."""
    return [one for one in program.ranges if Interval(one.low, one.high).is_word]


@dataclass(frozen=True)
class Wanted:
    """A program for a cartridge: what it was given as, its name for RUN, its title in the menu."""

    given: str
    name: str
    title: str
    program: Program
    where: Where


@dataclass(frozen=True)
class Collected:
    """The compiled programs of a cartridge; `titles` are those in the menu."""

    programs: Sequence[Compiled]
    titles: Sequence[str]

    @property
    def cartridge(self) -> bytes:
        """The banks of 8 KB. Raises TooManyParts."""
        parts, bank = [], FIRST_BANK
        for program in self.programs:
            parts.append(replace(program.part, bank=bank))
            bank += len(program.linked.banks)
        return cartridge(parts, self.titles, self.programs[0].berth.chained)

    @property
    def linked(self) -> Linked:
        """The first program in memory."""
        return self.programs[0].linked


def chained(wanted: Sequence[Wanted]) -> bool:
    """Tell whether a program RUNs one of them."""
    names = {each.name for each in wanted} - {""}
    return any(names & names_run(each.program.analysis) for each in wanted)


def compile_single(
    wanted: Wanted,
    words: bool = True,
    *,
    pace: Pace = Pace.BASIC,
    banks: bool = True,
    alone: bool = False,
) -> Compiled:
    """Compile the only program of a cartridge; `alone`: RUN finds nothing there, not even it.

    `words`, `pace` and `banks` are those of `compile_program`. Raises SourceError, TIError.
    """
    berth = Berth(code_start([wanted.title]))
    if wanted.name and not alone:
        berth = replace(berth, programs=(wanted.name,), chained=chained([wanted]))
    try:
        return compile_program(
            wanted.program, wanted.title, words, wanted.where, pace=pace, banks=banks, berth=berth
        )
    except TIError as error:
        raise error.at(wanted.given) from error


def compile_programs(
    wanted: Sequence[Wanted],
    first: bool = False,
    words: bool = True,
    *,
    pace: Pace = Pace.BASIC,
    banks: bool = True,
    short: int = 0,
) -> Collected:
    """Compile programs for one cartridge; `first`: the menu has only the first, which RUNs others.

    `words`, `pace`, `banks` and `short` are those of `compile_program`. Raises SourceError for what
    cannot be compiled in any of them, TIError for programs that do not fit.
    """
    titles = [each.title for each in (wanted[:1] if first else wanted)]
    if len(titles) > MOST_ENTRIES:
        raise TIError(
            f"the console's menu shows {MOST_ENTRIES} programs, these are {len(titles)}",
            remedy=Remedy.ONLY_FIRST,
        )
    names = tuple(each.name for each in wanted)
    berth = Berth(code_start(titles), programs=names, chained=chained(wanted))
    done: list[Compiled] = []
    errors: list[SourceError] = []
    for number, each in enumerate(wanted):

        def compiled(at: Berth, each: Wanted = each) -> Compiled:
            return compile_program(
                *(each.program, each.title, words, each.where),
                pace=pace, banks=banks, short=short, berth=at,
            )  # fmt: skip

        own = replace(berth, number=number)
        try:
            try:
                result = compiled(own)
            except TooManyBanks:  # what is missing in all is told when all sizes are known
                result = compiled(replace(own, bank=FIRST_BANK))
        except SourceError as error:
            errors += [error, *error.others]
            continue
        except TIError as error:
            raise error.at(each.given) from error
        done.append(result)
        berth = replace(berth, bank=berth.bank + len(result.linked.banks))
    if errors:
        raise together(errors)
    return Collected(done, titles)
