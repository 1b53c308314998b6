"""How long the measurements are: in full, or so short that they only show that every row still comes."""

import os
from typing import TypeVar

Length = TypeVar("Length", int, float)

SHORT = os.environ.get("SLUICE_BENCH_LENGTH") == "short"


def length(full: Length, short: Length) -> Length:
    """What a size is in this run. What the short one measures says nothing."""
    return short if SHORT else full
