"""Harmonic sums as SymPy expressions, in four forms."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import sympy
from flint import fmpq
from mpmath.libmp import prec_to_dps
from sympy.core.symbol import uniquely_named_symbol
from sympy.polys.rings import ring

from linrelay._special import gamma, harmonic, polygamma
from linrelay._sums.exact import ExactSums
from linrelay._sums.interface import harmonic_from_power_sums


class SymbolicSums:
    """h_j(P+1, P+t) for j < length: here as polynomials in the power sums p_r.

    p_r = H_n^(r) − H_P^(r), with harmonic numbers of order r.
    """

    #: Whether the number of terms grows like the number of partitions of j.
    expands: ClassVar[bool] = True

    def __init__(self, P: sympy.Expr, t: sympy.Expr, length: int) -> None:
        self.P, self.t, self.n = P, t, P + t
        self._length = length

    @cached_property
    def h(self) -> Sequence[sympy.Expr]:
        """The sums h_0, h_1 and so on."""
        return harmonic_sums([self._power_sum(r) for r in range(1, self._length)])

    def dot(self, weights: Sequence[sympy.Expr], sums: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return Σ_j weights_j sums_j."""
        return sympy.Add(*map(operator.mul, weights, sums))

    def _power_sum(self, r: int) -> sympy.Expr:
        return harmonic(self.n, sympy.Integer(r)) - harmonic(self.P, sympy.Integer(r))


class PolygammaSums(SymbolicSums):
    """The same, with p_1 = ψ(n+1) − ψ(P+1) and p_r = ζ(r, P+1) − ζ(r, n+1)."""

    def _power_sum(self, r: int) -> sympy.Expr:
        return log_gamma_power_sum(r, self.P + 1) - log_gamma_power_sum(r, self.n + 1)


class NestedSums(SymbolicSums):
    """h_j = Σ_{P < m_j ≤ … ≤ m_1 ≤ n} 1/(m_1 ⋯ m_j)."""

    expands = False

    @cached_property
    def h(self) -> Sequence[sympy.Expr]:
        """The sums h_0, h_1, … as nested sums."""
        return [sympy.S.One] + [NestedSum.of(j, self.P + 1, self.n) for j in range(1, self._length)]


class GeneratingSums(SymbolicSums):
    """h_j = [z^j] Γ(n+1) Γ(P+1−z) / (Γ(P+1) Γ(n+1−z))."""

    expands = False

    @cached_property
    def h(self) -> sympy.Expr:
        """The generating function Σ_j h_j z^j."""
        P, n, z = self.P, self.n, self._z
        return gamma(n + 1) * gamma(P + 1 - z) / (gamma(P + 1) * gamma(n + 1 - z))

    def dot(self, weights: Sequence[sympy.Expr], sums: sympy.Expr) -> sympy.Expr:
        """Return Σ_j weights_j h_j as one coefficient, of z^(length−1)."""
        if not self._length:
            return sympy.S.Zero
        z, top = self._z, self._length - 1
        reverse = sympy.Add(*(w * z ** (top - j) for j, w in enumerate(weights[: top + 1])))
        return Coefficient(reverse * sums, z, sympy.Integer(top))

    @property
    def _z(self) -> sympy.Symbol:
        return uniquely_named_symbol("z", [self.P, self.t])


def harmonic_sums(power_sums: Sequence[sympy.Expr]) -> list[sympy.Expr]:
    """Return h_0, h_1 and so on, multiplied out in the given power sums p_1, p_2, …."""
    if not power_sums:
        return [sympy.S.One]
    polynomials, *p = ring([f"p{r}" for r in range(1, len(power_sums) + 1)], sympy.QQ)
    h = harmonic_from_power_sums(p, polynomials.one, lambda x, j: x.quo_ground(sympy.QQ(j)))
    return [x.as_expr(*power_sums) for x in h]


def log_gamma_power_sum(r: int, x: sympy.Expr) -> sympy.Expr:
    """Return r [z^r] log Γ(x − z): −ψ(x) for r = 1, ζ(r, x) above, as a polygamma function."""
    return (-1) ** r * polygamma(sympy.Integer(r - 1), x) / sympy.factorial(r - 1)


