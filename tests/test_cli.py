"""The command line: numbers as people type them, output for people and machines, errors."""

import csv
import io
import json
import os
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import linrelay
from linrelay import Ball
from linrelay._cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def output(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


@pytest.mark.parametrize(
    ("typed", "t"),
    [("4096", 4096), ("1e12", 10**12), ("10**12", 10**12), ("2^12", 4096), ("1_000_000", 10**6),
     ("1,000", 1000), ("1.5e3", 1500), ("1e1000", 10**1000), ("1E+3", 1000), ("2.0", 2)],
)  # fmt: skip
def test_numbers_as_typed(typed: str, t: int) -> None:
    assert json.loads(output("solve", "2", "1", typed, "--json"))["t"] == str(t)


@pytest.mark.parametrize(
    "typed", ["0", "1.5", "x", "1e-3", "-5", "1e9999999", "10**9999999", "", "1e", "0x10", "²"]
)
def test_bad_numbers(typed: str) -> None:
    result = run("solve", "2", "1", typed)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "integer" in result.stderr
    assert "Traceback" not in result.stderr


def test_solve_prints_a_table() -> None:
    text = output("solve", "6", "32", "4096", "--digits", "20")
    assert text == str(linrelay.solve(6, 32, 4096, digits=20)) + "\n"
    assert "11.127996770500036272" in text


def test_solve_weights() -> None:
    arguments = ["solve", "3", "1", "9", "--gain", "1,-1/2,0.3", "--residual", "-2", "--json"]
    values = json.loads(output(*arguments, "--exact"))
    expected = linrelay.solve(3, 1, 9, gain=[1, "-1/2", "0.3"], residual=-2)
    assert Fraction(values["exact"]) == expected.exact()
    assert expected.influence.mid in Ball(**values["influence"])
    assert values["gain"] == ["1", "-1/2", "3/10"]


def test_exact() -> None:
    assert output("solve", "3", "1", "9", "--exact").splitlines()[-1] == (
        "  exact      107011963/63504000"
    )
    long = output("solve", "3", "1", "20000", "--exact").splitlines()[-1]
    assert "digits)" in long
    assert len(long) < 100
    result = run("solve", "3", "1", "1e9", "--exact")
    assert result.exit_code == 2
    assert "max_digits" in result.stderr


def test_curve_formats(tmp_path: Path) -> None:
    options = ["curve", "6", "32", "--t-max", "1e4", "--points", "7"]
    table = output(*options).splitlines()
    assert table[0] == "Relay(6), P = 32"
    assert len(table) == 9
    rows = list(csv.DictReader(io.StringIO(output(*options, "--csv"))))
    values = json.loads(output(*options, "--json"))
    assert [float(row["influence"]) for row in rows] == values["influence"]
    assert values["t"][0] == 1
    assert values["t"][-1] == 10_000
    assert len(values["t"]) == 7
    every = json.loads(
        output("curve", "6", "32", "--t-min", "5", "--t-max", "9", "--all", "--json")
    )
    assert every["t"] == [5, 6, 7, 8, 9]
    one = json.loads(output("curve", "6", "32", "--t-min", "5", "--t-max", "5", "--json"))
    assert one["t"] == [5]
    path = tmp_path / "curve.csv"
    assert output(*options, "--csv", "-o", str(path)) == ""
    assert list(csv.DictReader(io.StringIO(path.read_text()))) == rows


@pytest.mark.parametrize(
    ("kind", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_plot(tmp_path: Path, kind: str, magic: bytes) -> None:
    path = tmp_path / f"curve.{kind}"
    assert output("curve", "6", "32", "--t-max", "1e6", "--plot", str(path)) == ""
    assert path.read_bytes().startswith(magic)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["solve", "2", "1"], "Missing argument"),
        (["solve", "2", "1", "5", "--gain", "1,2,3"], "gain must be one number or one for each"),
        (["solve", "2", "1", "5", "--gain", "x"], "gain must be a rational number"),
        (["solve", "2", "1", "5", "--digits", "1e9"], "digits must be at most"),
        (["solve", "-2", "1", "5"], "L, P and t must be integers ≥ 1, got -2"),
        (["curve", "2", "1"], "--t-max"),
        (["curve", "2", "1", "--t-max", "5", "--t-min", "9"], "--t-min must be at most --t-max"),
        (["curve", "2", "1", "--t-max", "5", "--csv", "--json"], "exclude each other"),
        (["curve", "2", "1", "--t-max", "5", "--all", "--points", "3"], "exclude each other"),
        (["curve", "2", "1", "--t-max", "1e30"], "linrelay solve takes any t"),
        (["curve", "2", "1", "--t-max", "1e9", "--all"], "more than 10**8"),
        (["curve", "2", "1", "--t-max", "5", "--points", "1e8"], "--points must be at most"),
        (["curve", "99", "1", "--t-max", "5"], "at most 64 layers"),
        (["curve", "2", "1", "--t-max", "5", "--plot", "x.xyz"], "--plot must end in one of"),
        (["curve", "2", "1", "--t-max", "5", "--csv", "-o", "/nowhere/x"], "/nowhere/x"),
        (["curve", "2", "1", "--t-max", "5", "--plot", "x.png", "-o", "y"], "--output"),
        (["curve", "2", "1", "--gian", "5"], "No such option"),
        (["nonsense"], "No such command"),
    ],
)
def test_errors_go_to_standard_error(arguments: list[str], text: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert text in result.stderr
    assert result.stdout == ""


def test_plot_without_matplotlib(monkeypatch: Any, tmp_path: Path) -> None:
    for name in [m for m in sys.modules if m.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = run("curve", "2", "1", "--t-max", "5", "--plot", str(tmp_path / "x.png"))
    assert result.exit_code == 2
    assert "linrelay[plot]" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(monkeypatch: Any, tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_text("old")

    def fail(self: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(linrelay.Curve, "to_csv", fail)
    assert run("curve", "2", "1", "--t-max", "5", "--csv", "-o", str(path)).exit_code == 1
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["old.csv"]


def test_help_and_version() -> None:
    assert "solve" in output("--help")
    assert "--t-max" in output("curve", "-h")
    assert linrelay.__version__ in output("--version")


def test_as_a_module_and_into_a_closed_pipe() -> None:
    command = [sys.executable, "-m", "linrelay", "curve", "2", "1", "--t-max", "1e5", "--all"]
    process = subprocess.Popen([*command, "--csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == b"t,influence,exponent,bound,ratio\n"
    process.stdout.close()
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()
    process.wait()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's full device")
@pytest.mark.parametrize(
    "arguments",
    [["solve", "3", "4", "5"], ["curve", "3", "4", "--t-max", "9"], ["solve", "-h"], ["-h"]],
)
def test_full_disk(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "linrelay", *arguments]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert result.stderr.startswith("Error: the output could not be written: No space left")
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("target", ["solve 2 1 9", "curve 2 1 --t-max 5"])
def test_output_goes_into_a_pipe_and_leaves_it_there(tmp_path: Path, target: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()), daemon=True)
    reader.start()
    output(*target.split(), "-o", str(pipe))
    reader.join(10)
    assert pipe.is_fifo()
    assert received == [output(*target.split())]


def test_output_through_a_link_leaves_the_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    (tmp_path / "file").write_text("old")
    output("solve", "2", "1", "9", "-o", str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == output("solve", "2", "1", "9")
