"""The SUBs whose two forms are compared."""

from __future__ import annotations

from random import Random

from tests.subs.subforms import Proved


def _array(dice: Random, name: str, count: int, low: int, high: int) -> dict[str, int]:
    return {f"{name}({at})": dice.randint(low, high) for at in range(count)}


SORT = Proved(
    "sort",
    """SUB SORT(A(),N) COMPILED
  RANGE A()=-999 TO 999,N=0 TO 19,J=0 TO 19
  FOR I=1 TO N
    V=A(I)
    J=I-1
    WHILE J>=0
      IF A(J)<=V THEN EXIT WHILE
      A(J+1)=A(J)
      IF J=0 THEN
        A(0)=V
        EXIT WHILE
      END IF
      J=J-1
      A(J+1)=V
    END WHILE
  NEXT I
SUBEND
""",
    "CALL SORT(A(),N)",
    "DIM A(19)\nN=0",
    lambda dice: {**_array(dice, "A", 20, -99, 99), "N": dice.randrange(20)},
    ("N", *(f"A({at})" for at in range(20))),
)

DIVIDE = Proved(
    "divide",
    """SUB DIVIDE(A,B,Q,R,G) COMPILED
  RANGE A=-32767 TO 32767,B=1 TO 999
  Q=INT(A/B)
  R=A-B*INT(A/B)
  X=B
  Y=R
again:
  IF Y THEN
    Z=X-Y*INT(X/Y)
    X=Y
    Y=Z
    GOTO again
  END IF
  G=X
SUBEND
""",
    "CALL DIVIDE(A,B,Q,R,G)",
    "A,B,Q,R,G=0",
    lambda dice: {"A": dice.randint(-32767, 32767), "B": dice.randint(1, 999)},
    ("Q", "R", "G"),
)

DAYS = Proved(
    "days",
    """CONST LONG$="?BABABBABAB"
SUB DAYS(YEAR,MONTH,DAY,N) COMPILED
  RANGE YEAR=1900 TO 2100,MONTH=1 TO 12,DAY=1 TO 31,N=-1 TO 999
  N=DAY
  FOR M=1 TO MONTH-1
    IF M=2 THEN
      GOSUB leap
      N=N+28+L
    ELSE
      N=N+30+(M=4 OR M=6 OR M=9 OR M=11)+1
    END IF
  NEXT M
  K=MONTH
  IF K<12 THEN K=ASC(SEG$(LONG$,K,1))-63 :: N=N+ABS(K)*0
  SUBEXIT
leap:
  L=-((YEAR-4*INT(YEAR/4)=0 AND YEAR-100*INT(YEAR/100)<>0) OR YEAR-400*INT(YEAR/400)=0)
  RETURN
SUBEND
""",
    "CALL DAYS(Y,M,D,N)",
    "Y,M,D,N=0",
    lambda dice: {
        "Y": dice.randint(1900, 2100), "M": dice.randint(1, 12), "D": dice.randint(1, 31)
    },
    ("N",),
)  # fmt: skip

COUNTER = Proved(
    "counter",
    """SUB COUNTS(OP,X,Y) COMPILED
  RANGE OP=0 TO 4,X=0 TO 9,Y=-32768 TO 32767,LAST=0 TO 9,COUNT=-9999 TO 9999
  DIM SEEN(9)
  RANGE SEEN()=0 TO 99
  ON OP+1 GOSUB up,down,told,told,both
  LAST=X
  SUBEXIT
up:
  COUNT=MIN(COUNT+X,9999)
  SEEN(X)=MIN(SEEN(X)+1,99)
  RETURN
down:
  COUNT=MAX(COUNT-LAST,-9999)
  RETURN
told:
  Y=COUNT+SEEN(X)*10
  RETURN
both:
  GOSUB up
  GOSUB down
  GOTO told
SUBEND
""",
    "CALL COUNTS(OP,X,Y)",
    "OP,X,Y=0",
    lambda dice: {"OP": dice.randrange(5), "X": dice.randrange(10)},
    ("OP", "X", "Y"),
)

BITS = Proved(
    "bits",
    """SUB BITS(A,B,C,D,E,F) COMPILED
  RANGE A=-16384 TO 16383,B=-16384 TO 16383
  RANGE C=-32767 TO 32767,D=-32767 TO 32767,E=-32767 TO 32767,F=-32767 TO 32767
  C=A AND B
  D=A OR B
  E=A XOR B
  F=NOT A
  IF (A AND 255)>(B AND 255) THEN F=SGN(A)+2*SGN(B)
  IF A<0 AND B<0 OR A=B THEN C=-1
SUBEND
""",
    "CALL BITS(A,B,C,D,E,F)",
    "A,B,C,D,E,F=0",
    lambda dice: {"A": dice.randint(-16384, 16383), "B": dice.randint(-300, 300)},
    tuple("CDEF"),
)

