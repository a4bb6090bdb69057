"""Texts: appended piece by piece to the text under way; what uses a text takes it off again."""

from __future__ import annotations

from ti99tools.compiler.emit_conditions import Conditions
from ti99tools.compiler.kinds import WORD, Typed

MOST = 255
_NUMBER_LENGTH = 15


class Texts(Conditions):
    """Generates code for texts."""

    def text(self, t: Typed, r: int = 1) -> None:
        """Begin a text and append all of it."""
        self.call("TNEW")
        self._append(t, r)

    def _append(self, t: Typed, r: int) -> None:
        match t.op:
            case "text":
                if t.data:
                    self.call("TADD", self.text_constant(t.data))
            case "str":
                self._number(t.args[0], r)
            case "chr":
                self.word(t.args[0], r)
                self.out("MOV", f"R{r},R0")
                self.call("TCHR")
            case "cat":
                self._append(t.args[0], r)
                self._append(t.args[1], r)
                if _longest(t) > MOST:
                    self.call("TCHECK")
            case "seg":
                self.text(t.args[0], r)
                self._numbers(t.args[1:], r)
                self.call("TSEG")
            case "rpt":
                self.text(t.args[0], r)
                self._numbers(t.args[1:], r)
                self.call("TRPT")

    def _number(self, t: Typed, r: int) -> None:
        if t.kind == WORD:
            self.word(t, r)
            self.out("MOV", f"R{r},R0")
            self.call("TWORD")
        else:
            self.call("TNUM", self.cell(t, r))

    def _numbers(self, args: tuple[Typed, ...], r: int) -> None:
        """One or two words for the runtime: R0, then the word at TW0."""
        self.word(args[0], r)
        if len(args) == 1:
            self.out("MOV", f"R{r},R0")
            return
        kept = self.word_temp()
        self.out("MOV", f"R{r},@{kept}")
        self.word(args[1], r)
        self.out("MOV", f"R{r},@TSECND")
        self.out("MOV", f"@{kept},R0")

    def text_number(self, t: Typed, r: int) -> None:
        """LEN, ASC, POS into R0; for VAL the text alone."""
        self.text(t.args[0], r)
        match t.op:
            case "len":
                self.call("TLEN")
            case "asc":
                self.call("TASC")
            case "pos":
                self.text(t.args[1], r)
                self._numbers(t.args[2:], r)
                self.call("TPOS")

    def compare_texts(self, t: Typed, r: int) -> None:
        """Compare two texts: the status of R0 against 0 is their order."""
        self.text(t.args[0], r)
        self.text(t.args[1], r)
        self.call("TCMP")
        self.out("MOV", "R0,R0")


def _longest(t: Typed) -> int:
    match t.op:
        case "text":
            return len(t.data)
        case "str":
            return _NUMBER_LENGTH
        case "chr":
            return 1
        case "cat":
            return min(_longest(t.args[0]) + _longest(t.args[1]), 2 * MOST)
        case "seg":
            length = t.args[2].constant
            own = _longest(t.args[0])
            return own if length is None else min(own, length)
        case "rpt":
            times = t.args[1].constant
            return MOST if times is None else min(MOST, times * _longest(t.args[0]))
    return MOST
