"""Link the program with the parts of the runtime that it uses, and lay out its memory.

A program with byte code has what only it reads at the end of low memory, as far as there is room,
and its table of places in video memory. Below the former the loader leaves a copy of the latter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ti99tools.base.errors import TIError
from ti99tools.base.xberrors import TEXTS
from ti99tools.compiler import ir
from ti99tools.compiler.bankparts import (
    Bank,
    Berth,
    bank_sources,
    banks_of,
    equates,
    pieces_of,
    places,
)
from ti99tools.compiler.emit.assembly import bytes_of
from ti99tools.compiler.emit.emission import Emission
from ti99tools.compiler.full import beyond_strings
from ti99tools.compiler.kinds import OWED
from ti99tools.compiler.runtimefiles import RuntimePart, needed, runtime_source, skipped_calls
from ti99tools.compiler.short.videopart import video_part
from ti99tools.compiler.tables import (
    LOW,
    LOW_END,
    STACK_BYTES,
    LowMemory,
    constants,
    data,
    numbers,
    place_arrays,
    tables,
    text_row,
    texts,
)
from ti99tools.compiler.taking import EQUATES as TIMES
from ti99tools.compiler.tighten import tightened
from ti99tools.compiler.used import apart, names_in, used_rows
from ti99tools.computer.console.compiled import WORKSPACE
from ti99tools.computer.console.compiledmemory import (
    BANKED_MARK,
    FIRST_TEXT,
    MARK,
    PLACES_MARK,
    SHORT_MARK,
    VIDEO_TOP,
)
from ti99tools.hardware.assembler.assembling import Assembled, assemble

ORIGIN, HIGH_END = 0xA000, 0x10000
LARGEST = 5
"""The most parts of a program that a refusal names."""
ENDING = frozenset({"FAILEN", "BRKNEN", "DONEN", "WRNEEN", "LOOKS"})
"""Where code of the runtime begins that ends a program, see fail.a99."""
CLOSING = frozenset({"FCLALL"})
"""The same for what closes all files."""
KEPT = ("KCHOSN", "INITED", "TRACED")
"""Memory of the runtime that RUN does not clear; nor does it clear which lines BREAK has named."""

EQUATES = f"""\
WS     EQU  >8320    the program's workspace: R10 the stack of GOSUB and FOR, see places
RWS    EQU  >838C    the runtime's: R8 the stack of texts, R9 their end, R10 its own stack
GPLWS  EQU  >83E0    the console's
OWES   EQU  >{WORKSPACE + 2 * OWED:04X}    see pace.a99
HOSTWD EQU  >8348    the line that waits for a key
FAC    EQU  >834A    operands of the console's arithmetic; FAC is its result
ARG    EQU  >835C
FLERR  EQU  >8354    byte: 0, 1 overflow, 2 an argument that is refused, 3 no word
VSTAK  EQU  >836E    where the console's functions keep numbers in video memory
GSTAK  EQU  >8373    byte: the sub stack of GPL
KUNIT  EQU  >8374    byte: the unit that is scanned
KCODE  EQU  >8375    byte: the key that is down, >FF for none
JOYSY  EQU  >8376
JOYSX  EQU  >8377
FRAME  EQU  >8379    byte: counts interrupts
MOVES  EQU  >837A    byte: sprites that the interrupt moves
VSTAT  EQU  >837B    byte: the video processor's status at the last interrupt
GSTAT  EQU  >837C    byte: bit >20 is set by a new key
RSEED  EQU  >83C0
INTFL  EQU  >83C2    byte: what the interrupt leaves out
INTHK  EQU  >83C4    what the interrupt calls, 0 for nothing
SNDLS  EQU  >83CC    the sound list at work
SNDGO  EQU  >83CE    byte: frames until its next block, 0 when it has ended
VREG1  EQU  >83D4    byte: what the scan of keys puts into register 1
BLANK  EQU  >83D6    the screen goes dark when it comes to 0
INTPC  EQU  >83DC    where the interrupt goes back to
GPLFL  EQU  >83FD    byte: bit >01: sound lists are in video memory
KSCAN0 EQU  >000E    routines of the console's ROM, called with its workspace
GPLRUN EQU  >0060
FCOMP  EQU  >0D3A
FADD   EQU  >0D80
FDIV   EQU  >0FF4
CSN    EQU  >11AE
CFI    EQU  >12B8
VIDTOP EQU  >{VIDEO_TOP:04X}    the last byte of video memory that no device owns
GPLSTK EQU  >0380    in video memory: the stack of the console's functions
VALTXT EQU  >0850    in video memory: the text of VAL, with a space after it
PLMARK EQU  >{PLACES_MARK:04X}
ORIGIN EQU  >{ORIGIN:04X}
SOUND  EQU  >8400
VDPRD  EQU  >8800
VDPST  EQU  >8802
VDPWD  EQU  >8C00
VDPWA  EQU  >8C02
GRMRD  EQU  >9800
GRMWA  EQU  >9C02
"""
"""Addresses of the console. The workspaces of the program and of the runtime lie where its GPL
routines change nothing (measured: >8302 to >8349 and >838C to >83BF are kept); GPLWS is the
console's own, which its arithmetic needs; FAC and ARG hold its operands."""


