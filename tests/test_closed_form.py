"""Closed forms against exact references, certified values, and their own traps."""

import pickle
import sys
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from linrelay import Relay, closed_form, curve, solve
from linrelay._special import gamma, harmonic, polygamma
from linrelay._sums.symbolic import Coefficient
from linrelay.errors import ArgumentTypeError, ArgumentValueError, SizeError
from tests.oracles import models, recursion, reference

P, t = sympy.symbols("P t", integer=True, positive=True)
w, r, z = sympy.Symbol("w", real=True), sympy.Symbol("r", real=True), sympy.Symbol("z")
FORMS = ["harmonic", "polygamma", "nested", "generating"]
forms = pytest.mark.parametrize("form", FORMS)


@forms
def test_equals_the_reference_with_numbers_put_in(form: Any) -> None:
    for entry in reference("exact.json"):
        L, gain, residual = entry["L"], entry["gain"], entry["residual"]
        expected = sympy.Rational(entry["influence"])
        symbolic = closed_form(L, gain=gain, residual=residual, form=form)
        assert symbolic.free_symbols <= {P, t}
        assert symbolic.subs({P: entry["P"], t: entry["t"]}).doit() == expected
        assert closed_form(L, entry["P"], entry["t"], gain, residual, form).doit() == expected


@pytest.mark.parametrize("L", range(1, 13))
@forms
def test_symbolic_weights(L: int, form: Any) -> None:
    expression = closed_form(L, form=form)
    assert expression.free_symbols == {P, t, w} | ({r} if L > 1 else set())
    values = {P: 3, t: 5, w: sympy.Rational(-2, 3), r: sympy.Rational(5, 4)}
    delta = [Fraction(1)] * 3 + [Fraction(0)] * 5
    expected = recursion([Fraction(-2, 3)] * L, [Fraction(5, 4)] * L, delta)[-1]
    assert expression.subs(values).doit() == sympy.Rational(str(expected))


@given(models(max_depth=5), st.integers(1, 5), st.integers(1, 8), st.sampled_from(FORMS))
def test_symbols_per_layer(model: tuple[Any, Any], p: int, tokens: int, form: Any) -> None:
    """Random per-layer rationals, negative and zero ones too, put in for a symbol per layer."""
    gains, residuals = model
    L = len(gains)
    symbols = sympy.symbols(f"w1:{L + 1}"), sympy.symbols(f"r1:{L + 1}")
    expression = closed_form(L, gain=symbols[0], residual=symbols[1], form=form)
    values = {
        s: sympy.Rational(str(x)) for s, x in zip(sum(symbols, ()), gains + residuals, strict=True)
    }
    delta = [Fraction(1)] * p + [Fraction(0)] * tokens
    expected = recursion(gains, residuals, delta)[-1]
    found = expression.subs({**values, P: p, t: tokens}).doit()
    assert found == sympy.Rational(str(expected))


@pytest.mark.parametrize("tokens", [1, 90, 10**4, 10**12, 10**1000], ids=lambda x: f"{len(str(x))}")
@pytest.mark.parametrize("prompt", [1, 64, 10**9])
@pytest.mark.parametrize("form", ["harmonic", "polygamma", "generating"])
def test_evalf_is_within_the_certified_value(form: Any, prompt: int, tokens: int) -> None:
    expected = solve(6, prompt, tokens, digits=60).influence
    for expression in (
        closed_form(6, prompt, tokens, 1, 1, form),
        closed_form(6, form=form).subs({P: prompt, t: tokens, w: 1, r: 1}),
    ):
        value = expression.evalf(50)
        assert abs(sympy.Rational(value) - expected.mid) <= abs(sympy.Rational(value)) / 10**49


@forms
@pytest.mark.parametrize("module", ["mpmath", "scipy"])
def test_lambdify(form: Any, module: str) -> None:
    function = sympy.lambdify((P, t, w, r), closed_form(5, form=form), module)
    for prompt, tokens in [(1, 1), (3, 50), (20, 7)]:
        expected = float(solve(5, prompt, tokens, gain=2, residual="1/3"))
        assert float(function(prompt, tokens, 2, 1 / 3)) == pytest.approx(expected, rel=1e-12)


def test_lambdified_curves() -> None:
    tokens = np.array([1.0, 10.0, 1e3, 1e6])
    for form in ("harmonic", "polygamma", "generating"):
        function = sympy.lambdify(t, closed_form(4, 8, gain=1, residual=1, form=form), "scipy")
        np.testing.assert_allclose(function(tokens), curve(4, 8, tokens).influence, rtol=1e-11)


def test_doit_makes_long_fractions_that_need_not_print() -> None:
    exact = solve(5, 3, 2000).exact()
    assert max(exact.size()) > 3000
    for form in FORMS:
        value = closed_form(5, 3, 2000, 1, 1, form).doit()
        assert (value.p, value.q) == (exact.numerator, exact.denominator)
    assert str(closed_form(5, 3, 2000, 1, 1)).count("harmonic(2003") >= 3
    assert str(closed_form(2, 1, 10**12, 1, 1).doit()).count("harmonic(1000000000001)") == 1


@forms
def test_pickles_prints_and_is_reproducible(form: Any) -> None:
    expression = closed_form(4, form=form)
    assert pickle.loads(pickle.dumps(expression)) == expression == closed_form(4, form=form)
    assert "operatorname" not in sympy.latex(expression)
    assert expression._repr_latex_().startswith("$")


