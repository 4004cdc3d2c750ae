"""Balls: enclosure, honest comparison, honest digits, conversions."""

import copy
import math
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, example, given
from hypothesis import strategies as st

from linrelay import Ball
from linrelay.errors import ArgumentTypeError, ArgumentValueError, UndecidedError

fractions = st.fractions(max_denominator=10**12)
powers_of_ten = st.sampled_from([10**k for k in range(1, 60)])
radii = st.one_of(st.just(Fraction(0)), st.builds(Fraction, st.integers(1, 99), powers_of_ten))
balls = st.builds(Ball, fractions, radii)
points = st.fractions(-1, 1, max_denominator=100)  # a point of a ball is mid + point · rad


@given(balls, points, balls, points)
def test_comparisons_never_guess(a: Ball, x: Fraction, b: Ball, y: Fraction) -> None:
    """Whatever the true values are, a comparison that answers tells the truth about them."""
    true_a, true_b = a.mid + x * a.rad, b.mid + y * b.rad
    for compare in (
        lambda p, q: p < q, lambda p, q: p <= q, lambda p, q: p > q,
        lambda p, q: p >= q, lambda p, q: p == q, lambda p, q: p != q,
    ):  # fmt: skip
        try:
            answer = compare(a, b)
        except UndecidedError:
            assert a.overlaps(b)
        else:
            assert answer == compare(true_a, true_b)


@given(balls, balls)
def test_disjoint_balls_are_always_ordered(a: Ball, b: Ball) -> None:
    assume(not a.overlaps(b))
    assert (a < b) != (b < a)
    assert a != b


def test_comparison_at_the_edges() -> None:
    a, b = Ball(0, 1), Ball(2, 1)
    assert a <= b
    assert b >= a
    assert not a > b
    for undecided in (lambda: a < b, lambda: a == b, lambda: a != b, lambda: b > a, lambda: a < 0):
        with pytest.raises(UndecidedError, match="overlap"):
            undecided()
    assert a == a
    assert a <= a
    assert not a < a
    assert Ball(3) == 3 == Ball("3.0")
    assert Ball(3) <= Ball(3)
    assert Ball(1) != "1"
    assert Ball("0.5") == 0.5
    assert 0 < Ball(1, "0.5") < 2.0
    with pytest.raises(TypeError):
        assert Ball(1) < "2"  # type: ignore[operator]


@pytest.mark.parametrize("decided", [Ball(1, "1/2"), Ball(0)])
def test_truth(decided: Ball) -> None:
    assert bool(decided) == (decided.mid != 0)
    with pytest.raises(UndecidedError):
        bool(Ball(0, 1))


@given(balls, points)
def test_every_printed_digit_is_certain(ball: Ball, x: Fraction) -> None:
    """Every number in the ball, rounded to the printed length, is what is printed."""
    assume(not ball.is_exact)
    for text in (str(ball), ball.to_string(5)):
        if "±" in text:
            reach = Fraction(text.split("±")[1].strip())
            assert abs(ball.mid) + ball.rad <= reach
            continue
        shown = Decimal(text)
        last = Fraction(10) ** shown.as_tuple().exponent  # type: ignore[operator]
        assert abs(ball.mid + x * ball.rad - Fraction(shown)) <= last / 2


@given(balls)
def test_printed_digits_are_nearly_all_that_are_certain(ball: Ball) -> None:
    assume(not ball.is_exact)
    shown = 0 if "±" in str(ball) else len(str(ball).split("e")[0].replace(".", "").lstrip("-0"))
    # One digit may be lost to rounding, more only where the ball lies on a rounding boundary.
    assert shown <= ball.digits + 1
    if shown < ball.digits - 1 and shown:
        edges = {ball.to_string(k) for k in range(1, int(ball.digits) + 2)}
        assert edges <= {ball.to_string(k) for k in range(1, shown + 1)}


@given(balls)
def test_digits(ball: Ball) -> None:
    if ball.is_exact:
        assert ball.digits == math.inf
    elif ball.digits:
        assert ball.rad * 10**ball.digits <= abs(ball.mid) < ball.rad * 10 ** (ball.digits + 1)
    else:
        assert abs(ball.mid) < 10 * ball.rad


@pytest.mark.parametrize(
    ("ball", "text", "shown"),
    [
        (Ball("0.3333", "0.0001"), "0.333", "<Ball 0.333 (3 digits)>"),
        (Ball("9.9999", "0.001"), "10.00", "<Ball 10.00 (3 digits)>"),
        (Ball(0, "1e-9"), "0 ± 1e-9", "<Ball 0 ± 1e-9>"),
        (Ball("1e-80", "1e-83"), "1.00e-80", "<Ball 1.00e-80 (3 digits)>"),
        (Ball("-123412", "10"), "-1.234e+5", "<Ball -1.234e+5 (4 digits)>"),
        (Ball("1/3"), "1/3", "<Ball 1/3>"),
        (Ball(1200), "1200", "<Ball 1200>"),
        (Ball("0.125"), "0.125", "<Ball 0.125>"),
        (Ball(10**60), "1e+60", "<Ball 1e+60>"),
        (Ball(Fraction(1, 3), Fraction(1, 10**40)), "0." + "3" * 39,
         "<Ball 0.33333333333333333333… (39 digits)>"),
    ],
)  # fmt: skip
def test_text(ball: Ball, text: str, shown: str) -> None:
    assert str(ball) == text
    assert repr(ball) == shown


