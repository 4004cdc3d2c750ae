"""Figures, drawn with matplotlib (the extra ``linrelay[plot]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from linrelay._ball import Ball
from linrelay.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from linrelay._curve import Curve


def plot_curve(curve: Curve, figure: Figure | None = None) -> Figure:
    """Return a figure with influence and bound above, the local exponent below, against t."""
    if figure is None:
        try:
            from matplotlib.figure import Figure
        except ImportError as error:
            raise MissingExtraError(
                "plots need matplotlib: install it with linrelay as 'linrelay[plot]'"
            ) from error
        figure = Figure(figsize=(6.4, 6.4), layout="constrained")
    order = np.argsort(curve.t, kind="stable")
    t = curve.t[order]
    mark = "." if len(t) == 1 else ""
    above, below = figure.subplots(2, 1, sharex=True)
    above.loglog(t, np.abs(curve.influence[order]), "k-", marker=mark, label="influence")
    limit = abs(float(Ball(curve.relay.limit)))
    if 0 < limit < np.inf and (t > 1).any():
        label = r"limit × bound, $\frac{\prod w_\ell}{(L-1)!}\,P\,(\log t)^{L-1}/t$"
        later = t > 1
        above.loglog(t[later], (limit * curve.bound[order])[later], "k:", label=label)
    signed = "|influence|" if (curve.influence < 0).any() else "influence"
    above.set_ylabel(signed)
    above.set_title(f"{curve.relay!r}, P = {curve.P}", fontsize="medium", wrap=True)
    above.legend(frameon=False)
    below.semilogx(t, curve.exponent[order], "k-", marker=mark)
    below.axhline(1, color="0.6", linewidth=0.8, linestyle="--")
    below.annotate(
        "dilution alone, α = 1", (0, 1), (4, -4), xycoords=("axes fraction", "data"),
        textcoords="offset points", va="top", fontsize="small", color="0.4",
    )  # fmt: skip
    below.set_ylabel("local exponent α")
    below.set_xlabel("t, tokens after the prompt")
    return figure
