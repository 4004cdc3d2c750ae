"""The harmonic sums of each arithmetic, against their definition and against mpmath."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linrelay import Ball
from linrelay._rational import RationalVector, decimal_digits
from linrelay._sums.certified import CertifiedSums
from linrelay._sums.exact import ExactSums, predicted_digits
from linrelay._sums.floating import MAX_LENGTH, FloatSums
from linrelay._sums.interface import harmonic_from_power_sums

PROMPTS = st.one_of(st.integers(1, 200), st.sampled_from([10**6, 10**9, 10**15]))


def harmonic(P: int, t: int, length: int) -> list[Fraction]:
    """Return h_0, h_1, … by multiplying out ∏ m/(m − z), one factor after the other."""
    h = [Fraction(1)] + [Fraction(0)] * (length - 1)
    for m in range(P + 1, P + t + 1):
        for j in range(1, length):
            h[j] += h[j - 1] / m
    return h


def unit(j: int) -> RationalVector:
    return RationalVector([0] * j + [1])


@given(PROMPTS, st.integers(1, 70), st.integers(1, 9))
def test_exact(P: int, t: int, length: int) -> None:
    sums = ExactSums(P, t, length)
    for j, expected in enumerate(harmonic(P, t, length)):
        value = sums.dot(unit(j), sums.h)
        assert Fraction(int(value.p), int(value.q)) == expected


@given(PROMPTS, st.integers(1, 70), st.integers(1, 9))
def test_certified(P: int, t: int, length: int) -> None:
    sums = CertifiedSums(P, t, length, bits=400)
    for j, (value, expected) in enumerate(zip(sums.h, harmonic(P, t, length), strict=True)):
        ball = Ball.from_arb(value)
        assert expected in ball
        # Narrow too: p_r is a difference of numbers of size P^(1−r), or of log P.
        assert ball.rad <= Fraction(1, 2**340) * (j + 1)


@given(PROMPTS, st.integers(1, 70), st.integers(1, 9))
def test_floating(P: int, t: int, length: int) -> None:
    sums = FloatSums(P, np.array([float(t)]), length)
    expected = harmonic(P, t, length)
    for j, value in enumerate(sums.h):
        assert abs(Fraction(float(np.atleast_1d(value)[0])) / expected[j] - 1) <= 4e-13


@pytest.mark.parametrize("P", [1, 100, 127, 128, 129, 10**6, 10**9])
@pytest.mark.parametrize("t", [1, 2, 27, 28, 127, 128, 10**4, 10**9, 10**15])
def test_floating_at_full_length(P: int, t: int) -> None:
    """All 64 sums and decay factors, around the change from table to expansion.

    The reference is certified; u_63 cancels 63 digits for each digit of n there.
    """
    sums = FloatSums(P, np.array([float(t)]), MAX_LENGTH)
    reference = CertifiedSums(P, t, MAX_LENGTH, bits=4000)
    pairs = [*zip(sums.h, reference.h, strict=True), *zip(sums.u, reference.u, strict=True)]
    for value, certified in pairs:
        expected = Ball.from_arb(certified)
        assert expected.digits >= 16
        found = Fraction(float(np.atleast_1d(value)[0]))
        if expected.mid > Fraction(1, 10**290):
            assert abs(found / expected.mid - 1) <= 4e-13
        else:
            assert 0 <= found <= Fraction(1, 10**289)


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(1, 9))
def test_decay_factors(P: int, t: int, length: int) -> None:
    """u_i from its defining series: partial sum, and integral bounds for what is left."""
    sums = CertifiedSums(P, t, length, bits=300)
    n = P + t
    for i, value in enumerate(sums.u):
        ball = Ball.from_arb(value)
        # Σ_{k≥K} 1/((n+k)(n+k+1)^(i+1)) lies between Σ (n+k+1)^(−i−2) and Σ (n+k)^(−i−2).
        K = 50
        head = sum(Fraction(n, (n + k) * (n + k + 1) ** (i + 1)) for k in range(K))
        low = head + Fraction(n, (i + 1) * (n + K + 1) ** (i + 1))
        high = head + Fraction(n, (i + 1) * (n + K - 1) ** (i + 1))
        assert low <= ball.mid <= high
        assert ball.rad <= Fraction(1, 2**250)


@given(st.lists(st.fractions(max_denominator=50), min_size=1, max_size=6))
def test_harmonic_sums_of_any_numbers(values: list[Fraction]) -> None:
    """exp(Σ p_r z^r/r) is ∏ 1/(1 − x z) for the power sums of any x."""
    p = [sum((x**r for x in values), Fraction(0)) for r in range(1, 6)]
    h = [Fraction(1)] + [Fraction(0)] * 5
    for x in values:
        for j in range(1, 6):
            h[j] += h[j - 1] * x
    assert harmonic_from_power_sums(p, Fraction(1), lambda a, b: a / b) == h


@given(PROMPTS, st.integers(1, 300), st.integers(1, 6))
def test_predicted_digits_is_an_upper_estimate(P: int, t: int, length: int) -> None:
    sums = ExactSums(P, t, length)
    value = sums.P / sums.n * sums.dot(RationalVector([1] * length, 7), sums.h)
    predicted = predicted_digits((7).bit_length(), length, P, t)
    actual = decimal_digits(int(value.q))
    assert actual <= predicted
    if length > 1 and t > max(P, 60):
        assert predicted <= 6 * actual  # and not a wild one
