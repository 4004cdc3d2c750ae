"""linrelay: an exact solver for the linear relay model of prompt forgetting in transformers.

>>> import linrelay
>>> linrelay.solve(L=3, P=1, t=9).exact()
ExactFraction(107011963, 63504000)
"""

from typing import TYPE_CHECKING, Any

from linrelay._ball import Ball
from linrelay._curve import Curve
from linrelay._model import Relay
from linrelay._solution import Solution
from linrelay._solve import curve, solve
from linrelay.errors import LinrelayError

if TYPE_CHECKING:
    from linrelay._closed_form import closed_form

__all__ = [
    "Ball",
    "Curve",
    "LinrelayError",
    "Relay",
    "Solution",
    "__version__",
    "closed_form",
    "curve",
    "solve",
]
__version__ = "0.1.0"

_LAZY = {"closed_form": "linrelay._closed_form"}  # these import SymPy, which takes a while


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'linrelay' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
