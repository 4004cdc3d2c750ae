"""Curves: the promised accuracy at every point, extremes of range, and the result as a value."""

import copy
import csv
import io
import json
import math
import pickle
import tracemalloc
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import linrelay
from linrelay import Ball, Relay, curve, solve
from linrelay.errors import ArgumentTypeError, ArgumentValueError, UndefinedError
from linrelay.recursion import float_layers
from tests.oracles import models, reference

PROMISE = 1e-12  # relative error for non-negative weights, as documented
POINTS = reference("curve_points.json")


def log_integers(high: int) -> st.SearchStrategy[int]:
    """Return integers from 1 to `high`, as likely in each decade."""
    return st.floats(0, math.log(high)).map(lambda x: min(high, max(1, round(math.exp(x)))))


def relative(value: float, truth: Fraction) -> Fraction:
    return abs(Fraction(value) / truth - 1)


def test_accuracy_at_the_reference_points() -> None:
    worst = Fraction(0)
    for entry in POINTS:
        c = curve(entry["L"], int(entry["P"]), [int(entry["t"])], gain=entry["gain"],
                  residual=entry["residual"])  # fmt: skip
        for name in ("influence", "exponent"):
            error = relative(getattr(c, name)[0], Fraction(entry[name]))
            assert error <= PROMISE, (name, entry)
            worst = max(worst, error)
    assert len(POINTS) > 200
    assert worst < 5e-14  # what is reached, well within what is promised


@given(st.data())
@example(None)
def test_accuracy_anywhere(data: Any) -> None:
    """Random depth to 64, P to 1e9, t to 1e15, non-negative weights; against certified values."""
    if data is None:
        L, P, t, gains, residuals = 64, 10**9, 10**15, [1] * 64, [1] * 64
    else:
        L = data.draw(st.integers(1, 64))
        P, t = data.draw(log_integers(10**9)), data.draw(log_integers(10**15))
        weight = st.sampled_from([0, 1, 1, 1, 2, "1/10", "1e-6", 50, Fraction(7, 3)])
        gains = data.draw(st.lists(weight, min_size=L, max_size=L))
        residuals = data.draw(st.lists(weight, min_size=L, max_size=L))
    relay = Relay(L, gain=gains, residual=residuals)
    if not any(relay.tails):
        return
    solution, c = solve(relay, P, t, digits=18), curve(relay, P, [t])
    share = solution.share.mid
    if share > Fraction(1, 10**290):
        assert relative(c.share[0], share) <= PROMISE
    if solution.exponent > Fraction(1, 10**290):
        assert relative(c.exponent[0], solution.exponent.mid) <= PROMISE
    truth = solution.influence.mid
    if Fraction(1, 10**290) < truth < 10**300:
        assert relative(c.influence[0], truth) <= PROMISE


@given(models(minimum=0), st.integers(1, 200), st.integers(2, 400))
def test_consecutive_curve_is_the_recursion(model: tuple[Any, Any], P: int, t: int) -> None:
    gains, residuals = model
    relay = Relay(len(gains), gain=gains, residual=residuals)
    expected = float_layers(relay, P, t)[-1, P:]
    tolerance = PROMISE + (len(gains) + 1) * (P + t + 3) * 2.0**-53
    np.testing.assert_allclose(curve(relay, P, np.arange(1, t + 1)).influence, expected, tolerance)


@given(models(), st.integers(1, 300), log_integers(10**12))
def test_relative_error_bounds_the_error_of_signed_weights(
    model: tuple[Any, Any], P: int, t: int
) -> None:
    gains, residuals = model
    relay = Relay(len(gains), gain=gains, residual=residuals)
    truth = solve(relay, P, t, digits=30).influence
    c = curve(relay, P, [t])
    if truth == 0:
        assert abs(c.influence[0]) < 1e-9
    else:
        assert relative(c.influence[0], truth.mid) <= Fraction(c.relative_error[0])


