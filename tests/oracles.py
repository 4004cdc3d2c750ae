"""Independent ways to the same numbers, and strategies for models.

None of them uses linrelay: the recursion is the model's definition in plain fractions, the closed
form is evaluated by mpmath from polygamma functions at whatever precision it takes.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
from hypothesis import strategies as st

DATA = Path(__file__).parent / "data"


def reference(name: str) -> list[dict[str, Any]]:
    """Return the entries of a reference file."""
    entries: list[dict[str, Any]] = json.loads((DATA / name).read_text())
    return entries


def recursion(
    gains: list[Fraction], residuals: list[Fraction], delta: list[Fraction]
) -> list[Fraction]:
    """Return the influence at all positions after the last layer, from the definition."""
    for w, r in zip(gains, residuals, strict=True):
        total = Fraction(0)
        after = []
        for n, x in enumerate(delta, start=1):
            total += x
            after.append(r * x + w * total / n)
        delta = after
    return delta


def mpmath_influence(gains: Any, residuals: Any, P: int, t: Any, digits: int) -> Any:
    """Return the influence by mpmath, for real t: Σ c_k (P/n) Σ_{j<k} h_j from polygammas."""
    # The power sums cancel where P is much larger than t: work with as many digits again.
    extra = 30 + len(gains) * (2 + len(str(P)))
    with mpmath.workdps(digits + extra):
        c = [mpmath.mpf(1)]
        for w, r in zip(gains, residuals, strict=True):
            w, r = (mpmath.mpf(x.numerator) / x.denominator for x in (w, r))
            low, high = [*c, mpmath.mpf(0)], [mpmath.mpf(0), *c]
            c = [r * a + w * b for a, b in zip(low, high, strict=True)]
        t = mpmath.mpf(t)
        n, K = P + t, len(gains)
        p = [mpmath.digamma(n + 1) - mpmath.digamma(P + 1)]
        p += [mpmath.zeta(r, P + 1) - mpmath.zeta(r, n + 1) for r in range(2, K)]
        h = [mpmath.mpf(1)]
        for j in range(1, K):
            h.append(mpmath.fsum(p[r - 1] * h[j - r] for r in range(1, j + 1)) / j)
        return P / n * mpmath.fsum(c[k] * mpmath.fsum(h[:k]) for k in range(1, K + 1))


def mpmath_exponent(gains: Any, residuals: Any, P: int, t: int, digits: int) -> Any:
    """Return −d log δ / d log t by a central difference, correct to about `digits` digits."""
    extra = 10 + digits
    with mpmath.workdps(4 * digits + 40):
        step = mpmath.mpf(10) ** -extra
        above, at, below = (
            mpmath_influence(gains, residuals, P, t + s, 4 * digits + 40) for s in (step, 0, -step)
        )
        return -t * (above - below) / (2 * step) / at


def weights(depth: int, minimum: int = -6) -> st.SearchStrategy[list[Fraction]]:
    """Return lists of `depth` small rational weights."""
    one = st.builds(Fraction, st.integers(minimum, 6), st.integers(1, 7))
    return st.lists(one, min_size=depth, max_size=depth)


@st.composite
def models(draw: Any, max_depth: int = 8, minimum: int = -6) -> tuple[Any, Any]:
    """Return gains and residuals of a model, each a list with one weight per layer."""
    depth = draw(st.integers(1, max_depth))
    return draw(weights(depth, minimum)), draw(weights(depth, minimum))
