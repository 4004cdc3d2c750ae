"""linrelay: an exact solver for the linear relay model of prompt forgetting in transformers.

>>> import linrelay
>>> linrelay.solve(L=3, P=1, t=9).exact()
ExactFraction(107011963, 63504000)
"""

from linrelay._ball import Ball
from linrelay._curve import Curve
from linrelay._model import Relay
from linrelay._solution import Solution
from linrelay._solve import curve, solve
from linrelay.errors import LinrelayError

__all__ = ["Ball", "Curve", "LinrelayError", "Relay", "Solution", "__version__", "curve", "solve"]
__version__ = "0.1.0"
