"""The command line: ``linrelay solve`` and ``linrelay curve``."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import linrelay
from linrelay._rational import ExactFraction
from linrelay._reading import show
from linrelay._solution import MAX_DIGITS
from linrelay.errors import LinrelayError

_LARGEST_POWER = 10**6  # decimal digits that a power typed as an argument may have
_NUMBER = re.compile(
    r"(?P<mantissa>\d+)(\.(?P<decimals>\d*))?(e\+?(?P<exponent>\d{1,7}))?"
    r"|(?P<base>\d+)(\*\*|\^)(?P<power>\d{1,7})",
    re.IGNORECASE,
)


class _Integer(click.ParamType[int]):
    """A positive integer as people type it: 4096, 1_000_000, 1e12, 10**12, 2^20."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = _NUMBER.fullmatch(re.sub(r"(?<=\d)[_,](?=\d)", "", value.strip()))
        number = match and _evaluate(**match.groupdict())
        if number is None or number < 1:
            self.fail(
                f"{show(value)} is not an integer ≥ 1 (written like 4096, 1_000_000, 1e12, "
                f"10**12 or 2^20, with at most {_LARGEST_POWER} digits)",
                param,
                ctx,
            )
        return number


def _evaluate(
    mantissa: str | None,
    decimals: str | None,
    exponent: str | None,
    base: str | None,
    power: str | None,
) -> int | None:
    """Return the integer that the parts of a typed number make, None if they make none."""
    if base is not None:
        small = len(base) * int(power or 0) <= _LARGEST_POWER
        return int(int(base) ** int(power or 0)) if small else None
    digits, shift = (mantissa or "") + (decimals or ""), int(exponent or 0) - len(decimals or "")
    if len(digits) > 4000 or shift > _LARGEST_POWER:
        return None
    if shift >= 0:
        return int(digits) * int(10**shift)
    whole, rest = divmod(int(digits), 10**-shift)
    return None if rest else int(whole)


class _Weights(click.ParamType[Any]):
    """One weight, or one for each layer with commas between: 1, 0.3, 3/10, 1,1/2,-0.25."""

    name = "weights"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> str | list[str]:
        return value.split(",") if "," in value else value  # type: ignore[no-any-return]


class _Failure(click.ClickException):
    exit_code = 2


class _Command(click.Command):
    """A command that explains negative numbers and reports linrelay's errors without a trace."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if re.match(r"-\d", error.option_name):
                numbers = [x for x in given if re.match(r"-\d", x)]
                raise click.UsageError(
                    f"L, P and t must be integers ≥ 1, got {numbers[0]}", ctx
                ) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except LinrelayError as error:
            raise _Failure(str(error)) from error


class _Group(click.Group):
    """The commands, where a full disk behind standard output is reported without a trace."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # not a closed pipe, which click leaves quietly
            _Failure(f"the output could not be written: {error.strerror}").show()
            sys.exit(_Failure.exit_code)


_INTEGER, _WEIGHTS = _Integer(), _Weights()
_weights = (
    click.option(
        "--gain",
        type=_WEIGHTS,
        default="1",
        show_default=True,
        metavar="W",
        help="Attention weight, one or one per layer with commas: 0.3 or 1,1/2,2.",
    ),
    click.option(
        "--residual",
        type=_WEIGHTS,
        default="1",
        show_default=True,
        metavar="R",
        help="Weight of the skip path, likewise.",
    ),
)
_output = click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file."
)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(linrelay.__version__, prog_name="linrelay")
def main() -> None:
    """Solve the linear relay model: how fast a transformer forgets its prompt.

    L is the number of layers, P the prompt length, t the number of tokens after it. Numbers are
    taken as people type them: 4096, 1_000_000, 1e12, 10**12.
    """


@main.command(cls=_Command)
@click.argument("L", type=_INTEGER)
@click.argument("P", type=_INTEGER)
@click.argument("t", type=_INTEGER)
@_weights[0]
@_weights[1]
@click.option(
    "--digits", type=_INTEGER, default=50, show_default=True, help="Significant digits to certify."
)
@click.option("--exact", is_flag=True, help="Also the exact fraction (whole with --json).")
@click.option(
    "--max-digits",
    type=_INTEGER,
    default=MAX_DIGITS,
    show_default=True,
    help="Largest exact fraction to begin.",
)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@_output
def solve(
    l: int,  # noqa: E741 (click names arguments in lower case)
    p: int,
    t: int,
    gain: Any,
    residual: Any,
    digits: int,
    exact: bool,
    max_digits: int,
    as_json: bool,
    output: Path | None,
) -> None:
    """Influence of a prompt of P tokens, t tokens later, after L layers.

    Every digit printed is certain.
    """
    solution = linrelay.solve(l, p, t, gain=gain, residual=residual, digits=digits)
    fraction: ExactFraction | None = None
    if exact:
        fraction = solution.exact(max_digits=max_digits, progress=sys.stderr.isatty())
    if as_json:
        values = solution.to_dict()
        if fraction is not None:
            values["exact"] = fraction.to_string()
        text = _to_json(values)
    else:
        text = str(solution)
        if fraction is not None:
            text += f"\n  {'exact':9}  {fraction}"
    _write(text + "\n", output)


