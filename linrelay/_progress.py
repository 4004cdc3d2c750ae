"""Progress bars for long work, drawn on standard error by tqdm."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(show: bool, total: int, unit: str) -> Iterator[Callable[[int], object] | None]:
    """Yield a function to call with each number of units done, or None without a bar."""
    if not show:
        yield None
        return
    from tqdm.auto import tqdm

    with tqdm(total=total, unit=f" {unit}", delay=0.5, leave=False) as bar:
        yield bar.update
