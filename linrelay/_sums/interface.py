"""What the formula asks of an arithmetic, and how harmonic sums follow from power sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

Weights = TypeVar("Weights", contravariant=True)
Number = TypeVar("Number")


class HarmonicSums(Protocol[Weights]):
    """The numbers that the formula combines, in one arithmetic.

    Attributes
    ----------
    P, t, n
        Prompt length, tokens after it, and position n = P + t, as numbers of the arithmetic:
        they multiply and divide.
    h
        h_0, h_1, …: the complete homogeneous symmetric polynomials h_j(P+1, n) of the
        reciprocals 1/(P+1), …, 1/n, as many as the transfer polynomial has degrees. How they are
        stored is the arithmetic's own business.
    """

    @property
    def P(self) -> Any: ...
    @property
    def t(self) -> Any: ...
    @property
    def n(self) -> Any: ...
    @property
    def h(self) -> Any: ...

    def dot(self, weights: Weights, sums: Any) -> Any:
        """Return Σ_j weights_j sums_j, over as many as there are sums."""
        ...


class DecaySums(HarmonicSums[Weights], Protocol[Weights]):
    """Harmonic sums with what their derivative in n takes; the exact arithmetic has none.

    Attributes
    ----------
    u
        u_0, u_1, …: u_i = n Σ_{k≥0} 1/((n+k) (n+k+1)^(i+1)) = 1 − n Σ_{r=1}^{i} ζ(r+1, n+1), the
        coefficients of n (ψ(n+1−z) − ψ(n)) / (1−z); positive, u_0 = 1 and u_i ~ 1/((i+1) n^i).
    """

    @property
    def u(self) -> Any: ...

    def correlate(self, weights: Weights, sums: Any) -> Any:
        """Return D_j = Σ_i weights_(i+j+1) sums_i, for every j, to be given to `dot`."""
        ...


def harmonic_from_power_sums(
    p: Sequence[Number], one: Number, divide: Callable[[Any, int], Number]
) -> list[Number]:
    """Return h_0..h_K from p_1..p_K: exp(Σ_r p_r z^r / r), as j h_j = Σ_{r=1}^{j} p_r h_{j−r}."""
    h = [one]
    for j in range(1, len(p) + 1):
        total: Any = p[0] * h[j - 1]  # type: ignore[operator]
        for r in range(2, j + 1):
            total = total + p[r - 1] * h[j - r]  # type: ignore[operator]
        h.append(divide(total, j))
    return h
