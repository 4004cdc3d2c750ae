"""Exact rational numbers: long ones that print, and vectors over one denominator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, overload

from flint import fmpz

_PRINTED_WHOLE = 120  # longest numerator or denominator, in digits, that a string shows whole
_PRINTED_ENDS = 10  # digits shown at either end of a longer one


def coprime_fraction(numerator: int, denominator: int, cls: type[Fraction] = Fraction) -> Fraction:
    """Return numerator/denominator, known to be in lowest terms, without a gcd.

    ``Fraction(n, d)`` spends quadratic time on a gcd that FLINT has already taken out.
    """
    result: Any = object.__new__(cls)
    result._numerator = numerator
    result._denominator = denominator
    return result  # type: ignore[no-any-return]


def decimal_digits(value: int) -> int:
    """Return how many decimal digits `value` has, without its sign (1 for zero)."""
    value = abs(value)
    # log10(2), rounded down: the estimate from the bits is right or one too small.
    digits = max(1, int((value.bit_length() - 1) * 0.30102999566398) + 1)
    return digits + (fmpz(value) >= fmpz(10) ** digits)


def shorten_integer(value: int) -> str:
    """Return `value` in decimal, its middle left out where it is long."""
    digits = decimal_digits(value)
    if digits <= _PRINTED_WHOLE:
        return str(value)
    head = abs(value) // 10 ** (digits - _PRINTED_ENDS)
    tail = abs(value) % 10**_PRINTED_ENDS
    return f"{'-' * (value < 0)}{head}…{tail:0{_PRINTED_ENDS}d}"


class ExactFraction(Fraction):
    """A Fraction of any size that prints.

    Python refuses to write integers of more than 4,300 digits. ``str`` and ``repr`` of an
    `ExactFraction` show the ends of a long numerator and denominator with their lengths;
    `to_string` writes all digits. Everything else is that of ``fractions.Fraction``, and
    arithmetic returns plain fractions.
    """

    __slots__ = ()

    @classmethod
    def from_coprime(cls, numerator: int, denominator: int) -> ExactFraction:
        """Return the fraction of two integers known to be in lowest terms."""
        return coprime_fraction(numerator, denominator, cls)  # type: ignore[return-value]

    def to_string(self) -> str:
        """Return all digits, as ``numerator/denominator`` (or an integer)."""
        numerator = fmpz(self.numerator).str()
        return numerator if self.denominator == 1 else f"{numerator}/{fmpz(self.denominator).str()}"

    def size(self) -> tuple[int, int]:
        """Return the number of decimal digits of the numerator and the denominator."""
        return decimal_digits(self.numerator), decimal_digits(self.denominator)

    def __str__(self) -> str:
        if max(size := self.size()) <= _PRINTED_WHOLE:
            return self.to_string()
        ends = f"{shorten_integer(self.numerator)}/{shorten_integer(self.denominator)}"
        return f"{ends} ({size[0]}/{size[1]} digits)"

    def __format__(self, spec: str) -> str:
        # Fraction's own, from Python 3.12 on, writes all digits.
        return format(Fraction(self), spec) if spec else str(self)

    def __repr__(self) -> str:
        if max(self.size()) <= _PRINTED_WHOLE:
            return f"ExactFraction({self.numerator}, {self.denominator})"
        return f"<ExactFraction {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return ExactFraction.from_coprime, (self.numerator, self.denominator)

    def __copy__(self) -> ExactFraction:
        return self

    def __deepcopy__(self, memo: Any) -> ExactFraction:
        return self


def nearest_float(numerator: int, denominator: int) -> float:
    """Return the double nearest to a fraction, infinite where it is beyond all doubles."""
    try:
        return numerator / denominator
    except OverflowError:
        return -math.inf if numerator < 0 else math.inf


class RationalVector(Sequence[Fraction]):
    """A sequence of exact rationals, kept as integers over one common denominator."""

    __slots__ = ("denominator", "numerators")

    def __init__(self, numerators: Sequence[int], denominator: int = 1) -> None:
        common = math.gcd(denominator, *numerators)
        self.numerators = tuple(x // common for x in numerators)
        self.denominator = denominator // common

    def __len__(self) -> int:
        return len(self.numerators)

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> RationalVector: ...
    def __getitem__(self, index: int | slice) -> Fraction | RationalVector:
        if isinstance(index, slice):
            return RationalVector(self.numerators[index], self.denominator)
        return Fraction(self.numerators[index], self.denominator)

    def __abs__(self) -> RationalVector:
        return RationalVector([abs(x) for x in self.numerators], self.denominator)

    def has_one_sign(self) -> bool:
        """Return whether no two entries have opposite signs."""
        return min(self.numerators, default=0) >= 0 or max(self.numerators) <= 0

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RationalVector):
            return (self.numerators, self.denominator) == (other.numerators, other.denominator)
        if isinstance(other, tuple | list):
            return list(self) == list(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.numerators, self.denominator))

    def __repr__(self) -> str:
        return f"({', '.join(str(ExactFraction(x)) for x in self)})"

    def floats(self, exponent: int) -> list[float]:
        """Return the entries divided by 2**exponent, each rounded once."""
        up, down = max(-exponent, 0), max(exponent, 0)
        denominator = self.denominator << down
        return [nearest_float(x << up, denominator) for x in self.numerators]

    def binary_exponent(self) -> int:
        """Return e with the largest entry between 2**(e-1) and 2**(e+1) (0 if all are zero)."""
        largest = max((abs(x) for x in self.numerators), default=0)
        return largest.bit_length() - self.denominator.bit_length() if largest else 0
