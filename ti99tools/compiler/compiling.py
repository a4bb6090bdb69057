"""All passes in order, and the cartridge they make: a header, a loader, a part in each 8 KB bank.

Every bank begins alike, so that the menu finds the program whichever is selected; its first
instruction selects the first bank. The loader copies the program to >A000. Source of the header's
form, of how banks are selected, and of the fastest way to copy: measured on the console (a
cartridge without GROM, Extended BASIC or disk).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import zip_longest
from struct import pack

from ti99tools.base.errors import Place, TIError, Where
from ti99tools.base.packed import zipped
from ti99tools.compiler import ir
from ti99tools.compiler.banking import Rooms, in_banks
from ti99tools.compiler.bankparts import ROUND, Bank, room
from ti99tools.compiler.certain import ranges_of
from ti99tools.compiler.emit.banks import TABLES_BANK
from ti99tools.compiler.emit.emission import NO_BANKS, Emission
from ti99tools.compiler.emit.emitter import Emitter
from ti99tools.compiler.graph import measure_depths, prune
from ti99tools.compiler.heat import HOTTEST, heat_of
from ti99tools.compiler.kinds import Kinds, Places
from ti99tools.compiler.linking import ORIGIN, Linked, TooLarge, free_bytes, link
from ti99tools.compiler.lower.lowering import Lowering
from ti99tools.compiler.memory import LOW_END
from ti99tools.compiler.pace import gather_pace, settle_pace
from ti99tools.compiler.placing import Placing, sizes_of
from ti99tools.compiler.ranges import Ranges
from ti99tools.compiler.refusing import Refused, located
from ti99tools.compiler.short.bytecode import Video, shorten
from ti99tools.compiler.splitting import split_blocks
from ti99tools.computer.console.compiledbanks import WORD_COUNT, WORDS
from ti99tools.hardware.assembler.assembling import assemble
from ti99tools.language.program.program import Program

BANK, START = 0x2000, 0x6000
"""Bytes of a bank, and where the console sees the one that is selected."""
MOST_TITLE = 20
"""Characters of a title for which the menu of the console has room."""
_NO_COPY = (ORIGIN, 1)
"""Stands for what a bank copies while the size of the loader is looked for."""

_LOADER = """\
VDPWD  EQU  >8C00
VDPWA  EQU  >8C02
       AORG >6000
       BYTE >AA,1,1,0
       DATA 0,LIST,0,0,0,0
{words}LIST   DATA 0,ENTRY
TITLE  BYTE {length}
       TEXT '{title}'
       EVEN
ENTRY  CLR  @>6000              bank 0
       LIMI 0
       LWPI >8300
       LI   R1,>A55A            is there memory?
       MOV  R1,@>A000
       C    R1,@>A000
       JNE  NONE
       INV  R1
       MOV  R1,@>FFFE
       C    R1,@>FFFE
       JNE  NONE
       LI   R0,COPY             the copying loop runs in the scratch pad
       LI   R1,>8320
MOVE   MOV  *R0+,*R1+
       CI   R0,COPYED
       JNE  MOVE
       LI   R4,>6000            writing here selects a bank
       LI   R5,BANKS
BANKED LI   R0,FIRST
       MOV  *R5+,R2
       JEQ  READY
       MOV  *R5+,R1
       CLR  *R4
       BL   @>8320
       INCT R4
       JMP  BANKED
READY  CLR  @>6000
       B    @>A000
COPY
{copies}
       DEC  R2
       JNE  COPY
       B    *R11
COPYED
BANKS  DATA {banks},0
NONE   LI   R0,>4000+256+2      a row of the screen
       SWPB R0
       MOVB R0,@VDPWA
       SWPB R0
       MOVB R0,@VDPWA
       LI   R1,NEEDS
NONE1  MOVB *R1+,R2
       JEQ  NONE2
       MOVB R2,@VDPWD
       JMP  NONE1
NONE2  LIMI 2
       LIMI 0
       JMP  NONE2
NEEDS  TEXT 'NEEDS 32K MEMORY EXPANSION'
       BYTE 0,0
       EVEN
FIRST
       END
