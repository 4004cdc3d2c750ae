"""The main job: solve and its values against references, recursion, mpmath and exact results."""

import json
import math
import pickle
import signal
import subprocess
import sys
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linrelay
from linrelay import Ball, Relay, solve
from linrelay.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    PrecisionError,
    SizeError,
    UndefinedError,
)
from tests.oracles import models, mpmath_exponent, mpmath_influence, recursion, reference

PROMPTS, TOKENS = st.integers(1, 12), st.integers(1, 40)


def block(P: int, t: int, start: int = 0) -> list[Fraction]:
    """Return δ^(0) for P prompt tokens after `start` others, t tokens before the end."""
    return [Fraction(0)] * start + [Fraction(1)] * P + [Fraction(0)] * t


def assert_keeps_promise(ball: Ball, truth: Fraction, digits: int) -> None:
    assert truth in ball
    assert ball.rad * 10**digits <= abs(ball.mid)


# References


@pytest.mark.parametrize("entry", reference("exact.json"), ids=lambda e: f"L{e['L']}P{e['P']}")
def test_exact_references(entry: dict[str, Any]) -> None:
    truth = Fraction(entry["influence"])
    solution = solve(
        entry["L"], entry["P"], entry["t"], gain=entry["gain"], residual=entry["residual"]
    )
    assert solution.exact() == truth
    assert_keeps_promise(solution.influence, truth, 50)
    assert float(solution) == float(truth)


@pytest.mark.parametrize(
    "entry",
    reference("large.json") + reference("curve_points.json") + reference("signed_points.json"),
    ids=lambda e: f"L{e['L']}P{e['P']}t{float(mpmath.mpf(e['t'])):.0e}",
)
def test_references_at_large_t(entry: dict[str, Any]) -> None:
    solution = solve(
        entry["L"], int(entry["P"]), int(entry["t"]), gain=entry["gain"],
        residual=entry["residual"],
    )  # fmt: skip
    for name in ("influence", "exponent"):
        text, ball = entry[name], getattr(solution, name)
        truth = Fraction(text)
        digits = len(text.split("e")[0].replace(".", "").lstrip("-0"))
        # The reference is rounded in its last digit: half of that, and the ball's radius, apart.
        assert abs(ball.mid - truth) <= abs(truth) * Fraction(10) ** (1 - digits) + ball.rad
        assert ball.rad * 10**50 <= abs(ball.mid)


# Properties against the recursion


@given(models(), PROMPTS, TOKENS, st.integers(1, 80))
def test_closed_form_is_the_recursion(model: tuple[Any, Any], P: int, t: int, digits: int) -> None:
    """Random depths, rational weights of both signs per layer: exact, and certified around it."""
    gains, residuals = model
    truth = recursion(gains, residuals, block(P, t))[-1]
    solution = solve(len(gains), P, t, gain=gains, residual=residuals, digits=digits)
    assert solution.exact() == truth
    assert_keeps_promise(solution.influence, truth, digits)
    total = math.prod(w + r for w, r in zip(gains, residuals, strict=True))
    if total:
        assert_keeps_promise(solution.share, truth / total, digits)
    else:
        with pytest.raises(UndefinedError, match="share"):
            _ = solution.share


@given(models(minimum=0), PROMPTS, TOKENS)
def test_share_is_a_probability_and_grows_with_the_prompt(
    model: tuple[Any, Any], P: int, t: int
) -> None:
    gains, residuals = model
    relay = Relay(len(gains), gain=gains, residual=residuals)
    if relay.total:
        assert 0 <= solve(relay, P, t).share <= 1
        # At the same position n a longer prompt leaves at least as much.
        assert solve(relay, P + 1, t).exact() >= solve(relay, P, t + 1).exact()


@given(models(), PROMPTS, PROMPTS, TOKENS)
def test_blocks_add_up(model: tuple[Any, Any], start: int, P: int, t: int) -> None:
    """By linearity a block of P tokens after `start` others is a difference of two prompts."""
    gains, residuals = model
    relay = Relay(len(gains), gain=gains, residual=residuals)
    truth = recursion(gains, residuals, block(P, t, start))[-1]
    assert solve(relay, start + P, t).exact() - solve(relay, start, P + t).exact() == truth


# The exponent