@dataclass(frozen=True)
class Linked:
    """The whole program: its bytes from `ORIGIN` on, its source, sizes by part."""

    image: bytes
    source: str
    assembled: Assembled
    runtime_bytes: int
    memory_bytes: int
    parts: tuple[str, ...]
    places: tuple[tuple[int, ir.Spot], ...]
    """Address where a statement's code begins, in order of the addresses; `NOWHERE`: code of none.
    An address in a bank has the bank's number above its 16 bits."""
    banks: tuple[Bank, ...]
    """None if all code is in high memory."""
    low: bytes
    """What the end of low memory has when the program begins; empty without byte code."""
    video_bytes: int
    """Bytes of video memory that the strings of a program with byte code do not get."""


def link(emission: Emission, berth: Berth) -> Linked:
    """Put everything together. Raises TIError where it does not fit, BankFull for a bank."""
    high = HighMemory(emission)
    if high.missing > 0:
        raise TooLarge(emission, high)
    low, chosen = high.low, high.chosen
    source = EQUATES + TIMES + low.equates() + berth.equates() + high.source
    if emission.banked:
        source = equates(emission) + source + "".join(bank_sources(emission, berth.first))
    assembled = assemble(source + "       END\n", "compiled program")
    arrays = assembled.address_of("ARRLO")
    image, *others = pieces_of(assembled)
    kept, video = (_even(piece.data) for piece in others) if high.short else (b"", b"")
    return Linked(
        image=image.data + bytes(arrays - ORIGIN - len(image.data)),
        source=source,
        assembled=assembled,
        runtime_bytes=assembled.address_of("RTEND") - assembled.address_of("RTBEG"),
        memory_bytes=low.cleared - LOW,
        parts=tuple(part.name for part in chosen),
        places=tuple(places(emission, assembled)),
        banks=tuple(banks_of(emission, assembled, others)) if emission.banked else (),
        low=video[: high.copied] + kept,
        video_bytes=len(video) + high.ending,
    )


def _even(data: bytes) -> bytes:
    """With the byte that EVEN skips at the end."""
    return data + bytes(len(data) & 1)


@dataclass(frozen=True)
class RuntimeCode:
    """The rows of the runtime that a program needs, by where they lie.

    With byte code what runs `once` is at the end of low memory when the program begins, and what
    ends the program (`ending`) comes there from video memory.
    """

    rows: list[str]
    once: list[str]
    ending: list[str]
    named: set[str]
    """The names that they have."""

    @classmethod
    def of(cls, chosen: Sequence[RuntimePart], wanted: set[str], short: bool) -> RuntimeCode:
        """What the labels `wanted` need of some files; `short`: with byte code."""
        skips = skipped_calls()
        rows = used_rows(runtime_source(chosen).splitlines(), wanted, skips)
        named = names_in(rows)
        once, ending = list[str](), list[str]()
        if short:
            once, rows = _parted(rows)
            # RUN closes files, too.
            away = ENDING if any(row.startswith("RUNEND") for row in rows) else ENDING | CLOSING
            rows, ending = apart(rows, wanted | names_in(once), skips, away)
            ending = tightened(tuple(ending), skips, "TE")
        return cls(tightened(tuple(rows), skips), once, ending, named)


def _parted(runtime: list[str]) -> tuple[list[str], list[str]]:
    """The rows of the runtime that run once, when a program begins; all others."""
    first = next(at for at, row in enumerate(runtime) if row.startswith("START "))
    end = next(at for at, row in enumerate(runtime) if row.startswith("AREEND")) + 1
    once, others = runtime[first:end], runtime[:first] + runtime[end:]
    # RUN comes back to some of them.
    labels = {row.split()[0] for row in once if not row.startswith(" ")}
    return (once, others) if labels.isdisjoint(names_in(others)) else ([], runtime)


