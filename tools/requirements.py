"""Print what the project and its extras need, one requirement a line, quoted for the shell.

    python tools/requirements.py dev peers

An extra that names extras of this project is followed. Nothing is built to find out, so the list can be installed
before the project is.
"""

import re
import shlex
import sys
import tomllib
from pathlib import Path


def requirements(extras: list[str]) -> list[str]:
    """Return the requirements of the project and of the extras."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    queue = list(extras)
    while queue:
        for requirement in project["optional-dependencies"][queue.pop()]:
            own = re.fullmatch(rf"{project['name']}\[(.+)\]", requirement)
            if own:
                queue += own[1].split(",")
            else:
                wanted.append(requirement)
    return list(dict.fromkeys(wanted))


if __name__ == "__main__":
    print("\n".join(shlex.quote(requirement) for requirement in requirements(sys.argv[1:])))
