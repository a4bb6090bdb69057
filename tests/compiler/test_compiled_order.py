"""Which of several errors of a statement comes first in compiled programs, and what it leaves."""

import pytest

from tests.compiler.bothforms import check

PROGRAMS = {
    "subscripts, then the value, then what is assigned": """\
100 I=1::I,D(I)=5::PRINT D(1);D(5);I
110 I=1::D(I),I=I+1::PRINT D(1);D(2);I
120 I=1::A$,T$(I)="X"&STR$(I)::PRINT A$;T$(1)
130 ON ERROR 200
140 D(2)=7::D(2),D(11)=9::PRINT D(2)
150 D(11)=SQR(-1)
160 A,B$=5
170 A,D(11)="X"
180 B$="A"::B$,T$(99)="Q"::PRINT A;B$
190 T$(99)=5
195 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "arguments of a CALL, and where PRINT goes on": """\
100 ON ERROR 200
110 CALL HCHAR(33,SQR(-1),LOG(-1))
120 PRINT "123";::CALL HCHAR(3,17,-1)
130 PRINT "123";::CALL HCHAR(3,17)
140 PRINT "1234567890";::CALL HCHAR(3,27,42)::PRINT "*"::CALL VCHAR(5,5,A$)
150 PRINT "123";::CALL HCHAR(3,SQR(-1),40,-1)
160 I=-1::CALL VCHAR(9,9,65,I)
170 CALL CHARPAT(300)
180 CALL PEEK(99999,5)
190 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "ON with lines, without, and beyond them; frequencies that no sound has": """\
100 ON ERROR 200
110 ON 1 GOTO
120 ON 0 GOTO
130 ON 70000 GOTO
140 FOR I=1 TO 12::READ A::CALL SOUND(-10,A,0)::NEXT I
150 DATA 32767.4,32768,44733,44734,50000,1E50,-8,-9,110,109,-40000,109.4
160 ON 3 GOSUB 180
170 PRINT "HERE"::RETURN
180 PRINT VAL("1E200")::END
200 CALL ERR(P,Q,R,S)::PRINT P;S;::ON ERROR 200::RETURN NEXT
""",
    "frequencies that are refused, before volumes that fail": """\
100 ON ERROR 200::DIM P(9)::F=50::G=44734::V=40::DEF FN(X)=LOG(X-9)
110 CALL SOUND(-10,50,LOG(-1))
120 CALL SOUND(-10,F,P(20))
130 CALL SOUND(-10,G,A$)
140 CALL SOUND(-10,-3,0,-4,P(20))
150 A=-4::CALL SOUND(-10,-3,0,A,V-10)
160 CALL SOUND(-10,220,1,330,2,440,3,F+600,FN(3))
170 CALL SOUND(-10,F+RND*400+99,FN(3))
180 CALL SOUND(-10,F+RND*400+99,P(3),RND*9+330,P(2)-(1=1))::PRINT RND
190 CALL SOUND(-10,-3,0,-4,31)
192 CALL SOUND(-10,A,0,A,V)
194 CALL SOUND(-10,220,0,-3,0,A,V)
196 END
200 CALL ERR(K,L,M,N)::PRINT K;N;::ON ERROR 200::RETURN NEXT
""",
    "numbers of AT and SIZE, before wrong syntax and values that fail": """\
100 ON ERROR 200::A=1E99
110 DISPLAY AT(A,2 SIZE(9)):1
120 DISPLAY AT(1E99,"X"):1
130 DISPLAY AT(1E99,LOG(-1)):1
140 DISPLAY AT(A,2)SIZE:1
150 DISPLAY SIZE(0)AT(1 2):3
160 DISPLAY SIZE(300;):1
170 DISPLAY AT(1,A;2):1
180 ACCEPT AT(A,2 SIZE(3):B
190 ACCEPT SIZE(300;):B
195 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "a DEF with an argument, where a variable is to be": """\
100 ON ERROR 200::DEF F(X)=X*2::DEF H$(X$)=X$
110 F(3)=3
120 READ F(3)
130 LINPUT H$("A")
140 DATA 3
150 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "after the first error there is room for one thing less": """\
100 ON ERROR 200
110 X=(((((((((((((((((((((((1)))))))))))))))))))))))::PRINT X
120 A=SQR(-1)
130 X=(((((((((((((((((((((((2)))))))))))))))))))))))::PRINT X
140 IF ((((((((((((((((((((((1)))))))))))))))))))))) THEN PRINT "THEN"
150 CALL SCREEN((((((((((((((((((((1))))))))))))))))))))::PRINT "SCREEN"
160 END
200 CALL ERR(P,Q,R,S)::PRINT P;S::ON ERROR 200::RETURN NEXT
""",
    "RND around a DEF, a string for an array, and an element that is looked at twice": """\
100 DEF F(X)=X*2+RND::DEF G(X)=F(X)+RND*F(X+1)
110 A=3::PRINT RND+F(A+1);INT(RND*9)+F(A*2);RND+F(F(RND)*RND)
120 PRINT RND-G(RND+1)*RND;INT(RND*6);MAX(RND,G(RND*2))
130 CALL S("X")::DIM B(10)::CALL T(B(RND*3)+1)::PRINT RND
140 SUB S(A$())::PRINT "IN";A$(1);A$(10)::SUBEND
150 SUB T(X)::PRINT X::SUBEND
""",
    "RND in a string and in its positions beside a DEF, and in both arguments of CHARPAT": """\
100 DEF F(X)=X*RND::T$(0)="ABC"::T$(1)="DEFG"::T$(2)="ACDC"
110 FOR I=1 TO 4::PRINT F(RND);SEG$(T$(RND*2),INT(RND*3)+1,RND*3)
120 PRINT F(I*2);POS(T$(RND*2),CHR$(65+INT(RND*5)),INT(RND*2)+1)::NEXT I
130 CALL CHARPAT(RND*50+40,T$(RND*2))::PRINT T$(0):T$(1):T$(2)
""",
    "the start of a FOR, then its limit and its step": """\
100 FOR I=1 TO 3::FOR J=INT(RND*3) TO RND*9 STEP RND+1::PRINT J;::NEXT J::PRINT RND::NEXT I
110 FOR D=INT(RND*5) TO INT(RND*5)+2::NEXT D::PRINT D::A$="X"
120 FOR I=VAL(A$) TO A(J+20)::NEXT I
""",
    "the column of POSITION is the last that is stored": """\
100 CALL SPRITE(#1,65,2,33,50)::CALL POSITION(#1,A,A)::PRINT A::C=.5
110 DIM D(40)::CALL POSITION(#1,C,C)::PRINT C::CALL POSITION(#1,B,D(B))::PRINT B;D(33)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_order(name: str) -> None:
    check(PROGRAMS[name])


@pytest.mark.parametrize("listing", ["100 RETURN", "10000 CALL X"])
def test_rows_of_a_message(listing: str) -> None:
    check(listing, (True,))


def test_randomize_below_zero() -> None:
    # The first digits, and whether and which digits follow, decide on what comes of it.
    numbers = ("-.5699", "-57", "-99", "-57.000000001", "-6012.3450000001", "-99999999999999")
    lines = (f"{at} X={number}::RANDOMIZE X::PRINT RND;" for at, number in enumerate(numbers, 1))
    check("\n".join(lines), (False,))
