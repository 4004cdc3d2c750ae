"""Exact fractions that print, and vectors over one denominator."""

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linrelay._rational import ExactFraction, RationalVector, decimal_digits, shorten_integer


@given(st.integers(0, 5000), st.integers(-3, 3))
def test_decimal_digits_around_powers_of_ten(power: int, offset: int) -> None:
    for value in (10**power + offset, -(10**power) - offset):
        digits = decimal_digits(value)
        assert 10 ** (digits - 1) <= max(abs(value), 1) < 10**digits


def test_long_fractions_print_their_ends_and_size() -> None:
    x = ExactFraction(10**5000 + 7, 3**9001)
    assert str(x).startswith("1000000000…0000000007/")
    assert str(x).endswith(f"…{3**9001 % 10**10:010d} (5001/4295 digits)")
    assert repr(x) == f"<ExactFraction {x}>"
    assert x.size() == (5001, 4295)
    numerator, denominator = x.to_string().split("/")
    assert len(numerator) == 5001
    assert numerator.endswith("07")
    assert int(denominator[:4000]) == 3**9001 // 10 ** (4295 - 4000)


def test_short_fractions_print_as_usual() -> None:
    assert str(ExactFraction(-3, 6)) == "-1/2"
    assert repr(ExactFraction(-3, 6)) == "ExactFraction(-1, 2)"
    assert str(ExactFraction(7)) == "7"
    assert shorten_integer(-(10**300)) == "-1000000000…0000000000"


@given(st.fractions())
def test_exact_fraction_is_a_fraction(x: Fraction) -> None:
    y = ExactFraction.from_coprime(x.numerator, x.denominator)
    assert y == x
    assert hash(y) == hash(x)
    assert y + 1 == x + 1
    for z in (pickle.loads(pickle.dumps(y)), copy.copy(y), copy.deepcopy(y)):
        assert z == x
        assert type(z) is ExactFraction


@given(st.lists(st.fractions(), min_size=1, max_size=6))
def test_vector_is_its_fractions(values: list[Fraction]) -> None:
    denominator = 1
    for x in values:
        denominator *= x.denominator
    vector = RationalVector([int(x * denominator) for x in values], denominator)
    assert list(vector) == values
    assert vector == tuple(values)
    assert list(vector[1:]) == values[1:]
    assert list(abs(vector)) == [abs(x) for x in values]
    signs = {x > 0 for x in values if x}
    assert vector.has_one_sign() == (len(signs) < 2)
    assert pickle.loads(pickle.dumps(vector)) == vector


def test_vector_floats_do_not_overflow() -> None:
    vector = RationalVector([10**400, -1, 0], 10**5)
    e = vector.binary_exponent()
    assert vector.floats(e)[0] == pytest.approx(float(Fraction(10**395, 2**e)), rel=1e-15)
    assert 0.5 <= vector.floats(e)[0] <= 2
    assert vector.floats(0)[0] == float("inf")
    assert RationalVector([0]).binary_exponent() == 0