def test_latex_is_that_of_papers() -> None:
    assert sympy.latex(harmonic(t, 2) ** 3) == r"\left(H_{t}^{\left(2\right)}\right)^{3}"
    assert sympy.latex(harmonic(t) ** 2) == "H_{t}^{2}"
    assert sympy.latex(polygamma(0, t)) == r"\psi\left(t\right)"
    nested = sympy.latex(closed_form(3, gain=1, residual=0, form="nested"))
    assert r"\sum_{P + 1 \leq m_{2} \leq m_{1} \leq P + t} \frac{1}{m_{1} m_{2}}" in nested
    assert r"\left[z^{2}\right]" in sympy.latex(closed_form(3, form="generating"))


def test_own_symbols() -> None:
    k, m_1 = sympy.symbols("k m_1", integer=True, positive=True)
    expression = closed_form(3, P=k, t=2 * k, gain=w, residual=0)
    assert expression.free_symbols == {k, w}
    assert expression.subs({k: 3, w: 1}) == closed_form(3, 3, 6, 1, 0)
    nested = closed_form(3, P=m_1, t=z, gain=1, residual=1, form="nested")
    assert nested.subs({m_1: 2, z: 4}).doit() == closed_form(3, 2, 4, 1, 1)
    generating = closed_form(3, P=z + 1, t=t, gain=1, residual=1, form="generating")
    assert generating.subs({z: 1, t: 4}).doit() == closed_form(3, 2, 4, 1, 1)
    assert closed_form(Relay(3, gain="1/2"), 2, 4) == closed_form(3, 2, 4, "1/2", 1)


def test_no_relay_at_all_leaves_nothing() -> None:
    for form in FORMS:
        assert closed_form(3, gain=0, residual=1, form=form) == 0


@pytest.mark.parametrize("x", [sympy.Rational(1, 3), sympy.Float("2.5", 40), 1000, 10**50])
@pytest.mark.parametrize("order", [1, 2, 3, 7])
def test_special_functions_against_mpmath(x: Any, order: int) -> None:
    with mpmath.workdps(80):
        y = mpmath.mpf(sympy.sympify(x)._to_mpmath(260))
        psi = mpmath.polygamma(order - 1, y)
        H = mpmath.harmonic(y) if order == 1 else mpmath.zeta(order) - mpmath.zeta(order, y + 1)
        for found, expected in [(polygamma(order - 1, x), psi), (harmonic(x, order), H)]:
            value = mpmath.mpf(found.evalf(35)._to_mpmath(200))
            assert abs(value - expected) <= abs(expected) * mpmath.mpf(10) ** -34
    assert sympy.harmonic(7, order) == harmonic(7, order)
    assert sympy.simplify(sympy.polygamma(order - 1, 7) - polygamma(order - 1, 7)) == 0


def test_derivatives() -> None:
    for f in (harmonic(t), harmonic(t, 3), polygamma(0, t), polygamma(2, t)):
        slope = f.diff(t).subs(t, 150).evalf(20)
        h = sympy.Rational(1, 10**12)
        quotient = (f.subs(t, 150 + h) - f.subs(t, 150 - h)).evalf(40) / (2 * h)
        assert abs(slope - quotient) < abs(slope) * 10**-18


def test_coefficient() -> None:
    a = sympy.Symbol("a")
    assert Coefficient(sympy.exp(a * z), z, 3).doit() == a**3 / 6
    assert Coefficient(1 / (1 - z) ** 2, z, 4).doit() == 5
    assert Coefficient(gamma(3 - z) / gamma(6 - z) * 60, z, 1).doit() == sympy.Rational(47, 60)
    assert Coefficient(a * z, z, 1).subs(z, 7) == Coefficient(a * z, z, 1)
    assert Coefficient(a + z, z, 0).subs(a, z).doit() == z
    assert Coefficient(a**2 * z, z, 1).diff(a).doit() == 2 * a


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"L": 0}, ArgumentValueError, "L must be an integer ≥ 1, got 0"),
        ({"L": 3, "P": 0}, ArgumentValueError, "P must be an integer ≥ 1, got 0"),
        ({"L": 3, "t": 1.5}, ArgumentValueError, r"t must be an integer ≥ 1, got 1\.5"),
        ({"L": 3, "t": "x"}, ArgumentTypeError, "t must be an integer ≥ 1, got 'x'"),
        ({"L": 3, "P": -t}, ArgumentValueError, "P must be a positive integer, got -t"),
        ({"L": 3, "gain": [1, 2]}, ArgumentValueError, "gain must be one number or one for each"),
        ({"L": 3, "gain": sympy.oo}, ArgumentValueError, "gain must be finite, got oo"),
        ({"L": 3, "residual": "x"}, ArgumentValueError, "residual must be a rational number"),
        ({"L": 3, "form": "series"}, ArgumentValueError, "form must be one of harmonic, polyg"),
        ({"L": Relay(3), "gain": 1}, ArgumentTypeError, "gain and residual belong to L"),
        ({"L": 60}, SizeError, "depth L=60 is predicted to have more than 50000 terms"),
        ({"L": 10**10}, SizeError, "L must be at most 50000"),
        ({"L": 30, "gain": sympy.symbols("w1:31")}, SizeError, "depth L=30 is predicted"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        closed_form(**arguments)


def test_settings_are_left_alone() -> None:
    before = sys.get_int_max_str_digits(), mpmath.mp.prec
    closed_form(12, 64, 10**12, 1, 1).evalf(50)
    assert (sys.get_int_max_str_digits(), mpmath.mp.prec) == before
