"""Curve: the influence at many t, as arrays, each made on demand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from linrelay import _formula
from linrelay._model import Relay
from linrelay._progress import progress_bar
from linrelay._rational import ExactFraction, RationalVector
from linrelay._sums.floating import FLOAT_ERROR, FloatSums
from linrelay.errors import UndefinedError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
_BLOCK_BYTES = 2**20  # of power sums at a time: what stays in a core's cache


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """The influence of a prompt of P tokens at many t: float64 arrays, made when asked for.

    Returned by :func:`linrelay.curve`. The arrays are read-only. Picklable; compares by identity.

    Attributes
    ----------
    relay : Relay
        The model.
    P : int
        Prompt length.
    t : array of float64, shape (N,)
        Numbers of tokens after the prompt, as given.

    Examples
    --------
    >>> import linrelay
    >>> curve = linrelay.curve(2, 1, range(1, 5))
    >>> curve
    <Curve Relay(2), P=1, 4 points, t = 1 … 4>
    >>> curve.influence.round(4).tolist()
    [1.75, 1.2778, 1.0208, 0.8567]
    """

    relay: Relay
    P: int
    t: Floats
    progress: bool = False

    def __post_init__(self) -> None:
        self.t.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)  # which pickle forgets

    def __len__(self) -> int:
        return len(self.t)

    # Values

    @cached_property
    def influence(self) -> Floats:
        """δ_n^(L); infinite or zero only where it is beyond float64 (see `log_influence`)."""
        with np.errstate(over="ignore", under="ignore"):
            return _frozen(np.ldexp(self._scaled_influence, self._exponent))

    @cached_property
    def log_influence(self) -> Floats:
        """The natural logarithm of |influence|, also where influence is beyond float64.

        Its absolute error is at most `relative_error` plus its own rounding.
        """
        with np.errstate(divide="ignore"):
            logarithm = np.log(np.abs(self._scaled_influence))
        return _frozen(logarithm + self._exponent * math.log(2))

    @cached_property
    def share(self) -> Floats:
        """influence / ∏(r + w). Raises UndefinedError where that product is zero."""
        total = self.relay.total
        if not total:
            raise UndefinedError("share is not defined: the product of residual + gain is zero")
        unit = RationalVector([total.denominator], total.numerator)
        return _frozen(self._scaled_influence * unit.floats(-self._exponent)[0])

    @cached_property
    def exponent(self) -> Floats:
        """The local exponent α = −d log influence / d log t (NaN where the influence is zero)."""
        transfer, tails = self._vector(self.relay.transfer), self._vector(self.relay.tails)
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._evaluate(lambda sums: _formula.exponent(transfer, tails, sums))

    @cached_property
    def bound(self) -> Floats:
        """P (log t)^(L−1) / t."""
        return _frozen(_formula.bound(self.relay.depth, self.P, self.t, np.log(self.t)))

    @cached_property
    def ratio(self) -> Floats:
        """influence / bound (infinite at t = 1 for L ≥ 2), which tends to relay.limit."""
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            return _frozen(np.ldexp(self._scaled_influence / self.bound, self._exponent))

    @cached_property
    def relative_error(self) -> Floats:
        """A bound on the relative error of `influence`: 1e-12, times Σ|T_j|h_j / |Σ T_j h_j|."""
        tails = self.relay.tails
        if tails.has_one_sign():
            return _frozen(np.full_like(self.t, FLOAT_ERROR))
        magnitudes = self._vector(abs(tails))
        absolute = self._evaluate(lambda sums: _formula.influence(magnitudes, sums))
        with np.errstate(divide="ignore"):
            return _frozen(FLOAT_ERROR * absolute / np.abs(self._scaled_influence))

    # Evaluation

    @property
    def _exponent(self) -> int:
        """The power of two that is taken out of the weights, so that none overflows."""
        return self.relay.tails.binary_exponent()

    @cached_property
    def _scaled_influence(self) -> Floats:
        tails = self._vector(self.relay.tails)
        return self._evaluate(lambda sums: _formula.influence(tails, sums))

    def _vector(self, weights: RationalVector) -> list[float]:
        return weights.floats(self._exponent)

    def _evaluate(self, value: Callable[[FloatSums], Floats]) -> Floats:
        """Apply a formula block by block, so that memory stays bounded."""
        reach = self.relay.reach
        size = max(512, _BLOCK_BYTES // (8 * max(reach, 1)))
        result = np.empty_like(self.t)
        with progress_bar(self.progress, len(self), "points") as update:
            for start in range(0, len(self), size):
                block = slice(start, start + size)
                result[block] = value(FloatSums(self.P, self.t[block], reach))
                if update:
                    update(len(result[block]))
        return _frozen(result)

    # Display

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as lists and strings that JSON can hold, None for what is not finite."""
        columns = {name: [_finite(x) for x in column] for name, column in self._columns()}
        return {
            "L": self.relay.depth,
            "P": self.P,
            "gain": [ExactFraction(x).to_string() for x in self.relay.gains],
            "residual": [ExactFraction(x).to_string() for x in self.relay.residuals],
            **columns,
        }

    def to_csv(self) -> str:
        """Return the curve as comma-separated values under a line of names."""
        import csv
        import io

        names, columns = zip(*self._columns(), strict=True)
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(zip(*(map(_shortest, column.tolist()) for column in columns), strict=True))
        return text.getvalue()

    def plot(self, figure: Figure | None = None) -> Figure:
        """Return a figure of influence and local exponent against t.

        Needs the extra `linrelay[plot]`.
        """
        from linrelay._plot import plot_curve

        return plot_curve(self, figure)

    def _columns(self) -> list[tuple[str, Floats]]:
        names = ("t", "influence", "exponent", "bound", "ratio")
        return [(name, getattr(self, name)) for name in names]

    def table(self, rows: int = 25) -> str:
        """Return the curve as a text table of at most `rows` evenly chosen points."""
        chosen = np.unique(np.linspace(0, len(self) - 1, min(rows, len(self))).round().astype(int))
        names, columns = zip(*self._columns(), strict=True)
        lines = [[_shortest(columns[0][i]), *(f"{c[i]:.12g}" for c in columns[1:])] for i in chosen]
        widths = [max(map(len, column)) for column in zip(names, *lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in (names, *lines)
        )

    def __repr__(self) -> str:
        low, high = _shortest(self.t.min()), _shortest(self.t.max())
        points = f"{len(self)} point{'s' * (len(self) != 1)}"
        return f"<Curve {self.relay}, P={self.P}, {points}, t = {low} … {high}>"

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(repr(self))}\n{html.escape(self.table())}</pre>"


def _frozen(array: Floats) -> Floats:
    array.setflags(write=False)
    return array


def _finite(x: float) -> float | None:
    return float(x) if math.isfinite(x) else None


def _shortest(x: float) -> str:
    """Return the shortest decimal that reads back as x, integers without a point."""
    return str(int(x)) if abs(x) < 2**53 and x == int(x) else repr(float(x))
