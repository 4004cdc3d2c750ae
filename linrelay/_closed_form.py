"""Closed forms: the influence as a SymPy expression."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import sympy

from linrelay import _formula
from linrelay._model import Relay
from linrelay._reading import integer, rational, show
from linrelay._sums.symbolic import GeneratingSums, NestedSums, PolygammaSums, SymbolicSums
from linrelay.errors import ArgumentTypeError, ArgumentValueError, SizeError

FORMS: dict[str, type[SymbolicSums]] = {
    "harmonic": SymbolicSums,
    "polygamma": PolygammaSums,
    "nested": NestedSums,
    "generating": GeneratingSums,
}
Form = Literal["harmonic", "polygamma", "nested", "generating"]

_MAX_TERMS = 50_000


def closed_form(
    L: int | Relay,
    P: Any = None,
    t: Any = None,
    gain: Any = None,
    residual: Any = None,
    form: Form = "harmonic",
) -> sympy.Expr:
    """Return the influence δ = (P/n) Σ_j T_j h_j(P+1, n), n = P + t, as a SymPy expression.

    Parameters
    ----------
    L : int or Relay
        Depth ≥ 1, or a model with its weights.
    P, t : int or SymPy expression, optional
        Prompt length and number of tokens after it; without a value the symbols P and t,
        positive integers.
    gain, residual : number, SymPy expression or a sequence of L of them, optional
        Weights w_ℓ and r_ℓ, kept exactly; without a value the real symbols w and r, the same for
        all layers.
    form : {"harmonic", "polygamma", "nested", "generating"}
        How the harmonic sums h_j are written: as polynomials in the differences
        H_n^(r) − H_P^(r) of harmonic numbers, or in polygamma functions ψ^(r−1); as explicit
        nested sums; or through their generating function, a quotient of Gamma functions, of which
        the expression is a coefficient.

    Returns
    -------
    sympy.Expr
        Exact. Harmonic numbers, polygamma and Gamma functions become numbers at integers up to
        100; at larger ones, and for nested sums and coefficients, `doit()` makes the fraction,
        and `evalf` is right to the digits asked for at any size of t.

    Raises
    ------
    ArgumentValueError, ArgumentTypeError
        Where an argument is not as described.
    SizeError
        Where the expression is predicted to have more than 50,000 terms.

    Examples
    --------
    >>> import linrelay
    >>> linrelay.closed_form(2, gain=1, residual=1)
    P*(-harmonic(P) + harmonic(P + t) + 3)/(P + t)
    >>> linrelay.closed_form(3, P=1, t=9, gain=1, residual=1)
    107011963/63504000
    """
    if not isinstance(form, str) or form not in FORMS:
        raise ArgumentValueError(f"form must be one of {', '.join(FORMS)}, got {show(form)}")
    sums = FORMS[form]
    tails = _tails(L, gain, residual, sums.expands)
    reach = max((j + 1 for j, tail in enumerate(tails) if tail != 0), default=0)
    return _formula.influence(tails[:reach], sums(_length("P", P), _length("t", t), reach))


def _length(name: str, value: Any) -> sympy.Expr:
    """Return a number of tokens as an expression: the symbol of that name where none is given."""
    if value is None:
        return sympy.Symbol(name, integer=True, positive=True)
    if isinstance(value, sympy.Expr) and not value.is_number:
        if value.is_positive is False or value.is_integer is False:
            raise ArgumentValueError(f"{name} must be a positive integer, got {show(value)}")
        return value
    return sympy.Integer(integer(name, value))


def _weight(name: str, value: Any) -> sympy.Expr:
    if isinstance(value, sympy.Expr) and not isinstance(value, sympy.Rational | sympy.Float):
        if value.is_finite is False or value is sympy.nan:
            raise ArgumentValueError(f"{name} must be finite, got {show(value)}")
        return value
    exact = rational(name, value)
    return sympy.Rational(exact.numerator, exact.denominator)


def _weights(name: str, symbol: str, value: Any, depth: int) -> list[sympy.Expr]:
    """Return one weight of each layer."""
    if value is None:
        return [sympy.Symbol(symbol, real=True)] * depth
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, str) or not isinstance(value, Sequence | sympy.Tuple):
        return [_weight(name, value)] * depth
    if len(value) != depth:
        raise ArgumentValueError(
            f"{name} must be one number or one for each of the {depth} layers, "
            f"got {len(value)} of them: {show(value)}"
        )
    return [_weight(f"{name}[{i}]", x) for i, x in enumerate(value)]


def _tails(L: int | Relay, gain: Any, residual: Any, expands: bool) -> list[sympy.Expr]:
    """Return the tails T_0..T_{L−1} of the transfer polynomial as expressions."""
    if isinstance(L, Relay):
        if gain is not None or residual is not None:
            raise ArgumentTypeError(
                f"gain and residual belong to L={show(L)} and cannot be given beside it"
            )
        _check_size(L.depth, L.reach, 1, expands)
        return _rationals(L)
    depth = integer("L", L)
    if depth > _MAX_TERMS:
        raise SizeError(f"L must be at most {_MAX_TERMS} for a closed form, got {show(L)}")
    w, r = _weights("gain", "w", gain, depth), _weights("residual", "r", residual, depth)
    if all(x.is_Rational for x in (*w, *r)):
        relay = Relay(depth, gain=list(map(_fraction, w)), residual=list(map(_fraction, r)))
        return _tails(relay, None, None, expands)
    layers = [(a, b) for a, b in zip(r, w, strict=True) if not (a.is_Rational and b.is_Rational)]
    _check_size(depth, depth, min(2 ** min(len(layers), 64), _monomials(layers)), expands)
    x = sympy.Dummy("x")
    factors = sympy.Mul(*(a + b * x for a, b in zip(r, w, strict=True)))
    c = sympy.Poly(factors, x).all_coeffs()[::-1]
    c += [sympy.S.Zero] * (depth + 1 - len(c))
    return [sympy.Add(*c[j + 1 :]) for j in range(depth)]


def _monomials(layers: list[tuple[sympy.Expr, sympy.Expr]]) -> int:
    """Return an upper estimate of the terms of the transfer polynomial: like layers are powers."""
    counts = [layers.count(layer) for layer in dict.fromkeys(layers)]
    terms = 1
    for count in counts:
        terms *= count + 1
    return terms


def _check_size(depth: int, reach: int, monomials: int, expands: bool) -> None:
    """Refuse an expression of too many terms."""
    terms = monomials * depth
    for j in range(reach if expands else 0):
        terms += int(sympy.functions.combinatorial.numbers.partition(j))
        if terms > _MAX_TERMS:
            break
    if terms > _MAX_TERMS:
        raise SizeError(
            f"the closed form of depth L={depth} is predicted to have more than {_MAX_TERMS} "
            "terms; form='generating' and equal or numerical weights keep it short"
        )


def _rationals(relay: Relay) -> list[sympy.Expr]:
    return [sympy.Rational(x.numerator, x.denominator) for x in relay.tails]


def _fraction(x: sympy.Rational) -> Fraction:
    return Fraction(int(x.p), int(x.q))