GRID = Proved(
    "grid",
    """SUB GRID(G(,),X,Y,N) COMPILED
  RANGE G()=0 TO 1,X=0 TO 7,Y=0 TO 5,N=0 TO 8
  N=0
  FOR I=-1 TO 1
    FOR J=-1 TO 1
      U=X+I
      V=Y+J
      IF U>=0 AND U<8 AND V>=0 AND V<6 AND (I<>0 OR J<>0) THEN N=N+G(U,V)
    NEXT J
  NEXT I
  IF N=3 THEN
    G(X,Y)=1
  ELSEIF N<>2 THEN
    G(X,Y)=0
  END IF
SUBEND
""",
    "CALL GRID(G(,),X,Y,N)",
    "DIM G(7,5)\nX,Y,N=0",
    lambda dice: {
        **{f"G({x},{y})": int(dice.random() < 0.4) for x in range(8) for y in range(6)},
        "X": dice.randrange(8), "Y": dice.randrange(6),
    },
    ("N", *(f"G({x},{y})" for x in range(8) for y in range(6))),
)  # fmt: skip


def _text(dice: Random, most: int) -> str:
    return "".join(dice.choice("ABCXYZ .0") for _ in range(dice.randrange(most + 1)))


CIPHER = Proved(
    "cipher",
    """SUB CIPHER(A$,B$,BY,N) COMPILED
  RANGE BY=0 TO 99,N=-1 TO 1
  T$=B$
  B$=""
  FOR I=1 TO LEN(A$)
    C=ASC(SEG$(A$,I,1))
    IF C>=65 AND C<=90 THEN C=C+BY-26*INT((C+BY-65)/26)
    B$=B$&CHR$(C)
  NEXT I
  N=(B$>T$)-(B$<T$)
  IF B$="" THEN B$="EMPTY"
  C$,D$=B$&"Z"
  IF LEN(SEG$(A$,2,BY))=3 THEN A$=A$&"!"&SEG$(A$,2,BY)&CHR$(ASC(SEG$(D$,1,1)))
SUBEND
""",
    "CALL CIPHER(A$,B$,BY,N)",
    'A$,B$=""\nBY,N=0',
    lambda dice: {"A$": _text(dice, 12), "B$": _text(dice, 3), "BY": dice.randrange(30)},
    ("A$", "B$", "N"),
)

SPLIT = Proved(
    "split",
    """SUB SPLIT(A$,W$,N) COMPILED
  RANGE N=0 TO 99
  IF A$=OLD$ THEN
    N=99
    SUBEXIT
  END IF
  OLD$=A$
  N=0
  W$=""
  FOR I=1 TO LEN(A$)
    C$=SEG$(A$,I,1)
    IF C$=" " OR C$="." THEN
      N=N+1
      IF K$>W$ THEN W$=K$
      K$=""
    ELSE
      K$=C$&K$
    END IF
  NEXT I
  A$=W$&A$&W$
SUBEND
""",
    "CALL SPLIT(A$,W$,N)",
    'A$,W$=""\nN=0',
    lambda dice: {"A$": _text(dice, 15)},
    ("A$", "W$", "N"),
)


def _number(dice: Random) -> float | int:
    size = 10 ** dice.randint(-9, 9)
    return dice.choice(
        (dice.randint(-9, 9), dice.randint(-32000, 32000), round(dice.uniform(-99, 99), 3),
         dice.uniform(-1, 1) * size)
    )  # fmt: skip


MEAN = Proved(
    "mean",
    """SUB MEAN(A(),N,M,S,D) COMPILED
  RANGE N=1 TO 9
  M,S=0
  FOR I=0 TO N
    M=M+A(I)
  NEXT I
  M=M/(N+1)
  FOR I=0 TO N
    S=S+(A(I)-M)*(A(I)-M)
    A(I)=INT(A(I)*100)/100
  NEXT I
  D=SGN(M)+2*ABS(S)
  IF S>1000 OR M<0 THEN D=-D
SUBEND
""",
    "CALL MEAN(A(),N,M,S,D)",
    "DIM A(9)\nN,M,S,D=0",
    lambda dice: {**{f"A({at})": _number(dice) for at in range(10)}, "N": dice.randint(1, 9)},
    ("M", "S", "D", *(f"A({at})" for at in range(10))),
)

