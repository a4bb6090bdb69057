"""Texts and DATA that are packed until the program begins."""

from random import Random

import pytest

from tests.compiler.bothforms import check
from ti99tools.compiler.compiling import ALL_SHORT
from ti99tools.compiler.short.bytecode import Video
from ti99tools.compiler.short.videopart import FIRST, LITERAL, MOST_NESTED, Packed, pack

pytestmark = pytest.mark.long


def unpacked(packed: Packed) -> bytes:
    """The bytes that were packed, as the program unpacks them."""
    found, waiting = bytearray(), list(reversed(packed.data))
    while waiting:
        code = waiting.pop()
        if code == LITERAL:
            found.append(waiting.pop())
        elif code >= FIRST:
            waiting += reversed(packed.pairs[code - FIRST])
        else:
            found.append(code)
    return bytes(found)


@pytest.mark.parametrize("data", [b"", b"A", b"\x80\xff" * 9, b"A" * 300, bytes(range(256)) * 5])
def test_what_is_packed_comes_back(data: bytes) -> None:
    assert unpacked(pack(data)) == data


def test_texts_of_words_become_short() -> None:
    random = Random(7)
    words = ("HELLO", "WORLD", "THE", "QUICK", "\x80\x81", "12")
    data = " ".join(random.choices(words, k=400)).encode("latin-1")
    packed = pack(data)
    assert unpacked(packed) == data
    assert len(packed.data) + 2 * len(packed.pairs) < len(data) / 2


def test_few_pairs_wait_at_once() -> None:
    """The program has so many words for them while it unpacks."""
    packed = pack(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" * 30)
    most = 0
    waiting = [*reversed(packed.data)]
    for _ in range(len(packed.data)):
        left = len(waiting) - 1
        while len(waiting) > left:
            most = max(most, len(waiting) - left - 1)
            code = waiting.pop()
            if code >= FIRST:
                waiting += reversed(packed.pairs[code - FIRST])
    assert 8 < most <= MOST_NESTED


LISTING = """\
100 DATA HELLO,WORLD,"HELLO, WORLD",12,"",HELLO,WORLD
110 FOR I=1 TO 7::READ A$::PRINT A$;LEN(A$)::NEXT I
120 PRINT "HELLO WORLD HELLO WORLD":"THE QUICK THE QUICK THE LAZY":"\x80\x81\xfe"
130 IF A$="WORLD" THEN PRINT "THE QUICK WORLD"
140 RESTORE 100::READ A$,B$::PRINT A$&B$
"""


def test_a_program_unpacks_them() -> None:
    check(LISTING, (True, False), short=ALL_SHORT, video=Video.PACKED)
