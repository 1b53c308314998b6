"""How many examples a test makes up that would take long with the usual hundred."""

import os
from typing import Any

from hypothesis import settings

LONGER = 20
"""So many times as long such a test may take where somebody has the time: no test goes on for ten minutes."""


def at_most(count: int, **more: Any) -> settings:
    """So many; where somebody asks for more, as `make faults` does, as many as that or what there is time for."""
    asked = int(os.environ.get("SLUICE_EXAMPLES_COUNT", count))
    return settings(max_examples=min(asked, LONGER * count), **more)
