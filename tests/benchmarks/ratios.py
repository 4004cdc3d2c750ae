"""Costs as ratios, each measured in one run: ``python tests/benchmarks/ratios.py``.

Both sides of a ratio take turns, and the least time of each counts, so that a busy machine slows
both. Nothing is asserted. PARI needs cypari (``pip install 'linrelay[bench]'``) and is left out
without it.
"""

from __future__ import annotations

import subprocess
import sys
import timeit
from collections.abc import Callable
from fractions import Fraction

import flint
import mpmath
import numpy as np

import linrelay
from linrelay.recursion import float_layers

L, P, T, DIGITS = 12, 64, 10**12, 50
BITS = 176  # 50 digits and guard bits


def best(*functions: Callable[[], object], seconds: float = 1.0) -> list[float]:
    """Return the least time of each function, called in turns for `seconds` each."""
    times = []
    for function in functions:
        function()  # warm caches
        times.append(min(timeit.repeat(function, number=1, repeat=3)))
    numbers = [max(1, int(0.02 / t)) for t in times]
    rounds = max(3, int(seconds / max(n * t for n, t in zip(numbers, times, strict=True))))
    for _ in range(min(rounds, 50)):
        for i, function in enumerate(functions):
            times[i] = min(times[i], timeit.timeit(function, number=numbers[i]) / numbers[i])
    return times


def report(what: str, ours: float, theirs: float, goal: str) -> None:
    print(f"{what:66} {ours / theirs:8.3g}   ({ours * 1e3:.3g} ms)  {goal}")


def influence() -> object:
    return linrelay.solve(L, P, T, digits=DIGITS).influence


def two_log_gamma_series() -> None:
    """What any evaluation by FLINT needs, at the caller's own precision."""
    for point in (P, P + T):
        flint.arb_series([point + 1, -1], L).lgamma()


def by_mpmath() -> object:
    """The same closed form and digits with mpmath's polygamma functions."""
    with mpmath.workdps(DIGITS + 5):
        n = mpmath.mpf(P + T)
        p = [mpmath.digamma(n + 1) - mpmath.digamma(P + 1)]
        p += [mpmath.zeta(r, P + 1) - mpmath.zeta(r, n + 1) for r in range(2, L)]
        h = [mpmath.mpf(1)]
        for j in range(1, L):
            h.append(mpmath.fsum(p[r - 1] * h[j - r] for r in range(1, j + 1)) / j)
        tails = linrelay.Relay(L).tails
        return P / n * mpmath.fsum(int(tails[j]) * h[j] for j in range(L))


def pari() -> Callable[[], object] | None:
    """The same closed form and digits with PARI's zeta functions, not certified.

    PARI's log-gamma of a power series takes a thousand times longer at n = 10^12.
    """
    try:
        import cypari
    except ImportError:
        return None
    tails = "+".join(f"{int(x)}*z^{L - 1 - j}" for j, x in enumerate(linrelay.Relay(L).tails))
    cypari.pari.set_real_precision(DIGITS + 5)
    evaluate = cypari.pari(
        f"() -> my(n={P}+{T}, p=psi(n+1.)-psi({P}+1.),"
        f" s=p*z+sum(r=2, {L - 1}, (zetahurwitz(r,{P}+1)-zetahurwitz(r,n+1))*z^r/r)+O(z^{L}));"
        f" {P}/n*polcoef(({tails})*exp(s), {L - 1})"
    )
    value = str(evaluate()).replace(" E", "e")
    truth = Fraction(linrelay.solve(L, P, T).influence.to_decimal())
    assert abs(Fraction(value) / truth - 1) < Fraction(1, 10**45), value
    return evaluate  # type: ignore[no-any-return]


def import_times() -> None:
    def load(modules: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", f"import {modules}"], check=True)

    ours, theirs, empty = best(load("linrelay"), load("numpy, flint"), load("sys"), seconds=6)
    report("import linrelay / import numpy, flint", ours - empty, theirs - empty, "≤ 1.5")


def main() -> None:
    print("ratio = linrelay / other; below 1 linrelay is faster\n")
    assert abs(float(by_mpmath()) / float(linrelay.solve(L, P, T)) - 1) < 1e-14  # type: ignore[arg-type]
    title = f"solve({L}, {P}, 10^12).influence, {DIGITS} digits"
    with flint.ctx.workprec(BITS):
        flint.ctx.cap, cap = L, flint.ctx.cap
        ours, theirs = best(influence, two_log_gamma_series, seconds=3)
        flint.ctx.cap = cap
    report(f"{title} / two bare Arb log-gamma series", ours, theirs, "≤ 2.5")
    ours, theirs = best(influence, by_mpmath)
    report(f"{title} / mpmath", ours, theirs, "≤ 0.05")
    if function := pari():
        ours, theirs = best(influence, function)
        report(f"{title} / PARI", ours, theirs, "< 1")
    for t in (10**3, 10**100, 10**1000):
        other, mine = best(
            lambda t=t: linrelay.solve(L, P, t).influence,  # type: ignore[misc]
            influence,
        )
        report(f"  the same at t = 10^{len(str(t)) - 1} / at t = 10^12", other, mine, "≈ 1")
    other, mine = best(lambda: linrelay.solve(L, P, T).exponent, influence)
    report("  exponent alone / influence alone", other, mine, "")

    ours, theirs = best(
        lambda: linrelay.solve(2, 1, 10**5, residual=0).exact(),
        lambda: flint.fmpq.harmonic(10**5), seconds=3,
    )  # fmt: skip
    report("solve(2, 1, 10^5, residual=0).exact() / FLINT's harmonic number", ours, theirs, "≤ 8")
    ours = best(lambda: linrelay.solve(12, 64, 10**4).exact(), seconds=3)[0]
    print(f"{'solve(12, 64, 10^4).exact()':66} {'':8}   ({ours * 1e3:.3g} ms)  well under 500")

    t = np.arange(1.0, 1_000_001)
    relay = linrelay.Relay(12)
    ours, theirs = best(
        lambda: linrelay.curve(relay, 64, t).influence,
        lambda: float_layers(relay, 64, 1_000_000), seconds=3,
    )  # fmt: skip
    report("curve(12, 64, 1..10^6).influence / 12 NumPy cumulative sums", ours, theirs, "")
    ours = best(lambda: linrelay.curve(relay, 64, t).exponent, seconds=3)[0]
    print(f"{'curve(12, 64, 1..10^6).exponent':66} {'':8}   ({ours * 1e3:.3g} ms)  about 1000")
    import_times()


if __name__ == "__main__":
    main()
