"""The model layer by layer: the plain reference, O(L n) for all positions 1..n at once.

The closed form (:func:`linrelay.solve`, :func:`linrelay.curve`) is what to use; this is what it
is tested against, and what attention without a closed form falls back to.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from linrelay._model import Relay
from linrelay._reading import integer, show
from linrelay.errors import SizeError

__all__ = ["exact_layers", "float_layers"]

_MAX_FRACTIONS = 10**6
_MAX_FLOATS = 2**31  # 16 GB


def exact_layers(relay: Relay, P: int, t: int) -> list[Sequence[Fraction]]:
    """Return δ^(ℓ)_n exactly, as L + 1 lists [ℓ][n − 1] for ℓ = 0..L and n = 1..P+t.

    Parameters
    ----------
    relay : Relay
        The model.
    P, t : int
        Prompt length and number of tokens after it, both ≥ 1. The fractions grow in length
        like ℓ n: meant for P + t up to some thousands.

    Raises
    ------
    SizeError
        Where (L + 1)(P + t), the number of fractions, is above 10**6.

    Examples
    --------
    >>> from linrelay import Relay
    >>> from linrelay.recursion import exact_layers
    >>> exact_layers(Relay(2), P=1, t=2)[-1]
    [Fraction(4, 1), Fraction(7, 4), Fraction(23, 18)]
    """
    P, t = integer("P", P), integer("t", t)
    _check_size(relay, P, t, _MAX_FRACTIONS)
    layers: list[Sequence[Fraction]] = [[Fraction(1)] * P + [Fraction(0)] * t]
    for r, w in zip(relay.residuals, relay.gains, strict=True):
        below = layers[-1]
        averaged = relay.attention.average(below)
        layers.append([r * x + w * y for x, y in zip(below, averaged, strict=True)])
    return layers


def float_layers(relay: Relay, P: int, t: int) -> NDArray[np.float64]:
    """Return δ^(ℓ)_n in floating point, as an array [ℓ, n − 1] of shape (L + 1, P + t).

    For non-negative weights the relative error is at most about L (P + t) 1.1e-16, and usually
    far less: every term is non-negative, and each layer sums up to P + t of them in order.
    Raises SizeError where (L + 1)(P + t), the number of values, is above 2**31.

    Examples
    --------
    >>> from linrelay import Relay
    >>> from linrelay.recursion import float_layers
    >>> float_layers(Relay(2), P=1, t=2)[-1].round(4).tolist()
    [4.0, 1.75, 1.2778]
    """
    P, t = integer("P", P), integer("t", t)
    _check_size(relay, P, t, _MAX_FLOATS)
    layers = np.zeros((relay.depth + 1, P + t))
    layers[0, :P] = 1
    for ell, (r, w) in enumerate(zip(relay.residuals, relay.gains, strict=True)):
        layers[ell + 1] = float(r) * layers[ell] + float(w) * relay.attention.average(layers[ell])
    return layers


def _check_size(relay: Relay, P: int, t: int, limit: int) -> None:
    values = (relay.depth + 1) * (P + t)
    if values > limit:
        raise SizeError(
            f"layer by layer, P={show(P)} and t={show(t)} make {show(values)} values, more than "
            f"{limit}; linrelay.solve and linrelay.curve take any t"
        )