@given(models(max_depth=5, minimum=1), PROMPTS, st.integers(1, 10**6))
def test_exponent_is_the_derivative(model: tuple[Any, Any], P: int, t: int) -> None:
    gains, residuals = model
    expected = mpmath_exponent(gains, residuals, P, t, 20)
    ball = solve(len(gains), P, t, gain=gains, residual=residuals, digits=30).exponent
    assert abs(ball.to_mpmath() - expected) < mpmath.mpf(10) ** -19
    assert ball.rad * 10**30 <= abs(ball.mid)


def test_exponent_of_one_layer_is_dilution() -> None:
    assert Fraction(7, 10) in solve(1, 3, 7, gain=5, residual=2).exponent


def test_exponent_law_at_astronomical_t() -> None:
    """1 − α tends to (L−1)/log(t/P): at t = 10^10000 the quotient is 1 within some per mille."""
    solution = solve(6, 32, 10**10000, digits=20)
    gap = (1 - float(solution.exponent)) * (10000 * math.log(10) - math.log(32)) / 5
    assert 0.998 < gap < 1.002
    assert abs(float(solution.ratio) / float(solution.limit) - 1) < 0.002


# Bound, ratio, limit


@given(st.integers(1, 9), PROMPTS, st.integers(2, 10**30))
def test_bound_and_ratio(L: int, P: int, t: int) -> None:
    solution = solve(L, P, t, digits=30)
    with mpmath.workdps(60):
        bound = P * mpmath.log(t) ** (L - 1) / t
        influence = mpmath_influence([Fraction(1)] * L, [Fraction(1)] * L, P, t, 40)
        for ball, expected in ((solution.bound, bound), (solution.ratio, influence / bound)):
            assert abs(ball.to_mpmath() / expected - 1) < mpmath.mpf(10) ** -29
            assert ball.rad * 10**30 <= abs(ball.mid)
    assert solution.limit == Fraction(1, math.factorial(L - 1))


def test_bound_at_one_token() -> None:
    assert solve(3, 5, 1).bound == 0
    assert solve(1, 5, 1).bound == 5
    assert solve(1, 5, 1).ratio.overlaps(Fraction(1, 6))
    with pytest.raises(UndefinedError, match="t=1"):
        _ = solve(3, 5, 1).ratio


# Cancellation and zeros


def zero_at(P: int, t: int) -> Relay:
    """Return a model of two layers, with weights of both signs, that is exactly zero there."""
    h1 = sum(Fraction(1, m) for m in range(P + 1, P + t + 1))
    # (1 + x)(r + w x): T_0 = r + 2w, T_1 = w; T_0 + T_1 h_1 = 0.
    return Relay(2, gain=[1, 1], residual=[1, -2 - h1])


@pytest.mark.parametrize(("P", "t"), [(1, 1), (3, 20), (10, 500)])
def test_exact_zero_is_found(P: int, t: int) -> None:
    solution = solve(zero_at(P, t), P, t)
    assert solution.exact() == 0
    assert solution.influence.is_exact
    assert solution.influence == 0
    assert solution.share == 0
    assert t == 1 or solution.ratio == 0
    with pytest.raises(UndefinedError, match="exponent is not defined: the influence is zero"):
        _ = solution.exponent
    assert "exponent   undefined" in str(solution)
    assert solution.to_dict()["exponent"] is None
    assert 0 not in solve(zero_at(P, t), P, t + 1).influence


def test_no_gain_is_no_influence() -> None:
    solution = solve(5, 3, 10**100, gain=0)
    assert solution.influence == 0
    assert solution.exact() == 0
    assert solution.limit == 0
    with pytest.raises(UndefinedError):
        _ = solution.exponent


@pytest.mark.parametrize("digits", [1, 50, 500])
def test_promise_holds_under_heavy_cancellation(digits: int) -> None:
    """A model that is zero up to 10^−200: certified to the digits asked for all the same."""
    P, t = 3, 20
    nearly = zero_at(P, t).residuals[1] + Fraction(1, 10**200)
    relay = Relay(2, gain=1, residual=[1, nearly])
    solution = solve(relay, P, t, digits=digits)
    assert_keeps_promise(solution.influence, solution.exact(), digits)
    assert abs(solution.exact()) < Fraction(1, 10**199)


