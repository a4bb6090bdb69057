"""Lambo's BOARD, compiled: a copy of its source in which this one SUB has no twin by hand."""

from __future__ import annotations

import re
from pathlib import Path

LAMBO = Path(__file__).parents[2] / "xbasic" / "lambo"
CONSTANTS = "CONST TILES=96, RULEROW=21\n"
"""Those of the game that `test_twin_proof` does not need."""
PARTS = ("board.xb", "groups.xb", "think.xb", "weigh.xb")
LETTERS = "    A B C D E F G H I J K L M N O P Q R S T U V W X Y              "
RANGES = """  RANGE OP=1 TO 9,CELL=-20 TO 6074,TURN=-20 TO 100,CODE=-3 TO 9999,AD=0 TO 1
  RANGE X1=0 TO 741,I1=0 TO 256,I2=0 TO 256,N=-1 TO 509,NX=0 TO 9,NF=0 TO 9,NC=0 TO 20
  RANGE U=-999 TO 1483,V=-741 TO 1483,X=0 TO 999,Y=0 TO 255,R=-99 TO 999,C=-99 TO 99
  RANGE R0=-99 TO 999,LV=0 TO 2,Q1=0 TO 999,Q2=0 TO 150,Z1=0 TO 99,Z2=0 TO 99,Z3=0 TO 99
  RANGE WD=0 TO 99,WL=0 TO 99,N1=0 TO 51,N2=0 TO 51,N3=0 TO 51,XX=-99 TO 999,YY=-99 TO 999
  RANGE V1=-99999999 TO 99999999,V2=-99999999 TO 99999999,V3=-99999999 TO 99999999
  RANGE L=-99999999 TO 99999999,RG=0 TO 6074
"""
"""What the SUB does not say of its variables."""
EDITS = {
    "board.xb": (
        ('    DISPLAY AT(R,1):""\n', ""),
        ("    CALL HCHAR(R,1,32,2)\n", "    CALL HCHAR(R,1,32,32)\n"),
        ("    Y=(R+TURN-1)/2\n", "    YY=INT((R+TURN-1)/2)\n"),
        ("IF Y>0 AND Y=INT(Y) THEN", "IF YY>0 AND 2*YY=R+TURN-1 THEN"),
        ("48+INT(Y/10)", "48+INT(YY/10)"),
        ("48+Y-10*INT(Y/10)", "48+YY-10*INT(YY/10)"),
        (
            re.compile(r"  DISPLAY AT\(RULEROW,1\):.*\n"),
            "  FOR I1=1 TO 28\n"
            f'    CALL HCHAR(RULEROW,I1+2,ASC(SEG$("{LETTERS}",CELL+3+I1,1)))\n'
            "  NEXT I1\n",
        ),
        ("      Y=R+I2", "      YY=R+I2"),
        ("      X=C+INT", "      XX=C+INT"),
        ("IF ABS(Y-10.5)<10 AND ABS(X-14.5)<14 THEN", "IF YY>0 AND YY<21 AND XX>0 AND XX<29 THEN"),
        ("CALL HCHAR(Y,X+2,O+I2)", "CALL HCHAR(YY,XX+2,O+I2)"),
        ("  K=CELL\n  O=TURN\n", "  IF OP>1 THEN K=CELL\n  IF OP<5 THEN O=TURN\n"),
        ("  RG=K\n", "  RG=CELL\n"),
        ("    O=TILES-4+", "    CH=TILES-4+"),
        ("XX+2,O+I2", "XX+2,CH+I2"),
        ("K=-741 TO 6074, O=-100 TO 200", "K=-741 TO 769, O=0 TO 3"),
    ),
    "think.xb": (
        ("KO=9E9\n", "KO=2E9\n"),
        ("KB=9E9\n", "KB=2E9\n"),
        (
            "  RG=RG*106+1283\n  RG=RG-6075*INT(RG/6075)\n",
            "  RG=RG*106+1283-6075*INT((RG*106+1283)/6075)\n",
        ),
        ("GOSUB rank :: KO=MIN(KO,V)", "GOSUB rank :: KO=MIN(KO,RK)"),
        ("  V=1E6*LEN(LB$(Z))-1000*SL(Z)+Z\n", "  RK=1E6*LEN(LB$(Z))-1000*SL(Z)+Z\n"),
        ("THEN V=V+5E5\n", "THEN RK=RK+5E5\n"),
        ("  IF V>KX THEN KB=MIN(KB,V)\n", "  IF RK>KX THEN KB=MIN(KB,RK)\n"),
        ("        KO=V\n", "        KO=RK\n"),
    ),
}
"""A compiled SUB shows with HCHAR; some numbers are whole, or smaller, so that they are words."""


def compiled(folder: Path) -> Path:
    """Write the copy into a folder; return the file of BOARD."""
    for name in PARTS:
        text = (LAMBO / name).read_text()
        if name == "board.xb":
            text = re.sub(r"^(SUB BOARD.*) ASM .*\n", rf"\1 COMPILED\n{RANGES}", text, flags=re.M)
        for old, new in EDITS.get(name, ()):
            found = old.findall(text) if isinstance(old, re.Pattern) else text.count(old)
            assert found, old
            text = old.sub(new, text) if isinstance(old, re.Pattern) else text.replace(old, new)
        (folder / name).write_text(text)
    return folder / "board.xb"
