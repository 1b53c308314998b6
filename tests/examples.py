"""How many examples a test makes up that would take long with the usual hundred."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings


def at_most(count: int, **more: Any) -> settings:
    """So many; where somebody asks for a number, as `make faults` does, that many."""
    return settings(max_examples=int(os.environ.get("SLUICE_EXAMPLES_COUNT", count)), **more)