def test_very_long_numbers_print() -> None:
    third = Ball(Fraction(1, 3), Fraction(1, 10**6000))
    assert str(third) == "0." + "3" * 5999
    assert len(repr(third)) < 60
    assert Ball(**third.to_dict()).digits >= 5998
    assert f"{Ball('1234.5678', '0.00001'):.2f}" == "1234.57"


@example(Ball("1.0049", "0.11"), Fraction(0))  # few digits: the midpoint must not be rounded to few
@given(balls, points)
def test_conversions_enclose(ball: Ball, x: Fraction) -> None:
    """arb, interval and decimal strings contain the ball, at any ambient precision."""
    truth = ball.mid + x * ball.rad
    with flint.ctx.workprec(2), mpmath.workprec(2):
        ways = (
            Ball.enclosing(ball.to_arb()),
            Ball.enclosing(ball.to_interval()),
            Ball(**ball.to_dict()),
        )
    for back in ways:
        assert truth in back
        assert back.rad <= ball.rad * Fraction("1.02") + abs(ball.mid) / 10**15
        # Not the ball alone is contained: no point far from it is.
        assert back.lower >= ball.lower - back.rad / 50 - abs(ball.mid) / 10**15


@given(balls)
def test_pickle_and_copy(ball: Ball) -> None:
    for back in (pickle.loads(pickle.dumps(ball)), copy.copy(ball), copy.deepcopy(ball)):
        assert back.is_identical(ball)
        assert hash(back) == hash(ball)


@given(st.integers(-(10**30), 10**30), st.integers(-200, 200))
def test_dyadic_numbers_convert_exactly(mantissa: int, exponent: int) -> None:
    ball = Ball(Fraction(mantissa) * Fraction(2) ** exponent)
    assert Ball.enclosing(ball.to_arb()) == ball
    assert Ball.enclosing(ball.to_mpmath()) == ball
    assert Ball.enclosing(ball.to_interval()) == ball
    assert Ball.enclosing(ball.to_sympy()) == ball
    assert hash(ball) == hash(ball.mid)


def test_conversion_to_numbers() -> None:
    ball = Ball(Fraction(1, 3), Fraction(1, 10**30))
    assert float(ball) == 1 / 3
    assert ball.to_decimal() == Decimal("0." + "3" * 29)
    assert ball.to_sympy() == sympy.Float("0." + "3" * 29, 29)
    assert isinstance(sympy.sympify(Ball(2)), sympy.Integer)
    with mpmath.workdps(40):
        assert abs(ball.to_mpmath() - mpmath.mpf(1) / 3) < mpmath.mpf(10) ** -35
    assert Ball("1/3").to_decimal() == Decimal("0." + "3" * 50)


@pytest.mark.parametrize(
    "value",
    [2, "2", 2.0, Fraction(2), Decimal(2), np.int32(2), mpmath.mpf(2), mpmath.iv.mpf(2),
     sympy.Integer(2), flint.arb(2), flint.fmpq(2), Ball(2)],
)  # fmt: skip
def test_membership_takes_any_exact_number(value: Any) -> None:
    assert value in Ball("1.9", "0.2")
    assert value not in Ball("1.9", "0.05")


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Ball(1, -1), ArgumentValueError, "rad must be at least 0, got -1"),
        (lambda: Ball(math.nan), ArgumentValueError, "mid must be .* got nan"),
        (lambda: Ball(1, math.inf), ArgumentValueError, "rad must be .* got inf"),
        (lambda: Ball("pi"), ArgumentValueError, "mid must be .* got 'pi'"),
        (lambda: Ball.enclosing(flint.arb.nan()), ArgumentValueError, "value must be a finite"),
        (lambda: Ball.enclosing(mpmath.iv.mpf(["0", "inf"])), ArgumentValueError, "value must be"),
        (lambda: Ball.enclosing(sympy.pi), ArgumentTypeError, "value must be .* got pi"),
        (lambda: sympy.pi in Ball(3, 1), ArgumentTypeError, "value must be"),
    ],
)
def test_bad_balls(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_frozen() -> None:
    with pytest.raises(AttributeError):
        Ball(1).mid = Fraction(2)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("ball", "spec", "text"),
    [
        (Ball("0.12349999", "0.000000004"), ".3f", "0.123"),
        (Ball("1/3"), ".60f", "0." + "3" * 60),
        (Ball("-2/3"), ".5e", "-6.66667e-1"),
        (Ball("0.125"), ".2f", "0.12"),
        (Ball("0.12500000000000000000000000000000000000000000000000000000000001"), ".2f", "0.13"),
        (Ball("1234.5", "0.01"), ">12,.1f", "     1,234.5"),
        (Ball("2e-40", "1e-50"), ".3e", "2.000e-40"),
        (Ball(0), ".2f", "0.00"),
    ],
)
def test_format_rounds_once(ball: Ball, spec: str, text: str) -> None:
    assert format(ball, spec) == text


@pytest.mark.parametrize(
    ("ball", "spec"),
    [(Ball("1234.5", 100), ".2f"), (Ball(0, 1), ".3f"), (Ball("0.12349999", "4e-8"), ".3f")],
)
def test_format_shows_no_uncertain_digit(ball: Ball, spec: str) -> None:
    with pytest.raises(UndecidedError, match=f"cannot format .* as '{spec}'"):
        format(ball, spec)
