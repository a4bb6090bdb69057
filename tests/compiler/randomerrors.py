"""Random programs with errors, ON ERROR and all forms of RETURN, ON WARNING, ON BREAK and BREAK."""

from __future__ import annotations

from random import Random

from tests.compiler.randomprograms import COUNTERS, NAMES, Maker

FAILING = (
    "{a}=SQR(-ABS({b})-1)",
    "{a}=LOG({b})",
    "{a}=P({b})",
    "P({b})={c}",
    "{a}={b}^.5",
    "{a}=0^(-ABS({b}))",
    "CALL HCHAR({b},1,65)",
    "CALL CHAR({b},{c}&)",
    'PRINT "X";SQR({b});{a}',
    "PRINT {a}:LOG({b})",
    "{a}=F(SQR({b}))",
    "READ {a},{c},{b}",
    "ON {b} GOTO {line},{line}",
    "ON {b} GOSUB 900,900",
    '{a}=ASC(SEG$("AB",3,1))',
    "FOR {i}=1 TO SQR({b})::PRINT {i};::NEXT {i}",
    "RETURN",
    "RETURN NEXT",
    "GOSUB 930",
    "GOTO 7",
    "{a}=1/0",
    "{a}={b}*1E99*1E99",
    "CALL S(P({b}),{a})",
    "CALL V(P(),{b},{a})",
    "CALL EX({a},{b})",
    "{a}=G({b})",
    "CALL SOUND({b},110,{c})",
    "{a}=3+",
    "RESTORE 105::READ {a}",
    "P({b}),{a}={c}*2",
    "{a},P({c}),{b}=SQR({b})",
    "P({b})=LOG({c})",
    "P({b})={a}/0",
    "T$({b})=STR$({a})",
    'A$,T$({b})="X"&B$',
    '{a}="X"',
    "T$({b})=5",
    'PRINT A$;T$({b});"Q"',
    "CALL HCHAR({b},{c},65,{a})",
    "CALL VCHAR(3,9,{b},{c})",
    'PRINT "AB";::CALL VCHAR(3,9,{b})',
    "ON {b} GOSUB 900",
    "ON {b} GOTO {line}",
    "READ A$,{b}",
    "CALL W(T$({b}),A$)",
    "CALL S(P({b})+1,{a})",
    "CALL CHARPAT({b},A$)",
    '{a}=VAL("1E"&STR$({b}))',
    "CALL SCREEN({b})",
    "CALL COLOR({a},{b},{c})",
    "CALL SPRITE(#{b},65,{a},20,30)",
    "CALL LOCATE(#1,{b},{c})",
    "CALL DISTANCE(#2,{b},{c},{a})",
    "CALL GCHAR({b},{c},{a})",
    "CALL JOYST({b},{c},{a})",
    "CALL S({a})",
    "CALL EX({a},LOG({b}))",
    "B$=SEG$(A$,{b},{c})",
    "B$=RPT$(A$,{b})",
    "{a}=POS(A$,B$,MIN({b},99))",
    "B$=CHR$({b})",
    "DISPLAY AT({b},{c}):{a}",
    "DISPLAY AT(3,4)SIZE({b}):{a}",
    "PRINT TAB({b});{a}",
    'PRINT USING "##.#":{a},LOG({b})',
    "PRINT EOF({b})",
    "SUBEXIT",
    "RANDOMIZE {b}::{a}=INT(RND*100)",
    "FOR {i}={a} TO LOG({b}) STEP {c}::NEXT {i}",
    "FOR {i}=1 TO 2::{a}=LOG({b})::GOSUB 900::NEXT {i}",
    "IF LOG({b})>1 THEN {a}=1::{c}=2 ELSE {a}=3::{c}=4",
    "IF {a}>{b} THEN {c}=LOG({a}) ELSE {c}=SQR({b})::{a}={a}+1",
)
ENDS = (
    "RETURN NEXT",
    "RETURN NEXT",
    "RETURN NEXT",
    "A=4::B=2::C=1::D=3::RETURN",
    "B=ABS(B)+1::IF B>9 THEN RETURN NEXT ELSE A=1::C=1::D=2::RETURN",
    "RETURN {line}",
    "GOTO {line}",
    "IF A>B THEN RETURN NEXT ELSE RETURN {line}",
    "FOR I=1 TO 2::NEXT I::RETURN NEXT",
    "GOSUB 900::RETURN NEXT",
    "RETURN 3",
)


