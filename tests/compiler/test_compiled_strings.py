"""String variables of compiled programs: what they leave is what Extended BASIC leaves."""

import pytest

from tests.compiler.bothforms import check

pytestmark = pytest.mark.long
PROGRAMS = {
    "assignments": """\
100 A$="HELLO"::B$=A$::C$="X"::PRINT A$;B$;C$;D$;"."
110 A$=A$&" WORLD"::B$=A$::A$=SEG$(A$,3,4)::PRINT A$,B$
120 A$=""::PRINT LEN(A$);LEN(B$);LEN(C$);ASC(B$);ASC(C$)
130 A$,B$,D$=STR$(12)&"Q"::PRINT A$;B$;D$::D$=D$::A$=A$&A$::PRINT A$;D$
140 C$=CHR$(65)::D$=SEG$(B$,2,1)::E$=SEG$(B$,9,1)::PRINT C$;D$;E$;LEN(E$)
150 FOR I=1 TO 4::F$=F$&CHR$(64+I)&STR$(I)::NEXT I::PRINT F$;POS(F$,"C",1);POS(F$,"Z",1)
160 PRINT RPT$(F$,3);VAL(SEG$(F$,2,1));SEG$(F$,3,99);SEG$(F$,9,2);"."
170 A$=RPT$(F$,40)::PRINT LEN(A$)::A$=A$&A$::PRINT LEN(A$)
180 CALL CHAR(96,RPT$("F0",8))::CALL CHARPAT(96,P$)::PRINT P$::DISPLAY AT(3,4)SIZE(4):F$
190 T$(1)="2"::T$(2)="1"::FOR I=1 TO 3::T$(0),A$=T$(INT(RND*2)+1)::PRINT T$(0);A$;RND::NEXT I
200 T$(1),A$,T$(2)=T$(VAL(T$(1)))::PRINT T$(1);A$;T$(2)
""",
    "comparisons": """\
100 A$="ABC"::B$="AB"::C$=B$&"C"::D$=CHR$(200)::E$="A"
110 PRINT A$=B$;A$=C$;A$<B$;B$<A$;A$<=C$;A$>=C$;A$<>C$;D$<A$;D$>A$;E$<B$
120 IF A$="" THEN PRINT "NO" ELSE PRINT "YES"
130 IF Z$="" THEN PRINT "YES" ELSE PRINT "NO"
140 IF E$="A" AND C$<>"ABD" THEN PRINT "YES"
150 IF SEG$(A$,2,1)="B" THEN PRINT "YES"
160 IF SEG$(A$,4,1)="" THEN PRINT "YES"
170 IF "B"=SEG$(C$,2,1)THEN PRINT "YES"
180 IF (A$&B$)=(C$&B$)THEN PRINT "YES"
190 FOR I=1 TO 3::IF SEG$(A$,I,1)>=CHR$(65+I)THEN PRINT "NO" ELSE PRINT SEG$(A$,I,1);
200 NEXT I::X=(A$=C$)+(B$<>"AB")::PRINT X;STR$(5)=E$;A$>""
""",
    "arrays": """\
100 OPTION BASE 1::DIM N$(4,3),M$(300)
110 FOR I=1 TO 4::FOR J=1 TO 3::N$(I,J)=RPT$(CHR$(64+I),J)::NEXT J::NEXT I
120 FOR I=1 TO 4::FOR J=1 TO 3::PRINT N$(I,J);" ";::NEXT J::NEXT I::PRINT
130 N$(1,2)=N$(4,3)::N$(4,3)="TEXT"::M$(300)=N$(1,2)&N$(4,3)::PRINT M$(300);M$(1);LEN(M$(299))
140 FOR I=1 TO 300::M$(I)=STR$(I)&"*"::NEXT I::PRINT M$(1);M$(150);M$(300)
150 IF M$(7)="7*" AND N$(2,2)=N$(2,2)THEN PRINT "SAME"
160 PRINT POS(M$(123),"3",1);ASC(M$(9));VAL(SEG$(M$(12),1,2))
170 N$(5,1)="X"
""",
    "subs": """\
100 DIM T$(3)::A$="ONE"::B$="TWO"::T$(1)="THREE"::T$(2)="FOUR"
110 CALL S(A$,B$)::PRINT A$;B$::CALL S(A$,(B$))::PRINT A$;B$::CALL S(T$(1),B$&"!")::PRINT T$(1)
120 CALL S(A$,A$)::PRINT A$::CALL S(T$(1),T$(2))::PRINT T$(1);T$(2)
130 I=1::CALL S(T$(I),T$(I+1))::PRINT T$(1);T$(2)::CALL W(T$(),B$)::PRINT T$(0);T$(3);B$
140 CALL S(T$(I),T$(I))::PRINT T$(1)::CALL KEEP("X")::CALL KEEP("Y")::CALL N(5,"Z",C$)::PRINT C$
150 SUB S(P$,Q$)::P$=Q$&P$::Q$="<"&Q$::C$=C$&"."::PRINT P$;Q$;C$::SUBEND
160 SUB W(X$(),Y$)::X$(0)=Y$::Y$=X$(1)::X$(3)=X$(2)&Y$::CALL S(X$(0),Y$)::SUBEND
170 SUB KEEP(K$)::PRINT L$;K$::L$=L$&K$::SUBEND
180 SUB N(A,B$,C$)::C$=RPT$(B$,A)::SUBEND
""",
    "functions of the program": """\
100 DEF F$(X$)="("&X$&")"
110 DEF G(X$)=LEN(X$)*2
120 DEF H$(N)=STR$(N)&Q$
130 DEF J$=H$(3)&"."
140 Q$="Q"::A$="AB"::PRINT F$(A$);F$(F$(A$));G(A$);G("XYZ");G(A$&A$);H$(7);J$
150 A$=F$(A$)::B$=F$(A$&"1")&F$("2")::PRINT A$;B$::IF F$(A$)=F$("(AB)")THEN PRINT "SAME"
""",
    "data": """\
100 FOR I=1 TO 4::READ A$,N::PRINT A$;N::NEXT I
110 DATA APPLES,5,"BIG, PEARS",-6.25,,1E10,"X",7
120 RESTORE 160::READ A$,B$,C$,D$::PRINT A$;B$;C$;LEN(D$)
130 DIM N$(3)::RESTORE 170::READ K,N$(K),N$(1)::PRINT N$(2);N$(1)
140 READ A
160 DATA 1,22,333,
170 DATA 2,TWO,"ONE"
180 DATA WORD
""",
    "data in quotes": """\
100 READ A::PRINT A::READ A
110 DATA 1,"2"
""",
    "data after errors": """\
100 ON ERROR 200
110 READ A::PRINT A
120 READ A$::PRINT "[";A$;"]"
130 READ A::PRINT A
140 READ A$,A::PRINT A$;A
150 RESTORE 145::READ A$,B$::PRINT A$;B$
155 READ A::PRINT A
160 DATA "Q",X,7
170 DATA 9,
180 READ A$,A$,A$::PRINT "[";A$;"]"
185 READ B$::PRINT "[";B$;"]"
190 RESTORE 900
195 END
200 ON ERROR 200::CALL ERR(E,T)::PRINT E::RETURN NEXT
""",
    "no more data": """\
100 READ A$::READ A$
110 DATA ONE
""",
}

NUMBERS_TOO = ("arrays", "data")
"""Programs that are compiled without words too."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_as_in_basic(name: str) -> None:
    check(PROGRAMS[name], (True, False) if name in NUMBERS_TOO else (True,))


def test_what_is_gone_is_room_again() -> None:
    """Ten thousand bytes that variables hold, and many more that they have held."""
    check(
        """\
100 DIM A$(40)::FOR J=2 TO 3::FOR I=0 TO 40::A$(I)=RPT$(CHR$(I+J+40),250)::NEXT I::NEXT J
110 FOR I=0 TO 40::IF A$(I)<>RPT$(CHR$(I+43),250)THEN PRINT I
120 NEXT I::FOR I=1 TO 40::A$(I)=SEG$(A$(I-1),1,99+I)::T=T+LEN(A$(I)&B$)::NEXT I::PRINT T
""",
        forms=(True,),
    )
