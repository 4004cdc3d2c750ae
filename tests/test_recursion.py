"""The layer-by-layer reference itself, against the definition and against each other."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linrelay import Relay
from linrelay.errors import ArgumentValueError, SizeError
from linrelay.recursion import exact_layers, float_layers
from tests.oracles import models, recursion


@given(models(), st.integers(1, 6), st.integers(1, 20))
def test_exact_layers(model: tuple[Any, Any], P: int, t: int) -> None:
    gains, residuals = model
    delta = [Fraction(1)] * P + [Fraction(0)] * t
    layers = exact_layers(Relay(len(gains), gain=gains, residual=residuals), P, t)
    for depth in range(len(gains) + 1):
        assert layers[depth] == recursion(gains[:depth], residuals[:depth], delta)


@given(models(minimum=0), st.integers(1, 6), st.integers(1, 30))
def test_float_layers(model: tuple[Any, Any], P: int, t: int) -> None:
    gains, residuals = model
    relay = Relay(len(gains), gain=gains, residual=residuals)
    exact = np.array([[float(x) for x in layer] for layer in exact_layers(relay, P, t)])
    tolerance = (len(gains) + 1) * (P + t + 3) * 2.0**-53  # the roundings of one position, at worst
    np.testing.assert_allclose(float_layers(relay, P, t), exact, rtol=tolerance)


def test_bad_lengths() -> None:
    with pytest.raises(ArgumentValueError, match="P must be an integer ≥ 1, got 0"):
        exact_layers(Relay(1), 0, 1)
    with pytest.raises(ArgumentValueError, match="t must be an integer ≥ 1, got -1"):
        float_layers(Relay(1), 1, -1)


@pytest.mark.parametrize("layers", [exact_layers, float_layers])
@pytest.mark.parametrize(
    ("P", "t"), [(1, 10**10), (10**10, 1), (10**5000, 1)], ids=["t", "P", "huge"]
)
def test_sizes_that_would_fill_the_memory(layers: Any, P: int, t: int) -> None:
    with pytest.raises(SizeError, match=r"solve and linrelay\.curve take any t"):
        layers(Relay(1), P, t)