@main.command(cls=_Command)
@click.argument("L", type=_INTEGER)
@click.argument("P", type=_INTEGER)
@click.option("--t-max", type=_INTEGER, required=True, help="Last t.")
@click.option("--t-min", type=_INTEGER, default=1, show_default=True, help="First t.")
@click.option(
    "--points",
    type=_INTEGER,
    help="About how many t, evenly spaced in log t.  [default: 25, for a plot 200]",
)
@click.option("--all", "every", is_flag=True, help="Every t from first to last.")
@_weights[0]
@_weights[1]
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable output.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw a figure (png, pdf, svg …) instead; needs linrelay[plot].",
)
@_output
def curve(
    l: int,  # noqa: E741
    p: int,
    t_max: int,
    t_min: int,
    points: int | None,
    every: bool,
    gain: Any,
    residual: Any,
    as_csv: bool,
    as_json: bool,
    plot: Path | None,
    output: Path | None,
) -> None:
    """Influence and local exponent at many t, in floating point (relative error 1e-12)."""
    if t_min > t_max:
        raise click.UsageError(f"--t-min must be at most --t-max, got {t_min} > {t_max}")
    if as_csv + as_json + (plot is not None) > 1:
        raise click.UsageError("--csv, --json and --plot exclude each other")
    if every and points:
        raise click.UsageError("--all and --points exclude each other")
    if plot and output:
        raise click.UsageError("--plot names the file to write: --output does not go with it")
    t = _spaced(t_min, t_max, None if every else points or (200 if plot else 25))
    result = linrelay.curve(l, p, t, gain=gain, residual=residual, progress=sys.stderr.isatty())
    if plot:
        _save(result, plot)
    elif as_csv:
        _write(result.to_csv(), output)
    elif as_json:
        _write(_to_json(result.to_dict()) + "\n", output)
    else:
        _write(f"{result.relay}, P = {result.P}\n{result.table(len(result))}\n", output)


def _spaced(t_min: int, t_max: int, points: int | None) -> NDArray[Any]:
    """Return integers from t_min to t_max: all, or about `points` evenly spaced in log t."""
    if t_max > 2**53:
        raise click.UsageError(
            f"--t-max must be at most 2**53 for a curve, got {show(t_max)}; "
            "linrelay solve takes any t"
        )
    if points is None:
        if t_max - t_min >= 10**8:
            raise click.UsageError(
                f"--all would make {t_max - t_min + 1} rows, more than 10**8; use --points"
            )
        return np.arange(t_min, t_max + 1)
    if points > 10**7:
        raise click.UsageError(f"--points must be at most 10**7, got {points}")
    spaced = np.geomspace(t_min, t_max, points).round()
    spaced[[0, -1]] = t_min, t_max
    return np.unique(spaced.astype(np.int64))


def _to_json(values: dict[str, Any]) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False)


def _write(text: str, output: Path | None) -> None:
    """Print, or write the file whole or not at all."""
    if output is None:
        click.echo(text, nl=False)
        return
    _write_file(output, text.encode())


def _save(result: linrelay.Curve, path: Path) -> None:
    figure = result.plot()
    kinds = figure.canvas.get_supported_filetypes()
    kind = path.suffix.lstrip(".").lower()
    if kind not in kinds:
        raise click.UsageError(
            f"--plot must end in one of {', '.join(sorted(kinds))}, got {str(path)!r}"
        )
    image = io.BytesIO()
    figure.savefig(image, format=kind, dpi=150)
    _write_file(path, image.getvalue())


def _write_file(path: Path, content: bytes) -> None:
    try:
        # A device or a pipe is written to; replacing it by a file would destroy it.
        replace = path.is_file() or not path.exists()
        with click.open_file(str(path), "wb", atomic=replace) as file:
            file.write(content)
    except OSError as error:
        raise _Failure(f"cannot write {str(path)!r}: {error.strerror or error}") from error
