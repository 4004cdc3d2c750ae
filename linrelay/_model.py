"""The linear relay model: depth, weights and attention, and its transfer polynomial."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from math import factorial, lcm, prod
from typing import NamedTuple

from flint import fmpz_poly

from linrelay._attention import Uniform
from linrelay._rational import ExactFraction, RationalVector
from linrelay._reading import Weights, integer, show, weights
from linrelay.errors import ArgumentTypeError, SizeError

_MAX_TRANSFER_BITS = 2**31  # 256 MB of coefficients


@dataclass(frozen=True, init=False, repr=False)
class Relay:
    """The linear relay model, δ^(ℓ) = (r_ℓ + w_ℓ C) δ^(ℓ−1) for ℓ = 1..L.

    Immutable, hashable, comparable and picklable. Weights are kept exactly.

    Parameters
    ----------
    depth : int
        L ≥ 1, the number of layers.
    gain, residual
        w_ℓ, the weight of the attention path, and r_ℓ, that of the skip path: one number for all
        layers or a sequence of `depth` of them. Integers, Fraction, Decimal, strings ("0.3",
        "3/10"), mpmath's and SymPy's rationals count at their exact value, floats at their exact
        binary value. Any sign.
    attention : Uniform
        How a layer averages over earlier positions.

    Raises
    ------
    ArgumentValueError, ArgumentTypeError
        Where an argument is not of this form.
    SizeError
        Where the transfer polynomial is predicted to need more than 2**31 bits, as from
        32,768 layers of weights 1 on.

    Examples
    --------
    >>> from linrelay import Relay
    >>> relay = Relay(3, gain="1/2", residual=[1, 1, 0])
    >>> relay
    Relay(3, gain='1/2', residual=[1, 1, 0])
    >>> relay.transfer
    (0, 1/2, 1/2, 1/8)
    >>> relay.tails
    (9/8, 5/8, 1/8)
    """

    depth: int
    gain: Fraction | tuple[Fraction, ...]
    residual: Fraction | tuple[Fraction, ...]
    attention: Uniform = field(default=Uniform())

    def __init__(
        self,
        depth: int,
        *,
        gain: Weights = 1,
        residual: Weights = 1,
        attention: Uniform = Uniform(),  # noqa: B008 (immutable)
    ) -> None:
        depth = integer("depth", depth)
        if not isinstance(attention, Uniform):
            raise ArgumentTypeError(f"attention must be Uniform(), got {show(attention)}")
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "gain", weights("gain", gain, depth))
        object.__setattr__(self, "residual", weights("residual", residual, depth))
        object.__setattr__(self, "attention", attention)

        _check_size(self)

    def __repr__(self) -> str:
        named = {"gain": self.gain, "residual": self.residual}
        given = [f"{k}={_literal(v)}" for k, v in named.items() if v != 1]
        return f"Relay({', '.join([str(self.depth), *given])})"

    @property
    def gains(self) -> tuple[Fraction, ...]:
        """The gain of each layer, w_1..w_L."""
        return _per_layer(self.gain, self.depth)

    @property
    def residuals(self) -> tuple[Fraction, ...]:
        """The residual of each layer, r_1..r_L."""
        return _per_layer(self.residual, self.depth)

    @cached_property
    def transfer(self) -> RationalVector:
        """The coefficients c_0..c_L of the transfer polynomial ∏_ℓ (r_ℓ + w_ℓ x).

        c_k is the summed weight of all paths through the layers that relay k times.
        """
        return _polynomial(self).transfer

    @cached_property
    def tails(self) -> RationalVector:
        """The tails T_0..T_{L−1} of the transfer polynomial, T_j = Σ_{k>j} c_k."""
        return _polynomial(self).tails

    @cached_property
    def reach(self) -> int:
        """The most relays on one path: the number of layers whose gain is not zero."""
        return _polynomial(self).reach

    @property
    def total(self) -> Fraction:
        """∏_ℓ (r_ℓ + w_ℓ), the influence of the prompt on itself and the unit of the share."""
        return prod((r + w for r, w in zip(self.residuals, self.gains, strict=True)), start=_ONE)

    @property
    def limit(self) -> ExactFraction:
        """∏_ℓ w_ℓ / (L−1)!, the limit of influence / bound as t → ∞."""
        return ExactFraction(prod(self.gains, start=_ONE) / factorial(self.depth - 1))


_ONE = Fraction(1)


def _per_layer(value: Fraction | tuple[Fraction, ...], depth: int) -> tuple[Fraction, ...]:
    return value if isinstance(value, tuple) else (value,) * depth


def _literal(value: Fraction | tuple[Fraction, ...]) -> str:
    """Return a weight as it may be typed again."""
    if isinstance(value, tuple):
        shown = [_literal(x) for x in value]
        return f"[{', '.join(shown if len(shown) <= 24 else [*shown[:3], '…', shown[-1]])}]"
    text = str(ExactFraction(value))
    return text if value.denominator == 1 else f"'{text}'"


def _check_size(relay: Relay) -> None:
    """Refuse a model whose transfer polynomial, L + 1 coefficients, is predicted to be too big."""
    w, r = relay.gain, relay.residual
    if isinstance(w, Fraction) and isinstance(r, Fraction):
        bits = _layer_bits(r, w) * relay.depth
    else:
        count = relay.depth
        bits = sum(map(_layer_bits, _per_layer(r, count), _per_layer(w, count)))
    if bits * (relay.depth + 1) > _MAX_TRANSFER_BITS:
        raise SizeError(
            f"the transfer polynomial of depth={show(relay.depth)} is predicted to need more than "
            f"{_MAX_TRANSFER_BITS:.1e} bits; use fewer layers or weights with fewer digits"
        )


def _layer_bits(r: Fraction, w: Fraction) -> int:
    """Return an upper estimate of the bits by which one layer lengthens the coefficients."""
    skip = r.numerator.bit_length() + w.denominator.bit_length()
    relayed = w.numerator.bit_length() + r.denominator.bit_length()
    return max(skip, relayed)


class _Polynomial(NamedTuple):
    transfer: RationalVector
    tails: RationalVector
    reach: int


@lru_cache(maxsize=16)
def _polynomial(relay: Relay) -> _Polynomial:
    """Return the coefficients of the transfer polynomial, their tails, and its degree."""
    w, r = relay.gain, relay.residual
    uniform = isinstance(w, Fraction) and isinstance(r, Fraction)
    count = 1 if uniform else relay.depth
    layers = [*zip(_per_layer(r, count), _per_layer(w, count), strict=True)]
    scale = [lcm(a.denominator, b.denominator) for a, b in layers]
    factors = [fmpz_poly([int(a * q), int(b * q)]) for (a, b), q in zip(layers, scale, strict=True)]
    power = relay.depth if uniform else 1
    polynomial = _product(factors) ** power
    c = [int(polynomial[k]) for k in range(relay.depth + 1)]
    total, tails = 0, []
    for coefficient in reversed(c[1:]):
        total += coefficient
        tails.append(total)
    denominator = prod(scale) ** power
    return _Polynomial(
        RationalVector(c, denominator),
        RationalVector(tails[::-1], denominator),
        max(polynomial.degree(), 0),
    )


def _product(factors: list[fmpz_poly]) -> fmpz_poly:
    """Return the product, by halves, so that FLINT multiplies operands of like size."""
    if len(factors) == 1:
        return factors[0]
    half = len(factors) // 2
    return _product(factors[:half]) * _product(factors[half:])
