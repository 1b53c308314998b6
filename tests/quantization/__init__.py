"""Tests of `app/quantization`."""
