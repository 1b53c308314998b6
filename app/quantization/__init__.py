"""Quantization: size, conversion, and cost in quality and speed. No module here uses Qt."""
