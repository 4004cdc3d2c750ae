"""Ball: a real number known to lie in an interval with exact ends."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, fmpz

from linrelay._rational import ExactFraction, coprime_fraction, decimal_digits, nearest_float
from linrelay._reading import Number, integer, rational, show
from linrelay.errors import ArgumentTypeError, ArgumentValueError, UndecidedError

if TYPE_CHECKING:
    from decimal import Decimal

    import mpmath
    import sympy


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Ball:
    """An enclosure: the real number that it stands for lies within `rad` of `mid`.

    Both are exact rationals, so a ball never changes with any precision setting. It prints only
    digits that are certain, compares only where the enclosures decide, and pickles.

    Parameters
    ----------
    mid, rad
        Midpoint and radius, rad ≥ 0, as anything that is exactly rational (int, Fraction,
        Decimal, str, float, mpmath's mpf, SymPy's Rational …); rad = 0 is an exact number.

    Raises
    ------
    ArgumentValueError, ArgumentTypeError
        Where mid or rad is not a finite rational number, or rad is negative.

    Examples
    --------
    >>> from linrelay import Ball
    >>> third = Ball("0.3333", "0.0001")
    >>> third
    <Ball 0.333 (3 digits)>
    >>> third < 1, "1/3" in third, third.digits
    (True, True, 3)
    >>> third < Ball("0.33334")
    Traceback (most recent call last):
    ...
    linrelay.errors.UndecidedError: cannot order 0.333 (3 digits) and 0.33334: the enclosures \
