"""Reading numbers exactly, and the messages for those that are not allowed."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from linrelay import LinrelayError
from linrelay._reading import integer, positions, rational, show, weights
from linrelay.errors import ArgumentTypeError, ArgumentValueError


@pytest.mark.parametrize(
    "value",
    ["0.3", "3/10", " 3 / 10 ", "3e-1", ".3", "0.6/2", Fraction(3, 10), Decimal("0.3"),
     sympy.Rational(3, 10), fmpq(3, 10)],
)  # fmt: skip
def test_three_tenths(value: Any) -> None:
    assert rational("gain", value) == Fraction(3, 10)


@pytest.mark.parametrize(
    "value",
    [0.3, np.float64(0.3), mpmath.mpf(0.3), sympy.Float(0.3, 17), np.array(0.3)],
)
def test_floats_count_at_their_binary_value(value: Any) -> None:
    assert rational("gain", value) == Fraction(0.3)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
def test_numpy_floats_of_other_sizes(dtype: Any) -> None:
    assert rational("gain", dtype("0.1")) == Fraction(*dtype("0.1").as_integer_ratio())


@pytest.mark.parametrize("value", [-7, np.int8(-7), sympy.Integer(-7), fmpz(-7), "-7", -7.0])
def test_integers_are_rational(value: Any) -> None:
    assert rational("gain", value) == -7


def test_strings_beyond_pythons_limit_are_read() -> None:
    assert rational("gain", "1" * 5000 + ".5") == Fraction((10**5000 - 1) // 9 * 10 + 5, 10)
    assert rational("gain", "-1_000.2_5") == Fraction(-100025, 100)


@given(st.fractions())
def test_strings_of_fractions_read_back(x: Fraction) -> None:
    assert rational("gain", str(x)) == x


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_mpmath_and_float_agree(x: float) -> None:
    assert rational("gain", mpmath.mpf(x)) == rational("gain", x) == Fraction(x)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (math.nan, ArgumentValueError, "nan"),
        (-math.inf, ArgumentValueError, "-inf"),
        (np.float32("inf"), ArgumentValueError, "inf"),
        (Decimal("NaN"), ArgumentValueError, "NaN"),
        (mpmath.inf, ArgumentValueError, "inf"),
        ("1/0", ArgumentValueError, "divided by zero"),
        ("1e999999999", ArgumentValueError, "exponent"),
        (Decimal("1e999999999"), ArgumentValueError, "exponent"),
        ("x", ArgumentValueError, "'x'"),
        ("", ArgumentValueError, "''"),
        (".", ArgumentValueError, "'.'"),
        ("e5", ArgumentValueError, "'e5'"),
        ("٣", ArgumentValueError, "'٣'"),
        ("1e" + "9" * 30, ArgumentValueError, "exponent"),
        ("1/2/3", ArgumentValueError, "'1/2/3'"),
        pytest.param("9" * 500000, ArgumentValueError, "400000 characters", id="long"),
        ("nan", ArgumentValueError, "'nan'"),
        (True, ArgumentTypeError, "True (bool)"),
        (np.True_, ArgumentTypeError, "True"),
        (1j, ArgumentTypeError, "1j (complex)"),
        (None, ArgumentTypeError, "None"),
        (sympy.Symbol("x"), ArgumentTypeError, "x (Symbol)"),
        (sympy.sqrt(2), ArgumentTypeError, "sqrt(2)"),
        ({}, ArgumentTypeError, "{} (dict)"),
    ],
)
def test_bad_weights(value: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        rational("gain", value)
    assert str(caught.value).startswith("gain must")
    assert text in str(caught.value)
    assert isinstance(caught.value, LinrelayError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    "value", [12, np.int64(12), np.uint8(12), 12.0, Decimal(12), Fraction(12), fmpz(12),
              sympy.Integer(12), mpmath.mpf(12), np.array(12)],
)  # fmt: skip
def test_integers(value: Any) -> None:
    result = integer("t", value)
    assert result == 12
    assert type(result) is int


def test_integers_have_any_size() -> None:
    assert integer("t", 10**5000) == 10**5000
    assert integer("t", 1e300) == int(1e300)


@pytest.mark.parametrize(
    ("value", "error"),
    [(0, ArgumentValueError), (-3, ArgumentValueError),
     pytest.param(-(10**5000), ArgumentValueError, id="huge"),
     (2.5, ArgumentValueError), (math.nan, ArgumentValueError), (math.inf, ArgumentValueError),
     (Fraction(1, 2), ArgumentValueError), (True, ArgumentTypeError),
     (np.False_, ArgumentTypeError),
     ("12", ArgumentTypeError), (None, ArgumentTypeError), (2 + 0j, ArgumentTypeError),
     ([3], ArgumentTypeError), (np.array([3]), ArgumentTypeError), (b"1", ArgumentTypeError)],
)  # fmt: skip
def test_bad_integers(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^t must be an integer ≥ 1, got ") as caught:
        integer("t", value)
    assert len(str(caught.value)) < 200


def test_weights_of_one_value_are_one_weight() -> None:
    assert weights("gain", [1, "1", 1.0], 3) == 1
    assert weights("gain", np.array([0.5, 1.0]), 2) == (Fraction(1, 2), Fraction(1))
    assert weights("gain", np.float64(0.5), 2) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("value", "text"),
    [([1, 2], r"gain must be one number or one for each of the 3 layers, got 2 of them: \[1, 2\]"),
     ([], "got 0 of them"),
     (np.ones((3, 1)), r"gain must be a number or a list of 3 numbers, got an array of shape"),
     ([1, 2, "a"], r"gain\[2\] must be a rational number"),
     ([1, True, 2], r"gain\[1\] must be a rational number .* True \(bool\)"),
     ({1, 2, 3}, "gain must be a rational number"),
     (np.array([1, 2j, 3]), r"gain\[0\] must be a rational number .*complex")],
)  # fmt: skip
def test_bad_lists_of_weights(value: Any, text: str) -> None:
    with pytest.raises(LinrelayError, match=text):
        weights("gain", value, 3)


def test_positions() -> None:
    assert positions("t", [1, 2.0, 10**15]).tolist() == [1.0, 2.0, 1e15]
    assert positions("t", range(1, 4)).tolist() == [1, 2, 3]
    assert positions("t", np.array([3, 1], np.uint64)).tolist() == [3, 1]
    assert positions("t", [2**60, 3]).tolist() == [2**60, 3]
    assert positions("t", [Fraction(4), 2**70]).tolist() == [4, 2**70]
    source = np.array([1.0, 2.0])
    assert not np.shares_memory(positions("t", source), source)


@pytest.mark.parametrize(
    ("value", "text"),
    [([], "at least one integer"), (3, "1-D array"), ([[1]], "1-D array"), ([0, 1], r"t\[0\] = 0"),
     ([1, 2.5], r"t\[1\] = 2\.5"), ([1, math.nan], r"t\[1\] = nan"), ([math.inf], "inf"),
     ([2**53 + 1], r"t\[0\] = 9007199254740993"), (["a"], "1-D array"), ([True], "1-D array"),
     ([1j], "1-D array"), ([[1, 2], [3]], "1-D array"), ([1, None], r"t\[1\] must be an integer"),
     ([10**400], "an integer of 401 digits"), ([-1, 1], r"t\[0\] = -1"),
     ([2**70 + 1], "float64 represents exactly")],
)  # fmt: skip
def test_bad_positions(value: Any, text: str) -> None:
    with pytest.raises(LinrelayError, match=text) as caught:
        positions("t", value)
    assert len(str(caught.value)) < 250


def test_show_never_fails() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError

    assert show(Broken()) == "a Broken"
    assert show(10**5000) == "an integer of 5001 digits"
    assert len(show("x" * 10**6)) < 100
    assert len(show(Fraction(3**9000, 2**9000))) < 100
