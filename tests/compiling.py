"""Switches MLX's compilation off in tests."""

import os
import sys
from collections.abc import Mapping

WANTED = "SLUICE_COMPILE"
"""If set, MLX compiles on the CPU too; one job in continuous integration sets it."""


def switched_off(system: str = sys.platform, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Environment of mlx. On the CPU each kernel takes a C++ compiler ten seconds or more; Metal kernels stay on."""
    return {} if system == "darwin" or WANTED in environment else {"MLX_DISABLE_COMPILE": "1"}
