"""Whether MLX compiles kernels while it is tested."""

import os
import sys
from collections.abc import Mapping

WANTED = "SLUICE_COMPILE"
"""Set, it does so on the CPU too: in continuous integration one job has it."""


def switched_off(system: str = sys.platform, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What mlx is told when it is imported. On the CPU each kernel takes a C++ compiler ten seconds and more; Metal's
    are what users have, and stay on."""
    return {} if system == "darwin" or WANTED in environment else {"MLX_DISABLE_COMPILE": "1"}
