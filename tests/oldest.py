"""Print the oldest versions of the dependencies that pyproject.toml allows, for .ci/run."""

from __future__ import annotations

import tomllib
from pathlib import Path

if __name__ == "__main__":
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text()
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["plot"], *extras["test"]]
    print(*(x.replace(">=", "==") for x in wanted if ">=" in x))