"""


def cartridge(image: bytes, title: str, banks: Sequence[Bank] = (), low: bytes = b"") -> bytes:
    """The banks of a cartridge, one after the other; their number is a power of two.

    `low` is what it copies to the end of low memory. Raises TIError for a title without a character
    that the menu can show.
    """
    title = clean_title(title)
    if banks:
        return _with_code(image, title, banks)
    low = low.rjust(_rounded(len(low)), b"\0")
    count = 1
    while True:
        room = (BANK - len(_loader(title, (_NO_COPY,) * count))) // ROUND * ROUND
        pieces = [*_pieces(image, ORIGIN, room), *_pieces(low, LOW_END - len(low), room)]
        if count >= len(pieces):
            break
        count += 1
    loader = _loader(title, tuple((at, len(piece) // ROUND) for at, piece in pieces))
    return _joined([loader + piece for _, piece in pieces], loader)


def _pieces(image: bytes, at: int, room: int) -> list[tuple[int, bytes]]:
    """What several banks copy to memory from an address on: where to, and the bytes of each."""
    image = image.ljust(_rounded(len(image)), b"\0")
    return [(at + n, image[n : n + room]) for n in range(0, len(image), room)]


def _rounded(size: int) -> int:
    """Bytes that are copied in whole rounds."""
    return -(-size // ROUND) * ROUND


def _joined(banks: list[bytes], loader: bytes) -> bytes:
    """Banks one after the other, and as many with the loader only as make a power of two."""
    # Address lines select the bank.
    while len(banks) & (len(banks) - 1):
        banks.append(loader)
    return b"".join(bank.ljust(BANK, b"\xff") for bank in banks)


def _with_code(image: bytes, title: str, code: Sequence[Bank]) -> bytes:
    """The cartridge of a program with code in banks, each of which has words for the runtime."""
    first = code_start(title)
    size = room(first)
    image = image.ljust(_rounded(len(image)), b"\0")
    pieces = [image[size * n : size * (n + 1)] for n in range(TABLES_BANK + 1)]
    copies = tuple((ORIGIN + size * n, len(piece) // ROUND) for n, piece in enumerate(pieces))
    loader = _loader(title, copies, True)
    # Those that are copied first have no code; the last of them has tables above what is copied.
    banks = [loader + piece for piece in pieces[:TABLES_BANK]]
    for own, piece in zip_longest(code, pieces[TABLES_BANK:], fillvalue=b""):
        assert isinstance(own, Bank)
        bank = bytearray((loader + piece).ljust(own.address - START, b"\xff") + own.data)
        bank[WORDS - START : WORDS - START + 2 * len(own.words)] = pack(
            f">{len(own.words)}H", *own.words
        )
        banks.append(bytes(bank))
    return _joined(banks, loader)


def code_start(title: str) -> int:
    """Where the loader ends in a bank of a program with code in banks."""
    return START + len(_loader(clean_title(title), (_NO_COPY,) * (TABLES_BANK + 1), True))


@lru_cache(maxsize=8)
def _loader(title: str, banks: tuple[tuple[int, int], ...], with_code: bool = False) -> bytes:
    """The beginning of each bank; `banks`: where each is copied to, and how many rounds of it."""
    copies = "\n".join(["       MOV  *R0+,*R1+"] * (ROUND // 2))
    text = _LOADER.format(
        length=len(title),
        title=title.replace("'", "''"),
        copies=copies,
        words=f"       BSS  {2 * WORD_COUNT}\n" if with_code else "",
        banks=",".join(f"{rounds},>{to:04X}" for to, rounds in banks),
    )
    image = assemble(text, "loader").image()
    assert image.address == START
    assert ORIGIN == 0xA000
    return image.data


def clean_title(title: str) -> str:
    """A title as the console's menu shows it. Raises TIError if nothing is left of it."""
    printable = "".join(c for c in title.upper() if " " <= c <= "_")[:MOST_TITLE].strip()
    if not printable:
        raise TIError(f"{title!r} is no title", remedy="use letters and digits")
    return printable


