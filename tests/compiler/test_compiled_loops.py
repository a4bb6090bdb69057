"""Loops on the stack that FOR shares with GOSUB, and parameters that lie in the same place."""

import pytest

from tests.compiler.bothforms import check

STACK = {
    "a jump out, and a NEXT of an outer loop": """\
100 FOR I=1 TO 3
110 FOR J=1 TO 5
120 IF J=I THEN 150
130 PRINT I;J
140 NEXT J
150 NEXT I
160 PRINT "END";I;J
""",
    "a jump into a loop that runs": """\
100 FOR I=1 TO 2
110 PRINT I;
120 NEXT I
130 PRINT "AFTER";I
140 K=K+1::IF K=1 THEN 170
150 STOP
160 PRINT "X";I
170 FOR I=5 TO 9 STEP 2
180 PRINT I;
185 GOTO 120
200 NEXT I
""",
    "a jump into a loop that does not run": """\
100 GOTO 120
110 FOR I=1 TO 3
120 PRINT I
130 NEXT I
""",
    "a loop that is over at once, whose NEXT comes after a GOTO": """\
100 FOR I=2 TO 1
110 GOTO 150::NEXT I::PRINT "AFTER"::FOR K=1 TO 2::PRINT K::NEXT K
120 FOR K=3 TO 1 STEP -1
130 PRINT I;K
140 IF K=1 THEN 170
150 NEXT K
160 PRINT "NOT HERE"
170 FOR I=2 TO 1
180 GOTO 200::NEXT I::GOTO 210
200 FOR J=1 TO 3
210 PRINT J
220 NEXT J
""",
    "loops that control does not come to, one of which has the variable of another": """\
100 ON A+1 GOSUB 170,210
110 FOR K=1 TO 2
120 PRINT K
130 NEXT K
140 GOTO 180
150 FOR K=1 TO A
160 FOR I=1 TO A
170 A=A+1::IF A>3 THEN 220
175 GOTO 120
180 FOR J=3 TO 1 STEP -1
210 NEXT J::NEXT I::NEXT K
220 PRINT "END"
""",
    "one NEXT for two FORs": """\
100 FOR I=1 TO 3
110 GOTO 130
120 FOR I=10 TO 1.5 STEP -4
130 PRINT I;
140 NEXT I
150 K=K+1
160 IF K=1 THEN 120
170 PRINT "K";K
180 NEXT I
""",
    "NEXT in a subroutine": """\
100 FOR I=1 TO 3
110 GOSUB 200
120 NEXT I
130 STOP
200 PRINT I
210 FOR J=1 TO 2
220 NEXT I
""",
    "RETURN within loops of a subroutine": """\
100 FOR I=1 TO 2
110 GOSUB 200
120 NEXT I
130 RETURN
200 FOR J=1 TO 5
210 FOR K=1 TO 5
215 IF K=3 THEN RETURN
220 PRINT I;J;K
225 IF J=9 THEN 240
230 NEXT K
240 NEXT J
250 RETURN
""",
    "FOR takes the loop of its variable from below": """\
100 FOR I=1 TO 2
110 GOSUB 200
120 NEXT I
130 STOP
200 FOR I=7 TO 8
210 PRINT I
220 NEXT I
230 RETURN
""",
    "loops that cross": """\
100 FOR I=1 TO 3
110 FOR J=1 TO 2
120 PRINT I;J
130 NEXT I
140 PRINT "OVER"
150 NEXT J
""",
    "empty loops": """\
130 FOR J=1 TO 2::FOR L=1 TO 1
140 NEXT L::NEXT J
150 PRINT I;J;L
""",
    "a loop that is skipped ends at the wrong NEXT": """\
100 GOTO 120
110 FOR J=1 TO 2
115 NEXT I
120 FOR I=3 TO 1
130 PRINT I
140 NEXT J
""",
    "a NEXT above its FOR": """\
100 I=0
110 !@P-
120 GOTO 150
130 NEXT I
140 END
150 FOR I=1 TO 3
160 PRINT I
170 GOTO 130
""",
    "in a SUB": """\
100 FOR I=1 TO 2
110 CALL S(I)
120 NEXT I
130 STOP
200 SUB S(N)
210 FOR I=1 TO 5
220 IF I>N THEN 250
230 PRINT N;I
240 NEXT I
250 IF N=2 THEN SUBEXIT
255 FOR J=1 TO 2
260 NEXT I
270 SUBEND
""",
}


@pytest.mark.parametrize("name", STACK)
def test_loops_on_the_stack(name: str) -> None:
    check(STACK[name])


SAME_PLACE = {
    "different arrays": """\
100 DIM A(3),B(20),C(2,2)
110 FOR I=1 TO 3::A(I)=I::B(I)=I*1.5::NEXT I
120 CALL S(A(),2)::CALL S(B(),17)
130 PRINT A(2);B(17);B(2)
140 CALL S(A(),4)
200 SUB S(P(),N)::P(N)=P(N)+P(1)+1::CALL T(P(),N)::SUBEND
210 SUB T(Q(),M)::Q(M)=Q(M)*2::SUBEND
""",
    "a variable twice": """\
100 A=5::CALL S(A,A)::PRINT A
110 B=7::CALL S(A,B)::PRINT A;B
200 SUB S(X,Y)::X=X+1::PRINT X;Y::Y=Y*2::PRINT X;Y::SUBEND
""",
    "elements": """\
100 DIM A(5)
110 FOR I=0 TO 5::A(I)=I::NEXT I
120 FOR I=1 TO 3::CALL S(A(I),A(2))::PRINT A(I);A(2)::NEXT I
130 CALL S(A(1),A(3))::PRINT A(1);A(3)
140 I=4::CALL E(I,A(I),A())::PRINT I;A(4);A(5)
200 SUB S(X,Y)::X=X+10::PRINT X;Y::Y=Y+1::PRINT X;Y::SUBEND
210 SUB E(I,X,P())::I=5::X=99::PRINT P(4);X::P(4)=.5::PRINT X::CALL S(X,P(4))::SUBEND
""",
    "the same array twice": """\
100 DIM A(3),B(3)
110 CALL S(A(),A(),1)::CALL S(A(),B(),2)::PRINT A(1);A(2);B(1);B(2)
200 SUB S(P(),Q(),N)::P(N)=N::Q(N)=Q(N)+3::PRINT P(N);Q(N)::T=T+1::PRINT T::SUBEND
""",
}


@pytest.mark.parametrize("name", SAME_PLACE)
def test_parameters_in_the_same_place(name: str) -> None:
    check(SAME_PLACE[name])
