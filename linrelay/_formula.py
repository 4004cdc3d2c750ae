"""The formula, once, over any arithmetic.

    δ = (P/n) Σ_j T_j h_j(P+1, n)

and its local exponent α = −d log δ / d log t. The derivative of the generating function of the
h_j in n has positive coefficients, u_i (`derivations/local_exponent.md`), so that

    α = (t/n) Σ_j D_j h_j / Σ_j T_j h_j,      D_j = Σ_i c_(i+j+1) u_i

has no cancellation where the weights have one sign: T_j is the same with every u_i replaced by 1.
"""

from __future__ import annotations

from typing import Any, TypeVar

from linrelay._sums.interface import DecaySums, HarmonicSums

Weights = TypeVar("Weights")


def influence(tails: Weights, sums: HarmonicSums[Weights]) -> Any:
    """Return δ for the tails T_0, T_1, … of the transfer polynomial."""
    return sums.P / sums.n * sums.dot(tails, sums.h)


def exponent(transfer: Weights, tails: Weights, sums: DecaySums[Weights]) -> Any:
    """Return α for the coefficients c_0, c_1, … of the transfer polynomial and their tails."""
    D = sums.correlate(transfer, sums.u)
    return sums.t / sums.n * (sums.dot(D, sums.h) / sums.dot(tails, sums.h))


def bound(depth: int, P: Any, t: Any, log_t: Any) -> Any:
    """Return P (log t)^(L−1) / t, the theorem's bound up to a constant."""
    return P * log_t ** (depth - 1) / t
