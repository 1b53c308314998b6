"""Timeouts of tests, long because a shared computer can stall."""

WAIT_S = 90.0
WAIT_MS = round(WAIT_S * 1000)
