"""TF32: MLX's reduced precision of float32 operations on a GPU's matrix units."""

import os
import re

import mlx.core as mx

ARCHITECTURES = re.compile(r"sm_([89]\d|\d{3})\w?|applegpu_g(1[7-9]|[2-9]\d)\w")
"""NVIDIA GPUs from compute capability 8.0, and Apple's from the M5."""
NUMBER = re.compile(r"\s*[+-]?\d+", re.ASCII)
"""The part of the variable that MLX reads: it uses `atoi`, so that "true" is 0."""


def is_tf32_allowed() -> bool | None:
    """Return whether float32 operations may use TF32; None on a device without it."""
    if not ARCHITECTURES.fullmatch(str(mx.device_info().get("architecture", ""))):
        return None
    number = NUMBER.match(os.environ.get("MLX_ENABLE_TF32", "1"))
    return number is not None and int(number[0]) != 0
