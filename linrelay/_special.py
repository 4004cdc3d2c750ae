"""SymPy's harmonic, polygamma and gamma functions, made safe for large integers.

SymPy sums harmonic(10**12) and multiplies gamma(10**12) out as soon as they are written. These
subclasses become numbers at small integers only, print as papers do, and evalf through FLINT.
"""

from __future__ import annotations

import operator
from typing import Any

import sympy
from flint import arb, arb_series
from mpmath.libmp import from_man_exp
from sympy.core.function import ArgumentIndexError

from linrelay._flint import at_precision
from linrelay._sums.exact import ExactSums

EVALUATED = 100  # integers up to which functions become numbers unasked
_MAX_DIGITS = 100_000  # of the fractions that doit makes
_MAX_EXTRA_BITS = 2**16


class harmonic(sympy.harmonic):  # type: ignore[misc]  # noqa: N801 (SymPy's name)
    """H_n^(r) = Σ_{m=1}^{n} 1/m^r for an integer r ≥ 1; an r of 1 is not written."""

    @classmethod
    def eval(cls, n: Any, r: Any = None) -> Any:
        """Return a fraction where n is an integer from 0 to 100, and H_n for H_n^(1)."""
        if r == 1:
            return cls(n)
        if n.is_Integer and 0 <= n <= EVALUATED and _is_order(r or sympy.S.One):
            return _harmonic_number(int(n), int(r or 1))
        return None

    @property
    def order(self) -> Any:
        """The order r."""
        return self.args[1] if len(self.args) > 1 else sympy.S.One

    def doit(self, **hints: Any) -> Any:
        """Return a fraction where n is an integer and it has at most about 100,000 digits."""
        n, r = (x.doit(**hints) for x in (self.args[0], self.order))
        if n.is_Integer and n >= 0 and _is_order(r) and n * r * 45 <= 100 * _MAX_DIGITS:
            return _harmonic_number(int(n), int(r))
        return harmonic(n, r)

    def fdiff(self, argindex: int = 1) -> Any:
        """Return the derivative in n, r ζ(r+1, n+1), as a polygamma function."""
        if argindex != 1:
            raise ArgumentIndexError(self, argindex)
        r = self.order
        return (-1) ** (r + 1) * polygamma(r, self.args[0] + 1) / sympy.factorial(r - 1)

    def _eval_evalf(self, prec: int) -> Any:
        n, r = self.args[0], self.order
        if not (n.is_extended_real and _is_order(r)):
            return super()._eval_evalf(prec)
        factor = int(-r if r % 2 else r)

        def enclose(bits: int) -> arb:
            terms = [log_gamma_term(x, int(r), bits) for x in (arb(1), _ball(n + 1, bits))]
            (difference,) = at_precision(bits, operator.sub, terms[:1], terms[1:])
            (result,) = at_precision(bits, arb.__mul__, (difference,), (factor,))
            return result

        return _to_float(enclose, prec)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        n = printer._print(self.args[0])
        r = rf"^{{\left({printer._print(self.order)}\right)}}" if len(self.args) > 1 else ""
        return _power(f"H_{{{n}}}{r}", exp, bool(r))

    def _code(self, printer: Any) -> str:
        # SymPy's printer for SciPy leaves the brackets out.
        n, r = self.args[0], self.order
        constant = sympy.EulerGamma if r == 1 else sympy.zeta(r)
        term = (-1) ** (r + 1) * polygamma(r - 1, n + 1) / sympy.factorial(r - 1)
        return f"({printer._print(constant + term)})"

    _mpmathcode = _numpycode = _scipycode = _code