overlap; more digits may decide, a.overlaps(b) asks just this
    """

    mid: Fraction
    rad: Fraction

    def __init__(self, mid: Number, rad: Number = 0) -> None:
        object.__setattr__(self, "mid", rational("mid", mid))
        object.__setattr__(self, "rad", rational("rad", rad))
        if self.rad < 0:
            raise ArgumentValueError(f"rad must be at least 0, got {show(self.rad)}")

    # Conversion in

    @classmethod
    def enclosing(cls, value: Any) -> Ball:
        """Return the ball of `value`: a Ball, an arb, an mpmath interval or an exact number."""
        if isinstance(value, Ball):
            return value
        if isinstance(value, arb):
            return cls.from_arb(value)
        if hasattr(value, "_mpi_"):
            low, high = (_Endpoint(end) for end in value._mpi_)
            lower, upper = rational("value", low), rational("value", high)
            return cls((lower + upper) / 2, (upper - lower) / 2)
        return cls(rational("value", value))

    @classmethod
    def from_arb(cls, value: arb) -> Ball:
        """Return the ball of a python-flint arb, exactly the same interval."""
        if not value.is_finite():
            raise ArgumentValueError(f"value must be a finite ball, got {value}")
        ball = object.__new__(cls)
        object.__setattr__(ball, "mid", _dyadic(value.mid()))
        object.__setattr__(ball, "rad", _dyadic(value.rad()))
        return ball

    # What is known

    @property
    def lower(self) -> Fraction:
        """The lower end of the enclosure, exactly."""
        return self.mid - self.rad

    @property
    def upper(self) -> Fraction:
        """The upper end of the enclosure, exactly."""
        return self.mid + self.rad

    @property
    def is_exact(self) -> bool:
        """Whether the enclosure is a single number."""
        return not self.rad

    @property
    def digits(self) -> int | float:
        """The largest d with rad ≤ 10**-d · |mid|: certain significant digits (inf if exact)."""
        if not self.rad:
            return math.inf
        quotient = abs(self.mid) / self.rad
        whole = quotient.numerator // quotient.denominator
        return decimal_digits(whole) - 1 if whole else 0

    def __contains__(self, value: Any) -> bool:
        other = Ball.enclosing(value)
        return self.lower <= other.lower and other.upper <= self.upper

    def overlaps(self, other: Any) -> bool:
        """Return whether the enclosures have a point in common."""
        other = Ball.enclosing(other)
        return bool(abs(self.mid - other.mid) <= self.rad + other.rad)

    def is_identical(self, other: Ball) -> bool:
        """Return whether both enclosures are the same interval (not: the same number)."""
        return (self.mid, self.rad) == (other.mid, other.rad)

    # Comparison: only where the enclosures decide

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        ball = _comparable(other)
        if ball is None:
            return NotImplemented
        if not self.overlaps(ball):
            return False
        if self.is_exact and ball.is_exact:
            return True
        raise _undecided(self, ball)

    def __lt__(self, other: Any) -> bool:
        ball = _comparable(other)
        return NotImplemented if ball is None else _less(self, ball)

    def __gt__(self, other: Any) -> bool:
        ball = _comparable(other)
        return NotImplemented if ball is None else _less(ball, self)

    def __le__(self, other: Any) -> bool:
        ball = _comparable(other)
        return NotImplemented if ball is None else not _less(ball, self)

    def __ge__(self, other: Any) -> bool:
        ball = _comparable(other)
        return NotImplemented if ball is None else not _less(self, ball)

    def __bool__(self) -> bool:
        return self != 0

    def __hash__(self) -> int:
        return hash(self.mid) if self.is_exact else hash((self.mid, self.rad))

    # Conversion out

    def __float__(self) -> float:
        """Return the double nearest to the midpoint, infinite beyond all doubles."""
        return nearest_float(self.mid.numerator, self.mid.denominator)

    def to_arb(self) -> arb:
        """Return a python-flint arb that contains the ball (and is it, where mid is dyadic)."""
        low, exponent = _floor(self.mid, _bits(self))
        error = self.mid - _scale(low, exponent)
        # arb rounds a radius up to the 30 bits that it keeps.
        radius, radius_exponent = _floor(-self.rad - error, 64)
        return arb((low, exponent), (-radius, radius_exponent))

    def to_mpmath(self) -> mpmath.mpf:
        """Return the midpoint as an mpmath mpf: exactly if dyadic, else beyond certain digits."""
        import mpmath

        return mpmath.mp.make_mpf(mpmath.libmp.from_man_exp(*_floor(self.mid, _bits(self))))

    def to_interval(self) -> mpmath.ctx_iv.ivmpf:
        """Return an mpmath interval (mpmath.iv) that contains the ball."""
        import mpmath

        from_man_exp = mpmath.libmp.from_man_exp
        low, low_exponent = _floor(self.lower, _bits(self))
        high, high_exponent = _floor(-self.upper, _bits(self))
        ends = from_man_exp(low, low_exponent), from_man_exp(-high, high_exponent)
        return mpmath.iv.make_mpf(ends)

    def to_sympy(self) -> sympy.Expr:
        """Return a SymPy Float of the certain digits, or a Rational where the ball is exact."""
        import sympy

        if self.is_exact:
            return sympy.Rational(self.mid.numerator, self.mid.denominator)
        text, digits = _certain(self)
        return sympy.Float(text, max(digits, 1))

    def to_decimal(self) -> Decimal:
        """Return a Decimal of the certain digits (50 digits of an exact ball, 0 if none is)."""
        from decimal import Decimal

        return Decimal(_certain(self)[0])

    def to_dict(self) -> dict[str, str]:
        """Return decimal strings mid and rad; ``Ball(**ball.to_dict())`` contains the ball."""
        mantissa, exponent = _round(self.mid, 50 if self.is_exact else int(self.digits) + 5)
        if self.is_exact:
            mantissa, exponent = _trim(mantissa, exponent)
        error = abs(self.mid - mantissa * Fraction(10) ** exponent)
        return {"mid": _decimal(mantissa, exponent), "rad": _upper_decimal(self.rad + error)}

    def _sympy_(self) -> sympy.Expr:
        return self.to_sympy()

    # Printing

    def to_string(self, digits: int | None = None) -> str:
        """Return the certain digits, or the first `digits` of them, rounded.

        Every number in the ball rounds to what is shown; ``0 ± …`` where no digit is certain.
        """
        if self.is_exact:
            return _exact_text(self.mid)
        text, shown = _certain(self, digits and integer("digits", digits))
        return text if shown else _no_digits(self)

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"<Ball {_summary(self)}>"

    def __format__(self, spec: str) -> str:
        """Format the certain digits; raise UndecidedError where more decimals are asked for."""
        if not spec:
            return str(self)
        precision = re.search(r"\.([0-9]+)", spec)
        if not precision:
            return format(self.to_decimal(), spec)
        texts = [format(_cut(end, int(precision[1])), spec) for end in (self.lower, self.upper)]
        if texts[0] != texts[1]:
            raise UndecidedError(
                f"cannot format {_summary(self)} as {spec!r}: not all of these digits are certain; "
                "more digits may decide, str() shows the certain ones"
            )
        return texts[0]


class _Endpoint:
    """One end of an mpmath interval, readable as mpmath's numbers are."""

    def __init__(self, mpf: tuple[Any, ...]) -> None:
        self._mpf_ = mpf

    def __repr__(self) -> str:
        return f"an interval's end {self._mpf_}"


def _comparable(value: object) -> Ball | None:
    if isinstance(value, str):
        return None
    try:
        return Ball.enclosing(value)
    except ArgumentTypeError:
        return None


def _less(a: Ball, b: Ball) -> bool:
    if a is b or a.lower >= b.upper:
        return False
    if a.upper < b.lower:
        return True
    raise _undecided(a, b)


def _undecided(a: Ball, b: Ball) -> UndecidedError:
    return UndecidedError(
        f"cannot order {_summary(a)} and {_summary(b)}: the enclosures overlap; "
        "more digits may decide, a.overlaps(b) asks just this"
    )


# Binary: exact where the number is dyadic


