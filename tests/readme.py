"""The README's blocks, for the tests and for .ci/run.

``python tests/readme.py install`` prints the command that installs and runs the main job,
``python tests/readme.py test`` the one that installs and runs the tests.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def blocks() -> list[tuple[str, str]]:
    """Return the language and the text of each fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)


def shell_blocks() -> dict[str, str]:
    """Return the two blocks that install something, by what they are for."""
    install, test = (text.strip() for language, text in blocks() if language == "sh")
    return {"install": install, "test": test}


if __name__ == "__main__":
    print(shell_blocks()[sys.argv[1]])