CURVE = Proved(
    "curve",
    """SUB CURVE(X,Y,A,B,C,D,E,T$) COMPILED
  A=SQR(ABS(X))
  B=SIN(X)+COS(Y)
  C=ABS(X)^Y
  D=EXP(Y)-LOG(ABS(X)+1)
  E=ATN(X)*TAN(Y)
  FOR I=X TO Y STEP .25
    E=E+MAX(I,MIN(X,1))
  NEXT I
  T$=STR$(A)&"/"&STR$(INT(B*100))&","&STR$(B/3)
  E=E+POS(T$,STR$(INT(Y)),ABS(INT(X))+1)+POS(T$,"5",LEN(T$)/2+1)*100
  TOTAL=TOTAL+E
  E=TOTAL
SUBEND
""",
    "CALL CURVE(X,Y,A,B,C,D,E,T$)",
    'X,Y,A,B,C,D,E=0\nT$=""',
    lambda dice: {
        "X": dice.choice((dice.randint(1, 9), round(dice.uniform(-9, 9), 3))),
        "Y": dice.choice((dice.randint(-3, 3), round(dice.uniform(-3, 3), 2))),
    },
    (*"ABCDE", "T$"),
)

LONGS = Proved(
    "longs",
    """SUB LONGS(A,B,C,OUT(),T$) COMPILED
  RANGE A=-30000 TO 30000,B=-30000 TO 30000,C=1 TO 999
  DIM L(9)
  RANGE L()=-2000000000 TO 2000000000,P=-900000000 TO 900000000
  P=A*B
  L(0)=P
  L(1)=P+A*1000
  L(2)=L(1)-B*30000
  L(3)=INT(P/C)
  L(C/112)=P-C*INT(P/C)
  L(5)=MAX(P,A*7)
  L(6)=MAX(MIN(L(5),100000*B),-2000000000)
  L(7)=-L(2)
  L(8)=ABS(L(7))+A
  L(6)=MIN(L(6),L(1)+32768)
  L(9)=-(P>L(1))-8*(P<P+40000)-2*(P=A*1000)-4*(P<1E6 AND L(1)>=-70000)
  FOR I=0 TO 9
    OUT(I)=L(I)
  NEXT I
  P=P-1000000*INT(P/1000000)
  IF P THEN T$=STR$(L(8))&STR$(P/4) ELSE T$="0"
  Q=INT(P/1000)
  OUT(10)=Q+SGN(L(2))
SUBEND
""",
    "CALL LONGS(A,B,C,X(),T$)",
    'DIM X(10)\nA,B,C=0\nT$=""',
    lambda dice: {
        "A": dice.choice((dice.randint(-30000, 30000), dice.randint(-40, 40))),
        "B": dice.choice((dice.randint(-30000, 30000), dice.randint(-40, 40))),
        "C": dice.randint(1, 999),
    },
    ("T$", *(f"X({at})" for at in range(11))),
)

WORDS = Proved(
    "words",
    """SUB WORDS(A$,L$(),N) COMPILED 900
  RANGE N=-99 TO 99,C=0 TO 255
  DIM M$(12),C$(26),H$(4,3)
  N=0
  W$=""
  FOR I=1 TO LEN(A$)
    IF SEG$(A$,I,1)<>" " THEN
      W$=W$&SEG$(A$,I,1)
    ELSE
      GOSUB word
    END IF
  NEXT I
  GOSUB word
  FOR I=1 TO N
    L$(I)=M$(N+1-I)&L$(I)
    IF LEN(L$(I))>20 THEN L$(I)=SEG$(RPT$(L$(I),2),30,4)
    H$(4,MIN(I,3))=L$(I)&H$(4,MIN(I,3))
    IF LEN(H$(4,MIN(I,3)))>90 THEN H$(4,MIN(I,3))=SEG$(H$(4,MIN(I,3)),2,3)
  NEXT I
  IF N>1 THEN
    M$(1),M$(N)=L$(1)&"+"
    W$=M$(1)
    M$(1)=M$(2)
    M$(2)=W$
  END IF
  N=N*(1+2*(M$(1)>M$(2)))+POS(H$(4,1),SEG$(M$(1),2,1),2)
  SUBEXIT
word:
  IF W$="" OR N=12 THEN RETURN
  N=N+1
  M$(N)=W$&STR$(N)
  W$=""
  C=ASC(M$(N))
  IF C>64 AND C<91 THEN
    IF C$(C-64)="" THEN C$(C-64)=CHR$(C+32) ELSE M$(N)=M$(N)&C$(C-64)
  END IF
  RETURN
SUBEND
""",
    "CALL WORDS(A$,L$(),N)",
    'DIM L$(12)\nA$=""\nN=0',
    lambda dice: {"A$": _text(dice, 20)},
    ("N", *(f"L$({at})" for at in range(13))),
)