@pytest.mark.parametrize(
    ("L", "P", "t", "gain", "residual"),
    [(12, 10**1000, 1, 1, 0), (12, 10**1000, 10**500, 1, 0), (64, 10**9, 3, 1, 0),
     (3, 1, 10**5000, "1e-300", 1), (3, 10**20, 10**20, 10**300, "1e-300"),
     (40, 7, 10**7, ["1e-30", "1e30"] * 20, [0, 1] * 20), (500, 2, 10**6, "1/1000", 1)],
    ids=["P-long-t-1", "P-long", "L-64", "t-long", "weights-apart", "weights-in-turn", "L-500"],
)  # fmt: skip
def test_promise_at_the_extremes(L: int, P: int, t: int, gain: Any, residual: Any) -> None:
    solution = solve(L, P, t, gain=gain, residual=residual, digits=40)
    finer = solve(L, P, t, gain=gain, residual=residual, digits=90)
    names = ["influence", "exponent", "share", *(["bound", "ratio"] if t > 1 else [])]
    for name in names:
        ball, better = getattr(solution, name), getattr(finer, name)
        assert ball.rad * 10**40 <= abs(ball.mid)
        assert better.rad * 10**90 <= abs(better.mid)
        assert ball.overlaps(better)
    if P > 10**900:  # all influence relayed L times, off a prompt that fills nearly all: (t/P)^L
        assert solution.exponent < Fraction(t, P) ** (L - 1)


def test_a_value_that_cannot_be_told_from_zero_is_an_error(monkeypatch: Any) -> None:
    monkeypatch.setattr("linrelay._solution._MAX_EXTRA_BITS", 500)
    relay = Relay(2, gain=1, residual=[1, zero_at(3, 20).residuals[1] + Fraction(1, 10**2000)])
    with pytest.raises(PrecisionError, match="influence cancels so strongly"):
        _ = solve(relay, 3, 20).influence


# Exact results of any size


def test_exact_refuses_what_is_predicted_too_long() -> None:
    with pytest.raises(SizeError, match=r"up to 10\^999 digits .* max_digits=1000000"):
        solve(3, 2, 10**1000).exact()
    with pytest.raises(SizeError, match="max_digits=100;"):
        solve(3, 2, 1000).exact(max_digits=100)
    with pytest.raises(ArgumentValueError, match="max_digits must be an integer ≥ 1, got 0"):
        solve(3, 2, 5).exact(max_digits=0)
    # One layer relays nothing: its fraction is short at any t.
    assert solve(1, 2, 10**1000).exact() == Fraction(2, 10**1000 + 2)
    assert solve(4, 10**50, 2).exact() == recursion_two_tokens(10**50)


def recursion_two_tokens(P: int) -> Fraction:
    """Return δ at t = 2, L = 4, r = w = 1; each layer doubles all prompt positions alike."""
    prompt, first, second = Fraction(1), Fraction(0), Fraction(0)
    for _ in range(4):
        first, second = (
            first + (P * prompt + first) / (P + 1),
            second + (P * prompt + first + second) / (P + 2),
        )
        prompt *= 2
    return second


@given(PROMPTS, TOKENS)
def test_exact_size_is_predicted_from_above(P: int, t: int) -> None:
    solution = solve(4, P, t, gain="2/3", residual="1/7")
    assert solution.exact().size()[1] <= solution.exact_digits()


