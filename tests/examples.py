"""Number of hypothesis examples for slow tests."""

import os
from typing import Any

from hypothesis import settings

LONGER = 20
"""Factor for long runs; it keeps every test below ten minutes."""


def at_most(count: int, **more: Any) -> settings:
    """Return settings with this many examples, or more in long runs such as `make faults`."""
    asked = int(os.environ.get("SLUICE_EXAMPLES_COUNT", count))
    return settings(max_examples=min(asked, LONGER * count), **more)