class HighMemory:
    """What high memory has of a program: its source, and its size with the arrays after it.

    The source of a program with byte code has what lies at the end of low memory after it, then
    what is for video memory. `missing` are the bytes that lack, of memory where that begins as
    well; below 0: those that are left. Raises TIError where the variables do not fit.
    """

    def __init__(self, emission: Emission) -> None:
        self.short = emission.out.section.short
        deepest = emission.code.deepest * emission.gosub_bytes
        # Byte code leaves no room in low memory in any case.
        wanted = STACK_BYTES if self.short else max(deepest, STACK_BYTES)
        for stack in dict.fromkeys((wanted, STACK_BYTES)):
            self._lay_out(emission, LowMemory(stack, deepest))
            if self.missing <= 0:
                break

    def _lay_out(self, emission: Emission, low: LowMemory) -> None:
        self.low = low
        self.copied = 0
        """Bytes that are copied to video memory when the program begins."""
        self.ending = 0
        """Bytes in video memory of what ends the program."""
        self._too_low = 0
        """Bytes that low memory lacks when the program begins."""
        self._items, self._found, begin = data(emission)
        roots = {"START", "DONE", *emission.out.used} | ({"FAR"} if emission.banked else set())
        self.chosen = needed(roots)
        named = names_in(_program_rows(emission))
        wanted = roots | named
        runtime = RuntimeCode.of(self.chosen, wanted, self.short is not None)
        named |= runtime.named
        _reserve(
            self.low,
            emission,
            [part for part in self.chosen if named.intersection(label for label, _ in part.memory)],
        )
        arrays = place_arrays(self.low, emission.places.array_sizes)
        self.arrays = dict(arrays)
        beyond = beyond_strings(emission.code)
        kept, rest = self._kept(
            emission, [*runtime.once, "ENDBEG", *runtime.ending, "ENDEND"], beyond
        )
        self.low.finish()
        own = _source(emission, runtime.rows, rest) + _arrays_above(arrays)
        self.size = bytes_of(own) + sum(size for _, size in arrays)
        self.missing = self.size - (HIGH_END - ORIGIN)
        if self._too_low > 0:
            self.missing = max(0, self.missing) + self._too_low
        self.source = own + kept + (begin if self.short else "")

    def _kept(self, emission: Emission, once: Sequence[str], beyond: int) -> tuple[str, str]:
        """What is at the end of low memory, and in video memory; what else there is of the former.

        In low memory what is for video memory comes first, then code that runs `once`, before the
        stack is used that gets their place. `beyond`: bytes that must be free after a string.
        """
        section = emission.out.section
        if self.short is None:
            return f"HEAPLO EQU  >{FIRST_TEXT:04X}\nBEYOND EQU  {beyond}\n", ""
        ending = once[once.index("ENDBEG") :]
        video = video_part(self.short, self._items, bytes_of("\n".join(ending) + "\n"))
        first = video.packed + "".join(f"{row}\n" for row in once)
        begin = bytes_of(first) + video.copied
        own = tables(emission, section) + numbers(section.constants)
        kept, rest = self.low.keep(own + self.short.tables + self._found, LOW_END - LOW - begin)
        begins = self.low.end - begin
        self._too_low = LOW - begins
        self.copied, self.ending = video.copied, video.ending
        kept = f"       AORG >{begins + video.copied:04X}\n{first}{kept}"
        return kept + video.source(begins, beyond), rest


def free_bytes(emission: Emission) -> int:
    """The bytes that a program leaves in high memory; below 0: those that are missing."""
    return -HighMemory(emission).missing


def _reserve(low: LowMemory, emission: Emission, chosen: list[RuntimePart]) -> None:
    """Allocate all that is 0 when a program begins, but for arrays."""
    _reserve_for_runtime(low, emission, chosen)
    low.take("MARKS", 40)  # the beginnings of up to 19 texts in the buffer, see text.a99
    low.take("TW", 2 * max(1, emission.temps.most_words))
    low.take("TC", 8 * max(1, emission.temps.most_cells))
    low.take("TSECND", 2)
    if emission.temps.most_items:
        low.take("FITEMS", 2 * emission.temps.most_items)
    for label, size in emission.places.labels:
        low.take(label, size)
    low.note("SUBBEG")
    for number in range(len(emission.code.subs)):
        low.take(f"SR{number}", 2)  # where a SUB goes back to, 0 while it does not run
        low.take(f"SB{number}", 2)  # where its part of the stack begins
        if emission.banked:
            low.take(f"SK{number}", 2)  # the bank to which it goes back
    low.note("SUBEND")
    for number in range(len(emission.code.subs) if emission.code.sets_warnings else 0):
        low.take(f"SW{number}", 2)  # what ON WARNING had set when a SUB was called


