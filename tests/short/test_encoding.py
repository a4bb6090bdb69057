"""Steps become bytes from which the same words come back."""

from collections.abc import Sequence

from ti99tools.compiler.emit.assembly import AssemblyRow, size_of
from ti99tools.compiler.short.encoding import OWN, PAGE, WRITTEN, Encoded, Operands, encoded
from ti99tools.compiler.short.idioms import with_calls
from ti99tools.compiler.short.templates import FIRST, Piece, Shape, Step, pieces, templates, used

TEXT = bytes((2, 72, 73))


def rows(source: str) -> list[AssemblyRow]:
    """Rows of a source: labels alone, operations with their operands."""
    found = []
    for line in source.splitlines():
        operation, _, operands = line.strip().partition(" ")
        if line[0] != " ":
            found.append(AssemblyRow(line))
        else:
            size = 2 if operation[0] == "J" else size_of(operation, operands)
            found.append(AssemblyRow("", operation, operands, size))
    return found


class Reader:
    """Reads byte code as the runtime does."""

    def __init__(self, code: Encoded, own: Sequence[Shape], operands: Operands) -> None:
        self.data, self.own, self.operands = code.data, own, operands
        self.words_of_table = list(operands.numbers)
        self.at = 0

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.data[self.at - 1]

    def step(self) -> tuple[list[str], int | str | None]:
        """The words of a step, and where it may jump."""
        code = self.byte()
        if code == WRITTEN:
            bits = self.byte()
            count = 7 - (bits & -bits).bit_length() + 1
            return [self.operand() for _ in range(count)], None
        shape = self.own[FIRST + self.byte() if code == PAGE else code - OWN]
        words = [self.operand() if word is None else word for word in shape.words]
        return words, self.jump() if shape.jumps else None

    def operand(self) -> str:
        """The next operand."""
        first = self.byte()
        if first < 0xE0:
            return self.words_of_table[first]
        if first < 0xFD:
            return self.words_of_table[(first - 0xE0) * 256 + self.byte()]
        if first == 0xFD:
            return str(((self.byte() + 128) & 0xFF) - 128)
        if first == 0xFE:
            return f">{self.byte():02X}{self.byte():02X}"
        length = self.byte()
        self.at += length
        return "X9"

    def jump(self) -> int | str:
        """The offset that a jump leads to, or a label elsewhere."""
        first = self.byte()
        if first < 0xE0:
            return self.at + first - 112
        if first < 0xF0:
            distance = (first & 15) * 256 + self.byte() - 2048
            return self.at + distance
        return self.words_of_table[(first & 15) * 256 + self.byte()]


LOOP = """\
Q1
 LI R1,5
 BLWP @CADD
 DATA V1,K2,V1
 MOV @V1(R2),@V9
 MOV @V3,R1
 CI R1,1000
 JLT Q1
 CLR @V7
"""
SOURCE = LOOP + "".join(LOOP.replace("Q1", f"Q{n}") for n in range(2, 60))
SOURCE += " BLWP @PTEXT\n DATA X9\n JMP Q1\n B @OUTSIDE\n SLA R1,3\n BLWP @ONCE\n DATA -7,L1\n"


def words_of(step: Step) -> list[str]:
    given = iter(step.operands)
    return [next(given) if word is None else word for word in step.shape.words]


def test_the_same_words_come_back() -> None:
    labels = {f"Q{n}" for n in range(60)} | {"OUTSIDE"}
    found = list(pieces(rows(SOURCE), labels))
    native = [words_of(piece) for piece in found if isinstance(piece, Step)]
    targets = [piece.target for piece in found if isinstance(piece, Step) and piece.target]
    segments: list[list[Step]] = [[]]
    for piece in found:
        if isinstance(piece, Step):
            segments[-1].append(piece)
        else:
            segments.append([])
    own = templates(segments)
    operands = Operands(used(segments), {"X9": TEXT})
    flat: list[Piece] = []
    for number, segment in enumerate(segments[1:], 1):
        flat += [f"Q{number}", *segment]
    code = encoded(flat, own, operands)
    reader = Reader(code, own, operands)
    words, jumps = list[str](), list[int | str]()
    while reader.at < len(code.data):
        own_words, jump = reader.step()
        words += own_words
        jumps += [jump] if jump is not None else []
    assert words == [word for each in native for word in each]
    assert jumps == [code.labels.get(target, target) for target in targets]
    assert len(code.data) < 0.3 * sum(2 * len(each) for each in native)


COPIES = """\
 MOV @V1+2,@V2+2
 MOV @V1,@V2
 JEQ J1
 MOV @V1+4,@V2+4
 MOV @V1+6,@V2+6
J1
 MOV @2(R3),@V2+2
 MOV *R3,@V2
 JEQ J2
 MOV @4(R3),@V2+4
 MOV @6(R3),@V2+6
J2
 CLR @V4
 MOV R1,@V4+2
 CLR @V5
 CLR @V5+2
 CLR @V6
 MOV R2,@V6+2
"""


def test_copies_of_cells_become_calls() -> None:
    found = [f"{row.operation} {row.operands}" for row in with_calls(rows(COPIES))]
    assert found == [
        *("BLWP @CCOPY", "DATA V1,V2", "MOV R3,R0", "BLWP @CFETCH", "DATA V2"),
        *("BLWP @CWORD1", "DATA V4", "CLR R0", "BLWP @CWORD0", "DATA V5"),
        *("CLR @V6", "MOV R2,@V6+2"),
    ]
