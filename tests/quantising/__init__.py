"""Tests of `app/quantising`."""