def _bits(ball: Ball) -> int:
    """Return how many bits a midpoint that is not dyadic keeps: more than are certain."""
    return 64 + math.ceil(3.33 * (50 if ball.is_exact else ball.digits))


def _dyadic(value: arb) -> Fraction:
    """Return an exact arb as a Fraction."""
    mantissa, exponent = (int(x) for x in value.man_exp())
    if exponent >= 0:
        return coprime_fraction(mantissa << exponent, 1)
    # FLINT's mantissas are odd (or zero, with exponent zero): nothing to cancel.
    return coprime_fraction(mantissa, 1 << -exponent)


def _scale(mantissa: int, exponent: int) -> Fraction:
    return Fraction(mantissa << max(exponent, 0), 1 << max(-exponent, 0))


def _floor(x: Fraction, bits: int) -> tuple[int, int]:
    """Return (m, e) with m·2**e the largest such number ≤ x of `bits` bits; x itself if dyadic."""
    n, d = x.numerator, x.denominator
    if d & (d - 1) == 0:
        return n, 1 - d.bit_length()
    exponent = n.bit_length() - d.bit_length() - bits
    return (n << max(-exponent, 0)) // (d << max(exponent, 0)), exponent


# Decimal: FLINT writes the digits, since Python refuses more than 4,300


def _round(x: Fraction, digits: int) -> tuple[int, int]:
    """Return (m, e) with m·10**e the number of `digits` significant digits nearest to x."""
    if not x:
        return 0, 0
    exponent = decimal_digits(x.numerator) - decimal_digits(x.denominator) - digits
    mantissa = round(x / Fraction(10) ** exponent)
    if decimal_digits(mantissa) > digits:
        exponent += 1
        mantissa = round(x / Fraction(10) ** exponent)
        if decimal_digits(mantissa) > digits:  # 9.99… rounded up to 10.0…
            return mantissa // 10, exponent + 1
    return mantissa, exponent


def _cut(x: Fraction, decimals: int) -> Decimal:
    """Return x cut behind that many decimals, or digits if x < 1, and a few more.

    A last digit 1 stands for what was cut off: the result rounds to these decimals as x does.
    """
    from decimal import Decimal

    below_one = max(decimal_digits(x.denominator) - decimal_digits(x.numerator), 0)
    places = decimals + below_one + 5
    mantissa, rest = divmod(abs(x.numerator) * 10**places, x.denominator)
    return Decimal(f"{'-' * (x < 0)}{fmpz(mantissa).str()}{int(rest > 0)}e-{places + 1}")


def _trim(mantissa: int, exponent: int) -> tuple[int, int]:
    """Drop zeros that end the mantissa, but none of those that end an integer."""
    while mantissa and mantissa % 10 == 0 and exponent:
        mantissa, exponent = mantissa // 10, exponent + 1
    return mantissa, exponent


def _decimal(mantissa: int, exponent: int) -> str:
    """Return mantissa·10**exponent in decimal, all digits of the mantissa and no others."""
    sign, digits = "-" * (mantissa < 0), fmpz(abs(mantissa)).str()
    leading = len(digits) - 1 + exponent  # the power of ten of the first digit
    if exponent > 0 or leading < -6:
        point = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{point}e{leading:+d}"
    digits = digits.rjust(1 - exponent, "0")
    return sign + (f"{digits[:exponent]}.{digits[exponent:]}" if exponent else digits)


def _upper_decimal(x: Fraction) -> str:
    """Return x ≥ 0 to three digits, rounded up."""
    mantissa, exponent = _round(x, 3)
    mantissa += mantissa * Fraction(10) ** exponent < x
    return _decimal(*_trim(mantissa, exponent))


def _certain(ball: Ball, at_most: int | None = None) -> tuple[str, int]:
    """Return the longest decimal to which the whole ball rounds, and its number of digits."""
    digits = 50 if ball.is_exact else int(ball.digits) + 1
    near, far = sorted((ball.lower, ball.upper), key=abs)
    for k in range(min(digits, at_most or digits), 0, -1):
        mantissa, exponent = _round(far, k)
        if round(near / Fraction(10) ** exponent) == mantissa:
            return _decimal(mantissa, exponent), k
    return "0", 0


def _exact_text(x: Fraction) -> str:
    """Return an exact number: in decimal if that ends soon, else as a fraction."""
    mantissa, exponent = _round(x, 40)
    if mantissa * Fraction(10) ** exponent == x:
        return _decimal(*_trim(mantissa, exponent))
    return str(ExactFraction(x))


def _no_digits(ball: Ball) -> str:
    return f"0 ± {_upper_decimal(max(abs(ball.lower), abs(ball.upper)))}"


def _summary(ball: Ball) -> str:
    if ball.is_exact:
        return _exact_text(ball.mid)
    text, shown = _certain(ball, at_most=20)
    if not shown:
        return _no_digits(ball)
    more = "…" if ball.digits > shown else ""
    return f"{text}{more} ({ball.digits} digits)"
