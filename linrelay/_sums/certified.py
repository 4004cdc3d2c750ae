"""Harmonic sums as Arb balls: certified, at a cost that hardly depends on t."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, repeat
from typing import Any

from flint import arb, arb_poly, arb_series, fmpz_poly

from linrelay._flint import at_precision
from linrelay._rational import RationalVector


class CertifiedReal:
    """An Arb ball with the precision at which to compute with it."""

    __slots__ = ("ball", "bits")

    def __init__(self, ball: arb, bits: int) -> None:
        self.ball = ball
        self.bits = bits

    def __mul__(self, other: CertifiedReal) -> CertifiedReal:
        return self._apply(operator.mul, other.ball)

    def __truediv__(self, other: CertifiedReal) -> CertifiedReal:
        return self._apply(operator.truediv, other.ball)

    def __pow__(self, power: int) -> CertifiedReal:
        return self._apply(operator.pow, power)

    def log(self) -> CertifiedReal:
        """Return the natural logarithm."""
        return self._apply(arb.log)

    def _apply(self, function: Any, *others: Any) -> CertifiedReal:
        (result,) = at_precision(self.bits, function, (self.ball,), *((x,) for x in others))
        return CertifiedReal(result, self.bits)


class CertifiedSums:
    """h_j(P+1, P+t) for j < length, from the power series log Γ(P+1−z) − log Γ(n+1−z)."""

    def __init__(self, P: int, t: int, length: int, bits: int) -> None:
        self._integers = P, P + t
        self._length = length
        self.bits = bits

    @property
    def P(self) -> CertifiedReal:
        """The prompt length."""
        return self.number(self._integers[0])

    @property
    def t(self) -> CertifiedReal:
        """The number of tokens after the prompt."""
        return self.number(self._integers[1] - self._integers[0])

    @property
    def n(self) -> CertifiedReal:
        """The position P + t."""
        return self.number(self._integers[1])

    def number(self, x: int | Fraction) -> CertifiedReal:
        """Return an exact number (an integer stays exact) as one of this arithmetic."""
        if isinstance(x, int):
            return CertifiedReal(arb(x), self.bits)
        return self.number(x.numerator) / self.number(x.denominator)

    @cached_property
    def h(self) -> list[arb]:
        """The sums h_0, h_1, … of index below `length`."""
        if self._length <= 1:
            return [arb(1)] * self._length
        at_P, at_n = ([x] for x in self._log_gamma(self._length, *self._integers))
        powers = at_precision(self.bits, operator.sub, at_P, at_n, length=self._length)
        # The constant, a difference of two huge logarithms, is not part of the formula.
        powers[0][0] = 0
        (series,) = at_precision(self.bits, arb_series.exp, powers, length=self._length)
        return list(series)

    @cached_property
    def u(self) -> list[arb]:
        """u_0, u_1, … = 1 − n Σ_{r≤i} ζ(r+1, n+1); r ζ(r) are log Γ's Taylor coefficients."""
        if self._length <= 1:
            return [arb(1)] * self._length
        n = self._integers[1]
        (at_n,) = self._log_gamma(self._length + 1, n)
        factors = (r * n for r in range(2, self._length + 1))
        terms = at_precision(self.bits, operator.mul, list(at_n)[2:], list(factors))
        partial_sums: list[arb]
        (partial_sums,) = at_precision(self.bits, list, (accumulate(terms),))
        return [arb(1), *at_precision(self.bits, operator.sub, repeat(1), partial_sums)]

    def dot(self, weights: RationalVector | CertifiedVector, sums: Sequence[arb]) -> CertifiedReal:
        """Return Σ_j weights_j sums_j."""
        products = map(operator.mul, weights.numerators, sums)
        (total,) = at_precision(self.bits, sum, (products,), (arb(0),))
        result = CertifiedReal(arb(total), self.bits)
        return result if weights.denominator == 1 else result / self.number(weights.denominator)

    def correlate(self, weights: RationalVector, sums: list[arb]) -> CertifiedVector:
        """Return Σ_i weights_(i+j+1) sums_i for all j, as one product of polynomials."""
        top = len(sums)
        reverse = fmpz_poly(list(weights.numerators[top:0:-1]))
        (product,) = at_precision(self.bits, operator.mul, (arb_poly(sums),), (reverse,))
        return CertifiedVector([product[j] for j in reversed(range(top))], weights.denominator)

    def _log_gamma(self, length: int, *points: int) -> list[arb_series]:
        """Return the Taylor series of log Γ(x+1−z) in z at each point x."""
        series = [arb_series([x + 1, -1], length) for x in points]
        return at_precision(self.bits, arb_series.lgamma, series, length=length)


class CertifiedVector:
    """Balls over one common integer denominator."""

    __slots__ = ("denominator", "numerators")

    def __init__(self, numerators: list[arb], denominator: int) -> None:
        self.numerators = numerators
        self.denominator = denominator
