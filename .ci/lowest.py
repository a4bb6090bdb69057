"""Print the lowest versions that pyproject.toml allows, as pip takes them: of what is needed to run
and to test.
"""

import re
import tomllib
from pathlib import Path

TESTING = ("pytest", "hypothesis")
"""Of the extra `test`, what the tests of `.ci/run` need."""


def main() -> None:
    """Print `NAME==VERSION` for each library."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    wanted = [each for each in project["optional-dependencies"]["test"] if each.startswith(TESTING)]
    for each in (*project["dependencies"], *wanted):
        found = re.match(r"([\w-]+)>=([\d.]+)", each)
        if found is not None and not each.startswith("pytest-"):
            print(f"{found[1]}=={found[2]}")


if __name__ == "__main__":
    main()
