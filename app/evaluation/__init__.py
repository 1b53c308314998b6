"""Evaluations: prompt sets, variants, checks, and verdicts with confidence intervals. No module here uses Qt."""
