"""Parameters of which only a few run in `make test`."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(params: Iterable[Any], *fast: object) -> list[Any]:
    """All of `params`; those that are not in `fast` are marked slow."""
    return [each if each in fast else pytest.param(each, marks=pytest.mark.slow) for each in params]