class NestedSum(sympy.Sum):  # type: ignore[misc]
    """Σ_{m_1=a}^{b} 1/m_1 Σ_{m_2=a}^{m_1} 1/m_2 …, which `doit` sums where a and b are integers."""

    @classmethod
    def of(cls, depth: int, a: sympy.Expr, b: sympy.Expr) -> NestedSum:
        """Return the sum over `depth` indices from a to b."""
        m: list[Any] = []
        for i in range(1, depth + 1):
            plain = uniquely_named_symbol(f"m_{i}", [a, b])
            m.append(sympy.Symbol(plain.name, integer=True, positive=True))
        limits = [(m[i], a, m[i - 1] if i else b) for i in reversed(range(depth))]
        return cls(sympy.Mul(*(1 / x for x in m)), *limits)

    def doit(self, **hints: Any) -> Any:
        """Return the sum as a fraction where its ends are integers, else unchanged."""
        depth, a, b = len(self.limits), self.limits[-1][1], self.limits[-1][2]
        if not (a.is_Integer and b.is_Integer and a >= 1):
            return self
        same = NestedSum.of(depth, a, b)
        if self != same.xreplace(dict(zip(same.variables, self.variables, strict=True))):
            return self  # something was put in for its parts: no sum of this kind any more
        if b < a:
            return sympy.S.Zero
        sums = ExactSums(int(a) - 1, int(b - a) + 1, depth + 1)
        numerators, D = sums.h
        value = fmpq(numerators[depth], D**depth)
        return sympy.Rational(int(value.p), int(value.q))

    def _latex(self, printer: Any) -> str:
        indices = [printer._print(m) for m, _, _ in self.limits]
        _, a, b = self.limits[-1]
        ends = [printer._print(x) for x in (a, b)]
        below = r" \leq ".join([ends[0], *indices, ends[1]])
        return rf"\sum_{{{below}}} {printer._print(self.function)}"

    def _eval_evalf(self, prec: int) -> Any:
        value = self.doit()
        return value._eval_evalf(prec) if value.is_Rational else None

    def _code(self, printer: Any) -> str:
        # SymPy before 1.13 writes the ranges in the wrong order.
        code = ""
        for m, low, high in self.limits:
            term = f"({printer._print(1 / m)})" + (f"*{code}" if code else "")
            span = f"range({printer._print(low)}, {printer._print(high)} + 1)"
            total = printer._module_format("builtins.sum")
            code = f"({total}({term} for {printer._print(m)} in {span}))"
        return code

    _mpmathcode = _scipycode = _numpycode = _pythoncode = _code


class Coefficient(sympy.Expr):  # type: ignore[misc]
    """[z^k] f(z), the Taylor coefficient at zero, not computed before `doit`.

    `doit` takes products of polynomials in z and of gamma functions at a − z, to integer powers,
    by their logarithms' power series; other functions by differentiating k times.
    """

    def __new__(cls, function: Any, z: Any, k: Any) -> Any:
        """Return the coefficient of z**k in the expression `function`."""
        return super().__new__(cls, sympy.sympify(function), z, sympy.Integer(k))

    @property
    def free_symbols(self) -> set[Any]:
        """The symbols without z, which is bound."""
        return set(self.args[0].free_symbols - {self.args[1]})

    @property
    def bound_symbols(self) -> list[Any]:
        """The variable z."""
        return [self.args[1]]

    def doit(self, **hints: Any) -> Any:
        """Return the coefficient in polygamma functions, a fraction where they cancel."""
        return self.in_polygamma().doit(**hints)

    def in_polygamma(self) -> Any:
        """Return the coefficient in polygamma functions that are left as they are."""
        function, z, k = self.args
        constant, polynomial, powers = sympy.S.One, sympy.S.One, dict.fromkeys(range(1, k + 1), 0)
        for factor in sympy.Mul.make_args(function):
            base, exponent = factor.as_base_exp()
            if not factor.has(z):
                constant *= factor
            elif factor.is_polynomial(z):
                polynomial *= factor
            elif _is_gamma_at_minus_z(base, z) and exponent.is_Integer:
                at = base.args[0] + z
                constant *= gamma(at) ** exponent
                for r in powers:
                    powers[r] += exponent * log_gamma_power_sum(r, at)
            else:
                derivative = sympy.diff(function, z, k).subs(z, 0)
                return derivative / sympy.factorial(k)
        h = harmonic_sums([powers[r] for r in range(1, k + 1)])
        coefficients = reversed(sympy.Poly(polynomial, z).all_coeffs())
        terms = [c * h[k - i] for i, c in enumerate(coefficients) if i <= k]
        return constant * sympy.Add(*terms)

    def _eval_subs(self, old: Any, new: Any) -> Any:
        function, z, k = self.args
        if not self.free_symbols & old.free_symbols:
            return self
        if z in new.free_symbols:
            bound = uniquely_named_symbol(z.name, [function, new])
            function, z = function.xreplace({z: bound}), bound
        return self.func(function.subs(old, new), z, k)

    def _eval_derivative(self, symbol: Any) -> Any:
        function, z, k = self.args
        return Coefficient(function.diff(symbol), z, k) if symbol != z else sympy.S.Zero

    def _eval_evalf(self, prec: int) -> Any:
        return self.in_polygamma().evalf(prec_to_dps(prec) + 1)._eval_evalf(prec)

    def _sympystr(self, printer: Any) -> str:
        function, z, k = map(printer._print, self.args)
        return f"Coefficient({function}, {z}, {k})"

    def _latex(self, printer: Any) -> str:
        function, z, k = self.args
        body = printer.parenthesize(function, sympy.printing.precedence.PRECEDENCE["Mul"])
        return rf"\left[{printer._print(z)}^{{{printer._print(k)}}}\right] {body}"

    def _code(self, printer: Any) -> str:
        return f"({printer._print(self.in_polygamma())})"

    _mpmathcode = _scipycode = _numpycode = _pythoncode = _code


def _is_gamma_at_minus_z(function: Any, z: Any) -> bool:
    return isinstance(function, sympy.gamma) and not (function.args[0] + z).has(z)
