"""Harmonic sums in floating point, for many t at once, without cancellation.

Up to a number N of positions the power sums p_r = Σ m^(-r) are added up directly; beyond, the
Euler–Maclaurin formula at midpoints, with a = N + 1/2, b = n + 1/2 and q = a/b, gives

    Σ_{m=N+1}^{n} m^(-r) = ∫_a^b x^(-r) dx + Σ_{k≥1} β_k (r)_{2k−1} (a^(1−r−2k) − b^(1−r−2k))

with β_k = B_2k(1/2)/(2k)!. Differences of powers are written a^(-s) (1 − q)(1 + q + … + q^(s−1)),
so that nothing cancels when P ≫ t. As x^(-r) is completely monotone, the error is less than the
first term left out: relative to p_r below 1e-17 for N ≥ 128, r ≤ 65 and 8 terms.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from linrelay._sums.interface import harmonic_from_power_sums

Floats = NDArray[np.float64]

MAX_LENGTH = 64
FLOAT_ERROR = 1e-12  # promised relative error of a sum of terms of one sign, or of a quotient
_DIRECT = 128  # positions summed directly
_TERMS = 8  # of the Euler–Maclaurin formula


class FloatSums:
    """h_j(P+1, P+t) for j < length ≤ 64, for an array of t.

    For each j the relative error is below 4e-13 (the roundings of all positive sums and products
    counted at their worst), and in practice near 1e-15.
    """

    def __init__(self, P: int, t: Floats, length: int) -> None:
        self.P: Any = float(P)
        self.t: Any = t
        self.n: Any = P + t
        self._tables = _tables(P, max(length, 1))

    @cached_property
    def h(self) -> list[Any]:
        """h_0, h_1, …, each an array like t."""
        tables = self._tables
        if tables.length == 1:
            return [1.0]
        # Positions up to N come from the table, the others from N to n by the expansion.
        direct = np.minimum(self.t, tables.N - self.P)
        a, b = tables.N + 0.5, np.maximum(self.n, tables.N) + 0.5
        beyond = (b - a) / b
        powers = tables.expansion @ _geometric_sums(a / b, tables.expansion.shape[1])
        powers *= beyond
        powers[0] += np.log1p((b - a) / a)
        if len(tables.sums) > 1:
            powers += tables.sums[direct.astype(np.intp)].T
        return harmonic_from_power_sums(list(powers), 1.0, operator.truediv)

    @cached_property
    def u(self) -> Any:
        """u_0, u_1, … as rows."""
        tables = self._tables
        top = np.maximum(self.n, _DIRECT)
        inverse = 1 / (top + 0.5)
        powers = np.empty((tables.decay.shape[1], inverse.size))
        powers[0] = inverse
        for s in range(1, len(powers)):
            np.multiply(powers[s - 1], inverse, out=powers[s])
        rows = tables.decay @ powers
        if len(tables.decay_sums) > 1:
            near = np.minimum(self.n, _DIRECT).astype(np.intp) - (int(self.P) + 1)
            rows += tables.decay_sums[near].T
        rows *= self.n
        return rows

    def dot(self, weights: Sequence[float] | Floats, sums: Any) -> Any:
        """Return Σ_j weights_j sums_j, an array like t."""
        total = np.zeros_like(self.t)
        for weight, term in zip(weights, sums, strict=False):
            total += weight * term
        return total

    def correlate(self, weights: Sequence[float], sums: Floats) -> Floats:
        """Return D_j = Σ_i weights_(i+j+1) sums_i as rows."""
        length = len(sums)
        padded = np.zeros(2 * length)
        padded[:length] = weights[1 : length + 1]
        i = np.arange(length)
        return padded[i[:, None] + i] @ sums  # type: ignore[no-any-return]


class _Tables:
    """What depends on P and the number of sums only."""

    def __init__(self, P: int, length: int) -> None:
        self.length = length
        self.N = float(max(P, _DIRECT))
        orders = range(1, length)
        # sums[m − P, r − 1] = Σ_{P<i≤m} i^(-r), for m from P to N.
        near = np.arange(P + 1, _DIRECT + 1, dtype=np.float64)
        reciprocals = near[:, None] ** -np.array(orders, dtype=np.float64)
        self.sums = np.zeros((near.size + 1, length - 1))
        np.cumsum(reciprocals, axis=0, out=self.sums[1:])
        # expansion[r − 1, s − 1]: the coefficient of 1 + q + … + q^(s−1).
        self.expansion = np.zeros((length - 1, length - 1 + 2 * _TERMS))
        for r in orders:
            for s, coefficient in _euler_maclaurin(r):
                self.expansion[r - 1, s - 1] = float(coefficient) * (self.N + 0.5) ** -s
        # decay[i, s − 1]: the coefficient of b^(-s) in u_i / n = Σ_{r≥i+2} ζ(r, n+1), b = n + 1/2.
        self.decay = np.zeros((length, length + 2 * _TERMS))
        for r in range(2, length + 2 * _TERMS + 2):
            for s, coefficient in ((r - 1, Fraction(1, r - 1)), *_euler_maclaurin(r)[1:]):
                if s <= self.decay.shape[1]:
                    self.decay[: r - 1, s - 1] += float(coefficient)
        # decay_sums[n − P − 1, i] = Σ_{n≤m<N} 1/(m (m+1)^(i+1)), for n from P + 1 to N.
        terms = 1 / (near[:-1, None] * (near[:-1, None] + 1) ** np.arange(1.0, length + 1))
        self.decay_sums = np.zeros((max(near.size, 1), length))
        self.decay_sums[: len(terms)] = np.cumsum(terms[::-1], axis=0)[::-1]


@lru_cache(maxsize=16)
def _tables(P: int, length: int) -> _Tables:
    return _Tables(P, length)


@lru_cache(maxsize=256)
def _euler_maclaurin(r: int) -> tuple[tuple[int, Fraction], ...]:
    """Return (s, coefficient) of a^(-s) − b^(-s) in Σ m^(-r): the integral's, and _TERMS more.

    For r = 1 the integral is a logarithm, not among them.
    """
    integral = [(r - 1, Fraction(1, r - 1))] if r > 1 else []
    rising = math.factorial(r - 1)
    corrections = []
    for k in range(1, _TERMS + 1):
        bernoulli = fmpq.bernoulli(2 * k)
        at_half = Fraction(int(bernoulli.p), int(bernoulli.q)) * (Fraction(2, 4**k) - 1)
        coefficient = at_half / math.factorial(2 * k) * (math.factorial(r + 2 * k - 2) // rising)
        corrections.append((r + 2 * k - 1, coefficient))
    return (*integral, *corrections)


def _geometric_sums(q: Floats, count: int) -> Floats:
    """Return 1, 1 + q, 1 + q + q², … as `count` rows."""
    rows = np.empty((count, q.size))
    rows[0] = 1
    for s in range(1, count):
        np.multiply(rows[s - 1], q, out=rows[s])
        rows[s] += 1
    return rows
