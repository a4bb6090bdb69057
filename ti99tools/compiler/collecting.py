"""Several programs on one cartridge, each in banks of its own; images share what is left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ti99tools.base.errors import Remedy, SourceError, TIError, Where, together
from ti99tools.compiler.bankparts import Berth, TooManyBanks
from ti99tools.compiler.cartridge import MOST_ENTRIES, cartridge, code_start
from ti99tools.compiler.compiling import Compiled, compile_program
from ti99tools.compiler.emit.emission import FIRST_BANK
from ti99tools.compiler.linking import Linked
from ti99tools.compiler.lower.running import names_run
from ti99tools.compiler.pace import Pace
from ti99tools.language.program.program import Program


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
    return compile_program(
        wanted.program, wanted.title, words, wanted.where, pace=pace, banks=banks, berth=berth
    )


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