DICE = Proved(
    "dice",
    """SUB DICE(N,A,R,OUT()) COMPILED
  RANGE N=0 TO 9,OUT()=0 TO 999
  IF N=0 THEN RANDOMIZE A
  IF N=1 THEN RANDOMIZE 77
  FOR I=0 TO N
    OUT(I)=INT(RND*6)+1
  NEXT I
  R=RND+A/RND
SUBEND
""",
    "Y=RND :: CALL DICE(N,A,R,D()) :: X=RND",
    "DIM D(9)\nN,A,R=0",
    lambda dice: {"N": dice.randrange(10), "A": dice.randrange(1, 10**5)},
    ("X", "Y", "R", *(f"D({at})" for at in range(10))),
)

ORDER = Proved(
    "order",
    """SUB ORDER(L$(),A$,N) COMPILED 200
  RANGE N=6 TO 9
  A$=SEG$(A$,2,18)&STR$(N+4)
  FOR I=0 TO N
    B$=A$&STR$(I)
  NEXT I
  L$(N-6)=L$(N-6)&SEG$(A$,N,2)
  IF N=9 THEN A$=L$(0)
SUBEND
""",
    "CALL ORDER(L$(),A$,N)",
    'DIM L$(3)\nA$=""\nN=0',
    lambda dice: {
        "N": dice.randint(6, 9), "A$": "01234567890123456789",
        **{f"L$({at})": _text(dice, 6) for at in range(4)},
    },
    ("A$", *(f"L$({at})" for at in range(4))),
)  # fmt: skip
"""Its texts fill the heap, so that new ones lie where those that came in were."""

ITEMS = Proved(
    "items",
    """DATA 100,200
SUB ITEMS(N,S,T$) COMPILED
  RANGE N=0 TO 9,S=-999 TO 9999
  DIM A(3)
  RESTORE numbers
  S=0
  FOR I=1 TO N
    READ X
    S=S+X
  NEXT I
  IF N>5 THEN GOSUB more
  RESTORE names
  READ T$,W
  FOR I=0 TO MIN(N,3)
    READ B$,A(I)
    T$=T$&B$&STR$(A(I)*W)
  NEXT I
  SUBEXIT
more:
  RESTORE others
  READ A(N-6)
  S=S+A(N-6)
  RETURN
numbers:
  DATA 1,2,-3,4000,5,6,7,8
others:
  DATA 9,10
names:
  DATA ABC,1.5,"X, Y",7,,"-2.25",Z,1E3,"Q",-7
SUBEND
""".replace('"-2.25"', "-2.25"),
    "CALL ITEMS(N,S,T$)",
    'N,S=0\nT$=""',
    lambda dice: {"N": dice.randrange(10)},
    ("S", "T$"),
)

VALUES = Proved(
    "values",
    """SUB VALUES(A$,N,P$) COMPILED
  RANGE N=33 TO 126
  S=VAL(A$)+VAL(SEG$(A$,3,3)&".5")
  CALL CHARPAT(N,P$)
  IF N>99 THEN CALL CLEAR
  P$=P$&STR$(S+VAL("-"&STR$(N)&"E-3"))
SUBEND
""",
    "CALL VALUES(A$,N,P$)",
    'A$,P$=""\nN=0',
    lambda dice: {
        "A$": f"  {dice.randint(100, 999)}.{dice.randrange(1000)}E{dice.randint(-9, 9)} ",
        "N": dice.randint(33, 64),
    },
    ("A$", "P$"),
)

PROVED = (
    VALUES,
    ORDER,
    ITEMS,
    DICE,
    WORDS,
    LONGS,
    CIPHER,
    SPLIT,
    SORT,
    DIVIDE,
    DAYS,
    COUNTER,
    BITS,
    GRID,
    MEAN,
    CURVE,
)
"""Sixteen SUBs."""
