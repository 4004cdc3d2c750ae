"""Reading arguments: integers and weights, exactly, with errors that name the argument."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, SupportsIndex, TypeAlias

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from linrelay._rational import ExactFraction, decimal_digits
from linrelay.errors import ArgumentTypeError, ArgumentValueError


class _SupportsPQ(Protocol):
    """A rational of SymPy or FLINT: numerator p, denominator q."""

    @property
    def p(self) -> SupportsIndex: ...
    @property
    def q(self) -> SupportsIndex: ...


class _SupportsMpf(Protocol):
    """A binary floating-point number of mpmath or SymPy: (sign, mantissa, exponent, bits)."""

    @property
    def _mpf_(self) -> tuple[Any, ...]: ...


Number: TypeAlias = (
    int | float | Fraction | Decimal | str | np.number[Any] | _SupportsPQ | _SupportsMpf
)
Weights: TypeAlias = Number | Sequence[Number] | NDArray[Any]

_RATIONAL = "a rational number (int, float, Fraction, Decimal, str such as '0.3' or '3/10', …)"
_MAX_EXPONENT = 400_000  # an exact value takes as many digits; more is a mistake
_DECIMAL = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9][0-9_]*)?(\.(?P<decimals>[0-9_]*))?(e(?P<exponent>[+-]?[0-9]+))?",
    re.IGNORECASE,
)


def show(value: object) -> str:
    """Return `value` as an error message shows it: its repr, cut where it is long."""
    if isinstance(value, int) and not isinstance(value, bool):
        if value.bit_length() > 400:
            return f"an integer of {decimal_digits(value)} digits"
        return repr(value)
    if isinstance(value, Fraction):
        return str(ExactFraction(value))
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    try:
        text = repr(value)
    except Exception:  # a foreign repr may fail; the message must not
        text = f"a {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:60]}…{text[-10:]}"


def rational(name: str, value: Number) -> Fraction:
    """Return `value` as an exact Fraction.

    Floating-point numbers, NumPy's and mpmath's included, count at their exact binary value,
    strings and decimals at their exact decimal value.
    """
    exact = _rational(name, _unwrap(value))
    if exact is None:
        raise ArgumentTypeError(
            f"{name} must be {_RATIONAL}, got {show(value)} ({type(value).__name__})"
        )
    return exact


def integer(name: str, value: object, minimum: int = 1) -> int:
    """Return `value` as an int that is at least `minimum`; integral floats are taken."""
    if type(value) is int:  # the common case, first
        result = value
    else:
        value = _unwrap(value)
        if isinstance(value, str):
            exact = None
        else:
            exact = _rational(name, value, f"an integer ≥ {minimum}")
        if exact is None:
            raise ArgumentTypeError(
                f"{name} must be an integer ≥ {minimum}, got {show(value)} ({type(value).__name__})"
            )
        if exact.denominator != 1:
            raise ArgumentValueError(f"{name} must be an integer ≥ {minimum}, got {show(value)}")
        result = exact.numerator
    if result < minimum:
        raise ArgumentValueError(f"{name} must be an integer ≥ {minimum}, got {show(value)}")
    return result


def weights(name: str, value: Weights, depth: int) -> Fraction | tuple[Fraction, ...]:
    """Return one exact weight for all layers, or a tuple of `depth` of them that differ."""
    if type(value) is int:  # the common case, first
        return Fraction(value)
    value = _unwrap(value)
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray):
        return rational(name, value)
    if isinstance(value, np.ndarray) and value.ndim != 1:
        raise ArgumentValueError(
            f"{name} must be a number or a list of {depth} numbers, got {show(value)}"
        )
    if len(value) != depth:
        raise ArgumentValueError(
            f"{name} must be one number or one for each of the {depth} layers, "
            f"got {len(value)} of them: {show(value)}"
        )
    each = tuple(rational(f"{name}[{i}]", x) for i, x in enumerate(value))
    return each[0] if all(x == each[0] for x in each) else each


def positions(name: str, value: object) -> NDArray[np.float64]:
    """Return a new 1-D array of integers ≥ 1, exact in float64, for numbers of tokens."""
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError) as error:
        raise ArgumentTypeError(
            f"{name} must be a 1-D array of integers, got {show(value)}"
        ) from error
    if array.dtype.kind not in "iufO":
        raise ArgumentTypeError(f"{name} must be a 1-D array of integers ≥ 1, got {show(array)}")
    if array.ndim != 1 or array.size == 0:
        raise ArgumentValueError(
            f"{name} must be a 1-D array of at least one integer ≥ 1, got {show(array)}"
        )
    if array.dtype == object:
        array = np.array([integer(f"{name}[{i}]", x) for i, x in enumerate(array)], object)
    try:
        result = array.astype(np.float64)
    except OverflowError:
        result = np.full(array.shape, np.inf)
    bad = ~(result >= 1) | ~np.isfinite(result) | (np.floor(result) != result)
    bad |= array != result if array.dtype.kind == "f" else _inexact(array, result)
    if bad.any():
        i = int(np.argmax(bad))
        raise ArgumentValueError(
            f"{name} must hold integers ≥ 1 that float64 represents exactly (all up to 2**53), "
            f"got {name}[{i}] = {show(array[i].item() if array.dtype != object else array[i])}; "
            "linrelay.solve takes an integer of any size"
        )
    return result


def _inexact(array: NDArray[Any], rounded: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where an integer array differs from its rounding to float64."""
    large = np.flatnonzero(~(rounded < 2.0**53))
    result = np.zeros(rounded.shape, np.bool_)
    for i in large:
        result[i] = not math.isfinite(rounded[i]) or int(rounded[i]) != int(array[i])
    return result


