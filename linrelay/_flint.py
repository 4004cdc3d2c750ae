"""Calls into FLINT at a precision of one's own.

python-flint has one working precision and one series length for the whole process, shared by
all threads. A ``with`` block that changes and restores them would show its values to every
thread that runs meanwhile, and could have them changed under it. So a computation is handed
over whole: reading the old values, setting new ones, all calls, and setting the old ones again
are chained in one iterator that a single C call consumes. CPython switches threads between
bytecodes only, and runs none here as long as the functions called are themselves written in C.
The garbage collector is switched off in the same way: up to Python 3.11 it can start within
the call, and finalisers and callbacks of whatever else the process does are bytecode.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain
from operator import call
from typing import Any, TypeVar

import flint

_R = TypeVar("_R")
_CONTEXTS = (flint.ctx, flint.ctx)
_SETTINGS = ("prec", "cap")
_RESUME = (gc.disable, gc.enable)  # by whether the collector was enabled


def at_precision(
    bits: int, function: Callable[..., _R], *columns: Iterable[Any], length: int = 10
) -> list[_R]:
    """Return ``list(map(function, *columns))`` at `bits` bits and series of `length` terms.

    `function`, and what iterating over the columns calls, must be implemented in C (FLINT's
    methods, ``operator.mul``, ``sum``, ``map`` …): else other threads could see the precision.
    """
    collecting: list[bool] = []
    saved: list[Any] = []
    results: list[_R] = []
    steps = chain(
        map(collecting.append, map(call, (gc.isenabled,))),
        map(call, (gc.disable,)),
        map(saved.append, map(getattr, _CONTEXTS, _SETTINGS)),
        map(setattr, _CONTEXTS, _SETTINGS, (bits, length)),
        map(results.append, map(function, *columns)),
        map(setattr, _CONTEXTS, _SETTINGS, saved),
        map(call, map(_RESUME.__getitem__, collecting)),
    )
    try:
        deque(steps, maxlen=0)
    except BaseException:
        deque(map(setattr, _CONTEXTS, _SETTINGS, saved), maxlen=0)
        deque(map(call, map(_RESUME.__getitem__, collecting)), maxlen=0)
        raise
    return results
