"""Every block of the README runs: Python as doctests, consoles by their output, shells in CI."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.readme import README, blocks, shell_blocks

ROOT = README.parent


def test_every_block_is_of_a_kind_that_is_run() -> None:
    assert {language for language, _ in blocks()} == {"python", "console", "sh"}


def test_python_blocks() -> None:
    flags = doctest.ELLIPSIS
    for language, text in blocks():
        if language == "python":
            test = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
            assert test.examples
            runner = doctest.DocTestRunner(optionflags=flags)
            runner.run(test)
            assert runner.summarize().failed == 0


def commands() -> list[tuple[str, str]]:
    text = "".join(text for language, text in blocks() if language == "console")
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)


@pytest.mark.parametrize(("command", "expected"), commands(), ids=lambda x: x[:30])
def test_console_blocks(command: str, expected: str) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    result = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=environment, check=True
    )
    assert result.stdout == expected
    assert expected


def test_shell_blocks_are_what_ci_runs() -> None:
    """They install packages and run these tests, so .ci/run executes them, word for word."""
    assert set(shell_blocks()) == {"install", "test"}
    script = ROOT / ".ci" / "run"
    if not script.exists():
        pytest.skip("not a checkout: .ci/run is not part of the distribution")
    for name in shell_blocks():
        assert re.search(rf"readme\.py {name}\b", script.read_text())


@pytest.mark.parametrize("extra", re.findall(r"'\.\[(\w+)\]'", README.read_text()))
def test_extras_exist(extra: str) -> None:
    assert re.search(rf"^{extra} = \[", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