class polygamma(sympy.polygamma):  # type: ignore[misc]  # noqa: N801 (SymPy's name)
    """ψ^(m)(x), the m-th derivative of the digamma function."""

    @classmethod
    def eval(cls, m: Any, x: Any) -> Any:
        """Return the value in terms of γ, π and ζ where x is an integer from 1 to 101."""
        if m.is_Integer and m >= 0 and x.is_Integer and 1 <= x <= EVALUATED + 1:
            return _polygamma_value(m, harmonic(x - 1, m + 1))
        return None

    def doit(self, **hints: Any) -> Any:
        """Return the value at an integer, where its fraction is not too long."""
        m, x = (arg.doit(**hints) for arg in self.args)
        if m.is_Integer and m >= 0 and x.is_Integer and x >= 1:
            rational = harmonic(x - 1, m + 1).doit()
            if rational.is_Rational:
                return _polygamma_value(m, rational)
        return polygamma(m, x)

    def fdiff(self, argindex: int = 2) -> Any:
        """Return the derivative in x, ψ^(m+1)(x)."""
        if argindex != 2:
            raise ArgumentIndexError(self, argindex)
        return polygamma(self.args[0] + 1, self.args[1])

    def _eval_evalf(self, prec: int) -> Any:
        m, x = self.args
        if not (x.is_extended_real and m.is_Integer and m >= 0):
            return super()._eval_evalf(prec)
        factor = int(sympy.factorial(m + 1))

        def enclose(bits: int) -> arb:
            term = log_gamma_term(_ball(x, bits), int(m) + 1, bits)
            (result,) = at_precision(bits, arb.__mul__, (term,), (factor,))
            return result

        return _to_float(enclose, prec)

    def _numpycode(self, printer: Any) -> str:
        return f"({printer._print(sympy.polygamma(*self.args, evaluate=False))})"

    _scipycode = _numpycode

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        m, x = self.args
        order = "" if m == 0 else rf"^{{\left({printer._print(m)}\right)}}"
        return _power(rf"\psi{order}\left({printer._print(x)}\right)", exp, True)


class gamma(sympy.gamma):  # type: ignore[misc]  # noqa: N801 (SymPy's name)
    """Γ(x), multiplied out for integers up to 101 only."""

    @classmethod
    def eval(cls, x: Any) -> Any:
        """Return (x − 1)! where x is an integer from 1 to 101."""
        if x.is_Integer and 1 <= x <= EVALUATED + 1:
            return sympy.factorial(x - 1)
        return None


def log_gamma_term(x: arb, order: int, bits: int) -> arb:
    """Return the coefficient of z^order, order ≥ 1, in log Γ(x + z), for x > 0.

    It is ψ^(order−1)(x) / order!, or (−1)^order ζ(order, x) / order for order ≥ 2.
    """
    length = order + 1
    argument = arb_series([x, 1], length)
    (series,) = at_precision(bits, arb_series.lgamma, (argument,), length=length)
    return series[order]


def _is_order(r: Any) -> bool:
    return bool(r.is_Integer and r >= 1)


def _harmonic_number(n: int, r: int) -> sympy.Rational:
    if n == 0:
        return sympy.S.Zero
    value = ExactSums(0, n, r + 1).power_sum(r)
    return sympy.Rational(int(value.p), int(value.q))


def _polygamma_value(m: Any, rational: Any) -> Any:
    """Return ψ^(m)(n + 1) from H_n^(m+1)."""
    if m == 0:
        return rational - sympy.EulerGamma
    return (-1) ** (m + 1) * sympy.factorial(m) * (sympy.zeta(m + 1) - rational)


def _ball(x: Any, bits: int) -> arb:
    """Return a SymPy real number as a ball: exact where it is an integer."""
    if x.is_Integer:
        return arb(int(x))
    value = x.evalf(int(bits * 0.302) + 2)
    sign, mantissa, exponent, _ = value._mpf_
    middle = arb(-int(mantissa) if sign else int(mantissa))
    # evalf's last bits are not certain.
    factors = arb(1, arb((1, 2 - bits))), arb((1, int(exponent)))
    (ball,) = at_precision(bits, arb.__mul__, (middle,), factors[:1])
    (ball,) = at_precision(bits, arb.__mul__, (ball,), factors[1:])
    return ball


def _to_float(enclose: Any, prec: int) -> Any:
    """Return a SymPy Float right to `prec` bits from balls at higher and higher precision."""
    bits = prec + 20
    while True:
        ball: arb = enclose(bits)
        if ball.rel_accuracy_bits() >= prec + 2 or bits > prec + _MAX_EXTRA_BITS:
            break
        bits += bits - prec
    mantissa, exponent = ball.mid().man_exp()
    return sympy.Float._new(from_man_exp(int(mantissa), int(exponent), prec, "n"), prec)


def _power(text: str, exp: str | None, bracket: bool) -> str:
    if exp is None:
        return text
    return rf"\left({text}\right)^{{{exp}}}" if bracket else f"{text}^{{{exp}}}"