def _reserve_for_runtime(low: LowMemory, emission: Emission, chosen: list[RuntimePart]) -> None:
    """Allocate what the runtime has in low memory; what RUN keeps comes first."""
    memory = [(label, int(wanted)) for part in chosen for label, wanted in part.memory]
    for label, wanted in memory:
        if label in KEPT:
            low.take(label, wanted)
    for number in range(len(emission.code.breaks)):
        low.take(f"BP{number}", 2)  # not 0 for a line that BREAK has named
    low.note("RAMRUN")
    for label, wanted in memory:
        if label not in KEPT:
            low.take(label, wanted)


def _program_rows(emission: Emission) -> Iterator[str]:
    """Rows that name what a program needs of the runtime."""
    for section in emission.out.sections:
        for own in (section.listing.text(), tables(emission, section), numbers(section.constants)):
            yield from own.splitlines()
        if section.short is not None:
            yield from (section.short.code + section.short.tables).splitlines()


def _source(emission: Emission, runtime: Sequence[str], rest: str) -> str:
    """The whole program, up to where arrays may follow; `rest`: its tables with byte code."""
    section, *others = emission.out.sections
    own = section.listing.text()
    items, *found = data(emission)
    lasting = constants(section.constants) + items + "".join(found)
    if emission.banked:
        table, after = f"{BANKED_MARK},{emission.selector(0)},{section.end}", f"{section.end}\n"
    else:
        table, after = f">{MARK:04X},LINES", ""
    if section.short is not None:
        table = f">{SHORT_MARK:04X},VIDBEG,VMOP"
        own += section.short.code
        lasting = texts(section.constants.texts) + ("" if section.short.data else items) + rest
        after = f"{section.end}\n"
    elif not emission.banked:
        after = tables(emission, section)
    uses = (
        own + lasting + "".join(each.listing.text() + constants(each.constants) for each in others)
    )
    if section.short is not None:
        uses += constants(section.constants) + section.short.tables
    return "".join((
        f"       AORG >{ORIGIN:04X}\n", "       B    @START\n", f"       DATA {table}\n",
        "MAIN\n", own, after, lasting, "RTBEG\n", *(f"{row}\n" for row in runtime), "RTEND\n",
        _messages(uses + "\n".join(runtime), "CAUGHT" in emission.out.used),
        "       EVEN\n", "ARRLO\n",
    ))  # fmt: skip


def _arrays_above(arrays: list[tuple[str, int]]) -> str:
    """The addresses of the arrays after the program, which are not part of the image."""
    rows, at = [], 0
    for label, size in arrays:
        rows.append(f"{label:<6} EQU  ARRLO+{at}\n")
        at += size
    return "".join(rows) + f"ARRHI  EQU  ARRLO+{at}\n"


class TooLarge(TIError):
    """The program does not fit into high memory; `missing` are the bytes that it lacks.
    With `mostly_arrays` banks do not help.
    """

    def __init__(self, emission: Emission, high: HighMemory) -> None:
        room = HIGH_END - ORIGIN
        self.missing = high.missing
        parts = sizes_by_scope(emission)
        self.mostly_arrays = 2 * sum(high.arrays.values()) > high.size
        own = emission.places.arrays.items()
        parts += Counter({_shown(name): high.arrays.get(label, 0) for name, label in own})
        most = parts.most_common(LARGEST)
        largest = ", ".join(f"{name or 'main program'} {bytes_}" for name, bytes_ in most)
        super().__init__(
            f"the compiled program needs {room + self.missing} bytes of high memory, there are "
            f"{room}: {self.missing} bytes are missing; the largest parts: {largest}",
            remedy="use smaller arrays, or less of the program",
        )


def _shown(array: str) -> str:
    """An array as a user knows it."""
    scope, _, name = array.rpartition(".")
    return f"{name}() of {scope}" if scope else f"{name}()"


def sizes_by_scope(emission: Emission) -> Counter[str]:
    """The bytes of code of the main program (no name) and of each SUB."""
    # A line of ON ERROR that is compiled for a SUB is part of it.
    scopes = {block.variant: block.scope for block in emission.code.blocks.values()}
    scope, found = "", Counter[str]()
    for section in emission.out.sections:
        own = {mark.label: scopes.get(mark.variant, "") for mark in section.marks}
        for row in section.listing.rows:
            scope = own.get(row.label, scope)
            found[scope] += row.size
        if section.short is not None:
            for label, size in section.short.sizes.items():
                found[own[label]] += size
    return found


def _messages(own: str, numbered: bool) -> str:
    """The texts of errors that a source names; `numbered`: a word before each is its number, as ON
    ERROR needs it.
    """
    codes = {int(code) for code in re.findall(r"\bM(\d+)\b", own)}
    rows = []
    for code in sorted(codes & TEXTS.keys()):
        if numbered:
            rows.append(f"       DATA {code}")
        rows.append(text_row(f"M{code}", TEXTS[code]))
    return "\n".join(rows) + "\n"
