"""The profiler: time per part of a token, and the limits of the hardware."""