def _unwrap(value: Any) -> Any:
    """Return the scalar in an array of no dimensions, anything else as it is."""
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def _rational(name: str, value: Any, expected: str = _RATIONAL) -> Fraction | None:
    """Return `value` exactly, or None where its type is not one of a rational number."""
    if isinstance(value, bool | np.bool_):
        return None
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float | np.floating):
        if not math.isfinite(value):
            raise ArgumentValueError(f"{name} must be {expected}, got {value}")
        return Fraction(*value.as_integer_ratio())
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ArgumentValueError(f"{name} must be {expected}, got {value}")
        _check_exponent(name, int(value.as_tuple().exponent), value)
        return Fraction(value)
    if isinstance(value, str):
        return _parse(name, value)
    if hasattr(value, "_mpf_"):
        return _from_mpf(name, value, expected)
    if hasattr(value, "p") and hasattr(value, "q"):
        return Fraction(int(value.p), int(value.q))
    if hasattr(value, "__index__") and not isinstance(value, np.ndarray):
        return Fraction(value.__index__())
    return None


def _from_mpf(name: str, value: Any, expected: str) -> Fraction:
    sign, mantissa, exponent, bits = value._mpf_
    if mantissa == 0 and (exponent or bits):  # mpmath's infinities and NaN
        raise ArgumentValueError(f"{name} must be {expected}, got {show(value)}")
    _check_exponent(name, exponent, value)
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)


def _check_exponent(name: str, exponent: int, value: object) -> None:
    if abs(exponent) > _MAX_EXPONENT:
        raise ArgumentValueError(
            f"{name} must have an exponent within ±{_MAX_EXPONENT}, got {show(value)}"
        )


def _parse(name: str, text: str) -> Fraction:
    """Read '3', '-0.3', '1e-3', '3/10': a decimal number, or two with a slash between."""
    if len(text) > _MAX_EXPONENT:
        raise ArgumentValueError(
            f"{name} must be a string of at most {_MAX_EXPONENT} characters, got {len(text)}"
        )
    values = [_parse_decimal(name, part.strip(), text) for part in text.split("/")]
    if len(values) > 2 or None in values:
        raise ArgumentValueError(f"{name} must be {_RATIONAL}, got {show(text)}")
    top, bottom = [*values, Fraction(1)][:2]
    if not bottom or top is None:
        raise ArgumentValueError(f"{name} must not be divided by zero, got {show(text)}")
    return top / bottom


def _parse_decimal(name: str, part: str, text: str) -> Fraction | None:
    match = _DECIMAL.fullmatch(part)
    digits = match and ((match["whole"] or "") + (match["decimals"] or "")).replace("_", "")
    if not match or not digits:
        return None
    exponent = match["exponent"] or "0"
    # Long exponents are refused unread; FLINT reads digits beyond Python's 4,300.
    _check_exponent(name, int(exponent) if len(exponent) < 20 else _MAX_EXPONENT + 1, text)
    mantissa = Fraction(int(fmpz(match["sign"].replace("+", "") + digits)))
    decimals = len((match["decimals"] or "").replace("_", ""))
    return mantissa * Fraction(10) ** (int(exponent) - decimals)
