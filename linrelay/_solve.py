"""The front doors: one t certified (solve), many t in floating point (curve)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from linrelay._curve import Curve
from linrelay._model import Relay
from linrelay._reading import Number, Weights, integer, positions, show
from linrelay._solution import Solution
from linrelay._sums.floating import MAX_LENGTH
from linrelay.errors import ArgumentTypeError, ArgumentValueError

_UNIT: Final = 1
_MAX_DIGITS = 100_000  # beyond it one call into FLINT takes minutes and cannot be interrupted


def solve(
    L: int | Relay,
    P: int,
    t: Number,
    *,
    gain: Weights = _UNIT,
    residual: Weights = _UNIT,
    digits: int = 50,
) -> Solution:
    """Return the influence of a prompt of P tokens, t tokens later, after L layers.

    δ_n^(L) = (P/n) Σ_j T_j h_j(P+1, n), with n = P + t, T_j the tails of the transfer polynomial
    ∏(r_ℓ + w_ℓ x) and h_j the harmonic sums [z^j] ∏_{m=P+1}^{n} m/(m − z).

    Parameters
    ----------
    L : int or Relay
        Depth ≥ 1, or a model that says it all.
    P : int
        Prompt length in tokens, ≥ 1, of any size.
    t : int
        Number of tokens after the prompt, ≥ 1, of any size; integral floats are taken.
    gain, residual
        Weights w_ℓ of attention and r_ℓ of the skip path, exactly: one number, or one per layer.
    digits : int
        Significant digits to certify, 1 to 100,000.

    Returns
    -------
    Solution
        Its `influence`, `exponent`, `bound`, `ratio`, `share` are certified enclosures with a
        relative radius of at most 10**-digits, computed when first asked for; `exact()` is a
        fraction.

    Raises
    ------
    ArgumentValueError, ArgumentTypeError
        Where an argument is not as described. For many t at once see :func:`linrelay.curve`.

    Examples
    --------
    >>> import linrelay
    >>> solution = linrelay.solve(6, 32, 4096)
    >>> print(solution.influence.to_string(20), solution.exponent.to_string(20))
    11.127996770500036272 0.52555216985115446507
    >>> float(linrelay.solve(12, 64, 10**100, gain="0.1").exponent)
    0.9654095708860374
    """
    if type(t) is not int and _is_array(t):
        raise ArgumentTypeError(
            f"t must be one integer, got {show(t)}; linrelay.curve takes many at once"
        )
    digits = integer("digits", digits)
    if digits > _MAX_DIGITS:
        raise ArgumentValueError(f"digits must be at most {_MAX_DIGITS}, got {show(digits)}")
    return Solution(_relay(L, gain, residual), integer("P", P), integer("t", t), digits)


def curve(
    L: int | Relay,
    P: int,
    t: ArrayLike,
    *,
    gain: Weights = _UNIT,
    residual: Weights = _UNIT,
    progress: bool = False,
) -> Curve:
    """Return the influence at many t at once, in floating point.

    Parameters
    ----------
    L : int or Relay
        Depth, or a model, with at most 64 layers of non-zero gain.
    P : int
        Prompt length, 1 to 2**53.
    t : array of int or integral float
        Numbers of tokens after the prompt, each ≥ 1 and exact in float64, in any order.
    gain, residual
        As for :func:`linrelay.solve`.
    progress : bool
        Whether long computations draw a progress bar on standard error.

    Returns
    -------
    Curve
        Its `influence`, `exponent`, `share` … are float64 arrays like t, made when first asked
        for. The relative error is at most 1e-12 for non-negative weights (tested for P to 1e9
        and t to 1e15); `Curve.relative_error` bounds it where weights of both signs cancel.

    Raises
    ------
    ArgumentValueError, ArgumentTypeError
        Where an argument is not as described.

    Examples
    --------
    >>> import linrelay
    >>> curve = linrelay.curve(6, 32, [128, 512, 2048, 8192])
    >>> curve.exponent.round(3).tolist()
    [0.242, 0.385, 0.487, 0.558]
    """
    relay, P = _relay(L, gain, residual), integer("P", P)
    if relay.reach > MAX_LENGTH:
        raise ArgumentValueError(
            f"L must have at most {MAX_LENGTH} layers of non-zero gain for a curve, "
            f"got {relay.reach}; linrelay.solve takes any depth"
        )
    if P > 2**53:
        raise ArgumentValueError(
            f"P must be at most 2**53 for a curve, got {show(P)}; linrelay.solve takes any length"
        )
    return Curve(relay, P, positions("t", t), progress)


def _is_array(value: object) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str)


@lru_cache(maxsize=64)
def _relay_of_integers(L: int, gain: int, residual: int) -> Relay:
    """Return a model that keeps its transfer polynomial from one call to the next."""
    return Relay(integer("L", L), gain=gain, residual=residual)


def _relay(L: int | Relay, gain: Weights, residual: Weights) -> Relay:
    if type(L) is type(gain) is type(residual) is int:
        return _relay_of_integers(L, gain, residual)
    if not isinstance(L, Relay):
        return Relay(integer("L", L), gain=gain, residual=residual)
    if gain is not _UNIT or residual is not _UNIT:
        raise ArgumentTypeError(
            f"gain and residual belong to L={show(L)} and cannot be given beside it"
        )
    return L
