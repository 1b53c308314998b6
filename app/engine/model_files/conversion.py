"""Conversion of weights at load: MLX's CPU backend is slow with half precision and with quantized weights."""

FLOAT32_BYTES = 4
FLOAT32_SHARE = 0.5
"""Largest share of the memory limit that float32 weights may take.

On the CPU backend, half precision is two to five times slower. With 8-bit weights the prefill takes 14 times as long as
with the same weights unpacked (SmolLM2-135M, 725 tokens).
"""
HALVES = ("float16", "bfloat16")


def fits_in_float32(parameters: int, limit: int) -> bool:
    """Return whether the CPU backend converts half precision, or unpacks quantized weights. `limit` is in bytes."""
    return FLOAT32_BYTES * parameters <= FLOAT32_SHARE * limit
