"""Squares: products with the same digits, and as quick."""

from __future__ import annotations

from tests.compiler.bothforms import as_cartridge, check

SQUARES = """\
100 FOR I=1 TO 13
110 READ X,Y
120 PRINT X^2;(X-Y)^2+(Y-X)^2;SQR((X-Y)^2+X^2);-X^2;(-X)^2;(X*Y)^2
130 IF (X-1)^2>Y^2 THEN PRINT "MORE" ELSE PRINT "LESS"
140 NEXT I
150 A=3::PRINT A^2^2;(A+RND*0)^2
160 READ A,B(A^2-(A-2)^2)::PRINT B(8)
170 DATA 1,2,-3,.5,1.23456789012345,-.98765432109876,99999999,12345678.9,1E63,1E64,1E70,-1E70
180 DATA 1E-64,1E-65,1E-70,1E-80,.1,.3,182,181,181,-182,0,0,-181,-181,3,77
"""


def test_squares_have_the_digits_of_extended_basic() -> None:
    check(SQUARES)


def test_squares_are_quick() -> None:
    listing = "100 FOR I=1 TO 200::X=(I-5)^2+X^2::X=X-INT(X)::NEXT I"
    assert as_cartridge(listing).clock.seconds < 20