def test_signed_reference_points_are_within_the_stated_error() -> None:
    for entry in reference("signed_points.json"):
        c = curve(entry["L"], int(entry["P"]), [int(entry["t"])], gain=entry["gain"],
                  residual=entry["residual"])  # fmt: skip
        truth = Fraction(entry["influence"])
        if np.isfinite(c.relative_error[0]):
            error = abs(Fraction(c.influence[0]) - truth)
            assert error <= Fraction(c.relative_error[0]) * abs(Fraction(c.influence[0]))


def test_blocks_and_order_do_not_matter() -> None:
    """Many points in any order give what each of them gives alone, across block boundaries."""
    rng = np.random.default_rng(0)
    t = np.concatenate([np.arange(1, 30_000), np.geomspace(1, 1e15, 1000).round()])
    rng.shuffle(t)
    whole = curve(12, 64, t)
    some = rng.choice(len(t), 200)
    for i in some:
        alone = curve(12, 64, [t[i]])
        np.testing.assert_allclose(whole.influence[i], alone.influence[0], rtol=1e-14)
        np.testing.assert_allclose(whole.exponent[i], alone.exponent[0], rtol=1e-14)


def test_memory_is_bounded() -> None:
    """Beyond its result a curve takes some megabytes, whatever its length."""
    curve(12, 64, [1]).influence  # noqa: B018 (tables and caches)
    t = np.arange(1.0, 1_000_001)
    c = curve(12, 64, t)
    tracemalloc.start()
    _ = c.influence
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * t.nbytes + 2 * 10**7


def test_influence_beyond_float64() -> None:
    """Where the influence is not representable, share and logarithm are; no warning is given."""
    c = curve(64, 7, [10, 10**6], gain="1e10", residual="1e-10")
    exact = [solve(64, 7, t, gain="1e10", residual="1e-10") for t in (10, 10**6)]
    assert np.isinf(c.influence).all()
    for i, solution in enumerate(exact):
        assert relative(c.share[i], solution.share.mid) <= PROMISE
        logarithm = float(solution.influence.to_arb().log())
        assert abs(c.log_influence[i] / logarithm - 1) < 1e-12
    tiny = curve(40, 7, [10**6], gain="1e-10", residual=0)
    assert tiny.influence[0] == 0
    truth = float(solve(40, 7, 10**6, gain="1e-10", residual=0).influence.to_arb().log())
    assert abs(tiny.log_influence[0] / truth - 1) < 1e-12
    assert np.isfinite(tiny.ratio[0])


def test_weights_far_apart_do_not_overflow() -> None:
    relay = Relay(3, gain="1e-200", residual="1e200")  # c_0 = 1e600 takes no part
    assert relative(curve(relay, 2, [50]).influence[0], solve(relay, 2, 50).influence.mid) < PROMISE
    assert relative(curve(relay, 2, [50]).exponent[0], solve(relay, 2, 50).exponent.mid) < PROMISE


def test_other_values() -> None:
    c = curve(6, 32, [1, 4096])
    solution = solve(6, 32, 4096)
    for name in ("share", "bound", "ratio"):
        assert relative(getattr(c, name)[1], getattr(solution, name).mid) <= PROMISE
    assert c.bound[0] == 0
    assert np.isinf(c.ratio[0])
    assert (c.relative_error == PROMISE).all()


def test_no_gain() -> None:
    c = curve(4, 3, [1, 10], gain=0)
    assert (c.influence == 0).all()
    assert np.isnan(c.exponent).all()
    assert np.isneginf(c.log_influence).all()
    with pytest.raises(UndefinedError, match="share is not defined"):
        _ = curve(2, 1, [1], gain=[1, 1], residual=[-1, 1]).share


def test_arrays_are_read_only_and_made_once() -> None:
    source = np.array([1.0, 2.0])
    c = curve(3, 2, source)
    for name in ("t", "influence", "exponent", "share", "bound", "ratio", "log_influence"):
        array = getattr(c, name)
        assert array.dtype == np.float64
        assert array.shape == (2,)
        assert array is getattr(c, name)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    source[0] = 5
    assert c.t[0] == 1
    with pytest.raises(AttributeError):
        c.P = 3  # type: ignore[misc]


