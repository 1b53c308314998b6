"""The length of an attack: short in `make test-all`, long in `make faults`."""

import os

IS_FULL = os.environ.get("SLUICE_FAULTS") == "full"


def times(short: int, full: int) -> int:
    """Return how often something is tried in this run."""
    return full if IS_FULL else short
