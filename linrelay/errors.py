"""The errors that linrelay raises, one family under :class:`LinrelayError`."""

from __future__ import annotations

__all__ = [
    "ArgumentTypeError",
    "ArgumentValueError",
    "LinrelayError",
    "MissingExtraError",
    "PrecisionError",
    "SizeError",
    "UndecidedError",
    "UndefinedError",
]


class LinrelayError(ValueError):
    """Base of every error that linrelay raises on purpose."""


class ArgumentValueError(LinrelayError):
    """An argument has the right type and a value that is not allowed."""


class ArgumentTypeError(LinrelayError, TypeError):
    """An argument has a type that is not allowed."""


class SizeError(LinrelayError):
    """The work asked for was predicted to be larger than the limit, and not begun."""


class PrecisionError(LinrelayError, ArithmeticError):
    """The precision limit was reached before the value was enclosed tightly enough."""


class UndecidedError(LinrelayError, ArithmeticError):
    """Two enclosures overlap, so that their order is not known."""


class UndefinedError(LinrelayError, ArithmeticError):
    """The quantity does not exist at this point (a division by an exact zero)."""


class MissingExtraError(LinrelayError, ImportError):
    """An optional dependency that this call needs is not installed."""
