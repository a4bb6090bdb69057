"""Random programs that fail in SUBs within SUBs, called with DEFs: messages name the callers."""

from __future__ import annotations

from random import Random

from tests.compiler.randomprograms import NAMES, Maker

_BAD = (
    *("LOG(-ABS({a}))", "SQR(-1-ABS({a}))", "P(20)", "P({a}*9)", 'VAL("X")', 'ASC("")', "1/0"),
    *("9E99*9E99", "EXP(400)", "H({a})", "H(F({a}))", "F(H({a}))", "K9(2)", "LOG(F({a})-F({a}))"),
    *("VAL(G$(A$))", 'POS(A$,B$,0)', "0^-1", "H0", "F(1/0)", "K9(K9({a}))"),
)  # fmt: skip
"""Values that fail, or give a warning; in a SUB the names of DEFs are those of arrays."""
_FAILING = (
    "{a}={v}", "PRINT {v}", "PRINT 1;{v};2", "IF {v}>1 THEN {a}=2", "P({v})=3", "A,P({v})=3",
    "CALL HCHAR({v},3,65)", "A$=STR$({v})", "FOR I=1 TO {v}::NEXT I", "CALL S(({v}),A)",
    "CALL S(P({v}),(F({b})))", "CALL W(A$,(STR$({v})))", "DISPLAY AT({v},1):A", "READ P({v})",
    "ON {v} GOTO 100", "CALL SOUND(100,{v},1)", 'PRINT USING "##":{v}', "RETURN", "GOTO 7",
    "CALL SPRITE(#1,65,{v},3,4)", "CALL N0({v},(F({b})))", "{a}=F({b})+{v}",
)  # fmt: skip
_ARGUMENTS = (
    *("A,B", "X,(F(A))", "(F(B*258)),A", "P(1),(F(X)+F(Y))", "Y,(F(F(Y)))", "((X)),Y", "A,A"),
)
_BEGIN = """\
10 DIM P(10),Q(5),T$(5)
11 DEF F(X)=X*2-Y
12 DEF G$(X$)="<"&X$&B$
13 DEF H(X)=LOG(-ABS(X))+1
14 DEF H0=SQR(-1-ABS(A))
15 DEF K9(X)=F(X)+H(X)
20 DATA 1,2"""
_END = """\
2000 SUB S(A,B)::A=A+B::SUBEND
2010 SUB W(A$,B$)::A$=A$&B$::SUBEND
2020 SUB V(R(),N,Z)::Z=R(1)::SUBEND
2030 SUB U(R$(),A$)::A$=R$(1)::SUBEND
"""


class CallerMaker(Maker):
    """Makes a program of a seed."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.random = Random(f"callers {seed}")

    def program(self) -> str:
        """The listing."""
        r = self.random
        rows = [_BEGIN]
        if r.random() < 0.3:
            rows.append(f"25 ON WARNING {r.choice(('NEXT', 'STOP', 'PRINT'))}")
        if r.random() < 0.2:
            rows.append("26 ON ERROR 500")
        depth = r.randint(0, 4)
        rows += [f"100 {self._plain()}", *self._body(110, 0, depth), '200 PRINT "END"::END']
        handled = r.choice(("RETURN NEXT", "RETURN 200", "A=LOG(-1)", "STOP"))
        rows.append(f"500 CALL ERR(E1,E2,E3,E4)::PRINT E1;E4::{handled}")
        for own in range(max(depth, 1)):
            first = 1000 + 60 * own
            begin = f"::{self._plain()}" if r.random() < 0.3 else ""
            rows.append(f"{first} SUB N{own}(A,B){begin}")
            rows += [*self._body(first + 10, own + 1, depth), f"{first + 50} SUBEND"]
        return "\n".join((*rows, _END))

    def _plain(self) -> str:
        """A statement without a subroutine, not too long for its line."""
        while True:
            made = self.simple()
            if len(made) < 60 and "GOSUB" not in made:
                return made

    def _fail(self) -> str:
        r = self.random
        bad = r.choice(_BAD).format(a=r.choice(NAMES))
        return r.choice(_FAILING).format(v=bad, a=r.choice(NAMES), b=r.choice(NAMES))

    def _body(self, first: int, own: int, depth: int) -> list[str]:
        """What calls the next SUB, or fails."""
        r = self.random
        rows = [f"{first} {self._plain()}"] if r.random() < 0.3 else []
        n = first + 5
        work = f"CALL N{own}({r.choice(_ARGUMENTS)})" if own < depth else self._fail()
        match r.randrange(7):
            case 0:
                return [*rows, f"{n} FOR J=1 TO 2", f"{n + 2} {work}", f"{n + 4} NEXT J"]
            case 1:
                return [*rows, f"{n} {self._plain()}::{work}::{self._plain()}"]
            case 2:
                rows += [f"{n} GOSUB {n + 4}", f"{n + 2} GOTO {n + 8}"]
                return [*rows, f"{n + 4} {work}", f"{n + 6} RETURN", f"{n + 8} REM"]
            case 3:
                return [*rows, f"{n} IF A=A THEN {work} ELSE {self._plain()}"]
            case _:
                return [*rows, f"{n} {work}"]
