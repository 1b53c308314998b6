"""Whether this environment has what a lock asks for.

usage: installed.py LOCK    exits 1 when a package is missing or of another version
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def missing(lock: str) -> list[str]:
    """The packages of a lock that aren't here in its version."""
    wanted = re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE)
    return [name for name, exact in wanted if _version(name) != exact]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(bool(missing(Path(sys.argv[1]).read_text("utf-8"))))
