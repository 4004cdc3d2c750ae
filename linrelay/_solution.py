"""Solution: the influence at one t and what belongs to it, certified, each value on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from linrelay import _formula
from linrelay._ball import Ball
from linrelay._model import Relay
from linrelay._progress import progress_bar
from linrelay._rational import ExactFraction, decimal_digits, shorten_integer
from linrelay._reading import integer
from linrelay._sums.certified import CertifiedReal, CertifiedSums
from linrelay._sums.exact import ExactSums, predicted_digits
from linrelay.errors import PrecisionError, SizeError, UndefinedError

MAX_DIGITS = 1_000_000  # of the fractions that exact() returns unasked
_DECIDED_EXACTLY = 20_000  # digits up to which a value that may be zero is computed exactly
_MAX_EXTRA_BITS = 2**18  # of working precision beyond the digits asked for


@dataclass(frozen=True)
class Solution:
    """The influence of a prompt of P tokens, t tokens later: certified values, made when asked for.

    Returned by :func:`linrelay.solve`. Each value is a :class:`linrelay.Ball` that contains the
    true value, with a radius of at most 10**-digits times its midpoint. Immutable and picklable;
    equal when model, P, t and digits are.

    Attributes
    ----------
    relay : Relay
        The model.
    P, t : int
        Prompt length and number of tokens after the prompt.
    digits : int
        Certified significant digits.

    Examples
    --------
    >>> import linrelay
    >>> solution = linrelay.solve(2, 1, 2, digits=10)
    >>> solution.exact()
    ExactFraction(23, 18)
    >>> solution.influence
    <Ball 1.2777777777778 (14 digits)>
    """

    relay: Relay
    P: int
    t: int
    digits: int

    @property
    def L(self) -> int:
        """The depth, in layers."""
        return self.relay.depth

    @property
    def n(self) -> int:
        """The position P + t."""
        return self.P + self.t

    # Values

    @cached_property
    def influence(self) -> Ball:
        """δ_n^(L) = (P/n) Σ_j T_j h_j(P+1, n): distance of hidden states per unit in the prompt."""
        return self._enclose("influence", self._influence)

    @cached_property
    def share(self) -> Ball:
        """influence / ∏(r + w), the part of all paths that end in the prompt.

        Raises UndefinedError where ∏(r + w) is zero.
        """
        total = self.relay.total
        if not total:
            raise UndefinedError("share is not defined: the product of residual + gain is zero")
        return self._enclose("share", lambda sums: self._influence(sums) / sums.number(total))

    @cached_property
    def exponent(self) -> Ball:
        """The local exponent α = −d log influence / d log t, in the continuous variable t.

        Raises UndefinedError where the influence is zero.
        """
        transfer, tails = self.relay.transfer, self.relay.tails
        return self._enclose("exponent", lambda sums: _formula.exponent(transfer, tails, sums))

    @cached_property
    def bound(self) -> Ball:
        """P (log t)^(L−1) / t, zero at t = 1 for L ≥ 2."""
        return self._enclose("bound", self._bound)

    @cached_property
    def ratio(self) -> Ball:
        """influence / bound, which tends to `limit` as t → ∞.

        Raises UndefinedError at t = 1 for L ≥ 2, where the bound is zero.
        """
        if self.t == 1 and self.L > 1:
            raise UndefinedError("ratio is not defined at t=1, where log t is zero; take t ≥ 2")
        return self._enclose("ratio", lambda sums: self._influence(sums) / self._bound(sums))

    @property
    def limit(self) -> ExactFraction:
        """∏_ℓ w_ℓ / (L−1)!, the exact limit of `ratio` as t → ∞."""
        return self.relay.limit

    def exact(self, *, max_digits: int = MAX_DIGITS, progress: bool = False) -> ExactFraction:
        """Return the influence as an exact fraction.

        Parameters
        ----------
        max_digits : int
            Largest predicted number of digits of numerator or denominator that is begun.
        progress : bool
            Whether to draw a progress bar on standard error.

        Raises
        ------
        SizeError
            Where the prediction, an upper estimate, is above max_digits.

        Examples
        --------
        >>> import linrelay
        >>> linrelay.solve(3, 1, 9).exact()
        ExactFraction(107011963, 63504000)
        >>> linrelay.solve(6, 32, 5000).exact()
        <ExactFraction 1848214482…0514994941/1846217232…0000000000 (10942/10941 digits)>
        """
        max_digits = integer("max_digits", max_digits)
        predicted = self.exact_digits()
        if predicted > max_digits:
            raise SizeError(
                f"exact() is predicted to return up to {_roughly(predicted)} digits above and "
                f"below the fraction bar, more than max_digits={max_digits}; influence encloses "
                "the value at any t, and a larger max_digits lets exact() go on"
            )
        with progress_bar(progress, self.t, "tokens") as update:
            sums = ExactSums(self.P, self.t, self.relay.reach, update)
            value = _formula.influence(self.relay.tails, sums)
        return ExactFraction.from_coprime(int(value.p), int(value.q))

    def exact_digits(self) -> int:
        """Return an upper estimate of the digits of exact()'s denominator, without computing it."""
        bits = self.relay.tails.denominator.bit_length()
        return predicted_digits(bits, self.relay.reach, self.P, self.t)

    def __float__(self) -> float:
        return float(self.influence)

    # Certification

    def _influence(self, sums: CertifiedSums) -> CertifiedReal:
        result: CertifiedReal = _formula.influence(self.relay.tails, sums)
        return result

    def _bound(self, sums: CertifiedSums) -> CertifiedReal:
        result: CertifiedReal = _formula.bound(self.L, sums.P, sums.t, sums.t.log())
        return result

    def _enclose(self, name: str, value: Callable[[CertifiedSums], CertifiedReal]) -> Ball:
        """Return the value of a formula, raising the working precision until it is known.

        Without cancellation the first precision is enough.
        """
        needed = 10 * self.digits // 3 + 2
        bits = start = needed + 12 + 2 * self.L.bit_length()
        while bits <= start + _MAX_EXTRA_BITS:
            result = value(self._sums(bits)).ball
            if result.is_finite() and result.rel_accuracy_bits() >= needed:
                return Ball.from_arb(result)
            if bits == start and self._influence_is_zero():
                if name == "exponent":
                    raise UndefinedError("exponent is not defined: the influence is zero")
                return Ball(0)
            bits += bits - start or 64
        raise PrecisionError(
            f"{name} cancels so strongly that it is not known to digits={self.digits} from "
            f"{bits // 2} bits: {result.str(5)}"
        )

    def _sums(self, bits: int) -> CertifiedSums:
        sums = self.__dict__.get("_last_sums")
        if sums is None or sums.bits != bits:
            # Kept for the next value; a plain entry, since the class is frozen.
            sums = CertifiedSums(self.P, self.t, self.relay.reach, bits)
            self.__dict__["_last_sums"] = sums
        return sums

    def _influence_is_zero(self) -> bool:
        """Return whether the influence is exactly zero, as far as it can be.

        It can be only where all tails are, or where tails of both signs cancel. They do not if a
        prime > P in (n/2, n] divides none of the tails' numerators and denominators, since it
        divides the denominator of h_j exactly j times: for long continuations there are many.
        """
        tails = self.relay.tails
        if not any(tails.numerators):
            return True
        if tails.has_one_sign() or self.exact_digits() > _DECIDED_EXACTLY:
            return False
        return not self.exact()

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_last_sums"}

    # Display

    def to_dict(self) -> dict[str, Any]:
        """Return the solution as strings and numbers that JSON can hold.

        Certified values are dictionaries of decimal strings mid and rad; undefined ones are None.
        Integers of any size are strings.
        """
        values = {name: value and value.to_dict() for name, value in self._values()}
        return {
            "L": self.L,
            "P": ExactFraction(self.P).to_string(),
            "t": ExactFraction(self.t).to_string(),
            "gain": [ExactFraction(x).to_string() for x in self.relay.gains],
            "residual": [ExactFraction(x).to_string() for x in self.relay.residuals],
            "digits": self.digits,
            **values,
            "limit": self.limit.to_string(),
        }

    def _values(self) -> list[tuple[str, Ball | None]]:
        """Return the certified values by name, None where one is not defined."""

        def value(name: str) -> Ball | None:
            try:
                return getattr(self, name)  # type: ignore[no-any-return]
            except UndefinedError:
                return None

        names = ("influence", "share", "exponent", "bound", "ratio")
        return [(name, value(name)) for name in names]

    def _rows(self) -> list[tuple[str, str]]:
        values = [
            (name, "undefined" if x is None else x.to_string(self.digits))
            for name, x in self._values()
        ]
        return [*values, ("limit", str(self.limit))]

    def _title(self) -> str:
        return f"{self.relay}, P = {shorten_integer(self.P)}, t = {shorten_integer(self.t)}"

    def __str__(self) -> str:
        rows = [f"  {name:9}  {value}" for name, value in self._rows()]
        return "\n".join([self._title(), *rows])

    def __repr__(self) -> str:
        P, t = shorten_integer(self.P), shorten_integer(self.t)
        return f"<Solution {self.relay}, P={P}, t={t}, digits={self.digits}>"

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><th style='text-align:left'>{name}</th>"
            f"<td style='text-align:left'><code>{html.escape(value)}</code></td></tr>"
            for name, value in self._rows()
        )
        return f"<table><caption>{html.escape(self._title())}</caption>{rows}</table>"


def _roughly(value: int) -> str:
    """Return the size of a positive integer: 123, 4.5e+06, 10^1000."""
    if value < 10**6:
        return str(value)
    return f"{value:.2g}" if value < 10**300 else f"10^{decimal_digits(value) - 1}"
