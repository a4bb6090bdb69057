"""What all generators of code share: the writer, constants, temporaries, places, kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ti99tools.compiler import ir
from ti99tools.compiler.emit.sections import Constants
from ti99tools.compiler.emit.writer import Writer
from ti99tools.compiler.kinds import Kinds, Places, Typed
from ti99tools.computer.console.compiledmemory import selector

NO_BANKS: Mapping[str, int] = {}
"""All blocks are in high memory."""
FIRST_BANK = 1
"""The first bank that may have code; the one before it has the loader."""


class Temporaries:
    """Memory for intermediate results of a statement; `most_…`: how many a statement needs.

    Items are those of INPUT # from a DISPLAY file.
    """

    def __init__(self) -> None:
        self.most_cells = self.most_words = self.most_items = 0
        self._cells = self._words = 0

    def cell(self) -> str:
        """A cell for an intermediate result of a statement."""
        self._cells += 1
        self.most_cells = max(self.most_cells, self._cells)
        return f"TC+{8 * (self._cells - 1)}"

    def word(self) -> str:
        """A word for an intermediate result of a statement."""
        self._words += 1
        self.most_words = max(self.most_words, self._words)
        return f"TW+{2 * (self._words - 1)}"

    def free(self) -> None:
        """Free those of the last statement."""
        self._cells = self._words = 0


class Emission:
    """The code of a program while it is generated.

    `homes`: block → the number of its section; `bank`: see `bank_of`.
    """

    def __init__(
        self,
        code: ir.Code,
        kinds: Kinds,
        places: Places,
        homes: Mapping[str, int] = NO_BANKS,
        bank: int = FIRST_BANK,
    ) -> None:
        self.code = code
        self.kinds = kinds
        self.places = places
        self.out = Writer(bool(homes))
        self.homes = homes
        self._bank = bank
        self.temps = Temporaries()
        self.character: Callable[[Typed, int], str] | None = None
        """Gives the operand of an element of an array of characters, to which a register may point;
        without it the runtime is called."""
        self.near_checks = False
        """Whether words are compared with a limit in place everywhere, by one comparison."""
        self.hot = False
        """Whether cells are calculated in place: in loops."""
        self._block_labels: dict[str, str] = {}
        self._given: set[str] = set()
        """All labels of blocks."""

    def block_label(self, name: str) -> str:
        """A block's label; no two blocks have the same."""
        if name not in self._block_labels:
            label = "B_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name).upper()
            if label in self._given:
                label = f"{label}_{len(self._block_labels)}"
            self._given.add(label)
            self._block_labels[name] = label
        return self._block_labels[name]

    def keep(self, register: str) -> str:
        """Keep a register in memory while it changes; the label of the word."""
        slot = self.temps.word()
        self.out.op("MOV", f"{register},@{slot}")
        return slot

    def array_label(self, array: str) -> str:
        """The label of an array; a parameter's is that of the array that is passed."""
        return self.places.arrays[self.code.arrays[array].name]

    @property
    def constants(self) -> Constants:
        """The constants that can be read while the code of the section runs."""
        return self.out.section.constants

    @property
    def lasting(self) -> Constants:
        """The constants that can always be read."""
        return self.out.sections[0].constants

    # -- banks ----------------------------------------------------------------------------

    @property
    def banked(self) -> bool:
        """Tell whether some code is in banks."""
        return bool(self.homes)

    @property
    def gosub_bytes(self) -> int:
        """Bytes of the stack for a GOSUB: in banks its place takes two words."""
        return 4 if self.banked else 2

    def bank_of(self, section: int) -> int:
        """The bank in which a section lies; that of high memory has its tables in the first."""
        return self._bank + section

    def selector(self, section: int) -> int:
        """The address that selects the bank of a section."""
        return selector(self.bank_of(section))

    def home(self, name: str) -> int:
        """The section of a block."""
        return self.homes.get(name, 0)

    def near(self, name: str) -> bool:
        """Tell whether a block is in the section or in high memory."""
        return self.home(name) in (0, self.out.section.number)

    def way(self, name: str) -> str:
        """The label at which the section's code goes on to get to a block."""
        section = self.out.section
        if self.near(name):
            return self.block_label(name)
        return section.ways.setdefault(name, f"G{section.number}_{len(section.ways)}")
