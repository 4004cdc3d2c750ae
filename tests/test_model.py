"""The model: its transfer polynomial, exactly, and its behaviour as a value."""

import pickle
from fractions import Fraction
from math import factorial, prod
from typing import Any

import pytest
from hypothesis import given

from linrelay import Relay
from linrelay._attention import Uniform
from linrelay.errors import ArgumentTypeError, ArgumentValueError, SizeError
from tests.oracles import models


@given(models())
def test_transfer_polynomial_by_expansion(model: tuple[Any, Any]) -> None:
    """c_k is the sum over all sets of k relaying layers; T_j the sum of the c_k beyond j."""
    gains, residuals = model
    depth = len(gains)
    c = [Fraction(0)] * (depth + 1)
    for chosen in range(2**depth):
        relays = [chosen >> layer & 1 for layer in range(depth)]
        path = (w if on else r for w, r, on in zip(gains, residuals, relays, strict=True))
        c[sum(relays)] += prod(path)
    relay = Relay(depth, gain=gains, residual=residuals)
    assert list(relay.transfer) == c
    assert list(relay.tails) == [sum(c[j + 1 :]) for j in range(depth)]
    assert relay.total == sum(c)
    assert relay.limit == c[depth] / factorial(depth - 1)
    assert relay.reach == sum(w != 0 for w in gains) or 0 in c
    assert relay.gains == tuple(gains)
    assert relay.residuals == tuple(residuals)


@given(models())
def test_is_a_value(model: tuple[Any, Any]) -> None:
    gains, residuals = model
    relay = Relay(len(gains), gain=gains, residual=residuals)
    same = Relay(len(gains), gain=tuple(map(str, gains)), residual=residuals)
    assert relay == same
    assert hash(relay) == hash(same)
    relay.tails  # noqa: B018 (a cached value must not change equality or pickling)
    assert pickle.loads(pickle.dumps(relay)) == relay
    assert eval(repr(relay), {"Relay": Relay}) == relay


def test_one_weight_stands_for_all_layers() -> None:
    assert Relay(3) == Relay(3, gain=[1, 1, 1], residual="1")
    assert Relay(3) != Relay(4)
    assert Relay(3, gain=2) != Relay(3)
    assert Relay(2, gain=0.1) != Relay(2, gain="0.1")
    assert Relay(2, gain=0.1).gain == Fraction(0.1)
    assert repr(Relay(2, gain="0.1")) == "Relay(2, gain='1/10')"
    assert repr(Relay(60, gain=range(60))).count(",") < 10


def test_layers_without_gain_do_not_reach() -> None:
    assert Relay(4, gain=[1, 0, 0, 2]).reach == 2
    assert Relay(4, gain=0).reach == 0
    assert list(Relay(2, gain=0).tails) == [0, 0]


def test_frozen() -> None:
    with pytest.raises(AttributeError):
        Relay(2).depth = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: Relay(0), ArgumentValueError, "depth must be an integer ≥ 1, got 0"),
        (lambda: Relay("3"), ArgumentTypeError, "depth must be an integer ≥ 1, got '3'"),  # type: ignore[arg-type]
        (lambda: Relay(2, gain=[1]), ArgumentValueError, "each of the 2 layers, got 1"),
        (lambda: Relay(2, residual=1j), ArgumentTypeError, "residual must be .* got 1j"),  # type: ignore[arg-type]
        (lambda: Relay(2, attention="uniform"), ArgumentTypeError, "attention must be Uniform"),  # type: ignore[arg-type]
        (lambda: Relay(10**6), SizeError, "depth=1000000 is predicted to need"),
        (lambda: Relay(10**9), SizeError, "use fewer layers"),
        (lambda: Relay(10**5000), SizeError, "depth=an integer of 5001 digits is"),
        (lambda: Relay(2000, gain=[1, *["1e-400"] * 1999]), SizeError, "fewer digits"),
    ],
)
def test_bad_models(make: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_uniform_attention_averages() -> None:
    assert Uniform().average([Fraction(1), Fraction(2), Fraction(0)]) == [1, Fraction(3, 2), 1]