def test_interrupt_stops_long_work() -> None:
    # A shell starts its background jobs with SIGINT ignored: restore Python's handler.
    code = (
        "import linrelay, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('ready', flush=True)\n"
        "try: linrelay.solve(12, 64, 10**6).exact(max_digits=10**9)\n"
        "except KeyboardInterrupt: sys.exit(7)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline().strip() == b"ready"
        try:
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 7
        finally:
            process.kill()


def test_progress_is_drawn_on_standard_error(capsys: Any) -> None:
    silent = solve(2, 1, 30_000).exact()
    assert capsys.readouterr() == ("", "")
    assert solve(2, 1, 30_000).exact(progress=True) == silent
    assert capsys.readouterr().out == ""


# The result as a value


@pytest.mark.parametrize("t", [2, 4096, pytest.param(10**5000, id="huge")])
def test_solution_prints_and_serialises(t: int) -> None:
    solution = solve(3, 2, t, gain="1/3")
    fresh = pickle.loads(pickle.dumps(solution))
    assert fresh == solution
    assert hash(fresh) == hash(solution)
    text = str(solution)
    assert [line.split()[0] for line in text.splitlines()[1:]] == [
        "influence", "share", "exponent", "bound", "ratio", "limit",
    ]  # fmt: skip
    assert len(repr(solution)) < 120
    assert "<table>" in solution._repr_html_()
    values = json.loads(json.dumps(solution.to_dict()))
    for name in ("influence", "share", "exponent", "bound", "ratio"):
        ball = Ball(**values[name])
        assert ball.overlaps(getattr(solution, name))
        assert ball.digits >= 50
    assert len(values["t"]) == len(solution.to_dict()["t"])
    after = pickle.loads(pickle.dumps(solution))
    assert after.influence.is_identical(solution.influence)
    assert "_last_sums" not in after.__dict__


def test_values_are_made_when_asked_for(monkeypatch: Any) -> None:
    """The influence does not pay for exponent or bound, and is computed once."""
    calls: list[str] = []
    for name in ("influence", "exponent", "bound"):
        formula = getattr(linrelay._solution._formula, name)

        def counted(*args: Any, name: str = name, formula: Any = formula) -> Any:
            calls.append(name)
            return formula(*args)

        monkeypatch.setattr(f"linrelay._formula.{name}", counted)
    solution = solve(3, 2, 100)
    assert calls == []
    assert solution.influence is solution.influence
    assert calls == ["influence"]
    _ = solution.exponent
    assert calls == ["influence", "exponent"]


def test_solution_is_frozen_and_compares() -> None:
    solution = solve(3, 2, 100)
    with pytest.raises(AttributeError):
        solution.t = 3  # type: ignore[misc]
    assert solution == solve(Relay(3), 2, 100.0)
    assert solution != solve(3, 2, 100, digits=10)
    assert solution.n == 102
    assert solution.L == 3


@pytest.mark.parametrize("t", [1000, 1e3, np.int64(1000), np.float32(1000), Fraction(1000)])
def test_integral_t_of_any_type(t: Any) -> None:
    assert solve(2, 1, t).t == 1000


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: solve(0, 1, 1), ArgumentValueError, "L must be an integer ≥ 1, got 0"),
        (lambda: solve(True, 1, 1), ArgumentTypeError, "L must be an integer ≥ 1, got True"),
        (lambda: solve(2, 0, 1), ArgumentValueError, "P must be an integer ≥ 1, got 0"),
        (lambda: solve(2, 1, 0), ArgumentValueError, "t must be an integer ≥ 1, got 0"),
        (lambda: solve(2, 1, -(10**5000)), ArgumentValueError, "got an integer of 5001 digits"),
        (lambda: solve(2, 1, 1.5), ArgumentValueError, "t must be an integer ≥ 1, got 1.5"),
        (lambda: solve(2, 1, math.nan), ArgumentValueError, "t must be .* got nan"),
        (lambda: solve(2, 1, "100"), ArgumentTypeError, "t must be an integer ≥ 1, got '100'"),
        (lambda: solve(2, 1, 1j), ArgumentTypeError, "t must be .* got 1j"),  # type: ignore[arg-type]
        (lambda: solve(2, 1, [1, 2]), ArgumentTypeError, r"\[1, 2\]; linrelay.curve takes many"),  # type: ignore[arg-type]
        (lambda: solve(2, 1, np.arange(3)), ArgumentTypeError, "linrelay.curve takes many"),  # type: ignore[arg-type]
        (lambda: solve(2, 1, range(3)), ArgumentTypeError, "linrelay.curve takes many"),  # type: ignore[arg-type]
        (lambda: solve(2, 1, 1, digits=0), ArgumentValueError, "digits must be .* got 0"),
        (lambda: solve(2, 1, 1, digits=10**9), ArgumentValueError, "digits must be at most 100000"),
        (lambda: solve(2, 1, 1, digits=2.5), ArgumentValueError, "digits must be .* got 2.5"),  # type: ignore[arg-type]
        (lambda: solve(2, 1, 1, gain=[1]), ArgumentValueError, "gain must be one number or one"),
        (lambda: solve(2, 1, 1, gain=math.inf), ArgumentValueError, "gain must .* got inf"),
        (lambda: solve(2, 1, 1, residual="a"), ArgumentValueError, "residual must .* got 'a'"),
        (lambda: solve(Relay(2), 1, 1, gain=2), ArgumentTypeError, "gain and residual belong to"),
    ],
)
def test_bad_arguments(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()
