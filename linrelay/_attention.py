"""Attention patterns: how a layer averages over the positions that it sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Uniform:
    """Causal uniform attention, the Cesàro operator C: (Cδ)_n = (1/n) Σ_{m≤n} δ_m."""

    @overload
    def average(self, influence: Sequence[Fraction]) -> Sequence[Fraction]: ...
    @overload
    def average(self, influence: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def average(
        self, influence: Sequence[Fraction] | NDArray[np.float64]
    ) -> Sequence[Fraction] | NDArray[np.float64]:
        """Return Cδ for the influence δ at positions 1, 2, …, as a list or an array like it."""
        if isinstance(influence, np.ndarray):
            return np.cumsum(influence) / np.arange(1, influence.size + 1)
        return [total / n for n, total in enumerate(accumulate(influence), start=1)]
