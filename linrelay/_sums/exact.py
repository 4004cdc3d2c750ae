"""Harmonic sums as exact rationals, by binary splitting in FLINT's integers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import cached_property

from flint import fmpq, fmpz

from linrelay._rational import RationalVector
from linrelay._sums.interface import harmonic_from_power_sums

_LEAF = 16  # reciprocals summed directly: Python's integers win while they have few digits


class ExactSums:
    """h_j(P+1, P+t) for j < length, as h_j = N_j / D^j with D the lcm of P+1, …, P+t.

    The power sums p_r = S_r / D^r add up over halves of the range; the N_j follow from them once.
    `progress` is called with the number of reciprocals done, while the power sums are made.
    """

    def __init__(
        self, P: int, t: int, length: int, progress: Callable[[int], object] | None = None
    ) -> None:
        self.P, self.t, self.n = fmpq(P), fmpq(t), fmpq(P + t)
        self._range = P + 1, P + t + 1
        self._length = length
        self._progress = progress or (lambda done: None)

    @cached_property
    def h(self) -> tuple[list[fmpz], fmpz]:
        """The numerators N_0, N_1, … and D."""
        one = fmpz(1)
        if self._length <= 1:
            return [one] * self._length, one
        D, S = self._power_sums(*self._range)
        # D^j h_j is an integer: j divides exactly.
        return harmonic_from_power_sums(S, one, operator.floordiv), D

    def power_sum(self, r: int) -> fmpq:
        """Return p_r = Σ_{m=P+1}^{n} 1/m^r, for 1 ≤ r < length."""
        D, S = self._power_sums(*self._range)
        return fmpq(S[r - 1], D**r)

    def dot(self, weights: RationalVector, sums: tuple[list[fmpz], fmpz]) -> fmpq:
        """Return Σ_j weights_j N_j / D^j."""
        numerators, D = sums
        total, power = fmpz(0), fmpz(1)
        for weight, numerator in zip(weights.numerators, numerators, strict=False):
            total = total * D + weight * numerator
            power *= D
        return fmpq(total * D, weights.denominator * power)

    def _power_sums(self, start: int, stop: int) -> tuple[fmpz, Sequence[fmpz]]:
        """Return D and S_1, S_2, … over start ≤ m < stop."""
        if stop - start <= _LEAF:
            return self._leaf(start, stop)
        middle = (start + stop) // 2
        D1, S1 = self._power_sums(start, middle)
        D2, S2 = self._power_sums(middle, stop)
        D = D1.lcm(D2)
        x = f = D // D1
        y = g = D // D2
        S = []
        for a, b in zip(S1, S2, strict=True):
            S.append(a * x + b * y)
            x, y = x * f, y * g
        return D, S

    def _leaf(self, start: int, stop: int) -> tuple[fmpz, list[fmpz]]:
        D = math.lcm(*range(start, stop))
        S = [0] * (self._length - 1)
        for m in range(start, stop):
            x = q = D // m
            for r in range(self._length - 1):
                S[r] += x
                x *= q
        self._progress(stop - start)
        return fmpz(D), [fmpz(s) for s in S]


def predicted_digits(relay_bits: int, reach: int, P: int, t: int) -> int:
    """Return an upper estimate of the digits of the influence's denominator.

    It divides n q D^(reach−1). The lcm D is at most the product of the t numbers, and at most
    the lcm of 1..n, whose logarithm is below 1.03883 n (Rosser and Schoenfeld, Illinois J. Math.
    6 (1962), theorem 12).
    """
    n = P + t
    log2_n = n.bit_length()
    # Whole numbers, since n may be beyond floating point.
    log2_lcm = min(3 * n // 2, t * log2_n) if reach > 1 else 0
    return (log2_n + relay_bits + max(reach - 1, 0) * log2_lcm) * 30103 // 100000 + 1
