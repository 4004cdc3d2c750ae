"""FLINT's precision is one for the whole process: linrelay neither obeys nor changes it."""

import gc
import operator
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import flint
import mpmath
import pytest
from flint import arb

from linrelay import solve
from linrelay._flint import at_precision


@pytest.fixture
def fast_switching() -> Iterator[None]:
    """Let threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture
def busy_collector() -> Iterator[None]:
    """Let the garbage collector run as often as it can, with a callback in Python."""
    threshold = gc.get_threshold()

    def callback(phase: str, info: dict[str, int]) -> None:
        sum(i for i in range(300))

    gc.callbacks.append(callback)
    gc.set_threshold(5)
    yield
    gc.set_threshold(*threshold)
    gc.callbacks.remove(callback)


def settings() -> tuple[int, int, int, int, bool]:
    return flint.ctx.prec, flint.ctx.cap, mpmath.mp.prec, mpmath.iv.prec, gc.isenabled()


def test_computes_at_the_precision_asked_for() -> None:
    before = settings()
    (third,) = at_precision(300, operator.truediv, (arb(1),), (arb(3),))
    assert 290 < third.rel_accuracy_bits() <= 300
    assert settings() == before


@pytest.mark.parametrize("collector", [gc.enable, gc.disable])
def test_the_settings_stay_as_they_were(collector: Callable[[], None]) -> None:
    collector()
    try:
        before = settings()
        at_precision(300, operator.truediv, (arb(1),), (arb(3),), length=77)
        assert settings() == before
        with pytest.raises(TypeError):
            at_precision(300, operator.truediv, (arb(1),), ("x",), length=77)
        assert settings() == before
    finally:
        gc.enable()


@pytest.mark.parametrize(("prec", "cap"), [(2, 0), (2, 1), (53, 10), (10_000, 500)])
def test_results_do_not_depend_on_the_callers_settings(prec: int, cap: int) -> None:
    expected = solve(12, 64, 10**12)
    values = expected.influence, expected.exponent, expected.ratio
    exact = solve(5, 3, 200).exact()
    with flint.ctx.workprec(prec), mpmath.workprec(prec):
        old, flint.ctx.cap = flint.ctx.cap, cap
        try:
            before = settings()
            found = solve(12, 64, 10**12)
            for a, b in zip((found.influence, found.exponent, found.ratio), values, strict=True):
                assert a.is_identical(b)
                assert str(a) == str(b)
                assert a.to_mpmath() == b.to_mpmath()
            assert solve(5, 3, 200).exact() == exact
            assert settings() == before
        finally:
            flint.ctx.cap = old


@pytest.mark.usefixtures("fast_switching", "busy_collector")
def test_threads_at_different_precisions() -> None:
    """Four threads solve at four precisions, a fifth changes FLINT's, a sixth watches.

    The watcher may see 53 bits and the fifth thread's 71, never one of linrelay's; all results
    are those of a single thread.
    """
    digits = [5, 30, 200, 1000]
    expected = {d: solve(7, 5, 10**9, digits=d).influence for d in digits}
    exponents = {d: solve(7, 5, 10**9, digits=d).exponent for d in digits}
    stop = threading.Event()
    wrong: list[Any] = []
    seen: set[tuple[int, int]] = set()
    rounds = dict.fromkeys(digits, 0)

    def work(d: int) -> None:
        while not stop.is_set():
            solution = solve(7, 5, 10**9, digits=d)
            if not solution.influence.is_identical(expected[d]):
                wrong.append((d, solution.influence))
            if not solution.exponent.is_identical(exponents[d]):
                wrong.append((d, solution.exponent))
            rounds[d] += 1

    def disturb() -> None:
        while not stop.is_set():
            flint.ctx.prec = 71
            flint.ctx.prec = 53

    def watch() -> None:
        while not stop.is_set():
            seen.add((flint.ctx.prec, flint.ctx.cap))

    threads = [threading.Thread(target=work, args=(d,)) for d in digits]
    threads += [threading.Thread(target=disturb), threading.Thread(target=watch)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    stop.set()
    for thread in threads:
        thread.join()
    flint.ctx.prec = 53
    assert not wrong
    assert seen <= {(53, 10), (71, 10)}
    assert min(rounds.values()) >= 3


def test_import_is_light() -> None:
    """Importing linrelay, and solving, loads neither SymPy, mpmath, SciPy nor matplotlib."""
    code = (
        "import sys, linrelay; linrelay.solve(3, 2, 10).exponent; linrelay.solve(3, 2, 10).exact();"
        "linrelay.curve(3, 2, [10]).exponent;"
        "print(*{m.split('.')[0] for m in sys.modules}"
        " & {'sympy', 'mpmath', 'scipy', 'matplotlib', 'click', 'tqdm', 'hypothesis'})"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == ""