def test_serialises_and_prints() -> None:
    c = curve(3, 2, [1, 10**15, 7])
    back = pickle.loads(pickle.dumps(c))
    assert back.relay == c.relay
    np.testing.assert_array_equal(back.influence, c.influence)
    values = json.loads(json.dumps(c.to_dict(), allow_nan=False))
    assert values["influence"] == c.influence.tolist()
    assert values["ratio"][0] is None
    rows = list(csv.DictReader(io.StringIO(c.to_csv())))
    assert [float(row["exponent"]) for row in rows] == c.exponent.tolist()
    assert [row["t"] for row in rows] == ["1", "1000000000000000", "7"]
    assert repr(c) == "<Curve Relay(3), P=2, 3 points, t = 1 … 1000000000000000>"
    assert c.table().splitlines()[0].split() == ["t", "influence", "exponent", "bound", "ratio"]
    assert len(curve(3, 2, range(1, 1000)).table(10).splitlines()) == 11
    assert "&lt;Curve Relay(3)" in c._repr_html_()
    assert len(c) == 3


def test_plot() -> None:
    figure = curve(6, 32, np.geomspace(1, 1e6, 50).round()).plot()
    above, below = figure.axes
    assert above.get_xscale() == above.get_yscale() == below.get_xscale() == "log"
    assert above.lines[0].get_xydata()[0].tolist() == [1, curve(6, 32, [1]).influence[0]]
    assert "tokens after the prompt" in below.get_xlabel()
    figure.draw_without_rendering()
    curve(2, 1, [5], gain=-1).plot().draw_without_rendering()


def test_progress(capsys: Any) -> None:
    quiet = curve(2, 1, range(1, 1000)).influence
    np.testing.assert_array_equal(curve(2, 1, range(1, 1000), progress=True).influence, quiet)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: curve(2, 1, 5), ArgumentValueError, "t must be a 1-D array"),
        (lambda: curve(2, 1, []), ArgumentValueError, "t must be a 1-D array of at least one"),
        (lambda: curve(2, 1, [0]), ArgumentValueError, r"got t\[0\] = 0"),
        (lambda: curve(2, 1, ["5"]), ArgumentTypeError, "t must be a 1-D array of integers"),
        (lambda: curve(2, 0, [1]), ArgumentValueError, "P must be an integer ≥ 1, got 0"),
        (lambda: curve(2, 2**53 + 2, [1]), ArgumentValueError, "P must be at most"),
        (lambda: curve(65, 1, [1]), ArgumentValueError, "L must have at most 64 layers"),
        (lambda: curve(2, 1, [1], gain=[1, 2, 3]), ArgumentValueError, "gain must be one number"),
        (lambda: curve(Relay(2), 1, [1], residual=2), ArgumentTypeError, "belong to"),
    ],
)
def test_bad_arguments(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_layers_without_gain_do_not_count_against_the_limit() -> None:
    gains = [1] * 64 + [0] * 10
    assert linrelay.curve(74, 3, [100], gain=gains).share[0] == pytest.approx(
        float(solve(74, 3, 100, gain=gains).share), rel=PROMISE
    )


def test_huge_weights_print_convert_and_plot() -> None:
    assert "(5001/1 digits)" in repr(Relay(2, gain="1e5000"))
    assert float(Ball("1e400")) == float(solve(3, 1, 1000, gain=1e300)) == np.inf
    huge = curve(3, 1, [10, 1000], gain=1e300)
    assert len(huge.plot().axes) == 2
    for copied in (copy.deepcopy(huge), pickle.loads(pickle.dumps(huge))):
        assert not copied.t.flags.writeable
    assert np.isnan(curve(3, 1, [1, 5], gain=0).ratio[0])
