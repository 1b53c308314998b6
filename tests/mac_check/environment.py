"""Step: what the environment has in it, and which Mac its wheels were made for."""

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution

from tests.mac_check.facts import Facts, step

PACKAGES = (
    "mlx",
    "mlx-metal",
    "mlx-cpu",
    "mlx-lm",
    "transformers",
    "PySide6-Essentials",
    "numpy",
    "qasync",
    "pyqtgraph",
)


def look(facts: Facts) -> None:
    facts.told("Python", f"{platform.python_version()}, {platform.python_compiler()}")
    facts.told("this Python is built for", platform.mac_ver()[0] or platform.libc_ver()[1])
    facts.held("Python 3.11 to 3.14", (3, 11) <= sys.version_info[:2] <= (3, 14), platform.python_version())
    for name in PACKAGES:
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        tags = re.findall(r"^Tag: (\S+)", package.read_text("WHEEL") or "", re.MULTILINE)
        facts.told(name, f"{package.version}, {tags[0] if tags else 'no tag'}")


if __name__ == "__main__":
    sys.exit(step(look))