class ErrorMaker(Maker):
    """Makes programs that fail here and there, and go on."""

    later = 890

    def simple(self) -> str:
        r = self.random
        if r.random() < 0.75:
            return super().simple()
        names = [r.choice((*NAMES, *COUNTERS)) for _ in range(3)]
        made = r.choice(FAILING).format(
            a=names[0], b=names[1], c=names[2], i=r.choice(COUNTERS), line=self.later
        )
        return made if "&" not in made else f'CALL CHAR(64+{names[1]},"{r.choice(("FF", "0Z"))}")'

    def line(self, later: int) -> str:
        self.later = later
        r = self.random
        if r.random() < 0.12:
            return r.choice((
                "ON ERROR 950", "ON ERROR 960", "ON ERROR STOP", "ON WARNING NEXT",
                "ON WARNING PRINT", "ON WARNING STOP" if r.random() < 0.3 else "ON WARNING PRINT",
                "ON BREAK NEXT", f"BREAK {later}", f"UNBREAK {later}", "UNBREAK", "ON ERROR 4",
            ))  # fmt: skip
        return super().line(later)

    def handler(self, number: int, numbers: list[int]) -> list[str]:
        """The lines of a handler."""
        r = self.random
        again = r.choice((f"ON ERROR {number}", "ON ERROR 950", "ON ERROR 960", "ON ERROR STOP"))
        tell = r.choice((
            "CALL ERR(K,L)::PRINT K;L",
            "CALL ERR(K,L,M,N)::PRINT K;L;M;N",
            "CALL ERR(P(1),P(2),C,N)::PRINT N;",
            'PRINT "ERR";',
        ))  # fmt: skip
        end = r.choice(ENDS).format(line=r.choice(numbers))
        return [
            f"{number} E=E+1::IF E>7 THEN STOP",
            f"{number + 2} {tell}",
            f"{number + 4} {again}::{end}",
        ]

    def program(self) -> str:
        rows = super().program().splitlines()
        numbers = [int(row.split()[0]) for row in rows if 110 <= int(row.split()[0]) < 890]
        first = self.random.choice(("ON ERROR 950", "ON ERROR 950", "ON ERROR 960"))
        rows[:0] = [f"90 {first}", "92 DATA 5,6.5,-3,12"]
        rows.insert(4, "107 DEF G(X)=LOG(X)+F(X)")
        at = next(n for n, row in enumerate(rows) if row.startswith("910 "))
        rows[at:at] = [
            f"930 {self.simple()}::RETURN NEXT",
            *self.handler(950, numbers),
            *self.handler(960, numbers),
        ]
        rows = [f"{int(row[:3]) + 60}{row[3:]}" if " SUB " in row[:8] else row for row in rows]
        own = self.random.choice(
            ("ON ERROR 950", "ON ERROR 1015", "ON WARNING NEXT", "B=B+1", "E=0")
        )
        rows.append(f"1010 SUB EX(A,B)::{own}::A=SQR(B)")
        rows.append("1012 B=B+1::IF B=3 THEN GOSUB 1016::CALL S(A,B)")
        rows.append("1014 SUBEXIT")
        end = self.random.choice(("RETURN NEXT", "RETURN 1014", "B=4::RETURN", "SUBEXIT"))
        rows.append(f"1015 E=E+1::IF E>5 THEN STOP ELSE {end}")
        rows.append("1016 A=LOG(A)::RETURN")
        rows.append("1018 SUBEND")
        return "\n".join(rows) + "\n"


def maker(seed: int) -> ErrorMaker:
    """A maker whose programs differ from those of `Maker` with the same seed."""
    made = ErrorMaker(seed)
    made.random = Random(f"errors {seed}")
    return made