def rpk(cartridge_bytes: bytes) -> bytes:
    """A cartridge for MAME: a ZIP with the image and a layout (pcb type paged378)."""
    layout = (
        '<?xml version="1.0" encoding="utf-8"?>\n<romset version="1.0">\n'
        ' <resources>\n  <rom id="rom" file="program.bin"/>\n </resources>\n'
        ' <configuration>\n  <pcb type="paged378">\n   <socket id="rom_socket" uses="rom"/>\n'
        "  </pcb>\n </configuration>\n</romset>\n"
    )
    return zipped({"layout.xml": layout.encode(), "program.bin": cartridge_bytes})


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
            if stopping[spot, code] and stopping[spot, code] == variants[spot]:
                yield spot, code, remedy

    @property
    def cartridge(self) -> bytes:
        """The banks of 8 KB."""
        return cartridge(self.linked.image, self.title, self.linked.banks, self.linked.low)


def compile_program(
    program: Program,
    title: str = "PROGRAM",
    words: bool = True,
    where: Where | None = None,
    *,
    pace: bool = True,
    rooms: Rooms | None = None,
    banks: bool = True,
    short: int = 0,
    video: Video = Video.PLACES,
) -> Compiled:
    """Compile a program. Raises SourceError, TIError.

    `words` False: every number is a cell. `pace`: loops that look for keys take the time that they
    take in Extended BASIC. `rooms`: the code is in banks even if it fits into high memory, in
    pieces of these sizes. `banks` False: code that does not fit is byte code instead. `short`:
    statements of less heat than this are byte code in any case, `ALL_SHORT` all. `video`: what byte
    code has in video memory, or more if it does not fit so.
    """
    where = where or nowhere
    code = Lowering(program.analysis, where, program.ranges, pace).run()
    if pace:
        settle_pace(code)
    prune(code)
    gather_pace(code)
    measure_depths(code)
    ranges = ranges_of(code)
    kinds = Kinds(code, ranges, words)
    places = Places(code, kinds)
    heat = heat_of(program.analysis)

    def emitted(hot: int, homes: Mapping[str, int] = NO_BANKS) -> Emission:
        emitter = Emitter(code, kinds, places, heat, hot, homes)
        try:
            return emitter.run()
        except Refused as refused:
            spot = emitter.spot
            raise located(refused, spot[0], where(*spot)) from refused

    quickly = cache(emitted)

    def shortened(hot: int, in_video: Video = Video.PLACES) -> Emission:
        emission = emitted(hot)
        shorten(emission, {spot for spot, own in heat.items() if own >= hot}, in_video)
        return emission

    if short:
        linked = link(shortened(short, video))
    elif rooms is None and (found := _first_that_fits(quickly)) is not None:
        linked = found
    elif banks:
        split_blocks(code, ranges)
        linked = in_banks(
            partial(emitted, HOT_DEPTHS[0]),
            Placing(code, heat, sizes_of(quickly(HOT_DEPTHS[0]))),
            code_start(title),
            rooms,
        )
    else:
        linked = _first_that_fits(shortened) or _with_most_room(
            partial(shortened, ALL_SHORT), video
        )
    return Compiled(title, code, ranges, kinds, places, linked)


def _first_that_fits(emitted: Callable[[int], Emission]) -> Linked | None:
    """Link a program that fits into high memory.

    Code in place is quicker and longer: first as much of it as possible, then less. Nothing is
    tried between the quickest and the shortest if the shortest does not fit.
    """
    for hot in HOT_DEPTHS:
        if hot == HOT_DEPTHS[1] and free_bytes(emitted(HOT_DEPTHS[-1])) < 0:
            return None
        try:
            return link(emitted(hot))
        except TooLarge:
            continue
    return None


def _with_most_room(emitted: Callable[[Video], Emission], least: Video) -> Linked:
    """Link a program with as little in video memory as there can be. Raises TooLarge."""
    for video in Video:
        if video < least:
            continue
        try:
            return link(emitted(video))
        except TooLarge:
            if video == max(Video):
                raise
    raise AssertionError("one is the last")


def nowhere(line: int, _: int) -> Place:
    """The place of a line of a program that has no source."""
    return Place("program", line)
