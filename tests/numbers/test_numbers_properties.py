"""Properties that hold for all numbers, with exact Fractions as the judge."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ti99tools.base.xberrors import BAD_ARGUMENT, XBError
from ti99tools.computer.numbers import forms, functions
from ti99tools.computer.numbers.forms import (
    decimal_digits,
    fixed,
    parse_number,
    print_form,
    scientific,
    to_str,
    val,
)
from ti99tools.computer.numbers.functions import to_integer
from ti99tools.computer.numbers.radix import (
    LARGEST,
    LIMIT,
    OVERFLOW_NEG,
    OVERFLOW_POS,
    Number,
    Radix,
    normal,
    parts,
    settle,
)

mantissas = st.one_of(
    st.integers(-LIMIT + 1, LIMIT - 1),
    st.integers(-9999, 9999),
    st.builds(lambda n, k: n * 10**k, st.integers(-999, 999), st.integers(0, 11)),
)
numbers = st.builds(normal, mantissas, st.one_of(st.integers(-8, 9), st.integers(-50, 64)))
small = st.builds(normal, mantissas, st.integers(0, 9))


def exact(n: Number) -> Fraction:
    mantissa, places = parts(n)
    return mantissa * Fraction(100) ** -places


def is_normal(n: Number) -> bool:
    if type(n) is int:
        return -LIMIT < n < LIMIT
    assert type(n) is Radix
    whole = exact(n).denominator == 1 and abs(exact(n)) < LIMIT
    return -LIMIT < n.mantissa < LIMIT and n.mantissa % 100 != 0 and not whole


def rounded(x: Fraction) -> Number:
    """x to seven base-100 digits, half up on magnitude."""
    places = 0
    while abs(x) * Fraction(100) ** places >= LIMIT:
        places -= 1
    while x and abs(x) * Fraction(100) ** (places + 1) < LIMIT:
        places += 1
    scaled = abs(x) * Fraction(100) ** places
    mantissa = int(scaled + Fraction(1, 2))
    return normal(mantissa if x > 0 else -mantissa, places)


@given(numbers)
def test_bytes_round_trip(n: Number) -> None:
    assert forms.from_bytes(forms.to_bytes(n)) == n
    assert is_normal(n)


@given(st.binary(min_size=8, max_size=8))
def test_any_bytes_decode_to_a_normal_number(data: bytes) -> None:
    n = forms.from_bytes(data)
    assert isinstance(n, int | Radix)
    assert forms.from_bytes(forms.to_bytes(n)) == n


@pytest.mark.parametrize("length", [0, 7, 9])
def test_a_number_has_eight_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="8 bytes"):
        forms.from_bytes(bytes(length))


@given(numbers, numbers)
def test_sums_and_products_commute(a: Number, b: Number) -> None:
    assert functions.add(a, b) == functions.add(b, a)
    assert functions.mul(a, b) == functions.mul(b, a)
    assert functions.sub(a, b) == -functions.sub(b, a)


@given(small, small)
def test_products_and_quotients_are_rounded_exactly(a: Number, b: Number) -> None:
    assert functions.mul(a, b) == rounded(exact(a) * exact(b))
    if b:
        assert functions.div(a, b) == rounded(exact(a) / exact(b))


@given(numbers, numbers)
def test_sums_are_off_by_less_than_one_digit(a: Number, b: Number) -> None:
    total = functions.add(a, b)
    if abs(exact(a) + exact(b)) < exact(LARGEST) and total:
        error = abs(exact(total) - exact(a) - exact(b))
        digits = len(str(abs(parts(total)[0])))
        assert error <= abs(exact(total)) * Fraction(1, 10 ** min(12, digits + 11))


@given(numbers, numbers)
def test_results_are_normal(a: Number, b: Number) -> None:
    for result in (
        functions.add(a, b),
        functions.sub(a, b),
        functions.mul(a, b),
        functions.div(a, b),
    ):
        assert result in (OVERFLOW_POS, OVERFLOW_NEG) or is_normal(result)


@given(numbers, numbers)
def test_comparisons_agree_with_fractions(a: Number, b: Number) -> None:
    x, y = exact(a), exact(b)
    assert (a < b, a <= b, a == b, a > b, a >= b) == (x < y, x <= y, x == y, x > y, x >= y)
    assert a != b or hash(a) == hash(b)


@given(numbers)
def test_whole_numbers(n: Number) -> None:
    x = exact(n)
    assert exact(functions.floor(n)) == x.numerator // x.denominator
    assert to_integer(n) == (2 * x.numerator + x.denominator) // (2 * x.denominator)
    assert functions.sgn(n) == (x > 0) - (x < 0)


@given(st.integers(-(10**40), 10**40))
def test_settle_rounds_what_is_too_long(x: int) -> None:
    assert settle(x) == rounded(Fraction(x))
    assert is_normal(settle(x))


def test_overflow_is_flagged_and_goes_on_unflagged() -> None:
    for result, after in ((functions.div(1, 0), LARGEST), (functions.mul(LARGEST, -2), -LARGEST)):
        assert isinstance(result, Radix)
        assert result.overflow
        assert result == after
        assert result.value_after_warning == after
        assert isinstance(after, Radix)
        assert not after.overflow
    assert functions.power(-10, 201) is OVERFLOW_NEG
    assert functions.power(-10, 200) is OVERFLOW_POS
    assert functions.div(-1, 0) is OVERFLOW_NEG
    assert functions.div(0, 0) is OVERFLOW_POS
    assert settle(10**128) is OVERFLOW_POS
    assert settle(-(10**200)) is OVERFLOW_NEG
    assert forms.to_bytes(LARGEST).hex() == "7f" + "63" * 7
    assert functions.mul(parse_number("1E-100"), parse_number("1E-100")) == 0


@given(small)
def test_text_of_a_number_reads_as_nearly_the_same(n: Number) -> None:
    text = to_str(n)
    again = exact(parse_number(text))
    assert abs(again - exact(n)) <= max(abs(exact(n)) * Fraction(1, 10**5), Fraction(1, 10**10))
    assert print_form(n) == (text if text.startswith("-") else " " + text)
    assert len(text) <= 12


@given(small, st.integers(0, 12))
def test_fixed_decimals(n: Number, decimals: int) -> None:
    negative, digits = fixed(n, decimals)
    scaled = abs(exact(n)) * 10**decimals
    assert negative == (n < 0)
    assert int(digits) == int(scaled + Fraction(1, 2))


@given(numbers, st.integers(1, 14))
def test_scientific_digits(n: Number, count: int) -> None:
    negative, digits, power = scientific(n, count)
    assert negative == (n < 0)
    assert len(digits) == count
    if n:
        value = int(digits) * Fraction(10) ** (power - count + 1)
        assert abs(value - abs(exact(n))) * 2 <= Fraction(10) ** (power - count + 1)
        assert digits[0] != "0"
    assert decimal_digits(0) == ("0", 0)


@pytest.mark.parametrize("text", ["", " ", ".", "-.", "1E", "1E+", "--1", "1 2", "1e5", "- 1", "E"])
def test_what_is_no_number(text: str) -> None:
    with pytest.raises(ValueError):
        parse_number(text)
    with pytest.raises(XBError) as error:
        val(text)
    assert error.value.code == BAD_ARGUMENT


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-", 0),
        ("+", 0),
        ("E5", 0),
        ("0E500", 0),
        (" 1 ", 1),
        ("1.", 1),
        ("1E-999999", 0),
        ("1E0000000000005", 100000),
        ("0" * 200 + "7", 7),
        ("." + "0" * 100 + "1E101", 1),
    ],
)
def test_unusual_spellings(text: str, value: int) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["1E128", "1E9999999999999", "9" * 255])
def test_too_large_spellings(text: str) -> None:
    assert parse_number(text) is OVERFLOW_POS
    assert parse_number("-" + text) is OVERFLOW_NEG


@given(st.integers(1, 10**7 - 1))
def test_square_roots_of_squares(n: int) -> None:
    """The recorded machine gets these right up to its last digit: Newton's iteration converges."""
    root = exact(functions.sqr(n * n))
    assert abs(root - n) <= Fraction(n, 10**12)


@given(st.builds(normal, st.integers(1, LIMIT - 1), st.integers(3, 9)))
def test_exp_undoes_log(n: Number) -> None:
    again = exact(functions.exp(functions.log(n)))
    assert abs(again - exact(n)) < exact(n) * Fraction(1, 10**10)
